"""DuckDB, the first backend: a run lives in a database of its own, attached in memory.

The user's tables are only ever read: files through DuckDB's readers, database files attached read
only, an open connection through a cursor, so that its search path and settings stay as they were.
What does not fit in memory spills to a private folder that is removed with the run.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import threading
import uuid
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import sqlglot
from sqlglot import exp

from setveil.backends import Backend, Capabilities, Columns, Row, Value, memory, names, spilling
from setveil.errors import InputError, QueryError
from setveil.sql.run.values import plain
from setveil.sql.step import render

T = TypeVar("T")

LISTS = ("list", "array")

# Of an instance, so a run in the caller's cannot set them: with others, SQL means something else,
# or rows come in an order that depends on the threads.
SETTINGS = {
    "default_order": "ASCENDING",
    "default_collation": "",
    "default_null_order": "NULLS_LAST",
    "integer_division": "false",
    "preserve_insertion_order": "true",
}

# Leaves of a plan that read nothing.
ROWLESS = ("CTE_SCAN", "DELIM_GET", "DUMMY_SCAN", "RANGE")
OPENED = "SELECT DISTINCT path FROM system.main.duckdb_logs_parsed('FileSystem') WHERE op = 'OPEN'"
_LOGGED = threading.RLock()  # a log is the instance's, and runs of several threads can share one


_OPEN: weakref.WeakSet[DuckDB] = weakref.WeakSet()


def interrupt_all() -> None:
    """Stop the statements of all runs, from whatever thread."""
    for run in list(_OPEN):
        run.interrupt()


class DuckDB(Backend):
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
            if threads or memory_limit:
                raise InputError(
                    "threads and memory limit belong to the connection that was passed: "
                    "set them there"
                )
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

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """For the reading and writing of files, and for handing relations to the caller."""
        return self._connection

    @property
    def owned(self) -> bool:
        """Is the instance ours, with settings that we may change?"""
        return self._owned

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

    def _home(self) -> tuple[str, str]:
        """The database and schema that the caller's connection is in."""
        row = self._connection.execute(names.HERE).fetchone()
        assert row is not None
        return str(row[0]), str(row[1])

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

    def relation(self, name: str) -> exp.Expr:
        """What stands behind FROM for a name, where the caller's names are looked up."""
        return names.relation(name, self)

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The columns of a relation: `list`, `array` and so on, with that of the elements."""
        text = render(exp.Select().select(exp.Star()).from_(relation.copy()))
        found = self._connection.sql(text)
        return {name: _kind(kind) for name, kind in zip(found.columns, found.types, strict=True)}

    def tables_read(self, relation: exp.Expr) -> tuple[list[exp.Table], bool]:
        """The tables behind a relation, and whether it reads from anything else.

        The plan has them, through views, macros and `query_table()`, before anything is left out.
        """
        text = render(exp.Select().select(exp.Star()).from_(relation.copy()))
        locked = self._is_on("lock_configuration")
        if not locked:
            self._connection.execute("SET explain_output = 'all'")
        try:
            plans = self._connection.execute(f"EXPLAIN (FORMAT json) {text}").fetchall()
        finally:
            if not locked:
                self._connection.execute("RESET explain_output")
        leaves = list(_leaves(json.loads(plans[0][1])))
        tables = [sqlglot.parse_one(one, into=exp.Table, dialect="duckdb") for one in leaves if one]
        return tables, None in leaves

    @contextlib.contextmanager
    def files_opened(self) -> Iterator[set[str] | None]:
        """The files that statements of the block open, once it has ended.

        None where this cannot be known: the instance keeps a log already, or is locked.
        """
        with _LOGGED:
            found = self._start_log()
            try:
                yield found
            finally:
                if found is not None:
                    found.update(self._end_log())

    def _start_log(self) -> set[str] | None:
        if self._is_on("enable_logging") or self._is_on("lock_configuration"):
            return None
        self._connection.execute("CALL system.main.enable_logging('FileSystem')")
        return set()

    def _is_on(self, setting: str) -> bool:
        row = self._connection.execute(
            "SELECT system.main.current_setting($1)", [setting]
        ).fetchone()
        return row is not None and str(row[0]).lower() in ("1", "true")

    def _end_log(self) -> list[str]:
        self._connection.execute("CALL system.main.disable_logging()")
        # What it is made of would be looked up among the caller's macros, too.
        with self._connection.cursor() as apart:
            rows = apart.execute(self.inside).execute(OPENED).fetchall()
        for setting in ("enabled_log_types", "logging_level", "logging_mode"):
            self._connection.execute(f"RESET {setting}")
        return [str(path) for (path,) in rows]

    def without_enums(self, relation: exp.Expr) -> dict[str, exp.Expr]:
        """The columns with an ENUM at any depth, with text in its place.

        An ENUM lists every name that its column may hold, suppressed names too.
        """
        text = render(exp.Select().select(exp.Star()).from_(relation.copy()))
        found = self._connection.sql(text)
        plain = {
            name: str(_without_enums(kind))
            for name, kind in zip(found.columns, found.types, strict=True)
            if "ENUM(" in str(kind)
        }
        return {
            name: exp.Cast(this=exp.column(name, quoted=True), to=exp.Var(this=kind))
            for name, kind in plain.items()
        }

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, as another run of the instance finds it."""
        return exp.table_(relation, db="main", catalog=self.run)

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """DuckDB compares text by code points; a collation is refused where one is met."""
        return plain(column, kind)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """A table of text that the caller gave, by columns, bound as data: no SQL holds it."""
        shown = ", ".join(
            f"UNNEST(${number}::VARCHAR[]) AS {title}" for number, title in enumerate(titles, 1)
        )
        text = f"CREATE TABLE {self.run}.main.{table} AS SELECT {shown}"
        values = [list(column) for column in columns]
        self._guard(table, text, lambda: self._connection.execute(text, values))

    def beside(self, note: Callable[[str], None]) -> DuckDB:
        """A second run in the same instance."""
        return DuckDB(beside=self, note=note)

    def version(self) -> dict[str, str]:
        """Of what does the work, besides DuckDB."""
        return {}

    def interrupt(self) -> None:
        with contextlib.suppress(duckdb.ConnectionException):  # it is closed: nothing runs
            self._connection.interrupt()

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
def interruptible() -> Iterator[None]:
    """Ctrl-C during a statement comes as either of these, depending on the moment."""
    try:
        yield
    except (duckdb.InterruptException, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from error


def _kind(kind: duckdb.sqltypes.DuckDBPyType) -> str:
    if kind.id not in LISTS:
        return _plain_kind(kind)
    elements = kind.children[0][1]
    assert isinstance(elements, duckdb.sqltypes.DuckDBPyType)
    return f"{kind.id} {_plain_kind(elements)}"


def _plain_kind(kind: duckdb.sqltypes.DuckDBPyType) -> str:
    """JSON is text to DuckDB, but not every text is JSON."""
    return "json" if str(kind) == "JSON" else str(kind.id)


def _leaves(plan: list[dict[str, Any]]) -> Iterator[str | None]:
    """What the plan starts from: a table by its whole name, or None for anything else."""
    for node in plan:
        yield from _leaves(node["children"])
        if not node["children"] and node["name"] not in ROWLESS:
            table = node["extra_info"].get("Table")
            yield "\n".join(table) if isinstance(table, list) else table  # by its lines


def _without_enums(kind: duckdb.sqltypes.DuckDBPyType) -> duckdb.sqltypes.DuckDBPyType:
    if kind.id == "enum":
        return duckdb.sqltypes.VARCHAR
    if kind.id not in (*LISTS, "struct", "map", "union"):
        return kind
    parts = {
        name: _without_enums(one)
        for name, one in kind.children
        if isinstance(one, duckdb.sqltypes.DuckDBPyType)
    }
    if kind.id == "list":
        return duckdb.list_type(parts["child"])
    if kind.id == "array":
        return duckdb.array_type(parts["child"], int(str(dict(kind.children)["size"])))
    if kind.id == "map":
        return duckdb.map_type(parts["key"], parts["value"])
    if kind.id == "union":
        return duckdb.union_type({name: one for name, one in parts.items() if name})
    return duckdb.struct_type(parts)


def _run_name() -> str:
    """In an instance that is not ours, other runs can be there too."""
    return f"setveil_{uuid.uuid4().hex[:12]}"


def one_line(error: duckdb.Error) -> str:
    """What DuckDB says, without the excerpt of the statement and the stack that it may add."""
    said = " ".join(str(error).partition("\n\n")[0].partition("\nStack Trace")[0].split())
    if isinstance(error, duckdb.InternalException):
        return f"{said} (a fault of DuckDB itself: run it again, or with --threads 1)"
    return said


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
