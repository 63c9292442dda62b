"""Measure how hiding changed the frequent itemsets at a given support.

D is the original and D' the release. P and P' are their itemsets with at least `support`
transactions. R_P are the itemsets of P that contain a restrictive pattern, ~R_P the others.
Oliveira and Zaïane, TR 02-13, 2002, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.mine.search import Frequent, frequent_itemsets
from setveil.run.reading import Baskets
from setveil.sql.mine import patterns as sql

BEFORE, AFTER = "frequent", "refound"


@dataclass(frozen=True, slots=True)
class PatternMeasures:
    """The paper's measures, and the counts that they are computed from."""

    support: int
    restrictive: int  # #R_P(D)
    disclosed: int  # #R_P(D')
    legitimate: int  # #~R_P(D)
    found: int  # #~R_P(D')
    hiding_failure: float
    misses_cost: float
    artifactual_patterns: float


def hiding_failure(disclosed: int, restrictive: int) -> float:
    """HF = #R_P(D') / #R_P(D): the share of restrictive patterns that are still discovered."""
    return disclosed / restrictive if restrictive else 0.0


def misses_cost(found: int, legitimate: int) -> float:
    """MC = (#~R_P(D) - #~R_P(D')) / #~R_P(D): the share of legitimate patterns that are missed."""
    return (legitimate - found) / legitimate if legitimate else 0.0


def artifactual_patterns(common: int, after: int) -> float:
    """AP = (|P'| - |P & P'|) / |P'|: the share of patterns that only the release has."""
    return (after - common) / after if after else 0.0


def mine_original(baskets: Baskets, support: int) -> Frequent:
    """Make frequent_n, the itemsets of the original, and mark the restrictive ones."""
    return _mine(baskets, exp.to_table("occurrence"), support, BEFORE)


def pattern_measures(baskets: Baskets, before: Frequent) -> PatternMeasures:
    """Mine the occurrences that are not in suppressed(tid, item), and compare with the original."""
    session = baskets.session
    session.create(sql.remaining())
    after = _mine(baskets, exp.to_table("remaining"), before.least, AFTER)
    session.give_back("remaining")
    sizes = min(len(before.counts), len(after.counts))
    common = sum(int(itemsets) for _, itemsets in session.ask(sql.common(BEFORE, AFTER, sizes)))
    all_before, restrictive, all_after, disclosed = session.one(sql.sizes(BEFORE, AFTER))
    return measured(
        before.least,
        restrictive,
        disclosed,
        all_before - restrictive,
        all_after - disclosed,
        artifactual_patterns(common, all_after),
    )


def measured(
    support: int,
    restrictive: int,
    disclosed: int,
    legitimate: int,
    found: int,
    artifactual: float,
) -> PatternMeasures:
    """Compute the measures from the counts."""
    return PatternMeasures(
        support=support,
        restrictive=restrictive,
        disclosed=disclosed,
        legitimate=legitimate,
        found=found,
        hiding_failure=hiding_failure(disclosed, restrictive),
        misses_cost=misses_cost(found, legitimate),
        artifactual_patterns=artifactual,
    )


def _mine(baskets: Baskets, occurrences: exp.Expr, support: int, found: str) -> Frequent:
    session = baskets.session
    mined = frequent_itemsets(
        session,
        occurrences,
        items=baskets.items,
        transactions=baskets.transactions,
        least=support,
        found=found,
    )
    sizes = len(mined.counts)
    for step in (sql.itemsets(found, sizes), sql.members(found, sizes), sql.restrictive(found)):
        if step.name in session.relations:  # made by a search at another support
            session.drop(step.name)
        session.create(step)
    return mined
