"""Resolve names of the caller in Spark, and describe the columns of relations."""

from __future__ import annotations

import re

from pyspark.errors import PySparkException
from pyspark.sql import types as kinds
from sqlglot import exp

from setveil.backends import names
from setveil.backends.server import UNSORTED
from setveil.backends.spark.connection import Connected
from setveil.backends.spark.session import guarded
from setveil.errors import InputError, QueryError
from setveil.sql.run.values import plain
from setveil.sql.step import render

DIALECT = "spark"
NOWHERE = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE")
# DuckDB's names for types whose values are equal only if their texts are equal.
KINDS: dict[type[kinds.DataType], str] = {
    kinds.BooleanType: "boolean", kinds.ByteType: "tinyint", kinds.ShortType: "smallint",
    kinds.IntegerType: "integer", kinds.LongType: "bigint", kinds.FloatType: "float",
    kinds.DoubleType: "double", kinds.DecimalType: "decimal", kinds.CharType: "varchar",
    kinds.VarcharType: "varchar", kinds.DateType: "date", kinds.BinaryType: "blob",
    kinds.TimestampType: "timestamp with time zone", kinds.TimestampNTZType: "timestamp",
}  # fmt: skip


class Named(Connected):
    """A run that resolves names of the caller."""

    _home: exp.Table  # the schema and catalog of the caller
    _place: exp.Table  # the schema and catalog of the run
    _read: list[exp.Table]  # tables of the caller, which must not be replaced
    _plans: list[str]  # the plans of relations that were read

    def relation(self, name: str) -> exp.Expr:
        """The relation after FROM: a table or view with exactly this name; else one query."""
        found = self._resolved(name)
        query = render(exp.Select().select(exp.Star()).from_(found.copy()), DIALECT)
        ((plan,),) = self.rows("source", f"EXPLAIN EXTENDED {query}")
        self._plans.append(str(plan).replace("`", "").casefold())
        return found

    def _resolved(self, name: str) -> exp.Expr:
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
        """Was the table read, also through a view or function? The plans name it then."""
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
        """The name and type of every column; the type of a list is `list` with its element type."""
        query = exp.Select().select(exp.Star()).from_(relation.copy()).limit(0)
        text = render(query, DIALECT)
        with guarded("source", text):
            schema = self._session.sql(text).schema
        return {field.name: _kind(field.dataType) for field in schema.fields}

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, with the full name under which another session finds it."""
        return exp.table_(exp.to_identifier(relation), *_parts(self._place))

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """The column itself: Spark compares text by bytes, and a collation is refused."""
        if kind.endswith("collated"):
            name = column.name
            raise InputError(
                f"column {name!r} has a collation, which makes different names equal: read it "
                f"through a query that has {name} COLLATE UTF8_BINARY AS {name}"
            )
        return plain(column, kind)

    def is_table(self, table: exp.Table) -> bool:
        """Is it a plain table, and no view or path to files such as parquet.`…`?"""
        try:
            described = self.rows("run", f"DESCRIBE TABLE EXTENDED {render(table, DIALECT)}")
        except QueryError as error:
            if error.refused:
                return False
            raise
        kinds = {str(row[1]) for row in described if row[0] == "Type"}
        return bool(kinds & {"MANAGED", "EXTERNAL"}) and "VIEW" not in kinds

    def _named(self, text: str) -> exp.Table:
        """The table of a name, by default in the caller's schema and catalog."""
        schema, catalog = _parts(self._home)
        place = names.qualified(text, DIALECT) or exp.table_(text, schema)
        catalog = place.args.get("catalog") or catalog
        return exp.table_(_quoted(place.name), _quoted(place.db), _quoted(catalog.name))


def _quoted(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def _parts(schema: exp.Table) -> tuple[exp.Identifier, exp.Identifier]:
    """The names of a schema and its catalog, to put before the name of a table."""
    return schema.this.copy(), schema.args["db"].copy()


def _kind(kind: kinds.DataType) -> str:
    """The kind of a type; `struct` is any type with an order that DuckDB has no name for."""
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
    """The names of a table and its schema in one case, since Spark ignores case."""
    return tuple(part.name.casefold() for part in place.parts[-2:])
