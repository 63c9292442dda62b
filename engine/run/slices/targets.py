"""Targets: a folder of Parquet files, or a table of a DuckDB file or of a server.

A target says which slices it has, with a digest of each, and makes the next slice appear whole. A
slice of two relations is in two tables.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast
from urllib.parse import quote

from sqlglot import exp

from setveil.backends.local import tables
from setveil.backends.server import Appends, Server
from setveil.errors import DatabaseError, InputError
from setveil.run.files import publishing
from setveil.run.files.parts import tables_of
from setveil.run.files.source import Source
from setveil.run.inputs import Inputs
from setveil.run.session import Session
from setveil.run.slices.folder import Closing, Folder, Held, Made, Queries, refuse_other_columns
from setveil.run.slices.ledger import Ledger, ServerLedger, WrittenLedger
from setveil.run.slices.lock import Lock, taken
from setveil.sql.run.slices import target as sql_target
from setveil.sql.run.slices.target import SLICE
from setveil.sql.step import render

NO_ROWS = (0, "0")  # the number of rows of a slice without any, and their digest
LONGEST = 45  # bytes of the name of a table on a server, since its ledger has longer ones


class Table:
    """A table of a DuckDB file, whose column `slice` says which rows are of which slice."""

    def __init__(self, name: str, database: str, *, in_parts: bool = False) -> None:
        self.name, self.database = name, os.path.realpath(database)
        self._tables = tables_of(name, in_parts=in_parts)
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
        return _held_in(session, [self.rows(session, source, one) for one in self._tables], self)

    def shown(self, number: int) -> str:
        return self.name

    def rows(self, session: Session, source: Source, part: str = "release") -> exp.Expr | None:
        """The rows of all slices, as a relation."""
        return tables.found(session, source, self._tables[part])

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, queries: Queries, number: int
    ) -> Iterator[Made]:
        """Add the rows of the slice in one transaction, which ends with the block."""
        made = _with_slice(queries, number)
        for part, query in made.items():
            _refuse_others(session, self.name, self.rows(session, source, part), query)
        told = _digest_of(session, made)
        with tables.appended(session, source, self._placed(made)):
            yield {}, self.name, *told

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, queries: Queries, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Replace the rows of a slice in one transaction, which ends with the block."""
        made = _with_slice(queries, number)
        told = _digest_of(session, made)
        with tables.replaced(session, source, self._placed(made), _of(number)):
            yield told

    def _placed(self, made: Mapping[str, exp.Query]) -> dict[str, exp.Query]:
        """The rows of each table."""
        return {self._tables[part]: query for part, query in made.items()}


def _of(number: int) -> exp.Expr:
    """The condition that a row is of a slice."""
    return exp.column(SLICE).eq(exp.Literal.number(number))


