"""Run statements on Spark."""

from __future__ import annotations

import contextlib

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from setveil.backends import Columns, Row
from setveil.backends.server import Server
from setveil.backends.spark.session import Opened, guarded


class Connected(Server):
    """A run with a session."""

    _session: SparkSession
    _opened: Opened

    def execute(self, name: str, statement: str) -> int | None:
        """Run a statement. Spark does not report how many rows it made."""
        with guarded(name, statement):
            self._session.sql(statement)
        return None

    def rows(self, name: str, statement: str) -> list[Row]:
        """Run a query with a small result; return its rows."""
        table = self._answer(name, statement)
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))

    def columns(self, name: str, statement: str) -> Columns:
        """Run a query with many rows of numbers; return one array per column."""
        table = self._answer(name, statement)
        return {
            title: column.to_numpy()
            for title, column in zip(table.column_names, table.columns, strict=True)
        }

    def _answer(self, name: str, statement: str) -> pa.Table:
        with guarded(name, statement):
            return self._session.sql(statement).toArrow()

    def interrupt(self) -> None:
        with guarded("run", ""), contextlib.suppress(PySparkException):
            self._session.interruptAll()
