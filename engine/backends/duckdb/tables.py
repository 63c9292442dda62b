"""Write a release to a table in the database of the source, in one transaction."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
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

ATTACHED, SECOND, TARGET = "original", "second", "target"  # names of attached databases


@contextlib.contextmanager
def made(
    session: Session, source: Source, queries: Mapping[str, exp.Query], *, force: bool
) -> Iterator[None]:
    """Make the tables; they stay if the block ends without an error."""
    if session.dry:
        for table, query in queries.items():
            place = _target(session, source, table, _database(session, source, ATTACHED))
            place.set("catalog", exp.to_identifier(_database(session, source, TARGET), quoted=True))
            _make_table(session, place, query, table, force=force)
        yield
        return
    with _transaction(session, source):
        for table, query in queries.items():
            place = _target(session, source, table, _database(session, source, TARGET))
            _make_table(session, place, query, table, force=force)
        yield


@contextlib.contextmanager
def _transaction(session: Session, source: Source) -> Iterator[None]:
    """A transaction in the database of the source, which is attached for writing."""
    try:
        if source.database is not None:
            _attach_for_writing(session, source.database)
        session.backend.execute("publish", "BEGIN")
        yield
        session.backend.execute("publish", "COMMIT")
    except BaseException:
        with contextlib.suppress(QueryError):
            session.backend.execute("publish", "ROLLBACK")
        raise
    finally:
        with contextlib.suppress(QueryError):
            session.backend.execute("publish", f"DETACH DATABASE IF EXISTS {TARGET}")


def found(session: Session, source: Source, table: str) -> exp.Table | None:
    """The table that slices are appended to; None if it does not exist yet."""
    place = _target(session, source, table, _database(session, source, ATTACHED))
    return place if targets.is_there(session.backend.local, place) else None


@contextlib.contextmanager
def appended(session: Session, source: Source, rows: Mapping[str, exp.Query]) -> Iterator[None]:
    """Add rows to tables, or make them; they stay if the block ends without an error."""
    with _transaction(session, source):
        for table, query in rows.items():
            place = _target(session, source, table, _database(session, source, TARGET))
            if targets.is_there(session.backend.local, place):
                tree = exp.Insert(this=place, expression=query)
                session.run("publish", "the slice, as the checker passed it", render(tree))
            else:
                _make_table(session, place, query, table, force=False)
        yield


@contextlib.contextmanager
def replaced(
    session: Session, source: Source, rows: Mapping[str, exp.Query], where: exp.Expr
) -> Iterator[None]:
    """Replace the rows of tables that satisfy a condition by others."""
    with _transaction(session, source):
        for table, query in rows.items():
            place = _target(session, source, table, _database(session, source, TARGET))
            gone = exp.Delete(this=place, where=exp.Where(this=where.copy()))
            session.run("publish", "the slice gets other rows", render(gone))
            tree = exp.Insert(this=place, expression=query)
            session.run("publish", "the slice, as the checker passed it", render(tree))
        yield
    session.run("publish", "the database of the target", _attached_again(source))


def check(session: Session, source: Source, table: str, *, force: bool) -> None:
    """Refuse a table that cannot be made, before any work."""
    place = _target(session, source, table, _database(session, source, ATTACHED))
    if not force and targets.is_there(session.backend.local, place):
        raise InputError(_exists(table))


def _database(session: Session, source: Source, attached: str) -> str:
    """The name of the source's database: the attached name, or the name that the caller uses."""
    return attached if source.database is not None else session.backend.local.home[0]


def _exists(table: str) -> str:
    return f"{table!r} exists: choose another name, or --force to overwrite it"


def _target(session: Session, source: Source, table: str, database: str) -> exp.Table:
    """The place of the new table; a table that was read is refused."""
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


def _attached_again(source: Source) -> str:
    return f"ATTACH {render(exp.Literal.string(source.database or ''))} AS {ATTACHED} (READ_ONLY)"


def _attach_for_writing(session: Session, database: str) -> None:
    path = render(exp.Literal.string(database))
    why = "detach the database of the source, to attach it for writing"
    session.run("publish", why, f"DETACH DATABASE IF EXISTS {ATTACHED}")
    with reading(database):
        session.run("publish", "the database for the release", f"ATTACH {path} AS {TARGET}")
