"""Statements that no trail keeps, since they are about all transactions; `--explain` shows them."""

from __future__ import annotations

from sqlglot import exp

from setveil.backends import Row
from setveil.run.session import Session
from setveil.sql.step import Step, render


def make(session: Session, step: Step) -> None:
    """Make a relation of the run."""
    dialect = session.backend.can.dialect
    if session.dry:
        session.tell(step.name, step.why, step.create(dialect))
        return
    place = session.backend.of_run(step.name)
    session.backend.execute(step.name, step.create(dialect, place))


def make_again(session: Session, step: Step) -> None:
    """Make a relation of the run in the place of an older one."""
    place = session.backend.of_run(step.name)
    gone = exp.Drop(tables=[place], kind="TABLE", exists=True)
    session.backend.execute(step.name, render(gone, session.backend.can.dialect))
    make(session, step)


def row_of(session: Session, step: Step) -> Row:
    """The single row of a question that always has one."""
    return session.one(step) if session.dry else session.look_up(step)[0]
