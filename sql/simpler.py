"""Leave terms without effect out of a query: `x % 1`, `x + 0`, `AND 1 < 2`.

A builder writes a query for any number of parts, places and shares; where there is one part, or no
share to compare, such a term would only puzzle the reader of a trail.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

COMPARED: dict[type[exp.Expr], Callable[[int, int], bool]] = {
    exp.LT: lambda a, b: a < b,
    exp.LTE: lambda a, b: a <= b,
    exp.EQ: lambda a, b: a == b,
}


def simpler(node: exp.Expr) -> exp.Expr:
    """Return the node, or a simpler one where a number in it makes it trivial."""
    if isinstance(node, exp.And):
        return _conjunction(node)
    if isinstance(node, exp.Paren) and isinstance(node.this, exp.Literal):
        return node.this
    if isinstance(node, exp.Anonymous) and node.name.upper() in ("HIGH", "LOW"):
        return _half(node)
    if isinstance(node, exp.Binary):
        return _arithmetic(node)
    return node


def _conjunction(node: exp.And) -> exp.Expr:
    left: exp.Expr | None = node.args.get("this")
    right: exp.Expr | None = node.args.get("expression")
    if left is None or _is_true(left):
        return right if right is not None else exp.true()
    if right is None or _is_true(right):
        return left
    return node


def _half(node: exp.Anonymous) -> exp.Expr:
    """With base 1, HIGH of a number is the number and LOW is 0."""
    whole, base = node.expressions
    if _number(base) != 1:
        return node
    return whole if node.name.upper() == "HIGH" else exp.Literal.number(0)


def _arithmetic(node: exp.Binary) -> exp.Expr:
    left, right = _number(node.this), _number(node.expression)
    if left is not None and right is not None and type(node) in COMPARED:
        return exp.Boolean(this=COMPARED[type(node)](left, right))
    nothing = exp.Literal.number(0)
    if isinstance(node, exp.Mod):
        return nothing if right == 1 or left == 0 else node
    if isinstance(node, exp.Mul):
        if left == 0 and right is not None or right == 0 and left is not None:
            return nothing
        return node.expression if left == 1 else node.this if right == 1 else node
    if isinstance(node, exp.Add):
        return node.expression if left == 0 else node.this if right == 0 else node
    if isinstance(node, exp.IntDiv):
        return node.this if right == 1 else node
    if isinstance(node, (exp.Sub, exp.BitwiseLeftShift)):
        return node.this if right == 0 else node
    return node


def _number(node: exp.Expr | None) -> int | None:
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None


def _is_true(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Boolean) and bool(node.this)
