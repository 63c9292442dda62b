"""The database on which tests run, as `--backend` says.

Tests put their data into tables of a DuckDB connection. For another backend the harness copies
these tables to its database, with the same names, whenever a test reads from the connection.
"""

from __future__ import annotations

import contextlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb

import setveil
from setveil.backends import Backend
from setveil.backends.duckdb.backend import DuckDB
from setveil.run.session import Session, Trace

Rows = Sequence[Sequence[Any]]
Columns = dict[str, str]  # their types, as DuckDB calls them

TABLES = """
    SELECT table_name, table_oid, estimated_size FROM duckdb_tables()
    WHERE database_name = CURRENT_DATABASE() AND schema_name = CURRENT_SCHEMA()
    UNION ALL
    SELECT view_name, view_oid, NULL FROM duckdb_views()
    WHERE NOT internal
        AND database_name = CURRENT_DATABASE() AND schema_name = CURRENT_SCHEMA()
"""

read_as_it_is = setveil.read


class Harness(ABC):
    """A database on which tests run."""

    dialect = "duckdb"

    @abstractmethod
    def bare(self, connection: duckdb.DuckDBPyConnection | None) -> Backend:
        """A run that has read nothing yet."""

    @abstractmethod
    def fill(self, backend: Backend, name: str, columns: Columns, rows: Rows) -> None:
        """Make a relation of the run; replace one with the same name."""

    @abstractmethod
    def relations(self, backend: Backend) -> set[str]:
        """The names of the run's relations."""

    def close(self) -> None:  # noqa: B027
        """Remove all that the harness made."""


class OnDuckDB(Harness):
    """Tests run in the DuckDB connection itself."""

    def bare(self, connection: duckdb.DuckDBPyConnection | None) -> Backend:
        return DuckDB(connection)

    def fill(self, backend: Backend, name: str, columns: Columns, rows: Rows) -> None:
        assert isinstance(backend, DuckDB)
        declared = ", ".join(f"{title} {kind}" for title, kind in columns.items())
        place = f"{backend.run}.main.{name}"
        backend.connection.execute(f"CREATE OR REPLACE TABLE {place} ({declared})")
        kinds = enumerate(columns.values(), 1)
        values = ", ".join(f"UNNEST(${number}::{kind}[])" for number, kind in kinds)
        text = f"INSERT INTO {place} SELECT {values}"  # noqa: S608
        values_of = [list(one) for one in zip(*rows, strict=True)] or [[]] * len(columns)
        backend.connection.execute(text, values_of)

    def relations(self, backend: Backend) -> set[str]:
        text = "SELECT table_name FROM duckdb_tables() WHERE database_name = CURRENT_DATABASE()"
        return {name for (name,) in backend.rows("relations", text)}


class OnServer(Harness):
    """Tests run on a server, to which the tables of the connection are copied."""

    url: str

    def __init__(self) -> None:
        self._taken: dict[str, tuple[int, ...]] = {}
        self._asked = itertools.count(1)

    @abstractmethod
    def put(self, name: str, columns: Columns, rows: Rows) -> None:
        """Make a table; replace one with the same name."""

    @abstractmethod
    def asked(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of a query of the caller."""

    @abstractmethod
    def cleared(self) -> None:
        """Remove the tables of earlier tests."""

    def read(self, source: Any, table: str | None = None, **options: Any) -> setveil.Baskets:
        if not isinstance(source, duckdb.DuckDBPyConnection) or table is None:
            return read_as_it_is(source, table, **options)
        return read_as_it_is(self._named(source, table), database=self.url, **options)

    def _named(self, connection: duckdb.DuckDBPyConnection, table: str) -> str:
        """Copy all tables to the server; return the relation's name there."""
        tables = connection.execute(TABLES).fetchall()
        for name, oid, size in tables:
            seen = (id(connection), oid, size)
            if size is None or self._taken.get(name) != seen:
                self._put(name, connection.table(name))
                self._taken[name] = seen
        if table in {name for name, *_ in tables}:
            return table
        with contextlib.suppress(duckdb.Error):
            query, table = connection.sql(table), f"asked_{next(self._asked)}"
            self._put(table, query)
        return table

    def _put(self, name: str, found: duckdb.DuckDBPyRelation) -> None:
        kinds = map(str, found.types)
        self.put(name, dict(zip(found.columns, kinds, strict=True)), found.fetchall())


def quoted(name: str) -> str:
    """A name in quotes for DuckDB, with any characters."""
    return '"' + name.replace('"', '""') + '"'


current: Harness = OnDuckDB()


def use(harness: Harness) -> None:
    """Run all following tests on this database."""
    global current
    current = harness
    if isinstance(harness, OnServer):
        setveil.read = harness.read


@contextlib.contextmanager
def prepared(
    connection: duckdb.DuckDBPyConnection | None = None,
    trace: Trace | None = None,
    **relations: tuple[str, Rows],
) -> Iterator[Session]:
    """A run with these relations; each has its column definitions and its rows."""
    backend = current.bare(connection)
    session = Session(backend, trace=trace)
    try:
        backend.execute("run", backend.inside)
        for name, (columns, rows) in relations.items():
            fill(session, name, columns, rows)
        yield session
    finally:
        session.close()


def fill(session: Session, name: str, columns: str, rows: Rows) -> None:
    """Make a relation of the run; replace one with the same name."""
    declared = dict(one.split(maxsplit=1) for one in columns.split(","))
    current.fill(session.backend, name, declared, rows)
