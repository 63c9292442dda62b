"""Large data is tried on two samples, one half of the other; the costs of both bound the cost.

More transactions lift supports, so promises that count to k lose less of larger data. The last
doubling's change of the loss, as log-odds, says how much the doublings that are left may change it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from setveil.run.reading import Baskets, owners_of, query_beside, read_beside
from setveil.sql.advising.sample import part

LARGE = 3_000_000  # occurrences; smaller data is tried whole
TRIED = 2_000_000  # occurrences of the larger sample
# Each doubling of the data moves the log-odds of the loss. These are the least and the greatest
# such change, as multiples of the last known one; DRIFT is added to both ends.
FURTHER = (0.5, 2.0)
DRIFT = 0.15
NOISE = 0.1  # of the log-odds, from the draw of the sample
END = 0.001  # losses nearer to 0 or 1 are taken for this


@dataclass(frozen=True, slots=True)
class Interval:
    """The least and the greatest share that the whole data may lose."""

    least: float
    greatest: float


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


def interval(smaller: float, larger: float, parts: int) -> Interval:
    """The loss of the whole data, from the losses of a sample of 1 / `parts` and of half of it."""
    doublings, change = math.log2(parts), _log_odds(larger) - _log_odds(smaller)
    least, greatest = sorted(times * change for times in FURTHER)
    return Interval(
        _share(_log_odds(larger) + (least - DRIFT) * doublings - NOISE),
        _share(_log_odds(larger) + (greatest + DRIFT) * doublings + NOISE),
    )


def _log_odds(share: float) -> float:
    inside = min(1 - END, max(END, share))
    return math.log(inside / (1 - inside))


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
