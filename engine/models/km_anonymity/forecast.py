"""Tell the work of k^m-anonymity on data of some sizes, as measured on made and shared data."""

from __future__ import annotations

from setveil.models.forecast import Sizes, Work, height
from setveil.models.km_anonymity.check import MAX

PASSES = 3.4  # to make, check and write the release
STATEMENTS, ROUND = 22, 3  # of a run, and of a level, where statements are dear
LEVEL = 0.8  # passes to generalize the transactions to a level of the hierarchy


def work(sizes: Sizes, *, k: int, m: int | str, fanout: int | None = None, **_: object) -> Work:
    """Sets of up to m nodes are counted at each level, and once more by the checker."""
    tall = height(sizes, fanout) if str(m) != "1" else 0  # the supports of nodes are known
    longest = sizes.lengths.longest
    known = range(2, min(longest, longest if m == MAX else int(m)) + 1)
    return Work(
        PASSES + LEVEL * tall,
        joined=(1 + tall) * sum(map(sizes.joined, known)),
        candidates=max((sizes.candidates(size, k) for size in known), default=sizes.items),
        statements=STATEMENTS + ROUND * tall,
    )
