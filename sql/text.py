"""Queries as text with holes: `duck("SELECT … $keys … FROM $rows AS r", keys=[…], rows=…)`.

A hole `$name` takes a number, a name, an expression, a query, or a list of these:

- a number is inserted unchanged; a term that it makes useless, as `x % 1`, is left out;
- a name is a relation after FROM and JOIN, and a column elsewhere, as in `r.$key AS $key`;
- a query stands in brackets after FROM, JOIN and `WITH name AS`; a list of queries is joined by
  UNION ALL; in WITH, a mapping gives several queries, each under its name;
- a list is spliced into SELECT, GROUP BY, PARTITION BY, ORDER BY, VALUES and arguments; conditions
  of a list are joined by AND; a list of joins stands after JOIN.

Holes take only numbers and names: data values stay in tables that the query joins. This module
alone parses text, because sqlglot's default dialect changes the meaning of DuckDB text
(`a[1]` becomes `a[2]`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

from sqlglot import exp, parse_one

from setveil.sql.dialects import DUCKDB, FIRST
from setveil.sql.shared import MOST, Value, Values
from setveil.sql.simpler import simpler

# Operators in the order of precedence: later ones bind more tightly.
OPERATORS: tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], ...] = (
    exp.Expr,
    exp.Or,
    exp.And,
    exp.Not,
    exp.Predicate,
    (exp.DPipe, exp.BitwiseAnd, exp.BitwiseLeftShift),
    (exp.Add, exp.Sub),
    (exp.Mul, exp.Div, exp.IntDiv, exp.Mod),
)

CONDITIONS = (exp.And, exp.Having, exp.Join, exp.Paren, exp.Where)


def query_of(text: str, **values: Value) -> exp.Query:
    """Parse a text with holes, and fill the holes: any query, to be copied before it is changed."""
    given = Values(values)
    tree = _once(text, given) if given.may_return else _filled(_parsed(text), values)
    if not isinstance(tree, exp.Query):
        raise TypeError(f"not a query: {text}")
    return tree


def duck(text: str, **values: Value) -> exp.Select:
    """Parse a text with holes, and fill the holes: a query that is one SELECT."""
    tree = query_of(text, **values)
    if not isinstance(tree, exp.Select):
        raise TypeError(f"not a SELECT: {text}")
    return tree


def duck_union(text: str, **values: Value) -> exp.SetOperation:
    """Parse a text with holes, and fill the holes: a query that combines several SELECTs."""
    tree = query_of(text, **values)
    if not isinstance(tree, exp.SetOperation):
        raise TypeError(f"not a UNION: {text}")
    return tree


def shown(text: str, **values: Value) -> exp.Expr:
    """A column with its name: `r.$level AS level`."""
    tree: exp.Expr = duck(f"SELECT {text}", **values).expressions[0]
    return tree


def term(text: str, **values: Value) -> exp.Expr:
    """An expression: a condition, or the value of a column."""
    return shown(text, **values).unalias()


def each(text: str, numbers: Iterable[int], **values: Value) -> list[exp.Expr]:
    """One column or condition per number, from a text with {n}, {before} and {after}."""
    return [duck(f"SELECT {one}", **values).expressions[0] for one in _made(text, numbers, values)]


def joins(text: str, numbers: Iterable[int], **values: Value) -> list[exp.Expr]:
    """One join per number, from a text with {n}, for a hole after JOIN."""
    texts = (f"SELECT 1 FROM r {one}" for one in _made(text, numbers, values))  # noqa: S608
    queries = [duck(one, **values) for one in texts]
    return [one for query in queries for one in query.args["joins"]]


def cases(text: str, numbers: Iterable[int]) -> str:
    """Repeat a text once per number {n}, for the cases or terms of an expression."""
    return " ".join(_made(text, numbers, {}))


def _made(text: str, numbers: Iterable[int], values: Mapping[str, Value]) -> Iterator[str]:
    others = {name: value for name, value in values.items() if isinstance(value, int)}
    for n in numbers:
        yield text.format(n=n, before=n - 1, after=n + 1, **others)


def together(queries: Sequence[exp.Query]) -> exp.Query:
    """Join all queries by UNION ALL, under the column names of the first."""
    copies = [one.copy() for one in queries]
    return reduce(lambda a, b: exp.Union(this=a, expression=b, distinct=False), copies)


def numbers(columns: Sequence[str], rows: Iterable[Sequence[int]]) -> exp.Expr:
    """Rows of numbers that Python decided on, never names; without rows, a query of no row."""
    tuples = [exp.Tuple(expressions=[exp.Literal.number(n) for n in row]) for row in rows]
    if not tuples:
        return duck(
            "SELECT $zeros WHERE FALSE", zeros=[shown("0 AS $name", name=one) for one in columns]
        )
    names = [exp.to_identifier(one) for one in columns]
    return exp.Values(expressions=tuples, alias=exp.TableAlias(columns=names))


def limited(query: exp.Select, limit: int | None) -> exp.Select:
    """The first rows of a query; without a limit, all of them."""
    return query if limit is None else query.limit(limit)


def up_to(column: str, limit: int | None) -> list[exp.Expr]:
    """The condition that a number is within the limit; without a limit, no condition."""
    return [] if limit is None else [term(f"{column} <= $limit", limit=limit)]


def user_column(name: str, owner: str | None = None) -> exp.Column:
    """A column by the user's name for it, whatever characters it has."""
    return exp.column(exp.to_identifier(name, quoted=True), table=owner)


