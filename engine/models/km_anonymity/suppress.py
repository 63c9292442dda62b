"""Suppress outliers, where a cut alone would generalize their whole branch.

Nodes and suppressed items are chosen together, at the least NCP, with a suppressed occurrence at 1.
An item is suppressed only if no node above it is published, so that the support of a node is exact.
A set of nodes that too few hold is a mole of coherence without private items, so the choice is made
as there. It starts from the best cut alone and is never worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from setveil.hierarchy.trees import Hierarchy
from setveil.models.coherence.cutting.publish import PUBLISHED, Choosing
from setveil.models.coherence.promise import promised
from setveil.run import cost
from setveil.run.reading import Baskets
from setveil.run.slices.frozen import frozen_nodes
from setveil.sql.models.coherence import generalize as sql
from setveil.sql.run import lists

SHOWN = 4  # sizes of sets that are asked for where no data was read


@dataclass(frozen=True, slots=True)
class Suppressed:
    """The least NCP of any choice, and how much of the data was suppressed."""

    bound: float
    rounds: int
    transactions: int  # emptied ones


def choose_nodes(
    baskets: Baskets,
    tall: Hierarchy,
    cut: Sequence[int],
    *,
    k: int,
    m: int | None,
    nodes: int,
) -> Suppressed:
    """Make recoded_item and suppressed_item of a choice that loses no more than this cut."""
    session = baskets.session
    if m is None:
        lengths = cost.Lengths(session.ask(sql.lengths("occurrence")))
        m = max(1, session.supposed(lengths.longest, SHOWN))
    work = Choosing(baskets, promised(session, k, m, None, (), None), tall, "ncp")
    if frozen := frozen_nodes(baskets):
        work.freeze(frozen)
    known = np.zeros(work.forest.nodes, dtype=bool)
    known[[work.finest(node) for node in cut]] = True
    found = work.choose(nodes, known)
    chosen = [int(node) for node in np.flatnonzero(found.chosen)]
    session.decide(PUBLISHED, "each row is a node to publish: the choice of least NCP", chosen)
    for step in (sql.recoded(), sql.suppressed()):
        session.create(step)
    (emptied,) = session.one(lists.emptied())
    return Suppressed(work.least(found), found.rounds, int(emptied))
