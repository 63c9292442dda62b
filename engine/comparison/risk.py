"""How much data gives away to attackers who know up to 1, 2, … p public items of somebody.

They single a transaction out if fewer than k transactions hold what they know of it; for k = 2, if
it is the only one. The breach probability of what they know is the largest share of those that hold
it with one same private item. Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication,
KDD 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from setveil.models.coherence.promise import Level, Promise
from setveil.models.coherence.search import find_moles
from setveil.run.reading import Baskets
from setveil.sql.comparison import changes as comparison
from setveil.sql.comparison import inspection


@dataclass(frozen=True, slots=True)
class Risk:
    """Shares of all transactions, by attackers of power 1, 2, … p.

    `breach` is the highest breach probability of any set of up to p public items that some
    transaction holds, the empty set included; None where no item is private.
    """

    unique: tuple[float, ...]
    singled_out: tuple[float, ...]
    breach: float | None


def risk_of(baskets: Baskets, promise: Promise, *, plan: str = "auto") -> Risk:
    """The risk by attackers who know items of public_item and look for those of private_item."""
    singled = singled_out(baskets, promise, plan=plan)
    unique = singled if promise.k == 2 else singled_out(baskets, replace(promise, k=2), plan=plan)
    return Risk(unique, singled, highest_breach(baskets, promise, plan=plan))


def singled_out(baskets: Baskets, promise: Promise, *, plan: str = "auto") -> tuple[float, ...]:
    """The share of transactions that up to 1, 2, … p public items single out."""
    levels = find_moles(
        baskets.session, promise.without_secrets(), items=baskets.items,
        transactions=baskets.transactions, plan=plan, exposed=True,
    )  # fmt: skip
    return exposed_shares(baskets, levels, promise.p)


def exposed_shares(baskets: Baskets, levels: list[Level], p: int) -> tuple[float, ...]:
    """The shares of a search that marked transactions; each size after its end finds no more."""
    shares = [
        baskets.session.one(inspection.exposure(level.size))[0] / max(1, baskets.transactions)
        for level in levels
        if level.present
    ] or [0.0]
    return tuple(shares + [shares[-1]] * (p - len(shares)))


def highest_breach(baskets: Baskets, promise: Promise, *, plan: str = "auto") -> float | None:
    """Search for itemsets that reveal more than is known to be revealed, until there are none."""
    session = baskets.session
    if not promise.private:
        return None
    support, hits = session.one(comparison.knowing_nothing())
    best = Fraction(hits, max(1, support))
    while best < 1:
        levels = find_moles(
            session, replace(promise, h=best, k=1), items=baskets.items,
            transactions=baskets.transactions, plan=plan,
        )  # fmt: skip
        found = [
            Fraction(hits, support)
            for level in levels
            if session.supposed(level.revealing, 1)
            for support, hits in session.ask(comparison.breaches(level.size))
        ]
        if max(found, default=best) <= best:
            break
        best = max(found)
    return float(best)
