"""Runs of rho-uncertainty on tiny data: what several of its tests share."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import duckdb
from hypothesis import strategies as st

import setveil
from oracles_uncertainty import Itemset

TABLE_1 = (
    ("bread", "beer", "condom"), ("coffee", "fruits"), ("beer", "condom"), ("coffee", "fruits"),
    ("flour", "condom"), ("bread", "coffee"), ("fruits", "condom"),
)  # fmt: skip

baskets_of = st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=6), max_size=9)
shares = st.sampled_from(
    [Fraction(n, d) for n, d in ((0, 1), (3, 10), (1, 2), (7, 10), (9, 10), (1, 1))]
)


def table(connection: duckdb.DuckDBPyConnection, held: list[Itemset]) -> None:
    connection.execute("CREATE OR REPLACE TABLE held (tid INTEGER, item INTEGER)")
    rows = [(tid, item) for tid, basket in enumerate(held) for item in sorted(basket)]
    if rows:
        connection.executemany("INSERT INTO held VALUES ($1, $2)", rows)


def released(release: setveil.Release[setveil.UncertaintyMetrics], size: int) -> list[Itemset]:
    left: list[set[int]] = [set() for _ in range(size)]
    for tid, item in release.rows():
        left[tid].add(item)
    return [frozenset(one) for one in left]


def ran(
    connection: duckdb.DuckDBPyConnection,
    held: list[Itemset],
    sensitive: Itemset,
    rho: Fraction,
    **options: object,
) -> tuple[list[Itemset], setveil.UncertaintyMetrics]:
    table(connection, held)
    with setveil.read(connection, "held") as baskets:
        release = setveil.uncertainty(
            baskets, sensitive=sorted(sensitive), rho=rho, ignore_unknown=True, **options
        )
        return released(release, len(held)), release.metrics


def seeded(seed: int, transactions: int, items: int = 12, longest: int = 9) -> list[Itemset]:
    dice = random.Random(seed)
    return [
        frozenset(
            min(int(dice.expovariate(0.25)), items - 1) for _ in range(dice.randint(1, longest))
        )
        for _ in range(transactions)
    ]


def written(folder: Path, held: list[Itemset]) -> Path:
    path = folder / "held.parquet"
    with duckdb.connect() as connection:
        table(connection, held)
        connection.sql("FROM held").write_parquet(str(path))
    return path
