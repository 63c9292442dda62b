"""Choose the nodes to publish: a cut of the tree without a mole, by local search.

A choice is a set of nodes, none above another. Items without a node above them are suppressed.
Publishing a node gains what it tells; suppressing everything gains nothing. Nodes on one path, and
pairs that are moles, exclude each other; of a larger mole, one node must stay out. So the choice is
a heaviest independent set. All numbers are whole, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from setveil.models.coherence.choose import Ints, Moles, Small

Bools = npt.NDArray[np.bool_]

KICKS, DRAWN = 2_000, 3  # tries to leave a local optimum, and nodes published at once for it
OF_EACH = 20  # tries for each node: a few nodes are soon tried in every order
STEPS = 2 * 10**8  # entries that these tries may read


@dataclass(frozen=True, slots=True)
class Forest:
    """The nodes of a tree by number, children before parents; `fit` ones may be published."""

    parent: Ints  # -1: none
    fit: Bools
    gain: Ints

    @property
    def nodes(self) -> int:
        return len(self.parent)

    def levels(self) -> list[Bools]:
        """For each height, the nodes that a cut at this height publishes."""
        height = np.zeros(self.nodes, dtype=np.int64)
        for node, above in enumerate(self.parent):
            if above >= 0:
                height[above] = max(height[above], height[node] + 1)
        return [height == n for n in range(int(height.max(initial=-1)) + 1)]

    def paths(self) -> list[Ints]:
        """The fit nodes that gain something on each path, from the lowest up; longest paths only.

        Of the nodes on one path at most one is published.
        """
        wanted = self.fit & (self.gain > 0)
        covered, found = np.zeros(self.nodes, dtype=bool), []
        for node in range(self.nodes):
            if not wanted[node] or covered[node]:
                continue
            path, at = [node], int(self.parent[node])
            while at >= 0:
                if wanted[at]:
                    path.append(at)
                    covered[at] = True
                at = int(self.parent[at])
            found.append(np.array(path, dtype=np.int64))
        return found


class Graph:
    """The nodes that exclude each other, by node; and larger moles, of which one must stay out."""

    def __init__(
        self, forest: Forest, pairs: Ints | Small, larger: Sequence[Ints | Small] = ()
    ) -> None:
        # No mole is of two nodes on one path: these are the lower node's transactions.
        low, high = np.concatenate([pairs.reshape(-1, 2), _on_paths(forest)]).T
        nodes, others = np.concatenate([low, high]), np.concatenate([high, low])
        # numpy sorts numbers of two bytes by radix: many times as fast.
        small = nodes.astype(np.uint16) if forest.nodes <= 2**16 else nodes
        self.gain = np.where(forest.fit, forest.gain, 0)
        self.others = others[np.argsort(small, kind="stable")].astype(np.int32)
        counts = np.bincount(nodes, minlength=forest.nodes)
        self._first: Ints = np.concatenate([[0], np.cumsum(counts)])
        self.larger = Moles(list(larger), forest.nodes)
        self.nodes = forest.nodes

    def beside(self, node: int) -> npt.NDArray[np.int32]:
        """The nodes that this node excludes."""
        return self.others[self._first[node] : self._first[node + 1]]

    def is_free(self, chosen: Bools) -> bool:
        """Does this choice hold no known mole, and no node above another?"""
        nodes = np.flatnonzero(chosen)
        if any(chosen[self.beside(int(node))].any() for node in nodes):
            return False
        return not len(self.larger) or not (_inside(self.larger, chosen) == self.larger.sizes).any()


def _on_paths(forest: Forest) -> Ints:
    """The pairs of nodes that are on one path, each once."""
    pairs = {
        (int(low), int(high))
        for path in forest.paths()
        for place, low in enumerate(path)
        for high in path[place + 1 :]
    }
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _inside(moles: Moles, chosen: Bools) -> Ints:
    """For each mole, the number of its nodes that are chosen."""
    return np.add.reduceat(chosen[moles.flat].astype(np.int64), moles.start[:-1])


class Search:
    """A choice without a mole, and what each other node would displace."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.gain = graph, graph.gain
        self.chosen: Bools = np.zeros(graph.nodes, dtype=bool)
        self.cost: Ints = np.zeros(graph.nodes, dtype=np.int64)  # the gain of those it excludes
        self.tight: Ints = np.zeros(graph.nodes, dtype=np.int64)  # how many it excludes
        self.inside: Ints = np.zeros(len(graph.larger), dtype=np.int64)
        self.total = self.steps = 0

    def remove(self, node: int) -> None:
        """Take a node out of the choice."""
        self._count(node, -1)

    def publish(self, node: int) -> None:
        """Add a node, and take out all that it excludes; of a whole mole the node of least gain."""
        beside = self.graph.beside(node)
        for other in beside[self.chosen[beside]]:
            self.remove(int(other))
        moles = self.graph.larger
        for mole in moles.holding(node):
            if self.inside[mole] == moles.sizes[mole] - 1:
                members = moles.members(np.array([mole]))
                others = members[members != node]
                self.remove(int(others[np.lexsort((others, self.gain[others]))[0]]))
        self._count(node, 1)

    def _count(self, node: int, sign: int) -> None:
        beside = self.graph.beside(node)
        self.steps += len(beside) + 500
        self.chosen[node] = sign > 0
        self.cost[beside] += sign * self.gain[node]
        self.tight[beside] += sign
        self.inside[self.graph.larger.holding(node)] += sign
        self.total += sign * int(self.gain[node])

    def improve(self, allowed: Bools | None = None) -> None:
        """Publish and exchange nodes while that gains something."""
        self._climb(allowed)
        while self._exchange():
            self._climb(None)

    def _climb(self, allowed: Bools | None) -> None:
        """Publish the node that gains most, less what it displaces, while there is one."""
        refused = np.zeros(self.graph.nodes, dtype=bool)
        while True:
            more = np.where(self.chosen | refused, 0, self.gain - self.cost)
            self.steps += self.graph.nodes
            if allowed is not None:
                more = np.where(allowed, more, 0)
            node = int(more.argmax())
            if more[node] <= 0:
                return
            if more[node] <= self._displaced(node):
                refused[node] = True
                continue
            self.publish(node)
            if len(self.graph.larger):
                refused[:] = False

    def _displaced(self, node: int) -> int:
        """A bound on the gain of the nodes that leave larger moles for this one."""
        moles = self.graph.larger
        whole = [m for m in moles.holding(node) if self.inside[m] == moles.sizes[m] - 1]
        lost = 0
        for mole in whole:
            members = moles.members(np.array([mole]))
            lost += int(self.gain[members[members != node]].min())
        return lost

    def _exchange(self) -> bool:
        """Replace one node by several, such as by its children, where they gain more."""
        done = False
        for node in np.flatnonzero(self.chosen):
            if not self.chosen[node]:
                continue
            near = self.graph.beside(int(node))
            self.steps += len(near)
            near = near[(self.tight[near] == 1) & (self.gain[near] > 0)]
            if self.gain[near].sum() <= self.gain[node]:
                continue
            taken = self._apart(near)
            if self.gain[taken].sum() > self.gain[node]:
                done |= self._try(int(node), taken)
        return done

    def _apart(self, near: npt.NDArray[np.int32]) -> list[int]:
        """Some of these nodes, the heaviest first, none of which excludes another."""
        taken: list[int] = []
        excluded = np.zeros(self.graph.nodes, dtype=bool)
        for node in near[np.lexsort((near, -self.gain[near]))]:
            if not excluded[node]:
                taken.append(int(node))
                excluded[self.graph.beside(int(node))] = True
        return taken

    def _try(self, node: int, taken: list[int]) -> bool:
        """Make the exchange, and take it back if larger moles make it a loss."""
        before, total = self.chosen.copy(), self.total
        self.remove(node)
        for one in taken:
            self.publish(one)
        if self.total > total:
            return True
        self.return_to(before)
        return False

    def return_to(self, chosen: Bools) -> None:
        """Make this choice again."""
        for node in np.flatnonzero(self.chosen & ~chosen):
            self.remove(int(node))
        for node in np.flatnonzero(chosen & ~self.chosen):
            self._count(int(node), 1)


def best_choice(graph: Graph, levels: Sequence[Bools], known: Bools | None = None) -> Bools:
    """A choice of great gain: from the best single level, by local search and seeded kicks.

    A `known` choice is a start beside the levels, without the nodes of larger moles.
    """
    best = np.zeros(graph.nodes, dtype=bool)
    most = -1
    for level in (*levels, *([] if known is None else [known])):
        search = Search(graph)
        search.improve(level)
        if search.total > most:
            best, most = search.chosen.copy(), search.total
    return _kicked(graph, best)


def _kicked(graph: Graph, start: Bools) -> Bools:
    """Publish a few random nodes, repair and improve, as long as that finds something better."""
    search, random = Search(graph), np.random.default_rng(0)
    search.return_to(start)
    best, most = start, search.total
    open_to = np.flatnonzero(graph.gain > 0)
    for _ in range(min(KICKS, OF_EACH * len(open_to))):
        if search.steps > STEPS:
            break
        for node in random.choice(open_to, int(random.integers(1, 1 + DRAWN))):
            if not search.chosen[node]:
                search.publish(int(node))
        search.improve()
        if search.total > most:
            best, most = search.chosen.copy(), search.total
        elif search.total < most:
            search.return_to(best)
    return best
