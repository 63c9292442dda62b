"""Compare the supports of pairs, of a sensitive item and another, before and after.

Jia et al., DASFAA 2014, Figure 9 sets a permutation beside partial suppression by a divergence. It
does not say of what. We take pairs: a permutation keeps the supports of single items. In place of a
support that groups hide, it is expected: the sum of count(e) n(q) / |group| over the groups.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, query_of

SCALE = 1_000_000  # supports are whole millionths: their sum does not depend on its order


def pairs(before: exp.Query, after: exp.Query) -> Step:
    """One row per pair of either side: its support `before` and `after`, in millionths.

    Both queries have such rows (code, item, support); pairs may be repeated.
    """
    query = query_of(
        """
        SELECT p.code AS code, p.item AS item, CAST(SUM(p.before) AS BIGINT) AS before,
            CAST(SUM(p.after) AS BIGINT) AS after
        FROM (
            SELECT b.code AS code, b.item AS item, b.support AS before, 0 AS after FROM $before AS b
            UNION ALL
            SELECT a.code AS code, a.item AS item, 0 AS before, a.support AS after FROM $after AS a
        ) AS p
        GROUP BY p.code, p.item
        """,
        before=before,
        after=after,
    )
    return Step(
        "pair", "each row is a sensitive item and another, with their supports on both sides", query
    )


def together(codes: str | exp.Query, items: str | exp.Query) -> exp.Select:
    """The supports of pairs, in millionths: rows `codes`(tid, code) beside `items`(tid, item)."""
    return duck(
        """
        SELECT c.code AS code, i.item AS item, COUNT(*) * $scale AS support
        FROM $codes AS c JOIN $items AS i ON i.tid = c.tid
        GROUP BY c.code, i.item
        """,
        scale=SCALE,
        codes=codes,
        items=items,
    )


def expected(
    counts: str | exp.Query, items: str | exp.Query, groups: str | exp.Query
) -> exp.Select:
    """The expected supports of pairs, in millionths, one row per pair and group.

    `counts` has rows (number, code, held) per group, `items` (tid, item), `groups` (tid, number).
    """
    return duck(
        """
        SELECT e.code AS code, q.item AS item,
            CAST(e.held AS BIGINT) * q.held * $scale // n.size AS support
        FROM $counts AS e
        JOIN (
            SELECT g.number AS number, i.item AS item, COUNT(*) AS held
            FROM $items AS i JOIN $groups AS g ON g.tid = i.tid
            GROUP BY g.number, i.item
        ) AS q ON q.number = e.number
        JOIN (
            SELECT g.number AS number, COUNT(*) AS size FROM $groups AS g GROUP BY g.number
        ) AS n ON n.number = e.number
        """,
        scale=SCALE,
        counts=counts,
        items=items,
        groups=groups,
    )


def divergence() -> Step:
    """One row: the sums of the divergences KL(T || M) and KL(T' || M), and those of supports.

    M is the mean of both distributions. A term is x log(2 x Y / (x Y + y X)), where x and y are the
    supports of a pair and X and Y their sums; its sum is to be divided by X, or by Y for y.
    """
    query = duck(
        """
        SELECT
            CAST(COALESCE(SUM(CAST(
                CASE WHEN s.x > 0
                THEN s.x * (LN(2) + LN(s.x) + LN(s.y_all) - LN(s.x * s.y_all + s.y * s.x_all))
                ELSE 0 END AS BIGINT
            )), 0) AS BIGINT) AS before,
            CAST(COALESCE(SUM(CAST(
                CASE WHEN s.y > 0
                THEN s.y * (LN(2) + LN(s.y) + LN(s.x_all) - LN(s.x * s.y_all + s.y * s.x_all))
                ELSE 0 END AS BIGINT
            )), 0) AS BIGINT) AS after,
            CAST(COALESCE(MAX(s.x_all), 0) AS BIGINT) AS all_before,
            CAST(COALESCE(MAX(s.y_all), 0) AS BIGINT) AS all_after
        FROM (
            SELECT CAST(r.before AS DOUBLE) AS x, CAST(r.after AS DOUBLE) AS y,
                CAST(t.before AS DOUBLE) AS x_all, CAST(t.after AS DOUBLE) AS y_all
            FROM pair AS r
            CROSS JOIN (
                SELECT CAST(SUM(a.before) AS BIGINT) AS before,
                    CAST(SUM(a.after) AS BIGINT) AS after
                FROM pair AS a
            ) AS t
            WHERE t.before > 0 AND t.after > 0
        ) AS s
        """
    )
    return Step(
        "divergence", "sums how far the distribution of the pairs is from the original one", query
    )
