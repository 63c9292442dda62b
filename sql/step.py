"""A step is one named query together with the reason it is asked.

Its name is the relation it makes, or the answer it gives. Names are not qualified: the session
points the connection at the run's own schema. Queries are written as text, see `text.py`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from setveil.sql.dialects import DUCKDB, lower
from setveil.sql.text import (
    Value,
    cases,
    duck,
    duck_union,
    each,
    first,
    joins,
    numbers,
    query_of,
    shown,
    term,
    together,
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
    "numbers",
    "parsed",
    "query_of",
    "shown",
    "render",
    "term",
    "together",
    "told",
    "user_column",
    "user_columns",
    "verbatim",
]

# Two numbers in one BIGINT, the first of them times this: grouping and joining by one key is faster
# than by two. A prime and no power of two, because PostgreSQL's hash of a BIGINT is that of its
# halves laid over each other, in which most such pairs would look alike.
PAIR = 2_654_435_761


# In text that must stay as it is, where sqlglot would indent lines: nobody can guess and write it.
LINE_BREAK = f"\ue000{secrets.token_hex(16)}\ue000"


def verbatim(text: str) -> exp.Var:
    """Text that `render` puts where it stands, line by line as it is."""
    return exp.Var(this=text.replace("\n", LINE_BREAK))


# Rows of numbers, which a run decided on: of many thousands, one is parsed for all.
ROWS = re.compile(
    r"(?<=\(VALUES\n)(\s+\(-?\d+(?:, -?\d+)*\))((?:,\n\s+\(-?\d+(?:, -?\d+)*\))+)(?=\))"
)


@dataclass(frozen=True, slots=True)
class Step:
    """One query. `query` is written in DuckDB's dialect and lowered to others on the way out."""

    name: str
    why: str
    query: exp.Query

    def sql(self, dialect: str = DUCKDB) -> str:
        """The bare query, as golden files keep it."""
        return render(self.query, dialect)

    def create(
        self, dialect: str = DUCKDB, place: exp.Table | None = None, kind: str = "TABLE"
    ) -> str:
        """The statement that makes the relation `name`, or one at `place`, of this query's rows."""
        target = exp.table_(self.name) if place is None else place
        return render(exp.Create(this=target, kind=kind, expression=self.query), dialect)

    def append(self, dialect: str = DUCKDB) -> str:
        """The statement that adds this query's rows to the relation `name`."""
        tree = exp.Insert(this=exp.table_(self.name), expression=self.query)
        return render(tree, dialect)


def render(tree: exp.Expr, dialect: str = DUCKDB) -> str:
    """The one text: run, logged, explained and kept in the trail."""
    lowered = lower(tree, dialect)
    text: str = lowered.sql(dialect=dialect, pretty=True, copy=lowered is tree)
    return text.replace(LINE_BREAK, "\n")


def parsed(text: str, dialect: str) -> exp.Expr | None:
    """The tree of a text that is written of it just so, without a comment; None of any other."""
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
    """The row of a relation that has one, with its columns in their order."""
    columns = [shown("r.$name AS $name", name=one.output_name) for one in step.query.selects]
    query = duck("SELECT $columns FROM $relation AS r", columns=columns, relation=step.name)
    return Step(step.name, "told to setveil", query)


def counts(relations: Sequence[str]) -> Step:
    """One row: how many each relation has."""
    text = "(SELECT COUNT(*) AS held FROM $name AS r) AS $name"
    sizes = [shown(text, name=name) for name in relations]
    return Step("sizes", "how many rows were made", duck("SELECT $sizes", sizes=sizes))


def decided(name: str, why: str, columns: Sequence[str], rows: Iterable[Sequence[int]]) -> Step:
    """One row per decision that Python made, in numbers, never names."""
    query = duck(
        "SELECT $columns FROM $rows AS v",
        columns=[shown("CAST(v.$name AS INT) AS $name", name=name) for name in columns],
        rows=numbers(columns, rows),
    )
    return Step(name, why, query)
