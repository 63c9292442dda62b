"""Tell the work of (h,k,p)-coherence on data of some sizes, as measured on made and shared data."""

from __future__ import annotations

from setveil.models.forecast import Sizes, Work

PASSES = 1.7  # to make, check and write the release
JOINED = 2.3  # times that the sets of a size are joined: by the search, and by the checker
STATEMENTS, LEVEL = 18, 8  # of a run, and of a size of sets, where statements are dear


def work(sizes: Sizes, *, k: int, p: int, method: str = "mm-il", **_: object) -> Work:
    """The search and the checker go over all sets of up to p items."""
    known = range(2, min(p, sizes.lengths.longest) + 1)
    searched = JOINED if method != "rm-all" else JOINED / 2
    moles = sizes.sets(2) if p > 1 else sizes.items
    return Work(
        PASSES,
        joined=searched * sum(map(sizes.joined, known)),
        ranked=moles,
        candidates=max((sizes.candidates(size, k) for size in known), default=sizes.items),
        statements=STATEMENTS + LEVEL * min(p, sizes.lengths.longest),
    )
