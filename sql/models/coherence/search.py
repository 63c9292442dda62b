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

from setveil.sql import inverted
from setveil.sql.inverted import Blocks
from setveil.sql.levels import complete, item, joinable, meeting, members, subsets, table
from setveil.sql.step import Step, duck, each, joins, shown, term

EXTENDIBLE, RARE, REVEALING = 0, 1, 2


def cohort(level: int) -> str | exp.Select:
    """The relation (id, tid) of itemsets and their transactions; for items the occurrences."""
    if level > 1:
        return table("cohort", level)
    return duck("SELECT CAST(item AS BIGINT) AS id, tid FROM extension")


def unbearable(h: Fraction, persons: int | None = None) -> Step:
    """One row per private item that breaks the promise even if no public item is released.

    With a number of `persons`, an item that too many of them have breaks it too.
    """
    share = {"num": h.numerator, "den": h.denominator}
    above = term("i.support * $den > $num * t.transactions", **share)
    if persons is not None:
        of_persons = term("i.persons * $den > $floor", floor=h.numerator * persons, **share)
        above = exp.or_(above, of_persons)
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name, i.support AS support, t.transactions AS transactions,
            $persons
        FROM item AS i
        JOIN private_item AS r ON r.item = i.item
        CROSS JOIN (SELECT COUNT(*) AS transactions FROM basket) AS t
        WHERE $above
        ORDER BY support DESC, name
        """,
        persons=[] if persons is None else [shown("i.persons AS persons")],
        above=[above],
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
        SELECT ROW_NUMBER() OVER (ORDER BY $members, sibling.$before) AS id, prefix.id AS parent,
            sibling.id AS sibling, $members, sibling.$before AS $last
        FROM $known AS prefix JOIN $known AS sibling ON $meeting
        WHERE $complete
        ORDER BY $order
        """,
        members=members(level - 1, "prefix"),
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


