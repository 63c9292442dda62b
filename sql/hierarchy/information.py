"""Count occurrences by the bits that a release leaves untold.

Reads item(item, name, support), and suppressed(tid, item) or node, path and the recoding. Answers
hold supports and counts, no item and no transaction.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, term


def suppressed() -> Step:
    """One row per support of items: occurrences of such items, and those that were suppressed."""
    query = duck(
        """
        SELECT i.support AS support, CAST(SUM(i.support) AS BIGINT) AS held,
            CAST(SUM(COALESCE(s.lost, 0)) AS BIGINT) AS lost
        FROM item AS i
        LEFT JOIN (
            SELECT o.item AS item, COUNT(*) AS lost FROM suppressed AS o GROUP BY o.item
        ) AS s ON s.item = i.item
        GROUP BY i.support
        ORDER BY support
        """
    )
    return Step(
        "information",
        "counts suppressed occurrences by the support of their item: rare items tell more bits",
        query,
    )


def generalized(held: exp.Select, leaving: exp.Expr | None = None) -> Step:
    """One row per support of items and occurrences below a published node, with the occurrences.

    `held` has rows (item, node, held). The second figure is NULL for suppressed occurrences. Items
    of `leaving` are no leaves of any node above them.
    """
    query = duck(
        """
        SELECT i.support AS support, u.among AS among,
            CAST(SUM(COALESCE(h.held, i.support)) AS BIGINT) AS held
        FROM item AS i
        LEFT JOIN $held AS h ON h.item = i.item
        LEFT JOIN (
            SELECT p.node AS node, CAST(SUM(l.support) AS BIGINT) AS among
            FROM path AS p JOIN item AS l ON l.item = p.item
            WHERE $stays
            GROUP BY p.node
        ) AS u ON u.node = h.node
        GROUP BY i.support, u.among
        ORDER BY support, among
        """,
        held=held,
        stays=[] if leaving is None else [_stays(leaving)],
    )
    return Step(
        "information",
        "counts occurrences by the support of their item and the occurrences below their node",
        query,
    )


def _stays(leaving: exp.Expr) -> exp.Expr:
    return term(
        """
        p.level = 0 OR NOT EXISTS (SELECT 1 AS one FROM $leaving AS x WHERE x.item = p.item)
        """,
        leaving=leaving,
    )
