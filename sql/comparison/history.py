"""Items that attackers know of what several releases show: a node, with the number of its group."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import PAIR, Step, duck


def shown(cell: exp.Table) -> exp.Select:
    """The rows (tid, item) of what releases show of transactions, a group after another."""
    return duck("SELECT c.key AS tid, c.name AS item FROM $cell AS c", cell=cell)


def nobody_hides() -> Step:
    """No row: items are known to attackers or not, and none is looked for."""
    query = duck("SELECT i.item AS item FROM item AS i WHERE FALSE")
    return Step("private_item", "holds no item: only singled-out transactions are counted", query)


def known(node: exp.Table, item: exp.Expr, public: exp.Expr | None, private: exp.Expr) -> Step:
    """One row per item of an attacker: of the original's public items, or all but private ones.

    Every node above level 0 is public.
    """
    listed = private if public is None else public
    query = duck(
        """
        SELECT i.item AS item
        FROM item AS i
        JOIN $node AS n ON n.node = LOW(i.name, $base)
        LEFT JOIN (
            SELECT CAST(o.name AS TEXT) AS label
            FROM $items AS o JOIN $listed AS r ON r.item = o.item
        ) AS l ON l.label = n.label AND n.level = 0
        WHERE $chosen
        ORDER BY item
        """,
        node=node,
        items=item,
        listed=listed,
        base=PAIR,
        chosen=duck(
            "SELECT l.label IS NULL"
            if public is None
            else "SELECT n.level > 0 OR NOT l.label IS NULL"
        ).expressions[0],
    )
    return Step("public_item", "each row is an item that an attacker may know", query)
