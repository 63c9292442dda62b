"""Small runs for the tests of reading and writing: they suppress chosen items without a model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import duckdb
from sqlglot import exp

import setveil
from setveil.run.release import kept, make_release
from setveil.run.roles.lists import item_numbers
from setveil.sql.run import lists
from setveil.sql.run import reading as sql

FINE = setveil.Verdict(holds=True, violations=(), found=0, checked=0, transactions=0)
Rows = list[tuple[object, ...]]


def suppress(baskets: setveil.Baskets, names: Iterable[object] = ()) -> setveil.Release[None]:
    """The release without these items; its checker always passes."""
    session = baskets.session
    session.begin()
    chosen = item_numbers(session, names, "public")
    session.decide("private_item", "none", [])
    session.create(lists.all_but_private())
    session.decide("suppressed_item", "chosen by the test", chosen)
    session.create(sql.suppressed_items(exp.to_table("suppressed_item")))
    make_release(baskets, kept(baskets), lambda cells: FINE)
    return setveil.Release(baskets, "test", {}, FINE, None, session.runs)


@cache
def _bare() -> duckdb.DuckDBPyConnection:
    """To open a DuckDB takes as long as ten queries."""
    return duckdb.connect()


def rows_of(text: str, *values: object) -> Rows:
    """The rows of a query, in a DuckDB that no run knows."""
    with _bare().cursor() as connection:
        return connection.execute(text, list(values)).fetchall()


def parquet(path: Path, query: str) -> Path:
    """A Parquet file with the rows of a query."""
    with _bare().cursor() as connection:
        connection.sql(query).write_parquet(str(path))
    return path


def read_parquet(path: Path) -> Rows:
    return rows_of("SELECT * FROM READ_PARQUET($1)", str(path))


def columns_of(path: Path) -> list[tuple[str, str]]:
    """The names and types of a Parquet file's columns."""
    found = rows_of("DESCRIBE SELECT * FROM READ_PARQUET($1)", str(path))
    return [(str(name), str(kind)) for name, kind, *_ in found]


def transactions(baskets: setveil.Baskets) -> list[tuple[object, list[str]]]:
    """The transactions that were read: each key with its items as text."""
    return [
        (key, names)
        for key, names in baskets.session.backend.rows(
            "test",
            """
            SELECT b.key, LIST(CAST(i.name AS TEXT) ORDER BY i.item) FILTER (i.item IS NOT NULL)
            FROM basket AS b LEFT JOIN occurrence AS o USING (tid) LEFT JOIN item AS i USING (item)
            GROUP BY b.key ORDER BY b.key
            """,
        )
    ]