def user_columns(
    owner: str, names: Iterable[str], instead: Mapping[str, exp.Expr] | None = None
) -> list[exp.Expr]:
    """Columns of a relation under the user's names; `instead` replaces some of them."""
    made = instead or {}
    return [
        exp.alias_(made.get(name, user_column(name, owner)), name, quoted=True) for name in names
    ]


def as_type(value: exp.Expr, kind: str) -> exp.Cast:
    """Cast a value to a type, by the text that its database writes for it."""
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=kind))


def first(query: exp.Select) -> exp.Subquery:
    """Optimization fence: compute this subquery before the outer query.

    Where a key is computed from several relations, PostgreSQL would join by its only stored column,
    and read millions of pairs.
    """
    rows = query.subquery(copy=False)
    rows.meta[FIRST] = True
    return rows


HOLE = "hole"  # marks the nodes with a hole in them


@lru_cache(maxsize=MOST)
def _once(text: str, given: Values) -> exp.Expr:
    return _filled(_parsed(text), given.by_name)


@lru_cache(maxsize=2048)
def _parsed(text: str) -> exp.Expr:
    return _marked(parse_one(text, dialect=DUCKDB))


def _marked(node: exp.Expr) -> exp.Expr:
    """Build the tree anew: simple where it has no hole, and marked where it has one.

    The positions of words in the text are left out, since to copy them takes twice the time.
    """
    parts: dict[str, Any] = {}
    for key, part in node.args.items():
        if isinstance(part, list):
            parts[key] = [_marked(one) if isinstance(one, exp.Expr) else one for one in part]
        else:
            parts[key] = _marked(part) if isinstance(part, exp.Expr) else part
    made = type(node)(**parts)
    if isinstance(node, exp.Placeholder) or any(
        one.meta_get(HOLE) for one in made.iter_expressions()
    ):
        made.meta[HOLE] = True
        return made
    return simpler(made)


def _filled(node: exp.Expr, values: Mapping[str, Value]) -> exp.Expr:
    """Build the tree anew, with the values in its holes; a part without a hole is only copied."""
    if not node.meta_get(HOLE):
        return node.copy()
    if isinstance(node, exp.Placeholder):
        return _expression(values[node.name])
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Placeholder):
        return _relation(node, values)
    if (all_of := _all_of(node)) is not None and not isinstance(values[all_of], str):
        query = _query(values[all_of])
        if named := node.args.get("with_"):
            query.set("with_", _filled(named, values))
        return query
    parts = {key: _part(node, key, part, values) for key, part in node.args.items()}
    for key in ("where", "having", "group", "order"):
        if (part := parts.get(key)) and not part.this and not part.expressions:
            del parts[key]  # the hole took an empty list: no condition is left
    return simpler(type(node)(**parts))


def _all_of(node: exp.Expr) -> str | None:
    """The name of the hole, if the node is `FROM $name` and nothing else."""
    if not isinstance(node, exp.Select):
        return None
    said = {key for key, part in node.args.items() if part}
    if said - {"with_"} != {"expressions", "from_"}:
        return None
    table = node.args["from_"].this
    bare = isinstance(table, exp.Table) and {key for key, one in table.args.items() if one}
    if not node.is_star or bare != {"this"} or not isinstance(table.this, exp.Placeholder):
        return None
    return str(table.this.name)


def _part(node: exp.Expr, key: str, part: Any, values: Mapping[str, Value]) -> Any:
    if isinstance(part, list):
        selected = isinstance(node, (exp.Select, exp.Tuple, exp.Array)) and key == "expressions"
        return [new for one in part for new in _spliced(one, values, selected)]
    if isinstance(part, exp.Placeholder):
        return _in_place(node, key, values[part.name])
    return _filled(part, values) if isinstance(part, exp.Expr) else part


