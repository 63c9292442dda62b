"""DuckDB, the first backend: a run lives in a database of its own, attached in memory.

The user's tables are only ever read: files through DuckDB's readers, database files attached read
only, an open connection through a cursor, so that its search path and settings stay as they were.
What does not fit in memory spills to a private folder that is removed with the run.
"""

from __future__ import annotations

import itertools
import os
import shutil
import uuid
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
from sqlglot import exp

from setveil.backends import Capabilities, memory, names, spilling
from setveil.backends.duckdb.relations import Reading
from setveil.backends.duckdb.statements import one_line
from setveil.errors import InputError
from setveil.sql.step import render

# Of an instance, so a run in the caller's cannot set them: with others, SQL means something else,
# or rows come in an order that depends on the threads.
SETTINGS = {
    "default_order": "ASCENDING",
    "default_collation": "",
    "default_null_order": "NULLS_LAST",
    "integer_division": "false",
    "preserve_insertion_order": "true",
}
_OPEN: weakref.WeakSet[DuckDB] = weakref.WeakSet()


class DuckDB(Reading):
    """One run inside one DuckDB instance, our own or the caller's."""

    can = Capabilities(dialect="duckdb", posting_widths=(64, 512, 4096))
    engine = "DuckDB"

    @property
    def local(self) -> DuckDB:
        """It reads and writes files itself."""
        return self

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection | None = None,
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        note: Callable[[str], None] = lambda text: None,
        beside: DuckDB | None = None,
    ) -> None:
        """A run in the caller's instance, in that of another run, or in one of its own."""
        self._note = note
        self._spill: Path | None = None
        self._owned: bool = beside._owned if beside else connection is None
        self._private: Path | None = beside._private if beside else None
        self._guest = beside is not None or connection is not None
        self.path_known = True  # are names looked up where the caller would find them?
        self._guests: Iterator[int] = beside._guests if beside else itertools.count(1)
        self._connection: duckdb.DuckDBPyConnection
        self.home: tuple[str, str]
        if beside is not None:
            self._connection = beside._connection.cursor()
            if not self._owned:  # names are looked up where the first run looked them up
                place = ".".join(render(exp.to_identifier(n, quoted=True)) for n in beside.home)
                self._connection.execute(f"USE {place}")
            self.run = f"beside_{next(self._guests)}" if self._owned else _run_name()
        elif connection is None:
            self._spill = self._private = spilling.new_folder()
            weakref.finalize(self, spilling.remove, self._spill, os.getpid())
            self._connection = _open(self._spill, threads, memory_limit)
            self.run = "run"
        else:
            _refuse_limits(threads, memory_limit)
            self._connection, self.path_known = _beside(connection)
            self.run = _run_name()
        _OPEN.add(self)
        self.home = self._home()
        self.inside = f"USE {self.run}"
        # In an instance that was opened read only, too: what is made in memory is the run's own.
        attach = f"ATTACH ':memory:' AS {self.run} (COMPRESS, READ_WRITE)"
        alone = self._owned and not beside
        self.opening = [*(["SET preserve_insertion_order = false"] if alone else []), attach]
        self._connection.execute(attach)

    def _home(self) -> tuple[str, str]:
        """The database and schema that the caller's connection is in."""
        row = self._connection.execute(names.HERE).fetchone()
        assert row is not None
        return str(row[0]), str(row[1])

    def relation(self, name: str) -> exp.Expr:
        """What stands behind FROM for a name, where the caller's names are looked up."""
        return names.relation(name, self)

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, as another run of the instance finds it."""
        return exp.table_(relation, db="main", catalog=self.run)

    def beside(self, note: Callable[[str], None]) -> DuckDB:
        """A second run in the same instance."""
        return DuckDB(beside=self, note=note)

    def version(self) -> dict[str, str]:
        """Of what does the work, besides DuckDB."""
        return {}

    def close(self) -> None:
        """Drop the run and everything it spilled. Closing twice does no harm."""
        try:
            if self._guest:
                self._connection.execute("RESET search_path")
                self._connection.execute(f"DETACH DATABASE IF EXISTS {self.run}")
            self._connection.close()
        except duckdb.ConnectionException:
            pass  # closed before: nothing of the run is left to drop
        finally:
            if self._spill:
                shutil.rmtree(self._spill, ignore_errors=True)


def interrupt_all() -> None:
    """Stop the statements of all runs, from whatever thread."""
    for run in list(_OPEN):
        run.interrupt()


def _refuse_limits(threads: int | None, memory_limit: str | None) -> None:
    if threads or memory_limit:
        raise InputError(
            "threads and memory limit belong to the connection that was passed: set them there"
        )


def _run_name() -> str:
    """In an instance that is not ours, other runs can be there too."""
    return f"setveil_{uuid.uuid4().hex[:12]}"


def _beside(connection: duckdb.DuckDBPyConnection) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """A cursor that finds names where the caller's connection does; False if that cannot be asked.

    While the caller has rows to fetch, DuckDB answers nothing else on that connection.
    """
    try:
        cursor = connection.cursor()
        _refuse_other_settings(cursor)
        try:
            path = connection.sql("SELECT system.main.current_setting('search_path')").fetchall()[
                0
            ][0]
        except duckdb.ResourceInUseException:
            return cursor, False
        cursor.execute(f"SET search_path = {render(exp.Literal.string(path))}")
    except duckdb.Error as error:
        raise InputError(f"the connection cannot be used: {one_line(error)}") from error
    return cursor, True


def _refuse_other_settings(cursor: duckdb.DuckDBPyConnection) -> None:
    for name, usual in SETTINGS.items():
        row = cursor.execute("SELECT system.main.current_setting($1)", [name]).fetchall()
        if str(row[0][0]).upper() != usual.upper():
            raise InputError(
                f"the connection sets {name} = {row[0][0]}, with which a run comes out otherwise: "
                f"RESET {name} there, or read from a connection of its own"
            )


def _open(spill: Path, threads: int | None, memory_limit: str | None) -> duckdb.DuckDBPyConnection:
    granted = memory.default_bytes() if memory_limit is None else memory.granted_bytes(memory_limit)
    settings: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": str(spill),
        "max_temp_directory_size": f"{spilling.room(spill)}B",
        "preserve_insertion_order": False,
        # A name that no relation has must not be looked up among Python's variables.
        "python_enable_replacements": False,
        # A database that is read must not have code fetched or loaded for what it names.
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    if threads is not None:
        settings["threads"] = threads
    if granted is not None:  # a quarter is for what DuckDB does not count, and for Python
        settings["memory_limit"] = f"{granted * 3 // 4}B"
    try:
        connection = duckdb.connect(config=settings)
        # How far a statement is can be asked for, but DuckDB itself prints nothing.
        connection.execute("SET enable_progress_bar = true")
        connection.execute("SET enable_progress_bar_print = false")
        return connection
    except duckdb.Error as error:
        shutil.rmtree(spill, ignore_errors=True)
        raise InputError(f"DuckDB refused the settings: {one_line(error)}") from error
