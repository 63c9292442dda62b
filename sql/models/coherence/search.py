"""Find minimal moles level by level: public itemsets that are rare or reveal a private item.

The cohort of an itemset is the transactions that hold it. Level n makes counted_n(id, parent,
sibling, item_1 … item_n, support): the itemsets that some transaction holds and whose every subset
is extendible. It makes link_n(id, item, hits): private items with an upper bound of their support
in the cohort, exact wherever it could be a breach. It makes judged_n, which adds a verdict:
0 extendible, 1 rare, 2 revealing. `h` is the fraction num / den.
Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication, KDD 2008, Figure 4.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from setveil.sql.levels import complete, item, joinable, meeting, members, subsets, table
from setveil.sql.step import Step, duck, each, joins, term

EXTENDIBLE, RARE, REVEALING = 0, 1, 2


def cohort(level: int) -> str | exp.Select:
    """The relation (id, tid) of itemsets and their transactions; for items the occurrences."""
    if level > 1:
        return table("cohort", level)
    return duck("SELECT CAST(item AS BIGINT) AS id, tid FROM extension")


def unbearable(h: Fraction) -> Step:
    """One row per private item that breaks the promise even if no public item is released."""
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name, i.support AS support, t.transactions AS transactions
        FROM item AS i
        JOIN private_item AS r ON r.item = i.item
        CROSS JOIN (SELECT COUNT(*) AS transactions FROM basket) AS t
        WHERE i.support * $den > $num * t.transactions
        ORDER BY support DESC, name
        """,
        num=h.numerator,
        den=h.denominator,
    )
    return Step(
        "unbearable",
        "lists private items in more than a share h of all transactions: no release could hold",
        query,
    )


def counted_items() -> Step:
    """One row per public item: the itemsets of one item, numbered as the item is."""
    query = duck(
        """
        SELECT CAST(i.item AS BIGINT) AS id, i.item AS item_1, i.support AS support
        FROM item AS i JOIN public_item AS r ON r.item = i.item
        ORDER BY id
        """
    )
    return Step(
        "counted_1",
        "each row is a public item with its support: an attacker may know one item",
        query,
    )


def candidates(level: int) -> Step:
    """One row per itemset whose every subset is extendible, whether it occurs or not."""
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY $members, q.$before) AS id, p.id AS parent,
            q.id AS sibling, $members, q.$before AS $last
        FROM $known AS p JOIN $known AS q ON $meeting
        WHERE $complete
        ORDER BY $order
        """,
        members=members(level - 1, "p"),
        before=item(level - 1),
        last=item(level),
        known=table("judged", level - 1),
        meeting=meeting(level),
        complete=complete("judged", level, _extendible),
        order=each("item_{n}", range(1, level + 1)),
    )
    return Step(
        f"candidate_{level}",
        f"each row is an itemset of {level} public items whose every subset is extendible: no mole",
        query,
    )


def prospects(level: int) -> Step:
    """One row: a bound for the number of candidates of this size."""
    prefix = each("r.item_{n}", range(1, level - 1))
    query = joinable(table("judged", level - 1), prefix, _extendible)
    return Step(
        f"prospects_{level}",
        f"bounds the number of itemsets of {level} items: the run refuses a relation too large",
        query,
    )


def found(level: int) -> Step:
    """One row: the number of minimal moles of this size."""
    query = duck(
        "SELECT COUNT(*) AS moles FROM $judged AS j WHERE j.verdict > 0",
        judged=table("judged", level),
    )
    return Step(
        f"found_{level}",
        f"counts the minimal moles of {level} items, which setveil must read into memory",
        query,
    )


def _extendible(owner: str) -> list[exp.Expr]:
    return [term(f"{owner}.verdict = $extendible", extendible=EXTENDIBLE)]


# Cohorts as lists of transactions


def counted_pairs(items: int) -> Step:
    """One row per pair of extendible items that some transaction holds.

    One number stands for a pair: to group by it is twice as fast as to group by two.
    """
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY pair) AS BIGINT) AS id,
            HIGH(pair, $items) AS parent,
            LOW(pair, $items) AS sibling,
            CAST(HIGH(pair, $items) AS INT) AS item_1,
            CAST(LOW(pair, $items) AS INT) AS item_2,
            support
        FROM (
            SELECT CAST(a.item AS BIGINT) * $items + b.item AS pair, COUNT(*) AS support
            FROM extension AS a JOIN extension AS b ON b.tid = a.tid AND b.item > a.item
            GROUP BY CAST(a.item AS BIGINT) * $items + b.item
        ) AS paired
        """,
        items=items,
    )
    return Step(
        "counted_2",
        "each row is a pair of public items that some transaction holds, with its support",
        query,
    )