def _spliced(part: Any, values: Mapping[str, Value], selected: bool) -> list[Any]:
    """The elements in place of one element of a list: several, where its hole takes a list."""
    if isinstance(part, exp.CTE) and (named := _named(part, values)) is not None:
        return named
    if isinstance(part, exp.Join) and (spliced := _joins(part, values)) is not None:
        return spliced
    ordered = part.this if isinstance(part, exp.Ordered) else part
    if not isinstance(ordered, exp.Placeholder):
        return [_filled(part, values) if isinstance(part, exp.Expr) else part]
    value = values[ordered.name]
    listed = _listed(value)
    made = [_expression(value)] if listed is None else [one.copy() for one in listed]
    if not selected:
        made = [one.unalias() for one in made]
    if ordered is part:
        return made
    return [_ordered(part, one) for one in made]


def _named(part: exp.CTE, values: Mapping[str, Value]) -> list[exp.Expr] | None:
    """The queries for `WITH … AS ($name)`, if the hole takes several by their names."""
    value = values[part.this.name] if isinstance(part.this, exp.Placeholder) else None
    if not isinstance(value, Mapping):
        return None
    return [
        exp.CTE(this=query.copy(), alias=exp.TableAlias(this=exp.to_identifier(name)))
        for name, query in value.items()
    ]


def _joins(part: exp.Join, values: Mapping[str, Value]) -> list[exp.Expr] | None:
    """The joins for `JOIN $name`, if the hole takes a list of joins."""
    table = part.this
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Placeholder):
        return None
    listed = _listed(values[table.this.name])
    if listed is None or not all(isinstance(one, exp.Join) for one in listed):
        return None
    return [one.copy() for one in listed]


def _listed(value: Value) -> list[exp.Expr] | None:
    return None if isinstance(value, (int, str, exp.Expr, Mapping)) else list(value)


def _ordered(like: exp.Expr, value: exp.Expr) -> exp.Expr:
    if isinstance(value, exp.Ordered):
        return value
    return exp.Ordered(**{**like.args, "this": value})


def _in_place(node: exp.Expr, key: str, value: Value) -> Any:
    """Fill a hole that is one part of a node: a name, a query of WITH, or a condition."""
    if isinstance(node, (exp.Column, exp.Alias)) and key in ("this", "alias"):
        if key == "alias" or isinstance(node, exp.Column):
            return _identifier(value)
    if isinstance(node, exp.CTE) and key == "this":
        return _query(value)
    listed = _listed(value)
    if listed is not None:
        if not isinstance(node, CONDITIONS):
            raise TypeError("a list cannot stand here")
        return exp.and_(*(one.unalias() for one in listed)) if listed else None
    made = _expression(value)
    outer, inner = _tightness(node), _tightness(made)
    right = key == "expression" and not isinstance(node, (exp.Add, exp.And, exp.DPipe, exp.Or))
    return exp.Paren(this=made) if 0 < inner < outer + right else made


def _tightness(node: exp.Expr) -> int:
    """The precedence of an operator; 0 if the node is no operator."""
    if not isinstance(node, (exp.Binary, exp.Not)):
        return 0
    return max(n for n, kinds in enumerate(OPERATORS) if isinstance(node, kinds))


def _identifier(value: Value) -> exp.Identifier:
    if isinstance(value, exp.Column):
        value = value.this
    if isinstance(value, exp.Identifier):
        return value.copy()
    return exp.to_identifier(str(value))


def _expression(value: Value) -> exp.Expr:
    if isinstance(value, str):
        return exp.column(value)
    if isinstance(value, exp.Expr):
        return value.copy()
    if isinstance(value, int):
        return exp.Literal.number(value)
    raise TypeError("a list cannot stand here")


def _query(value: Value) -> exp.Query:
    listed = _listed(value)
    made = together([one for one in listed if isinstance(one, exp.Query)]) if listed else value
    if not isinstance(made, exp.Query):
        raise TypeError("not a query")
    return made.copy()


def _relation(node: exp.Table, values: Mapping[str, Value]) -> exp.Expr:
    """The relation of a hole after FROM or JOIN, under the alias that the text gives it."""
    value = values[node.this.name]
    relation: exp.Expr
    if isinstance(value, str):
        relation = exp.table_(value)
    elif isinstance(value, exp.Expr) and not isinstance(value, (exp.Select, exp.SetOperation)):
        relation = value.copy()
    else:
        relation = exp.Subquery(this=_query(value))
    if alias := node.args.get("alias"):
        columns = relation.args["alias"].columns if isinstance(relation, exp.Values) else None
        relation.set("alias", exp.TableAlias(this=alias.this.copy(), columns=columns))
    return relation
