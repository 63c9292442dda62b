"""Turn names into item numbers, and roles into relations.

Reads item(item, name, support), named(name), private_item(item), and public_item(item), which has
all items that are not private. A name is compared with the text of an item's name.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, term


def chosen_by(option: str, condition: exp.Expr) -> Step:
    """One row per item that the caller's condition chooses."""
    query = duck("SELECT item FROM item WHERE $condition ORDER BY item", condition=condition)
    why = f"lists the items that the condition of --{option} chooses"
    return Step(f"chosen_{option}", why, query)


def chosen_by_name(option: str) -> Step:
    """One row per name: the item of that name, or NULL."""
    query = duck(
        """
        SELECT n.name AS name, i.item AS item
        FROM named AS n LEFT JOIN item AS i ON CAST(i.name AS TEXT) = n.name
        ORDER BY name
        """
    )
    why = f"lists the names of --{option}, each with its item, or NULL if no item has the name"
    return Step(f"chosen_{option}", why, query)


def names() -> Step:
    """One row per item: its name as text."""
    query = duck("SELECT CAST(i.name AS TEXT) AS name FROM item AS i ORDER BY i.item")
    return Step(
        "names",
        "lists the names of all items, to suggest one for a name that the data lacks",
        query,
    )


def all_but_private() -> Step:
    """One row per item that is not private."""
    query = duck(
        """
        SELECT i.item AS item FROM item AS i
        WHERE NOT EXISTS (SELECT 1 FROM private_item AS r WHERE r.item = i.item)
        ORDER BY item
        """
    )
    return Step(
        "public_item",
        "each row is an item that is not private, and so may be known to an attacker",
        query,
    )


def leaving() -> Step:
    """One row per item that is not public: it is a leaf of no node."""
    query = duck(
        """
        SELECT i.item AS item FROM item AS i
        WHERE NOT EXISTS (SELECT 1 AS one FROM public_item AS r WHERE r.item = i.item)
        """
    )
    return Step("leaving_item", "each row is an item that no node stands for", query)


def roles() -> exp.Subquery:
    """One row (label, private) per item with a role: its name as text, and 1 if it is private."""
    query = duck_union(
        """
        SELECT CAST(i.name AS TEXT) AS label, 0 AS private
        FROM item AS i JOIN public_item AS r ON r.item = i.item
        UNION
        SELECT CAST(i.name AS TEXT) AS label, 1 AS private
        FROM item AS i JOIN private_item AS r ON r.item = i.item
        """
    )
    return query.subquery()


def labels(relation: str) -> exp.Subquery:
    """One row (label) per item of the relation: its name as text."""
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS label
        FROM item AS i JOIN $relation AS r ON r.item = i.item
        """,
        relation=relation,
    )
    return query.subquery()


def told_labels(relation: str) -> Step:
    """One row per item of the relation: its name as text."""
    return Step(
        "names",
        "lists the names of these items, for the head of the trail",
        duck("SELECT l.label AS label FROM $rows AS l", rows=labels(relation)),
    )


def named_numbers(items: list[int]) -> Step:
    """One row per item number: its name."""
    query = duck(
        "SELECT CAST(name AS TEXT) AS name FROM item WHERE item IN ($items) ORDER BY item",
        items=[term("$n", n=one) for one in items],
    )
    return Step("named", "lists the names of these items, for a message", query)


def public() -> Step:
    """One row per public item."""
    query = duck("SELECT item FROM public_item ORDER BY item")
    return Step("public", "lists the public items, each of which could be suppressed", query)


def supports() -> Step:
    """One row per item, in the order of the numbers: its support."""
    query = duck("SELECT support FROM item ORDER BY item")
    return Step("supports", "lists the supports: the cost of suppressing an item everywhere", query)


def emptied() -> Step:
    """One row: the transactions that had items and have none in the release."""
    query = duck(
        """
        SELECT COUNT(*) AS emptied
        FROM (
            SELECT o.tid AS tid
            FROM occurrence AS o LEFT JOIN suppressed_item AS s ON s.item = o.item
            GROUP BY o.tid
            HAVING COUNT(*) = COUNT(s.item)
        ) AS bare
        """
    )
    return Step("emptied", "counts the transactions that lose all their items", query)
