"""Form the groups, as CAHD does, but in every part of the order at once."""

from __future__ import annotations

from dataclasses import dataclass

from setveil.errors import UnreachableError
from setveil.run.session import Session
from setveil.run.words import counted, printable
from setveil.sql.models.permutation import group as sql

NEIGHBOURS = 3  # alpha of CAHD: a group is chosen among 2 * alpha * degree transactions
IDLE = 3  # rounds without a group that end the search
TRIES = 24  # groups that a transaction tries to join
SLOW = 50  # a round of fewer groups than windows / SLOW counts as one without


@dataclass(frozen=True, slots=True)
class Formed:
    """The parts of the order that were cut, and the rounds in which groups were formed."""

    cuts: int
    rounds: int


def refuse_crowded(session: Session, degree: int) -> None:
    """Refuse an item that too many transactions hold: no grouping could hide it."""
    if found := session.ask(sql.crowded(degree)):
        name, held, transactions = found[0]
        raise UnreachableError(
            f"{printable(str(name))} is held by {held:,} of the {transactions:,} transactions with "
            f"other items, more than 1 in {degree:,}: some group would hold it too often; lower "
            "the degree, or suppress the item first"
        )


def form(session: Session, degree: int, *, blank: bool, persons: bool) -> Formed:
    """Make member(tid, team) of the transactions in `queue`, whose clashes are in `clash`.

    Transactions without other items are groups of their own, if the release shows such `blank`
    ones. With `persons` a group has at most one transaction of a person.
    """
    width = 2 * NEIGHBOURS * degree
    cuts = _cut(session, width, degree)
    session.create(sql.opened(cuts))
    rounds = idle = 0
    while idle < IDLE and session.counted(sql.windows(rounds + 1, width, degree)):
        rounds += 1
        idle = 0 if _round(session, rounds, degree) else idle + 1
    tries = _settle(session, rounds, degree, persons=persons)
    session.create(sql.members(tries, blank=blank, persons=persons))
    return Formed(cuts, rounds)


def _settle(session: Session, rounds: int, degree: int, *, persons: bool) -> int:
    """Have what is left of a part join other groups where it cannot be one; return the tries."""
    session.create(sql.rests(rounds))
    session.create(sql.settled(rounds))
    if not persons:
        return 0
    tries, left = 0, session.counted(sql.loose())
    while left and tries < TRIES:
        for step in (
            sql.wooed(tries),
            sql.refused(tries),
            sql.joined(tries),
            sql.resettled(tries),
        ):
            session.create(step)
        left = session.counted(sql.still_loose(tries))
        tries += 1
    (missing,) = session.one(sql.unsettled(tries))
    if missing:
        raise UnreachableError(
            f"{counted(missing, 'transaction')} with sensitive items found no group of {degree:,} "
            "in which their person and their items are alone; lower the degree"
        )
    return tries


def _cut(session: Session, width: int, degree: int) -> int:
    """Cut the order into parts as small as possible; return the number of levels."""
    session.create(sql.whole())
    level = 0
    while session.counted(sql.halves(level, width)):
        session.create(sql.uncut(level, degree))
        if not session.counted(sql.cut(level)):
            return level + 1
        level += 1
    return level


def _round(session: Session, number: int, degree: int) -> bool:
    """Form a group in every window; return whether enough were formed to go on."""
    for step in (
        sql.scarce(number, degree),
        sql.seeds(number),
        sql.barred(number),
        sql.likened(number),
        sql.passed_over(number),
        sql.drawn(number, degree),
        sql.given_up(number),
    ):
        session.create(step)
    formed = session.counted(sql.formed(number))
    (windows,) = session.sizes(f"seed_{number}")
    session.create(sql.reopened(number))
    for name in ("window", "likened", "drawn", "open"):
        session.give_back(f"{name}_{number}")
    return formed * SLOW > windows * degree
