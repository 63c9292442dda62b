"""Read the nodes of a generalized release as the items that the checker of coherence judges.

The name of a node is its level, a space and its label: labels may repeat on other levels. Nodes
above level 0 are public; those of level 0 have the roles of their items.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union


def cells(given: exp.Expr) -> exp.Subquery:
    """One row (key, name) per cell (key, name, level); the name of no item is NULL."""
    query = duck(
        """
        SELECT c.key AS key, CAST(c.level AS TEXT) || ' ' || CAST(c.name AS TEXT) AS name
        FROM $given AS c
        """,
        given=given,
    )
    return query.subquery()


def roles(given: exp.Expr, items: exp.Expr) -> exp.Subquery:
    """One row (label, private) per node with a role, from cells and the roles of items."""
    query = duck_union(
        """
        SELECT '0 ' || r.label AS label, r.private AS private FROM $items AS r
        UNION
        SELECT CAST(c.level AS TEXT) || ' ' || CAST(c.name AS TEXT) AS label, 0 AS private
        FROM $given AS c WHERE CAST(c.level AS TEXT) <> '0' AND NOT c.name IS NULL
        """,
        items=items,
        given=given,
    )
    return query.subquery()


def unlevelled(given: exp.Expr) -> Step:
    """One row: the number of nodes without a level."""
    query = duck(
        """
        SELECT COUNT(*) AS unlevelled FROM $given AS c
        WHERE NOT c.name IS NULL AND c.level IS NULL
        """,
        given=given,
    )
    return Step("check_levels", "counts nodes without a level, which the checker refuses", query)


def unclear(given: exp.Expr, items: exp.Expr) -> Step:
    """One row: the nodes above level 0 that are called as a private item is, and one of them."""
    query = duck(
        """
        SELECT COUNT(*) AS unclear, MIN(CAST(c.name AS TEXT)) AS name
        FROM $given AS c JOIN $items AS r ON r.label = CAST(c.name AS TEXT)
        WHERE r.private = 1 AND CAST(c.level AS TEXT) <> '0'
        """,
        given=given,
        items=items,
    )
    return Step(
        "check_unclear",
        "counts nodes with the name of a private item: the column may be of no levels",
        query,
    )
