"""A lower bound on the loss: no rho-uncertain release of the same data suppresses less.

Let r be a transaction of S sensitive items. Let r' be its items in a release with rho < 1. If r'
keeps no sensitive item, r loses at least S. Else r' keeps a sensitive item e and other items q. The
rule q -> e is safe, so some other transaction holds q without e. So r loses every item that this
transaction lacks in the original, but for e.

Let d be the fewest items of r that any other transaction lacks. Then r loses at least d - 1. If r
loses no more, each e that it keeps has a near transaction that lacks e and those d - 1 items: no
others. If no d - 1 items have one for each sensitive item beside them, r loses at least d. An
occurrence belongs to one transaction, so the losses of all transactions add up.

Only a d of at most S changes the result. A transaction that lacks at most S items of r holds at
least one of any S + 1 items of r. So it is enough to compare r with transactions that hold one of
its S + 1 rarest items. If these comparisons are few, d is exact. If not, d is exact for
transactions that share an item outside the most frequent ones. For all others the frequent items
of r count as shared, and r as one that may lose d - 1: neither makes the bound larger.
"""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.uncertainty import bound as sql

EXACT = 20_000_000  # comparisons of two transactions by an item, up to which M is exact
TURN = 10_000_000  # comparisons in one statement


def least_loss(session: Session, transactions: int) -> int:
    """The number of occurrences that every release with rho < 1 loses at least."""
    session.create(sql.commonness())
    session.create(sql.early())
    meetings, uncommon = map(int, session.one(sql.meetings()))
    common = 0 if meetings <= EXACT else sql.COMMON
    turns = -(-(uncommon if common else meetings) // TURN) or 1
    session.create(sql.outlines(common))
    session.create(sql.uncommon(common))
    session.create(sql.near(common, transactions, 0, turns))
    for turn in range(1, turns):
        session.append(sql.near(common, transactions, turn, turns))
    session.create(sql.nearest())
    session.create(sql.lacking())
    session.create(sql.kept_with_little())
    (least,) = map(int, session.one(sql.least_loss()))
    return least
