"""No release loses less than the bound, as far as every release can be tried."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import setveil
from oracles_uncertainty import Itemset, least_suppression
from runs import parquet
from setveil.cli.main import run
from setveil.models.uncertainty import bound as loss_bound
from setveil.sql.models.uncertainty import bound as sql

SENSITIVE = frozenset({0, 1, 4})
tiny = st.lists(st.frozensets(st.integers(0, 4), min_size=1, max_size=4), min_size=1, max_size=4)
shares = st.sampled_from([Fraction(n, d) for n, d in ((0, 1), (3, 10), (1, 2), (9, 10))])


def refined(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction, **options: object
) -> setveil.UncertaintyMetrics:
    connection.execute("CREATE OR REPLACE TABLE held (tid INTEGER, item INTEGER)")
    rows = [(tid, item) for tid, basket in enumerate(held) for item in sorted(basket)]
    connection.executemany("INSERT INTO held VALUES ($1, $2)", rows)
    with setveil.read(connection, "held") as baskets:
        release = setveil.uncertainty(
            baskets, sensitive=sorted(SENSITIVE), rho=rho, ignore_unknown=True, refine=True,
            **options,
        )  # fmt: skip
        return release.metrics


def by_definition(held: list[Itemset]) -> int:
    """The sum of the least that each loses if the others lost nothing, over all that it may keep.

    It keeps no sensitive item, or one alone, or each with another transaction that holds the rest.
    """
    least = 0
    for tid, one in enumerate(held):
        others = [other for n, other in enumerate(held) if n != tid]
        kept = (
            frozenset(items) for n in range(len(one) + 1) for items in combinations(sorted(one), n)
        )
        least += len(one) - max(
            len(part)
            for part in kept
            if len(part) == 1
            or all(any(part - {e} <= other for other in others) for e in part & SENSITIVE)
        )
    return least


@pytest.mark.few(1)
@pytest.mark.parametrize("exact", [True, False])
@settings(max_examples=3, deadline=None)
@given(held=tiny, rho=shares)
def test_no_release_loses_less(
    connection: duckdb.DuckDBPyConnection, exact: bool, held: list[Itemset], rho: Fraction
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loss_bound, "TURN", 3)
        if not exact:
            patch.setattr(loss_bound, "EXACT", -1)
            patch.setattr(sql, "COMMON", 2)
        metrics = refined(connection, held, rho)
    assert metrics.loss_bound is not None
    least = round(metrics.loss_bound * metrics.occurrences)
    assert least <= least_suppression(held, SENSITIVE, rho) <= metrics.suppressed_occurrences
    assert least <= by_definition(held)
    if exact:
        assert least == by_definition(held)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("held", "least"),
    [
        ([{0, 1, 2, 3}, {2, 3}], 1),  # 0 goes, and 1 has one that lacks both
        ([{0, 1, 2, 3}, {0, 2, 3}], 1),  # nobody lacks 0 alone
        ([{0, 1, 2, 3}, {0, 2, 3}, {1, 2, 3}], 0),
        ([{0, 1, 2, 3, 5}, {0, 2, 3}, {1, 2, 5}], 2),  # beside 0 and 1 different items would go
        ([{0, 1, 2, 3, 5}, {0, 2, 3}, {1, 2, 3}], 1),  # 5 goes
        ([{0, 1, 2, 3, 5}, {1, 2, 5}, {1, 2, 3}], 2),  # 3 and 5 are not sensitive
    ],
)
def test_what_near_transactions_let_a_transaction_keep(
    connection: duckdb.DuckDBPyConnection, held: list[set[int]], least: int
) -> None:
    baskets = [frozenset(one) for one in held]
    metrics = refined(connection, baskets, Fraction(1, 2))
    assert metrics.loss_bound is not None
    assert round(metrics.loss_bound * metrics.occurrences) == least == by_definition(baskets)


def test_what_hides_nothing_is_lost(connection: duckdb.DuckDBPyConnection) -> None:
    """Each shares one item with the other: two of its four are all that can be kept with 0 or 1."""
    held = [frozenset({0, 1, 2, 3}), frozenset({3, 4, 5, 6, 7})]
    metrics = refined(connection, held, Fraction(1, 2))
    assert metrics.loss_bound == pytest.approx(3 / 9)
    assert metrics.suppressed_occurrences == 3


@pytest.mark.parametrize("options", [{"max_knowledge": 2}, {"rho": Fraction(1)}], ids=str)
def test_no_bound_where_it_does_not_hold(
    connection: duckdb.DuckDBPyConnection, options: dict[str, object]
) -> None:
    rho = options.pop("rho", Fraction(1, 2))
    assert isinstance(rho, Fraction)
    assert (
        refined(connection, [frozenset({0, 2}), frozenset({2})], rho, **options).loss_bound is None
    )


@pytest.mark.slow
def test_the_command_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = parquet(tmp_path / "a.parquet", "SELECT 1 AS tid, range AS item FROM RANGE(6)")
    arguments = ["uncertainty", str(source), "--sensitive", "where:name < 2", "--rho", "0.5"]
    assert run([*arguments, "--refine"]) == 0
    assert "by any release, at least" in capsys.readouterr().out
    assert run([*arguments, "--refine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["loss_bound"] == pytest.approx(2 / 6)
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["loss_bound"] is None
