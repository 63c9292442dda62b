"""A connection to PostgreSQL: how it is opened, how the server works for a run, and its errors."""

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

# An error of a connection has no code. The server answers FATAL, where an address, a role or its
# password is to be mended; some of these pass by themselves.
DENIED = re.compile(r"\bFATAL: |no password supplied|invalid \S+ (value|number)|certificate")
PASSING = re.compile(
    r"database system is|too many|remaining connection slots|terminating connection"
    r"|Connection refused|timeout expired"
)

# In these classes of errors the server works, and refuses what was asked of it: data, dependents,
# schemas, databases, what it does not do, and syntax, names and rights.
REFUSED = ("0A", "22", "2B", "3D", "3F", "42")


class Shared:
    """A connection, and where names are looked up on it now."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection
        self.ended = False  # by a commit
        self.interrupted = False  # by us; a server can cancel what takes it too long
        # To show it calls nothing that a path leads to.
        row = connection.execute("SHOW search_path").fetchone()
        self.outside = postgres_paths.outside(row[0] if row else "")
        self.path = postgres_paths.QUESTIONS
        connection.execute(self.path.encode())

    @property
    def usable(self) -> bool:
        """Is there a transaction, and has nothing in it failed?"""
        connection = self.connection
        return not connection.closed and connection.info.transaction_status == INTRANS


def connected(url: str) -> psycopg.Connection[Row]:
    """What the URL leaves open, libpq finds in its variables and files."""
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
            raise InputError(f"the database is in {encoding}: text is only compared in UTF8")
        with contextlib.suppress(psycopg.Error):  # not on every system
            connection.execute("SET client_connection_check_interval = '1s'")
    except psycopg.ProgrammingError as error:
        said = _one_line(error).partition('"')[0]  # what it quotes can be a part of a password
        raise InputError(
            f"--database is no address of PostgreSQL ({said.rstrip(' :')}): "
            "write postgres://host/name?parameter=value"
        ) from None
    except psycopg.Error as error:
        said = _one_line(error)
        if DENIED.search(said) and not PASSING.search(said):
            raise InputError(f"PostgreSQL lets nobody in by this address: {said}") from error
        raise DatabaseError(f"PostgreSQL cannot be reached: {said}") from error
    return connection


def settings(threads: int | None, memory_limit: str | None) -> list[str]:
    """How the server works for this run, and writes values as text."""
    memory = WORK_MEMORY if memory_limit is None else granted_bytes(memory_limit) // 4
    chosen = {
        "work_mem": f"'{memory // 1024}kB'",
        # There are no indexes, and estimates of what joins leave are far off: one row, or all.
        "enable_nestloop": "off",
        "enable_mergejoin": "off",
        "jit": "off",  # takes longer to compile than our statements to run
        "default_statistics_target": "30",  # after every statement that makes a relation
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
    """Write what a COPY sends to the file; psycopg's own way takes four times as long for a row."""
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
    try:
        yield
    except psycopg.Error as error:
        if shared.interrupted and isinstance(error, psycopg.errors.QueryCanceled):
            raise KeyboardInterrupt from error
        refused = (error.sqlstate or "")[:2] in REFUSED
        raise QueryError(name, _one_line(error), statement, refused=refused) from error


def _one_line(error: psycopg.Error) -> str:
    """What the server says, without details, in which values can stand."""
    return " ".join((error.diag.message_primary or str(error)).split())
