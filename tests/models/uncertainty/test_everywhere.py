"""Items suppressed everywhere, with a fair chance: nothing is dropped before it is judged."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import duckdb
import pytest
from hypothesis import given, settings

from oracles_uncertainty import Itemset, unsafe_rules
from uncertain import baskets_of, ran, seeded, shares

SECRET = frozenset({0, 1, 5})


@settings(max_examples=3, deadline=None)
@given(held=baskets_of, rho=shares)
def test_items_go_everywhere(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction
) -> None:
    items_go_everywhere(connection, held, rho)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(held=baskets_of, rho=shares)
def test_items_go_everywhere_of_many(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction
) -> None:
    items_go_everywhere(connection, held, rho)


def items_go_everywhere(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction
) -> None:
    """All or none of an item is left, nothing unsafe is left, no sensitive item could stay."""
    left, metrics = ran(connection, held, SECRET, rho, method="global")
    gone = frozenset().union(*held) - frozenset().union(*left) if held else frozenset()
    assert left == [basket - gone for basket in held]
    assert not unsafe_rules(left, SECRET, rho)
    lost = sum(len(basket & gone) for basket in held)
    assert metrics.suppressed_occurrences == lost
    assert lost <= sum(len(basket & SECRET) for basket in held)
    if not unsafe_rules(held, SECRET, rho):
        assert not gone


def test_a_long_transaction_costs_its_own_rare_items(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """The 14 items beside the secret of one long transaction go, not the secret in 60 others."""
    held = [frozenset({0, *range(10, 24)})]
    held += [frozenset({0, 6 + n % 2}) for n in range(60)]
    held += [frozenset({6 + n % 2}) for n in range(140)]
    left, metrics = ran(connection, held, frozenset({0}), Fraction(1, 2), method="global")
    assert metrics.suppressed_occurrences == 14
    assert left[0] == {0}
    assert left[1:] == held[1:]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (5, 8))])
def test_near_the_least_loss(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Of all sets of items, none that is safe loses less than three quarters of this."""
    held, sensitive, rho = seeded(seed, 24, items=7, longest=4), frozenset({2, 4}), Fraction("0.7")
    items = sorted(frozenset().union(*held))
    _, metrics = ran(connection, held, sensitive, rho, method="global")
    least = min(
        sum(len(basket & set(gone)) for basket in held)
        for size in range(len(items) + 1)
        for gone in combinations(items, size)
        if not unsafe_rules([basket - set(gone) for basket in held], sensitive, rho)
    )
    assert 0 < least <= metrics.suppressed_occurrences <= least * 4 / 3
