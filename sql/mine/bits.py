"""Count frequent itemsets by bits: blocks of transactions, where two halves of an itemset meet.

found_posting_n(id, block, bits) has the blocks of itemsets of n items, found_candidate_n the
itemsets whose every subset is frequent; the other relations are those of `search.py`.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import inverted
from setveil.sql.inverted import Blocks
from setveil.sql.levels import complete, item, meeting, members, table
from setveil.sql.step import Step, duck, each, joins

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
    """One row per frequent itemset of this size and block that holds it."""
    query = duck(
        """
        SELECT c.id AS id, a1.block AS block, $bits
        FROM (SELECT $parts, c.id AS id FROM $frequent AS c JOIN $sides) AS c
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
        "each row is a frequent itemset and a block of bits: one bit per transaction that holds it",
        query,
    )


def candidates(found: str, level: int, parts: Parts) -> Step:
    """One row per itemset whose every subset is frequent, with the ids of its parts."""
    query = duck(
        """
        SELECT $parts, ROW_NUMBER() OVER (ORDER BY $members) AS id, $members
        FROM $joined AS c JOIN $sides
        ORDER BY id
        """,
        parts=_parts(parts),
        members=members(level, "c"),
        joined=_joined(found, level),
        sides=_sides(found, parts),
    )
    return Step(
        f"{found}_candidate_{level}",
        f"each row is an itemset of {level} items whose every subset is frequent",
        query,
    )


def possible(found: str, level: int) -> Step:
    """One row: the number of itemsets with frequent subsets only."""
    query = duck("SELECT COUNT(*) AS itemsets FROM $joined AS j", joined=_joined(found, level))
    return Step(
        f"{found}_possible_{level}",
        f"counts the itemsets of {level} items whose every subset is frequent, before "
        "they are made",
        query,
    )


def counted_in_bits(found: str, level: int, parts: Parts, blocks: Blocks, least: int) -> Step:
    """One row per frequent itemset of this size, counted where the bits of its parts meet."""
    query = duck(
        """
        SELECT c.id AS id, m.support AS support, $members
        FROM (
            SELECT c.id AS id, CAST(SUM($number) AS BIGINT) AS support
            FROM $candidate AS c
            JOIN $postings
            GROUP BY c.id
            HAVING SUM($number) >= $least
        ) AS m
        JOIN $candidate AS c ON c.id = m.id
        ORDER BY id
        """,
        members=members(level, "c"),
        number=blocks.number(*_owners(parts)),
        candidate=table(f"{found}_candidate", level),
        postings=_postings(found, parts),
        least=least,
    )
    return Step(
        f"{found}_{level}",
        f"each row is a frequent itemset of {level} items; its support is counted from bits",
        query,
    )


def none(found: str, level: int) -> Step:
    """No row: every itemset of this size has a rare subset."""
    query = duck(
        "SELECT CAST(0 AS BIGINT) AS id, CAST(0 AS BIGINT) AS support, $items WHERE FALSE",
        items=each("CAST(0 AS INT) AS item_{n}", range(1, level + 1)),
    )
    return Step(
        f"{found}_{level}",
        f"has no row: every itemset of {level} items has a subset that is not frequent",
        query,
    )


def _joined(found: str, level: int) -> exp.Select:
    """The itemsets of this size whose every subset is frequent."""
    return duck(
        """
        SELECT $members, sibling.$before AS $last
        FROM $known AS prefix JOIN $known AS sibling ON $meeting
        WHERE $complete
        """,
        members=members(level - 1, "prefix"),
        before=item(level - 1),
        last=item(level),
        known=table(found, level - 1),
        meeting=meeting(level),
        complete=complete(found, level),
    )


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
    """The blocks a1, a2, … of the parts of an itemset `c`, where all parts have a block."""
    blocks = []
    for n, size in enumerate(parts, 1):
        same = each("a{n}.block = a1.block", [n] if n > 1 else [])
        text = "JOIN $posting AS a{n} ON a{n}.id = c.part_{n} AND $same"
        blocks += joins(text, [n], posting=table(f"{found}_posting", size), same=same)
    return blocks


def _owners(parts: Parts) -> list[str]:
    """The blocks of the parts: an itemset is in the transactions that all have."""
    return [f"a{n}" for n in range(1, len(parts) + 1)]
