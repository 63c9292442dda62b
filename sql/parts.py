"""Split a wide query for databases that compute a WITH again wherever the query names it.

A WITH that the query names more than once becomes a relation of its own, made before the query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.step import Step


def in_parts(step: Step, widest: int | None) -> list[Step]:
    """Return the step; if it reads more than `widest` relations, put its shared WITHs first.

    A part is named after the step and the WITH: step_with.
    """
    ctes = step.query.ctes
    if widest is None or not ctes or _reads(step.query) <= widest:
        return [step]
    times = Counter(table.name for table in step.query.find_all(exp.Table) if not table.db)
    rest = step.query.copy()
    rest.set("with_", None)
    parts: list[Step] = []
    kept: list[exp.CTE] = []
    made: dict[str, str] = {}
    for cte in ctes:
        if times[cte.alias] < 2:
            kept.append(cte)
            continue
        query = _with(cte.this, kept, made)
        made[cte.alias] = f"{step.name}_{cte.alias}"
        parts.append(Step(made[cte.alias], f"computed once for {step.name}: {step.why}", query))
    return [*parts, Step(step.name, step.why, _with(rest, kept, made))]


def _reads(query: exp.Query) -> int:
    """Count the relations that the query reads, with each WITH counted wherever it is named."""
    sizes: dict[str, int] = {}
    for cte in query.ctes:
        sizes[cte.alias] = sum(sizes.get(one.name, 1) for one in cte.this.find_all(exp.Table))
    return sum(sizes.get(one.name, 1) for one in _outside(query))


def _outside(query: exp.Query) -> Iterator[exp.Table]:
    """Yield the relations that the query reads outside its WITH."""
    for table in query.find_all(exp.Table):
        if not table.find_ancestor(exp.CTE):
            yield table


def _with(query: exp.Query, ctes: list[exp.CTE], made: dict[str, str]) -> exp.Query:
    """Return the query with the WITHs that it needs, and with the parts under their new names."""
    query = query.copy()
    named = {table.name for table in query.find_all(exp.Table)}
    needed: list[exp.Expr] = []
    for cte in reversed(ctes):
        if cte.alias in named:
            needed.insert(0, cte.copy())
            named |= {table.name for table in cte.find_all(exp.Table)}
    if needed:
        query.set("with_", exp.With(expressions=needed))
    for table in list(query.find_all(exp.Table)):
        if not table.db and table.name in made:
            alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name))
            table.set("this", exp.to_identifier(made[table.name]))
            table.set("alias", alias)
    return query
