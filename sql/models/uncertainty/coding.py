"""Number the items as codes, and choose the guarded transactions.

Harmless items are not sensitive; they have the codes 1 … harmless. A *guarded* transaction holds
sensitive items and few items in all, so that its subsets can be listed. Suppressed occurrences are
appended to `gone(tid, code, round)`.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, shown, term
from setveil.sql.subsets import Frame, die, rolled


def coded() -> Step:
    """One row per item: its code, 1 for the rarest harmless item; sensitive items come last."""
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
    return Step(
        "coded",
        "each row is an item and its code: harmless items first, sensitive items last",
        query,
    )


def original(parts: int, seed: int, *, persons: bool = False) -> Step:
    """One row per occurrence: its transaction, the transaction's part and roll, its code.

    With `persons`, a part has all transactions of its persons: the shares of all persons are then
    means of the shares of parts. A person's first transaction is rolled for the part.
    """
    own = persons and parts > 1
    query = duck(
        """
        SELECT r.tid AS tid, $roll % $parts AS part, r.roll AS roll, r.code AS code
        FROM (
            SELECT d.tid AS tid, d.code AS code, $rolled AS roll, $owner_rolled
            FROM (
                SELECT o.tid AS tid, c.code AS code, $die AS die, $owner_die
                FROM occurrence AS o JOIN coded AS c ON c.item = o.item JOIN $owners
            ) AS d
        ) AS r
        """,
        parts=parts,
        roll=term("r.owner_roll" if own else "r.roll"),
        rolled=rolled("d.die"),
        die=die(seed, "o"),
        owner_rolled=[exp.alias_(rolled("d.owner_die"), "owner_roll")] if own else [],
        owner_die=[exp.alias_(die(seed, "f"), "owner_die")] if own else [],
        owners=joins(
            """
            JOIN (
                SELECT b.tid AS other, MIN(b.tid) OVER (PARTITION BY b.person) AS tid
                FROM basket AS b
            ) AS f ON f.other = o.tid
            """,
            [0] if own else [],
        ),
    )
    why = "each row is an occurrence; its roll orders the transactions at random"
    return Step("original", why, query)


def extents(harmless: int) -> Step:
    """One row per transaction: its number of items and of harmless items."""
    query = duck(
        """
        SELECT o.tid AS tid, COUNT(*) AS held,
            COUNT(CASE WHEN o.code <= $harmless THEN 1 END) AS known
        FROM original AS o GROUP BY o.tid
        """,
        harmless=harmless,
    )
    return Step(
        "extent", "each row is a transaction with its numbers of items and of harmless items", query
    )


def lengths() -> Step:
    """One row per length and number of harmless items: transactions with a sensitive item."""
    query = duck(
        """
        SELECT e.held AS held, e.known AS known, COUNT(*) AS transactions FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held
        GROUP BY e.held, e.known ORDER BY held, known
        """
    )
    return Step(
        "lengths",
        "counts transactions by length, which decides the longest whose subsets are listed",
        query,
    )


def guarded(frame: Frame, *, evenly: bool) -> Step:
    """One row per transaction whose subsets are listed: the number of items it starts with.

    Longer transactions lose their sensitive items, unless these are most of their items. With
    `evenly` they lose the items that come last in the seeded order.
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
    return Step(
        "guarded",
        "each row is a transaction that can keep sensitive items: its subsets are listed",
        query,
    )


def cut(frame: Frame, seed: int, *, evenly: bool) -> Step:
    """One row per occurrence that is suppressed because its transaction is too long."""
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
    return Step(
        "gone",
        "each row is an occurrence that is suppressed at once: its transaction is too long",
        query,
    )


def _needed(frame: Frame) -> list[exp.Expr]:
    """The condition that an occurrence must go: none must if certainty is allowed."""
    return [exp.false()] if frame.rho == 1 else []


def repeated() -> Step:
    """One row per person and item that several transactions of the person hold.

    `guarded` is 1 if one of them is guarded.
    """
    query = duck(
        """
        SELECT b.person AS person, o.code AS code,
            MAX(CASE WHEN g.tid IS NULL THEN 0 ELSE 1 END) AS guarded
        FROM original AS o
        JOIN basket AS b ON b.tid = o.tid
        LEFT JOIN guarded AS g ON g.tid = o.tid
        GROUP BY b.person, o.code
        HAVING COUNT(*) > 1
        """
    )
    return Step(
        "repeated",
        "each row is a person and an item of two of the person's transactions or more",
        query,
    )


def watched(*, persons: bool = False) -> Step:
    """One row per occurrence of a guarded transaction, suppressed or not.

    With `persons`, `again` is 1 if another transaction of the person holds the item too.
    """
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.roll AS roll, o.code AS code, $owner
        FROM original AS o JOIN guarded AS g ON g.tid = o.tid
        JOIN $owners
        """,
        owner=[
            shown("b.person AS person"),
            shown("CASE WHEN a.code IS NULL THEN 0 ELSE 1 END AS again"),
        ]
        if persons
        else [],
        owners=joins(
            """
            JOIN basket AS b ON b.tid = o.tid
            LEFT JOIN repeated AS a ON a.person = b.person AND a.code = o.code
            """,
            [0] if persons else [],
        ),
    )
    return Step("watched", "each row is an occurrence of a guarded transaction", query)


def apart(harmless: int, *, persons: bool = False) -> Step:
    """One row per occurrence of a harmless item in a transaction that is not guarded.

    With `persons`, `again` is 1 if another transaction of the person holds the item too, and 2 if a
    guarded one does.
    """
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.code AS code, $owner
        FROM original AS o
        JOIN $owners
        WHERE o.code <= $harmless
            AND NOT EXISTS (SELECT 1 FROM guarded AS g WHERE g.tid = o.tid)
        """,
        harmless=harmless,
        owner=[
            shown("CASE WHEN a.code IS NULL THEN 0 ELSE 1 + a.guarded END AS again"),
        ]
        if persons
        else [],
        owners=joins(
            """
            JOIN basket AS b ON b.tid = o.tid
            LEFT JOIN repeated AS a ON a.person = b.person AND a.code = o.code
            """,
            [0] if persons else [],
        ),
    )
    return Step(
        "apart",
        "each row is an occurrence of a harmless item in a transaction that is not guarded",
        query,
    )


# The result


def losses() -> Step:
    """One row: suppressed occurrences, the sensitive ones, transactions touched and emptied."""
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
        "losses", "counts suppressed occurrences, and the transactions that lost some or all", query
    )


def totals() -> Step:
    """One row: the number of harmless items, and of occurrences of sensitive items."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
            CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
        FROM coded AS c
        """
    )
    return Step("totals", "counts harmless items and occurrences of sensitive items", query)
