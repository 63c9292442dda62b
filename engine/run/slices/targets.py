"""Targets: a folder of Parquet files, or a table of a DuckDB file or of a server.

A target says which slices it has, with a digest of each, and makes the next slice appear whole.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import cast
from urllib.parse import quote

from sqlglot import exp

from setveil.backends.local import tables
from setveil.backends.server import Appends, Server
from setveil.errors import DatabaseError, InputError
from setveil.run.files import publishing
from setveil.run.files.source import Source
from setveil.run.inputs import Inputs
from setveil.run.session import Session
from setveil.run.slices.folder import Closing, Folder, Held, refuse_other_columns
from setveil.run.slices.ledger import Ledger, ServerLedger
from setveil.run.slices.lock import Lock, taken
from setveil.sql.run.slices import target as sql_target
from setveil.sql.run.slices.target import SLICE
from setveil.sql.step import render

LONGEST = 45  # bytes of the name of a table on a server, since its ledger has longer ones


class Table:
    """A table of a DuckDB file, whose column `slice` says which rows are of which slice."""

    def __init__(self, name: str, database: str) -> None:
        self.name, self.database = name, os.path.realpath(database)
        self._ledger = f"{self.database}.{quote(name.casefold(), safe='')}.ledger"

    def ledger(self, session: Session) -> Ledger:
        return Ledger(session, self._ledger)

    def lock(self) -> Closing:
        """The lock of the target, until it is closed."""
        return Lock(f"{self._ledger}.lock", self.name)

    def refuse(self) -> None:
        """Refuse a name that has no ledger of its own."""
        if not self.name or "\0" in self.name:
            raise InputError(f"{self.name!r} is no name for a table")

    def refuse_inside(self, option: str, path: str | Path | None) -> None:
        """No file is inside a table."""

    def refuse_source(self, inputs: Inputs) -> None:
        """The table that is read is refused where the place of the new one is found."""

    def held(self, session: Session, source: Source) -> Held:
        """The slices of the table, by one query."""
        return _held_in(session, self.rows(session, source), self.name)

    def shown(self, number: int) -> str:
        return self.name

    def rows(self, session: Session, source: Source) -> exp.Expr | None:
        """The rows of all slices, as a relation."""
        return tables.found(session, source, self.name)

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[str, str, int | None, str]]:
        """Add the rows of the slice in one transaction, which ends with the block."""
        columns = [one.output_name for one in query.selects]
        made = sql_target.with_slice(query, number)
        _refuse_others(session, self.name, self.rows(session, source), made)
        held, digest = _digest_of(session, made, columns)
        with tables.appended(session, source, made, self.name):
            yield "", self.name, held, digest

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Replace the rows of a slice in one transaction, which ends with the block."""
        columns = [one.output_name for one in query.selects]
        made = sql_target.with_slice(query, number)
        told = _digest_of(session, made, columns)
        with tables.replaced(session, source, made, self.name, _of(number)):
            yield told


def _of(number: int) -> exp.Expr:
    """The condition that a row is of a slice."""
    return exp.column(SLICE).eq(exp.Literal.number(number))


class ServerTable:
    """A table on a server, where the slice and its ledger are committed together."""

    def __init__(self, name: str, server: Server) -> None:
        self.name, self._server = name, server
        self.place = self._appends.target(name)
        if len(self.place.name.encode()) > LONGEST:
            raise InputError(f"{name!r}: the name of a target has at most {LONGEST} bytes")

    @property
    def _appends(self) -> Appends:
        assert self._server.appends
        return cast(Appends, self._server)

    def refuse(self) -> None:
        """Refuse a table that others can change."""
        if self._appends.is_there(self.place):
            self._appends.refuse_unsafe(self.place, private=False)

    def refuse_inside(self, option: str, path: str | Path | None) -> None:
        """Refuse a trail: none is written of a slice on a server."""
        if path is not None:
            raise InputError(f"{option}: no trail is written of a slice on a server: leave it out")

    def refuse_source(self, inputs: Inputs) -> None:
        """The table that is read was refused where the place of the target was found."""

    def ledger(self, session: Session) -> Ledger:
        return ServerLedger(session, self._appends, self.place)

    def lock(self) -> Closing:
        """The lock of the target, which ends with the run."""
        if not self._appends.lock(self.place):
            raise DatabaseError(taken(self.name))
        return contextlib.ExitStack()

    def held(self, session: Session, source: Source) -> Held:
        """The slices of the table, by one query."""
        return _held_in(session, self.rows(session, source), self.name)

    def shown(self, number: int) -> str:
        return self.name

    def rows(self, session: Session, source: Source) -> exp.Expr | None:
        """The rows of all slices, as a relation."""
        return self.place if self._appends.is_there(self.place) else None

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[str, str, int | None, str]]:
        """Add the rows of the slice, and commit the run after the block."""
        columns = [one.output_name for one in query.selects]
        own = [one for one in columns if one != SLICE]
        made = self._server.as_released(sql_target.with_slice(query, number), own)
        _refuse_others(session, self.name, self.rows(session, source), made)
        held, digest = _digest_of(session, made, columns)
        with self._appends.appended(made, self.place, partial(publishing.publish, session)):
            yield "", self.name, held, digest

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Replace the rows of a slice; the run is committed later, with all of them."""
        columns = [one.output_name for one in query.selects]
        made = sql_target.with_slice(query, number)
        yield _digest_of(session, made, columns)
        dialect = session.backend.can.dialect
        gone = exp.Delete(this=self.place.copy(), where=exp.Where(this=_of(number)))
        publishing.publish(session, render(gone, dialect))
        insert = exp.Insert(this=self.place.copy(), expression=made)
        publishing.publish(session, render(insert, dialect))


Target = Folder | Table | ServerTable


def target_of(name: str, session: Session, source: Source) -> Target:
    """The target of a run: a table of the database of the source, or a folder."""
    server = session.backend.server
    if source.pulled or source.connected or (server is not None and not server.appends):
        raise InputError(
            "--append needs files, or tables of a DuckDB file or of PostgreSQL, where the rows of "
            "a slice and its ledger stay together: read the data from a file, or name one of these "
            "with --database"
        )
    if server is not None:
        return ServerTable(name, server)
    return Folder(name) if source.database is None else Table(name, source.database)


def _held_in(session: Session, place: exp.Expr | None, name: str) -> Held:
    """The slices of a table, with their rows and digests."""
    if place is None:
        return {}
    columns = list(session.backend.columns_of(place))
    if SLICE not in columns:
        raise InputError(f"{name!r} has no column {SLICE!r}: it is no target; name a new table")
    rows = session.look_up(sql_target.held(place, [one for one in columns if one != SLICE]))
    if any(number is None for number, *_ in rows):
        raise InputError(f"{name!r} has rows of no slice: only setveil writes to a target")
    return {int(number): (int(held), str(digest)) for number, held, digest in rows}


def _digest_of(session: Session, made: exp.Query, columns: list[str]) -> tuple[int, str]:
    """The number of rows of a slice, and their digest."""
    rows = session.look_up(sql_target.held(made.subquery("r"), columns))
    return (int(rows[0][1]), str(rows[0][2])) if rows else (0, "0")


def _refuse_others(session: Session, name: str, place: exp.Expr | None, made: exp.Query) -> None:
    if place is not None:
        kinds = session.backend.columns_of(place)
        refuse_other_columns(name, kinds, session.backend.columns_of(made.subquery("r")))
