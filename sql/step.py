"""A step is one named query together with the reason it is asked.

Its name is the relation it makes, or the answer it gives. Names are not qualified: the session
points the connection at the run's own schema. Text enters through `duck` alone, because sqlglot's
default dialect changes the meaning of DuckDB text (`a[1]` becomes `a[2]`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp, parse_one

from setveil.sql.dialects import DUCKDB, lower

Value = int | exp.Expression


@dataclass(frozen=True, slots=True)
class Step:
    """One query. `query` is written in DuckDB's dialect and lowered to others on the way out."""

    name: str
    why: str
    query: exp.Query

    def sql(self, dialect: str = DUCKDB) -> str:
        """The bare query, as golden files keep it."""
        return render(self.query, dialect)

    def create(self, dialect: str = DUCKDB) -> str:
        """The statement that makes the relation `name` of this query's rows."""
        tree = exp.Create(this=exp.to_table(self.name), kind="TABLE", expression=self.query)
        return render(tree, dialect)

    def append(self, dialect: str = DUCKDB) -> str:
        """The statement that adds this query's rows to the relation `name`."""
        tree = exp.Insert(this=exp.to_table(self.name), expression=self.query)
        return render(tree, dialect)


def render(tree: exp.Expression, dialect: str = DUCKDB) -> str:
    """The one text: run, logged, explained and kept in the trail."""
    return lower(tree, dialect).sql(dialect=dialect, pretty=True)


@lru_cache(maxsize=512)
def _parsed(text: str) -> exp.Query:
    tree = parse_one(text, dialect=DUCKDB)
    if not isinstance(tree, exp.Query):
        raise TypeError(f"not a query: {text}")
    return tree


def duck(text: str, **values: Value) -> exp.Query:
    """Read a DuckDB query, with `$name` replaced by integers, columns or relations.

    Only numbers and names can be put in: data values stay in tables that the query joins.
    """

    def put(node: exp.Expression) -> exp.Expression:
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Placeholder):
            relation = put(node.this)
            alias = node.args.get("alias")
            if alias:
                relation.set("alias", alias.copy())
            return relation
        if not isinstance(node, exp.Placeholder):
            return node
        value = values[node.name]
        return value.copy() if isinstance(value, exp.Expression) else exp.Literal.number(value)

    tree = _parsed(text)
    return tree.transform(put) if values else tree.copy()
