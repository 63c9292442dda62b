"""The divergence of pairs of a sensitive item and another: our reading of Figure 9."""

from __future__ import annotations

from sqlglot import exp

from setveil.run.session import Session
from setveil.sql import pairs


def pair_divergence(session: Session, before: exp.Query, after: exp.Query) -> float:
    """KL(T || M) / 2 + KL(T' || M) / 2 over the supports of pairs, M being the mean, in nats.

    Both queries have rows (code, item, support). Jia et al., DASFAA 2014, section 4.1: KL alone is
    infinite if a pair has a support on one side only. 0 if a side has no pair.
    """
    session.create(pairs.pairs(before, after))
    first, second, all_before, all_after = map(int, session.one(pairs.divergence()))
    if not all_before or not all_after:
        return 0.0
    return max(0.0, (first / all_before + second / all_after) / 2)
