"""Coherence of nodes by its definition, over every choice of nodes. Nothing here is clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import log2

from oracles_km import Case, Node

Held = Sequence[frozenset[Node]]


def is_mole(
    held: Held, known: frozenset[Node], private: frozenset[str], h: Fraction, k: int,
    persons: Sequence[int],
) -> bool:  # fmt: skip
    """Is a set of nodes held by too few, or does it reveal a private item, in either number?"""
    cohort = [n for n, nodes in enumerate(held) if nodes >= known]
    if not cohort:
        return False
    whose = {persons[n] for n in cohort}
    if len(whose) < k:
        return True
    for item in private:
        both = [n for n in cohort if (0, item) in held[n]]
        if Fraction(len(both), len(cohort)) > h:
            return True
        if Fraction(len({persons[n] for n in both}), len(whose)) > h:
            return True
    return False


def moles(
    held: Held, public: frozenset[Node], private: frozenset[str], h: Fraction, k: int, p: int,
    persons: Sequence[int], least: int = 0,
) -> list[frozenset[Node]]:  # fmt: skip
    sets = {
        frozenset(some)
        for nodes in held
        for size in range(least, p + 1)
        for some in combinations(sorted(nodes & public), size)
    }
    return [one for one in sets if is_mole(held, one, private, h, k, persons)]


def choices(case: Case, known: frozenset[str], node: Node = (4, "*")) -> Iterator[frozenset[Node]]:
    """All ways to publish or suppress the known items below a node."""
    leaves = [item for item in known & set(case.items) if node in case.ways[item]]
    if not leaves:
        yield frozenset()
        return
    yield frozenset([node])
    if node[0] == 0:
        yield frozenset()
        return
    below = [one for one in case.below(node) if any(one in case.ways[item] for item in leaves)]
    for parts in product(*[list(choices(case, known, one)) for one in below]):
        yield frozenset().union(*parts)


def node_of(case: Case, choice: frozenset[Node], known: frozenset[str], item: str) -> Node | None:
    """The published node of an item: itself if nobody knows it, None if it is suppressed."""
    if item not in known:
        return (0, item)
    return next((node for node in case.ways[item] if node in choice), None)


def published(case: Case, choice: frozenset[Node], known: frozenset[str]) -> list[frozenset[Node]]:
    held = []
    for basket in case.baskets:
        nodes = (node_of(case, choice, known, item) for item in basket)
        held.append(frozenset(node for node in nodes if node is not None))
    return held


def losses(case: Case, choice: frozenset[Node], known: frozenset[str]) -> dict[str, float]:
    """Both losses of a choice, one occurrence after the other."""
    occ = Counter(item for basket in case.baskets for item in basket)
    every = sum(occ.values())
    told = whole = 0.0
    penalty = Fraction(0)
    for basket in case.baskets:
        for item in basket:
            node = node_of(case, choice, known, item)
            whole += log2(every / occ[item])
            if node is None:
                told += log2(every / occ[item])
                penalty += 1
            elif node[0]:
                below = [it for it in case.ways if node in case.ways[it]]
                below = [it for it in below if it in known or it not in occ]
                told += log2(sum(occ[it] for it in below) / occ[item])
                penalty += Fraction(len(below), len(case.ways)) if len(below) > 1 else 0
    return {
        "information": told / whole if whole else 0.0,
        "ncp": float(penalty / every) if every else 0.0,
    }


def least(
    case: Case, known: frozenset[str], private: frozenset[str], h: Fraction, k: int, p: int,
    persons: Sequence[int], loss: str,
) -> float:  # fmt: skip
    """The least loss of any choice without a mole of one node or more."""
    found = []
    for choice in set(choices(case, known)):
        held = published(case, choice, known)
        if not moles(held, choice, private, h, k, p, persons, least=1):
            found.append(losses(case, choice, known)[loss])
    return min(found)
