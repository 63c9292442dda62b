"""Copy rows to and from Spark, as Arrow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial

import pyarrow as pa
from pyspark.sql import types as kinds
from sqlglot import exp

from setveil.backends import Value
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.server import Run
from setveil.backends.spark import rows as spark_rows
from setveil.backends.spark.naming import DIALECT
from setveil.backends.spark.publishing import Publishing
from setveil.backends.spark.session import guarded
from setveil.sql.step import render


class Transferring(Publishing):
    """A run that copies rows to and from Spark."""

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Make a table from texts of the caller, sent as Arrow: no SQL contains them."""
        listed = [any(isinstance(value, list) for value in column) for column in columns]
        arrays = [
            pa.array(list(column), pa.list_(pa.string()) if lists else pa.string())
            for column, lists in zip(columns, listed, strict=True)
        ]
        data = pa.Table.from_arrays(arrays, names=list(titles))
        text_or_list = {False: kinds.StringType(), True: kinds.ArrayType(kinds.StringType())}
        schema = kinds.StructType(
            [
                kinds.StructField(title, text_or_list[lists])
                for title, lists in zip(titles, listed, strict=True)
            ]
        )
        text = f"CREATE TABLE {render(self.of_run(table), DIALECT)} AS SELECT * FROM {{given}}"  # noqa: S608
        with guarded(table, text):
            self._session.sql(
                text, given=self._session.createDataFrame(data if len(data) else [], schema)
            )

    def of_file(self, table: str, columns: dict[str, bool], path: str) -> list[str]:
        """The statements of a trail that read a CSV file, with lists as JSON, into a table."""
        file, view = render(exp.Literal.string(path), DIALECT), f"file_of_{table}"
        shown = []
        for name, lists in columns.items():
            column = render(exp.column(name, quoted=True), DIALECT)
            shown.append(f"FROM_JSON({column}, 'ARRAY<STRING>') AS {column}" if lists else column)
        options = f"path {file}, header 'true', multiLine 'true', escape '\"'"
        return [
            f"CREATE OR REPLACE TEMPORARY VIEW {view} USING csv OPTIONS ({options})",
            f"CREATE TABLE {table} AS\nSELECT {', '.join(shown)} FROM {view}",  # noqa: S608
        ]

    @contextlib.contextmanager
    def send_table(
        self, local: DuckDB, query: exp.Query, table: str, force: bool, *, inside: bool = False
    ) -> Iterator[None]:
        """Make a table from rows in DuckDB: first a table of the run, then the table itself."""
        # Times without a zone stay without one.
        self.execute("publish", "SET spark.sql.timestampType = TIMESTAMP_NTZ")
        place = self.of_run("given_again" if inside else "given")
        text = f"CREATE TABLE {render(place, DIALECT)} AS SELECT * FROM {{given}}"  # noqa: S608
        rows = local.connection.sql(render(query)).to_arrow_table()
        with guarded("publish", text):
            self._session.sql(text, given=self._session.createDataFrame(rows))
        every = exp.Select().select(exp.Star()).from_(place)
        run = partial(self._do, "publish")
        with self.published(every, table, force, run, inside=inside):
            yield

    def fetch(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        """Copy the rows of a query into DuckDB, in parts: Spark keeps them in a numbered table."""
        sent = self.of_run(f"sent_{relation}")
        columns = list(self.columns_of(query.subquery("taken")))
        run(spark_rows.kept(query, columns, sent), self._make)
        sizes: dict[int, int] = {}

        def sized(name: str, statement: str) -> int:
            sizes.update(self.rows(name, statement))
            return len(sizes)

        run(spark_rows.sizes(sent), sized)
        with local.in_order():
            place, make = local.of_run(relation), spark_rows.make
            for first, last in spark_rows.spans(sizes):
                run(
                    spark_rows.between(columns, sent, first, last),
                    partial(self._received, local, place, make),
                )
                make = spark_rows.add
        run(f"DROP TABLE {render(sent, DIALECT)}", self._make)

    def _do(self, name: str, statement: str) -> None:
        self.execute(name, statement)

    def _make(self, name: str, statement: str) -> int:
        """Run a statement that makes a relation or drops one; its number of rows is not needed."""
        self.execute(name, statement)
        return 0

    def _received(
        self, local: DuckDB, place: exp.Table, keep: spark_rows.Keep, name: str, statement: str
    ) -> int:
        rows = self._answer(name, statement)
        spark_rows.received(local, rows, keep(place))
        return len(rows)
