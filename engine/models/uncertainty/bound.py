"""A lower bound on the loss: no rho-uncertain release of the same data suppresses less.

Let r be a transaction of L items, S of them sensitive. Let r' be its items in a release with
rho < 1. Suppose that r' keeps a sensitive item e and other items q. The rule q -> e is safe, so
some other transaction holds q without e. Let M be the largest number of items that r shares with
any other transaction of the original. Then |r'| - 1 is at most M, and r loses at least L - M - 1
occurrences. If r' keeps no sensitive item, r loses at least S. If r' keeps e alone, r loses L - 1.
So r loses at least min(S, L - M - 1, L - 1), or 0 if that is negative. An occurrence belongs to one
transaction, so the losses of all transactions add up.

Only an M of at least L - S changes the minimum. A transaction that shares L - S items with r holds
at least one of any S + 1 items of r. So it is enough to compare r with transactions that hold one
of its S + 1 rarest items. If these comparisons are few, M is exact. If not, M is exact for
transactions that share an item outside the most frequent ones. For all others M is replaced by the
number of frequent items in r, which is not smaller.
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
    session.create(sql.shared(common, transactions, 0, turns))
    for turn in range(1, turns):
        session.append(sql.shared(common, transactions, turn, turns))
    (least,) = map(int, session.one(sql.least_loss()))
    return least
