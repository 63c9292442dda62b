"""Count what any release that is rho-uncertain must lose: how much transactions share at most.

Reads original(tid, part, code) and coded(item, support, sensitive, code). The `common` items, the
most frequent, are bits of one number, so no pair of transactions is met for them alone.
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
    return Step("commonness", "most transactions share the most frequent items", query)


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
    return Step("outline", "transactions in short", query)


def uncommon(common: int) -> Step:
    """One row per occurrence of an item that is not common; `asked` if its transaction may lose."""
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code,
            CASE WHEN t.secrets > 0 AND t.held > 1 THEN 1 ELSE 0 END AS asked
        FROM original AS o
        JOIN commonness AS c ON c.code = o.code AND c.place >= $common
        JOIN outline AS t ON t.tid = o.tid
        """,
        common=common,
    )
    return Step("uncommon", "what few transactions share", query)


def meetings() -> Step:
    """One row: how often two transactions share an item; and one that is not common."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(c.support * c.support), 0) AS BIGINT) AS meetings,
            CAST(COALESCE(SUM(CASE WHEN c.place >= $common THEN c.support * c.support END), 0)
                AS BIGINT) AS uncommon
        FROM commonness AS c
        """,
        common=COMMON,
    )
    return Step("meetings", "decides in how many turns transactions meet", query)


def shared(transactions: int, turn: int, turns: int) -> Step:
    """One row per transaction of this turn: how many items it shares with another, at most."""
    query = duck(
        """
        SELECT m.tid AS tid, MAX(m.shared + ONES(x.bits & y.bits)) AS most
        FROM (
            SELECT CAST((p.pair - p.pair % $n) / $n AS BIGINT) AS tid, p.pair % $n AS other,
                p.shared AS shared
            FROM (
                SELECT a.tid * CAST($n AS BIGINT) + b.tid AS pair, COUNT(*) AS shared
                FROM uncommon AS a JOIN uncommon AS b ON b.code = a.code AND b.tid <> a.tid
                WHERE a.asked = 1 AND a.tid % $turns = $turn
                GROUP BY a.tid * CAST($n AS BIGINT) + b.tid
            ) AS p
        ) AS m
        JOIN outline AS x ON x.tid = m.tid
        JOIN outline AS y ON y.tid = m.other
        GROUP BY m.tid
        """,
        n=max(1, transactions),
        turn=turn,
        turns=turns,
    )
    return Step("shared", "who could hide what a transaction keeps", query)


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
    return Step("least_loss", "what any release must lose", query)
