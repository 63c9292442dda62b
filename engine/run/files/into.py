"""Write a release to a table in the database of the source."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

from sqlglot import exp

from setveil.backends.local import tables
from setveil.errors import InputError
from setveil.run.files import pulling
from setveil.run.files.publishing import publish, put_in_order
from setveil.run.files.source import Source
from setveil.run.interrupts import WRITTEN
from setveil.run.session import Session

PUSHED = "published"  # the relation that is sent to a server


@contextlib.contextmanager
def published_table(
    session: Session,
    source: Source,
    query: exp.Query,
    table: str,
    *,
    own: Collection[str],
    force: bool,
) -> Iterator[None]:
    """Make the table in the database of the source; it stays if the block ends without an error.

    `own` are columns that the source has too.
    """
    _refuse_table(source, table)
    if session.backend.server is not None and not session.dry:
        query = session.backend.server.as_released(query, own)
    with _table(session, source, query, table, force=force):
        yield
    if not session.dry:
        WRITTEN.append(table)


@contextlib.contextmanager
def _table(
    session: Session, source: Source, query: exp.Query, table: str, *, force: bool
) -> Iterator[None]:
    backend = session.backend
    if source.pulled:
        assert source.database is not None
        ordered = put_in_order(session, query, PUSHED)
        with pulling.pushed(session, source.database, source.name, ordered, table, force=force):
            yield
        return
    if backend.server is not None:
        with backend.server.published(query, table, force, lambda text: publish(session, text)):
            yield
        return
    with tables.made(session, source, query, table, force=force):
        yield


def check_table(session: Session, source: Source, table: str, *, force: bool) -> None:
    """Refuse a table that cannot be made, before any work."""
    _refuse_table(source, table)
    if session.dry:
        return
    if source.pulled:
        assert source.database is not None
        pulling.check_table(session, source.database, source.name, table, force=force)
    elif session.backend.server is not None:
        session.backend.server.check_table(table, force)
    else:
        tables.check(session, source, table, force=force)


def _refuse_table(source: Source, table: str) -> None:
    if source.is_file:
        raise InputError("--into needs a database: give --database, or --out for a file")
    if not table or "\0" in table:
        raise InputError(f"{table!r} is no name for a table")
