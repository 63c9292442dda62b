"""Rules for SQL: it runs on every engine, and its answers are aggregates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from sqlglot import exp, parse_one

# Relations with a row per transaction, by the beginning of their names.
ROWS = (
    "basket", "cell", "check_cohort", "check_held", "check_key", "check_secret", "check_word",
    "cohort", "exposed", "extension", "frequent_cohort", "frequent_posting", "occurrence",
    "posting", "release", "secret", "source",
    "suppressed",
)  # fmt: skip


# Relations whose names begin so too, but with rows of items only.
ITEMS = ("suppressed_item",)


def tells_of_rows(table: str) -> bool:
    return table.startswith(ROWS) and table not in ITEMS


def is_aggregate(select: exp.Select) -> bool:
    """Has the answer one row, or one per group, with columns made of aggregates and groups?"""
    groups = {one.sql() for one in (select.args.get("group") or exp.Group()).expressions}

    def settled(node: exp.Expr) -> bool:
        if isinstance(node, exp.Window | exp.Column | exp.Star) and node.sql() not in groups:
            return False
        if isinstance(node, exp.AggFunc | exp.Subquery) or node.sql() in groups:
            return True
        return all(settled(child) for child in node.iter_expressions())

    by_transaction = any("tid" in one or "key" in one for one in groups)
    return not by_transaction and all(settled(column.unalias()) for column in select.expressions)


def shows_rows(tree: exp.Expr, common: dict[str, bool] | None = None) -> bool:
    """Does the answer of the query contain rows of transactions?"""
    common = dict(common or {})
    if isinstance(tree, exp.Subquery):
        return shows_rows(tree.this, common)
    for one in tree.ctes if isinstance(tree, exp.Query) else []:
        common[one.alias] = shows_rows(one.this, common)
    if isinstance(tree, exp.SetOperation):
        return shows_rows(tree.left, common) or shows_rows(tree.right, common)
    if isinstance(tree, exp.Table):
        return common.get(tree.name, tells_of_rows(tree.name))
    assert isinstance(tree, exp.Select), tree.sql()
    inside = [one for column in tree.expressions for one in column.find_all(exp.Subquery)]
    if any(shows_rows(one, common) for one in inside):
        return True
    read = [tree.args["from_"].this] if tree.args.get("from_") else []
    read += [join.this for join in tree.args.get("joins") or []]
    return any(shows_rows(one, common) for one in read) and not is_aggregate(tree)


OPENING = ("input", "settings", "run")


READING = ("source", "source_cell", "nulls")


PUBLISHING = ("release", "release_cell", "release_node")


# All functions that sql/ may call beside comparisons. BITSTRING_AGG is DuckDB's word for our
# PACK: see sql/dialects.py.
FUNCTIONS = (
    exp.Count, exp.Sum, exp.Min, exp.Max, exp.Least, exp.Greatest, exp.Coalesce, exp.Cast, exp.Case,
    exp.If, exp.RowNumber, exp.DenseRank, exp.Lag, exp.Lead, exp.BitwiseAndAgg, exp.BitwiseOrAgg,
    exp.Exists, exp.And, exp.Or, exp.Ln, exp.IntDiv, exp.Replace,
)  # fmt: skip


ANONYMOUS = ("BIT_COUNT", "BITSTRING_AGG")


FOREIGN = (
    exp.Array, exp.List, exp.Unnest, exp.Explode, exp.GenerateSeries, exp.Lambda,
    exp.Struct, exp.Bracket, exp.Lateral, exp.Pivot, exp.Qualify, exp.TableSample, exp.ILike,
    exp.Parameter, exp.Placeholder,
)  # fmt: skip


Rule = Callable[[exp.Expression], Iterator[object]]


def kinds(tree: exp.Expression) -> Iterator[object]:
    """Allow only CREATE TABLE AS SELECT, INSERT INTO SELECT, DROP TABLE and SELECT."""
    clauses = {name for name, value in tree.args.items() if value}
    if isinstance(tree, exp.Create):
        if not isinstance(tree.expression, exp.Query) or tree.kind != "TABLE":
            yield tree
        yield from clauses - {"this", "kind", "expression"}
    elif isinstance(tree, exp.Insert):
        if not isinstance(tree.expression, exp.Query):
            yield tree
        yield from clauses - {"this", "expression"}
    elif isinstance(tree, exp.Drop):
        if tree.kind != "TABLE":
            yield tree
        yield from clauses - {"tables", "kind"}
    elif not isinstance(tree, exp.Query):
        yield tree


def joins(tree: exp.Expression) -> Iterator[object]:
    """Demand ON for every join except CROSS, without OR; refuse USING."""
    for join in tree.find_all(exp.Join):
        condition = join.args.get("on")
        if condition is None or condition.find(exp.Or):
            if join.kind != "CROSS":
                yield join


def unnamed_columns(tree: exp.Expression) -> Iterator[object]:
    """Unnamed columns of every SELECT, except in scalar subqueries and EXISTS."""
    for select in tree.find_all(exp.Select):
        value = isinstance(select.parent, exp.Subquery) and not isinstance(
            select.parent.parent, exp.From | exp.Join | exp.SetOperation
        )
        if not value and not isinstance(select.parent, exp.Exists):
            for column in select.expressions:
                if not isinstance(column, exp.Alias | exp.Column) or column.is_star:
                    yield column


def sums(tree: exp.Expression) -> Iterator[object]:
    """Demand a cast or a comparison of each SUM, whose type differs between engines."""
    for total in tree.find_all(exp.Sum):
        around: exp.Expression | None = total.parent
        while isinstance(around, exp.Coalesce | exp.Window):
            around = around.parent
        cast = isinstance(around, exp.Cast) and around.to.this == exp.DataType.Type.BIGINT
        if not cast and not total.find_ancestor(exp.Having):
            yield total


def anti_joins(tree: exp.Expression) -> Iterator[object]:
    """Allow NOT EXISTS; refuse IN (SELECT …) and NOT IN."""
    for choice in tree.find_all(exp.In):
        if choice.args.get("query") or isinstance(choice.parent, exp.Not):
            yield choice


def functions(tree: exp.Expression) -> Iterator[object]:
    """Allow the functions of the list; refuse lists, arrays and series."""
    yield from tree.find_all(*FOREIGN)
    for function in tree.find_all(exp.Func):
        if isinstance(function, exp.Anonymous):
            if function.name.upper() not in ANONYMOUS:
                yield function
        elif not isinstance(function, FUNCTIONS):
            yield function


def divisions(tree: exp.Expression) -> Iterator[object]:
    """Refuse `/` of integers, which only some engines cut off, and `//` of fractions and sums.

    Some engines return a sum as a decimal. All divide a DOUBLE alike.
    """
    for division in tree.find_all(exp.IntDiv):
        literals = [one.name for one in division.find_all(exp.Literal)]
        if any("." in one for one in literals) or division.find(exp.Sum, exp.Avg, exp.Ln):
            yield division
    for division in tree.find_all(exp.Div):
        above, below = division.this.unnest(), division.expression
        multiple = (
            isinstance(above, exp.Sub)
            and isinstance(above.expression, exp.Mod)
            and above.expression.expression == below
        )
        triangle = below.name == "2" and isinstance(above, exp.Mul)  # n * (n - 1) is even
        real = isinstance(above, exp.Cast) and above.is_type("double")
        if not multiple and not triangle and not real:
            yield division


@cache
def parsed(text: str) -> exp.Expression:
    """The parsed query, shared by all rules, which do not change it."""
    return parse_one(text, dialect="duckdb")


RULES = (kinds, joins, unnamed_columns, sums, anti_joins, functions, divisions)
