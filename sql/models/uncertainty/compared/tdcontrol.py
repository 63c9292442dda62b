"""Publish nodes of a hierarchy for items that are not sensitive, from the root downwards.

Reads occurrence, item, sensitive_item, and node and path of the hierarchy. A code is a node's
number and 1; the codes of sensitive items follow all nodes. `left_out(code)` has the sensitive
items that are suppressed everywhere, and the nodes that stay whole: none below them is published.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.models.uncertainty.compared.search import Scope
from setveil.sql.step import Step, duck, duck_union, joins

PARTS = 1_000  # a natural unit of information has so many parts: losses are whole numbers


def climb() -> Step:
    """One row per item that is not sensitive, and node above it, the item and the root included."""
    query = duck(
        """
        SELECT p.item AS item, p.node AS node, p.level AS level
        FROM path AS p
        WHERE NOT EXISTS (SELECT 1 FROM sensitive_item AS r WHERE r.item = p.item)
        """
    )
    why = "each row is an item that is not sensitive, and a node that can stand for it"
    return Step("climb", why, query)


def frozen(nodes: exp.Expr) -> Step:
    """One row per node that an earlier slice published: it stays whole."""
    query = duck("SELECT f.item + 1 AS code FROM $nodes AS f", nodes=nodes)
    return Step("left_out", "each row is a node that an earlier slice published", query)


def stand_ins(level: int) -> Step:
    """One row per item and its node: the topmost that stays whole, or that of this level."""
    query = duck(
        """
        SELECT s.item AS item, s.node AS node
        FROM (
            SELECT c.item AS item, c.node AS node,
                ROW_NUMBER() OVER (
                    PARTITION BY c.item
                    ORDER BY CASE WHEN l.code IS NULL THEN c.level ELSE -c.level END
                ) AS turn
            FROM climb AS c LEFT JOIN left_out AS l ON l.code = c.node + 1
            WHERE c.level >= $level OR NOT l.code IS NULL
        ) AS s
        WHERE s.turn = 1
        """,
        level=level,
    )
    why = f"each row is an item and the node that stands for it, down to level {level}"
    return Step("stand_in", why, query)


def held(scope: Scope) -> Step:
    """One row per transaction and published node, and per occurrence of a sensitive item."""
    owners = joins("JOIN basket AS b ON b.tid = o.tid", range(scope.persons))
    query = duck_union(
        """
        SELECT DISTINCT o.tid AS tid, 0 AS part, s.node + 1 AS code, $person
        FROM occurrence AS o JOIN stand_in AS s ON s.item = o.item JOIN $owners
        UNION ALL
        SELECT o.tid AS tid, 0 AS part, $harmless + 1 + o.item AS code, $person
        FROM occurrence AS o JOIN sensitive_item AS r ON r.item = o.item JOIN $owners
        WHERE NOT EXISTS (SELECT 1 FROM left_out AS l WHERE l.code = $harmless + 1 + o.item)
        """,
        person=scope.owner("b.person AS person"),
        harmless=scope.harmless,
        owners=owners,
    )
    why = "each row is a transaction and a node or sensitive item that is published of it"
    return Step("held", why, query)


def remedies(scope: Scope) -> Step:
    """One row per code and what stops its rules: to publish the parent, or to suppress the item.

    The loss is that of information. A suppressed occurrence loses all that its item tells, one
    under the parent what the parent does not tell.
    """
    query = duck_union(
        """
        WITH told AS (
            SELECT c.node AS node, CAST(SUM(i.support) AS DOUBLE) AS occurrences
            FROM climb AS c JOIN item AS i ON i.item = c.item GROUP BY c.node
        ), every AS (
            SELECT CAST(SUM(i.support) AS DOUBLE) AS occurrences FROM item AS i
        )
        SELECT DISTINCT n.node + 1 AS code, n.parent + 1 AS target, g.loss AS loss
        FROM stand_in AS s
        JOIN node AS n ON n.node = s.node
        JOIN (
            SELECT c.node AS node, 1 + CAST(ROUND($parts * SUM(
                i.support * (LN(p.occurrences) - LN(q.occurrences))
            )) AS BIGINT) AS loss
            FROM climb AS c
            JOIN item AS i ON i.item = c.item
            JOIN stand_in AS t ON t.item = c.item
            JOIN told AS p ON p.node = c.node
            JOIN told AS q ON q.node = t.node
            GROUP BY c.node
        ) AS g ON g.node = n.parent
        UNION ALL
        SELECT $harmless + 1 + r.item AS code, $harmless + 1 + r.item AS target,
            1 + CAST(ROUND(
                $parts * i.support * (LN(e.occurrences) - LN(i.support))
            ) AS BIGINT) AS loss
        FROM sensitive_item AS r JOIN item AS i ON i.item = r.item CROSS JOIN every AS e
        """,
        harmless=scope.harmless,
        parts=PARTS,
    )
    why = "each row is a published code, what would stop its rules, and the bits that this loses"
    return Step("remedy", why, query)


def recoded(scope: Scope) -> Step:
    """One row per published item and its node; a sensitive item is its own."""
    query = duck_union(
        """
        SELECT s.item AS item, s.node AS node FROM stand_in AS s
        UNION ALL
        SELECT r.item AS item, r.item AS node FROM sensitive_item AS r
        WHERE NOT EXISTS (SELECT 1 FROM left_out AS l WHERE l.code = $harmless + 1 + r.item)
        """,
        harmless=scope.harmless,
    )
    why = "each row is an item and the node that is published in its place"
    return Step("recoded_item", why, query)


def suppressed() -> Step:
    """One row per item without a node: a sensitive one that is suppressed."""
    query = duck(
        """
        SELECT r.item AS item FROM sensitive_item AS r
        WHERE NOT EXISTS (SELECT 1 FROM recoded_item AS p WHERE p.item = r.item)
        """
    )
    return Step("suppressed_item", "each row is a sensitive item that is suppressed", query)


def losses() -> Step:
    """One row: published nodes above items, items below them, suppressed items and occurrences."""
    query = duck(
        """
        SELECT COUNT(DISTINCT r.node) AS nodes,
            COUNT(CASE WHEN r.node <> r.item THEN 1 END) AS generalized,
            (SELECT COUNT(*) FROM suppressed_item AS s) AS suppressed,
            (
                SELECT CAST(COALESCE(SUM(i.support), 0) AS BIGINT)
                FROM suppressed_item AS s JOIN item AS i ON i.item = s.item
            ) AS occurrences,
            (
                SELECT CAST(COALESCE(SUM(i.support), 0) AS BIGINT)
                FROM sensitive_item AS s JOIN item AS i ON i.item = s.item
            ) AS secrets
        FROM recoded_item AS r
        """
    )
    return Step("losses", "counts published nodes, and items that are suppressed", query)
