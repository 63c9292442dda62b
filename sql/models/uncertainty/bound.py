"""Count what any release that is rho-uncertain must lose: how much transactions share at most.

Reads original(tid, part, code) and coded(item, support, sensitive, code). The `common` items, the
most frequent, are bits of one number, so no pair of transactions is met for them alone; and only
pairs are met that share one of the rarest items of the first, for the others share too little.
"""

from __future__ import annotations

from setveil.sql.step import Step, duck

COMMON = 62  # items at most, that are bits of a BIGINT


def commonness() -> Step:
    """One row per item: its place from the most frequent on, from 0."""
    query = duck(
        """
        SELECT c.code AS code, c.sensitive AS sensitive, c.support AS support,
            CAST(ROW_NUMBER() OVER (ORDER BY c.support DESC, c.code) - 1 AS BIGINT) AS place
        FROM coded AS c
        """
    )
    return Step("commonness", "items in the order of their frequency", query)


def outlines(common: int) -> Step:
    """One row per transaction: how many items it holds, sensitive and common ones, and which."""
    query = duck(
        """
        SELECT o.tid AS tid, COUNT(*) AS held, CAST(SUM(c.sensitive) AS BIGINT) AS secrets,
            COUNT(CASE WHEN c.place < $common THEN 1 END) AS common,
            COALESCE(BIT_OR(
                CASE WHEN c.place < $common
                    THEN CAST(1 AS BIGINT) << CAST(c.place AS INT) END
            ), CAST(0 AS BIGINT)) AS bits
        FROM original AS o JOIN commonness AS c ON c.code = o.code
        GROUP BY o.tid
        """,
        common=common,
    )
    return Step("outline", "sizes of transactions, with their common items as bits", query)


def early() -> Step:
    """One row per occurrence of a transaction that may lose: is it among its rarest?

    What holds as many of its items as matter holds one of the rarest, one more than are sensitive.
    """
    query = duck(
        """
        SELECT n.tid AS tid, n.code AS code, n.support AS support, n.place AS place,
            CASE WHEN n.turn <= n.secrets + 1 THEN 1 ELSE 0 END AS early
        FROM (
            SELECT o.tid AS tid, o.code AS code, c.support AS support, c.place AS place,
                ROW_NUMBER() OVER (PARTITION BY o.tid ORDER BY c.place DESC) AS turn,
                COUNT(*) OVER (PARTITION BY o.tid) AS held,
                CAST(SUM(c.sensitive) OVER (PARTITION BY o.tid) AS BIGINT) AS secrets
            FROM original AS o JOIN commonness AS c ON c.code = o.code
        ) AS n
        WHERE n.secrets > 0 AND n.held > 1
        """
    )
    return Step(
        "early", "rarest items of each transaction: one that shares much shares one of them", query
    )


def uncommon(common: int) -> Step:
    """One row per occurrence of an item that is not common."""
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code
        FROM original AS o JOIN commonness AS c ON c.code = o.code AND c.place >= $common
        """,
        common=common,
    )
    return Step("uncommon", "occurrences of all other items", query)


def meetings() -> Step:
    """One row: how often two transactions meet in a rare item; and in one that is not common."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(e.support), 0) AS BIGINT) AS meetings,
            CAST(COALESCE(SUM(CASE WHEN e.place >= $common THEN e.support END), 0)
                AS BIGINT) AS uncommon
        FROM early AS e WHERE e.early = 1
        """,
        common=COMMON,
    )
    return Step(
        "meetings", "counts of meetings, which decide in how many turns transactions meet", query
    )


def shared(common: int, transactions: int, turn: int, turns: int) -> Step:
    """One row per transaction of this turn: how many items it shares with another, at most.

    None, or too few, where it loses all its sensitive items whatever it shares.
    """
    near = duck(
        """
        SELECT m.tid AS tid, m.other AS other, m.met + ONES(x.bits & y.bits) AS met
        FROM (
            SELECT HIGH(p.pair, $n) AS tid, LOW(p.pair, $n) AS other,
                p.met AS met
            FROM (
                SELECT a.tid * CAST($n AS BIGINT) + b.tid AS pair, COUNT(*) AS met
                FROM early AS a JOIN uncommon AS b ON b.code = a.code AND b.tid <> a.tid
                WHERE a.early = 1 AND a.place >= $common AND a.tid % $turns = $turn
                GROUP BY a.tid * CAST($n AS BIGINT) + b.tid
            ) AS p
        ) AS m
        JOIN outline AS x ON x.tid = m.tid
        JOIN outline AS y ON y.tid = m.other
        WHERE m.met + ONES(x.bits & y.bits)
            + CASE WHEN x.held - x.common > x.secrets + 1 THEN x.held - x.common - x.secrets - 1
                ELSE 0 END >= x.held - x.secrets
        """,
        common=common,
        n=max(1, transactions),
        turn=turn,
        turns=turns,
    )
    query = duck(
        """
        SELECT s.tid AS tid, MAX(s.met + s.late) AS most
        FROM (
            SELECT k.tid AS tid, MIN(k.met) AS met, COUNT(b.tid) AS late
            FROM $near AS k
            LEFT JOIN early AS a ON a.tid = k.tid AND a.early = 0 AND a.place >= $common
            LEFT JOIN uncommon AS b ON b.tid = k.other AND b.code = a.code
            GROUP BY k.tid, k.other
        ) AS s
        GROUP BY s.tid
        """,
        near=near,
        common=common,
    )
    return Step("shared", "items that each transaction shares with its nearest one", query)


def least_loss() -> Step:
    """One row: the occurrences that are lost at least, over all transactions."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(
            CASE WHEN b.most + 1 >= b.held THEN 0
            WHEN b.held - b.most - 1 < b.secrets THEN b.held - b.most - 1
            ELSE b.secrets END
        ), 0) AS BIGINT) AS least
        FROM (
            SELECT o.held AS held, o.secrets AS secrets,
                CASE WHEN COALESCE(s.most, 0) > o.common THEN s.most ELSE o.common END AS most
            FROM outline AS o LEFT JOIN shared AS s ON s.tid = o.tid
            WHERE o.secrets > 0 AND o.held > 1
        ) AS b
        """
    )
    return Step("least_loss", "least loss of any release that keeps the promise", query)