def counted_in_lists(level: int, items: int) -> Step:
    """One row per itemset that some transaction holds and whose every subset is extendible.

    Smaller itemsets are joined with one more item and counted; itemsets that contain a mole are
    left out afterwards.
    """
    known = level - 1
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY m.pair) AS id, p.id AS parent, q.id AS sibling,
            m.support AS support, $members, q.$before AS $last
        FROM (
            SELECT h.id * $items + x.item AS pair, COUNT(*) AS support
            FROM $cohort AS h
            JOIN $judged AS j ON j.id = h.id
            JOIN extension AS x ON x.tid = h.tid AND x.item > j.$before
            WHERE j.verdict = 0
            GROUP BY h.id * $items + x.item
        ) AS m
        JOIN $judged AS p ON p.id = HIGH(m.pair, $items)
        JOIN $judged AS q ON $same AND q.$before = CAST(LOW(m.pair, $items) AS INT)
        WHERE q.verdict = 0 AND $subsets
        ORDER BY id
        """,
        members=members(known, "p"),
        before=item(known),
        last=item(level),
        items=items,
        cohort=cohort(known),
        judged=table("judged", known),
        same=each("q.item_{n} = p.item_{n}", range(1, known)),
        subsets=subsets("judged", level, _extendible),
    )
    return Step(
        f"counted_{level}",
        f"each row is an itemset of {level} public items with its support, counted from lists",
        query,
    )


def holders(level: int, k: int, *, ordered: bool = False) -> exp.Select:
    """One row per itemset with enough support and transaction that holds it."""
    return duck(
        """
        SELECT c.id AS id, h.tid AS tid
        FROM $cohort AS h
        JOIN extension AS x ON x.tid = h.tid
        JOIN $counted AS c ON c.parent = h.id AND c.$last = x.item
        WHERE c.support >= $k
        ORDER BY $order
        """,
        cohort=cohort(level - 1),
        counted=table("counted", level),
        last=item(level),
        k=k,
        order=[term("id")] if ordered else [],
    )


def cohorts(level: int, k: int, *, ordered: bool) -> Step:
    """One row per itemset and transaction of its cohort; ordered where sorting pays."""
    why = "each row is an itemset and a transaction of its cohort: all that hold it"
    return Step(f"cohort_{level}", why, holders(level, k, ordered=ordered))


def links_in_lists(level: int, cohort: str | exp.Expr, items: int, h: Fraction, k: int) -> Step:
    """One row per itemset and private item with more than h·k hits in its cohort: exact."""
    query = duck(
        """
        SELECT HIGH(pair, $items) AS id,
            CAST(LOW(pair, $items) AS INT) AS item, hits
        FROM (
            SELECT h.id * $items + s.item AS pair, COUNT(*) AS hits
            FROM $cohort AS h JOIN secret AS s ON s.tid = h.tid
            GROUP BY h.id * $items + s.item
            HAVING COUNT(*) * $den > $num * $k
        ) AS met
        """,
        cohort=cohort,
        items=items,
        num=h.numerator,
        den=h.denominator,
        k=k,
    )
    return Step(
        f"link_{level}",
        "each row is an itemset and a private item that part of its cohort holds, with its hits",
        query,
    )


def links_within_bounds(level: int, cohort: str | exp.Expr, items: int) -> Step:
    """One row per itemset and private item that its bound does not rule out: exact."""
    query = duck(
        """
        SELECT HIGH(pair, $items) AS id,
            CAST(LOW(pair, $items) AS INT) AS item, hits
        FROM (
            SELECT b.id * $items + b.item AS pair, COUNT(*) AS hits
            FROM $cohort AS h
            JOIN $bound AS b ON b.id = h.id
            JOIN secret AS s ON s.tid = h.tid AND s.item = b.item
            GROUP BY b.id * $items + b.item
        ) AS met
        """,
        cohort=cohort,
        bound=table("bound", level),
        items=items,
    )
    return Step(
        f"link_{level}",
        "each row is an itemset and a private item that part of its cohort holds, with its hits",
        query,
    )


# Cohorts as bits


def intersections(level: int) -> Step:
    """One row per candidate and block that both its prefix and its last item have."""
    query = duck(
        """
        SELECT c.id AS id, a.block AS block, a.bits & b.bits AS bits
        FROM $candidate AS c
        JOIN $prefix AS a ON a.id = c.parent
        JOIN posting_1 AS b ON b.id = c.$last AND b.block = a.block
        """,
        candidate=table("candidate", level),
        prefix=table("posting", level - 1),
        last=item(level),
    )
    return Step(
        f"posting_{level}",
        "each row is an itemset and a block of bits: one bit per transaction of its cohort",
        query,
    )


def counted_in_bits(level: int, *, kept: bool) -> Step:
    """One row per candidate that some transaction holds. The last level keeps no cohorts."""
    if kept:
        counts = duck(
            """
            SELECT id, CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
            FROM $posting GROUP BY id HAVING SUM(BIT_COUNT(bits)) > 0
            """,
            posting=table("posting", level),
        )
    else:
        counts = duck(
            """
            SELECT c.id AS id, CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS support
            FROM $candidate AS c
            JOIN $prefix AS a ON a.id = c.parent
            JOIN posting_1 AS b ON b.id = c.$last AND b.block = a.block
            GROUP BY c.id HAVING SUM(BIT_COUNT(a.bits & b.bits)) > 0
            """,
            candidate=table("candidate", level),
            prefix=table("posting", level - 1),
            last=item(level),
        )
    why = f"each row is an itemset of {level} public items with its support, counted from bits"
    return Step(f"counted_{level}", why, _counted(level, counts))


def bounds(level: int, h: Fraction, k: int, *, last: bool) -> Step:
    """One row per itemset and private item that two of its subsets do not rule out.

    A private item has at most as many hits in a cohort as in the cohort of any subset. A link that
    could reveal the item only in a superset is kept, unless this level is the last.
    """
    enough = term("c.support") if last else k
    query = duck(
        """
        SELECT c.id AS id, c.support AS support, c.parent AS parent, c.$last AS last,
            a.item AS item, LEAST(a.hits, b.hits) AS hits
        FROM $counted AS c
        JOIN $link AS a ON a.id = c.parent
        JOIN $link AS b ON b.id = c.sibling AND b.item = a.item
        WHERE c.support >= $k AND LEAST(a.hits, b.hits) * $den > $num * $enough
        """,
        enough=enough,
        counted=table("counted", level),
        link=table("link", level - 1),
        last=item(level),
        num=h.numerator,
        den=h.denominator,
        k=k,
    )
    return Step(
        f"bound_{level}",
        "each row is an itemset and a private item, with a bound of hits from two of its subsets",
        query,
    )


def exact_hits(level: int, h: Fraction, *, kept: bool, every: bool) -> Step:
    """One row per itemset and private item whose bound is a breach; with `every`, for all."""
    breach = [] if every else [_above("b.hits", "b.support", h)]
    if kept:
        query = duck(
            """
            SELECT b.id AS id, b.item AS item,
                CAST(SUM(BIT_COUNT(a.bits & s.bits)) AS BIGINT) AS hits
            FROM $bound AS b
            JOIN $posting AS a ON a.id = b.id
            JOIN secret_posting AS s ON s.id = b.item AND s.block = a.block
            WHERE $breach
            GROUP BY b.id, b.item
            """,
            bound=table("bound", level),
            posting=table("posting", level),
            breach=breach,
        )
    else:
        query = duck(
            """
            SELECT b.id AS id, b.item AS item,
                CAST(SUM(BIT_COUNT(a.bits & x.bits & s.bits)) AS BIGINT) AS hits
            FROM $bound AS b
            JOIN $prefix AS a ON a.id = b.parent
            JOIN posting_1 AS x ON x.id = b.last AND x.block = a.block
            JOIN secret_posting AS s ON s.id = b.item AND s.block = a.block
            WHERE $breach
            GROUP BY b.id, b.item
            """,
            bound=table("bound", level),
            prefix=table("posting", level - 1),
            breach=breach,
        )
    return Step(
        f"exact_{level}",
        "each row is an itemset and a private item whose bound could be a breach, with exact hits",
        query,
    )


def links_in_bits(level: int) -> Step:
    """One row per itemset and private item: its hits in the cohort, or their bound."""
    query = duck(
        """
        SELECT b.id AS id, b.item AS item, COALESCE(e.hits, b.hits) AS hits
        FROM $bound AS b LEFT JOIN $exact AS e ON e.id = b.id AND e.item = b.item
        """,
        bound=table("bound", level),
        exact=table("exact", level),
    )
    return Step(
        f"link_{level}",
        "each row is an itemset and a private item with its hits: exact if they could be a breach",
        query,
    )


def _counted(level: int, counts: exp.Select) -> exp.Select:
    return duck(
        """
        SELECT c.id AS id, c.parent AS parent, c.sibling AS sibling, n.support AS support, $members
        FROM $candidate AS c JOIN $counts AS n ON n.id = c.id
        ORDER BY id
        """,
        members=members(level, "c"),
        candidate=table("candidate", level),
        counts=counts,
    )


# Both forms of cohorts


def judged(level: int, h: Fraction, k: int, *, private: bool) -> Step:
    """One row per counted itemset, with its verdict: 0 extendible, 1 rare, 2 revealing."""
    revealing = """
        CASE WHEN c.support < $k THEN $rare WHEN r.id IS NULL THEN $extendible ELSE $revealing END
        """
    verdict = revealing if private else "CASE WHEN c.support < $k THEN $rare ELSE $extendible END"
    join = "LEFT JOIN $revealed AS r ON r.id = c.id"
    query = duck(
        """
        SELECT c.id AS id, c.support AS support, $verdict AS verdict, $members
        FROM $counted AS c JOIN $revealed
        """,
        verdict=term(verdict, k=k, extendible=EXTENDIBLE, rare=RARE, revealing=REVEALING),
        members=members(level, "c"),
        counted=table("counted", level),
        revealed=joins(join, [level], revealed=_revealing(level, h)) if private else [],
    )
    return Step(
        f"judged_{level}",
        "each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing",
        query,
    )


def _revealing(level: int, h: Fraction) -> exp.Select:
    """The itemsets with a private item in more than a share h of their cohort."""
    return duck(
        """
        SELECT DISTINCT c.id AS id FROM $counted AS c JOIN $link AS l ON l.id = c.id
        WHERE $above
        """,
        counted=table("counted", level),
        link=table("link", level),
        above=_above("l.hits", "c.support", h),
    )


def _above(hits: str, support: str, h: Fraction) -> exp.Expr:
    """The exact condition hits / support > h, in whole numbers."""
    return term(
        "$hits * $den > $num * $support",
        hits=term(hits),
        support=term(support),
        num=h.numerator,
        den=h.denominator,
    )


def moles(level: int) -> Step:
    """One row per minimal mole of this size, in the order of its items, with its verdict."""
    query = duck(
        """
        SELECT $members, j.verdict AS verdict FROM $judged AS j
        WHERE j.verdict > $extendible
        ORDER BY $order
        """,
        members=members(level, "j"),
        judged=table("judged", level),
        extendible=EXTENDIBLE,
        order=each("j.item_{n}", range(1, level + 1)),
    )
    return Step(
        f"moles_{level}",
        f"lists the minimal moles of size {level}: one item of each must be suppressed",
        query,
    )
