"""The seal of a trail: if the trail is run on other data, it fails before it releases anything.

The decisions of a trail are for the rows that it read. The seal follows the checker's verdict, and
compares the rows of the release with the rows that were checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.run.session import Session
from setveil.sql.trail import seal as sql


def sealed(session: Session, query: exp.Select, columns: Sequence[str]) -> exp.Select:
    """A query over `release` that fails if these columns change before it runs again."""
    if session.dry:
        return query
    if "seal" not in session.relations:
        session.create(sql.fingerprint(columns))
        held, digest = session.one(sql.told())
        session.create(
            sql.seal(int(held), int(digest), judged="check_verdict" in session.relations)
        )
    return sql.sealed(query)
