"""k-anonymity by top-down specialization (TDS): every item is recoded alike in all transactions.

Twins agree on all public items. At first all items are generalized to the root or, without a
hierarchy, suppressed. Each round specializes the node with the best gain per anonymity lost: it
publishes the node's children, or the item. A node is specialized only if all classes of twins keep
k. A node that does not fit once never does: each round only divides classes.
Xu, Wang, Fu, Yu compare with it (KDD 2008, section 4), by Fung, Wang, Yu: Top-down specialization
for information and privacy preservation, ICDE 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from sqlglot import exp

from setveil.backends import Columns, integers
from setveil.errors import UnreachableError
from setveil.hierarchy.information import information_lost
from setveil.hierarchy.recode import GeneralizationLoss, LevelLoss, generalized, loss_of
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.models.k_anonymity.check import Verdict
from setveil.run.reading import Baskets
from setveil.run.release import Release, kept, make_release
from setveil.run.roles.promise import Promise
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.run.slices.frozen import frozen_nodes, note_frozen
from setveil.run.words import counted
from setveil.sql.models.k_anonymity import specialize as sql
from setveil.sql.run import lists
from setveil.sql.step import Step

TDS = "tds"


@dataclass(frozen=True, slots=True)
class TdsMetrics:
    """The nodes or items that are published everywhere, and the loss.

    `information_loss` is the share of all occurrences that was suppressed, `information_lost` the
    share of all bits, `ncp` the penalty with a suppressed occurrence at 1.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    persons: int | None  # None: transactions are counted
    public_items: int
    published: int  # nodes or items in the place of public items
    generalized_occurrences: int
    suppressed_items: int
    suppressed_occurrences: int
    emptied_transactions: int
    information_loss: float
    information_lost: float
    ncp: float
    ncp_by_level: tuple[LevelLoss, ...]
    rounds: int
    partitions: int  # classes of twins
    smallest_partition: int
    fewest_persons: int | None  # persons of the class with the fewest persons
    discernibility: int  # the sum over transactions of the sizes of their classes


@dataclass(frozen=True, slots=True)
class _Lost:
    """The loss of a release, and its suppressed items."""

    loss: GeneralizationLoss
    published: int
    generalized: int = 0
    items: int = 0  # suppressed
    occurrences: int = 0  # suppressed
    emptied: int = 0


def specialize(
    baskets: Baskets,
    promise: Promise,
    parameters: dict[str, object],
    *,
    k: int,
    public: int,
    hierarchy: str | Path | None,
    fanout: int | None,
    check: Callable[..., Verdict],
) -> Release[TdsMetrics]:
    """Publish as many nodes, or items, as all classes of twins allow."""
    session = baskets.session
    session.create(lists.leaving())
    shape: Shape | None = None
    if hierarchy is None and fanout is None:
        lost, rounds, made = _of_items(baskets, k)
    else:
        tall = read_hierarchy(baskets, hierarchy, fanout)
        lost, rounds, made, shape = _of_nodes(baskets, k, tall)
    levels = shape is not None
    verdict = make_release(baskets, made, lambda cells: check(cells, levels=levels), shape=shape)
    return Release(
        baskets,
        promise=promise,
        model="k-anonymity",
        parameters=parameters,
        verdict=verdict,
        metrics=_metrics(baskets, public, lost, rounds, verdict),
        run=session.runs,
        released=shape,
    )


def _of_items(baskets: Baskets, k: int) -> tuple[_Lost, int, Step]:
    """Publish items, and suppress the others."""
    session = baskets.session
    gains = _gains(session, sql.supports())
    session.create(sql.held())
    session.create(sql.whole(empty=baskets.shape.lists, persons=baskets.persons is not None))
    found = _Search(baskets, k, gains, tree=False).run()
    _decide(session, found)
    session.create(sql.suppressed())
    (emptied,) = session.one(lists.emptied())
    lost = _suppressed(session, found, int(emptied))
    return lost, len(found), kept(baskets, everywhere=True)


def _suppressed(session: Session, published: list[int], emptied: int) -> _Lost:
    """The loss of publishing only these public items."""
    columns = session.arrays(lists.supports())
    supports = integers(columns["support"]) if columns else np.empty(0, dtype=np.int64)
    out = np.zeros(len(supports), dtype=bool)
    out[[int(item) for (item,) in session.ask(lists.public())]] = True
    out[session.supposed(published, [])] = False  # without data, no item has a support
    rows = ((one, None if gone else one, one) for one, gone in zip(supports, out, strict=True))
    occurrences = int(supports[out].sum())
    share = occurrences / max(1, int(supports.sum()))
    return _Lost(
        GeneralizationLoss(share, (), (), information_lost(rows)),
        len(published),
        items=int(out.sum()),
        occurrences=occurrences,
        emptied=emptied,
    )


