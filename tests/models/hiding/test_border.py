"""The method border: no choice of victims keeps more of what is legitimate."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import oracles_hiding as oracle
import setveil
from examples import tried
from hidings import read, released
from oracles_hiding import Database, Itemset
from setveil.errors import InputError
from setveil.models.hiding import border
from setveil.models.hiding.border import Kind, Task, choose
from setveil.sql.models.hiding import border as sql


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Database, list[Itemset]]:
    """So small that all choices can be tried: at most 12 occurrences can go."""
    baskets = draw(
        st.lists(st.frozensets(st.sampled_from("abcd"), min_size=1), min_size=3, max_size=7)
    )
    database = dict(enumerate(baskets))
    pattern = st.frozensets(st.sampled_from("abcd"), min_size=1, max_size=3)
    patterns = draw(st.lists(pattern, min_size=1, max_size=2, unique=True))
    present = frozenset().union(*baskets)
    assume(all(one <= present for one in patterns))
    can_go = sum(
        len(frozenset().union(*(one for one in patterns if one <= basket))) for basket in baskets
    )
    assume(can_go <= 12)
    return database, patterns


@tried(2, 10, task=tasks(), min_support=st.integers(1, 4))
def test_nothing_loses_less(
    connection: duckdb.DuckDBPyConnection,
    task: tuple[Database, list[Itemset]],
    min_support: int,
) -> None:
    database, patterns = task
    with read(connection, database) as baskets:
        release = setveil.hiding(
            baskets, patterns=patterns, min_support=min_support, method="border",
            mining_support=min_support,
        )  # fmt: skip
        after, metrics = released(release), release.metrics
    lost, removed = oracle.least_lost(database, patterns, min_support)
    assert (metrics.lost, metrics.lost_bound, metrics.suppressed_occurrences) == (
        lost, lost, removed,
    )  # fmt: skip
    restrictive, legitimate = oracle.parted(database, patterns, min_support)
    disclosed, found = oracle.parted(after, patterns, min_support)
    assert len(legitimate - found) == lost and not disclosed and found <= legitimate
    mined = metrics.mined
    assert mined is not None
    assert (mined.restrictive, mined.legitimate) == (len(restrictive), len(legitimate))
    assert (mined.disclosed, mined.found) == (0, len(found))


@tried(2, 10, task=tasks(), min_support=st.integers(1, 4))
def test_greedy_hides_too(
    connection: duckdb.DuckDBPyConnection,
    task: tuple[Database, list[Itemset]],
    min_support: int,
) -> None:
    """Where the program is too large to be solved; what is lost is counted as it is."""
    database, patterns = task
    with pytest.MonkeyPatch.context() as patch, read(connection, database) as baskets:
        patch.setattr(border, "EXACT", -1)
        release = setveil.hiding(
            baskets, patterns=patterns, min_support=min_support, method="border"
        )
        after, metrics = released(release), release.metrics
    _, legitimate = oracle.parted(database, patterns, min_support)
    _, found = oracle.parted(after, patterns, min_support)
    assert metrics.lost == len(legitimate - found)
    assert metrics.lost_bound == 0
    assert metrics.lost >= oracle.least_lost(database, patterns, min_support)[0]


def test_many_patterns_at_once_are_cut_and_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few choices per kind there is always one that breaks all its patterns."""
    monkeypatch.setattr(border, "MOST_CHOICES", 2)
    patterns = [(1, 2), (3, 4), (5, 6), (1, 6)]
    kinds = [Kind(10, (0, 1, 2, 3), (0,)), Kind(5, (0,), ())]
    plan = choose(Task(kinds, [12, 10, 10, 10], patterns, {0: 3}, {0: frozenset({1, 3})}))
    assert plan.bound is None
    for pattern, need in enumerate((12, 10, 10, 10)):
        broken = sum(
            times
            for kind, items, times in plan.losses
            if pattern in kinds[kind].patterns and set(items) & set(patterns[pattern])
        )
        assert broken >= need
    assert plan.removed == sum(len(items) * times for _, items, times in plan.losses)


def test_equal_sums_do_not_make_transactions_equal(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two sums that are always equal are tried once, seen through, and replaced."""
    database = {n: frozenset("abc" if n % 2 else "abd") for n in range(8)}
    honest = sql.kinds
    seeds: list[int] = []

    def poor(seed: int) -> object:
        seeds.append(seed)
        step = honest(seed)
        if seed == 0:
            text = step.query.sql(dialect="duckdb")
            assert "48271" in text
            return type(step)(step.name, step.why, sql.duck(text.replace("48271", "0")))
        return step

    monkeypatch.setattr("setveil.sql.models.hiding.border.kinds", poor)
    with read(connection, database) as baskets:
        release = setveil.hiding(baskets, patterns=[["a", "b"]], min_support=4, method="border")
        assert release.metrics.patterns[0].remaining == 3
        assert release.metrics.lost == oracle.least_lost(database, [frozenset("ab")], 4)[0]
    assert seeds == [0, 1]


def test_what_others_mine_at_another_support(connection: duckdb.DuckDBPyConnection) -> None:
    database = {n: frozenset("abc" if n % 2 else "abd") for n in range(8)}
    with read(connection, database) as baskets:
        release = setveil.hiding(
            baskets, patterns=[["a", "b"]], min_support=4, method="border", mining_support=2
        )
        after, mined = released(release), release.metrics.mined
    assert mined is not None
    restrictive, legitimate = oracle.parted(database, [frozenset("ab")], 2)
    disclosed, found = oracle.parted(after, [frozenset("ab")], 2)
    assert (mined.support, mined.restrictive, mined.legitimate) == (
        2, len(restrictive), len(legitimate),
    )  # fmt: skip
    assert (mined.disclosed, mined.found) == (len(disclosed), len(found))
    assert mined.hiding_failure > 0


def test_border_needs_a_support(connection: duckdb.DuckDBPyConnection) -> None:
    with read(connection, {1: frozenset("ab")}) as baskets:
        with pytest.raises(InputError, match="set the limit by min_support="):
            setveil.hiding(baskets, patterns=[["a"]], method="border")
