"""Coherence by generalization: publish nodes of a hierarchy, and suppress what no node covers.

A cut of the tree and the suppressed items are chosen together, at the least loss. No set of up to
p published nodes is a mole. Private items leave the tree. An item is suppressed only if no node
above it is published, so that the support of a node is exact.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sqlglot import exp

from setveil.arguments.shares import Share
from setveil.errors import InputError
from setveil.hierarchy.recode import GeneralizationLoss, generalized, loss_of, refuse_carried
from setveil.hierarchy.trees import read_hierarchy
from setveil.models.coherence.anonymize import refuse_unreachable
from setveil.models.coherence.cutting.publish import PUBLISHED, Choosing, Found
from setveil.models.coherence.metrics import GeneralizationMetrics
from setveil.models.coherence.nodes import check_nodes
from setveil.models.coherence.promise import promised
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.roles.lists import Items
from setveil.run.roles.promise import Promise as Promised
from setveil.run.slices.frozen import frozen_nodes, note_frozen
from setveil.sql.models.coherence import generalize as sql
from setveil.sql.run import lists

LOSSES = ("information", "ncp")


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
    work = Choosing(baskets, promise, tall, loss)
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
        metrics=_metrics(work, found, lost, int(emptied)),
        run=session.runs,
        released=shape,
    )


def _metrics(
    work: Choosing, found: Found, lost: GeneralizationLoss, emptied: int
) -> GeneralizationMetrics:
    """The figures of the release; `found.bound` is in gains."""
    baskets, promise = work.baskets, work.promise
    suppressed = baskets.occurrences - sum(level.occurrences for level in lost.levels)
    own = lost.ncp if work.loss == "ncp" else lost.information
    missing = int(work.forest.gain[found.chosen].sum())
    least = max(0.0, own - (found.bound - missing) / work._whole())
    return GeneralizationMetrics(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        persons=baskets.persons,
        private_items=promise.private,
        public_items=promise.public,
        labels=work.tall.labels,
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
