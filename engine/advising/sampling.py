"""Large data is tried on four samples, each half of the next; their costs bound that of the data.

More transactions lift supports, so promises that count to k lose less of larger data. The log-odds
of the loss fall by nearly as much with each doubling. How far that changes was measured: when
items are suppressed the fall slows down, when nodes are published it can quicken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from setveil.run.reading import Baskets, owners_of, query_beside, read_beside
from setveil.sql.advising.sample import part

LARGE = 3_000_000  # occurrences; smaller data is tried whole
TRIED = 2_000_000  # occurrences of the larger sample
HALVINGS = (1, 2, 4, 8)  # the samples, as parts of the largest
# The least and the greatest change of the log-odds with each further doubling: a multiple of the
# change between the samples, and what is added to it. Measured on data of eleven shapes.
OF_ITEMS = ((1.05, -0.02), (0.6, 0.02))
OF_NODES = ((1.0, -0.2), (1.0, 0.05))
NEAR_ALL, FASTER = 0.65, 4  # if more than this is lost, items return ever faster at first
NOISE = 0.06  # of the log-odds, from the draw of the sample
END = 0.001  # losses nearer to 0 or 1 are taken for this
VAGUE = 0.2  # a wider interval says little


@dataclass(frozen=True, slots=True)
class Interval:
    """The least and the greatest share that the whole data may lose."""

    least: float
    greatest: float

    @property
    def is_vague(self) -> bool:
        """Is it so wide that the sample tells little of the cost?"""
        return self.greatest - self.least > VAGUE


def parts_of(baskets: Baskets) -> int:
    """The larger sample is the data divided by this; 1: the data is tried whole."""
    return 1 if baskets.occurrences <= LARGE else math.ceil(baskets.occurrences / TRIED)


def sample(baskets: Baskets, parts: int) -> Baskets:
    """Read each `parts`-th transaction or person into a run of its own. Close it first."""
    shape, of_run = baskets.shape, baskets.session.backend.of_run
    columns = [name for name in (shape.key, shape.item) if name is not None]
    rows = part(
        of_run("source"),
        of_run("basket"),
        columns,
        baskets.key,
        parts,
        persons=baskets.persons is not None,
        line=shape.line if shape.key is None else None,
    )
    source = query_beside(baskets, rows)
    return read_beside(baskets, source, tid=shape.key, item=shape.item, owners=owners_of(baskets))


def interval(losses: Sequence[float], parts: int, *, of_nodes: bool) -> Interval:
    """The loss of the whole data, from the losses of samples, the largest of 1 / `parts` last."""
    known, doublings = [_log_odds(one) for one in losses], math.log2(parts)
    change, last = _change(known), known[-1] - known[-2]
    moves = [times * change + more for times, more in (OF_NODES if of_nodes else OF_ITEMS)]
    if not of_nodes:  # a fall that slows down between the samples will go on to
        moves.append((change + last) / 2 * OF_ITEMS[1][0] + OF_ITEMS[1][1])
    if not of_nodes and losses[-1] > NEAR_ALL:
        moves.append(min(change, last) * (OF_ITEMS[0][0] + FASTER * (losses[-1] - NEAR_ALL)))
    if change > 0:  # more data loses more, for which nothing was measured: look as far both ways
        moves += [change / 2 - 0.1, change * 2 + 0.1]
    return Interval(
        _share(known[-1] + min(moves) * doublings - NOISE),
        _share(known[-1] + max(moves) * doublings + NOISE),
    )


def _change(known: Sequence[float]) -> float:
    """The change with each doubling: by least squares, or the last one if the changes turn."""
    changes = [after - before for before, after in pairwise(known)]
    if min(changes) < 0 < max(changes):
        return changes[-1]
    middle, mean = (len(known) - 1) / 2, math.fsum(known) / len(known)
    squares = math.fsum((n - middle) ** 2 for n in range(len(known)))
    return math.fsum((n - middle) * (one - mean) for n, one in enumerate(known)) / squares


def _log_odds(share: float) -> float:
    inside = min(1 - END, max(END, share))
    return math.log(inside / (1 - inside))


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