class ServerTable:
    """A table on a server, where the slice and its ledger are committed together."""

    def __init__(self, name: str, server: Server, *, in_parts: bool = False) -> None:
        self.name, self._server = name, server
        named = tables_of(name, in_parts=in_parts)
        self._places = {part: self._appends.target(one) for part, one in named.items()}
        self.place = self._places["release"]
        if len(self.place.name.encode()) > LONGEST:
            raise InputError(f"{name!r}: the name of a target has at most {LONGEST} bytes")

    @property
    def _appends(self) -> Appends:
        assert self._server.appends
        return cast(Appends, self._server)

    def refuse(self) -> None:
        """Refuse a table that others can change."""
        for place in self._places.values():
            if self._appends.is_there(place):
                self._appends.refuse_unsafe(place, private=False)

    def refuse_inside(self, option: str, path: str | Path | None) -> None:
        """Refuse a trail where no transaction holds its rows and those of the ledger together."""
        if path is not None and not self._appends.together:
            raise InputError(
                f"{option}: a slice is staged here before it is written, which no trail can run "
                "again: leave it out"
            )

    def refuse_source(self, inputs: Inputs) -> None:
        """The table that is read was refused where the place of the target was found."""

    def ledger(self, session: Session) -> Ledger:
        kind = ServerLedger if self._appends.together else WrittenLedger
        return kind(session, self._appends, self.place)

    def lock(self) -> Closing:
        """The lock of the target, which ends with the run."""
        if not self._appends.lock(self.place):
            raise DatabaseError(taken(self.name))
        held = contextlib.ExitStack()
        held.callback(self._appends.unlock, self.place)
        return held

    def held(self, session: Session, source: Source) -> Held:
        """The slices of the table, by one query."""
        return _held_in(session, [self.rows(session, source, one) for one in self._places], self)

    def shown(self, number: int) -> str:
        return self.name

    def rows(self, session: Session, source: Source, part: str = "release") -> exp.Expr | None:
        """The rows of all slices, as a relation."""
        place = self._places[part]
        return place if self._appends.is_there(place) else None

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, queries: Queries, number: int
    ) -> Iterator[Made]:
        """Add the rows of the slice, and commit the run after the block."""
        made = {}
        for part, query in _with_slice(queries, number).items():
            own = [one.output_name for one in query.selects if one.output_name != SLICE]
            made[part] = self._server.as_released(query, own)
            _refuse_others(session, self.name, self.rows(session, source, part), made[part])
        told = _digest_of(session, made)
        rows = [(self._places[part], query) for part, query in made.items()]
        with self._appends.appended(rows, number, partial(publishing.publish, session)):
            yield {}, self.name, *told

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, queries: Queries, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Replace the rows of a slice; the run is committed later, with all of them."""
        made = _with_slice(queries, number)
        if not self._appends.together:
            rows = [(self._places[part], query) for part, query in made.items()]
            with self._appends.appended(rows, number, partial(publishing.publish, session)):
                yield _digest_of(session, made)
            return
        yield _digest_of(session, made)
        dialect = session.backend.can.dialect
        for part, query in made.items():
            place = self._places[part]
            gone = exp.Delete(this=place.copy(), where=exp.Where(this=_of(number)))
            publishing.publish(session, render(gone, dialect))
            insert = exp.Insert(this=place.copy(), expression=query)
            publishing.publish(session, render(insert, dialect))

    def completes(self, session: Session, number: int, told: tuple[object, object]) -> bool:
        """Overwrite a slice that a killed run had staged, if its rows are those of the intent."""
        if self._appends.together:
            return False
        staged = [self._appends.staged(one) for one in self._places.values()]
        if not all(map(self._appends.is_there, staged)):
            return False
        if _held_in(session, staged, self).get(number, NO_ROWS) != told:
            return False
        self._appends.overwrite([*self._places.values()], number)
        return True

    def end(self) -> None:
        """Drop what the next run would need if this one was killed."""
        self._appends.end_slice([*self._places.values()])


Target = Folder | Table | ServerTable


def completed(target: Target, session: Session, number: int, told: tuple[object, object]) -> bool:
    """Complete a slice that a killed run had begun to write, where that is possible."""
    return isinstance(target, ServerTable) and target.completes(session, number, told)


def ended(target: Target) -> None:
    """Remove what only a killed run would have needed: the slice and its ledger are written."""
    if isinstance(target, ServerTable):
        target.end()


def target_of(name: str, session: Session, source: Source, *, in_parts: bool) -> Target:
    """The target of a run: a table of the database of the source, or a folder."""
    server = session.backend.server
    if source.pulled or source.connected or (server is not None and not server.appends):
        raise InputError(
            "--append needs files, or tables of a DuckDB file or of a server, where the rows of a "
            "slice and its ledger stay together: read the data from a file, or name one of these "
            "with --database"
        )
    if server is not None:
        return ServerTable(name, server, in_parts=in_parts)
    if source.database is None:
        return Folder(name, in_parts=in_parts)
    return Table(name, source.database, in_parts=in_parts)


def _with_slice(queries: Queries, number: int) -> dict[str, exp.Select]:
    return {part: sql_target.with_slice(query, number) for part, query in queries.items()}


def _held_in(session: Session, places: Sequence[exp.Expr | None], target: Target) -> Held:
    """The slices of a table, or of two, with their rows and digests."""
    each = [_slices_in(session, one, target.name) for one in places]
    numbers = sorted(set().union(*each))
    return {one: _together([held.get(one, NO_ROWS) for held in each]) for one in numbers}


def _together(parts: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """The rows of all relations of a slice, and their digests."""
    return sum(rows for rows, _ in parts), " ".join(digest for _, digest in parts)


def _slices_in(session: Session, place: exp.Expr | None, name: str) -> dict[int, tuple[int, str]]:
    if place is None:
        return {}
    columns = list(session.backend.columns_of(place))
    if SLICE not in columns:
        raise InputError(f"{name!r} has no column {SLICE!r}: it is no target; name a new table")
    rows = session.look_up(sql_target.held(place, [one for one in columns if one != SLICE]))
    if any(number is None for number, *_ in rows):
        raise InputError(f"{name!r} has rows of no slice: only setveil writes to a target")
    return {int(number): (int(held), str(digest)) for number, held, digest in rows}


def _digest_of(session: Session, made: Mapping[str, exp.Query]) -> tuple[int, str]:
    """The number of rows of a slice, and their digest."""
    found = []
    for query in made.values():
        columns = [one.output_name for one in query.selects if one.output_name != SLICE]
        rows = session.look_up(sql_target.held(query.subquery("r"), columns))
        found.append((int(rows[0][1]), str(rows[0][2])) if rows else NO_ROWS)
    return _together(found)


def _refuse_others(session: Session, name: str, place: exp.Expr | None, made: exp.Query) -> None:
    if place is not None:
        kinds = session.backend.columns_of(place)
        refuse_other_columns(name, kinds, session.backend.columns_of(made.subquery("r")))
