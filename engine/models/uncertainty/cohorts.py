"""Count harmless itemsets of guarded transactions in all transactions, in turns on large data."""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.uncertainty import cohorts as sql
from setveil.sql.step import Step
from setveil.sql.subsets import Frame

TURN = 4_000_000  # subsets of guarded transactions that are counted at once


def count_cohorts(session: Session, frame: Frame, subsets: int, *, evenly: bool) -> None:
    """Make `cohort` from guarded transactions, of so many subsets, and from all others.

    With `evenly`, only `elsewhere`: the sets of guarded transactions are counted anew each time.
    """
    turns = -(-subsets // TURN) or 1
    for turn in range(turns):
        if turn:
            session.drop("listed")
        session.create(sql.listed(frame, turn, turns))
        _count_elsewhere(session, frame, turn, turns)
        if evenly:
            continue
        _make_or_append(session, sql.cohorts(frame))
        if turn + 1 < turns:
            session.drop("elsewhere")
    session.give_back("listed")
    if not evenly:
        session.give_back("elsewhere")


def _count_elsewhere(session: Session, frame: Frame, turn: int, turns: int) -> None:
    """Count harmless itemsets in the transactions that are not guarded: these stay the same."""
    rows = 1
    for size in range(1, max(2, frame.most)):
        reached = sql.reached(frame, size, turn, turns)
        if rows:
            if reached.name in session.relations:
                session.drop(reached.name)
            rows = session.counted(reached)
        if rows or size == 1:
            _make_or_append(session, sql.elsewhere(frame, size))
            if frame.persons:
                _make_or_append(session, sql.outer_holders(frame, size))
        if size > 1 and f"reached_{size - 1}" in session.relations:
            session.drop(f"reached_{size - 1}")


def _make_or_append(session: Session, step: Step) -> None:
    if step.name in session.relations:
        session.append(step)
    else:
        session.create(step)
