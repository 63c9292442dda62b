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