def _of_nodes(baskets: Baskets, k: int, tall: Hierarchy) -> tuple[_Lost, int, Step, Shape]:
    """Publish nodes of a hierarchy."""
    session, persons = baskets.session, baskets.persons is not None
    session.create(sql.falls())
    gains = _gains(session, sql.gains())
    session.create(sql.shapes())
    session.create(sql.rooted(persons=persons))
    found = _Search(baskets, k, gains, tree=True).run()
    if frozen := frozen_nodes(baskets):
        free = sum(gains[node] for node in found)
        found = _Search(baskets, k, gains, tree=True, frozen=frozen).run()
        every = max(1, tall.leaves * baskets.occurrences)
        most = sum(gains.values())
        now = sum(gains[node] for node in found)
        note_frozen(baskets, "NCP", (most - now) / every, (most - free) / every)
    _decide(session, found)
    session.create(sql.recoded())
    loss = loss_of(baskets, tall, everywhere=True, leaving=exp.to_table("leaving_item"))
    made, shape = generalized(baskets, everywhere=True)
    generalized_occurrences = sum(one.occurrences for one in loss.levels if one.level)
    lost = _Lost(loss, sum(one.nodes for one in loss.levels), generalized_occurrences)
    return lost, len(found), made, shape


def _decide(session: Session, found: list[int]) -> None:
    session.decide("specialized", "each row is a node that was specialized", sorted(found))


def _gains(session: Session, step: Step) -> dict[int, int]:
    columns = session.arrays(step)
    if not columns:  # no data was read
        return {}
    return dict(zip(*(integers(columns[name]).tolist() for name in ("node", "gain")), strict=True))


class _Search:
    """The rounds, from class_1 on. Nodes that are `frozen` are not specialized."""

    def __init__(
        self,
        baskets: Baskets,
        k: int,
        gains: dict[int, int],
        *,
        tree: bool,
        frozen: Collection[int] = (),
    ) -> None:
        self.session, self.k, self.gains, self.tree = baskets.session, k, gains, tree
        self.persons, self.frozen = baskets.persons is not None, frozen
        self.every = baskets.persons if baskets.persons is not None else baskets.transactions

    def run(self) -> list[int]:
        """The nodes that are specialized, in their order."""
        session, number, found = self.session, 1, []
        session.create(sql.opened(tree=self.tree))
        (shown,) = session.one(sql.smallest(1, persons=self.persons))
        self._refuse_unreachable(int(shown))
        smallest = int(shown) or self.every
        while choice := self._choice(number, smallest):
            node, smallest = choice
            found.append(node)
            session.decide(f"picked_{number}", "the node with most gain per anonymity lost", [node])
            session.create(sql.divided(number, persons=self.persons))
            session.create(sql.reopened(number, tree=self.tree))
            for name in ("open", "fit", "picked", *["class"] * (number > 1)):
                session.drop(f"{name}_{number}")
            number += 1
        for name in ("open", "fit", *["class"] * (number > 1)):
            session.drop(f"{name}_{number}")
        return found

    def _choice(self, number: int, smallest: int) -> tuple[int, int] | None:
        """The node with the best gain per anonymity lost, and the smallest class it makes."""
        session = self.session
        session.create(sql.fits(number, self.k, persons=self.persons))
        columns: Columns = session.arrays(sql.choices(number))
        if not columns:  # no data was read
            return (0, 0) if number == 1 else None
        fitting = zip(*(integers(columns[one]).tolist() for one in ("node", "least")), strict=True)
        free = [(node, min(least, smallest)) for node, least in fitting if node not in self.frozen]
        if not free:
            return None
        return max(free, key=lambda one: (self._score(one[0], one[1], smallest), -one[0]))

    def _score(self, node: int, least: int, smallest: int) -> Fraction:
        """The gain per anonymity lost: the size of the smallest class is the anonymity."""
        return Fraction(self.gains[node], smallest - least + 1)

    def _refuse_unreachable(self, smallest: int) -> None:
        """Refuse classes of fewer than k that no specialization makes larger."""
        if not 0 < smallest < self.k:
            return
        self.session.refuse(
            UnreachableError(
                f"a class of {counted(smallest, 'person' if self.persons else 'transaction')} "
                f"has no other twins, whatever is published: fewer than k = {self.k}; lower k"
            )
        )


def _metrics(
    baskets: Baskets, public: int, lost: _Lost, rounds: int, verdict: Verdict
) -> TdsMetrics:
    return TdsMetrics(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        persons=baskets.persons,
        public_items=public,
        published=lost.published,
        generalized_occurrences=lost.generalized,
        suppressed_items=lost.items,
        suppressed_occurrences=lost.occurrences,
        emptied_transactions=lost.emptied,
        information_loss=lost.occurrences / max(1, baskets.occurrences),
        information_lost=lost.loss.information,
        ncp=lost.loss.ncp,
        ncp_by_level=lost.loss.levels,
        rounds=rounds,
        partitions=verdict.checked,
        smallest_partition=verdict.smallest,
        fewest_persons=verdict.fewest,
        discernibility=verdict.discernibility,
    )
