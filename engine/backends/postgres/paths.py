"""Search paths of PostgreSQL, chosen so that no function of another role runs as the caller.

Another role may make functions in a schema of the caller's search path. Questions to the catalogs
therefore see `pg_catalog` only; statements of a run see it and the schema of the run. Only a
statement that reads the source has the caller's path. It names the schema of every function,
operator and type of ours, so it means the same on every path.
"""

from __future__ import annotations

import re

from sqlglot import exp

from setveil.sql.dialects import from_below, lower
from setveil.sql.step import render

DIALECT = "postgres"
CATALOG = "pg_catalog"
TEMPORARY = "pg_temp"
SETS = "SET search_path TO "
QUESTIONS = f"{SETS}{CATALOG}, {TEMPORARY}"
OF_A_RUN = re.compile(rf"{SETS}(setveil_[0-9a-f]{{12}}, )?{TEMPORARY}")
SCHEMA = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^\s,"]+))\s*(?:,|$)')

# Types whose names are keywords: the server searches no path for them.
WORDS = (
    "bigint", "bit", "boolean", "char", "decimal", "double", "int", "integer", "interval",
    "numeric", "real", "smallint", "time", "timestamp", "timestamptz", "varchar",
)  # fmt: skip
OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%", exp.DPipe: "||",
    exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=",
    exp.BitwiseAnd: "&", exp.BitwiseOr: "|", exp.BitwiseLeftShift: "<<",
}  # fmt: skip
# The server searches no path for these, though they look like functions or operators.
GRAMMAR = (exp.And, exp.Or, exp.Not, exp.Is, exp.Coalesce, exp.Case, exp.If, exp.Cast, exp.Array)

# Operators that cannot be written with a schema here: a query of ours must not have them.
NAMELESS = (exp.Predicate, exp.Binary, exp.Unary)


def inside(run: str) -> str:
    """The search path for relations of the run; the server puts `pg_catalog` first."""
    return f"{SETS}{TEMPORARY}" if run == TEMPORARY else f"{SETS}{run}, {TEMPORARY}"


def outside(path: str) -> str:
    """The caller's search path, as the server shows it, with every name in quotes."""
    names = [quoted.replace('""', '"') or bare.lower() for quoted, bare in SCHEMA.findall(path)]
    shown = [render(exp.to_identifier(name, quoted=True), DIALECT) for name in names if name]
    return SETS + ", ".join([*shown, TEMPORARY])


def exact(query: exp.Select) -> exp.Select:
    """The query with `pg_catalog` before each function, operator, type and collation."""
    tree = from_below(lower(query.copy(), DIALECT), _exact)
    assert isinstance(tree, exp.Select)
    return tree


def _exact(node: exp.Expr) -> exp.Expr:
    if isinstance(node, GRAMMAR) or node.name.upper() == "ARRAY":
        return node
    if type(node) in OPERATORS:
        symbol = f"{CATALOG}.{OPERATORS[type(node)]}"
        left, right = (_operand(side) for side in (node.this, node.expression))
        return exp.Operator(this=left, operator=symbol, expression=right)
    if isinstance(node, exp.Collate):
        return _its_own(node)
    if isinstance(node, exp.DataType) and isinstance(node.parent, exp.Cast):
        text = render(node, DIALECT).lower()
        known = re.split(r"\W", text)[0] in WORDS or text.startswith(f"{CATALOG}.")
        own = exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=f"{CATALOG}.{text}")
        return node if known else own
    if isinstance(node, exp.Func) and not isinstance(node.parent, exp.Dot):
        return exp.Dot(this=exp.to_identifier(CATALOG), expression=node.copy())
    if isinstance(node, NAMELESS) and not isinstance(node, exp.Dot | exp.Operator | exp.Paren):
        raise TypeError(f"{type(node).__name__} has no exact form: {render(node, DIALECT)}")
    return node


def _operand(side: exp.Expr) -> exp.Expr:
    """A side in parentheses: operators with a schema all have the same precedence."""
    return exp.Paren(this=side.copy()) if isinstance(side, exp.Operator) else side


def _its_own(node: exp.Collate) -> exp.Expr:
    collation = node.expression
    if isinstance(collation, exp.Column) and not collation.table:
        place = exp.Dot.build([exp.to_identifier(CATALOG), collation.this.copy()])
        return exp.Collate(this=node.this, expression=place)
    return node
