"""How a run of PostgreSQL runs statements, on the path where its names are looked up."""

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

BACK = "ROLLBACK TO "  # an error before it leaves nothing else to be done
# Numbers of a fixed width, by the number of their type.
NUMBERS = {20: "int8", 21: "int2", 23: "int4", 700: "float4", 701: "float8"}


class Connected(Server):
    """A run that has a connection, its own or that of another run."""

    outside: str
    _path: str
    _shared: Shared

    def execute(self, name: str, statement: str) -> int:
        """Run a statement, or a few; answer how many rows the first made."""
        with self._cursor(name, statement) as cursor:
            return max(0, cursor.rowcount)

    def rows(self, name: str, statement: str) -> list[Row]:
        """A small answer, as rows."""
        with self._cursor(name, statement) as cursor:
            return cursor.fetchall()

    def columns(self, name: str, statement: str) -> Columns:
        """A long answer of numbers, as one array per column: a value of bytes for each."""
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
        """What the server says of itself: no part of a trail."""
        with self._cursor("source", "", QUESTIONS) as cursor:
            return cursor.execute(query, values).fetchall()

    @contextlib.contextmanager
    def _cursor(
        self, name: str, statement: str, path: str | None = None
    ) -> Iterator[psycopg.Cursor[Row]]:
        """The cursor on which the statement was run, with names looked up where this run does.

        Or on another path, for what is asked meanwhile.
        """
        shared, path = self._shared, path or self._path
        if shared.ended:
            raise InputError("the run ended with its release: read the data once more")
        with guarded(name, statement, shared), shared.connection.cursor() as cursor:
            if statement.startswith(SETS):
                self._follow(statement)
            elif shared.path != path and not statement.startswith(BACK):
                cursor.execute(path.encode())
                shared.path = path
            if statement:
                cursor.execute(statement.encode())
            if statement.startswith(BACK):
                shared.path = ""  # it went back too
            yield cursor
            shared.ended = statement == "COMMIT"

    def _follow(self, statement: str) -> None:
        """From here on names are looked up there: on a path of the caller's or of a run."""
        if statement != self.outside and not postgres_paths.OF_A_RUN.fullmatch(statement):
            raise InputError(
                f"a run is to take place on another path than that of this role ({statement}): "
                "begin it as the role that it was of, or with this path in PGOPTIONS"
            )
        self._shared.path = self._path = statement

    def interrupt(self) -> None:
        self._shared.interrupted = True
        self._shared.connection.cancel_safe(timeout=5)
