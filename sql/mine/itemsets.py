"""Write mined itemsets and rules with the names of their items, for people to read.

Reads item(item, name, support). Publishing may use lists; no other step does. A list has its items
in the order of their numbers, which is the order of their values.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.mine import rules as association
from setveil.sql.step import Step, duck, each, joins, term


def itemsets(found: str, sizes: int, transactions: int) -> Step:
    """One row (items, support, frequency) per frequent itemset, the most frequent first."""
    parts = [_itemsets(found, size) for size in range(1, sizes + 1)]
    query = duck(
        """
        SELECT u.items AS items, u.support AS support,
            CAST(u.support AS DOUBLE) / $transactions AS frequency
        FROM $parts AS u ORDER BY u.support DESC, u.size, u.id
        """,
        parts=parts or [_itemsets(found, 0)],
        transactions=max(1, transactions),
    )
    return Step(
        "mined",
        "each row is a frequent itemset with its support; the most frequent come first",
        query,
    )


def rules(name: str, sizes: Iterable[tuple[int, int]], transactions: int) -> Step:
    """One row per rule with its support, confidence and lift, the most confident first."""
    parts = [_rules(name, *size) for size in sizes]
    query = duck(
        """
        SELECT u.antecedent AS antecedent, u.consequent AS consequent, u.support AS support,
            CAST(u.support AS DOUBLE) / u.antecedent_support AS confidence,
            CAST(u.support AS DOUBLE) * $transactions / u.antecedent_support / u.consequent_support
                AS lift
        FROM $parts AS u
        ORDER BY confidence DESC, support DESC, antecedent, consequent
        """,
        parts=parts or [_rules(name, 0, 0)],
        transactions=transactions,
    )
    return Step(
        "mined",
        "each row is an association rule with its confidence; the most confident come first",
        query,
    )


def _itemsets(found: str, size: int) -> exp.Select:
    """One row per frequent itemset of this size; no row for size 0."""
    return duck(
        """
        SELECT $size AS size, f.id AS id, f.support AS support, $names AS items
        FROM $rows AS f JOIN $items
        """,
        size=size,
        names=_names("item", size),
        rows=levels.table(found, size) if size else _NOTHING,
        items=_items("item", size),
    )


def _rules(name: str, antecedent: int, consequent: int) -> exp.Select:
    """One row per rule of these sizes; no row for size 0."""
    return duck(
        """
        SELECT f.support AS support, f.antecedent_support AS antecedent_support,
            f.consequent_support AS consequent_support, $left AS antecedent, $right AS consequent
        FROM $rows AS f JOIN $items
        """,
        left=_names("antecedent", antecedent),
        right=_names("consequent", consequent),
        rows=association.relation(name, antecedent, consequent) if antecedent else _NOTHING,
        items=[*_items("antecedent", antecedent), *_items("consequent", consequent)],
    )


def _names(side: str, size: int) -> exp.Expr:
    """The names of side_1 … side_size as one list."""
    return term("[$names]", names=each(f"{side}_{{n}}.name", range(1, max(1, size) + 1)))


def _items(side: str, size: int) -> list[exp.Expr]:
    """The items whose numbers are in side_1 … side_size."""
    if not size:
        return joins(f"JOIN item AS {side}_{{n}} ON {side}_{{n}}.item = f.id", [1])
    same = f"{side}_{{n}}.item = f.{side}_{{n}}"
    return joins(f"JOIN item AS {side}_{{n}} ON {same}", range(1, size + 1))


# No row, with the columns of a search: the query still has names, so that its lists have a type.
_NOTHING = duck(
    """
    SELECT i.item AS id, i.support AS support, i.support AS antecedent_support,
        i.support AS consequent_support
    FROM item AS i WHERE FALSE
    """
)
