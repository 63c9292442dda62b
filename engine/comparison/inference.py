"""The surest rule that tells a sensitive item: what rho-uncertainty bounds, exactly.

The checker names the worst rules above a bound; asked again above the worst that it named, until
there is none, it has named the worst of all, whatever an attacker knows. Jia, Pan, Hu, Xie, Xu,
Zhu, Lo: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from setveil.models.uncertainty.check import UnsafeRule, check_uncertainty
from setveil.run.session import Session


def surest_rule(
    session: Session, cells: exp.Expr, sensitive: exp.Expr, owners: exp.Expr | None = None
) -> UnsafeRule | None:
    """The rule of highest confidence, or None if no sensitive item meets another item.

    With `owners`, rows (key, person), an attacker counts transactions or persons: the higher share
    is the confidence. Of equals one of the fewest items, and of those the one in most transactions.
    """
    best, surest = Fraction(0), None
    while best < 1:
        verdict = check_uncertainty(session, cells, sensitive, rho=best, limit=1, owners=owners)
        if verdict.holds:
            break
        (surest,) = verdict.violations
        best = sureness(surest)
    return surest


def sureness(rule: UnsafeRule) -> Fraction:
    """The share of transactions that the rule tells truly, or of persons, if it is higher."""
    share = Fraction(rule.support, rule.of)
    if rule.persons is None or rule.of_persons is None:
        return share
    return max(share, Fraction(rule.persons, rule.of_persons))
