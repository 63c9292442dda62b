"""Choose the items to suppress: at least one of every mole, at little loss.

All items are numbers here. Losses are whole numbers, ratios are compared exactly, and ties go to
the smaller item, so the choice is the same on every machine. `optimal` is a minimum-loss hitting
set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from setveil.run.solver import new_solver, run

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]  # items and moles: some hundred million of them fill the memory

NEARLY = 1 - 1e-9  # floats this close are compared exactly


class Moles:
    """Moles of at least two items, with an index from each item to its moles."""

    def __init__(self, by_size: Sequence[Ints | Small], items: int) -> None:
        self.items = items
        sizes = [np.full(len(sets), sets.shape[1], dtype=np.int32) for sets in by_size]
        self.sizes: Small = np.concatenate([np.empty(0, dtype=np.int32), *sizes])
        self.flat: Small = np.empty(int(self.sizes.sum()), dtype=np.int32)
        filled = 0
        for sets in by_size:
            self.flat[filled : filled + sets.size] = sets.reshape(-1)
            filled += sets.size
        self.start: Ints = np.concatenate([[0], np.cumsum(self.sizes, dtype=np.int64)])
        # numpy sorts numbers of two bytes by radix: several times as fast.
        order = np.argsort(
            self.flat.astype(np.uint16) if items <= 2**16 else self.flat, kind="stable"
        )
        owner: Small = np.repeat(np.arange(len(self.sizes), dtype=np.int32), self.sizes)
        self._holders: Small = owner[order]
        self.counts: Ints = np.bincount(self.flat, minlength=items)  # for each item, its moles
        self._first: Ints = np.concatenate([[0], np.cumsum(self.counts)])

    def __len__(self) -> int:
        return len(self.sizes)

    def holding(self, item: int) -> Small:
        """The numbers of the moles with this item."""
        holders: Small = self._holders[self._first[item] : self._first[item + 1]]
        return holders

    def members(self, numbers: Ints | Small) -> Small:
        """The items of these moles, concatenated."""
        sizes = self.sizes[numbers]
        ends = np.cumsum(sizes, dtype=np.int64)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        members: Small = self.flat[np.repeat(self.start[numbers], sizes) + within]
        return members

    def per_item(self, numbers: Ints | Small) -> Ints:
        """For each item, the number of these moles that hold it."""
        return np.bincount(self.members(numbers), minlength=self.items)


Score = Callable[[Ints, Ints], tuple[Ints, Ints]]

# The next item maximizes a ratio. These are its numerator and denominator, from MM(e) and IL(e).
SCORES: dict[str, Score] = {
    "mm-il": lambda moles, loss: (moles, loss),
    "mm": lambda moles, loss: (moles, np.ones_like(loss)),
    "1-il": lambda moles, loss: (np.ones_like(moles), loss),
}


def greedy(moles: Moles, loss: Ints, score: Score) -> list[int]:
    """Suppress the best item and drop its moles, until no mole is left (Figure 6).

    Returns the items in the order of their choice.
    """
    chosen: list[int] = []
    alive = np.ones(len(moles), dtype=bool)
    remaining = moles.counts.copy()
    candidates = np.flatnonzero(remaining)
    while candidates.size:
        best = _best(candidates, *score(remaining[candidates], loss[candidates]))
        chosen.append(best)
        gone = moles.holding(best)
        gone = gone[alive[gone]]
        alive[gone] = False
        np.subtract.at(remaining, moles.members(gone), 1)
        candidates = candidates[remaining[candidates] > 0]
    return chosen


def _best(candidates: Ints, numerator: Ints, denominator: Ints) -> int:
    """The candidate of greatest ratio, the first of equals. Division by zero is the greatest."""
    with np.errstate(divide="ignore"):
        ratio = numerator / denominator
    close = np.flatnonzero(ratio >= ratio.max() * NEARLY)
    best = close[0]
    for one in close[1:]:
        if int(numerator[one]) * int(denominator[best]) > int(numerator[best]) * int(
            denominator[one]
        ):
            best = one
    return int(candidates[best])


def restore(moles: Moles, loss: Ints, suppressed: Sequence[int]) -> list[int]:
    """Return suppressed items while no mole results, the least regret first.

    After an item returns, the only suppressed item left in one of its moles cannot return. The
    regret is the loss of such items, less the item's own.
    """
    gone = np.zeros(moles.items, dtype=bool)
    gone[list(suppressed)] = True
    broken = _count_gone(moles, gone)
    free = [item for item in sorted(suppressed) if _is_free(moles, broken, item)]
    restored: list[int] = []
    while free:
        regrets = [_regret(moles, broken, gone, loss, item, set(free)) for item in free]
        item = free[min(range(len(free)), key=lambda n: (regrets[n], free[n]))]
        restored.append(item)
        gone[item] = False
        broken[moles.holding(item)] -= 1
        free = [one for one in free if one != item and _is_free(moles, broken, one)]
    return restored


def _count_gone(moles: Moles, gone: npt.NDArray[np.bool_]) -> Ints:
    """For each mole, the number of its suppressed items."""
    if not len(moles):
        return np.zeros(0, dtype=np.int64)
    return np.add.reduceat(gone[moles.flat].astype(np.int64), moles.start[:-1])


def _is_free(moles: Moles, broken: Ints, item: int) -> bool:
    return bool((broken[moles.holding(item)] > 1).all())


def _regret(
    moles: Moles,
    broken: Ints,
    gone: npt.NDArray[np.bool_],
    loss: Ints,
    item: int,
    free: set[int],
) -> int:
    holding = moles.holding(item)
    members = moles.members(holding[broken[holding] == 2])
    forbidden = {int(one) for one in np.unique(members[gone[members]])} & free - {item}
    return sum(int(loss[one]) for one in forbidden) - int(loss[item])


@dataclass(frozen=True, slots=True)
class Proof:
    """The choice loses `lost`, and no choice loses less than `bound`."""

    lost: float
    bound: float

    @property
    def gap(self) -> float:
        """The greatest possible distance from the best choice, as a share of `lost`."""
        return (self.lost - self.bound) / self.lost if self.lost else 0.0

    def plus(self, loss: int) -> Proof:
        """Add a loss that every choice has."""
        return Proof(self.lost + loss, self.bound + loss)


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
