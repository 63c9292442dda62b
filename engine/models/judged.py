"""Checkers: each reads a release again and checks it by the definition of its model.

A checker shares no query with the anonymizer.
"""

from __future__ import annotations

from setveil.errors import InputError
from setveil.run.session import Session
from setveil.run.words import counted


def refuse_unkeyed(session: Session, unkeyed: int) -> None:
    """Refuse rows without a transaction, which no promise covers."""
    if unkeyed:
        raise InputError(f"the release has {counted(unkeyed, 'row')} with NULL for a transaction")


def begin_check(session: Session) -> None:
    """Drop the relations of an earlier check: their names begin with check_."""
    for name in _relations(session):
        session.drop(name)


def end_check(session: Session) -> None:
    """Give back the relations of this check."""
    for name in _relations(session):
        session.give_back(name)


def _relations(session: Session) -> list[str]:
    return [name for name in session.relations if name.startswith("check_")]
