"""The choice of items against a plain reading of Figure 6, and against all choices there are."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from oracles import Sets
from setveil.models.coherence import choose as suppression
from setveil.models.coherence.choose import SCORES, Ints, Moles, Proof, greedy, restore
from setveil.models.coherence.cutting.exact import optimal
from setveil.models.coherence.cutting.items import least_loss

Choosing = Callable[..., Any]
ITEMS = 8
STRATEGIES = pytest.mark.parametrize("method", SCORES)

itemsets = st.lists(
    st.frozensets(st.integers(0, ITEMS - 1), min_size=2, max_size=4).map(
        lambda items: tuple(sorted(items))
    ),
    max_size=12,
    unique=True,
)
losses = st.lists(st.integers(0, 5), min_size=ITEMS, max_size=ITEMS)
positive = st.lists(st.integers(1, 5), min_size=ITEMS, max_size=ITEMS)


def held(sets: Sets, items: int = ITEMS) -> Moles:
    """Moles as the search hands them over: one array per size, in the order of their items."""
    sizes = range(2, 2 + max((len(one) for one in sets), default=0))
    return Moles(
        [
            np.array(sorted(one for one in sets if len(one) == size), dtype=np.int64).reshape(
                -1, size
            )
            for size in sizes
        ],
        items,
    )


def array(loss: Sequence[int]) -> Ints:
    return np.array(loss, dtype=np.int64)


def total(loss: Sequence[int] | Mapping[int, int], items: Sequence[int]) -> int:
    return sum(loss[item] for item in items)


@STRATEGIES
@settings(deadline=None)
@given(sets=itemsets, loss=losses)
def test_greedy_is_figure_6(method: str, sets: Sets, loss: list[int]) -> None:
    chosen = greedy(held(sets), array(loss), SCORES[method])
    assert chosen == oracles.figure_6(sets, dict(enumerate(loss)), method)
    assert oracles.hits_all(sets, chosen)


@STRATEGIES
def test_greedy_on_many_moles(method: str) -> None:
    chance = random.Random(3)
    sets = sorted(
        {tuple(sorted(chance.sample(range(60), chance.choice([2, 2, 3, 4])))) for _ in range(400)}
    )
    loss = [chance.choice([6, 10, 12, 15, 30]) for _ in range(60)]
    chosen = greedy(held(sets, 60), array(loss), SCORES[method])
    assert chosen == oracles.figure_6(sets, dict(enumerate(loss)), method)


@pytest.mark.parametrize("method", ["mm-il", "1-il"])
def test_ratios_that_floats_cannot_tell_apart(method: str) -> None:
    """1 / (10**15 - 1) is more than 1 / 10**15, and the smaller item is no tie."""
    assert greedy(held([(0, 1)]), array([10**15, 10**15 - 1] + [1] * 6), SCORES[method]) == [1]
    assert greedy(held([(0, 1)]), array([10**15, 10**15] + [1] * 6), SCORES[method]) == [0]


def test_equal_ratios_go_to_the_smaller_item() -> None:
    sets = [(0, 1), (0, 2), (3, 4)]
    loss = [4, 9, 9, 2, 2, 1, 1, 1]  # 2/4, 1/9, 1/9, 1/2, 1/2
    assert greedy(held(sets), array(loss), SCORES["mm-il"]) == [0, 3]


def test_thirds_are_equal() -> None:
    """1/3 and 3/9 are one ratio, whatever floats say; the smaller item goes first."""
    sets = [(0, 4), (1, 5), (1, 6), (1, 7)]
    loss = [3, 9, 1, 1, 99, 99, 99, 99]
    assert greedy(held(sets), array(loss), SCORES["mm-il"]) == [0, 1]


def test_no_loss_at_all_is_best() -> None:
    sets = [(0, 1), (0, 2), (2, 3)]
    assert greedy(held(sets), array([1, 0, 9, 0, 1, 1, 1, 1]), SCORES["mm-il"]) == [1, 3, 0]


@settings(deadline=None)
@given(sets=itemsets, loss=losses, extra=st.sets(st.integers(0, ITEMS - 1)))
def test_restoring(sets: Sets, loss: list[int], extra: set[int]) -> None:
    """Whatever was suppressed: as the plain reading says, and until nothing can return."""
    chosen = greedy(held(sets), array(loss), SCORES["mm-il"])
    suppressed = list(dict.fromkeys([*chosen, *sorted(extra)]))
    back = restore(held(sets), array(loss), suppressed)
    assert back == oracles.restored(sets, dict(enumerate(loss)), suppressed)
    left = [item for item in suppressed if item not in back]
    assert oracles.hits_all(sets, left)
    assert not oracles.returnable(sets, left)
    assert total(loss, left) <= total(loss, suppressed)


def test_the_cheapest_regret_returns_first() -> None:
    """Any of 0, 1 and 2 can return; 1 alone forbids two others, and is worth less than they are."""
    sets = [(0, 1), (1, 2), (0, 3), (2, 4)]
    suppressed = [0, 1, 2, 3, 4]
    loss = [5, 6, 5, 1, 1, 0, 0, 0]
    assert restore(held(sets), array(loss), suppressed) == [0, 2]
    assert restore(held(sets), array([5, 20, 5, 1, 1, 0, 0, 0]), suppressed) == [1, 3, 4]


@pytest.mark.parametrize("best_of", [optimal, least_loss])
@settings(max_examples=20, deadline=None)
@given(sets=itemsets, loss=losses)
def test_optimal_is_least(best_of: Choosing, sets: Sets, loss: list[int]) -> None:
    start = greedy(held(sets), array(loss), SCORES["mm-il"])
    chosen, proof = best_of(held(sets), array(loss), start, nodes=1000)
    assert oracles.hits_all(sets, chosen)
    assert chosen == sorted(set(chosen))
    least = oracles.least_loss(sets, dict(enumerate(loss)))
    assert total(loss, chosen) == least == proof.lost == proof.bound
    assert proof.gap == 0
    assert not oracles.returnable(sets, chosen)


def instance(seed: int) -> tuple[Sets, list[int]]:
    """Too large to solve without branching: pairs and triples of 40 items."""
    chance = random.Random(seed)
    sets = {tuple(sorted(chance.sample(range(40), chance.choice([2, 3, 3])))) for _ in range(200)}
    return sorted(sets), [chance.randint(5, 40) for _ in range(40)]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "limits", [{"nodes": 0}, {"nodes": 1}, {"nodes": 9, "seconds": 0.0}], ids=str
)
@pytest.mark.parametrize("best_of", [optimal, least_loss])
def test_limits_cost_proof_but_never_safety(
    best_of: Choosing, seed: int, limits: dict[str, float]
) -> None:
    sets, loss = instance(seed)
    moles = held(sets, 40)
    start = greedy(moles, array(loss), SCORES["mm-il"])
    chosen, proof = best_of(moles, array(loss), start, **limits)
    assert oracles.hits_all(sets, chosen)
    best, exact = optimal(moles, array(loss), start, nodes=100_000)
    assert exact.gap == 0 and exact.lost == total(loss, best)
    assert proof.bound <= exact.lost <= proof.lost == total(loss, chosen) <= total(loss, start)
    assert proof.gap == pytest.approx((proof.lost - proof.bound) / proof.lost)


def test_optimal_is_the_same_again() -> None:
    sets, loss = instance(7)
    start = greedy(held(sets, 40), array(loss), SCORES["mm-il"])
    for best_of in (optimal, least_loss):
        answers = [best_of(held(sets, 40), array(loss), start, nodes=9) for _ in range(2)]
        assert answers[0] == answers[1]


def test_cliques_prove_more_than_moles() -> None:
    """Of ten items, any two of which are a mole, nine must go: HiGHS needs no branch for it."""
    sets = list(combinations(range(10), 2))
    chosen, proof = least_loss(held(sets, 10), array([3] * 10), list(range(9)), nodes=0)
    assert len(chosen) == 9 and proof == Proof(27.0, 27.0)


def test_nothing_to_break_up() -> None:
    moles, loss = held([]), array([1] * ITEMS)
    assert len(moles) == 0
    assert greedy(moles, loss, SCORES["mm-il"]) == []
    assert restore(moles, loss, []) == []
    assert restore(moles, loss, [3, 1]) == [1, 3]
    assert optimal(moles, loss, [], nodes=10) == ([], Proof(0.0, 0.0))
    assert least_loss(moles, loss, [], nodes=10) == ([], Proof(0.0, 0.0))
    assert suppression.Moles([], ITEMS).per_item(np.arange(0)).tolist() == [0] * ITEMS


def test_a_proof_over_nothing_has_no_gap() -> None:
    assert Proof(0.0, 0.0).gap == 0.0
    assert Proof(8.0, 6.0).gap == 0.25
    assert Proof(8.0, 6.0).plus(2) == Proof(10.0, 8.0)


@settings(deadline=None)
@given(sets=itemsets)
def test_moles_know_who_holds_what(sets: Sets) -> None:
    moles = held(sets)
    ordered = sorted(sets, key=lambda one: (len(one), one))
    assert len(moles) == len(sets)
    for item in range(ITEMS):
        assert [ordered[n] for n in moles.holding(item)] == [one for one in ordered if item in one]
    some = np.arange(0, len(sets), 2)
    assert moles.members(some).tolist() == [item for n in some for item in ordered[n]]
    counts = [sum(item in ordered[n] for n in some) for item in range(ITEMS)]
    assert moles.per_item(some).tolist() == counts
