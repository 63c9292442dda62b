"""Checkers: each reads a release again and judges it by the definition of its model.

None of them shares a query with what made the release.
"""

from __future__ import annotations

from setveil.errors import InputError
from setveil.run.session import Session
from setveil.run.words import counted


def refuse_unkeyed(session: Session, unkeyed: int) -> None:
    """Rows that belong to no transaction cannot be judged."""
    if unkeyed and not session.dry:
        raise InputError(f"the release has {counted(unkeyed, 'row')} with NULL for a transaction")
