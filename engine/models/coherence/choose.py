"""Choose the items to suppress: at least one of every mole, at little loss.

All items are numbers here. Losses are whole numbers, ratios are compared exactly, and ties go to
the smaller item, so the choice is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
