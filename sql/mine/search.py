"""Find frequent itemsets level by level from lists of transactions; `bits.py` counts by bits.

Level n makes found_n(id, item_1 … item_n, support, …): one row per itemset that enough transactions
hold, items ascending, ids ascending in the order of the items; `growth.py` has its other columns.
`found` stands for the name of the search. Its working relations begin with that name too.
found_cohort_n(id, spot, last) has one row
per itemset that may grow and transaction that holds it; last is the place of its most frequent
item, and spot is one number for the transaction and the other items. Items take their places in
found_1, the rarest first.
Agrawal, Srikant: Fast algorithms for mining association rules, VLDB 1994.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.levels import members, table
from setveil.sql.mine import growth
from setveil.sql.step import Step, duck, each, joins, term


def counted_items(found: str, occurrences: exp.Expr, least: int) -> Step:
    """One row per frequent item; its id is the item's number.

    Itemsets grow by items that are more frequent: few itemsets share a rare item, while a frequent
    item would meet most others in most transactions.
    """
    query = duck(
        """
        SELECT CAST(o.item AS BIGINT) AS id, o.item AS item_1, COUNT(*) AS support,
            CAST(ROW_NUMBER() OVER (ORDER BY COUNT(*), o.item) - 1 AS INT) AS place
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
        SELECT f.id AS id, CAST(o.tid AS BIGINT) AS spot, f.place AS last
        FROM $occurrences AS o JOIN $frequent AS f ON f.id = o.item
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


def prospects(found: str, level: int, items: int) -> Step:
    """One row: a bound for the itemsets of this size, from the itemsets with one item less.

    `candidates` are pairs that share all items but the last. `held` sums the supports of the
    smaller itemsets, `places` those of the itemsets before them. `meetings` estimates the rows of
    candidates for independent items, times 200.
    """
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(s.members * (s.members - 1) // 2), 0) AS BIGINT) AS candidates,
            CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
            CAST(COALESCE(SUM(s.held * (s.others // s.places)), 0) AS BIGINT) AS meetings,
            CAST(COALESCE(SUM(s.places), 0) AS BIGINT) AS places
        FROM (
            SELECT g.members AS members, g.held AS held,
                100 * g.held * (g.members - 1) AS others, g.members * p.support AS places
            FROM (
                SELECT COUNT(*) AS members, CAST(SUM(f.support) AS BIGINT) AS held,
                    HIGH(f.met, $items) AS prefix
                FROM $frequent AS f
                GROUP BY HIGH(f.met, $items)
            ) AS g
            JOIN $prefix AS p ON p.id = g.prefix
        ) AS s
        """,
        items=items,
        frequent=table(found, level - 1),
        prefix=table(found, level - 2),
    )
    return Step(
        f"{found}_prospects_{level}",
        "estimates the size of the next level, which decides between lists and bits",
        query,
    )


# From lists of transactions


def cohorts(found: str, level: int, items: int, tids: int) -> Step:
    """One row per frequent itemset that can meet another, and transaction that holds it."""
    query = duck(
        """
        SELECT frequent.id AS id, cohort.id * $tids + LOW(cohort.spot, $tids) AS spot,
            added.last AS last
        FROM $cohort AS cohort
        JOIN $cohort AS added ON added.spot = cohort.spot AND added.last > cohort.last
        JOIN $frequent AS frequent ON frequent.met = cohort.id * $items + added.last
        """,
        cohort=table(f"{found}_cohort", level - 1),
        frequent=_not_alone(found, level, items),
        tids=tids,
        items=items,
    )
    return Step(
        f"{found}_cohort_{level}",
        "each row is a frequent itemset and a transaction that holds it; itemsets that share no "
        "smaller one with another cannot grow and are left out",
        query,
    )


def _not_alone(found: str, level: int, items: int) -> exp.Select:
    """The frequent itemsets that share with another all items but the most frequent."""
    return duck(
        """
        SELECT f.id AS id, f.met AS met
        FROM $frequent AS f
        JOIN (
            SELECT HIGH(s.met, $items) AS prefix FROM $frequent AS s
            GROUP BY HIGH(s.met, $items) HAVING COUNT(*) > 1
        ) AS shared ON shared.prefix = HIGH(f.met, $items)
        """,
        frequent=table(found, level),
        items=items,
    )


def counted_in_lists(found: str, level: int, items: int, least: int, *, met: bool = False) -> Step:
    """One row per frequent itemset of this size; with `met`, from counts made in parts."""
    known, last = level - 1, "LOW(joined.met, $items)"
    others = growth.others(found, level, items, last)
    # The subset without the item before the last is the sibling of `prefix`, or that item alone.
    sibling, owner = "added.id", "added"
    if level > 2:
        text = "JOIN $known AS sibling ON sibling.met = HIGH(prefix.met, $items) * $items + $last"
        place = term(last, items=items)
        others += joins(text, [1], known=table(found, known), items=items, last=place)
        sibling, owner = "sibling.id", "sibling"
    joined = _meeting(found, level, items, least).subquery()
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY $order) AS id, met.support AS support, met.met AS met,
            met.free AS free, $subsets, $members
        FROM (
            SELECT joined.met AS met, joined.support AS support,
                CASE WHEN joined.support < $bound THEN 1 ELSE 0 END AS free, $other_ids,
                $sibling AS $before, $sorted
            FROM $joined AS joined
            JOIN $frequent AS prefix ON prefix.id = HIGH(joined.met, $items)
            JOIN $single AS added ON added.place = LOW(joined.met, $items)
            JOIN $others
        ) AS met
        ORDER BY id
        """,
        order=each("met.item_{n}", range(1, level + 1)),
        subsets=growth.subsets(level, "met"),
        members=members(level, "met"),
        bound=growth.least(level, "prefix", owner),
        other_ids=each("other_{n}.id AS sub_{n}", range(1, known)),
        sibling=term(sibling),
        before=f"sub_{known}",
        sorted=growth.ascending(level),
        items=items,
        joined=table(f"{found}_met", level) if met else joined,
        frequent=table(found, known),
        single=table(found, 1),
        others=others,
    )
    return Step(
        f"{found}_{level}",
        f"each row is a frequent itemset of {level} items; its support is counted from lists",
        query,
    )


def met_in_lists(found: str, level: int, items: int, least: int, part: int, parts: int) -> Step:
    """One row per frequent itemset, of those whose item before the last is in this part."""
    of_part = [term("LOW(cohort.last, $parts) = $part", parts=parts, part=part)]
    return Step(
        f"{found}_met_{level}",
        "each row is a frequent itemset; counted part by part, since rare ones fill the memory",
        _meeting(found, level, items, least, of_part),
    )


def _meeting(
    found: str, level: int, items: int, least: int, of_part: Sequence[exp.Expr] = ()
) -> exp.Select:
    """One row per frequent itemset: `met` packs the itemset before it and the place of its last.

    To group by one number is twice as fast as by two.
    """
    return duck(
        """
        SELECT cohort.id * $items + added.last AS met, COUNT(*) AS support
        FROM $cohort AS cohort
        JOIN $cohort AS added ON added.spot = cohort.spot AND added.last > cohort.last
        WHERE $of_part
        GROUP BY cohort.id * $items + added.last HAVING COUNT(*) >= $least
        """,
        cohort=table(f"{found}_cohort", level - 1),
        of_part=of_part,
        items=items,
        least=least,
    )
