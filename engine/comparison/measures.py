"""What a release is still good for, beside its original.

Jia, Pan, Hu, Xie, Xu, Zhu, Lo: rho-uncertainty anonymization by partial suppression, DASFAA 2014,
sections 2.2 and 4.1. The measures read a release in its run, until another model is run there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Any

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.backends import integers
from setveil.errors import InputError
from setveil.mine.itemsets import Support, least_support
from setveil.mine.rules import Rules, association_rules
from setveil.mine.search import frequent_itemsets
from setveil.run.reading import cells_of
from setveil.run.release import Release
from setveil.sql.comparison import measures as sql

Counts = Sequence[int]


@dataclass(frozen=True, slots=True)
class Distribution:
    """How far the distribution of the items is from that of the original."""

    information_loss: float
    kl: float
    symmetric_kl: float


@dataclass(frozen=True, slots=True)
class MinedRules:
    """How much of what can be mined is what could be mined before."""

    least: int  # transactions that hold a rule's items, at least
    before: int
    after: int
    common: int
    jaccard: float


def information_loss(before: Counts, after: Counts) -> float:
    """NS(T, T') = sum (sup_T(e) - sup_T'(e)) / sum sup_T(e), over all items e of T.

    0 if there was nothing to lose.
    """
    return (sum(before) - sum(after)) / max(1, sum(before))


def kl(p: Sequence[float], q: Sequence[float]) -> float:
    """KL(P || Q) = sum P(i) log (P(i) / Q(i)), in nats.

    What has no probability in P adds nothing, as in the limit; where Q has none and P has, the
    divergence is infinite. An item that a release adds nothing to is always in its original.
    """
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return float("inf")
    return max(0.0, fsum(x * log(x / y) for x, y in zip(p, q, strict=True) if x))


def symmetric_kl(p: Sequence[float], q: Sequence[float]) -> float:
    """S(H1 || H2) = KL(H1 || H1 u H2) / 2 + KL(H2 || H1 u H2) / 2, in nats.

    The union of two distributions is their mean: it is zero only where both are, so the measure is
    at most log 2.
    """
    union = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    return (kl(p, union) + kl(q, union)) / 2


def jaccard(common: int, before: int, after: int) -> float:
    """J(A, B) = |A n B| / |A u B|; two empty sets are the same: 1."""
    union = before + after - common
    return common / union if union else 1.0


def distribution(release: Release[Any]) -> Distribution:
    """Compare the shares of the items in all that is left with those in all that was.

    KL is KL(T' || T), and P(i) the support of i over the sum of all supports; 0 for all of it if
    nothing is left.
    """
    session = release.baskets.session
    _put_in_numbers(release)
    found = session.arrays(sql.supports())
    if session.dry:
        return Distribution(0.0, 0.0, 0.0)
    before = integers(found["original"]).tolist()
    after = integers(found["remaining"]).tolist()
    if not sum(after):
        return Distribution(information_loss(before, after), 0.0, 0.0)
    p, q = _probabilities(after), _probabilities(before)
    return Distribution(information_loss(before, after), kl(p, q), symmetric_kl(p, q))


def mined_rules(
    release: Release[Any],
    *,
    min_confidence: Share,
    min_support: Support = "0.05%",
    max_consequent: int = 1,
) -> MinedRules:
    """Mine the rules of the original and of the release, and compare them: J(R(T), R(T')).

    Rules are the same if their sides are. The paper asks for the confidence rho, and the minimum
    support of 0.05 %. UnreachableError: there are too many.
    """
    baskets, session = release.baskets, release.baskets.session
    confidence = share(min_confidence, "min_confidence")
    least = least_support(min_support, baskets.transactions)
    _put_in_numbers(release)

    def mine(occurrences: str, name: str) -> Rules:
        found = frequent_itemsets(
            session, exp.to_table(occurrences), items=baskets.items,
            transactions=baskets.transactions, least=least, found=f"{name}_itemset",
        )  # fmt: skip
        return association_rules(
            session, found, confidence=confidence, max_consequent=max_consequent,
            rules=f"{name}_rule",
        )  # fmt: skip

    before, after = mine("occurrence", "original"), mine("released", "remaining")
    sizes = sorted(before.counts.keys() & after.counts.keys())
    common = 0
    if sizes:
        sides = [{size: one.relation(*size) for size in sizes} for one in (before, after)]
        (common,) = session.one(sql.common_rules(*sides))
    return MinedRules(
        least, before.total, after.total, common, jaccard(common, before.total, after.total)
    )


def _probabilities(counts: Counts) -> list[float]:
    total = sum(counts)
    return [count / total for count in counts]


def _put_in_numbers(release: Release[Any]) -> None:
    """Leave released(tid, item), anew."""
    baskets, session = release.baskets, release.baskets.session
    if release.run != session.runs:
        raise InputError("this release is gone: another model was run on the same baskets")
    if "basket" not in session.relations:
        raise InputError("the original is gone: read it without once=True to compare it")
    if "released" in session.relations:
        session.drop("released")
    session.create(sql.released(cells_of(session, baskets.shape, "release")))
