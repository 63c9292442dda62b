"""Put transactions and items into codes, and settle which transactions are guarded.

Items are coded by number, the harmless ones first, 1 … harmless. A *guarded* transaction holds
sensitive items and few items in all, so its subsets can be listed. What is suppressed is in
`gone(tid, code, round)`, only ever appended to.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, term
from setveil.sql.subsets import Frame, die, rolled


def coded() -> Step:
    """One row per item: its code, 1 for the rarest of the harmless; the sensitive come last."""
    query = duck(
        """
        SELECT i.item AS item, i.support AS support,
            CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
            CAST(ROW_NUMBER() OVER (
                ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item
            ) AS BIGINT) AS code
        FROM item AS i LEFT JOIN sensitive_item AS r ON r.item = i.item
        """
    )
    return Step("coded", "codes of the items; sensitive items have the last ones", query)


def original(parts: int, seed: int) -> Step:
    """One row per occurrence: its transaction, the part that is in and its roll, its code."""
    query = duck(
        """
        SELECT r.tid AS tid, r.roll % $parts AS part, r.roll AS roll, r.code AS code
        FROM (
            SELECT d.tid AS tid, d.code AS code, $rolled AS roll
            FROM (
                SELECT o.tid AS tid, c.code AS code, $die AS die
                FROM occurrence AS o JOIN coded AS c ON c.item = o.item
            ) AS d
        ) AS r
        """,
        parts=parts,
        rolled=rolled("d.die"),
        die=die(seed, "o"),
    )
    why = "the occurrences in codes; a roll puts transactions in an order at random"
    return Step("original", why, query)


def extents(harmless: int) -> Step:
    """One row per transaction: how many items it holds, and how many harmless ones."""
    query = duck(
        """
        SELECT o.tid AS tid, COUNT(*) AS held,
            COUNT(CASE WHEN o.code <= $harmless THEN 1 END) AS known
        FROM original AS o GROUP BY o.tid
        """,
        harmless=harmless,
    )
    return Step("extent", "sizes of transactions, with their harmless items", query)


def lengths() -> Step:
    """One row per length of transactions with something to infer: how many there are."""
    query = duck(
        """
        SELECT e.held AS held, COUNT(*) AS transactions FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held GROUP BY e.held ORDER BY held
        """
    )
    return Step(
        "lengths",
        "lengths of transactions, which decide how long one with listed subsets may be",
        query,
    )


def guarded(frame: Frame, *, evenly: bool) -> Step:
    """One row per transaction whose subsets are listed: how many items it starts with.

    Those too long to list all subsets of lose their sensitive items, unless these are most of what
    they hold; or, `evenly`, whatever items come last in the seeded order.
    """
    if evenly:
        query = duck(
            """
            SELECT e.tid AS tid, CASE WHEN e.held <= $places THEN e.held ELSE $places END AS kept
            FROM extent AS e WHERE e.held > 1 AND e.known < e.held
            """,
            places=frame.places,
        )
    else:
        query = duck(
            """
            SELECT e.tid AS tid,
                CASE WHEN e.held <= $places THEN e.held
                WHEN e.known * 2 < e.held AND e.known * 2 <= $places THEN $places
                ELSE e.known END AS kept
            FROM extent AS e
            WHERE e.held > 1 AND e.known < e.held
                AND CASE WHEN e.held <= $places THEN 0 ELSE e.known END < $places
            """,
            places=frame.places,
        )
    return Step("guarded", "transactions that can keep sensitive items", query)


def cut(frame: Frame, seed: int, *, evenly: bool) -> Step:
    """One row per occurrence that goes because its transaction is too long."""
    if evenly:
        rank, order = die(seed, "o", "o.code"), rolled("r.rank")
    else:
        sensitive = "CASE WHEN o.code > $harmless THEN $radix - o.code ELSE 0 END"
        rank = term(sensitive, harmless=frame.harmless, radix=frame.radix)
        order = term("r.rank")
    query = duck(
        """
        SELECT n.tid AS tid, n.code AS code, 0 AS round
        FROM (
            SELECT r.tid AS tid, r.code AS code, r.kept AS kept,
                ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY $order, r.code) AS turn
            FROM (
                SELECT o.tid AS tid, o.code AS code, COALESCE(g.kept, e.known) AS kept,
                    $rank AS rank
                FROM original AS o
                JOIN extent AS e ON e.tid = o.tid AND e.held > $places AND e.known < e.held
                LEFT JOIN guarded AS g ON g.tid = o.tid
            ) AS r
        ) AS n
        WHERE n.turn > n.kept AND $needed
        """,
        order=order,
        rank=rank,
        places=frame.places,
        needed=_needed(frame),
    )
    return Step("gone", "occurrences that transactions too long to list lose at once", query)


def _needed(frame: Frame) -> list[exp.Expr]:
    """The condition that something must go: nothing does where certainty is allowed."""
    return [exp.false()] if frame.rho == 1 else []


def watched() -> Step:
    """One row per occurrence of a guarded transaction, suppressed or not."""
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.roll AS roll, o.code AS code
        FROM original AS o JOIN guarded AS g ON g.tid = o.tid
        """
    )
    return Step("watched", "the occurrences of guarded transactions", query)


def apart(harmless: int) -> Step:
    """One row per occurrence of a harmless item in a transaction that is not guarded."""
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.code AS code
        FROM original AS o
        WHERE o.code <= $harmless
            AND NOT EXISTS (SELECT 1 FROM guarded AS g WHERE g.tid = o.tid)
        """,
        harmless=harmless,
    )
    return Step("apart", "harmless items of all other transactions", query)


# Items everywhere


def cut_everywhere(frame: Frame) -> Step:
    """One row per occurrence of a sensitive item that some transaction too long to list holds."""
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code, 0 AS round
        FROM original AS o
        WHERE o.code > $harmless AND $needed AND EXISTS (
            SELECT 1 FROM original AS h
            JOIN extent AS e ON e.tid = h.tid AND e.held > $places
            WHERE h.code = o.code
        )
        """,
        harmless=frame.harmless,
        needed=_needed(frame),
        places=frame.places,
    )
    return Step("gone", "sensitive items that transactions too long to list hold", query)


def listed(places: int) -> Step:
    """One row per transaction with something to infer whose subsets can all be listed."""
    query = duck(
        """
        SELECT e.tid AS tid, e.held AS kept FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held AND e.held <= $places
        """,
        places=places,
    )
    return Step("guarded", "transactions that keep sensitive items, for now", query)


# What is left


def losses() -> Step:
    """One row: occurrences suppressed, those of sensitive items, transactions touched, emptied."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(l.gone), 0) AS BIGINT) AS gone,
            CAST(COALESCE(SUM(l.sensitive), 0) AS BIGINT) AS sensitive, COUNT(*) AS touched,
            COUNT(CASE WHEN l.gone = e.held THEN 1 END) AS emptied
        FROM (
            SELECT s.tid AS tid, COUNT(*) AS gone, CAST(SUM(c.sensitive) AS BIGINT) AS sensitive
            FROM suppressed AS s JOIN coded AS c ON c.item = s.item GROUP BY s.tid
        ) AS l
        JOIN (SELECT o.tid AS tid, COUNT(*) AS held FROM occurrence AS o GROUP BY o.tid) AS e
            ON e.tid = l.tid
        """
    )
    return Step(
        "losses", "counts of suppressed occurrences and of transactions that lost some", query
    )


def totals() -> Step:
    """One row: how many items are harmless, and the occurrences of the sensitive ones."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
            CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
        FROM coded AS c
        """
    )
    return Step("totals", "counts of harmless items and of sensitive occurrences", query)
