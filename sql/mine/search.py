"""Find frequent itemsets level by level, from lists of transactions or from bits.

Level n makes found_n(id, item_1 … item_n, support): one row per itemset that enough transactions
hold, items ascending, ids ascending in the order of the items. `found` stands for the name that
the search was given, and so for its working relations: found_cohort_n(id, spot, last), who holds
each itemset, where spot is one number for a transaction and an itemset's first n - 1 items;
found_posting_n(id, block, bits), the same as bits; found_candidate_n(id, part_1 …, item_1 …
item_n), itemsets whose every subset is frequent.
Agrawal, Srikant: Fast algorithms for mining association rules, VLDB 1994.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import inverted
from setveil.sql.levels import equal, extended, item, members, table
from setveil.sql.step import Step, duck, term

Parts = tuple[int, ...]  # an itemset of 5 items as one of 3 and one of 2: (3, 2)


def counted_items(found: str, occurrences: exp.Expr, least: int) -> Step:
    """One row per frequent item, numbered as the item is."""
    query = duck(
        """
        SELECT CAST(o.item AS BIGINT) AS id, o.item AS item_1, COUNT(*) AS support
        FROM $occurrences AS o GROUP BY o.item HAVING COUNT(*) >= $least ORDER BY id
        """,
        occurrences=occurrences,
        least=least,
    )
    return Step(f"{found}_1", "the items that are frequent by themselves", query)


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
    return Step(f"{found}_cohort_1", "no itemset has an item that is not frequent", query)


def meetings(found: str) -> Step:
    """One row: the pairs of frequent items in all transactions."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(held * (held - 1) // 2), 0) AS BIGINT) AS meetings
        FROM (SELECT spot, COUNT(*) AS held FROM $cohort GROUP BY spot) AS counted
        """,
        cohort=table(f"{found}_cohort", 1),
    )
    return Step(f"{found}_prospects_2", "how large the next level can be", query)


def prospects(found: str, level: int) -> Step:
    """One row: how many itemsets of this size there can be, from those with one item less.

    `candidates` share all but their last item; `held` is the sum of the supports of the smaller
    ones; `meetings` is how often candidates would be met if items were independent, times 200.
    """
    known = level - 1
    shared = [item(n, "f") for n in range(1, known)]
    groups = duck(
        """
        SELECT COUNT(*) AS members, CAST(SUM(f.support) AS BIGINT) AS held FROM $frequent AS f
        """,
        frequent=table(found, known),
    )
    groups = groups.select(*members(known - 1, "f"), copy=False)
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(s.members * (s.members - 1) // 2), 0) AS BIGINT) AS candidates,
            CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
            CAST(COALESCE(SUM(s.held * (s.others // s.places)), 0) AS BIGINT)
                AS meetings
        FROM (
            SELECT g.members AS members, g.held AS held,
                100 * g.held * (g.members - 1) AS others, g.members * p.support AS places
            FROM $groups AS g JOIN $prefix AS p ON $same
        ) AS s
        """,
        groups=groups.group_by(*shared),
        prefix=table(found, known - 1),
        same=exp.and_(*[equal(item(n, "g"), item(n, "p")) for n in range(1, known)], copy=False),
    )
    return Step(f"{found}_prospects_{level}", "how large the next level can be", query)


# From lists of transactions


def cohorts(found: str, level: int, items: int, tids: int) -> Step:
    """One row per frequent itemset of this size and transaction that holds it."""
    query = duck(
        """
        SELECT f.id AS id, a.id * $tids + LOW(a.spot, $tids) AS spot, b.last AS last
        FROM $cohort AS a
        JOIN $cohort AS b ON b.spot = a.spot AND b.last > a.last
        JOIN $frequent AS f ON f.met = a.id * $items + b.last
        """,
        cohort=table(f"{found}_cohort", level - 1),
        frequent=_met(found, level, items),
        tids=tids,
        items=items,
    )
    return Step(f"{found}_cohort_{level}", "who holds each itemset", query)


def _met(found: str, level: int, items: int) -> exp.Subquery:
    """One row per frequent itemset: its id, and what `counted_in_lists` counted it by."""
    known = level - 1
    query = duck(
        "SELECT f.id AS id, p.id * $items + $last AS met FROM $frequent AS f JOIN $prefix AS p "
        "ON $same",
        items=items,
        last=item(level, "f"),
        frequent=table(found, level),
        prefix=table(found, known),
        same=exp.and_(*[equal(item(n, "p"), item(n, "f")) for n in range(1, known + 1)]),
    )
    return query.subquery()


