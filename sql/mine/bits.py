"""Count frequent itemsets by bits: blocks of transactions, where two halves of an itemset meet.

found_posting_n(id, block, bits) has the blocks of the free itemsets of n items: no other itemset is
part of one that must be counted. Candidates are those of `growth.py`, other relations of
`search.py`.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import inverted
from setveil.sql.inverted import Blocks
from setveil.sql.levels import table
from setveil.sql.mine import growth
from setveil.sql.step import Step, duck, each, joins

SPAN = 2**31  # more than the blocks of any data
Parts = tuple[int, ...]  # an itemset of 5 items as one of 3 and one of 2: (3, 2)


def side_by_side(found: str, items: int) -> Step:
    """One row per transaction with a frequent item: its place among transactions alike."""
    rows = duck("SELECT spot AS tid, last AS rank FROM $cohort", cohort=table(f"{found}_cohort", 1))
    return inverted.side_by_side(f"{found}_place_1", rows.subquery(), items)


def posted_items(found: str, width: int, *, placed: bool) -> Step:
    """One row per frequent item and block of `width` transactions that holds it.

    Transactions keep their numbers, or are `placed` beside those alike.
    """
    rows = duck("SELECT id, spot AS tid FROM $cohort", cohort=table(f"{found}_cohort", 1))
    if placed:
        rows = duck(
            """
            SELECT c.id AS id, p.place AS tid
            FROM $cohort AS c JOIN $place AS p ON p.tid = c.spot
            """,
            cohort=table(f"{found}_cohort", 1),
            place=table(f"{found}_place", 1),
        )
    why = "each row is a frequent item and a block of bits: one bit per transaction that holds it"
    return inverted.postings(f"{found}_posting_1", width, rows.subquery(), why)


def posted(found: str, level: int, parts: Parts, blocks: Blocks) -> Step:
    """One row per free itemset of this size and block that holds it."""
    query = duck(
        """
        SELECT c.id AS id, a1.block AS block, $bits
        FROM (SELECT $parts, c.id AS id FROM $frequent AS c JOIN $sides WHERE c.free = 1) AS c
        JOIN $postings
        WHERE $met
        """,
        bits=blocks.common(*_owners(parts)),
        met=blocks.met(*_owners(parts)),
        parts=_parts(parts),
        frequent=table(found, level),
        sides=_sides(found, parts),
        postings=_postings(found, parts),
    )
    return Step(
        f"{found}_posting_{level}",
        "each row is a frequent itemset and a block of bits: one bit per transaction that holds "
        "it; itemsets with the support of a smaller one are left out",
        query,
    )


def parted(found: str, level: int, parts: Parts) -> Step:
    """One row per candidate that must be counted, with the ids of its parts.

    They are made first: else blocks could be joined with all others that cover their transactions.
    """
    query = duck(
        """
        SELECT $parts, c.met AS met FROM $candidate AS c JOIN $sides WHERE c.given = 0
        """,
        parts=_parts(parts),
        candidate=table(f"{found}_candidate", level),
        sides=_sides(found, parts),
    )
    return Step(
        f"{found}_part_{level}",
        f"each row is an itemset of {level} items that must be counted, with its parts",
        query,
    )


def counted_in_bits(found: str, level: int, parts: Parts, blocks: Blocks, least: int) -> Step:
    """One row per frequent itemset of this size, counted where the bits of its parts meet."""
    counts = duck(
        """
        SELECT c.met AS met, CAST(SUM($number) AS BIGINT) AS support
        FROM $halves AS c
        JOIN $postings
        GROUP BY c.met
        HAVING SUM($number) >= $least
        """,
        number=blocks.number(*_owners(parts)),
        halves=table(f"{found}_part", level),
        postings=_postings(found, parts),
        least=least,
    )
    return growth.grown(found, level, counts, "bits")


def _parts(parts: Parts) -> list[exp.Expr]:
    """The ids of the parts of an itemset `c`: part_1, part_2, …"""
    ids = []
    for n, size in enumerate(parts, 1):
        text = "s{n}.id AS part_{n}" if size > 1 else "CAST(c.item_{first} AS BIGINT) AS part_{n}"
        ids += each(text, [n], first=_first(parts, n))
    return ids


def _sides(found: str, parts: Parts) -> list[exp.Expr]:
    """The frequent itemsets s1, s2, … of two items or more that make up an itemset `c`."""
    sides = []
    for n, size in enumerate(parts, 1):
        places = range(_first(parts, n), _first(parts, n) + size)
        same = [
            one
            for m, place in enumerate(places, 1)
            for one in each("s{n}.item_{m} = c.item_{place}", [n], m=m, place=place)
        ]
        text = "JOIN $frequent AS s{n} ON $same"
        sides += joins(text, [n], frequent=table(found, size), same=same) if size > 1 else []
    return sides


def _first(parts: Parts, n: int) -> int:
    """The place of the first item of the n-th part."""
    return 1 + sum(parts[: n - 1])


def _postings(found: str, parts: Parts) -> list[exp.Expr]:
    """The blocks a1, a2, … of the parts of an itemset `c`, where all parts have a block.

    Three parts or more are joined by one packed number: a planner that sees the blocks alone would
    first join each block of an item with all others of its transactions.
    """
    blocks = []
    for n, size in enumerate(parts, 1):
        meets = "a{n}.id = c.part_{n}"
        if n > 1 and len(parts) > 2:
            meets = "a{n}.id * $span + a{n}.block = c.part_{n} * $span + a1.block"
        elif n > 1:
            meets = "a{n}.id = c.part_{n} AND a{n}.block = a1.block"
        text = f"JOIN $posting AS a{{n}} ON {meets}"
        blocks += joins(text, [n], posting=table(f"{found}_posting", size), span=SPAN)
    return blocks


def _owners(parts: Parts) -> list[str]:
    """The blocks of the parts: an itemset is in the transactions that all have."""
    return [f"a{n}" for n in range(1, len(parts) + 1)]
