"""Connections to PostgreSQL: opening, settings for a run, and errors."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import BinaryIO

import psycopg
from psycopg import pq
from psycopg.abc import PQGen
from psycopg.waiting import Wait

from setveil.backends import Row
from setveil.backends.memory import granted_bytes
from setveil.backends.postgres import paths as postgres_paths
from setveil.errors import DatabaseError, InputError, QueryError

WORK_MEMORY = 128 * 2**20  # bytes for one sort or hash, unless a limit is given
INTRANS = pq.TransactionStatus.INTRANS

# Errors of a connection have no code. FATAL mostly means that the address, the role or its password
# is wrong; but some of these errors pass by themselves.
DENIED = re.compile(r"\bFATAL: |no password supplied|invalid \S+ (value|number)|certificate")
PASSING = re.compile(
    r"database system is|too many|remaining connection slots|terminating connection"
    r"|Connection refused|timeout expired"
)

# Classes of errors in which the server works but refuses a statement: unsupported features, data,
# dependent objects, databases, schemas, and syntax, names and rights.
REFUSED = ("0A", "22", "2B", "3D", "3F", "42")


class Shared:
    """A connection that several runs can share, with its present search path."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection
        self.ended = False  # True after a commit
        self.interrupted = False  # True: we cancelled; a server can cancel a slow statement too
        # SHOW calls no function, so it is safe with any search path.
        row = connection.execute("SHOW search_path").fetchone()
        self.outside = postgres_paths.outside(row[0] if row else "")
        self.path = postgres_paths.QUESTIONS
        connection.execute(self.path.encode())

    @property
    def usable(self) -> bool:
        """Is there a transaction without an error?"""
        connection = self.connection
        return not connection.closed and connection.info.transaction_status == INTRANS


def connected(url: str) -> psycopg.Connection[Row]:
    """Open a connection; libpq completes the URL from its variables and files."""
    scheme, _, rest = url.partition("://")
    try:
        connection = psycopg.connect(
            f"{scheme}://{rest}",
            autocommit=True,
            prepare_threshold=None,
            application_name="setveil",
            client_encoding="utf8",
        )
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            connection.close()
            raise InputError(f"the database has the encoding {encoding}: a run needs UTF8")
        with contextlib.suppress(psycopg.Error):  # not on every system
            connection.execute("SET client_connection_check_interval = '1s'")
    except psycopg.ProgrammingError as error:
        # The quoted part of this message can be a part of a password.
        message = _one_line(error).partition('"')[0]
        raise InputError(
            f"--database is no address of PostgreSQL ({message.rstrip(' :')}): "
            "write postgres://host/name?parameter=value"
        ) from None
    except psycopg.Error as error:
        message = _one_line(error)
        if DENIED.search(message) and not PASSING.search(message):
            raise InputError(f"PostgreSQL refuses the connection: {message}") from error
        raise DatabaseError(f"PostgreSQL cannot be reached: {message}") from error
    return connection


def settings(threads: int | None, memory_limit: str | None) -> list[str]:
    """The statements that set memory, plans and the text form of values for a run."""
    memory = WORK_MEMORY if memory_limit is None else granted_bytes(memory_limit) // 4
    chosen = {
        "work_mem": f"'{memory // 1024}kB'",
        # Relations of a run have no indexes, and the estimates for joins are far off.
        "enable_nestloop": "off",
        "enable_mergejoin": "off",
        # Many groups are sorted, by all workers: a large hash table has one, and misses the caches.
        "hash_mem_multiplier": "1",
        "jit": "off",  # compiling takes longer than our statements
        # Our statements pass many narrow rows; for these the default is ten times too dear.
        "parallel_tuple_cost": "0.01",
        "default_statistics_target": "30",  # for the ANALYZE after each new relation
        "DateStyle": "ISO",
        "IntervalStyle": "postgres",
        "bytea_output": "hex",
        "TimeZone": "'UTC'",
        "extra_float_digits": "1",
        "standard_conforming_strings": "on",
        "client_min_messages": "warning",
    }
    if threads is not None:
        chosen["max_parallel_workers_per_gather"] = str(threads - 1)
    return [f"SET LOCAL {name} = {value}" for name, value in chosen.items()]


def drained(connection: psycopg.Connection[Row], file: BinaryIO) -> int:
    """Write the rows of a COPY to the file; four times as fast per row as psycopg's own method."""
    server = connection.pgconn

    def rows() -> PQGen[None]:
        while (answer := server.get_copy_data(1))[0] >= 0:
            if answer[0]:
                file.write(answer[1])
            else:
                while not (yield Wait.R):
                    pass
                server.consume_input()

    connection.wait(rows())
    results = list(iter(server.get_result, None))
    if results[0].status != pq.ExecStatus.COMMAND_OK:
        raise psycopg.errors.error_from_result(results[0])
    return results[0].command_tuples or 0


@contextlib.contextmanager
def guarded(name: str, statement: str, shared: Shared) -> Iterator[None]:
    """Turn errors of the server into ours, and a cancelled statement into KeyboardInterrupt."""
    try:
        yield
    except psycopg.Error as error:
        if shared.interrupted and isinstance(error, psycopg.errors.QueryCanceled):
            raise KeyboardInterrupt from error
        refused = (error.sqlstate or "")[:2] in REFUSED
        raise QueryError(name, _one_line(error), statement, refused=refused) from error


def _one_line(error: psycopg.Error) -> str:
    """The server's message in one line, without its details, which can contain values."""
    return " ".join((error.diag.message_primary or str(error)).split())
