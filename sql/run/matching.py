"""Compare the items of a release with those of the source's transactions that its ids name.

Reads basket(tid, key) of the release. A release only leaves items out, so all that it publishes as
an item must be in its transaction in the source. Otherwise ids are those of other data, or of
another key.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, term


def strangers(cells: exp.Expr, originals: exp.Expr, every: int, *, levels: bool) -> Step:
    """One row: the occurrences compared, and those that the source's transaction lacks.

    One of `every` transactions is compared, by items of which the source has the name; with
    `levels`, nodes above items are left out. Values are matched by their texts: a file can hold
    them in another type.
    """
    query = duck(
        """
        SELECT COUNT(*) AS compared, COUNT(*) - COUNT(o.name) AS strange
        FROM (
            SELECT DISTINCT CAST(c.key AS VARCHAR) AS key, CAST(c.name AS VARCHAR) AS name
            FROM basket AS b JOIN $cells AS c ON c.key = b.key
            WHERE b.tid % $every = 0 AND $leaf
        ) AS r
        JOIN (SELECT DISTINCT CAST(k.name AS VARCHAR) AS name FROM $originals AS k) AS n
            ON n.name = r.name
        LEFT JOIN (
            SELECT DISTINCT CAST(w.key AS VARCHAR) AS key, CAST(w.name AS VARCHAR) AS name
            FROM $originals AS w
            WHERE CAST(w.key AS VARCHAR) IN (
                SELECT CAST(b.key AS VARCHAR) FROM basket AS b WHERE b.tid % $every = 0
            )
        ) AS o ON o.key = r.key AND o.name = r.name
        """,
        cells=cells,
        originals=originals,
        every=every,
        leaf=[term("c.level = 0")] if levels else [],
    )
    return Step(
        "strangers",
        "counts occurrences of the release that its transaction in the source lacks: there must "
        "be none",
        query,
    )
