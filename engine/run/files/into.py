"""Write a release to a table in the database of the source."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from functools import partial

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
def published_tables(
    session: Session,
    source: Source,
    queries: Mapping[str, exp.Query],
    *,
    own: Collection[str],
    force: bool,
) -> Iterator[None]:
    """Make the tables in the database of the source; they stay if the block has no error.

    `own` are columns that the source has too.
    """
    for table in queries:
        _refuse_table(source, table)
    if (server := session.backend.server) is not None and not session.dry:
        queries = {name: server.as_released(one, own) for name, one in queries.items()}
    with _tables(session, source, queries, force=force):
        yield
    if not session.dry:
        WRITTEN.extend(queries)


@contextlib.contextmanager
def _tables(
    session: Session, source: Source, queries: Mapping[str, exp.Query], *, force: bool
) -> Iterator[None]:
    backend = session.backend
    if source.pulled:
        assert source.database is not None
        ordered = {
            name: put_in_order(session, query, f"{PUSHED}_{number}" if number else PUSHED)
            for number, (name, query) in enumerate(queries.items())
        }
        with pulling.pushed(session, source.database, source.name, ordered, force=force):
            yield
        return
    if backend.server is None:
        with tables.made(session, source, queries, force=force):
            yield
        return
    with contextlib.ExitStack() as made:
        for number, (name, query) in enumerate(queries.items()):
            more = {"inside": True} if number else {}
            run = partial(publish, session)
            made.enter_context(backend.server.published(query, name, force, run, **more))
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
    if source.frame is not None:
        raise InputError("a frame has no database to write to: use --out")
    if source.is_file:
        raise InputError("--into needs a database: give --database, or --out for a file")
    if not table or "\0" in table:
        raise InputError(f"{table!r} is no name for a table")
