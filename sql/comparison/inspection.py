"""Mark the transactions that rare itemsets single out, and describe the data's supports.

`exposed_n(block, bits)` has one bit per transaction that holds a minimal rare itemset of n public
items. An itemset is rare if fewer than k transactions, or persons, hold it.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import item, table
from setveil.sql.models.coherence import search as moles
from setveil.sql.step import Step, duck, term

LAST_LENGTHS = 1_001  # the last band of lengths is open
LAST_BAND = 100_000  # the last band of supports is open
WHY = "each row is a block of bits, one per transaction that a rare itemset singles out"


def exposed_by_items(width: int) -> Step:
    """One row per block with a transaction that holds a rare item."""
    query = duck(
        """
        SELECT CAST(HIGH(h.tid, $width) AS INT) AS block,
            PACK(LOW(h.tid, $width), $width) AS bits
        FROM (
            SELECT DISTINCT o.tid AS tid
            FROM occurrence AS o JOIN judged_1 AS j ON j.id = o.item WHERE j.verdict = $rare
        ) AS h
        GROUP BY CAST(HIGH(h.tid, $width) AS INT)
        """,
        width=width,
        rare=moles.RARE,
    )
    return Step("exposed_1", WHY, query)


def exposed_in_lists(level: int, width: int, items: int) -> Step:
    """One row per block with a transaction that holds a rare itemset of this size.

    An itemset is looked up by one number of columns of both relations before it. Otherwise
    PostgreSQL lists all transactions of its prefix first, which are many more.
    """
    query = duck(
        """
        SELECT CAST(HIGH(h.tid, $width) AS INT) AS block,
            PACK(LOW(h.tid, $width), $width) AS bits
        FROM (
            SELECT DISTINCT h.tid AS tid
            FROM $cohort AS h
            JOIN extension AS x ON x.tid = h.tid AND $after
            JOIN $counted AS c
                ON CAST(c.parent AS BIGINT) * $items + c.$last = h.id * $items + x.item
            JOIN $judged AS j ON j.id = c.id
            WHERE j.verdict = $rare
        ) AS h
        GROUP BY CAST(HIGH(h.tid, $width) AS INT)
        """,
        cohort=moles.cohort(level - 1),
        counted=table("counted", level),
        judged=table("judged", level),
        last=item(level),
        after=[term("x.item > h.id")] if level == 2 else [],  # where the prefix is an item
        items=items,
        rare=moles.RARE,
        width=width,
    )
    return Step(f"exposed_{level}", WHY, query)


def exposed_in_bits(level: int) -> Step:
    """One row per block with a transaction that holds a rare itemset of this size."""
    query = duck(
        """
        SELECT a.block AS block, BIT_OR(a.bits & b.bits) AS bits
        FROM $counted AS c
        JOIN $judged AS j ON j.id = c.id
        JOIN $prefix AS a ON a.id = c.parent
        JOIN posting_1 AS b ON b.id = c.$last AND b.block = a.block
        WHERE j.verdict = $rare
        GROUP BY a.block
        """,
        counted=table("counted", level),
        judged=table("judged", level),
        prefix=table("posting", level - 1),
        last=item(level),
        rare=moles.RARE,
    )
    return Step(f"exposed_{level}", WHY, query)


def _exposed(levels: int) -> exp.Select:
    """One row per block: the transactions that a rare itemset of at most so many items exposes."""
    parts = [
        duck("SELECT block, bits FROM $exposed", exposed=table("exposed", level))
        for level in range(1, levels + 1)
    ]
    return duck(
        "SELECT block, BIT_OR(bits) AS bits FROM $parts AS parts GROUP BY block", parts=parts
    )


def exposed_persons(levels: int, width: int) -> Step:
    """One row: the persons with a transaction that holds a rare itemset of so many items."""
    query = duck(
        """
        SELECT COUNT(DISTINCT o.person) AS persons
        FROM (
            SELECT b.person AS person, CAST(HIGH(b.tid, $width) AS INT) AS block,
                PACK(LOW(b.tid, $width), $width) AS bits
            FROM basket AS b GROUP BY b.tid, b.person
        ) AS o
        JOIN $exposed AS e ON e.block = o.block
        WHERE BIT_COUNT(e.bits & o.bits) > 0
        """,
        width=width,
        exposed=_exposed(levels),
    )
    return Step(
        f"exposed_persons_{levels}",
        f"counts the persons whom an attacker who knows up to {levels} items could single out",
        query,
    )


def exposure(levels: int) -> Step:
    """One row: the transactions that hold a rare itemset of at most so many items."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(BIT_COUNT(bits)), 0) AS BIGINT) AS transactions
        FROM $exposed AS merged
        """,
        exposed=_exposed(levels),
    )
    return Step(
        f"exposure_{levels}",
        f"counts the transactions that an attacker who knows up to {levels} items could single out",
        query,
    )


def histogram() -> Step:
    """One row per power of ten: the items with a support from there up to the next power."""
    query = duck(
        """
        SELECT power AS at_least, COUNT(*) AS items, CAST(SUM(support) AS BIGINT) AS occurrences
        FROM (
            SELECT support,
                CASE WHEN support < 10 THEN 1 WHEN support < 100 THEN 10
                    WHEN support < 1000 THEN 100 WHEN support < 10000 THEN 1000
                    WHEN support < $last THEN 10000 ELSE $last END AS power
            FROM item
        ) AS sized
        GROUP BY power ORDER BY at_least
        """,
        last=LAST_BAND,
    )
    return Step("histogram", "counts items and occurrences by bands of support", query)


def lengths() -> Step:
    """One row per band of lengths: its least length, the most that occurs, and its transactions.

    Bands have one length up to 20, ten up to 100, a hundred up to 1,000; the last is open.
    """
    query = duck(
        """
        SELECT s.band AS at_least, MAX(s.held) AS most, COUNT(*) AS transactions
        FROM (
            SELECT h.held AS held,
                CASE WHEN h.held <= 20 THEN h.held
                    WHEN h.held <= 100 THEN (h.held - 1) // 10 * 10 + 1
                    WHEN h.held < $last THEN (h.held - 1) // 100 * 100 + 1 ELSE $last END AS band
            FROM (
                SELECT b.tid AS tid, COUNT(o.item) AS held
                FROM basket AS b LEFT JOIN occurrence AS o ON o.tid = b.tid
                GROUP BY b.tid
            ) AS h
        ) AS s
        GROUP BY s.band ORDER BY at_least
        """,
        last=LAST_LENGTHS,
    )
    return Step("lengths", "counts transactions by bands of their numbers of items", query)
