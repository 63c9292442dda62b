"""Generalization with suppression, from the root downwards, for comparison (TDControl).

All items that are not sensitive start under the root of a hierarchy. Level by level they are
specialized. Sensitive items are published as they are, or suppressed everywhere. Rules are judged
over what is published: q has nodes and sensitive items. An unsafe rule is stopped by its best
remedy, the one that stops most rules for the bits that it loses: a sensitive item is suppressed, or
the parent of a node is published whole. A node that was closed so is not opened again.

Cao, Karras, Raissi, Tan: rho-uncertainty, inference-proof transaction anonymization, VLDB 2010, as
Jia et al. describe and use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.hierarchy.recode import GeneralizationLoss, LevelLoss, generalized, loss_of
from setveil.hierarchy.trees import Hierarchy
from setveil.models.uncertainty.compared.everywhere import Everywhere
from setveil.models.uncertainty.compared.search import Search
from setveil.models.uncertainty.nodes import check_nodes
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.roles.promise import Promise
from setveil.run.slices.frozen import frozen_nodes
from setveil.sql.models.uncertainty.compared import everywhere
from setveil.sql.models.uncertainty.compared import tdcontrol as sql
from setveil.sql.models.uncertainty.compared.search import Scope
from setveil.sql.run import lists
from setveil.sql.step import Step


@dataclass(frozen=True, slots=True)
class NodesMetrics:
    """The published nodes, the suppressed items, and the loss.

    `information_loss` is the share of all occurrences that was suppressed, `information_lost` the
    share of all bits, `ncp` the penalty with a suppressed occurrence at 1.
    """

    transactions: int
    persons: int | None  # None: transactions are counted, not persons
    items: int
    occurrences: int
    duplicates: int
    sensitive_items: int
    sensitive_occurrences: int
    max_knowledge: int | None
    labels: tuple[int, ...]  # labels on each level of the hierarchy, from the leaves to the root
    published: int  # nodes, sensitive items among them
    generalized_items: int
    levels: tuple[LevelLoss, ...]
    rounds: int
    unsafe_rules: int  # found in all rounds
    suppressed_items: int
    suppressed_occurrences: int
    emptied_transactions: int
    information_loss: float
    information_lost: float
    ncp: float


def tdcontrol(
    baskets: Baskets,
    tall: Hierarchy,
    rho: Fraction,
    sensitive: int,
    max_knowledge: int | None,
    tree: dict[str, object],
) -> Release[NodesMetrics]:
    """Specialize nodes while suppression of sensitive items keeps all rules safe."""
    session = baskets.session
    work = Control(baskets, tall, rho, max_knowledge)
    work.specialize()
    lost = loss_of(baskets, tall, everywhere=True, leaving=exp.to_table("sensitive_item"))
    (emptied,) = session.one(lists.emptied())
    made, shape = generalized(baskets, everywhere=True)
    verdict = make_release(
        baskets,
        made,
        lambda cells: check_nodes(
            session,
            cells,
            lists.labels("sensitive_item"),
            rho=rho,
            max_knowledge=max_knowledge,
            owners=baskets.owners,
        ),
        shape=shape,
    )
    told: dict[str, object] = {
        "rho": float(rho),
        "method": "tdcontrol",
        "max_knowledge": max_knowledge,
    }
    return Release(
        baskets,
        promise=Promise(
            "uncertainty",
            {"rho": str(rho), "max_knowledge": max_knowledge},
            {"sensitive": "sensitive_item"},
        ),
        model="uncertainty",
        parameters=told | tree,
        verdict=verdict,
        metrics=work.metrics(sensitive, max_knowledge, lost, int(emptied)),
        run=session.runs,
        released=shape,
    )


class Control(Everywhere):
    """The run of the method: the search and the remedies are those of `global`."""

    exact = False  # another node for an item changes supports, so smaller rules are judged again

    def __init__(self, baskets: Baskets, tall: Hierarchy, rho: Fraction, most: int | None) -> None:
        self.baskets, self.tall, self.session = baskets, tall, baskets.session
        self.scope = Scope(tall.nodes, rho, baskets.persons is not None)
        self.search = Search(self.session, self.scope, most)
        self.rounds = self.found = self.listed = 0
        self.level = tall.top

    def specialize(self) -> None:
        """Publish the root, then its children, and so on down to the items."""
        run = self.session
        run.create(sql.climb())
        run.create(everywhere.nothing("left_out"))
        if frozen := frozen_nodes(self.baskets):
            run.decide("frozen", "the nodes that earlier slices published", frozen)
            run.append(sql.frozen(exp.to_table("frozen")))
        for level in reversed(range(run.supposed(self.tall.top, 0) + 1)):
            self.level = level
            self._suppress()
        run.create(sql.recoded(self.scope))
        run.create(sql.suppressed())

    def _held(self) -> Step:
        """Choose the nodes of this level and their remedies; then what is published."""
        self.search.anew(sql.stand_ins(self.level))
        self.search.anew(sql.remedies(self.scope))
        return sql.held(self.scope)

    def metrics(
        self, sensitive: int, max_knowledge: int | None, lost: GeneralizationLoss, emptied: int
    ) -> NodesMetrics:
        """The figures of the run."""
        baskets = self.baskets
        nodes, below, items, gone, secrets = map(int, self.session.one(sql.losses()))
        return NodesMetrics(
            transactions=baskets.transactions,
            persons=baskets.persons,
            items=baskets.items,
            occurrences=baskets.occurrences,
            duplicates=baskets.duplicates,
            sensitive_items=sensitive,
            sensitive_occurrences=secrets,
            max_knowledge=max_knowledge,
            labels=self.tall.labels,
            published=nodes,
            generalized_items=below,
            levels=lost.levels,
            rounds=self.rounds,
            unsafe_rules=self.found,
            suppressed_items=items,
            suppressed_occurrences=gone,
            emptied_transactions=emptied,
            information_loss=gone / max(1, baskets.occurrences),
            information_lost=lost.information,
            ncp=lost.ncp,
        )
