"""Apriori anonymization (AA): repair one rare set of nodes at a time, from the leaves up.

For sets of 1, 2, … m nodes, it goes through those that some transactions hold, but fewer than k:
sets of published nodes, and of nodes above them. It begins with the nodes of largest support, as
the paper's count-tree does. A set that still has all its nodes is repaired: of all ways to
generalize its nodes until k transactions hold the set, the one of least NCP. All items below a new
node follow it, and nothing is taken back. So the cut can be coarser than it needs to be.
Terrovitis, Mamoulis, Kalnis: Privacy-preserving anonymization of set-valued data, VLDB 2008; with
it compare He, Naughton, VLDB 2009, section 5.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from setveil.backends import integers
from setveil.errors import option
from setveil.models.km_anonymity.cuts import Tree
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql.models.km_anonymity import apriori as sql
from setveil.sql.models.km_anonymity import cuts as of_cuts
from setveil.sql.step import Step

Ints = npt.NDArray[np.int64]
Set = tuple[int, ...]
CHUNK = 4096  # sets that are looked at together
BYTES = 8  # of a node's number


class Cut:
    """The published nodes: at first the leaves. Nodes below a published one are gone."""

    def __init__(self, tree: Tree, frozen: Iterable[int] = ()) -> None:
        self.tree = tree
        self.gone = np.zeros(len(tree.parent), dtype=bool)
        self.inner = np.array([bool(below) for below in tree.children])
        self.spent = [0] * len(tree.parent)  # the cost of the cut below a node
        for node in frozen:
            self.publish(node)

    @property
    def split(self) -> set[int]:
        """The inner nodes whose children are published instead."""
        return set(np.flatnonzero(self.inner & ~self.gone).tolist()) - self.tops

    @property
    def tops(self) -> set[int]:
        """The inner nodes that are published."""
        inner = np.flatnonzero(self.inner & ~self.gone).tolist()
        return {node for node in inner if self.gone[self.tree.children[node]].all()}

    @property
    def published(self) -> int:
        """The number of published nodes."""
        leaves = [not below and held for below, held in self._held()]
        return int((np.array(leaves, dtype=bool) & ~self.gone).sum()) + len(self.tops)

    def _held(self) -> Iterator[tuple[list[int], int]]:
        return zip(self.tree.children, self.tree.support, strict=True)

    def publish(self, node: int) -> None:
        """Publish a node in the place of all nodes below it."""
        more = self.tree.cost[node] - self.spent[node]
        above = node
        while above >= 0:
            self.spent[above] += more
            above = self.tree.parent[above]
        left = list(self.tree.children[node])
        while left:
            below = left.pop()
            self.gone[below] = True
            left += self.tree.children[below]

    def loss(self, nodes: Set) -> int:
        """The cost of publishing these nodes, of which none is above another."""
        return sum(self.tree.cost[node] - self.spent[node] for node in nodes)

    def highest(self, nodes: Set) -> Set:
        """The nodes that are below none of the others."""
        return tuple(one for one in sorted(set(nodes)) if not self._above(one) & set(nodes))

    def _above(self, node: int) -> set[int]:
        found = set()
        while (node := self.tree.parent[node]) >= 0:
            found.add(node)
        return found


def find_cut(
    session: Session,
    tree: Tree,
    k: int,
    m: int | None,
    *,
    persons: bool,
    frozen: Iterable[int] = (),
) -> tuple[set[int], int]:
    """The nodes that are split, and the number of sizes that were gone through."""
    cut = Cut(tree, frozen)
    alone = [node for node, held in enumerate(tree.support) if 0 < held < k]
    repair(cut, np.array(alone, dtype=np.int64).reshape(-1, 1))
    session.create(sql.ancestors(tree.root))
    size = 2
    while m is None or size <= m:
        longest, sets = _rare(session, cut, size, k, persons=persons)
        if size > longest:
            break
        repair(cut, sets)
        size += 1
    return cut.split, size - 1


def _rare(session: Session, cut: Cut, size: int, k: int, *, persons: bool) -> tuple[int, Ints]:
    """The most nodes of a transaction, and the sets of this size that too few hold."""
    published = cut.published
    _lay_out(session, sorted(cut.split), published, size, persons=persons)
    (longest,) = session.one(sql.longest(size))
    found = np.empty((0, size), dtype=np.int64)
    if longest >= size:
        lengths = cost.Lengths(session.ask(sql.lengths(size)))
        what, fewer = f"sets of {size} nodes", f"lower {option('m')} to {size - 1}"
        rows = lengths.sets(size)
        cost.allow(session, cost.Outlook(what, comb(2 * published, size), rows, fewer))
        number = session.counted(sql.rare(size, size, k, persons=persons))
        cost.allow_in_python(session, f"{what} of too few", number * size, fewer)
        columns = session.arrays(sql.listed(size, size))
        found = np.stack([integers(columns[f"n{n}"]) for n in range(1, 1 + size)], axis=1)
        session.drop(f"rare_{size}")
    for made in _made(size, persons=persons):
        session.drop(made)
    return int(longest), found


def _lay_out(
    session: Session, split: list[int], published: int, number: int, *, persons: bool
) -> None:
    session.decide(
        f"split_{number}", "each row is a node whose children are published instead", split
    )
    session.create(of_cuts.recoded(f"recoded_{number}", f"split_{number}"))
    for step in _steps(number, published, persons=persons):
        session.create(step)


def _steps(number: int, published: int, *, persons: bool) -> Iterator[Step]:
    if persons:
        yield sql.extended_of_persons(number)
        return
    yield of_cuts.general(number, published)
    yield sql.extended(number)


def _made(number: int, *, persons: bool) -> Iterator[str]:
    yield f"extended_{number}"
    if not persons:
        yield f"general_{number}"
    yield f"recoded_{number}"
    yield f"split_{number}"


def rehearse(session: Session, m: int | None, *, persons: bool) -> None:
    """Run the queries of sets of two on the cut at the root, where no data was read."""
    session.create(sql.ancestors(1))
    if m == 1:
        return
    _lay_out(session, [], 1, 2, persons=persons)
    session.ask(sql.longest(2))
    session.ask(sql.lengths(2))
    session.create(sql.rare(2, 2, 2, persons=persons))
    session.ask(sql.listed(2, 2))


def repair(cut: Cut, sets: Ints) -> None:
    """Generalize a node of each set, in the order of the count-tree."""
    rare = set(np.sort(sets, axis=1).view(f"V{BYTES * sets.shape[1]}").ravel().tolist())
    ordered = _ordered(cut.tree, sets)
    for start in range(0, len(ordered), CHUNK):
        chunk = ordered[start : start + CHUNK]
        for row in chunk[~cut.gone[chunk].any(axis=1)]:
            if not cut.gone[row].any():
                for node in cheapest(cut, tuple(sorted(row.tolist())), rare):
                    cut.publish(node)


def _ordered(tree: Tree, sets: Ints) -> Ints:
    """The sets as paths of the count-tree: nodes of larger support first, in sets and of sets."""
    place = np.empty(len(tree.support), dtype=np.int64)
    nodes = sorted(range(len(tree.support)), key=lambda node: (-tree.support[node], node))
    place[nodes] = np.arange(len(nodes))
    paths = np.sort(place[sets], axis=1)
    ordered: Ints = np.array(nodes, dtype=np.int64)[paths[np.lexsort(paths.T[::-1])]]
    return ordered


def cheapest(cut: Cut, nodes: Set, rare: set[Any]) -> Set:
    """The nodes to publish so that these become no rare set, at the least loss.

    Of equal losses it takes the one of the smallest numbers. A node that is not raised is not
    published for it: nodes below it may stay. Some transaction holds the nodes, so it holds those
    above them too. If one of these is above another, they are a smaller set, and smaller sets were
    repaired before.
    """
    queue: list[tuple[int, Set]] = [(0, nodes)]
    seen = {nodes}
    while queue:
        _, raised = heapq.heappop(queue)
        found = cut.highest(raised)
        if len(found) < len(nodes) or np.array(found, dtype=np.int64).tobytes() not in rare:
            return cut.highest(_changed(nodes, raised))
        for place, node in enumerate(raised):
            higher = (*raised[:place], cut.tree.parent[node], *raised[place + 1 :])
            if higher not in seen:
                seen.add(higher)
                heapq.heappush(queue, (cut.loss(cut.highest(_changed(nodes, higher))), higher))
    raise AssertionError("the root is no rare set")


def _changed(nodes: Set, raised: Set) -> Set:
    return tuple(new for old, new in zip(nodes, raised, strict=True) if new != old)
