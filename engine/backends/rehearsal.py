"""A rehearsal: the statements of a run without its data, for `--explain`.

It takes the place of a database between a session and the database itself. Statements are not run,
and questions get answers that let a run go on: one row is made, nothing breaks the promise, and
rounds end after the first ones. No model knows that it is rehearsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, cast

from sqlglot import exp

from setveil.backends import Backend, Columns, Row, Value

# Columns that count faults, or what is to be repaired: a rehearsal finds none.
NONE = frozenset({
    "added", "found", "hits", "incomplete", "lost", "missing", "mixed", "refined", "removed",
    "repeated", "small", "stray", "unkeyed", "unlevelled", "unsafe", "without_item", "without_key",
})  # fmt: skip
# Columns for which one would be too few.
MANY = {"transactions": 10**9, "longest": 9}
# Relations and answers of which a later round has no rows, so that a loop ends there.
LAST = re.compile(
    r"check_unlike_1|(cell|open)_2|moved|.*_growth_3|(frequent|refound|\w+_itemset)_4"
)
REPAIRED = "unsafe"  # a relation that is made once more after a repair, and is empty then
SOURCE = "source"
NAMED = "named"  # the relation of names that the caller gave
CHOSEN = ("chosen_private", "chosen_public", "chosen_sensitive")  # the numbers of their items


def answer(name: str, columns: Sequence[str]) -> Row:
    """The row of a question that always has one."""
    none = LAST.fullmatch(name) is not None
    return tuple(0 if none or one in NONE else MANY.get(one, 1) for one in columns)


class Rehearsal:
    """Stands for a run on a database. All else is the database's own: names, columns, files."""

    rehearsed = True

    def __init__(self, real: Backend) -> None:
        self.real = real
        self._numbers = count(1)
        self._made: set[str] = set()
        self._names: Sequence[Value] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, name: str, statement: str) -> int:
        """Run nothing; answer how many rows are supposed."""
        if name == NAMED:
            self._names = None  # they were looked up
        again = name == REPAIRED and name in self._made
        self._made.add(name)
        return 0 if again or LAST.fullmatch(name) else 1

    def rows(self, name: str, statement: str) -> list[Row]:
        """Each item of a list has another number, and so has what a condition chooses."""
        if name not in CHOSEN:
            return []
        if self._names is None:
            return [(next(self._numbers),)]
        return [(one, next(self._numbers)) for one in self._names]

    def columns(self, name: str, statement: str) -> Columns:
        """Nothing was read, so there are no arrays."""
        return {}

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """Relations of the run are not made; others are looked at."""
        return {} if str(relation) == SOURCE else self.real.columns_of(relation)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Names that the caller gave are not sent, but kept until they are looked up."""
        if table == NAMED:
            (self._names,) = columns

    def beside(self, note: Callable[[str], None]) -> Backend:
        """A second run is rehearsed too."""
        return rehearsal(self.real.beside(note))


def rehearsal(real: Backend) -> Backend:
    """A rehearsal of a run on this database."""
    return real if real.rehearsed else cast(Backend, Rehearsal(real))
