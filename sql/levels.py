"""Level by level: what a search for itemsets has at every size, whatever it looks for.

A relation of level n has one row per itemset, with its items in item_1 … item_n. Items ascend, so
each itemset appears once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from setveil.sql.step import duck

Conditions = Callable[[str], list[exp.Expr]]


def table(name: str, level: int) -> exp.Table:
    """The relation of a level: counted_2, cohort_3, …"""
    return exp.table_(f"{name}_{level}")


def item(level: int, owner: str) -> exp.Column:
    """The n-th item of an itemset."""
    return exp.column(f"item_{level}", table=owner)


def lengths(relation: str, column: str = "tid") -> exp.Select:
    """One row per length: how many transactions have so many rows of a relation."""
    return duck(
        """
        SELECT counted.held AS held, COUNT(*) AS transactions
        FROM (SELECT $owner AS owner, COUNT(*) AS held FROM $relation AS r GROUP BY $owner)
            AS counted
        GROUP BY counted.held ORDER BY held
        """,
        relation=relation,
        owner=exp.column(column, table="r"),
    )


def joinable(
    relation: str, prefix: Sequence[exp.Expr], fine: Conditions = lambda owner: []
) -> exp.Select:
    """One row: the pairs of fine rows that agree in the columns of the prefix."""
    rows = duck("SELECT COUNT(*) AS n FROM $relation AS r", relation=relation)
    rows = rows.where(*fine("r")).group_by(*prefix)
    return duck(
        """
        SELECT CAST(COALESCE(SUM(g.n * (g.n - 1) // 2), 0) AS BIGINT) AS candidates
        FROM $rows AS g
        """,
        rows=rows,
    )


def members(level: int, owner: str) -> list[exp.Expr]:
    """All items of an itemset, under their own names."""
    return [item(n, owner).as_(f"item_{n}") for n in range(1, level + 1)]


def equal(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.EQ(this=one, expression=other)


def extended(known: str, level: int, fine: Conditions = lambda owner: []) -> exp.Select:
    """Known itemsets `p` and `q` that differ in their last item only, if all subsets are known.

    Only those that are `fine` are taken as known. Together they are an itemset of this size, the
    items of `p` and the last of `q`; what to select of them is left open.
    """
    size = level - 1
    same = [equal(item(n, "p"), item(n, "q")) for n in range(1, size)]
    ascending = exp.LT(this=item(size, "p"), expression=item(size, "q"))
    query = exp.Select().from_(table(known, size).as_("p"))
    meet = exp.and_(*same, ascending, copy=False)
    query.join(table(known, size).as_("q"), on=meet, copy=False)
    query.where(*fine("p"), *fine("q"), copy=False)
    for condition in subsets(known, level, fine):
        query.where(condition, copy=False)
    return query


def subsets(known: str, level: int, fine: Conditions = lambda owner: []) -> list[exp.Expr]:
    """The conditions that `p` and `q` together have no other subset that is unknown."""
    size, conditions = level - 1, list[exp.Expr]()
    for dropped in range(1, size):
        kept = [item(n, "p") for n in range(1, size + 1) if n != dropped] + [item(size, "q")]
        same = [equal(item(n, "s"), one) for n, one in enumerate(kept, 1)]
        query = exp.Select().select(exp.Literal.number(1)).from_(table(known, size).as_("s"))
        conditions.append(exp.Exists(this=query.where(*same, *fine("s"), copy=False)))
    return conditions
