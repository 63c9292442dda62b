"""Copy rows from Spark to DuckDB, in parts, as Arrow, which keeps the types of columns.

The rows are first kept as a table, in which each row has a number that grows with its place. Each
task of Spark numbers its rows in blocks of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pyarrow as pa
from pyspark.sql import types as kinds
from sqlglot import exp

from setveil.backends.duckdb.backend import DuckDB
from setveil.sql.step import duck, render, term

SPARK = "spark"
PLACE = "setveil_place"
Keep = Callable[[exp.Table], exp.Expr]
LENGTH = "__CHAR_VARCHAR_TYPE_STRING"  # metadata that makes a string a VARCHAR(9)
BLOCK = 2**20  # numbers per block, and about the number of rows per part


def kept(query: exp.Query, columns: Sequence[str], table: exp.Table) -> str:
    """The statement that makes a table of the rows and their numbers."""
    place = exp.func("MONOTONICALLY_INCREASING_ID").as_(PLACE)
    shown = [exp.column(name, table="t", quoted=True) for name in columns]
    rows = exp.Select().select(*shown, place).from_(query.subquery("t"))
    return render(exp.Create(this=table.copy(), kind="TABLE", expression=rows), SPARK)


def sizes(table: exp.Table) -> str:
    """The query for the number of rows in each block."""
    counted = duck(
        """
        SELECT CAST(FLOOR(t.setveil_place / $block) AS BIGINT) AS block, COUNT(*) AS n
        FROM $table AS t GROUP BY CAST(FLOOR(t.setveil_place / $block) AS BIGINT)
        """,
        block=exp.Literal.number(BLOCK),
        table=table.copy(),
    )
    return render(counted, SPARK)


def spans(sizes: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """The first and last number of each part; a table without rows has one part."""
    blocks = sorted(sizes)
    first, rows = 0, 0
    for number, block in enumerate(blocks):
        rows += sizes[block]
        last = number + 1 == len(blocks)
        if last or rows + sizes[blocks[number + 1]] > BLOCK:
            yield first, (block + 1) * BLOCK - 1
            first, rows = (block + 1) * BLOCK, 0
    if not blocks:
        yield 0, 0


def between(columns: Sequence[str], table: exp.Table, first: int, last: int) -> str:
    """The query for the rows with these numbers, in their order."""
    shown = [exp.column(name, table="t", quoted=True).as_(name, quoted=True) for name in columns]
    place = exp.column(PLACE, table="t")
    span = term(
        "$place BETWEEN $first AND $last",
        place=place,
        first=exp.Literal.number(first),
        last=exp.Literal.number(last),
    )
    rows = exp.Select().select(*shown).from_(exp.alias_(table.copy(), "t", table=True)).where(span)
    return render(rows.order_by(place.copy()), SPARK)


def make(place: exp.Table) -> exp.Expr:
    """The statement that makes a relation from the first part."""
    return exp.Create(this=place.copy(), kind="TABLE", expression=_sent())


def add(place: exp.Table) -> exp.Expr:
    """The statement that appends another part."""
    return exp.Insert(this=place.copy(), expression=_sent())


def _sent() -> exp.Select:
    return exp.Select().select(exp.Star()).from_("sent")


def received(local: DuckDB, rows: pa.Table, statement: exp.Expr) -> None:
    """Run the statement that stores a part."""
    local.connection.register("sent", rows)
    try:
        local.execute("sent", render(statement))
    finally:
        local.connection.unregister("sent")


def has_comment(field: kinds.StructField) -> bool:
    """Has a column a comment or a default, at any depth?"""
    own = set(field.metadata or ()) - {LENGTH}
    return bool(own) or any(map(has_comment, _fields(field.dataType)))


def _fields(kind: kinds.DataType) -> Iterator[kinds.StructField]:
    if isinstance(kind, kinds.StructType):
        yield from kind.fields
    elif isinstance(kind, kinds.ArrayType):
        yield from _fields(kind.elementType)
    elif isinstance(kind, kinds.MapType):
        yield from _fields(kind.keyType)
        yield from _fields(kind.valueType)


def plain_type(kind: kinds.DataType) -> str:
    """A type as SQL, without the comments of its fields."""
    if isinstance(kind, kinds.ArrayType):
        return f"ARRAY<{plain_type(kind.elementType)}>"
    if isinstance(kind, kinds.MapType):
        return f"MAP<{plain_type(kind.keyType)}, {plain_type(kind.valueType)}>"
    if isinstance(kind, kinds.StructType):
        quoted = [exp.to_identifier(one.name, quoted=True) for one in kind.fields]
        fields = zip((render(name, "spark") for name in quoted), kind.fields, strict=True)
        return f"STRUCT<{', '.join(f'{name}: {plain_type(one.dataType)}' for name, one in fields)}>"
    return str(kind.simpleString())
