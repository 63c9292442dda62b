"""Choose the items to suppress by HiGHS: a minimum-loss hitting set of the moles."""

from __future__ import annotations

from collections.abc import Sequence

import highspy
import numpy as np

from setveil.models.coherence.choose import Ints, Moles, Proof, Small, restore
from setveil.run.solver import new_solver, run


def optimal(
    moles: Moles,
    loss: Ints,
    start: Sequence[int],
    *,
    nodes: int,
    seconds: float | None = None,
) -> tuple[list[int], Proof]:
    """A hitting set of minimum loss, as far as the limits allow; never worse than `start`.

    With a limit on nodes the result is the same on every machine; with one on seconds it is not.
    """
    items = np.unique(moles.flat)
    if not len(items):
        return [], Proof(0.0, 0.0)
    solver = new_solver(nodes, seconds)
    solver.passModel(_hitting_set(moles, loss, items))
    known = highspy.HighsSolution()
    known.col_value = np.isin(items, list(start)).astype(float).tolist()
    solver.setSolution(known)
    run(solver)
    values = np.asarray(solver.getSolution().col_value)
    found = [int(item) for item in items[values > 0.5]]
    needless = set(restore(moles, loss, found))  # items without loss, or the search ended early
    found = [item for item in found if item not in needless]
    chosen = min(found, list(start), key=lambda some: sum(int(loss[item]) for item in some))
    lost = float(sum(int(loss[item]) for item in chosen))
    # Losses are whole numbers, so a bound can be rounded up.
    bound = np.ceil(max(0.0, float(solver.getInfo().mip_dual_bound)) - 1e-6)
    return sorted(chosen), Proof(lost, min(lost, float(bound)))


def _hitting_set(moles: Moles, loss: Ints, items: Small) -> highspy.HighsLp:
    """The program: minimize the loss of the suppressed items, with one of every mole at least."""
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(items), len(moles)
    model.col_cost_ = loss[items].astype(float)
    model.col_lower_ = np.zeros(len(items))
    model.col_upper_ = np.ones(len(items))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(items)
    model.row_lower_ = np.ones(len(moles))
    model.row_upper_ = np.full(len(moles), highspy.kHighsInf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = moles.start.astype(np.int32)
    model.a_matrix_.index_ = np.searchsorted(items, moles.flat).astype(np.int32)
    model.a_matrix_.value_ = np.ones(len(moles.flat))
    return model
