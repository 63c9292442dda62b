"""A generalized release beside its original: its nodes are no items, whatever they are called."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

import oracles_comparison as oracle
import setveil
from comparisons import NUMBERS, original_of, release_of, releases
from examples import tried


@tried(3, 15, releases, st.booleans(), st.booleans())
def test_risk_is_that_of_nodes(connection, sets, lists, hidden):
    private = ["a"] if hidden else []
    made = release_of(connection, sets, lists=lists)
    with setveil.read(connection, original_of(connection, len(sets), lists=lists)) as baskets:
        [one] = setveil.compare(
            baskets, made, k=3, private=private, h=1, min_support=1, item="item"
        ).releases
    data = {key: frozenset(f"{level} {label}" for level, label in held)
            for key, held in enumerate(sets)}  # fmt: skip
    known = oracle.items_of(data) - {f"0 {name}" for name in private}
    shares = [float(oracle.singled_out(data, known, 3, power)) for power in (1, 2)]
    assert one.generalized
    assert list(one.side.risk["singled_out"]) == shares
    assert one.side.risk["breach"] is None
    assert one.measures["discernibility"] == oracle.discernibility(data)
    assert (one.side.items, one.side.occurrences) == (
        len(oracle.items_of(data)), oracle.occurrences(data)
    )  # fmt: skip


@pytest.mark.parametrize("lists", [False, True])
def test_nothing_is_said_of_items(connection, lists):
    """Every node is named as an item is: a is kept, and {a, b} is not."""
    made = release_of(connection, [{(0, "a"), (1, "b")}] * 3, lists=lists)
    with setveil.read(connection, original_of(connection, 3, lists=lists)) as baskets:
        [one] = setveil.compare(baskets, made, min_support=1).releases
    assert one.measures == {
        "transactions_lost": 0, "discernibility": 9, "as_they_were": 0.5, "pairs_kept": 0,
    }  # fmt: skip
    assert one.items_gone is one.items_new is one.gone_support is one.occurrences_kept is None
    assert one.items_lost_most == one.itemsets == one.itemsets_lost_most == ()


def test_a_column_that_the_original_has_is_no_level(connection):
    """It was carried along: only what stands beside it says that a release is generalized."""
    name = f"plain_{next(NUMBERS)}"
    connection.execute(f"CREATE TABLE {name} AS SELECT 1 AS tid, 'a' AS item, 0 AS level")
    with setveil.read(connection, name) as baskets:
        [one] = setveil.compare(baskets, name).releases
    assert not one.generalized and one.measures["information_loss"] == 0


def test_a_column_of_texts_is_no_level(connection):
    name = original_of(connection, 2, lists=False)
    with setveil.read(connection, name) as baskets:
        query = f"SELECT *, 'low' AS level FROM {name}"  # noqa: S608
        [one] = setveil.compare(baskets, query).releases
    assert not one.generalized and one.measures["information_loss"] == 0
