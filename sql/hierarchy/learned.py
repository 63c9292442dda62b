"""Learn a hierarchy from the transactions: items that are bought together share a node.

Reads item, occurrence and public_item. The most frequent public items are anchors. Every other
public item joins the anchor that it meets most, for the anchor's support. Below an anchor, items of
similar support share a node: sets of such nodes are seldom rare. Makes anchor(item), bond(item,
anchor), seat(item, anchor, place) and given_hierarchy(name, level1, level2, level3).
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, each, term

ANCHORS = 8  # at most: with more, fewer items of similar support share one
LEVELS = 3
SIZES = (8, 64)  # items below a node of level 1 and of level 2
STRANGERS = -1  # the anchor of items that met none, and of items that are not public


def held(owner: str, *, persons: bool) -> exp.Expr:
    """How many hold an item: persons, or transactions where no persons are known."""
    return term("$owner.persons" if persons else "$owner.support", owner=owner)


def anchors(k: int, *, persons: bool = False) -> Step:
    """One row per anchor: the most frequent public items, if k hold them."""
    query = duck(
        """
        SELECT a.item AS item
        FROM (
            SELECT i.item AS item, ROW_NUMBER() OVER (ORDER BY i.support DESC, i.item) AS place
            FROM item AS i JOIN public_item AS r ON r.item = i.item
            WHERE $held >= $k
        ) AS a
        WHERE a.place <= $most
        """,
        held=held("i", persons=persons),
        k=k,
        most=ANCHORS,
    )
    return Step("anchor", "each row is a frequent public item, around which others gather", query)


def bonds() -> Step:
    """One row per public item that is no anchor, with the anchor that it meets most."""
    query = duck(
        """
        SELECT b.item AS item, b.anchor AS anchor
        FROM (
            SELECT m.item AS item, m.anchor AS anchor,
                ROW_NUMBER() OVER (
                    PARTITION BY m.item
                    ORDER BY CAST(m.met AS DOUBLE) * m.met / (i.support * SQRT(i.support)) DESC,
                        m.anchor
                ) AS place
            FROM (
                SELECT o.item AS item, f.item AS anchor, CAST(COUNT(*) AS DOUBLE) AS met
                FROM occurrence AS f
                JOIN anchor AS a ON a.item = f.item
                JOIN occurrence AS o ON o.tid = f.tid
                JOIN public_item AS r ON r.item = o.item
                WHERE NOT EXISTS (SELECT 1 AS one FROM anchor AS x WHERE x.item = o.item)
                GROUP BY o.item, f.item
            ) AS m
            JOIN item AS i ON i.item = m.anchor
        ) AS b
        WHERE b.place = 1
        """
    )
    return Step(
        "bond", "each row is a public item and the anchor that it meets most, for its size", query
    )


def seats() -> Step:
    """One row per item: its anchor, and its place among the items there, by support."""
    query = duck(
        """
        SELECT s.item AS item, s.anchor AS anchor,
            ROW_NUMBER() OVER (PARTITION BY s.anchor ORDER BY s.support DESC, s.item) - 1 AS place
        FROM (
            SELECT i.item AS item,
                CASE WHEN a.item IS NULL THEN COALESCE(b.anchor, $strangers) ELSE a.item END
                    AS anchor,
                CASE WHEN r.item IS NULL THEN 0 ELSE i.support END AS support
            FROM item AS i
            LEFT JOIN anchor AS a ON a.item = i.item
            LEFT JOIN bond AS b ON b.item = i.item
            LEFT JOIN public_item AS r ON r.item = i.item
        ) AS s
        """,
        strangers=STRANGERS,
    )
    return Step(
        "seat", "each row is an item, its anchor and its place among the items there", query
    )


def given(k: int, mark: int, *, persons: bool = False) -> Step:
    """One row per item with its labels, which name the first two members that k hold.

    The number after so many marks tells nodes of equal members apart.
    """
    query = duck(
        """
        WITH told AS (
            SELECT s.anchor AS anchor, s.place AS place, CAST(i.name AS TEXT) AS name
            FROM seat AS s
            JOIN item AS i ON i.item = s.item
            JOIN public_item AS r ON r.item = s.item
            WHERE $held >= $k
        )
        SELECT CAST(i.name AS TEXT) AS name, $level1, $level2, $level3
        FROM seat AS s
        JOIN item AS i ON i.item = s.item
        LEFT JOIN told AS a1 ON a1.anchor = s.anchor AND a1.place = s.place - s.place % $few
        LEFT JOIN told AS b1 ON b1.anchor = s.anchor AND b1.place = s.place - s.place % $few + 1
        LEFT JOIN told AS a2 ON a2.anchor = s.anchor AND a2.place = s.place - s.place % $many
        LEFT JOIN told AS b2 ON b2.anchor = s.anchor AND b2.place = s.place - s.place % $many + 1
        LEFT JOIN told AS a3 ON a3.anchor = s.anchor AND a3.place = 0
        LEFT JOIN told AS b3 ON b3.anchor = s.anchor AND b3.place = 1
        """,
        held=held("i", persons=persons),
        k=k,
        few=SIZES[0],
        many=SIZES[1],
        level1=_label(1, mark, f"(s.place // {SIZES[0]})"),
        level2=_label(2, mark, f"(s.place // {SIZES[1]})"),
        level3=_label(3, mark, "0"),
    )
    return Step(
        "given_hierarchy",
        "each row is an item with its nodes, whose labels name their most frequent members",
        query,
    )


def _label(level: int, mark: int, chunk: str) -> exp.Expr:
    number = f"CAST(s.anchor + 1 AS TEXT) || '.' || CAST({chunk} AS TEXT)"
    text = term(
        f"""
        COALESCE(a{level}.name || COALESCE(', ' || b{level}.name, '') || ' …', 'others')
            || ' {"#" * mark}' || {number}
        """
    )
    return exp.alias_(text, f"level{level}")


def clashes(levels: int) -> Step:
    """One row: the items that are called as a node is."""
    query = duck(
        """
        SELECT COUNT(*) AS found FROM item AS i
        WHERE EXISTS (
            SELECT 1 AS one FROM given_hierarchy AS g WHERE CAST(i.name AS TEXT) IN ($labels)
        )
        """,
        labels=each("g.level{n}", range(1, levels + 1)),
    )
    return Step("clashes", "counts items with the name of a node: no label may be an item", query)
