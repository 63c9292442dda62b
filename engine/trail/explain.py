"""Print the statements of a dry run, for its database or in another dialect."""

from __future__ import annotations

from collections.abc import Iterator

from setveil.run.session import Session
from setveil.sql.dialects import EXPORTS

HEAD = """\
-- These statements would run in this order. Larger itemsets are only counted while
-- smaller ones can be extended. The item numbers that a run chooses are not known yet.
"""
# Steps that let DuckDB read and write data: other databases do this in other ways.
OF_DUCKDB = ("input", "settings", "run", "publish")


def explained(session: Session) -> Iterator[str]:
    """Yield every statement with its name and reason."""
    dialect = session.backend.can.dialect
    exported = dialect in EXPORTS
    if exported:
        yield f"-- Untested: the statements of a run in the dialect of {dialect}."
    yield HEAD
    for statement in session.statements:
        if not exported or statement.name not in OF_DUCKDB:
            yield str(statement)
