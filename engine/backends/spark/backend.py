"""Spark, in place: a run is a schema of its own, in the catalog where the data is.

Everything goes through SQL, as a Spark Connect server takes it from a client without Java. Spark
knows no transactions: a run ends with its schema dropped, and what a killed one left is dropped by
the next from the same place. Text is compared by bytes, which is the order of its code points.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import types as kinds
from sqlglot import exp

from setveil.backends import Capabilities, Columns, Row, Value, names
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.server import UNSORTED, Run, Server
from setveil.backends.spark import rows as spark_rows
from setveil.backends.spark import runs as spark_runs
from setveil.backends.spark.session import Opened, guarded, open_session
from setveil.errors import InputError, QueryError
from setveil.sql.run.values import plain
from setveil.sql.step import render

DIALECT = "spark"
NOWHERE = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE")

# The types whose values are equal only where their text is, and what DuckDB calls them.
KINDS: dict[type[kinds.DataType], str] = {
    kinds.BooleanType: "boolean", kinds.ByteType: "tinyint", kinds.ShortType: "smallint",
    kinds.IntegerType: "integer", kinds.LongType: "bigint", kinds.FloatType: "float",
    kinds.DoubleType: "double", kinds.DecimalType: "decimal", kinds.CharType: "varchar",
    kinds.VarcharType: "varchar", kinds.DateType: "date", kinds.BinaryType: "blob",
    kinds.TimestampType: "timestamp with time zone", kinds.TimestampNTZType: "timestamp",
}  # fmt: skip

WIDEST = 40  # relations in a query, before one is worth a statement of its own
OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer"

# Under other settings the same text means something else: a run does without none of these.
MEANING = {
    "spark.sql.ansi.enabled": "true",  # a number that is too large is an error
    "spark.sql.ansi.enforceReservedKeywords": "false",
    "spark.sql.legacy.createHiveTableByDefault": "false",
    # It takes a column that a branch of a union shows twice for one, and fails (4.3).
    "spark.sql.optimizer.excludedRules": f"{OPTIMIZER}.RemoveRedundantAliases",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.storeAssignmentPolicy": "ANSI",
}
# To plan takes seconds where it derives of every column what follows from how it was made.
PACE = {"spark.sql.constraintPropagation.enabled": "false"}


class Spark(Server):
    """One run in one session."""

    engine = "Spark"
    listed = '["a","b"]'
    can = Capabilities(dialect=DIALECT, posting_widths=(63,), widest=WIDEST)

    def __init__(
        self,
        url: str = "",
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        note: Callable[[str], None] = lambda text: None,
        beside: Spark | None = None,
    ) -> None:
        """A run in a session of its own, where names are looked up as nobody else's are."""
        self._note = note
        self._closed = False
        self.threads, self.memory_limit = threads, memory_limit
        self._opened: Opened = (
            open_session(url, threads, memory_limit) if beside is None else beside._opened.another()
        )
        self._session: SparkSession = self._opened.session
        self.run = spark_runs.new_name()
        self.opening: list[str] = []
        try:
            self._begin()
        except QueryError as error:
            self.close()
            raise InputError(f"Spark refuses to begin a run: {error.message}") from error
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        for name, value in MEANING.items():
            self._open(f"SET {name} = {value}")
        for name, value in (PACE | self._opened.pace).items():
            with contextlib.suppress(QueryError):  # the server's own choice will do
                self._open(f"SET {name} = {value}")
        ((catalog, schema),) = self.rows(
            "run", "SELECT CURRENT_CATALOG() AS catalog, CURRENT_SCHEMA() AS place"
        )
        self._home = exp.table_(_quoted(schema), _quoted(catalog))
        self._read: list[exp.Table] = []  # what is there, and must not be replaced
        self._plans: list[str] = []  # of what was read
        self._naming: list[str] = []  # what gives the release its name, once its trail is kept
        self._place = exp.table_(_quoted(self.run), _quoted(catalog))
        self.outside = f"USE {render(self._home, DIALECT)}"
        self.inside = f"USE {render(self._place, DIALECT)}"
        self._drop_abandoned()
        made = f"CREATE SCHEMA {render(self._place, DIALECT)}"
        self.execute("run", made + self._location())
        self.opening.append(made)

    def _open(self, statement: str) -> None:
        self.execute("run", statement)
        self.opening.append(statement)

    def _location(self) -> str:
        """In a Spark of our own, what a run makes is no one else's to read."""
        if self._opened.folder is None:
            return ""
        path = render(exp.Literal.string(f"{self._opened.folder}/{self.run}"), DIALECT)
        return f" LOCATION {path}"

    def _drop_abandoned(self) -> None:
        found = [str(row[0]) for row in self.rows("run", "SHOW SCHEMAS LIKE 'setveil_*'")]
        for name in spark_runs.abandoned(found):
            place = exp.table_(_quoted(name), self._place.args["db"].copy())
            with contextlib.suppress(QueryError):  # another run may be doing the same
                self.execute("run", f"DROP SCHEMA IF EXISTS {render(place, DIALECT)} CASCADE")
        if old := spark_runs.forgotten(found):
            self._note(
                f"left behind by runs elsewhere, more than {spark_runs.OLD_DAYS} days ago: "
                f"{', '.join(old)}; if they have ended, DROP SCHEMA … CASCADE"
            )

    def execute(self, name: str, statement: str) -> int | None:
        """Run a statement. How many rows it made Spark does not say."""
        with guarded(name, statement):
            self._session.sql(statement)
        return None

    def rows(self, name: str, statement: str) -> list[Row]:
        """A small answer, as rows."""
        table = self._answer(name, statement)
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))

    def columns(self, name: str, statement: str) -> Columns:
        """A long answer of numbers, as one array per column."""
        table = self._answer(name, statement)
        return {
            title: column.to_numpy()
            for title, column in zip(table.column_names, table.columns, strict=True)
        }

    def _answer(self, name: str, statement: str) -> pa.Table:
        with guarded(name, statement):
            return self._session.sql(statement).toArrow()

    def relation(self, name: str) -> exp.Expr:
        """What stands behind FROM: a table or view of exactly that name; else one query."""
        found = self._standing(name)
        query = render(exp.Select().select(exp.Star()).from_(found.copy()), DIALECT)
        ((plan,),) = self.rows("source", f"EXPLAIN EXTENDED {query}")
        self._plans.append(str(plan).replace("`", "").casefold())
        return found

    def _standing(self, name: str) -> exp.Expr:
        here = exp.table_(_quoted(name), *_parts(self._home))
        if self._exists(here):
            self._read.append(here)
            return here
        if query := names.one_query(name, DIALECT):
            return query
        if table := names.qualified(name, DIALECT):
            self._read.append(table)
            return table
        raise InputError(f"{name!r} is neither a table or view nor one query")

    def _reads(self, place: exp.Table) -> bool:
        """Does the plan of what was read name the table, through views and functions?"""
        named = re.compile(rf"(?<!\w){re.escape('.'.join(_spelled(place)))}(?!\w)")
        return _spelled(place) in map(_spelled, self._read) or any(map(named.search, self._plans))

    def _exists(self, table: exp.Table) -> bool:
        try:
            self.columns_of(table)
        except QueryError as error:
            if isinstance(error.__cause__, PySparkException) and (
                error.__cause__.getCondition() in NOWHERE or error.refused
            ):
                return False
            raise
        return True

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The columns of a relation: `list` with the kind of its elements, if it is one."""
        query = exp.Select().select(exp.Star()).from_(relation.copy()).limit(0)
        text = render(query, DIALECT)
        with guarded("source", text):
            schema = self._session.sql(text).schema
        return {field.name: _kind(field.dataType) for field in schema.fields}

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, as another session finds it."""
        return exp.table_(exp.to_identifier(relation), *_parts(self._place))

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """Spark compares text by bytes; a collation is refused."""
        if kind.endswith("collated"):
            name = column.name
            raise InputError(
                f"column {name!r} has a collation, which makes different names equal: read it "
                f"through a query that has {name} COLLATE UTF8_BINARY AS {name}"
            )
        return plain(column, kind)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """A table of text that the caller gave, by columns, as data: no SQL holds it."""
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

    def as_released(self, query: exp.Query, own: Collection[str]) -> exp.Query:
        """Without the comments and defaults of the source's columns, which can hold names.

        Spark hands them on from table to table; a cast leaves them behind.
        """
        text = render(query, DIALECT)
        with guarded("publish", text):
            schema = self._session.sql(text).schema
        if not any(map(spark_rows.tells, schema.fields)):
            return query
        shown = []
        for field in schema.fields:
            value: exp.Expr = exp.column(field.name, table="r", quoted=True)
            if spark_rows.tells(field):
                value = exp.Cast(this=value, to=exp.Var(this=spark_rows.plain_type(field.dataType)))
            shown.append(value.as_(field.name, quoted=True))
        return exp.Select().select(*shown).from_(query.subquery("r"))

    @contextlib.contextmanager
    def published(
        self, query: exp.Query, table: str, force: bool, run: Callable[[str], None]
    ) -> Iterator[None]:
        """Make the table under a hidden name; it takes its own if the block ends well.

        Where it takes the place of another, there is a moment in which there is none.
        """
        place = self._new_table(table, force)
        hidden = place.copy()
        hidden.set("this", _quoted(spark_runs.new_name()))
        made, named = render(hidden, DIALECT), render(place, DIALECT)
        # Spark renames within a catalog, and has no place for its name.
        within = render(exp.table_(place.this.copy(), place.args["db"].copy()), DIALECT)
        try:
            with _making(table):
                self._drop_abandoned_tables(place)
                run(f"CREATE TABLE {made} AS\n{render(query, DIALECT)}")
                gone = [f"DROP TABLE IF EXISTS {named}"] if force else []
                self._naming = [*gone, f"ALTER TABLE {made} RENAME TO {within}"]
                yield
                for statement in self._naming:
                    run(statement)
        except BaseException:
            with contextlib.suppress(QueryError):
                self.execute("publish", f"DROP TABLE IF EXISTS {made}")
            raise

    def is_table(self, table: exp.Table) -> bool:
        """A path to files, as parquet.`…`, is none."""
        try:
            told = self.rows("run", f"DESCRIBE TABLE EXTENDED {render(table, DIALECT)}")
        except QueryError as error:
            if error.refused:
                return False
            raise
        kinds = {str(row[1]) for row in told if row[0] == "Type"}
        return bool(kinds & {"MANAGED", "EXTERNAL"}) and "VIEW" not in kinds

    def check_table(self, table: str, force: bool) -> None:
        with _making(table):
            self._drop_abandoned_tables(self._new_table(table, force))

    def _new_table(self, table: str, force: bool) -> exp.Table:
        """Where a release goes: never to where data was read from."""
        self._refuse_fleeting(table)
        place = self._named(table)
        if self._reads(place):
            raise InputError(f"{table!r} is what the data was read from: choose another name")
        if not force and self._exists(place):
            raise InputError(
                f"{table!r} exists: choose another name, or --force to overwrite it "
                "(on Spark not in one step: for a moment there is no such table)"
            )
        return place

    def _named(self, text: str) -> exp.Table:
        """A name with its schema and catalog, or what it lacks of them as the caller has them."""
        schema, catalog = _parts(self._home)
        place = names.qualified(text, DIALECT) or exp.table_(text, schema)
        catalog = place.args.get("catalog") or catalog
        return exp.table_(_quoted(place.name), _quoted(place.db), _quoted(catalog.name))

    def closing(self, *, published: bool) -> list[str]:
        """The release gets its name, and nothing else stays."""
        gone = f"DROP SCHEMA {render(self._place, DIALECT)} CASCADE"
        return [*self._naming, gone] if published else [gone]

    def of_file(self, table: str, columns: dict[str, bool], path: str) -> list[str]:
        """Lists are JSON there."""
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

    def _drop_abandoned_tables(self, place: exp.Table) -> None:
        """What runs that were killed while they published left in the schema."""
        schema = exp.table_(place.args["db"].copy(), place.args.get("catalog"))
        shown = f"SHOW TABLES IN {render(schema, DIALECT)} LIKE 'setveil_*'"
        found = [str(row[1]) for row in self.rows("publish", shown)]
        for name in spark_runs.abandoned(found):
            table = exp.table_(_quoted(name), schema.this.copy(), schema.args.get("db"))
            self.execute("publish", f"DROP TABLE IF EXISTS {render(table, DIALECT)}")

    def _refuse_fleeting(self, table: str) -> None:
        """A Spark of our own may know its tables no longer than it lives."""
        if self._opened.folder is None or str(self._home.args["db"].name) != "spark_catalog":
            return
        ((_, kept),) = self.rows("publish", "SET spark.sql.catalogImplementation")
        if kept == "in-memory":
            raise InputError(
                f"{table!r}: the tables of this Spark end with the process: write a file, or "
                "configure a catalog that lasts (spark.sql.catalogImplementation hive)"
            )

    @contextlib.contextmanager
    def given(self, local: DuckDB, query: exp.Query, table: str, force: bool) -> Iterator[None]:
        """By Arrow, into a table of the run first."""
        self.execute("publish", "SET spark.sql.timestampType = TIMESTAMP_NTZ")  # where no zone is
        place = self.of_run("given")
        text = f"CREATE TABLE {render(place, DIALECT)} AS SELECT * FROM {{given}}"  # noqa: S608
        rows = local.connection.sql(render(query)).to_arrow_table()
        with guarded("publish", text):
            self._session.sql(text, given=self._session.createDataFrame(rows))
        every = exp.Select().select(exp.Star()).from_(place)
        with self.published(every, table, force, partial(self._do, "publish")):
            yield

    def take(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        """By Arrow, so many rows at once: they are kept as a table, each with its place."""
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
        """For statements of which nobody asks how many rows they made."""
        self.execute(name, statement)
        return 0

    def _received(
        self, local: DuckDB, place: exp.Table, keep: spark_rows.Keep, name: str, statement: str
    ) -> int:
        rows = self._answer(name, statement)
        spark_rows.received(local, rows, keep(place))
        return len(rows)

    def beside(self, note: Callable[[str], None]) -> Spark:
        """A second run in the same Spark, in a session and a schema of its own."""
        return Spark(beside=self, note=note)

    def version(self) -> dict[str, str]:
        return {"spark": str(self._session.version)}

    def interrupt(self) -> None:
        with guarded("run", ""), contextlib.suppress(PySparkException):
            self._session.interruptAll()

    def close(self) -> None:
        """Drop the run. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self._opened.hurry()
        self.close_local()
        if self._opened.url is not None:
            with contextlib.suppress(QueryError):  # a statement nobody waits for would still write
                self.interrupt()
        try:
            if hasattr(self, "_place"):
                self._drop()
        finally:
            self._opened.close()

    def _drop(self) -> None:
        place = render(self._place, DIALECT)
        try:
            self.execute("run", f"DROP SCHEMA IF EXISTS {place} CASCADE")
        except QueryError as error:
            self._note(f"{place} is left behind until the next run from here: {error.message}")


def _quoted(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def _parts(schema: exp.Table) -> tuple[exp.Identifier, exp.Identifier]:
    """A schema and its catalog, to stand before the name of a table."""
    return schema.this.copy(), schema.args["db"].copy()


def _kind(kind: kinds.DataType) -> str:
    """`struct` for whatever has no plain equality, if it has an order at all."""
    if isinstance(kind, kinds.ArrayType):
        return f"list {_kind(kind.elementType)}"
    if not _sorts(kind):
        return UNSORTED
    if isinstance(kind, kinds.StringType):
        plain = getattr(kind, "collation", "UTF8_BINARY") == "UTF8_BINARY"
        return "varchar" if plain else "varchar collated"
    return KINDS.get(type(kind), "struct")


def _sorts(kind: kinds.DataType) -> bool:
    if isinstance(kind, kinds.ArrayType):
        return _sorts(kind.elementType)
    if isinstance(kind, kinds.StructType):
        return all(_sorts(field.dataType) for field in kind.fields)
    return not isinstance(kind, kinds.MapType | kinds.VariantType)


def _spelled(place: exp.Table) -> tuple[str, ...]:
    """The names of a table and its schema, which Spark takes in any case of letters."""
    return tuple(part.name.casefold() for part in place.parts[-2:])


@contextlib.contextmanager
def _making(table: str) -> Iterator[None]:
    """What the server refuses while a table is made is for the caller to mend."""
    try:
        yield
    except QueryError as error:
        if error.refused:
            raise InputError(f"{table!r} cannot be made: {error.message}") from error
        raise
