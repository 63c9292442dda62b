"""Accept conditions on name and support, as callers write them behind `where:`.

A condition must choose equal items at every run, read no other data and change nothing. It may use
only the columns, functions and types that are listed here.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.dialects import DUCKDB, POSTGRES, TEXT
from setveil.sql.trail.trusted import called

COLUMNS = ("name", "support")
KINDS = frozenset(
    """
    Add And Between Boolean Case Cast Column DPipe DataType DataTypeParam Div EQ Escape GT
    GTE Glob ILike Identifier If In IntDiv Is LT LTE Like Literal Mod Mul NEQ Neg Not Null
    NullSafeEQ NullSafeNEQ Or Paren RegexpILike RegexpLike SimilarTo Sub Tuple TryCast
    """.split()
)
FUNCTIONS = frozenset(
    """
    Abs Ceil Coalesce Concat Contains EndsWith Floor Greatest Least Left Length Ln Log Lower
    Nullif Pow RegexpFullMatch Replace Right Round SplitPart Sqrt StartsWith StrPosition Substring
    Trim Upper STRIP_ACCENTS
    """.split()
)
TYPES = frozenset("BIGINT BOOLEAN DECIMAL DOUBLE FLOAT INT SMALLINT TEXT VARCHAR".split())
# Texts that change their meaning every day when they are cast to a date or time.
CLOCK = ("now", "today", "tomorrow", "yesterday")


def foreign(condition: exp.Expr) -> str | None:
    """The first part of a condition that is not allowed; None if all parts are."""
    for node in condition.walk():
        if not _is_known(node) or node.comments:
            return node.sql(dialect=DUCKDB)[:60]
    return None


def mark_texts(condition: exp.Expr) -> None:
    """Mark each LENGTH as one of a text: in our own queries it is of a list."""
    for one in condition.find_all(exp.Length):
        one.meta[TEXT] = True


# Functions of numbers: they mean the same under any order of texts.
NUMERIC = frozenset("Abs Ceil Coalesce Floor Greatest Least Ln Log Nullif Pow Round Sqrt".split())


def of_items(condition: exp.Expr, dialect: str) -> exp.Expr:
    """The condition on the columns of items named i. PostgreSQL compares texts by code points.

    A run reads text in that order. A query does not know which columns hold text: names that stand
    beside texts do, else the database refuses the order.
    """
    made = condition.copy()
    for one in list(made.find_all(exp.Column)):
        own: exp.Expr = exp.column(one.name.lower(), table="i")
        if dialect == POSTGRES and one.name.lower() == "name" and _is_text(one):
            own = exp.Collate(this=own, expression=exp.column("C", quoted=True))
        if one is made:
            return own
        one.replace(own)
    return made


def _is_text(column: exp.Expr) -> bool:
    """Does the column stand beside a text, or in a function of texts? A cast gives it a type."""
    node, inner = column.parent, column
    while node is not None and not isinstance(node, exp.Connector | exp.Not):
        if isinstance(node, exp.Cast):
            return False
        inner, node = node, node.parent
    texts = any(one.is_string for one in inner.find_all(exp.Literal))
    functions = {called(one) for one in inner.find_all(exp.Func)}
    return texts or not functions <= NUMERIC


def _is_known(node: exp.Expr) -> bool:
    if isinstance(node, exp.Column):
        return node.name.lower() in COLUMNS and len(node.parts) == 1
    if isinstance(node, exp.DataType):
        return isinstance(node.this, exp.DataType.Type) and node.this.name in TYPES
    if isinstance(node, exp.Literal) and node.is_string:
        return node.name.strip().lower() not in CLOCK
    return called(node) in KINDS or called(node) in FUNCTIONS


def is_of_list(tree: exp.Query) -> bool:
    """Is it the query for the items that a condition of this kind chooses?"""
    bare = tree.copy()
    condition = bare.args.pop("where", None)
    asked = bare.sql(dialect=DUCKDB) == "SELECT item FROM item ORDER BY item"
    return asked and condition is not None and foreign(condition.this) is None
