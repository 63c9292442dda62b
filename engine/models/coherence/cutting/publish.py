"""Choose the nodes to publish and the items to suppress, by the moles among the nodes.

The relations of a run are asked for moles: of all pairs of nodes that may be published, and of
larger sets those that a choice publishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from setveil.backends import Columns, integers
from setveil.errors import option
from setveil.hierarchy.trees import Hierarchy
from setveil.models.coherence.choose import SCORES, Ints, Moles, greedy
from setveil.models.coherence.cutting.cut import Bools, Forest, Graph, best_choice
from setveil.models.coherence.cutting.program import Program
from setveil.models.coherence.promise import Promise
from setveil.run import cost
from setveil.run.reading import Baskets
from setveil.sql.models.coherence import generalize as sql
from setveil.sql.run import lists

PARTS = 1_000  # a bit is counted in so many parts: gains are whole numbers
ROUNDS, FEW = 30, 3  # cuts that are tried until none has a mole of three or more nodes
PUBLISHED = "published"
SMALL = 500  # paths of a tree for which many cuts are tried


@dataclass(frozen=True, slots=True)
class Found:
    """The choice, the least of any loss in gains, and the moles of each size."""

    chosen: Bools
    bound: int
    moles: tuple[int, ...]
    rounds: int


class Choosing:
    """The relations of a run, and the nodes with what they gain."""

    def __init__(self, baskets: Baskets, promise: Promise, tall: Hierarchy, loss: str) -> None:
        self.baskets, self.promise, self.tall, self.loss = baskets, promise, tall, loss
        self.session, self.persons = baskets.session, baskets.persons is not None
        for step in (
            sql.climb(),
            sql.above(persons=self.persons),
            sql.secrets(),
            sql.forest(promise.h, promise.k, persons=self.persons),
        ):
            self.session.create(step)
        columns = self.session.arrays(sql.nodes())
        self.session.create(sql.lifted(persons=self.persons))
        self.session.give_back("above")
        self.forest = self._forest(columns)
        self.larger: dict[int, Ints] = {}

    def _forest(self, columns: Columns) -> Forest:
        if not columns:  # no data was read
            self.held = _none(1).reshape(-1)
            return Forest(self.held, self.held.astype(bool), self.held)
        parent, leaves, self.held, fit = (
            integers(columns[name]) for name in ("parent", "leaves", "held", "fit")
        )
        every = max(1, self.baskets.occurrences)
        if self.loss == "ncp":
            gain = self.held * (self.tall.leaves - np.where(leaves > 1, leaves, 0))
        else:
            bits = np.log2(every / np.maximum(1, self.held))
            gain = np.rint(PARTS * self.held * bits).astype(np.int64)
        return Forest(parent, fit.astype(bool) & (self.held > 0), gain)

    def freeze(self, frozen: Sequence[int]) -> None:
        """Leave out all nodes below these."""
        parent, fit = self.forest.parent, self.forest.fit.copy()
        below = np.zeros(len(parent), dtype=bool)
        for node in reversed(range(len(parent))):  # parents before children
            above = parent[node]
            below[node] = above >= 0 and (below[above] or int(above) in frozen)
        self.forest = replace(self.forest, fit=fit & ~below)

    def lost(self, found: Found) -> float:
        """The share of the loss of suppressing everything that a choice loses."""
        return 1 - float(self.forest.gain[found.chosen].sum()) / self._whole()

    def least(self, found: Found) -> float:
        """The least loss of any choice, as a share of the loss of suppressing everything."""
        return max(0.0, (self._whole() - found.bound) / self._whole())

    def finest(self, node: int) -> int:
        """The lowest node that stands for all occurrences of this one."""
        below = np.flatnonzero((self.forest.parent == node) & (self.held == self.held[node]))
        return self.finest(int(below[0])) if len(below) else node

    def choose(self, nodes: int, known: Bools | None = None) -> Found:
        """Choose without the moles of two nodes, then add larger moles of what was chosen.

        The choice never gains less than a `known` one, which has no mole.
        """
        pairs = self._conflicts(2, "lifted") if self.promise.p > 1 else _none(2)
        small = len(self.forest.paths()) <= SMALL
        rounds, fine = 0, False
        while not fine:
            rounds += 1
            graph = Graph(self.forest, pairs, list(self.larger.values()))
            found = Program(self.forest, graph).bounded(
                best_choice(graph, self.forest.levels(), known), nodes
            )
            chosen = found.chosen
            fine = self._new_moles(chosen, rounds) is None
            if not fine and rounds >= (ROUNDS if small else FEW):
                chosen = self._repaired(chosen, rounds)
                fine = True
        if known is not None:
            chosen = max(known, chosen, key=lambda one: int(self.forest.gain[one].sum()))
        if not chosen.any() and self.forest.fit.any():
            chosen = self._top()
        sizes = tuple(len(self.larger.get(size, ())) for size in range(3, 1 + self.promise.p))
        moles = (len(pairs), *sizes) if self.promise.p > 1 else ()
        return Found(chosen, found.bound, moles, rounds)

    def _top(self) -> Bools:
        """The largest fit node: it tells nothing, but no transaction is emptied."""
        fit = np.flatnonzero(self.forest.fit)
        chosen = np.zeros(self.forest.nodes, dtype=bool)
        chosen[fit[self.held[fit].argmax()]] = True
        return chosen

    def _new_moles(self, chosen: Bools, number: int) -> Ints | None:
        """The smallest moles of three or more chosen nodes, which are kept; None without any."""
        if self.promise.p < 3 or not self.session.supposed(chosen.any(), True):
            return None
        cut, general = f"cut_{number}", f"general_{number}"
        nodes = [int(node) for node in np.flatnonzero(chosen)]
        self.session.decide(cut, "each row is a node of a cut that is tried", nodes)
        self.session.create(sql.chosen(cut, general, persons=self.persons))
        lengths = cost.Lengths(self.session.ask(sql.lengths(general)))
        longest = self.session.supposed(lengths.longest, self.promise.p)
        found = None
        for size in range(3, 1 + min(self.promise.p, longest)):
            moles = self._conflicts(size, general)
            if len(moles):
                known = self.larger.get(size, _none(size))
                self.larger[size] = np.unique(np.concatenate([known, moles]), axis=0)
                found = moles
                break
        for name in (general, cut):
            self.session.drop(name)
        return found

    def _repaired(self, chosen: Bools, number: int) -> Bools:
        """The choice without a node of each of its moles, those of least gain."""
        chosen = chosen.copy()
        while (moles := self._new_moles(chosen, number)) is not None:
            held = Moles([moles], self.forest.nodes)
            out = greedy(held, np.maximum(1, self.forest.gain), SCORES["mm-il"])
            chosen[out] = False
            number += 1
        return chosen

    def _conflicts(self, size: int, relation: str) -> Ints:
        """The moles of so many nodes that the transactions of this relation hold."""
        session, name = self.session, f"conflict_{size}"
        lengths = cost.Lengths(session.ask(sql.lengths(relation)))
        sets, fewer = lengths.sets(size), f"lower {option('p')} to {size - 1}"
        fit = int(self.forest.fit.sum())
        cost.allow(session, cost.Outlook(f"sets of {size} nodes", comb(fit, size), sets, fewer))
        if name in session.relations:
            session.drop(name)
        step = sql.conflicts(
            size,
            relation,
            self.promise.h,
            self.promise.k,
            private=self.promise.private > 0,
            persons=self.persons,
        )
        found = session.counted(step)
        cost.allow_in_python(session, f"moles of {size} nodes", found * size, fewer)
        columns = session.arrays(sql.listed(size))
        if not columns:
            return _none(size)
        return np.stack([integers(columns[f"node_{n}"]) for n in range(1, 1 + size)], axis=1)

    def _whole(self) -> float:
        """The gain of a release that loses nothing, private items included."""
        if self.loss == "ncp":
            return max(1, self.tall.leaves * self.baskets.occurrences)
        columns = self.session.arrays(lists.supports())
        held = integers(columns["support"]) if columns else _none(1).reshape(-1)
        return max(1.0, float(PARTS * (held * np.log2(self.baskets.occurrences / held)).sum()))


def _none(size: int) -> Ints:
    return np.empty((0, size), dtype=np.int64)
