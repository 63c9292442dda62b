"""Groups of transactions in exactly the same releases: which are judged, and each of them once."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from setveil.errors import InputError
from setveil.history.groups import groups, overlapping, refuse_many


def by_definition(presences: list[int], releases: int) -> set[tuple[int, frozenset[int]]]:
    """For every set S of releases and part P of it, the presences that P and no other of S has."""
    found = set()
    for size in range(1, releases + 1):
        for chosen in combinations(range(releases), size):
            everything = sum(1 << one for one in chosen)
            for where in {one & everything for one in presences} - {0}:
                held = frozenset(one for one in presences if one & everything == where)
                found.add((where, held))
    return found


def bits(numbers: tuple[int, ...]) -> int:
    return sum(1 << one for one in numbers)


@pytest.mark.parametrize("seed", range(40))
def test_every_group_is_judged_once(seed: int) -> None:
    chance = random.Random(seed)
    releases = chance.randint(1, 5)
    presences = [chance.randrange(1, 1 << releases) for _ in range(chance.randint(1, 6))]
    found = groups(presences)
    judged = [(bits(one.shown), frozenset(one.presences)) for one in found]
    assert len(judged) == len(set(judged))
    assert set(judged) == by_definition(presences, releases)
    for one in found:
        for presence in one.presences:
            assert presence & bits(one.shown) == bits(one.shown)
            assert not presence & bits(one.lacking)


def test_releases_without_shared_transactions_are_judged_alone() -> None:
    found = groups([0b001, 0b010, 0b100])
    assert [(one.shown, one.lacking) for one in found] == [((0,), ()), ((1,), ()), ((2,), ())]


def test_growing_data_has_few_groups() -> None:
    """Six releases that each add to the one before: 120 groups of the 665 that sets have."""
    growing = [0b111111 >> n << n for n in range(6)]
    assert len(groups(growing)) == 120


def test_overlapping_releases_are_linked_by_a_third() -> None:
    assert overlapping([0b0011, 0b0110, 0b1000]) == [0b0111, 0b1000]


def test_six_overlapping_releases_are_judged_and_seven_are_refused() -> None:
    refuse_many([0b111111])
    refuse_many([1 << n for n in range(40)])
    with pytest.raises(InputError, match="7 releases overlap.*up to 6"):
        refuse_many([0b11 << n for n in range(6)])
