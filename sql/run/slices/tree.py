"""Places of items in a hierarchy, and nodes, that slices have published.

Reads path, node and label of a run, and copies of the ledger, see `ledger`. Makes item_place(name,
role), a row per item of the slice with a digest of the nodes above it.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.run.slices.ledger import DONE
from setveil.sql.step import Step, duck


def places() -> Step:
    """One row per item of the slice: a digest of the nodes above it."""
    query = duck(
        """
        SELECT CAST(l.name AS TEXT) AS name, 'place ' || CAST(SUM(CAST(
            DIGEST(CAST(n.level AS TEXT) || ':' || CAST(n.label AS TEXT)) AS DECIMAL(38, 0)
        )) AS TEXT) AS role
        FROM path AS p JOIN node AS n ON n.node = p.node JOIN label AS l ON l.item = p.item
        WHERE n.level > 0
        GROUP BY l.name
        """
    )
    return Step("item_place", "each row is an item and its place in the hierarchy", query)


def new_places(attempt: int) -> Step:
    """The places of items that no slice had."""
    query = duck(
        """
        SELECT i.name AS name, i.role AS role, $attempt AS attempt FROM item_place AS i
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM ledger_role AS o WHERE o.name = i.name AND o.role = i.role
        )
        """,
        attempt=attempt,
    )
    return Step("role", "each row is an item and its place in the hierarchy", query)


def moved() -> Step:
    """The items that earlier slices had at another place of the hierarchy."""
    query = duck(
        """
        SELECT DISTINCT i.name AS name
        FROM item_place AS i JOIN ledger_role AS o ON o.name = i.name
        WHERE STARTS_WITH(o.role, 'place ') AND o.role <> i.role
        ORDER BY name
        """
    )
    return Step("moved", "each row is an item that has another place now", query)


def frozen() -> Step:
    """The inner nodes of the hierarchy that earlier slices published."""
    query = duck(
        """
        SELECT DISTINCT n.node AS node
        FROM node AS n
        JOIN ledger_split AS s ON s.level = n.level AND s.name = CAST(n.label AS TEXT)
        JOIN ledger_attempt AS a ON a.attempt = s.attempt AND a.event = $done
        ORDER BY node
        """,
        done=exp.Literal.string(DONE),
    )
    return Step("frozen", "each row is a node that an earlier slice published", query)


def splits(cells: exp.Expr, attempt: int) -> Step:
    """The inner nodes that the slice publishes, and that later slices do not split."""
    query = duck(
        """
        SELECT c.level AS level, CAST(c.name AS TEXT) AS name, $attempt AS attempt
        FROM $cells AS c
        WHERE c.level > 0 AND NOT EXISTS (
            SELECT 1 AS one FROM ledger_split AS s
            JOIN ledger_attempt AS a ON a.attempt = s.attempt AND a.event = $done
            WHERE s.level = c.level AND s.name = CAST(c.name AS TEXT)
        )
        GROUP BY c.level, c.name
        """,
        cells=cells,
        attempt=attempt,
        done=exp.Literal.string(DONE),
    )
    return Step("split", "each row is a node that the slice publishes", query)