def counted_pairs(items: int, *, last: bool = False) -> Step:
    """One row per pair of extendible items that some transaction holds.

    One number stands for a pair: to group by it is twice as fast as to group by two. If pairs are
    the last level, it serves as their id.
    """
    query = duck(
        """
        SELECT $id AS id,
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
        id=term("pair" if last else "CAST(ROW_NUMBER() OVER (ORDER BY pair) AS BIGINT)"),
        items=items,
    )
    return Step(
        "counted_2",
        "each row is a pair of public items that some transaction holds, with its support",
        query,
    )


def counted_in_lists(
    level: int, items: int, *, last: bool = False, part: int = 0, parts: int = 1
) -> Step:
    """One row per itemset that some transaction holds and whose every subset is extendible.

    Smaller itemsets are joined with one more item and counted; itemsets that contain a mole are
    left out afterwards. At the last level no itemset grows from these, and the number that packs an
    itemset serves as its id: they need no order, and can be counted in parts.
    """
    known = level - 1
    # A sibling is looked up by one number of columns of both relations before it. Otherwise all
    # pairs of siblings could be listed first, which are many more.
    query = duck(
        """
        SELECT $id AS id, prefix.id AS parent, sibling.id AS sibling,
            joined.support AS support, $members, sibling.$before AS $last
        FROM (
            SELECT cohort.id * $items + added.item AS pair, COUNT(*) AS support
            FROM $cohort AS cohort
            JOIN $judged AS judged ON judged.id = cohort.id
            JOIN extension AS added ON added.tid = cohort.tid AND added.item > judged.$before
            WHERE judged.verdict = 0 AND $of_part
            GROUP BY cohort.id * $items + added.item
        ) AS joined
        JOIN $judged AS prefix ON prefix.id = HIGH(joined.pair, $items)
        JOIN $judged AS sibling ON $same AND CAST(sibling.item_1 AS BIGINT) * $items
            + sibling.$before = CAST(prefix.item_1 AS BIGINT) * $items + LOW(joined.pair, $items)
        WHERE sibling.verdict = 0 AND $subsets
        ORDER BY $order
        """,
        id=term("joined.pair") if last else term("ROW_NUMBER() OVER (ORDER BY joined.pair)"),
        members=members(known, "prefix"),
        before=item(known),
        last=item(level),
        items=items,
        cohort=cohort(known),
        judged=table("judged", known),
        of_part=[term("LOW(cohort.id, $parts) = $part", parts=parts, part=part)] if last else [],
        same=each("sibling.item_{n} = prefix.item_{n}", range(2, known)),
        subsets=subsets("judged", level, _extendible),
        order=[] if last else [term("id")],
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
        SELECT counted.id AS id, prefix.tid AS tid
        FROM $cohort AS prefix
        JOIN extension AS added ON added.tid = prefix.tid
        JOIN $counted AS counted ON counted.parent = prefix.id AND counted.$last = added.item
        WHERE counted.support >= $k
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
            SELECT cohort.id * $items + secret.item AS pair, COUNT(*) AS hits
            FROM $cohort AS cohort JOIN secret AS secret ON secret.tid = cohort.tid
            GROUP BY cohort.id * $items + secret.item
            HAVING COUNT(*) * $den > $floor
        ) AS met
        """,
        cohort=cohort,
        items=items,
        floor=h.numerator * k,
        den=h.denominator,
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
            SELECT bound.id * $items + bound.item AS pair, COUNT(*) AS hits
            FROM $cohort AS cohort
            JOIN $bound AS bound ON bound.id = cohort.id
            JOIN secret AS secret ON secret.tid = cohort.tid AND secret.item = bound.item
            GROUP BY bound.id * $items + bound.item
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


def side_by_side(items: int) -> Step:
    """One row per transaction with an extendible item: its place among transactions alike."""
    rows = duck(
        """
        SELECT x.tid AS tid, ranked.rank AS rank
        FROM extension AS x
        JOIN (
            SELECT id, ROW_NUMBER() OVER (ORDER BY support, id) - 1 AS rank
            FROM judged_1 WHERE verdict = 0
        ) AS ranked ON ranked.id = x.item
        """
    )
    return inverted.side_by_side("place", rows.subquery(), items)


def at_places(rows: str | exp.Select, *, moved: bool) -> exp.Expr:
    """Rows (id, tid) with the places of transactions for their numbers, if they are `moved`."""
    if not moved:
        return exp.to_table(rows) if isinstance(rows, str) else rows.subquery()
    query = duck(
        """
        SELECT r.id AS id, place.place AS tid
        FROM $rows AS r JOIN place AS place ON place.tid = r.tid
        """,
        rows=rows,
    )
    return query.subquery()


def intersections(level: int, blocks: Blocks) -> Step:
    """One row per candidate and block with a transaction that holds it."""
    query = duck(
        """
        SELECT candidate.id AS id, prefix.block AS block, $bits
        FROM $candidate AS candidate
        JOIN $prefix AS prefix ON prefix.id = candidate.parent
        JOIN posting_1 AS added ON $added
        WHERE $met
        """,
        bits=blocks.common("prefix", "added"),
        met=blocks.met("prefix", "added"),
        candidate=table("candidate", level),
        prefix=table("posting", level - 1),
        added=blocks.at("added", f"candidate.{item(level)}", "prefix.block"),
    )
    return Step(
        f"posting_{level}",
        "each row is an itemset and a block of bits: one bit per transaction of its cohort",
        query,
    )


def counted_in_bits(level: int, blocks: Blocks, *, kept: bool) -> Step:
    """One row per candidate that some transaction holds. The last level keeps no cohorts."""
    if kept:
        counts = duck(
            """
            SELECT p.id AS id, CAST(SUM($number) AS BIGINT) AS support
            FROM $posting AS p GROUP BY p.id
            """,
            number=blocks.number("p"),
            posting=table("posting", level),
        )
    else:
        counts = duck(
            """
            SELECT candidate.id AS id, CAST(SUM($number) AS BIGINT) AS support
            FROM $candidate AS candidate
            JOIN $prefix AS prefix ON prefix.id = candidate.parent
            JOIN posting_1 AS added ON $added
            GROUP BY candidate.id HAVING SUM($number) > 0
            """,
            number=blocks.number("prefix", "added"),
            candidate=table("candidate", level),
            prefix=table("posting", level - 1),
            added=blocks.at("added", f"candidate.{item(level)}", "prefix.block"),
        )
    why = f"each row is an itemset of {level} public items with its support, counted from bits"
    return Step(f"counted_{level}", why, _counted(level, counts))


def bounds(level: int, h: Fraction, k: int, *, last: bool, persons: bool = False) -> Step:
    """One row per itemset and private item that two of its subsets do not rule out.

    A private item has at most as many hits in a cohort as in the cohort of any subset. A link that
    could reveal the item only in a superset, or of `persons`, is kept; others only if this level is
    not the last.
    """
    of_support = term("$num * counted.support", num=h.numerator)
    query = duck(
        """
        SELECT counted.id AS id, counted.support AS support, counted.parent AS parent,
            counted.$last AS last,
            of_parent.item AS item, LEAST(of_parent.hits, of_sibling.hits) AS hits
        FROM $counted AS counted
        JOIN $link AS of_parent ON of_parent.id = counted.parent
        JOIN $link AS of_sibling ON of_sibling.id = counted.sibling
            AND of_sibling.item = of_parent.item
        WHERE counted.support >= $k
            AND LEAST(of_parent.hits, of_sibling.hits) * $den > $floor
        """,
        counted=table("counted", level),
        link=table("link", level - 1),
        last=item(level),
        floor=of_support if last and not persons else h.numerator * k,
        den=h.denominator,
        k=k,
    )
    return Step(
        f"bound_{level}",
        "each row is an itemset and a private item, with a bound of hits from two of its subsets",
        query,
    )


def exact_hits(level: int, h: Fraction, blocks: Blocks, *, kept: bool, every: bool) -> Step:
    """One row per itemset and private item whose bound is a breach; with `every`, for all."""
    breach = [] if every else [_above("bound.hits", "bound.support", h)]
    secret = blocks.at("secret", "bound.item", "cohort.block")
    if kept:
        query = duck(
            """
            SELECT bound.id AS id, bound.item AS item,
                CAST(SUM($number) AS BIGINT) AS hits
            FROM $bound AS bound
            JOIN $posting AS cohort ON cohort.id = bound.id
            JOIN secret_posting AS secret ON $secret
            WHERE $breach
            GROUP BY bound.id, bound.item
            """,
            number=blocks.number("cohort", "secret"),
            secret=secret,
            bound=table("bound", level),
            posting=table("posting", level),
            breach=breach,
        )
    else:
        query = duck(
            """
            SELECT bound.id AS id, bound.item AS item,
                CAST(SUM($number) AS BIGINT) AS hits
            FROM $bound AS bound
            JOIN $prefix AS cohort ON cohort.id = bound.parent
            JOIN posting_1 AS added ON $added
            JOIN secret_posting AS secret ON $secret
            WHERE $breach
            GROUP BY bound.id, bound.item
            """,
            number=blocks.number("cohort", "added", "secret"),
            secret=secret,
            added=blocks.at("added", "bound.last", "cohort.block"),
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
        SELECT bound.id AS id, bound.item AS item, COALESCE(exact.hits, bound.hits) AS hits
        FROM $bound AS bound LEFT JOIN $exact AS exact ON exact.id = bound.id
            AND exact.item = bound.item
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
        SELECT candidate.id AS id, candidate.parent AS parent, candidate.sibling AS sibling,
            held.support AS support, $members
        FROM $candidate AS candidate JOIN $counts AS held ON held.id = candidate.id
        ORDER BY id
        """,
        members=members(level, "candidate"),
        candidate=table("candidate", level),
        counts=counts,
    )


# Both forms of cohorts


def judged(level: int, h: Fraction, k: int, *, private: bool, persons: bool = False) -> Step:
    """One row per counted itemset, with its verdict: 0 extendible, 1 rare, 2 revealing.

    With `persons`, an itemset of persons_n is rare below k persons; others surely have k.
    """
    rare = "counted.support < $k"
    if persons:
        rare = "counted.support < $k OR owned.persons < $k"
    verdict = f"CASE WHEN {rare} THEN $rare ELSE $extendible END"
    if private:
        verdict = f"""
            CASE WHEN {rare} THEN $rare
                WHEN revealed.id IS NULL THEN $extendible ELSE $revealing END
            """
    join = "LEFT JOIN $revealed AS revealed ON revealed.id = counted.id"
    owned = "LEFT JOIN $owned AS owned ON owned.id = counted.id"
    query = duck(
        """
        SELECT counted.id AS id, counted.support AS support, $verdict AS verdict, $members
        FROM $counted AS counted JOIN $owned JOIN $revealed
        """,
        owned=joins(owned, [level] if persons else [], owned=table("persons", level)),
        verdict=term(verdict, k=k, extendible=EXTENDIBLE, rare=RARE, revealing=REVEALING),
        members=members(level, "counted"),
        counted=table("counted", level),
        revealed=joins(join, [level], revealed=_revealing(level, h, persons)) if private else [],
    )
    return Step(
        f"judged_{level}",
        "each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing",
        query,
    )


def _revealing(level: int, h: Fraction, persons: bool) -> exp.Select:
    """The itemsets with a private item in more than a share h of their cohort or its persons."""
    of_transactions = duck(
        """
        SELECT DISTINCT counted.id AS id FROM $counted AS counted JOIN $link AS link
            ON link.id = counted.id
        WHERE $above
        """,
        counted=table("counted", level),
        link=table("link", level),
        above=_above("link.hits", "counted.support", h),
    )
    if not persons:
        return of_transactions
    of_persons = duck(
        """
        SELECT reached.id AS id FROM $reached AS reached JOIN $owned AS owned
            ON owned.id = reached.id
        WHERE $above
        """,
        reached=table("reached", level),
        owned=table("persons", level),
        above=_above("reached.persons", "owned.persons", h),
    )
    return duck("SELECT DISTINCT r.id AS id FROM $both AS r", both=[of_transactions, of_persons])


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
