"""Where databases differ: one small lowering per dialect, from tree to tree.

Queries are written in DuckDB's dialect with two words of our own: `PACK(offset, width)`, the
aggregate that sets bit `offset` of a string of `width` bits, which `BIT_COUNT` counts; and
`ONES(word)`, the number of bits that are set in an integer. Everything else in a model's steps
means the same on every engine we know.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

DUCKDB, POSTGRES = "duckdb", "postgres"
OURS = ("PACK", "ONES")

Lowering = Callable[[exp.Expr], exp.Expr]


def lower(tree: exp.Expr, dialect: str) -> exp.Expr:
    """The tree as `dialect` understands it: the same one where there is nothing to lower."""
    if dialect == DUCKDB:
        ours = any(_is_called(node, *OURS) for node in tree.find_all(exp.Anonymous))
        return tree.transform(_duckdb) if ours else tree
    return _from_below(tree.copy(), _LOWERING[dialect])


def _from_below(tree: exp.Expr, lowering: Lowering) -> exp.Expr:
    """Every node lowered, after those below it."""
    for node in reversed(list(tree.walk())):
        lowered = lowering(node)
        if lowered is node:
            continue
        if node is tree:
            return lowered
        node.replace(lowered)
    return tree


def _is_called(node: exp.Expr, *names: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() in names


def _duckdb(node: exp.Expr) -> exp.Expr:
    if _is_called(node, "PACK"):
        offset, width = node.expressions
        last = exp.Literal.number(int(width.name) - 1)
        bits: exp.Expr = exp.func(
            "BITSTRING_AGG", exp.cast(offset, "INT"), exp.Literal.number(0), last
        )
        return bits
    if _is_called(node, "ONES"):
        node.set("this", "BIT_COUNT")
    return node


def _postgres(node: exp.Expr) -> exp.Expr:
    """Text is compared by code points; what is divided comes out even, so integers stay whole."""
    if _is_called(node, "PACK"):
        offset, width = (one.copy() for one in node.expressions)
        zeros = exp.func("REPEAT", exp.Literal.string("0"), width)
        empty = exp.cast(zeros, _bits(width.name))
        return exp.func("BIT_OR", exp.func("SET_BIT", empty, exp.cast(offset, "INT"), _one()))
    if _is_called(node, "ONES"):
        word = exp.cast(node.expressions[0], "BIGINT")
        return exp.func("BIT_COUNT", exp.cast(word, _bits("64")))
    if isinstance(node, exp.Div):
        return exp.Div(this=node.this, expression=node.expression, typed=True, safe=False)
    if isinstance(node, exp.Cast) and node.is_type("text"):
        return _by_code_points(node) if not isinstance(node.parent, exp.Collate) else node
    if isinstance(node, exp.Length):
        return exp.func("CARDINALITY", node.this)
    if _is_called(node, "LIST_COUNT"):
        return exp.func("CARDINALITY", exp.func("ARRAY_REMOVE", node.expressions[0], exp.null()))
    if isinstance(node, exp.Array) and not node.expressions:
        return exp.Literal.string("{}")
    if isinstance(node, exp.Transform):
        return _of_every_pair(node)
    return node


def _of_every_pair(node: exp.Transform) -> exp.Expr:
    """LIST_TRANSFORM over a LIST_ZIP, whose elements are unpacked by x[1], x[2], …"""
    lists, element = node.this.expressions, node.expression.this
    names = [exp.to_identifier(f"x{number}") for number in range(len(lists))]
    for one in list(element.find_all(exp.Bracket)):
        place = int(one.expressions[0].name)
        one.replace(exp.column(names[place].copy(), table="z"))
    zipped = exp.Unnest(
        expressions=[one.copy() for one in lists],
        alias=exp.TableAlias(this=exp.to_identifier("z"), columns=names),
    )
    query = exp.Select().select(element.copy()).from_(zipped)
    return exp.Anonymous(this="ARRAY", expressions=[query])


def _by_code_points(text: exp.Expr) -> exp.Expr:
    return exp.Collate(this=text.copy(), expression=exp.column("C", quoted=True))


def _bits(width: str) -> exp.DataType:
    return exp.DataType.build(f"BIT({width})", dialect=POSTGRES)


def _one() -> exp.Expr:
    return exp.Literal.number(1)


_LOWERING: dict[str, Lowering] = {POSTGRES: _postgres}
