"""Count frequent itemsets by words of bits, where few transactions hold any two items.

found_spot_1(id, tid, spot, last) numbers the occurrences of items that pairs begin with, those of
an item side by side. found_posting_n(id, block, bits_1, …) has one bit per occurrence of the rarest
item of an itemset of n items, so an itemset needs few blocks. Two itemsets that share all but their
last items meet where their blocks do. Candidates are those of `growth.py`, other relations of
`search.py`.
Zaki: Scalable algorithms for association mining, IEEE TKDE 12(3), 2000.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import inverted
from setveil.sql.inverted import Blocks
from setveil.sql.levels import table
from setveil.sql.mine import growth
from setveil.sql.step import Step, duck


def spots(found: str, items: int) -> Step:
    """One row per occurrence of an item that several frequent pairs begin with: its number."""
    query = duck(
        """
        SELECT c.id AS id, c.spot AS tid, c.last AS last,
            ROW_NUMBER() OVER (ORDER BY c.last, c.spot) - 1 AS spot
        FROM $cohort AS c
        JOIN (
            SELECT HIGH(f.met, $items) AS id FROM $pairs AS f
            GROUP BY HIGH(f.met, $items) HAVING COUNT(*) > 1
        ) AS rarest ON rarest.id = c.id
        """,
        cohort=table(f"{found}_cohort", 1),
        pairs=table(found, 2),
        items=items,
    )
    return Step(
        f"{found}_spot_1",
        "numbers the occurrences of items that pairs begin with, those of an item side by side",
        query,
    )


def posted_pairs(found: str, items: int, blocks: Blocks) -> Step:
    """One row per frequent pair that candidates need, and block of occurrences that hold it."""
    rows = duck(
        """
        SELECT pair.id AS id, rare.spot AS tid
        FROM $spot AS rare
        JOIN (
            SELECT c.spot AS tid, c.last AS last
            FROM $cohort AS c
            JOIN (SELECT DISTINCT LOW(f.met, $items) AS place FROM $pairs AS f) AS grown
                ON grown.place = c.last
        ) AS other ON other.tid = rare.tid AND other.last > rare.last
        JOIN (SELECT f.id AS id, f.met AS met FROM $pairs AS f JOIN $needed AS n ON n.id = f.id)
            AS pair ON pair.met = rare.id * $items + other.last
        """,
        spot=table(f"{found}_spot", 1),
        cohort=table(f"{found}_cohort", 1),
        pairs=table(found, 2),
        needed=_needed(found, 3, items),
        items=items,
    )
    return Step(f"{found}_posting_2", _POSTED, inverted.in_words(rows.subquery(), blocks))


def posted(found: str, level: int, items: int, blocks: Blocks) -> Step:
    """One row per frequent itemset that candidates need, and block of occurrences that hold it."""
    query = duck(
        """
        SELECT c.id AS id, one.block AS block, $bits
        FROM (
            SELECT f.id AS id, HIGH(f.met, $items) AS part_1, f.$sibling AS part_2
            FROM $frequent AS f JOIN $needed AS n ON n.id = f.id
        ) AS c
        JOIN $posting AS one ON one.id = c.part_1
        JOIN $posting AS two ON two.id = c.part_2 AND two.block = one.block
        WHERE $met
        """,
        bits=blocks.common("one", "two"),
        met=blocks.met("one", "two"),
        sibling=f"sub_{level - 1}",
        frequent=table(found, level),
        needed=_needed(found, level + 1, items),
        posting=table(f"{found}_posting", level - 1),
        items=items,
    )
    return Step(f"{found}_posting_{level}", _POSTED, query)


def counted_in_words(found: str, level: int, items: int, blocks: Blocks, least: int) -> Step:
    """One row per frequent itemset of this size, counted where two smaller itemsets meet."""
    counts = duck(
        """
        SELECT c.met AS met, CAST(SUM($number) AS BIGINT) AS support
        FROM (
            SELECT c.met AS met, HIGH(c.met, $items) AS part_1, c.$sibling AS part_2
            FROM $candidate AS c WHERE c.given = 0
        ) AS c
        JOIN $posting AS one ON one.id = c.part_1
        JOIN $posting AS two ON two.id = c.part_2 AND two.block = one.block
        GROUP BY c.met
        HAVING SUM($number) >= $least
        """,
        number=blocks.number("one", "two"),
        sibling=f"sub_{level - 1}",
        candidate=table(f"{found}_candidate", level),
        posting=table(f"{found}_posting", level - 1),
        items=items,
        least=least,
    )
    return growth.grown(found, level, counts, "words of bits")


def _needed(found: str, level: int, items: int) -> exp.Select:
    """The itemsets from which candidates of this size are counted."""
    candidate = table(f"{found}_candidate", level)
    halves = [
        duck(
            "SELECT HIGH(c.met, $items) AS id FROM $candidate AS c WHERE c.given = 0",
            candidate=candidate,
            items=items,
        ),
        duck(
            "SELECT c.$sibling AS id FROM $candidate AS c WHERE c.given = 0",
            candidate=candidate,
            sibling=f"sub_{level - 1}",
        ),
    ]
    return duck("SELECT DISTINCT h.id AS id FROM $halves AS h", halves=halves)


_POSTED = (
    "each row is a frequent itemset and a block of bits: one bit per occurrence of its rarest "
    "item, set if the transaction holds it"
)
