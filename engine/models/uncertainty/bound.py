"""A bound on what must be lost: no rho-uncertain release of the same data suppresses less.

Let r be a transaction of L items, S of them sensitive, and let r' be what a release with rho < 1
leaves of it. If r' keeps a sensitive item e and something else, then r' without e -> e is a rule of
it, at most rho of whose holders hold e: some other transaction holds all of r' without e. So
|r'| - 1 is at most M, the most items that r shares with any other transaction of the original, and
at least L - M - 1 occurrences of r are lost. If r' keeps no sensitive item, S are; if it keeps one
and nothing else, L - 1 are. So r loses at least min(S, L - M - 1, L - 1), or nothing if that is
negative, and the losses of all transactions add up: an occurrence belongs to one of them.

An M below L - S changes nothing, and whoever shares L - S items of r holds one of any S + 1 of
them: r only meets others in its S + 1 rarest items. M is counted exactly where transactions are few
enough to meet in each of these. Where not, it is exact if two share an item that is not among the
most frequent; of those that share no other, it is taken to be all the frequent items that r holds,
which is no less.
"""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.uncertainty import bound as sql

EXACT = 20_000_000  # meetings of two transactions in an item, up to which M is exact
TURN = 10_000_000  # that are counted in one turn


def least_loss(session: Session, transactions: int) -> int:
    """How many occurrences every release with rho < 1 loses, whatever is suppressed."""
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
