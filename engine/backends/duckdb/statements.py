"""How a run of DuckDB runs statements, and what becomes of its errors."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import duckdb

from setveil.backends import Backend, Columns, Row, memory
from setveil.errors import QueryError

T = TypeVar("T")


class Connected(Backend):
    """A run that has a connection to an instance."""

    _connection: duckdb.DuckDBPyConnection
    _private: Path | None
    _owned: bool
    _note: Callable[[str], None]

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """For the reading and writing of files, and for handing relations to the caller."""
        return self._connection

    @property
    def owned(self) -> bool:
        """Is the instance ours, with settings that we may change?"""
        return self._owned

    @property
    def threads(self) -> int:
        """How many threads the instance works with now."""
        row = self._connection.execute("SELECT system.main.current_setting('threads')").fetchone()
        return int(row[0]) if row else 1

    @property
    def memory(self) -> int | None:
        """How many bytes a run may use before it spills; the caller's limit can be too high."""
        rows = self._connection.execute(
            "SELECT system.main.current_setting('memory_limit')"
        ).fetchall()
        limits = [memory.size_of(rows[0][0]), None if self._owned else memory.default_bytes()]
        return min((one for one in limits if one is not None), default=None)

    def progress(self) -> float:
        """How far the running statement is, from 0 to 1; 0 where DuckDB cannot tell."""
        return max(0.0, float(self._connection.query_progress()) / 100)

    def execute(self, name: str, statement: str) -> int:
        """Run a statement; answer how many rows it made, where it makes any."""
        result = self._guard(name, statement, lambda: self._connection.execute(statement))
        if result.description and result.description[0][0] == "Count":
            counted = result.fetchone()
            return int(counted[0]) if counted else 0
        return 0

    def rows(self, name: str, statement: str) -> list[Row]:
        """A small answer, as rows."""
        return self._guard(name, statement, lambda: self._connection.execute(statement).fetchall())

    def columns(self, name: str, statement: str) -> Columns:
        """A long answer of numbers, as one array per column."""
        return self._guard(
            name, statement, lambda: self._connection.execute(statement).fetchnumpy()
        )

    def interrupt(self) -> None:
        with contextlib.suppress(duckdb.ConnectionException):  # it is closed: nothing runs
            self._connection.interrupt()

    def _guard(self, name: str, statement: str, work: Callable[[], T]) -> T:
        try:
            try:
                with interruptible():
                    return work()
            except duckdb.OutOfMemoryException:
                if not self._owned:
                    raise
                with interruptible():
                    return self._with_one_thread(name, work)
        except duckdb.OutOfMemoryException as error:
            raise QueryError(name, self._out_of_memory(error), statement) from error
        except duckdb.Error as error:
            raise QueryError(name, one_line(error), statement) from error

    def _out_of_memory(self, error: duckdb.Error) -> str:
        """What to do about it; the caller's instance has a limit of its own."""
        more = "raise --memory-limit, or ask for less" if self._owned else "raise its memory_limit"
        if "max_temp_directory_size" in str(error):
            more = "free space for temporary files, or ask for less"
        used = memory.shown(self.memory or 0)
        return f"out of memory: more than the {used} that DuckDB may use; {more}"

    def _with_one_thread(self, name: str, work: Callable[[], T]) -> T:
        """Fewer threads need less memory at once."""
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
        """A place for what is on its way, which only the owner can read and which is removed."""
        assert self._private
        path = self._private / f"{uuid.uuid4().hex}.csv"
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def in_order(self) -> Iterator[None]:
        """Rows keep the order in which they are read."""
        self._connection.execute("SET preserve_insertion_order = true")
        try:
            yield
        finally:
            self._connection.execute("SET preserve_insertion_order = false")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C during a statement comes as either of these, depending on the moment."""
    try:
        yield
    except (duckdb.InterruptException, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from error


def one_line(error: duckdb.Error) -> str:
    """What DuckDB says, without the excerpt of the statement and the stack that it may add."""
    said = " ".join(str(error).partition("\n\n")[0].partition("\nStack Trace")[0].split())
    if isinstance(error, duckdb.InternalException):
        return f"{said} (a fault of DuckDB itself: run it again, or with --threads 1)"
    return said
