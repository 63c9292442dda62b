"""Tell the work of permutation on data of some sizes, as measured on made and shared data."""

from __future__ import annotations

from setveil.models.forecast import Sizes, Work

PASSES = 17.0
STATEMENTS = 170  # where statements are dear
FORMED = 120  # bytes per occurrence, while transactions are put side by side


def work(sizes: Sizes, **_: object) -> Work:
    """Transactions are put in order, divided into groups, and divided again by the checker."""
    return Work(PASSES, memory=FORMED * sizes.occurrences, statements=STATEMENTS)
