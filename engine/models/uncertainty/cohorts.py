"""Count harmless itemsets of guarded transactions in all transactions, in turns on large data."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from setveil.run.session import Session
from setveil.sql.models.uncertainty import cohorts as sql
from setveil.sql.step import Step
from setveil.sql.subsets import Frame

TOGETHER = 3  # sizes before a question, where statements are dear
TURN = 4_000_000  # subsets of guarded transactions that are counted at once
SETTLING = 4  # times as many, where most are settled soon
FEW = 1_000  # transactions of the first share, at least
TIMES = 8  # a share and all before it have so many times the transactions before it
LARGE = 100_000  # transactions: fewer are read at once


def count_cohorts(
    session: Session, frame: Frame, transactions: int, subsets: int, *, evenly: bool
) -> None:
    """Make `cohort` from guarded transactions, of so many subsets, and from all others.

    With `evenly`, only `elsewhere`: the sets of guarded transactions are counted anew each time.
    """
    shares = _shares(transactions) if _settles(session, frame, evenly=evenly) else [None]
    turns = -(-subsets // (TURN if len(shares) == 1 else SETTLING * TURN)) or 1
    for turn in range(turns):
        if turn:
            session.drop("listed")
        pick = sql.Pick(turn, turns)
        session.create(sql.listed(frame, pick))
        for number, share in enumerate(shares):
            pick = replace(pick, share=share, sought="sought" if number else "listed")
            if number:
                session.anew(sql.sought(frame))
            _count_elsewhere(session, frame, pick)
        if evenly:
            continue
        _make_or_append(session, sql.cohorts(frame, pick))
        if turn + 1 < turns:
            session.drop("elsewhere")
    for name in ("listed", "sought", *(() if evenly else ("elsewhere",))):
        session.give_back(name)


def _settles(session: Session, frame: Frame, *, evenly: bool) -> bool:
    """May an itemset be settled before all transactions are read?

    Persons of two shares cannot be added up. With `evenly`, items return that were not listed.
    """
    return not (evenly or frame.persons or frame.rho == 0 or session.backend.can.dear)


def _shares(transactions: int) -> list[range | None]:
    """Shares of the transactions, each with many more than all before it together."""
    if transactions < LARGE:
        return [None]
    ends = [transactions]
    while ends[-1] > TIMES * FEW:
        ends.append(ends[-1] // TIMES)
    return [range(first, end) for first, end in pairwise([0, *reversed(ends)])]


def _count_elsewhere(session: Session, frame: Frame, pick: sql.Pick) -> None:
    """Count harmless itemsets in the transactions that are not guarded: these stay the same."""
    if pick.turns == 1 and session.backend.can.dear:
        _count_at_once(session, frame)
        return
    rows = 1
    for size in range(1, max(2, frame.most)):
        reached = sql.reached(frame, size, pick)
        if rows:
            session.anew(reached)
            (rows,) = session.sizes(reached.name)
        if rows or size == 1:
            _make_or_append(session, sql.elsewhere(frame, size))
            if frame.persons:
                _make_or_append(session, sql.outer_holders(frame, size))
        if size > 1 and f"reached_{size - 1}" in session.relations:
            session.drop(f"reached_{size - 1}")


def _count_at_once(session: Session, frame: Frame) -> None:
    """Count itemsets of all sizes in one statement, from relations that stay until then.

    A question comes after several sizes, of which the last ones may be in no transaction.
    """
    made: list[Step] = []
    for size in range(1, max(2, frame.most)):
        made.append(sql.reached(frame, size))
        session.create(made[-1])
        if size % TOGETHER == 0 and not session.sizes(made[-1].name)[0]:
            break
    sizes = range(1, len(made) + 1)
    session.create(sql.in_all_sizes(sql.elsewhere(frame, size) for size in sizes))
    if frame.persons:
        session.create(sql.in_all_sizes(sql.outer_holders(frame, size) for size in sizes))
    for one in made:
        session.leave(one.name)


def _make_or_append(session: Session, step: Step) -> None:
    if step.name in session.relations:
        session.append(step)
    else:
        session.create(step)
