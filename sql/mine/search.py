"""Find frequent itemsets level by level, from lists of transactions or from bits.

Level n makes found_n(id, item_1 … item_n, support): one row per itemset that enough transactions
hold, items ascending, ids ascending in the order of the items. `found` stands for the name of the
search. Its working relations begin with that name too. found_cohort_n(id, spot, last) has one row
per itemset and transaction that holds it; spot is one number for the transaction and the first
n - 1 items. found_posting_n(id, block, bits) holds these rows as bits. found_candidate_n(id,
part_1 …, item_1 … item_n) has the itemsets whose every subset is frequent.
Agrawal, Srikant: Fast algorithms for mining association rules, VLDB 1994.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import inverted
from setveil.sql.levels import complete, item, meeting, members, table
from setveil.sql.step import Step, cases, duck, each, joins, term

Parts = tuple[int, ...]  # an itemset of 5 items as one of 3 and one of 2: (3, 2)


def counted_items(found: str, occurrences: exp.Expr, least: int) -> Step:
    """One row per frequent item; its id is the item's number."""
    query = duck(
        """
        SELECT CAST(o.item AS BIGINT) AS id, o.item AS item_1, COUNT(*) AS support
        FROM $occurrences AS o GROUP BY o.item HAVING COUNT(*) >= $least ORDER BY id
        """,
        occurrences=occurrences,
        least=least,
    )
    return Step(
        f"{found}_1", "each row is an item that is frequent by itself, with its support", query
    )


def occurring(found: str, occurrences: exp.Expr) -> Step:
    """One row per transaction and frequent item it holds."""
    query = duck(
        """
        SELECT f.id AS id, CAST(o.tid AS BIGINT) AS spot, o.item AS last
        FROM $occurrences AS o JOIN $frequent AS f ON f.id = o.item
        ORDER BY spot, last
        """,
        occurrences=occurrences,
        frequent=table(found, 1),
    )
    return Step(
        f"{found}_cohort_1",
        "each row is an occurrence of a frequent item: other items are in no frequent itemset",
        query,
    )


def meetings(found: str) -> Step:
    """One row: the number of pairs of frequent items, over all transactions."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(held * (held - 1) // 2), 0) AS BIGINT) AS meetings
        FROM (SELECT spot, COUNT(*) AS held FROM $cohort GROUP BY spot) AS counted
        """,
        cohort=table(f"{found}_cohort", 1),
    )
    return Step(
        f"{found}_prospects_2",
        "counts pairs of frequent items over all transactions: the size of the next level",
        query,
    )


