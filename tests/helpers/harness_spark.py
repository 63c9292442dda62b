"""Spark for the tests: in this process, or a Spark Connect server of their own.

Tables are copied there as Parquet files, without statements that write rows.
"""

from __future__ import annotations

import contextlib
import itertools
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import spark_server
from harness import Columns, OnServer, Rows, quoted
from setveil.backends import Backend

if reason := spark_server.missing():
    pytest.skip(reason, allow_module_level=True)

from setveil.backends.spark.backend import Spark

# Types that Parquet lacks or Spark cannot read.
KINDS = {"HUGEINT": "DECIMAL(38, 0)", "UHUGEINT": "DECIMAL(38, 0)", "UUID": "VARCHAR"}


class OnSpark(OnServer):
    """A Spark that only this process uses, with a session to inspect it."""

    dialect = "spark"
    kind = "classic"

    def __init__(self) -> None:
        super().__init__()
        self._ending = contextlib.ExitStack()
        self.url = self._ending.enter_context(spark_server.running(self.kind))
        self._folder = Path(self._ending.enter_context(tempfile.TemporaryDirectory()))
        self._files = itertools.count()
        self._local = self._ending.enter_context(duckdb.connect())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.session = self._connected()

    def _connected(self) -> Any:
        from pyspark.sql import SparkSession

        return SparkSession.builder.getOrCreate()

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self.session.sql(text).toArrow()
        return list(zip(*(column.to_pylist() for column in found.columns), strict=True))

    def asked(self, text: str) -> list[tuple[Any, ...]]:
        return self.sql(text)

    def runs(self) -> list[str]:
        """The schemas of runs that have not ended."""
        return [str(row[0]) for row in self.sql("SHOW SCHEMAS LIKE 'setveil_*'")]

    def tables(self) -> list[str]:
        return sorted(str(row[1]) for row in self.sql("SHOW TABLES IN default"))

    def cleared(self) -> None:
        """Remove the tables of earlier tests."""
        for name in self.runs():
            self.sql(f"DROP SCHEMA {name} CASCADE")
        for name in self.tables():
            self.sql(f"DROP TABLE default.{_ticked(name)}")
        self._taken.clear()

    def bare(self, connection: duckdb.DuckDBPyConnection | None) -> Backend:
        return Spark(self.url)

    def put(self, name: str, columns: Columns, rows: Rows) -> None:
        self._put(name, self._relation(columns, rows))

    def _put(self, name: str, found: duckdb.DuckDBPyRelation) -> None:
        for statement in self._made(f"default.{_ticked(name)}", found):
            self.sql(statement)

    def fill(self, backend: Backend, name: str, columns: Columns, rows: Rows) -> None:
        assert isinstance(backend, Spark)
        place = f"{backend.run}.{_ticked(name)}"
        for statement in self._made(place, self._relation(columns, rows)):
            backend.execute(name, statement)

    def relations(self, backend: Backend) -> set[str]:
        return {str(row[1]) for row in backend.rows("relations", "SHOW TABLES")}

    def close(self) -> None:
        self._ending.close()

    def _relation(self, columns: Columns, rows: Rows) -> duckdb.DuckDBPyRelation:
        """The rows as a relation of DuckDB."""
        declared = ", ".join(f"{quoted(title)} {kind}" for title, kind in columns.items())
        self._local.execute(f"CREATE OR REPLACE TABLE taken ({declared})")
        if rows:
            places = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
            self._local.executemany(f"INSERT INTO taken VALUES ({places})", rows)  # noqa: S608
        return self._local.table("taken")

    def _made(self, place: str, found: duckdb.DuckDBPyRelation) -> Iterator[str]:
        """The statement that makes the table on Spark; it replaces one with the same name."""
        path = self._folder / f"{next(self._files)}.parquet"
        shown = [
            f"CAST({quoted(title)} AS {KINDS.get(kind, kind)}) AS {quoted(title)}"
            for title, kind in zip(found.columns, map(str, found.types), strict=True)
        ]
        found.project(", ".join(shown)).write_parquet(str(path))
        yield f"DROP TABLE IF EXISTS {place}"
        yield f"CREATE TABLE {place} USING parquet LOCATION '{path}'"


class OnConnect(OnSpark):
    """A Spark Connect server, which accepts only SQL and tables."""

    kind = "connect"

    def _connected(self) -> Any:
        from pyspark.sql import SparkSession

        session = SparkSession.builder.remote(self.url).create()
        self._ending.callback(session.stop)
        return session


def _ticked(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
