"""Define a step: one named query together with the reason why the run needs it.

A step is named after the relation that it makes, or the answer that it returns. Names are not
qualified: the session sets the run's own schema. Queries are written as text, see `text.py`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from setveil.sql.dialects import DUCKDB, lower
from setveil.sql.shared import MOST, Same, Value, may_return
from setveil.sql.text import (
    cases,
    duck,
    duck_union,
    each,
    first,
    joins,
    limited,
    numbers,
    query_of,
    shown,
    term,
    together,
    up_to,
    user_column,
    user_columns,
)

__all__ = [
    "PAIR",
    "Step",
    "Value",
    "cases",
    "counts",
    "decided",
    "duck",
    "duck_union",
    "each",
    "first",
    "joins",
    "limited",
    "numbers",
    "parsed",
    "query_of",
    "shown",
    "render",
    "term",
    "together",
    "told",
    "up_to",
    "user_column",
    "user_columns",
    "verbatim",
]

# A pair of numbers is one BIGINT, first * PAIR + second: to group or join by one key is faster than
# by two. The factor is a prime: PostgreSQL hashes a BIGINT by combining its halves. With a power of
# two, most pairs would have equal hashes.
PAIR = 2_654_435_761


# Stands for a line break in verbatim text, which sqlglot would indent. Random: no text contains it.
LINE_BREAK = f"\ue000{secrets.token_hex(16)}\ue000"


def verbatim(text: str) -> exp.Var:
    """Mark text that `render` leaves unchanged, line by line."""
    return exp.Var(this=text.replace("\n", LINE_BREAK))


# Rows of numbers in VALUES: of many thousand rows, only the first is parsed.
ROWS = re.compile(
    r"(?<=\(VALUES\n)(\s+\(-?\d+(?:, -?\d+)*\))((?:,\n\s+\(-?\d+(?:, -?\d+)*\))+)(?=\))"
)


@dataclass(frozen=True, slots=True)
class Step:
    """One query. `query` is in DuckDB's dialect and lowered to others when it is rendered."""

    name: str
    why: str
    query: exp.Query

    def sql(self, dialect: str = DUCKDB) -> str:
        """The query alone, as golden files keep it."""
        return self._text(dialect)

    def create(
        self, dialect: str = DUCKDB, place: exp.Table | None = None, kind: str = "TABLE"
    ) -> str:
        """The statement that makes the relation, under its name or at `place`, from the query."""
        target = render(exp.table_(self.name) if place is None else place, dialect)
        return self._text(dialect, target, kind)

    def append(self, dialect: str = DUCKDB) -> str:
        """The statement that adds this query's rows to the relation `name`."""
        tree = exp.Insert(this=exp.table_(self.name), expression=self.query)
        return render(tree, dialect)

    def _text(self, *form: str) -> str:
        if not may_return(self.query):
            return _written(self.query, *form)
        return _written_once(Same(self.query), *form)


def _written(query: exp.Expr, dialect: str, place: str = "", kind: str = "TABLE") -> str:
    """The text of a query, or of the statement that makes its rows a relation at a place."""
    if not place:
        return render(query, dialect)
    made = exp.Create(this=exp.Var(this=place), kind=kind, expression=query)
    return render(made, dialect)


@lru_cache(maxsize=MOST)
def _written_once(query: Same, *form: str) -> str:
    return _written(query.tree, *form)


def render(tree: exp.Expr, dialect: str = DUCKDB) -> str:
    """Write the text of a statement, which is run, logged, explained and kept in the trail."""
    lowered = lower(tree, dialect)
    text: str = lowered.sql(dialect=dialect, pretty=True, copy=lowered is tree)
    return text.replace(LINE_BREAK, "\n")


def parsed(text: str, dialect: str) -> exp.Expr | None:
    """Parse a text that is written exactly as its tree, without a comment; else return None."""
    short = ROWS.sub(r"\1", text)
    try:
        tree = parse_one(short, dialect=dialect)
        written = tree.sql(dialect=dialect, pretty=True)
    except (SqlglotError, RecursionError):
        return None
    if written != short or any(node.comments for node in tree.walk()):
        return None
    return tree


def told(step: Step) -> Step:
    """Read the only row of a relation, with its columns in their order."""
    columns = [shown("r.$name AS $name", name=one.output_name) for one in step.query.selects]
    query = duck("SELECT $columns FROM $relation AS r", columns=columns, relation=step.name)
    return Step(step.name, "setveil reads the row of this relation", query)


def counts(relations: Sequence[str]) -> Step:
    """One row: the number of rows of each relation."""
    text = "(SELECT COUNT(*) AS held FROM $name AS r) AS $name"
    sizes = [shown(text, name=name) for name in relations]
    return Step("sizes", "counts the rows of each relation", duck("SELECT $sizes", sizes=sizes))


def decided(name: str, why: str, columns: Sequence[str], rows: Iterable[Sequence[int]]) -> Step:
    """One row per decision that Python made, in numbers, never names."""
    query = duck(
        "SELECT $columns FROM $rows AS v",
        columns=[shown("CAST(v.$name AS INT) AS $name", name=name) for name in columns],
        rows=numbers(columns, rows),
    )
    return Step(name, why, query)
