"""Run statements on PostgreSQL, each with the right search path."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import LiteralString

import numpy as np
import psycopg

from setveil.backends import Columns, Row
from setveil.backends.postgres import copying as transfer
from setveil.backends.postgres import paths as postgres_paths
from setveil.backends.postgres.paths import QUESTIONS, SETS
from setveil.backends.postgres.session import Shared, guarded
from setveil.backends.server import Server
from setveil.errors import InputError

ENDED = (
    "the run ended when a release was written to a table: in PostgreSQL a run is one transaction, "
    "so its other releases ended too; read the data once more for each table, or write files first"
)
BACK = "ROLLBACK TO "  # the only statement that the server accepts after an error
# The types of numbers with a fixed width, by the number of the type.
NUMBERS = {20: "int8", 21: "int2", 23: "int4", 700: "float4", 701: "float8"}


class Connected(Server):
    """A run with a connection: its own or the connection of another run."""

    outside: str
    _path: str
    _shared: Shared

    def execute(self, name: str, statement: str) -> int:
        """Run one or more statements; return how many rows the first one made."""
        with self._cursor(name, statement) as cursor:
            return max(0, cursor.rowcount)

    def rows(self, name: str, statement: str) -> list[Row]:
        """Run a query with a small result; return its rows."""
        with self._cursor(name, statement) as cursor:
            return cursor.fetchall()

    def columns(self, name: str, statement: str) -> Columns:
        """Run a query with many rows of numbers; return one array per column.

        The server sends each column as one value of bytes.
        """
        answer = f"(\n{statement}\n) AS answer"
        with self._cursor(name, f"SELECT * FROM {answer} LIMIT 0") as cursor:  # noqa: S608
            kinds = {one.name: NUMBERS.get(one.type_code, "") for one in cursor.description or ()}
        if kinds and all(kinds.values()):
            shown = transfer.packed(kinds)
            with self._cursor(name, "") as cursor:
                text = f"SELECT {shown} FROM {answer}"  # noqa: S608
                ((count, *values),) = cursor.execute(text.encode(), binary=True).fetchall()
            if found := transfer.unpacked(kinds, count, values):
                return found
        rows = self.rows(name, statement)
        columns = zip(*rows, strict=True) if rows else ((),) * len(kinds)
        return {title: np.array(one) for title, one in zip(kinds, columns, strict=True)}

    def _catalog(self, query: LiteralString, values: Mapping[str, object]) -> list[Row]:
        """Ask the server's catalogs; the query is not recorded in the trail."""
        with self._cursor("source", "", QUESTIONS) as cursor:
            return cursor.execute(query, values).fetchall()

    @contextlib.contextmanager
    def _cursor(
        self, name: str, statement: str, path: str | None = None
    ) -> Iterator[psycopg.Cursor[Row]]:
        """A cursor after the statement ran with the search path of the run, or with another one."""
        shared, path = self._shared, path or self._path
        if shared.ended:
            raise InputError(ENDED)
        with guarded(name, statement, shared), shared.connection.cursor() as cursor:
            if statement.startswith(SETS):
                self._set_path(statement)
            elif shared.path != path and not statement.startswith(BACK):
                cursor.execute(path.encode())
                shared.path = path
            if statement:
                cursor.execute(statement.encode())
            if statement.startswith(BACK):
                shared.path = ""  # the search path was rolled back too
            yield cursor
            shared.ended = statement == "COMMIT"

    def _set_path(self, statement: str) -> None:
        """Make this the search path of the run: the path of the caller or of a run."""
        if statement != self.outside and not postgres_paths.OF_A_RUN.fullmatch(statement):
            raise InputError(
                f"the trail has another search path than this role ({statement}): "
                "replay it as the role of the first run, or with this path in PGOPTIONS"
            )
        self._shared.path = self._path = statement

    def interrupt(self) -> None:
        self._shared.interrupted = True
        self._shared.connection.cancel_safe(timeout=5)
