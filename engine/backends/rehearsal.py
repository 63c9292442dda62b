"""A rehearsal: the statements of a run without its data, for `--explain`.

It stands between a session and the database. Statements are not run, and questions get invented
answers: every relation has one row, nothing breaks the promise, and rounds end early. Models need
not know of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, cast

from sqlglot import exp

from setveil.backends import Backend, Columns, Row, Value

# Columns that count faults or items to repair: a rehearsal finds none.
NONE = frozenset({
    "added", "found", "hits", "incomplete", "lost", "missing", "mixed", "refined", "removed",
    "repeated", "small", "stray", "unclear", "unkeyed", "unlevelled", "unsafe", "without_item",
    "without_key",
})  # fmt: skip
# Columns for which the answer 1 would be too small.
MANY = {"transactions": 10**9, "longest": 9}
# Relations and answers without rows in this round, so that the loop ends there.
LAST = re.compile(
    r"check_unlike_1|(cell|open)_2|moved|half_1|level_2|window_2|.*_growth_3|(frequent|refound|\w+_itemset)_4"
)
REPAIRED = "unsafe"  # a relation that is made again after a repair, and then is empty
SOURCE = "source"
NAMED = "named"  # the relation of names that the caller gave
CHOSEN = ("chosen_private", "chosen_public", "chosen_sensitive")  # the numbers of their items


def answer(name: str, columns: Sequence[str]) -> Row:
    """The invented row for a question that always has one row."""
    none = LAST.fullmatch(name) is not None
    return tuple(0 if none or one in NONE else MANY.get(one, 1) for one in columns)


class Rehearsal:
    """Replaces a database's statements; its names, columns and files stay the database's own."""

    rehearsed = True

    def __init__(self, real: Backend) -> None:
        self.real = real
        self._numbers = count(1)
        self._made: set[str] = set()
        self._names: Sequence[Value] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, name: str, statement: str) -> int:
        """Run nothing; return the supposed number of rows."""
        if name == NAMED:
            self._names = None  # their numbers were looked up
        again = name == REPAIRED and name in self._made
        self._made.add(name)
        return 0 if again or LAST.fullmatch(name) else 1

    def rows(self, name: str, statement: str) -> list[Row]:
        """A new number for each listed item, and for the items that a condition chooses."""
        if name not in CHOSEN:
            return []
        if self._names is None:
            return [(next(self._numbers),)]
        return [(one, next(self._numbers)) for one in self._names]

    def columns(self, name: str, statement: str) -> Columns:
        """Return no arrays, since no rows were read."""
        return {}

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """No columns for the source, which is not made; else those of the real relation."""
        return {} if str(relation) == SOURCE else self.real.columns_of(relation)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Keep the caller's names until they are looked up; send nothing."""
        if table == NAMED:
            (self._names,) = columns

    def beside(self, note: Callable[[str], None]) -> Backend:
        """A rehearsal of the second run."""
        return rehearsal(self.real.beside(note))


def rehearsal(real: Backend) -> Backend:
    """A rehearsal of a run on this database."""
    return real if real.rehearsed else cast(Backend, Rehearsal(real))
