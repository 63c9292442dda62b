"""Ask DuckDB about relations: their columns, and the tables and files that they read."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from setveil.backends import Value
from setveil.backends.duckdb.statements import Connected
from setveil.sql.run.values import plain
from setveil.sql.step import render
from setveil.sql.text import as_type

LISTS = ("list", "array")
# Leaves of a plan that read no table or file.
ROWLESS = ("CTE_SCAN", "DELIM_GET", "DUMMY_SCAN", "RANGE")
OPENED = "SELECT DISTINCT path FROM system.main.duckdb_logs_parsed('FileSystem') WHERE op = 'OPEN'"
_LOGGED = threading.RLock()  # an instance has one log, which runs of several threads share


class Reading(Connected):
    """A run that looks up relations of the caller."""

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The name and type of every column; a `list` or `array` with its element type."""
        text = render(exp.Select().select(exp.Star()).from_(relation.copy()))
        found = self._connection.sql(text)
        return {name: _kind(kind) for name, kind in zip(found.columns, found.types, strict=True)}

    def tables_read(self, relation: exp.Expr) -> tuple[list[exp.Table], bool]:
        """The tables behind a relation, and whether it reads anything else.

        The unoptimized plan shows them behind views, macros and `query_table()`.
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
        """A set that has, after the block, the files that its statements opened.

        None if this cannot be known: the instance keeps a log already, or its settings are locked.
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
        # The function reads its parts by name, so a macro of the caller must not be in reach.
        with self._connection.cursor() as apart:
            rows = apart.execute(self.inside).execute(OPENED).fetchall()
        for setting in ("enabled_log_types", "logging_level", "logging_mode"):
            self._connection.execute(f"RESET {setting}")
        return [str(path) for (path,) in rows]

    def without_enums(self, relation: exp.Expr) -> dict[str, exp.Expr]:
        """The columns with an ENUM at any depth, cast to text.

        An ENUM lists every name that its column may hold, suppressed names too.
        """
        text = render(exp.Select().select(exp.Star()).from_(relation.copy()))
        found = self._connection.sql(text)
        plain = {
            name: str(_without_enums(kind))
            for name, kind in zip(found.columns, found.types, strict=True)
            if "ENUM(" in str(kind)
        }
        return {name: as_type(exp.column(name, quoted=True), kind) for name, kind in plain.items()}

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """The column itself: DuckDB compares text by code points, and collations are refused."""
        return plain(column, kind)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Make a table from texts of the caller, bound as parameters: no SQL contains them."""
        shown = ", ".join(
            f"UNNEST(${number}::VARCHAR[]) AS {title}" for number, title in enumerate(titles, 1)
        )
        text = f"CREATE TABLE {self.run}.main.{table} AS SELECT {shown}"
        values = [list(column) for column in columns]
        self._guard(table, text, lambda: self._connection.execute(text, values))

    def insert_stream(self, table: str, stream: object, *, empty: bool) -> None:
        """Make a table of the rows of an Arrow stream, or of no row, in their order.

        Some streams can be read only once, so the statement is never tried again.
        """
        read = f"SELECT * FROM stream_of_{table}" + (" LIMIT 0" if empty else "")  # noqa: S608
        text = f"CREATE TABLE {self.run}.main.{table} AS {read}"
        self._guard(table, text, lambda: self._read_stream(table, stream, text), again=False)

    def _read_stream(self, table: str, stream: object, text: str) -> None:
        self._connection.register(f"stream_of_{table}", stream)
        try:
            self._connection.execute(text)
        finally:
            self._connection.unregister(f"stream_of_{table}")


def _kind(kind: duckdb.sqltypes.DuckDBPyType) -> str:
    if kind.id not in LISTS:
        return _plain_kind(kind)
    elements = kind.children[0][1]
    assert isinstance(elements, duckdb.sqltypes.DuckDBPyType)
    return f"{kind.id} {_plain_kind(elements)}"


def _plain_kind(kind: duckdb.sqltypes.DuckDBPyType) -> str:
    """The type's name. DuckDB calls JSON a text, but not every text is JSON."""
    return "json" if str(kind) == "JSON" else str(kind.id)


def _leaves(plan: list[dict[str, Any]]) -> Iterator[str | None]:
    """The leaves of a plan: the full name of each table, and None for any other leaf."""
    for node in plan:
        yield from _leaves(node["children"])
        if not node["children"] and node["name"] not in ROWLESS:
            table = node["extra_info"].get("Table")
            yield "\n".join(table) if isinstance(table, list) else table  # a name with line breaks


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
