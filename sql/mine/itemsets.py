"""What was mined, with names in place of numbers: itemsets and rules as people read them.

Reads item(item, name, support). Publishing may use lists; no other step does. Items stand in a list
in the order of their numbers, which is that of their values.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.mine import rules as association
from setveil.sql.step import Step, duck


def itemsets(found: str, sizes: int, transactions: int) -> Step:
    """One row (items, support, frequency) per frequent itemset, the most frequent first."""
    parts = [_itemsets(found, size) for size in range(1, sizes + 1)]
    query = duck(
        """
        SELECT u.items AS items, u.support AS support,
            CAST(u.support AS DOUBLE) / $transactions AS frequency
        FROM $parts ORDER BY u.support DESC, u.size, u.id
        """,
        parts=_together(parts or [_itemsets(found, 0)]),
        transactions=max(1, transactions),
    )
    return Step("mined", "the most frequent itemsets first, then the smaller ones", query)


def rules(name: str, sizes: Iterable[tuple[int, int]], transactions: int) -> Step:
    """One row per rule with its support, confidence and lift, the most confident first."""
    parts = [_rules(name, *size) for size in sizes]
    query = duck(
        """
        SELECT u.antecedent AS antecedent, u.consequent AS consequent, u.support AS support,
            CAST(u.support AS DOUBLE) / u.antecedent_support AS confidence,
            CAST(u.support AS DOUBLE) * $transactions / u.antecedent_support / u.consequent_support
                AS lift
        FROM $parts
        ORDER BY confidence DESC, support DESC, antecedent, consequent
        """,
        parts=_together(parts or [_rules(name, 0, 0)]),
        transactions=transactions,
    )
    return Step("mined", "the most confident rules first, then the more frequent", query)


def _itemsets(found: str, size: int) -> exp.Select:
    query = duck(
        "SELECT $size AS size, f.id AS id, f.support AS support FROM $rows AS f",
        size=size,
        rows=levels.table(found, size) if size else _nothing(),
    )
    return _listed(query, "items", "item", size)


def _rules(name: str, antecedent: int, consequent: int) -> exp.Select:
    query = duck(
        """
        SELECT f.support AS support, f.antecedent_support AS antecedent_support,
            f.consequent_support AS consequent_support
        FROM $rows AS f
        """,
        rows=association.relation(name, antecedent, consequent) if antecedent else _nothing(),
    )
    query = _listed(query, "antecedent", "antecedent", antecedent)
    return _listed(query, "consequent", "consequent", consequent)


def _listed(query: exp.Select, column: str, side: str, size: int) -> exp.Select:
    """The names of side_1 … side_size as one list."""
    names = []
    for n in range(1, max(1, size) + 1):
        owner = f"{side}_{n}"
        number = exp.column(owner if size else "id", table="f")
        same = exp.EQ(this=exp.column("item", table=owner), expression=number)
        query = query.join(exp.to_table("item").as_(owner), on=same, copy=False)
        names.append(exp.column("name", table=owner))
    return query.select(exp.Array(expressions=names).as_(column), copy=False)


def _nothing() -> exp.Subquery:
    """No row, with all that a search leaves: the names still give the lists their type."""
    query = duck(
        """
        SELECT i.item AS id, i.support AS support, i.support AS antecedent_support,
            i.support AS consequent_support
        FROM item AS i WHERE 1 = 0
        """
    )
    return query.subquery()


def _together(parts: list[exp.Select]) -> exp.Subquery:
    query: exp.Query = parts[0]
    for part in parts[1:]:
        query = exp.union(query, part, distinct=False, copy=False)
    return query.subquery("u")
