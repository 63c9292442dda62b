"""Where databases differ: one small lowering per dialect, from tree to tree.

Queries are written in DuckDB's dialect with one word of our own, `PACK(offset, width)`: the
aggregate that sets bit `offset` of a string of `width` bits. Everything else in a model's steps
means the same on every engine we know.
"""

from __future__ import annotations

from sqlglot import exp

DUCKDB = "duckdb"


def lower(tree: exp.Expr, dialect: str) -> exp.Expr:
    """The tree as `dialect` understands it: the same one where there is nothing to lower."""
    if not any(_is_pack(node) for node in tree.find_all(exp.Anonymous)):
        return tree
    return tree.transform(_LOWERING[dialect])


def _is_pack(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() == "PACK"


def _lower_duckdb(node: exp.Expr) -> exp.Expr:
    if _is_pack(node):
        offset, width = node.expressions
        last = exp.Literal.number(int(width.name) - 1)
        bits: exp.Expr = exp.func(
            "BITSTRING_AGG", exp.cast(offset, "INT"), exp.Literal.number(0), last
        )
        return bits
    return node


_LOWERING = {DUCKDB: _lower_duckdb}
