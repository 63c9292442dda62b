"""Run statements on DuckDB, and turn its errors into ours."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import duckdb

from setveil.backends import Backend, Columns, Row, memory, spilling
from setveil.errors import QueryError

T = TypeVar("T")


class Connected(Backend):
    """A run with a connection to an instance."""

    _connection: duckdb.DuckDBPyConnection
    _private: Path | None
    _owned: bool
    _note: Callable[[str], None]

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection, for reading and writing files and for relations given to the caller."""
        return self._connection

    @property
    def owned(self) -> bool:
        """Is the instance the run's own, so that it may change settings?"""
        return self._owned

    @property
    def threads(self) -> int:
        """The present number of threads of the instance."""
        row = self._connection.execute("SELECT system.main.current_setting('threads')").fetchone()
        return int(row[0]) if row else 1

    @property
    def memory(self) -> int | None:
        """How many bytes a run may use before it spills: at most the limit of the instance."""
        rows = self._connection.execute(
            "SELECT system.main.current_setting('memory_limit')"
        ).fetchall()
        limits = [memory.size_of(rows[0][0]), None if self._owned else memory.default_bytes()]
        return min((one for one in limits if one is not None), default=None)

    @property
    def disk(self) -> int | None:
        """How many bytes a run may spill: none are known of a caller's instance."""
        return spilling.room(self._private) if self._owned and self._private else None

    def progress(self) -> float:
        """The finished share of the running statement, from 0 to 1; 0 if unknown."""
        return max(0.0, float(self._connection.query_progress()) / 100)

    def compact(self) -> None:
        """Compress the run's relations: DuckDB does so in memory only when it is told."""
        # While another cursor still reads, relations stay as they are.
        with contextlib.suppress(duckdb.TransactionException):
            self._connection.execute(f"CHECKPOINT {self.run}")

    def execute(self, name: str, statement: str) -> int:
        """Run a statement; return how many rows it made."""
        result = self._guard(name, statement, lambda: self._connection.execute(statement))
        if result.description and result.description[0][0] == "Count":
            counted = result.fetchone()
            return int(counted[0]) if counted else 0
        return 0

    def rows(self, name: str, statement: str) -> list[Row]:
        """Run a query with a small result; return its rows."""
        return self._guard(name, statement, lambda: self._connection.execute(statement).fetchall())

    def columns(self, name: str, statement: str) -> Columns:
        """Run a query with many rows of numbers; return one array per column."""
        return self._guard(
            name, statement, lambda: self._connection.execute(statement).fetchnumpy()
        )

    def interrupt(self) -> None:
        with contextlib.suppress(duckdb.ConnectionException):  # it is closed, so no statement runs
            self._connection.interrupt()

    def _guard(self, name: str, statement: str, work: Callable[[], T], *, again: bool = True) -> T:
        """Do the work; in a lack of memory `again`, with one thread."""
        try:
            try:
                with interruptible():
                    return work()
            except duckdb.OutOfMemoryException:
                if not (self._owned and again):
                    raise
                with interruptible():
                    return self._with_one_thread(name, work)
        except duckdb.OutOfMemoryException as error:
            raise QueryError(name, self._out_of_memory(error), statement) from error
        except duckdb.Error as error:
            raise QueryError(name, one_line(error), statement) from error

    def _out_of_memory(self, error: duckdb.Error) -> str:
        """The message for a lack of memory. A caller's instance has a limit of its own."""
        more = "raise --memory-limit, or ask for less" if self._owned else "raise its memory_limit"
        if "max_temp_directory_size" in str(error):
            more = "free space for temporary files, or ask for less"
        used = memory.shown(self.memory or 0)
        return f"out of memory: the step needs more than the {used} that DuckDB may use; {more}"

    def _with_one_thread(self, name: str, work: Callable[[], T]) -> T:
        """Run again with one thread, which needs less memory."""
        threads = self.threads
        if threads == 1:
            return work()
        self._note(f"out of memory in step {name!r}: trying once more with one thread")
        self._connection.execute("SET threads = 1")
        try:
            return work()
        finally:
            self._connection.execute(f"SET threads = {threads}")

    @contextlib.contextmanager
    def private_file(self) -> Iterator[Path]:
        """A path for a file in transit, in a folder that only its owner can read. It is removed."""
        assert self._private
        path = self._private / f"{uuid.uuid4().hex}.csv"
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def in_order(self) -> Iterator[None]:
        """Keep rows in the order of reading while the block runs."""
        self._connection.execute("SET preserve_insertion_order = true")
        try:
            yield
        finally:
            self._connection.execute("SET preserve_insertion_order = false")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for both errors with which DuckDB reports Ctrl-C."""
    try:
        yield
    except (duckdb.InterruptException, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from error


def one_line(error: duckdb.Error) -> str:
    """DuckDB's message in one line, without its excerpt of the statement and its stack."""
    text = " ".join(str(error).partition("\n\n")[0].partition("\nStack Trace")[0].split())
    if isinstance(error, duckdb.InternalException):
        return f"{text} (a fault of DuckDB itself: run it again, or with --threads 1)"
    return text
