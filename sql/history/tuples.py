"""Join the nodes that generalized releases show of one item: its joint node is their tuple.

Reads history_node, history_shown, history_member and history_of, and check_ancestor(name, level,
label), the nodes above each leaf of the hierarchy. Makes history_above(node, above) and, for the
groups to judge, history_joint(part, tid, deepest, shown) and history_tuple(node, deepest, shown,
level, label). A shown node with another shown node below it is part of the tuples of that one.
Where a release shows no node of an item, as if it were suppressed there, its tuple has none.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import PAIR, Step, duck, duck_union

SHOWN = 5


def above() -> Step:
    """One row per shown node and other shown node above it."""
    query = duck(
        """
        SELECT DISTINCT d.node AS node, u.node AS above
        FROM history_node AS d
        JOIN check_ancestor AS a ON a.level = d.level AND a.label = d.label
        JOIN check_ancestor AS b ON b.name = a.name AND b.level > a.level
        JOIN history_node AS u ON u.level = b.level AND u.label = b.label
        """
    )
    return Step("history_above", "each row is a shown node, and another above it", query)


def strangers() -> Step:
    """Some nodes above level 0 that the hierarchy lacks: (level, label, found)."""
    query = duck(
        """
        SELECT n.level AS level, n.label AS label, COUNT(*) OVER () AS found
        FROM history_node AS n
        WHERE n.level <> 0 AND NOT EXISTS (
            SELECT 1 AS one FROM check_ancestor AS a
            WHERE a.level = n.level AND a.label = n.label
        )
        ORDER BY level, label
        LIMIT $limit
        """,
        limit=SHOWN,
    )
    return Step("history_strangers", "lists nodes that the hierarchy lacks", query)


def nested() -> Step:
    """One row: the nodes that a release shows of a transaction beside a node above them."""
    query = duck(
        """
        SELECT COUNT(*) AS mixed
        FROM history_shown AS s
        JOIN history_above AS a ON a.node = s.node
        JOIN history_shown AS u
            ON u.release = s.release AND u.tid = s.tid AND u.node = a.above
        """
    )
    return Step(
        "history_nested",
        "counts nodes beside a node above them in one transaction of a release: the hierarchy "
        "would be another",
        query,
    )


def joint() -> Step:
    """One row per transaction of a part and deepest node that its releases show of an item.

    `shown` has the nodes above it that a release shows in its place, each with the release.
    """
    query = duck(
        """
        WITH seen AS (
            SELECT DISTINCT m.part AS part, m.tid AS tid, s.release AS release, s.node AS node
            FROM history_member AS m
            JOIN history_of AS o ON o.group_no = m.group_no
            JOIN history_shown AS s ON s.tid = m.tid AND s.release = o.release
        ), way AS (
            SELECT b.part AS part, b.tid AS tid, b.node AS node, u.release AS release,
                u.node AS above
            FROM (SELECT DISTINCT s.part AS part, s.tid AS tid, s.node AS node FROM seen AS s) AS b
            JOIN history_above AS a ON a.node = b.node
            JOIN seen AS u ON u.part = b.part AND u.tid = b.tid AND u.node = a.above
        ), upper AS (
            SELECT DISTINCT w.part AS part, w.tid AS tid, w.above AS node FROM way AS w
        ), tuple AS (
            SELECT w.part AS part, w.tid AS tid, w.node AS node,
                STRING_AGG(
                    CAST(w.release AS TEXT) || ':' || CAST(w.above AS TEXT), ' '
                    ORDER BY w.release * $base + w.above
                ) AS shown
            FROM way AS w GROUP BY w.part, w.tid, w.node
        )
        SELECT DISTINCT s.part AS part, s.tid AS tid, s.node AS deepest,
            COALESCE(t.shown, '') AS shown
        FROM seen AS s
        LEFT JOIN upper AS u ON u.part = s.part AND u.tid = s.tid AND u.node = s.node
        LEFT JOIN tuple AS t ON t.part = s.part AND t.tid = s.tid AND t.node = s.node
        WHERE u.node IS NULL
        """,
        base=exp.cast(exp.Literal.number(PAIR), "BIGINT"),
    )
    return Step(
        "history_joint",
        "each row is a transaction, the deepest node that releases show of an item, and the nodes "
        "above it that others show",
        query,
    )


def tuples() -> Step:
    """One row per joint node: its number, the level of its deepest node, and all its labels."""
    query = duck(
        """
        SELECT
            CAST(ROW_NUMBER() OVER (ORDER BY j.deepest, j.shown) AS INT) AS node,
            j.deepest AS deepest, j.shown AS shown, n.level AS level, n.label AS label
        FROM (SELECT DISTINCT h.deepest AS deepest, h.shown AS shown FROM history_joint AS h) AS j
        JOIN history_node AS n ON n.node = j.deepest
        """
    )
    return Step("history_tuple", "each row is a joint node: the tuple of an item's nodes", query)


def met() -> Step:
    """One row per joint node of history_met(node), and node shown in its place: release, names."""
    query = duck_union(
        """
        SELECT t.node AS node, -1 AS release, t.level AS level, t.label AS label
        FROM history_met AS m JOIN history_tuple AS t ON t.node = m.node
        UNION ALL
        SELECT DISTINCT t.node AS node, s.release AS release, n.level AS level, n.label AS label
        FROM history_met AS m
        JOIN history_tuple AS t ON t.node = m.node
        JOIN history_above AS a ON a.node = t.deepest
        JOIN history_node AS n ON n.node = a.above
        JOIN (SELECT DISTINCT h.release AS release, h.node AS node FROM history_shown AS h) AS s
            ON s.node = n.node
        WHERE (' ' || t.shown || ' ') LIKE
            ('% ' || CAST(s.release AS TEXT) || ':' || CAST(n.node AS TEXT) || ' %')
        """
    )
    return Step("history_names", "lists the names of the joint nodes of violations", query)
