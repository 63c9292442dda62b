"""Databases and releases of pattern hiding, as sets."""

from __future__ import annotations

import duckdb

import setveil
from oracles_hiding import Database


def read(
    connection: duckdb.DuckDBPyConnection, database: Database, *, lists: bool = True
) -> setveil.Baskets:
    """Read the database with keys in no order; in long form some rows are repeated."""
    rows = [(key, sorted(items)) for key, items in sorted(database.items(), reverse=True)]
    connection.execute("CREATE OR REPLACE TABLE given_sets (tid INTEGER, items VARCHAR[])")
    connection.execute(
        "INSERT INTO given_sets SELECT UNNEST($1::INTEGER[]), UNNEST($2::VARCHAR[][])",
        [[key for key, _ in rows], [items for _, items in rows]],
    )
    if lists:
        return setveil.read(connection, "given_sets", item="items")
    long = "SELECT tid, UNNEST(items) AS item FROM given_sets"
    return setveil.read(connection, f"{long} UNION ALL ({long} LIMIT 3)")


def released(release: setveil.Release[setveil.HidingMetrics], *, lists: bool = True) -> Database:
    rows = release.rows()
    if lists:
        return {tid: frozenset(items) for tid, items in rows}
    return {tid: frozenset(item for key, item in rows if key == tid) for tid, _ in rows}
