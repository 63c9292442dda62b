"""How DuckDB makes the table of a release: in one transaction, in the database of the data."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import duckdb
from sqlglot import exp

from setveil.backends.duckdb import targets
from setveil.backends.duckdb.formats import reading
from setveil.backends.duckdb.statements import one_line
from setveil.errors import InputError, QueryError
from setveil.sql.step import render

if TYPE_CHECKING:
    from setveil.run.files.source import Source
    from setveil.run.session import Session

ATTACHED, SECOND, TARGET = "original", "second", "target"  # databases, as a run calls them


@contextlib.contextmanager
def made(
    session: Session, source: Source, query: exp.Query, table: str, *, force: bool
) -> Iterator[None]:
    """Make the table; it stays if the block ends well."""
    if session.dry:
        place = _target(session, source, table, _database(session, source, ATTACHED))
        place.set("catalog", exp.to_identifier(_database(session, source, TARGET), quoted=True))
        _make_table(session, place, query, table, force=force)
        yield
        return
    try:
        if source.database is not None:
            _attach_for_writing(session, source.database)
        place = _target(session, source, table, _database(session, source, TARGET))
        session.backend.execute("publish", "BEGIN")
        _make_table(session, place, query, table, force=force)
        yield
        session.backend.execute("publish", "COMMIT")
    except BaseException:
        with contextlib.suppress(QueryError):
            session.backend.execute("publish", "ROLLBACK")
        raise
    finally:
        with contextlib.suppress(QueryError):
            session.backend.execute("publish", f"DETACH DATABASE IF EXISTS {TARGET}")


def check(session: Session, source: Source, table: str, *, force: bool) -> None:
    """Refuse, before the work, a table that could not be made after it."""
    place = _target(session, source, table, _database(session, source, ATTACHED))
    if not force and targets.is_there(session.backend.local, place):
        raise InputError(_exists(table))


def _database(session: Session, source: Source, attached: str) -> str:
    """What the database of the data is called: as it is attached, or as the caller has it."""
    return attached if source.database is not None else session.backend.local.home[0]


def _exists(table: str) -> str:
    return f"{table!r} exists: choose another name, or --force to overwrite it"


def _target(session: Session, source: Source, table: str, database: str) -> exp.Table:
    """Where the table goes, which is nothing that was read."""
    backend = session.backend.local
    schema = "main" if source.database is not None else backend.home[1]
    place = targets.target_table(backend, table, database, schema)
    attached = source.database is not None
    targets.refuse_read(session.inputs, place, table, any_database=attached)
    return place


def _make_table(
    session: Session, place: exp.Table, query: exp.Query, table: str, *, force: bool
) -> None:
    tree = exp.Create(this=place, kind="TABLE", expression=query, replace=force)
    try:
        session.run("publish", "the release, as the checker passed it", render(tree))
    except QueryError as error:
        cause = error.__cause__
        if isinstance(cause, duckdb.CatalogException) and "already exists" in str(cause):
            raise InputError(_exists(table)) from error
        refused = isinstance(cause, duckdb.CatalogException) or "read-only" in str(cause)
        if refused and isinstance(cause, duckdb.Error):
            raise InputError(f"{table!r} cannot be made: {one_line(cause)}") from error
        raise


def _attach_for_writing(session: Session, database: str) -> None:
    path = render(exp.Literal.string(database))
    why = "the data was read; now its database is written to"
    session.run("publish", why, f"DETACH DATABASE IF EXISTS {ATTACHED}")
    with reading(database):
        session.run("publish", "where the release goes", f"ATTACH {path} AS {TARGET}")