def counted_in_lists(found: str, level: int, items: int, least: int) -> Step:
    """One row per frequent itemset of this size.

    One number stands for an itemset and one more item: to group by it is twice as fast as by two.
    """
    known = level - 1
    met = duck(
        """
        SELECT a.id * $items + b.last AS met, COUNT(*) AS support
        FROM $cohort AS a JOIN $cohort AS b ON b.spot = a.spot AND b.last > a.last
        GROUP BY a.id * $items + b.last HAVING COUNT(*) >= $least
        """,
        cohort=table(f"{found}_cohort", known),
        items=items,
        least=least,
    )
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY m.met) AS id, m.support AS support
        FROM $met AS m
        JOIN $frequent AS p ON p.id = HIGH(m.met, $items)
        ORDER BY id
        """,
        met=met,
        frequent=table(found, known),
        items=items,
    )
    last = term("CAST(LOW(m.met, $items) AS INT)", items=items).as_(f"item_{level}")
    query = query.select(*members(known, "p"), last)
    return Step(f"{found}_{level}", "support, from the lists", query)


# From bits


def posted_items(found: str, width: int) -> Step:
    """One row per frequent item and block of `width` transactions that holds it."""
    rows = duck("SELECT id, spot AS tid FROM $cohort", cohort=table(f"{found}_cohort", 1))
    why = "the inverted index: one bit per transaction"
    return inverted.postings(f"{found}_posting_1", width, rows.subquery(), why)


def posted(found: str, level: int, parts: Parts) -> Step:
    """One row per frequent itemset of this size and block that holds it."""
    itemsets = _parted(table(found, level), found, parts).select(
        exp.column("id", table="c").as_("id")
    )
    query = exp.Select().select(
        exp.column("id", table="c").as_("id"),
        exp.column("block", table="a1").as_("block"),
        _common(parts).as_("bits"),
    )
    query = _meet(query.from_(itemsets.subquery("c")), found, parts)
    query = query.where(term("BIT_COUNT($bits) > 0", bits=_common(parts)))
    return Step(f"{found}_posting_{level}", "what larger itemsets are counted from", query)


def candidates(found: str, level: int, parts: Parts) -> Step:
    """One row per itemset whose every subset is frequent, with the ids of its parts."""
    order = [item(n, "c") for n in range(1, level + 1)]
    number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=order))
    query = _parted(_joined(found, level).subquery(), found, parts)
    query = query.select(number.as_("id"), *members(level, "c")).order_by(exp.column("id"))
    return Step(f"{found}_candidate_{level}", "every subset of a frequent itemset is", query)


def possible(found: str, level: int) -> Step:
    """One row: how many itemsets have frequent subsets only."""
    query = duck(
        "SELECT COUNT(*) AS itemsets FROM $joined AS j", joined=_joined(found, level).subquery()
    )
    return Step(f"{found}_possible_{level}", "a closer look, before so many are counted", query)


def counted_in_bits(found: str, level: int, parts: Parts, least: int) -> Step:
    """One row per frequent itemset of this size: it is held where its parts meet."""
    support = term("CAST(SUM(BIT_COUNT($bits)) AS BIGINT)", bits=_common(parts))
    enough = term("SUM(BIT_COUNT($bits)) >= $least", bits=_common(parts), least=least)
    number = exp.column("id", table="c")
    counts = exp.Select().select(number.as_("id"), support.as_("support"))
    counts = _meet(counts.from_(table(f"{found}_candidate", level).as_("c")), found, parts)
    query = duck(
        """
        SELECT c.id AS id, m.support AS support
        FROM $counts AS m JOIN $candidate AS c ON c.id = m.id
        ORDER BY id
        """,
        counts=counts.group_by(number).having(enough),
        candidate=table(f"{found}_candidate", level),
    )
    return Step(f"{found}_{level}", "support, from the bits", query.select(*members(level, "c")))


def none(found: str, level: int) -> Step:
    """No row: no itemset of this size has frequent subsets only."""
    number = exp.cast(exp.Literal.number(0), "BIGINT")
    query = exp.Select().select(number.as_("id"), number.copy().as_("support"))
    items = [exp.cast(exp.Literal.number(0), "INT").as_(f"item_{n}") for n in range(1, level + 1)]
    why = "a subset of every larger itemset is rare"
    return Step(f"{found}_{level}", why, query.select(*items).where(exp.false()))


def _joined(found: str, level: int) -> exp.Select:
    """The itemsets whose every subset is frequent."""
    last = item(level - 1, "q").as_(f"item_{level}")
    return extended(found, level).select(*members(level - 1, "p"), last, copy=False)


def _parted(itemsets: exp.Expr, found: str, parts: Parts) -> exp.Select:
    """The ids of the parts that each itemset is made of: part_1, part_2, …"""
    query = duck("SELECT 1 FROM $itemsets AS c", itemsets=itemsets)
    shown: list[exp.Expr] = []
    before = 0
    for n, size in enumerate(parts, 1):
        owner = f"s{n}"
        number: exp.Expr = exp.column("id", table=owner)
        if size == 1:
            number = exp.cast(item(before + 1, "c"), "BIGINT")
        else:
            same = [equal(item(m, owner), item(before + m, "c")) for m in range(1, size + 1)]
            query = query.join(
                table(found, size).as_(owner), on=exp.and_(*same, copy=False), copy=False
            )
        shown.append(number.as_(f"part_{n}"))
        before += size
    query.set("expressions", shown)
    return query


def _meet(query: exp.Select, found: str, parts: Parts) -> exp.Select:
    """Itemsets `c` with the blocks `a1`, `a2`, … in which all their parts are."""
    for n, size in enumerate(parts, 1):
        owner = f"a{n}"
        same = [equal(exp.column("id", table=owner), exp.column(f"part_{n}", table="c"))]
        if n > 1:
            same.append(equal(exp.column("block", table=owner), exp.column("block", table="a1")))
        query = query.join(
            table(f"{found}_posting", size).as_(owner), on=exp.and_(*same, copy=False), copy=False
        )
    return query


def _common(parts: Parts) -> exp.Expr:
    """The transactions of a block that hold all parts."""
    return term(" & ".join(f"a{n}.bits" for n in range(1, len(parts) + 1)))
