"""Coherence by generalization: publish nodes of a hierarchy, and suppress what no node covers.

A cut of the tree and the suppressed items are chosen together, at the least loss. No set of up to
p published nodes is a mole. Private items leave the tree. An item is suppressed only if no node
above it is published, so that the support of a node is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path

import numpy as np
from sqlglot import exp

from setveil.arguments.shares import Share
from setveil.backends import Columns, integers
from setveil.errors import InputError, option
from setveil.hierarchy.recode import GeneralizationLoss, generalized, loss_of, refuse_carried
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.models.coherence.anonymize import refuse_unreachable
from setveil.models.coherence.choose import SCORES, Ints, Moles, greedy
from setveil.models.coherence.cut import Bools, Forest, Graph, best_choice
from setveil.models.coherence.metrics import GeneralizationMetrics
from setveil.models.coherence.nodes import check_nodes
from setveil.models.coherence.program import Program
from setveil.models.coherence.promise import Promise, promised
from setveil.run import cost
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.roles.lists import Items
from setveil.run.roles.promise import Promise as Promised
from setveil.run.slices.frozen import frozen_nodes, note_frozen
from setveil.sql.models.coherence import generalize as sql
from setveil.sql.run import lists

LOSSES = ("information", "ncp")
PARTS = 1_000  # a bit is counted in so many parts: gains are whole numbers
ROUNDS, FEW = 30, 3  # cuts that are tried until none has a mole of three or more nodes
SMALL = 500  # paths of a tree for which many cuts are tried
PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class _Found:
    """The choice, the least of any loss in gains, and the moles of each size."""

    chosen: Bools
    bound: int
    moles: tuple[int, ...]
    rounds: int


def generalize(
    baskets: Baskets,
    *,
    k: int,
    p: int,
    h: Share | None,
    private: Items,
    public: Items | None,
    loss: object,
    hierarchy: str | Path | None,
    fanout: int | None,
    ignore_unknown: bool,
    nodes: int,
) -> Release[GeneralizationMetrics]:
    """Publish the nodes that lose least, without a mole; the release has passed the checker."""
    session = baskets.session
    if not isinstance(loss, str) or loss not in LOSSES:
        raise InputError(f"--loss of generalize is {' or '.join(LOSSES)}, not {loss!r}")
    refuse_carried(baskets.shape)
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    promise = promised(session, k, p, h, private, public, ignore_unknown=ignore_unknown)
    refuse_unreachable(baskets, promise)
    tall = read_hierarchy(baskets, hierarchy, fanout)
    work = _Work(baskets, promise, tall, loss)
    found = work.choose(nodes)
    if frozen := frozen_nodes(baskets):
        free = work.lost(found)
        work.freeze(frozen)
        found = work.choose(nodes)
        note_frozen(baskets, loss, work.lost(found), free)
    session.decide(
        PUBLISHED,
        f"each row is a node to publish: the cut that loses least ({loss})",
        [int(node) for node in np.flatnonzero(found.chosen)],
    )
    for step in (sql.recoded(), sql.suppressed(), lists.leaving()):
        session.create(step)
    lost = loss_of(baskets, tall, everywhere=True, leaving=exp.to_table("leaving_item"))
    (emptied,) = session.one(lists.emptied())
    made, shape = generalized(baskets, everywhere=True)
    verdict = make_release(
        baskets,
        made,
        lambda cells: check_nodes(
            session, cells, lists.roles(), owners=baskets.owners, h=promise.h, k=k, p=p
        ),
        shape=shape,
    )
    roles = {"private": "private_item"} | ({} if public is None else {"public": "public_item"})
    tree = {"fanout": fanout} if hierarchy is None else {"hierarchy": str(hierarchy)}
    told = {"h": float(promise.h), "k": k, "p": p, "method": "generalize", "loss": loss}
    return Release(
        baskets,
        promise=Promised("coherence", {"h": str(promise.h), "k": k, "p": p}, roles),
        model="coherence",
        parameters=told | tree,
        verdict=verdict,
        metrics=work.metrics(found, lost, int(emptied)),
        run=session.runs,
        released=shape,
    )


class _Work:
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

    def lost(self, found: _Found) -> float:
        """The share of the loss of suppressing everything that a choice loses."""
        return 1 - float(self.forest.gain[found.chosen].sum()) / self._whole()

    def choose(self, nodes: int) -> _Found:
        """Choose without the moles of two nodes, then add larger moles of what was chosen."""
        pairs = self._conflicts(2, "lifted") if self.promise.p > 1 else _none(2)
        small = len(self.forest.paths()) <= SMALL
        rounds, fine = 0, False
        while not fine:
            rounds += 1
            graph = Graph(self.forest, pairs, list(self.larger.values()))
            found = Program(self.forest, graph).bounded(
                best_choice(graph, self.forest.levels()), nodes
            )
            chosen = found.chosen
            fine = self._new_moles(chosen, rounds) is None
            if not fine and rounds >= (ROUNDS if small else FEW):
                chosen = self._repaired(chosen, rounds)
                fine = True
        if not chosen.any() and self.forest.fit.any():
            chosen = self._top()
        sizes = tuple(len(self.larger.get(size, ())) for size in range(3, 1 + self.promise.p))
        moles = (len(pairs), *sizes) if self.promise.p > 1 else ()
        return _Found(chosen, found.bound, moles, rounds)

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
        found = None
        for size in range(3, 1 + self.promise.p):
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

    def metrics(
        self, found: _Found, lost: GeneralizationLoss, emptied: int
    ) -> GeneralizationMetrics:
        """The figures of the release; `found.bound` is in gains."""
        baskets, promise = self.baskets, self.promise
        suppressed = baskets.occurrences - sum(level.occurrences for level in lost.levels)
        own = lost.ncp if self.loss == "ncp" else lost.information
        missing = int(self.forest.gain[found.chosen].sum())
        least = max(0.0, own - (found.bound - missing) / self._whole())
        return GeneralizationMetrics(
            transactions=baskets.transactions,
            items=baskets.items,
            occurrences=baskets.occurrences,
            duplicates=baskets.duplicates,
            persons=baskets.persons,
            private_items=promise.private,
            public_items=promise.public,
            labels=self.tall.labels,
            published=int(found.chosen.sum()),
            generalized_items=sum(1 for one in lost.items if one > 0),
            levels=lost.levels,
            moles=found.moles,
            rounds=found.rounds,
            suppressed_items=baskets.items - len(lost.items),
            suppressed_occurrences=suppressed,
            emptied_transactions=emptied,
            information_loss=suppressed / max(1, baskets.occurrences),
            information_lost=lost.information,
            ncp=lost.ncp,
            loss=own,
            bound=least,
            gap=(own - least) / own if own else 0.0,
        )


def _none(size: int) -> Ints:
    return np.empty((0, size), dtype=np.int64)
