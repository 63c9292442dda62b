"""Suppress the items that lose least: the items that are kept are a cut of a tree without nodes.

Cliques, items of which any two are a mole, prove far more than moles one by one: all but one of a
clique must go. Where that leaves a gap, HiGHS takes the moles as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from setveil.models.coherence.choose import Ints, Moles, Proof, restore
from setveil.models.coherence.cutting.cut import Forest, Graph, best_choice
from setveil.models.coherence.cutting.exact import optimal
from setveil.models.coherence.cutting.program import Limits, Program

MANY = 1_000_000  # moles beyond which HiGHS is not given each of them
WORK = Limits(cliques=4_000, widest=120)  # items have wider cliques than nodes


def least_loss(
    moles: Moles, loss: Ints, start: Sequence[int], *, nodes: int, seconds: float | None = None
) -> tuple[list[int], Proof]:
    """Items of least loss with one of each mole, never worse than `start`; and what is proven."""
    if seconds is not None or not len(moles):
        return optimal(moles, loss, start, nodes=nodes, seconds=seconds)
    chosen, proof = _by_cliques(moles, loss, start, nodes)
    if not proof.gap or len(moles) > MANY:
        return chosen, proof
    other, found = optimal(moles, loss, chosen, nodes=nodes)
    lost = min(proof.lost, found.lost)
    best = other if found.lost < proof.lost else chosen
    return best, Proof(lost, min(lost, max(proof.bound, found.bound)))


def _by_cliques(
    moles: Moles, loss: Ints, start: Sequence[int], nodes: int
) -> tuple[list[int], Proof]:
    items = np.unique(moles.flat)
    gain = np.zeros(moles.items, dtype=np.int64)
    gain[items] = loss[items]
    fit = np.zeros(moles.items, dtype=bool)
    fit[items] = True
    forest = Forest(np.full(moles.items, -1), fit, gain)
    sizes = {int(size): np.flatnonzero(moles.sizes == size) for size in np.unique(moles.sizes)}
    sets = {size: moles.members(these).reshape(-1, size) for size, these in sizes.items()}
    pairs = sets.pop(2, np.empty((0, 2), dtype=np.int32))
    graph = Graph(forest, pairs, list(sets.values()))
    known = fit.copy()
    known[list(start)] = False
    best = Program(forest, graph, WORK).bounded(best_choice(graph, [fit], known), nodes)
    found = [int(item) for item in items[~best.chosen[items]]]
    needless = set(restore(moles, loss, found))  # items without loss
    found = [item for item in found if item not in needless]
    lost = sum(int(loss[item]) for item in found)
    return found, Proof(float(lost), float(min(lost, int(gain.sum()) - best.bound)))
