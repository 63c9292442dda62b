"""The seal of a trail: if the trail is run on other data, it fails before it releases anything.

The decisions of a trail are for the rows that it read. The seal follows the checker's verdict, and
compares the rows of the release with the rows that were checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.run.session import Session
from setveil.sql.trail import seal as sql

RELEASE = "release"


def sealed(
    session: Session, query: exp.Select, columns: Sequence[str], relation: str = RELEASE
) -> exp.Select:
    """A query over a relation of the release that fails if these columns change before it runs."""
    if session.dry:
        return query
    part = relation.removeprefix(RELEASE)
    if f"seal{part}" not in session.relations:
        session.create(sql.fingerprint(columns, relation, part))
        held, digest = session.one(sql.told(part))
        judged = "check_verdict" in session.relations
        session.create(sql.seal(int(held), int(digest), part, judged=judged))
    return sql.sealed(query, part)
