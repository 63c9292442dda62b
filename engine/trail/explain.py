"""What a dry run would do, as text to read: for the database at hand, or in another's words."""

from __future__ import annotations

from collections.abc import Iterator

from setveil.run.session import Session
from setveil.sql.dialects import EXPORTS, preamble

HEAD = """\
-- What would run, in this order. Larger itemsets are only looked at while smaller
-- ones are left to extend; item numbers that a run decides on are not known yet.
"""
# What brings data within DuckDB's reach, and out of it: elsewhere that is done otherwise.
OF_DUCKDB = ("input", "settings", "run", "publish")


def explained(session: Session) -> Iterator[str]:
    """Every statement under its name and reason."""
    dialect = session.backend.can.dialect
    exported = dialect in EXPORTS
    if exported:
        yield f"-- Not run by us: what a run would say in the words of {dialect}."
    yield HEAD
    if exported and (needed := preamble(dialect)):
        yield needed
    for statement in session.statements:
        if not exported or statement.name not in OF_DUCKDB:
            yield str(statement)
