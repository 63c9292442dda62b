"""Tell the work of k-anonymity on data of some sizes, as measured on made and shared data."""

from __future__ import annotations

from setveil.models.forecast import Sizes, Work, height
from setveil.models.k_anonymity.partition import PART

PASSES = 2.3  # per level of the hierarchy
BRANCHES = 150  # bytes per occurrence of a part, for the branches above its items
STATEMENTS, ROUND = 30, 7  # of a run, and of a level, where statements are dear
REFINED = 3.0  # times as much for a search that loses less


def work(sizes: Sizes, *, fanout: int | None = None, refine: bool = False, **_: object) -> Work:
    """Partitions are expanded from the root to the items."""
    times = height(sizes, fanout) * (REFINED if refine else 1)
    return Work(
        PASSES * times,
        memory=BRANCHES * min(PART, sizes.occurrences),
        statements=round(STATEMENTS + ROUND * times),
    )
