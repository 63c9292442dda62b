"""The seal of a trail: run again on other data, it ends in an error before it releases anything.

What a trail does was decided for the rows that it read. The seal stands behind the checker's
verdict, and says that the release has the rows which that was about.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.run.session import Session
from setveil.sql.trail import seal as sql


def sealed(session: Session, query: exp.Select, columns: Sequence[str]) -> exp.Select:
    """A query over `release` that fails wherever these columns are not as they are now."""
    if session.dry:
        return query
    if "seal" not in session.relations:
        session.create(sql.fingerprint(columns))
        held, digest = session.one(sql.told())
        session.create(
            sql.seal(int(held), int(digest), judged="check_verdict" in session.relations)
        )
    return sql.sealed(query)
