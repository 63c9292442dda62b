"""k-anonymity by top-down specialization, round by round, and k-anonymity by its definition.

Without a tree, every public item has a hidden parent of its own, which publishes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracles_km import TOP, Case, Node

HIDDEN = "hidden"


@dataclass(frozen=True)
class Setting:
    """The data, what is public, who the persons are, and if emptied transactions keep a row."""

    case: Case
    public: frozenset[str]
    whose: Sequence[int]
    tree: bool = True
    rows_of_empty: bool = True

    @property
    def known(self) -> list[str]:
        return [item for item in self.case.items if item in self.public]

    def way(self, item: str) -> tuple[Node, ...]:
        return self.case.ways[item] if self.tree else ((0, item), (TOP, HIDDEN + item))

    def leaves(self, node: Node) -> int:
        """The public leaves of a node; those that the data lacks are public."""
        others = set(self.case.items) - self.public
        return sum(node in way for item, way in self.case.ways.items() if item not in others)

    def cost(self, node: Node) -> int:
        if not self.tree:
            return int(node[0] > 0)
        return self.leaves(node) if node[0] and self.leaves(node) > 1 else 0

    def at(self, split: Collection[Node], item: str) -> Node:
        """The highest node of an item that is not specialized."""
        return [node for node in self.way(item) if node not in split][-1]

    def twins(self, split: Collection[Node]) -> list[frozenset[Node]]:
        """The public nodes that a release shows of each transaction."""
        held = []
        for basket in self.case.baskets:
            nodes = (self.at(split, item) for item in basket if item in self.public)
            held.append(frozenset(n for n in nodes if self.tree or not n[1].startswith(HIDDEN)))
        return held

    def shown(self, held: Sequence[frozenset[Node]]) -> list[int]:
        """The transactions that have a row."""
        return [
            n
            for n, nodes in enumerate(held)
            if nodes or self.rows_of_empty or self.case.baskets[n] - self.public
        ]

    def smallest(self, split: Collection[Node]) -> int | None:
        """The persons of the smallest class; None if no transaction has a row."""
        classes: dict[frozenset[Node], set[int]] = defaultdict(set)
        held = self.twins(split)
        for n in self.shown(held):
            classes[held[n]].add(self.whose[n])
        return min((len(some) for some in classes.values()), default=None)

    def gain(self, split: Collection[Node], node: Node) -> int:
        """The loss that is saved if the children of a node are published."""
        return sum(
            self.cost(self.at(split, item)) - self.cost(self.at([*split, node], item))
            for basket in self.case.baskets
            for item in basket & self.public
        )


def anonymous(held: Sequence[frozenset[Node]], whose: Sequence[int], k: int) -> bool:
    """Has every transaction k persons with equal nodes?"""
    return all(len({whose[m] for m, other in enumerate(held) if other == one}) >= k for one in held)


def specialized(given: Setting, k: int) -> list[Node] | None:
    """The nodes that are specialized, in their order; None if no release can hold."""
    split: list[Node] = []
    now = given.smallest(split)
    if now is not None and now < k:
        return None
    now = len(set(given.whose)) if now is None else now
    out: set[Node] = set()
    while True:
        nodes = {given.at(split, item) for item in given.known}
        found = {}
        for node in sorted(one for one in nodes if one[0] and one not in out):
            then = given.smallest([*split, node])
            if then is not None and then < k:
                out.add(node)
            else:
                least = now if then is None else min(then, now)
                found[node] = (Fraction(given.gain(split, node), now - least + 1), least)
        if not found:
            return split
        best = max(found, key=lambda one: found[one][0])  # the first of equals, in their order
        now = found[best][1]
        split.append(best)
