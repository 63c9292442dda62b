"""Recognize SQL that setveil wrote: a trail may hold SQL that somebody else put there.

A tree is ours if it has only kinds, functions and types that the builders emit. It must read only
relations that the run has made, and hold no comment. A test walks all builders: this module allows
nothing that no builder emits.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from setveil.sql.dialects import DUCKDB, POSTGRES, SPARK

KINDS = frozenset(
    """
    Add Alias Aliases And BitwiseAnd BitwiseLeftShift Boolean Bracket CTE Case Cast Column DPipe
    DataType DataTypeParam Distinct Div Dot EQ Except Exists From GT GTE Group Having Identifier
    If In IntDiv Is Join LT LTE Lambda Limit Literal Mod Mul NEQ Neg Not Null NullSafeNEQ Offset
    Or Order Ordered Paren PropertyEQ Select Star Sub Subquery Table TableAlias TryCast Tuple
    Union Values Where Window With
    """.split()
)
COMMON = frozenset(
    """
    Abs Array ArrayAgg ArrayDistinct ArraySort BitwiseAndAgg BitwiseOrAgg Coalesce Count DenseRank
    Explode Greatest GroupConcat Lag Lead Least Ln MD5 Max Min Replace Round RowNumber Sqrt
    Sum
    """.split()
)
FUNCTIONS = {
    DUCKDB: COMMON
    | {"BITSTRING_AGG", "BIT_COUNT", "LIST_COUNT", "LIST_ZIP", "Length", "MD5_NUMBER_LOWER"}
    | {"Transform"},
    POSTGRES: COMMON
    | {"ArrayRemove", "BIT_COUNT", "CARDINALITY", "Collate", "Repeat", "SET_BIT", "Substring"}
    | {"Unnest"},
    SPARK: COMMON
    | {
        "ArrayCompact",
        "ArraySize",
        "ArraysZip",
        "BitwiseCount",
        "CONV",
        "Inline",
        "Struct",
        "Substring",
        "Transform",
    }
    | {"ZIP_WITH"},
}
TYPES = {
    DUCKDB: {"BIGINT", "DECIMAL", "DOUBLE", "INT", "SMALLINT", "TEXT"},
    POSTGRES: {"BIGINT", "BIT", "DECIMAL", "DOUBLE", "INT", "SMALLINT", "TEXT"},
    SPARK: {"BIGINT", "DECIMAL", "DOUBLE", "INT", "SMALLINT", "TEXT"},
}
# Functions for the statements that read the source and write the release: these convert values.
EDGES = {
    DUCKDB: {"ArrayToString", "TO_JSON"},
    POSTGRES: {"ABS", "FORMAT", "NUM_NULLS", "ROW_NUMBER", "TRIM_SCALE"},
    SPARK: {"FROM_JSON", "JSONFormat"},
}
# Functions that are called by their full names in statements that read from a user's DuckDB file.
WHOLE = {"ABS", "ARRAY_EXTRACT", "LIST_TRANSFORM", "LIST_ZIP", "ROW_NUMBER"}
CATALOG, SYSTEM = "pg_catalog", "system.main"
GIVEN = "setveil_given"  # stands for a relation that no run has made


def called(node: exp.Expr) -> str:
    """The kind of a node; the name of a function that sqlglot does not know."""
    return node.name.upper() if isinstance(node, exp.Anonymous) else type(node).__name__


def foreign(
    tree: exp.Expr, dialect: str, relations: Collection[str], *, edge: bool = False
) -> str | None:
    """The first part of a query that no builder emits, or that reads an unknown relation."""
    known = {*relations, *(one.alias for one in tree.find_all(exp.CTE))}
    also = EDGES[dialect] if edge else set()
    for node in tree.walk():
        ours = called(node) in also or _is_ours(node, dialect)
        exact = edge and _is_told_exactly(node, dialect)
        if isinstance(node, exp.Table):
            ours = _is_of(node, known)
        if not ours and not exact:
            return node.sql(dialect=dialect)[:60]
    return None


# Words of SQL itself, which sqlglot counts as functions: no search path can replace them.
GRAMMAR = (exp.And, exp.Array, exp.Case, exp.Cast, exp.Coalesce, exp.Collate, exp.If, exp.Or)


def by_path(tree: exp.Expr, dialect: str) -> str | None:
    """The first function of a PostgreSQL query that the caller's search path resolves."""
    if dialect != POSTGRES:
        return None
    for node in tree.find_all(exp.Func):
        if not isinstance(node, GRAMMAR) and not isinstance(node.parent, exp.Dot):
            return node.sql(dialect=dialect)[:60]
    return None


def untyped(tree: exp.Query) -> tuple[exp.Query, list[exp.DataType]]:
    """The query without casts of its columns, and their types: the server knows the columns."""
    tree, types = tree.copy(), []
    for column in tree.selects:
        cast = column.unalias()
        if type(cast) is exp.Cast and isinstance(cast.this, exp.Column):
            types.append(cast.to)
            cast.replace(cast.this)
    return tree, types


def _is_ours(node: exp.Expr, dialect: str) -> bool:
    if isinstance(node, exp.DataType):
        kind = node.this
        return isinstance(kind, exp.DataType.Type) and kind.name in TYPES[dialect]
    if isinstance(node, exp.Dot):
        return isinstance(node.expression, exp.Identifier)
    return called(node) in KINDS or called(node) in FUNCTIONS[dialect]


def _is_told_exactly(node: exp.Expr, dialect: str) -> bool:
    if dialect == DUCKDB:
        return _is_whole(node) or (called(node) in WHOLE and _is_whole(node.parent))
    return dialect == POSTGRES and _is_exact(node)


def _is_whole(node: exp.Expr | None) -> bool:
    """Is it one of DuckDB's own functions, by its full name, for any search path?"""
    if not isinstance(node, exp.Dot) or node.this.sql(DUCKDB) != SYSTEM:
        return False
    return isinstance(node.expression, exp.Anonymous) and called(node.expression) in WHOLE


def _is_exact(node: exp.Expr) -> bool:
    """Is it one of PostgreSQL's own names, by its full name, for any search path?"""
    if isinstance(node, exp.Operator):
        return str(node.args["operator"]).startswith(f"{CATALOG}.")
    if isinstance(node, exp.DataType):
        kind = node.args.get("kind")
        if isinstance(kind, exp.Dot):
            return isinstance(kind.expression, exp.Identifier) and _is_exact(kind)
        return bool(node.this == exp.DataType.Type.ARRAY)
    if isinstance(node, exp.Table):
        return isinstance(node.this, exp.Explode) and node.db == CATALOG and not node.catalog
    return (
        isinstance(node, exp.Dot)
        and isinstance(node.this, exp.Identifier)
        and (node.this.name == CATALOG)
    )


def _is_of(table: exp.Table, known: Collection[str]) -> bool:
    """Is the table one of these relations, by its name alone?"""
    bare = isinstance(table.this, exp.Identifier) and not table.args.get("db")
    return bare and table.name in known
