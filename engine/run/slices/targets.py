"""Targets: a folder of Parquet files, or a table of a DuckDB file.

A target says which slices it has, with a digest of each, and makes the next slice appear whole.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol, cast
from urllib.parse import quote

from sqlglot import exp

from setveil.backends.local import formats, tables
from setveil.backends.server import Appends, Server
from setveil.errors import DatabaseError, InputError
from setveil.run.files import places, publishing
from setveil.run.files.digests import sha256
from setveil.run.files.source import Source, is_file_name
from setveil.run.inputs import Inputs
from setveil.run.session import Session
from setveil.run.slices.ledger import Ledger, ServerLedger
from setveil.run.slices.lock import Lock, taken
from setveil.sql.run.slices import target as sql_target
from setveil.sql.run.slices.target import SLICE
from setveil.sql.step import render

FILE = re.compile(r"slice-(\d{6,})\.parquet")
HIDDEN = re.compile(r"\.setveil-[0-9a-f]{16}\.partial")  # of a run that was killed
VARIABLE = "slices"

LONGEST = 45  # bytes of the name of a table on a server, since its ledger has longer ones


class Closing(Protocol):
    """Something that is held until it is closed."""

    def close(self) -> None: ...


Held = dict[int, tuple[int | None, str]]  # slices with their rows, if counted, and digests


class Folder:
    """A folder with one Parquet file per slice."""

    def __init__(self, name: str) -> None:
        if is_file_name(name):
            raise InputError(f"{name}: slices are files in a folder: name it without a suffix")
        self.name, self.path = name, os.path.realpath(name)
        self._ledger = f"{self.path}.ledger"

    def ledger(self, session: Session) -> Ledger:
        return Ledger(session, self._ledger)

    def lock(self) -> Closing:
        """The lock of the target, until it is closed."""
        return Lock(f"{self._ledger}.lock", self.name)

    def refuse(self) -> None:
        """Refuse a place where neither the target nor its ledger can be."""
        above = os.path.dirname(self.path)
        if os.path.lexists(self.path) and not os.path.isdir(self.path):
            raise InputError(f"{self.name} is no folder: slices are files in a folder")
        if not os.path.isdir(above):
            raise InputError(f"{self.name}: the folder {above!r} does not exist")
        if not os.access(above, os.W_OK | os.X_OK):
            raise InputError(f"{self.name}: the folder {above!r}, for its ledger, is not writable")
        while (parent := os.path.dirname(above)) != above:
            if os.path.lexists(f"{above}.ledger"):
                raise InputError(
                    f"{self._ledger} would be inside the target {above}, and a ledger is "
                    "confidential; append to a folder elsewhere"
                )
            above = parent

    def refuse_inside(self, option: str, path: str | Path | None) -> None:
        """Refuse a confidential file in the target, or an input that a slice would join."""
        if path is not None and self._has(str(path)):
            raise InputError(f"{option}: {path} is inside the target {self.name}; name it outside")

    def refuse_source(self, inputs: Inputs) -> None:
        for path in inputs.files:
            self.refuse_inside("SOURCE", path)

    def _has(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.path)

    def held(self, session: Session, source: Source) -> Held:
        """The slices of the folder. Files that are no slice are refused."""
        if not os.path.isdir(self.path):
            return {}
        found: Held = {}
        for name in sorted(os.listdir(self.path)):
            path = os.path.join(self.path, name)
            if HIDDEN.fullmatch(name):
                os.unlink(path)
            elif (number := FILE.fullmatch(name)) is None or not os.path.isfile(path):
                raise InputError(
                    f"{path} is no slice: only setveil writes to a target; move it away"
                )
            elif os.path.islink(path):
                raise InputError(f"{path} is a link: a slice is a plain file; move it away")
            else:
                found[int(number[1])] = (None, sha256(Path(path)))
        return found

    def shown(self, number: int) -> str:
        return str(Path(self.name) / self._file(number))

    def _file(self, number: int) -> str:
        return f"slice-{number:06}.parquet"

    def rows(self, session: Session, source: Source) -> exp.Expr:
        """The rows of all slices, as a relation."""
        place = formats.set_variable(VARIABLE, os.path.join(_escaped(self.path), "*.parquet"))
        session.backend.local.execute(VARIABLE, place)
        return formats.parquet(VARIABLE)

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[str, str, int | None, str]]:
        """Write the slice. It gets its name after the block, which gets its place and digest."""
        files, rows = publishing.with_release(session, sql_target.with_slice(query, number))
        ordered = publishing.for_parquet(files, rows, self.shown(number))
        local = session.backend.local
        if number > 1:
            before = local.columns_of(self.rows(session, source))
            _refuse_other_columns(self.name, before, local.columns_of(ordered.subquery("r")))
        path = os.path.join(self.path, self._file(number))
        statement = publishing.copy_statement(ordered, path)
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.path)
        try:
            with places.whole_file(path, session.inputs, force=False) as place:
                publishing.publish_file(session, statement, place)
                yield path, place, None, sha256(Path(place))
        except BaseException:
            with contextlib.suppress(OSError):  # the folder has other slices
                os.rmdir(self.path)
            raise
        sync(self.path)

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Write a slice anew; its file replaces the old one after the block."""
        made = sql_target.with_slice(query, number)
        ordered = publishing.for_parquet(session, made, self.shown(number), f"again_{number}")
        path = os.path.join(self.path, self._file(number))
        statement = publishing.copy_statement(ordered, path)
        with places.whole_file(path, Inputs(), force=True) as place:
            publishing.publish_file(session, statement, place)
            yield None, sha256(Path(place))
        sync(self.path)


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


def _refuse_other_columns(name: str, before: dict[str, str], now: dict[str, str]) -> None:
    """Refuse a slice whose rows the readers of earlier slices could not read."""
    if before != now:
        shown = [", ".join(f"{one} {kind}" for one, kind in each.items()) for each in (before, now)]
        raise InputError(
            f"the slices of {name} have the columns {shown[0]}, and the new one {shown[1]}; name "
            "the same columns, or append to a new target"
        )


def _escaped(path: str) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", path)


def sync(path: str) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
        _refuse_other_columns(name, kinds, session.backend.columns_of(made.subquery("r")))
