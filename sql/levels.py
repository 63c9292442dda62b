"""Share the parts that every search for itemsets needs, level by level.

A relation of level n has one row per itemset, with its items in item_1 … item_n. Items ascend, so
each itemset appears once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from setveil.sql.step import duck, each, term

Conditions = Callable[[str], list[exp.Expr]]


def table(name: str, level: int) -> str:
    """Name the relation of a level: counted_2, cohort_3, …"""
    return f"{name}_{level}"


def item(level: int) -> str:
    """Name the column of the n-th item of an itemset."""
    return f"item_{level}"


def members(level: int, owner: str) -> list[exp.Expr]:
    """Select all items of an itemset, under their own names."""
    return each(f"{owner}.item_{{n}} AS item_{{n}}", range(1, level + 1))


def lengths(relation: str, column: str = "tid") -> exp.Select:
    """One row per length: the number of transactions with so many rows in a relation."""
    return duck(
        """
        SELECT counted.held AS held, COUNT(*) AS transactions
        FROM (SELECT r.$owner AS owner, COUNT(*) AS held FROM $relation AS r GROUP BY r.$owner)
            AS counted
        GROUP BY counted.held ORDER BY held
        """,
        relation=relation,
        owner=column,
    )


def joinable(
    relation: str, prefix: Sequence[exp.Expr], fine: Conditions = lambda owner: []
) -> exp.Select:
    """One row: the number of pairs of fine rows that agree in the columns of the prefix."""
    return duck(
        """
        SELECT CAST(COALESCE(SUM(g.n * (g.n - 1) // 2), 0) AS BIGINT) AS candidates
        FROM (SELECT COUNT(*) AS n FROM $relation AS r WHERE $fine GROUP BY $prefix) AS g
        """,
        relation=relation,
        fine=fine("r"),
        prefix=prefix,
    )


def meeting(level: int) -> list[exp.Expr]:
    """The conditions that itemsets `p` and `q` differ in their last item only.

    Their union has one item more: the items of `p`, and the last item of `q`.
    """
    same = each("prefix.item_{n} = sibling.item_{n}", range(1, level - 1))
    return [*same, term("prefix.$last < sibling.$last", last=item(level - 1))]


def complete(known: str, level: int, fine: Conditions = lambda owner: []) -> list[exp.Expr]:
    """The conditions that all subsets of the union of `p` and `q` are known and fine."""
    return [*fine("prefix"), *fine("sibling"), *subsets(known, level, fine)]


def subsets(known: str, level: int, fine: Conditions = lambda owner: []) -> list[exp.Expr]:
    """The conditions that every other subset of the union of `p` and `q` is known and fine."""
    size = level - 1
    return [
        term(
            """
            EXISTS (
                SELECT 1 FROM $known AS subset
                WHERE $before AND $after AND subset.$last = sibling.$last AND $fine
            )
            """,
            known=table(known, size),
            before=each("subset.item_{n} = prefix.item_{n}", range(1, dropped)),
            after=each("subset.item_{n} = prefix.item_{after}", range(dropped, size)),
            last=item(size),
            fine=fine("subset"),
        )
        for dropped in range(1, size)
    ]
