"""Bound the loss of any rho-uncertain release by the items that two transactions share.

Reads original(tid, part, code) and coded(item, support, sensitive, code). The `common` items, the
most frequent, are bits of one number, so that no pair of transactions is joined for them alone. A
pair is joined only if it shares one of the rarest items of the first; other pairs share too little.
"""

from __future__ import annotations

from setveil.sql.step import Step, duck

COMMON = 62  # items at most: each is a bit of a BIGINT


def commonness() -> Step:
    """One row per item: its place in the order of falling support, from 0."""
    query = duck(
        """
        SELECT c.code AS code, c.sensitive AS sensitive, c.support AS support,
            CAST(ROW_NUMBER() OVER (ORDER BY c.support DESC, c.code) - 1 AS BIGINT) AS place
        FROM coded AS c
        """
    )
    return Step(
        "commonness", "each row is an item with its place in the order of falling support", query
    )


def outlines(common: int) -> Step:
    """One row per transaction: its numbers of items, and its common items as bits."""
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
    return Step(
        "outline",
        "each row is a transaction with its size, and its most frequent items as bits",
        query,
    )


def early() -> Step:
    """One row per occurrence of a transaction that may lose: is it among its rarest?

    With s sensitive items, these are the s + 1 rarest. A transaction that shares enough items to
    matter shares one of them.
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
        "early",
        "each row is an occurrence; early marks a transaction's rarest items, which "
        "near ones share",
        query,
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
    return Step("uncommon", "each row is an occurrence of an item that has no bit", query)


def meetings() -> Step:
    """One row: the pairs of transactions that share a rare item; and an uncommon rare item."""
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
        "meetings",
        "counts pairs of transactions to compare, which decides the number of turns",
        query,
    )


def shared(common: int, transactions: int, turn: int, turns: int) -> Step:
    """One row per transaction of this turn: the most items it shares with another one.

    No row, or too small a number, where the transaction loses all its sensitive items in any case.
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
    return Step(
        "shared",
        "each row is a transaction, with the most items that another transaction shares with it",
        query,
    )


def least_loss() -> Step:
    """One row: the least number of occurrences that any release loses."""
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
    return Step(
        "least_loss", "sums the occurrences that any release must lose to keep the promise", query
    )
