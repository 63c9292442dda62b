"""The backend for DuckDB: relations of a run are in a database of their own, in memory.

The caller's tables are only read. Database files are attached read-only. An open connection is
read through a cursor, so that its search path and settings do not change. Relations that do not
fit in memory spill to a private folder, which is removed with the run.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import uuid
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
from sqlglot import exp

from setveil.backends import Capabilities, Rates, memory, names, spilling
from setveil.backends.duckdb.relations import Reading
from setveil.backends.duckdb.statements import one_line
from setveil.errors import InputError
from setveil.sql.step import render

# Settings of an instance, which a run must not change in the caller's. With other values, queries
# have other results, or the order of rows depends on the threads.
SETTINGS = {
    "default_order": "ASCENDING",
    "default_collation": "",
    "default_null_order": "NULLS_LAST",
    "integer_division": "false",
    "preserve_insertion_order": "true",
}
_OPEN: weakref.WeakSet[DuckDB] = weakref.WeakSet()


class DuckDB(Reading):
    """One run in one DuckDB instance: its own or the caller's."""

    can = Capabilities(
        dialect="duckdb",
        posting_widths=(64, 1008, 4096),
        rates=Rates(joined=0.11, ranked=2.5, started=130_000_000, occurrence=88),
    )
    engine = "DuckDB"

    @property
    def local(self) -> DuckDB:
        """This backend itself, since DuckDB reads and writes files."""
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
        """Open a run in an instance of its own, of the caller, or of another run."""
        self._note = note
        self._spill: Path | None = None
        self._owned: bool = beside._owned if beside else connection is None
        self._private: Path | None = beside._private if beside else None
        self._guest = beside is not None or connection is not None
        self.path_known = True  # False: the caller's search path is unknown
        self._guests: Iterator[int] = beside._guests if beside else itertools.count(1)
        self._connection: duckdb.DuckDBPyConnection
        self.home: tuple[str, str]
        if beside is not None:
            self._connection = beside._connection.cursor()
            if not self._owned:  # with the schema of the first run
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
        # READ_WRITE is needed where the instance was opened read-only; this database is in memory.
        attach = f"ATTACH ':memory:' AS {self.run} (COMPRESS, READ_WRITE)"
        alone = self._owned and not beside
        self.opening = [*(["SET preserve_insertion_order = false"] if alone else []), attach]
        self._connection.execute(attach)

    def _home(self) -> tuple[str, str]:
        """The current database and schema of the caller's connection."""
        row = self._connection.execute(names.HERE).fetchone()
        assert row is not None
        return str(row[0]), str(row[1])

    def relation(self, name: str) -> exp.Expr:
        """The relation after FROM for a name or query of the caller."""
        return names.relation(name, self)

    def copied(self, query: exp.Query, relation: str) -> duckdb.DuckDBPyRelation:
        """The rows of a query, in their order, over a copy that lives as long as the run."""
        place = render(self.of_run(relation))
        # A caller's connection keeps the order of rows, or it was refused.
        with self.in_order() if self._owned else contextlib.nullcontext():
            self.execute(relation, f"CREATE TABLE IF NOT EXISTS {place} AS {render(query)}")
        shown = ", ".join(render(exp.column(one, quoted=True)) for one in query.named_selects)
        return self._connection.sql(f"SELECT {shown} FROM {place} ORDER BY rowid")  # noqa: S608

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, with the full name under which another run finds it."""
        return exp.table_(relation, db="main", catalog=self.run)

    def beside(self, note: Callable[[str], None]) -> DuckDB:
        """A second run in the same instance."""
        return DuckDB(beside=self, note=note)

    def version(self) -> dict[str, str]:
        """Nothing, since every trail has the version of DuckDB."""
        return {}

    def close(self) -> None:
        """Drop the run and its spilled data. Closing twice does no harm."""
        try:
            if self._guest:
                self._connection.execute("RESET search_path")
                self._connection.execute(f"DETACH DATABASE IF EXISTS {self.run}")
            self._connection.close()
        except duckdb.ConnectionException:
            pass  # it was closed before: no relation is left to drop
        finally:
            if self._spill:
                shutil.rmtree(self._spill, ignore_errors=True)


def interrupt_all() -> None:
    """Stop the running statements of all runs, in all threads."""
    for run in list(_OPEN):
        run.interrupt()


def _refuse_limits(threads: int | None, memory_limit: str | None) -> None:
    if threads or memory_limit:
        raise InputError(
            "threads and memory limit belong to the connection that was passed: set them there"
        )


def _run_name() -> str:
    """A new name, since a caller's instance can have several runs."""
    return f"setveil_{uuid.uuid4().hex[:12]}"


def _beside(connection: duckdb.DuckDBPyConnection) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """A cursor with the search path of the caller's connection; False if the path is unknown.

    While the caller has rows to fetch, DuckDB runs no other query on that connection.
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
    asked = ", ".join(["system.main.current_setting(?)"] * len(SETTINGS))
    (values,) = cursor.execute(f"SELECT {asked}", list(SETTINGS)).fetchall()  # noqa: S608
    for (name, usual), value in zip(SETTINGS.items(), values, strict=True):
        if str(value).upper() != usual.upper():
            raise InputError(
                f"the connection sets {name} = {value}, which changes the results of a run: "
                f"RESET {name} there, or read from a connection of its own"
            )


def _open(spill: Path, threads: int | None, memory_limit: str | None) -> duckdb.DuckDBPyConnection:
    granted = memory.default_bytes() if memory_limit is None else memory.granted_bytes(memory_limit)
    settings: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": str(spill),
        "max_temp_directory_size": f"{spilling.room(spill)}B",
        "preserve_insertion_order": False,
        # An unknown name must not be looked up among Python's variables.
        "python_enable_replacements": False,
        # A database must not make DuckDB download or load code for its names.
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    if threads is not None:
        settings["threads"] = threads
    # To compress relations takes longer than most runs, which end before so many bytes are written.
    settings["checkpoint_threshold"] = f"{min(2**27, (granted or 2**30) // 8)}B"
    if granted is not None:  # a quarter is for Python, and for memory that DuckDB does not count
        settings["memory_limit"] = f"{granted * 3 // 4}B"
    try:
        connection = duckdb.connect(config=settings)
    except duckdb.Error as error:
        shutil.rmtree(spill, ignore_errors=True)
        raise InputError(f"DuckDB refused the settings: {one_line(error)}") from error
    # In a notebook without ipywidgets DuckDB has no progress bar: runs then report no progress.
    with contextlib.suppress(duckdb.InvalidInputException):
        # The progress bar makes `query_progress` work; DuckDB must not print it.
        connection.execute("SET enable_progress_bar = true")
        connection.execute("SET enable_progress_bar_print = false")
    return connection
