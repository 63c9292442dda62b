"""Apriori anonymization on tiny data: every set of nodes, every way to raise its nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, product

from oracles_km import TOP, Case, Node

ROOT = (TOP, "*")


def apriori(case: Case, k: int, m: int, whose: Sequence[int]) -> dict[str, Node] | None:
    """The published node of each item; None if the root itself is of too few."""
    at: dict[str, Node] = {item: (0, item) for item in case.items}
    support = {node: len(held) for (node,), held in _held(case, at, 1, whose, root=True).items()}
    if 0 < support.get(ROOT, 0) < k:
        return None
    place = _numbers(case)
    for size in range(1, m + 1):
        sets = _held(case, at, size, whose)
        rare = {nodes for nodes, held in sets.items() if len(held) < k}
        order = {node: (-held, place[node]) for node, held in support.items()}
        paths = [sorted(nodes, key=lambda node: order[node]) for nodes in rare]
        for path in sorted(paths, key=lambda one: [order[node] for node in one]):
            nodes = tuple(sorted(path, key=lambda node: place[node]))
            if all(_is_at_or_above(case, at, node) for node in nodes):
                for node in _cheapest(case, at, nodes, rare, place):
                    _publish(case, at, node)
    return at


def _numbers(case: Case) -> dict[Node, int]:
    """Leaves of the data, then other leaves, then by level and label."""
    every = {node for way in case.ways.values() for node in way}
    return {node: n for n, node in enumerate(sorted(every, key=lambda n: (n[0] > 0, *n)))}


def _held(
    case: Case, at: dict[str, Node], size: int, whose: Sequence[int], *, root: bool = False
) -> dict[frozenset[Node], set[int]]:
    """The persons of each set of nodes at or above the published ones, none above another."""
    found: dict[frozenset[Node], set[int]] = defaultdict(set)
    for basket, person in zip(case.baskets, whose, strict=False):
        nodes = set()
        for item in basket:
            way = case.ways[item]
            nodes |= set(way[way.index(at[item]) :])
        for chosen in combinations(sorted(nodes - (set() if root else {ROOT})), size):
            if not any(_above(case, a, b) for a in chosen for b in chosen):
                found[frozenset(chosen)].add(person)
    return found


def _above(case: Case, high: Node, low: Node) -> bool:
    return high != low and any(high in w and w.index(high) > w.index(low)
                               for w in case.ways.values() if low in w)  # fmt: skip


def _is_at_or_above(case: Case, at: dict[str, Node], node: Node) -> bool:
    """Is the node published, or above published ones?"""
    return any(node in case.ways[item][case.ways[item].index(own) :] for item, own in at.items())


def _publish(case: Case, at: dict[str, Node], node: Node) -> None:
    for item in at:
        if node in case.ways[item]:
            at[item] = node


def _cost(case: Case, at: dict[str, Node]) -> int:
    leaves = {node: case.leaves(node) for node in at.values()}
    return sum(
        leaves[at[item]] if leaves[at[item]] > 1 else 0
        for basket in case.baskets
        for item in basket
    )


def _cheapest(
    case: Case, at: dict[str, Node], nodes: tuple[Node, ...], rare: set[frozenset[Node]],
    place: dict[Node, int],
) -> list[Node]:  # fmt: skip
    """The raised nodes of the best way: the least cost, then the smallest numbers."""
    ways = [next(w[w.index(node) :] for w in case.ways.values() if node in w) for node in nodes]
    best = None
    for raised in product(*ways):
        highest = {a for a in raised if not any(_above(case, b, a) for b in raised)}
        if len(highest) == len(nodes) and frozenset(highest) in rare:
            continue
        after = dict(at)
        changed = [new for old, new in zip(nodes, raised, strict=True) if new != old]
        changed.sort(key=lambda node: place[node])
        for node in changed:
            _publish(case, after, node)
        key = (_cost(case, after), [place[node] for node in raised])
        if best is None or key < best[0]:
            best = key, changed
    assert best is not None
    return best[1]
