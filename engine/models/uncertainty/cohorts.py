"""Count harmless itemsets of guarded transactions in all transactions, in turns on large data."""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.uncertainty import cohorts as sql
from setveil.sql.step import Step
from setveil.sql.subsets import Frame

TOGETHER = 3  # sizes before a question, where statements are dear
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
    if turns == 1 and session.backend.can.dear:
        _count_at_once(session, frame)
        return
    rows = 1
    for size in range(1, max(2, frame.most)):
        reached = sql.reached(frame, size, turn, turns)
        if rows:
            if reached.name in session.relations:
                session.drop(reached.name)
            session.create(reached, compact=False)
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