def prospects(found: str, level: int) -> Step:
    """One row: a bound for the itemsets of this size, from the itemsets with one item less.

    `candidates` are pairs that differ in their last item; `held` sums the supports of the smaller
    itemsets. `meetings` estimates the rows of candidates for independent items, times 200.
    """
    known = level - 1
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(s.members * (s.members - 1) // 2), 0) AS BIGINT) AS candidates,
            CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
            CAST(COALESCE(SUM(s.held * (s.others // s.places)), 0) AS BIGINT) AS meetings
        FROM (
            SELECT g.members AS members, g.held AS held,
                100 * g.held * (g.members - 1) AS others, g.members * p.support AS places
            FROM (
                SELECT COUNT(*) AS members, CAST(SUM(f.support) AS BIGINT) AS held, $shared
                FROM $frequent AS f
                GROUP BY $shared
            ) AS g
            JOIN $prefix AS p ON $same
        ) AS s
        """,
        shared=members(known - 1, "f"),
        frequent=table(found, known),
        prefix=table(found, known - 1),
        same=each("g.item_{n} = p.item_{n}", range(1, known)),
    )
    return Step(
        f"{found}_prospects_{level}",
        "estimates the size of the next level, which decides between lists and bits",
        query,
    )


# From lists of transactions


def cohorts(found: str, level: int, items: int, tids: int) -> Step:
    """One row per frequent itemset of this size and transaction that holds it."""
    query = duck(
        """
        SELECT frequent.id AS id, cohort.id * $tids + LOW(cohort.spot, $tids) AS spot,
            added.last AS last
        FROM $cohort AS cohort
        JOIN $cohort AS added ON added.spot = cohort.spot AND added.last > cohort.last
        JOIN $frequent AS frequent ON frequent.met = cohort.id * $items + added.last
        """,
        cohort=table(f"{found}_cohort", level - 1),
        frequent=_met(found, level, items),
        tids=tids,
        items=items,
    )
    return Step(
        f"{found}_cohort_{level}",
        "each row is a frequent itemset and a transaction that holds it",
        query,
    )


def _met(found: str, level: int, items: int) -> exp.Select:
    """One row per frequent itemset: its id, and the packed key of `counted_in_lists`."""
    return duck(
        """
        SELECT frequent.id AS id, prefix.id * $items + frequent.$last AS met
        FROM $frequent AS frequent JOIN $prefix AS prefix ON $same
        """,
        items=items,
        last=item(level),
        frequent=table(found, level),
        prefix=table(found, level - 1),
        same=each("prefix.item_{n} = frequent.item_{n}", range(1, level)),
    )


def counted_in_lists(found: str, level: int, items: int, least: int) -> Step:
    """One row per frequent itemset of this size.

    One number packs an itemset and one more item: to group by it is twice as fast as by two.
    """
    known = level - 1
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY joined.met) AS id, joined.support AS support, $members,
            CAST(LOW(joined.met, $items) AS INT) AS $last
        FROM (
            SELECT cohort.id * $items + added.last AS met, COUNT(*) AS support
            FROM $cohort AS cohort JOIN $cohort AS added ON added.spot = cohort.spot
                AND added.last > cohort.last
            GROUP BY cohort.id * $items + added.last HAVING COUNT(*) >= $least
        ) AS joined
        JOIN $frequent AS prefix ON prefix.id = HIGH(joined.met, $items)
        ORDER BY id
        """,
        members=members(known, "prefix"),
        items=items,
        last=item(level),
        cohort=table(f"{found}_cohort", known),
        least=least,
        frequent=table(found, known),
    )
    return Step(
        f"{found}_{level}",
        f"each row is a frequent itemset of {level} items; its support is counted from lists",
        query,
    )


# From bits


def posted_items(found: str, width: int) -> Step:
    """One row per frequent item and block of `width` transactions that holds it."""
    rows = duck("SELECT id, spot AS tid FROM $cohort", cohort=table(f"{found}_cohort", 1))
    why = "each row is a frequent item and a block of bits: one bit per transaction that holds it"
    return inverted.postings(f"{found}_posting_1", width, rows.subquery(), why)


def posted(found: str, level: int, parts: Parts) -> Step:
    """One row per frequent itemset of this size and block that holds it."""
    query = duck(
        """
        SELECT c.id AS id, a1.block AS block, $bits AS bits
        FROM (SELECT $parts, c.id AS id FROM $frequent AS c JOIN $sides) AS c
        JOIN $postings
        WHERE BIT_COUNT($bits) > 0
        """,
        bits=_common(parts),
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


def counted_in_bits(found: str, level: int, parts: Parts, least: int) -> Step:
    """One row per frequent itemset of this size, counted where the bits of its parts meet."""
    query = duck(
        """
        SELECT c.id AS id, m.support AS support, $members
        FROM (
            SELECT c.id AS id, CAST(SUM(BIT_COUNT($bits)) AS BIGINT) AS support
            FROM $candidate AS c
            JOIN $postings
            GROUP BY c.id
            HAVING SUM(BIT_COUNT($bits)) >= $least
        ) AS m
        JOIN $candidate AS c ON c.id = m.id
        ORDER BY id
        """,
        members=members(level, "c"),
        bits=_common(parts),
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


def _common(parts: Parts) -> exp.Expr:
    """The transactions of a block that hold all parts."""
    return term("a1.bits" + cases(" & a{n}.bits", range(2, len(parts) + 1)))
