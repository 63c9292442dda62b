"""Turn names into item numbers, and roles into relations.

Reads item(item, name, support), named(name) and private_item(item). Makes public_item(item),
private_name(name), public_name(name). A name is compared with an item by the item's text.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck


def chosen_by(option: str, condition: exp.Expr) -> Step:
    """One row per item that the caller's condition chooses."""
    query = duck("SELECT item FROM item ORDER BY item")
    return Step(f"chosen_{option}", f"the items of --{option}", query.where(condition))


def chosen_by_name(option: str) -> Step:
    """One row per name: the item of that name, or NULL."""
    query = duck(
        """
        SELECT n.name AS name, i.item AS item
        FROM named AS n LEFT JOIN item AS i ON CAST(i.name AS TEXT) = n.name
        ORDER BY name
        """
    )
    return Step(f"chosen_{option}", f"the items of --{option}", query)


def all_but_private() -> Step:
    """One row per item that is not private."""
    query = duck(
        """
        SELECT i.item AS item FROM item AS i
        WHERE NOT EXISTS (SELECT 1 FROM private_item AS r WHERE r.item = i.item)
        ORDER BY item
        """
    )
    return Step("public_item", "what is not private can be known", query)


def names(role: str) -> Step:
    """One row per item of the role: its name as text, for the checker, which knows no numbers."""
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name
        FROM item AS i JOIN $items AS r ON r.item = i.item
        """,
        items=exp.to_table(f"{role}_item"),
    )
    return Step(f"{role}_name", f"the {role} items by name, for the checker", query)


def named_numbers(items: list[int]) -> Step:
    """One row per item number: its name."""
    query = duck("SELECT name FROM item ORDER BY item")
    numbers = [exp.Literal.number(item) for item in items]
    return Step("named", "names for a message", query.where(exp.column("item").isin(*numbers)))


def public() -> Step:
    """One row per public item."""
    query = duck("SELECT item FROM public_item ORDER BY item")
    return Step("public", "all that could be suppressed", query)


def supports() -> Step:
    """One row per item, in the order of the numbers: its support."""
    query = duck("SELECT support FROM item ORDER BY item")
    return Step("supports", "what the loss of an item costs", query)


def roles() -> Step:
    """One row: how many items are private, and how many public."""
    query = duck(
        """
        SELECT (SELECT COUNT(*) FROM private_item) AS private_items,
            (SELECT COUNT(*) FROM public_item) AS public_items
        """
    )
    return Step("roles", "who plays which part", query)


def outcome() -> Step:
    """One row: the private and the public items, and the transactions that lost all they had."""
    query = duck(
        """
        SELECT (SELECT COUNT(*) FROM private_item) AS private_items,
            (SELECT COUNT(*) FROM public_item) AS public_items,
            COUNT(*) AS emptied
        FROM (
            SELECT o.tid AS tid
            FROM occurrence AS o LEFT JOIN suppressed_item AS s ON s.item = o.item
            GROUP BY o.tid
            HAVING COUNT(*) = COUNT(s.item)
        ) AS bare
        """
    )
    return Step("outcome", "what is left of the transactions", query)
