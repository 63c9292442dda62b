"""Find minimal moles level by level: public itemsets that are too rare or too telling.

Level n makes counted_n(id, parent, sibling, item_1 … item_n, support), the itemsets that some
transaction holds and whose every subset is extendible; link_n(id, item, hits), private items
against an upper bound of their support in the cohort, exact wherever it could be a breach; and
judged_n, which adds a verdict: 0 extendible, 1 rare, 2 revealing. `h` is the fraction num / den.
Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication, KDD 2008, Figure 4.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from setveil.sql.levels import extended, item, joinable, members, subsets, table
from setveil.sql.step import Step, duck, term

EXTENDIBLE, RARE, REVEALING = 0, 1, 2


def cohort(level: int) -> exp.Expr:
    """Who holds each itemset, `(id, tid)`: for single items the occurrences themselves."""
    if level > 1:
        return table("cohort", level)
    return duck("SELECT CAST(item AS BIGINT) AS id, tid FROM extension").subquery()


def unbearable(h: Fraction) -> Step:
    """One row per reason why even a release without public items would not be coherent."""
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
        "unbearable", "the empty itemset must be no mole: nothing could be suppressed", query
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
    return Step("counted_1", "what an attacker can know of one item", query)


def candidates(level: int) -> Step:
    """One row per itemset whose every subset is extendible, counted or not."""
    known, query = level - 1, extended("judged", level, _extendible)
    shown = [item(n, "p").as_(f"item_{n}") for n in range(1, known + 1)]
    shown.append(item(known, "q").as_(f"item_{level}"))
    order = [exp.column(f"item_{n}") for n in range(1, level + 1)]
    number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=_unaliased(shown)))
    ids = [exp.column("id", table="p").as_("parent"), exp.column("id", table="q").as_("sibling")]
    query = query.select(number.as_("id"), *ids, *shown).order_by(*order)
    return Step(f"candidate_{level}", "all subsets of a minimal mole are extendible", query)


def prospects(level: int) -> Step:
    """One row: how many candidates of this size there can be."""
    prefix = [item(n, "r") for n in range(1, level - 1)]
    query = joinable(table("judged", level - 1), prefix, _extendible)
    return Step(f"prospects_{level}", "what is too large is refused before it is made", query)


def found(level: int) -> Step:
    """One row: how many minimal moles there are of this size."""
    query = duck(
        "SELECT COUNT(*) AS moles FROM $judged AS j WHERE j.verdict > 0",
        judged=table("judged", level),
    )
    return Step(f"found_{level}", "what leaves the database must fit into memory", query)


def _extendible(owner: str) -> list[exp.Expr]:
    return [
        exp.EQ(this=exp.column("verdict", table=owner), expression=exp.Literal.number(EXTENDIBLE))
    ]


def _unaliased(shown: list[exp.Expr]) -> list[exp.Expr]:
    return [one.this.copy() for one in shown]


# Cohorts as lists of transactions


def counted_pairs(items: int) -> Step:
    """One row per pair of extendible items that some transaction holds.

    One number stands for a pair: to group by it is twice as fast as to group by two.
    """
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY pair) AS BIGINT) AS id,
            HIGH(pair, $items) AS parent,
            CAST(LOW(pair, $items) AS BIGINT) AS sibling,
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
    return Step("counted_2", "only the pairs that occur are counted", query)


def counted_in_lists(level: int, items: int) -> Step:
    """One row per itemset that some transaction holds and whose every subset is extendible.

    Prefixes are met with one more item, and counted; what contains a mole is left out afterwards.
    """
    known = level - 1
    met = duck(
        """
        SELECT h.id * $items + x.item AS pair, COUNT(*) AS support
        FROM $cohort AS h
        JOIN $judged AS j ON j.id = h.id
        JOIN extension AS x ON x.tid = h.tid AND x.item > $last
        WHERE j.verdict = 0
        GROUP BY h.id * $items + x.item
        """,
        items=items,
        cohort=cohort(known),
        judged=table("judged", known),
        last=item(known, "j"),
    )
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY m.pair) AS id, p.id AS parent, q.id AS sibling,
            m.support AS support
        FROM $met AS m
        JOIN $judged AS p ON p.id = HIGH(m.pair, $items)
        WHERE q.verdict = 0
        ORDER BY id
        """,
        met=met,
        judged=table("judged", known),
        items=items,
    )
    same = [exp.EQ(this=item(n, "q"), expression=item(n, "p")) for n in range(1, known)]
    added = term("CAST(LOW(m.pair, $items) AS INT)", items=items)
    same.append(exp.EQ(this=item(known, "q"), expression=added))
    query = query.join(table("judged", known).as_("q"), on=exp.and_(*same))
    for condition in subsets("judged", level, _extendible):
        query = query.where(condition)
    query = query.select(*members(known, "p"), item(known, "q").as_(f"item_{level}"))
    return Step(f"counted_{level}", "support, from the lists of the prefix", query)


def holders(level: int, k: int) -> exp.Select:
    """One row per itemset with enough support and transaction that holds it."""
    return duck(
        """
        SELECT c.id AS id, h.tid AS tid
        FROM $cohort AS h
        JOIN extension AS x ON x.tid = h.tid
        JOIN $counted AS c ON c.parent = h.id AND $last = x.item
        WHERE c.support >= $k
        """,
        cohort=cohort(level - 1),
        counted=table("counted", level),
        last=item(level, "c"),
        k=k,
    )


def cohorts(level: int, k: int, *, ordered: bool) -> Step:
    """The same, kept; in the order of the itemsets where sorting costs less than it saves."""
    query = holders(level, k)
    if ordered:
        query = query.order_by(exp.column("id"))
    return Step(f"cohort_{level}", "who holds each itemset", query)


def links_in_lists(level: int, cohort: exp.Expr, items: int, h: Fraction, k: int) -> Step:
    """One row per itemset and private item that is in more than h·k of its cohort: exact."""
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
    return Step(f"link_{level}", "the private items that could be inferred", query)


def links_within_bounds(level: int, cohort: exp.Expr, items: int) -> Step:
    """One row per itemset and private item that its bound lets pass: exact."""
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
    return Step(f"link_{level}", "the private items that could be inferred", query)


# Cohorts as bits


def intersections(level: int) -> Step:
    """One row per candidate and block in which its prefix and its last item meet."""
    query = duck(
        """
        SELECT c.id AS id, a.block AS block, a.bits & b.bits AS bits
        FROM $candidate AS c
        JOIN $prefix AS a ON a.id = c.parent
        JOIN posting_1 AS b ON b.id = $last AND b.block = a.block
        """,
        candidate=table("candidate", level),
        prefix=table("posting", level - 1),
        last=item(level, "c"),
    )
    return Step(f"posting_{level}", "who holds each itemset", query)


def counted_in_bits(level: int, *, kept: bool) -> Step:
    """One row per candidate that some transaction holds. The last level's cohorts are not kept."""
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
            JOIN posting_1 AS b ON b.id = $last AND b.block = a.block
            GROUP BY c.id HAVING SUM(BIT_COUNT(a.bits & b.bits)) > 0
            """,
            candidate=table("candidate", level),
            prefix=table("posting", level - 1),
            last=item(level, "c"),
        )
    return Step(f"counted_{level}", "support, from the bits", _counted(level, counts))


def bounds(level: int, h: Fraction, k: int, *, last: bool) -> Step:
    """One row per itemset and private item that two of its subsets do not yet rule out.

    A private item is in no more of a cohort than of the cohort of any subset. What could reveal
    nothing but by a superset is kept, unless this level is the last.
    """
    enough = exp.column("support", table="c") if last else exp.Literal.number(k)
    query = duck(
        """
        SELECT c.id AS id, c.support AS support, c.parent AS parent, $last AS last,
            a.item AS item, LEAST(a.hits, b.hits) AS hits
        FROM $counted AS c
        JOIN $link AS a ON a.id = c.parent
        JOIN $link AS b ON b.id = c.sibling AND b.item = a.item
        WHERE c.support >= $k AND LEAST(a.hits, b.hits) * $den > $num * $enough
        """,
        enough=enough,
        counted=table("counted", level),
        link=table("link", level - 1),
        last=item(level, "c"),
        num=h.numerator,
        den=h.denominator,
        k=k,
    )
    return Step(f"bound_{level}", "the private items that could still be inferred", query)


def exact_hits(level: int, h: Fraction, *, kept: bool, every: bool) -> Step:
    """One row per itemset and private item whose bound is a breach, or per `every` one: counted."""
    if kept:
        query = duck(
            """
            SELECT b.id AS id, b.item AS item,
                CAST(SUM(BIT_COUNT(a.bits & s.bits)) AS BIGINT) AS hits
            FROM $bound AS b
            JOIN $posting AS a ON a.id = b.id
            JOIN secret_posting AS s ON s.id = b.item AND s.block = a.block
            GROUP BY b.id, b.item
            """,
            bound=table("bound", level),
            posting=table("posting", level),
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
            GROUP BY b.id, b.item
            """,
            bound=table("bound", level),
            prefix=table("posting", level - 1),
        )
    if not every:
        query = query.where(_above("b.hits", "b.support", h))
    return Step(f"exact_{level}", "a bound that could be a breach is counted", query)


def links_in_bits(level: int) -> Step:
    """One row per itemset and private item: its support in the cohort, or the bound on it."""
    query = duck(
        """
        SELECT b.id AS id, b.item AS item, COALESCE(e.hits, b.hits) AS hits
        FROM $bound AS b LEFT JOIN $exact AS e ON e.id = b.id AND e.item = b.item
        """,
        bound=table("bound", level),
        exact=table("exact", level),
    )
    return Step(f"link_{level}", "exact where it matters, a bound elsewhere", query)


def _counted(level: int, counts: exp.Select) -> exp.Select:
    query = duck(
        """
        SELECT c.id AS id, c.parent AS parent, c.sibling AS sibling, n.support AS support
        FROM $candidate AS c JOIN $counts AS n ON n.id = c.id
        """,
        candidate=table("candidate", level),
        counts=counts,
    )
    return query.select(*members(level, "c")).order_by(exp.column("id"))


# Either way


def judged(level: int, h: Fraction, k: int, *, private: bool) -> Step:
    """One row per counted itemset, with its verdict: 0 extendible, 1 rare, 2 revealing."""
    query = duck(
        "SELECT c.id AS id, c.support AS support FROM $counted AS c",
        counted=table("counted", level),
    )
    known = {"k": k, "extendible": EXTENDIBLE, "rare": RARE, "revealing": REVEALING}
    if private:
        same = exp.EQ(this=exp.column("id", table="r"), expression=exp.column("id", table="c"))
        query = query.join(_revealing(level, h).subquery("r"), on=same, join_type="left")
        verdict = term(
            "CASE WHEN c.support < $k THEN $rare WHEN r.id IS NULL THEN $extendible "
            "ELSE $revealing END",
            **known,
        )
    else:
        verdict = term("CASE WHEN c.support < $k THEN $rare ELSE $extendible END", **known)
    query = query.select(verdict.as_("verdict"), *members(level, "c"))
    return Step(f"judged_{level}", "rare, revealing, or neither", query)


def _revealing(level: int, h: Fraction) -> exp.Select:
    """The itemsets with a private item in more than a share h of their cohort."""
    query = duck(
        "SELECT DISTINCT c.id AS id FROM $counted AS c JOIN $link AS l ON l.id = c.id",
        counted=table("counted", level),
        link=table("link", level),
    )
    return query.where(_above("l.hits", "c.support", h))


def _above(hits: str, support: str, h: Fraction) -> exp.Expr:
    """Exactly, in whole numbers: hits / support > h."""
    return term(
        "$hits * $den > $num * $support",
        hits=term(hits),
        support=term(support),
        num=h.numerator,
        den=h.denominator,
    )


def moles(level: int) -> Step:
    """One row per minimal mole of this size, in the order of its items, with its verdict."""
    query = exp.Select().select(*members(level, "j"), exp.column("verdict", table="j"))
    query = query.from_(table("judged", level).as_("j"))
    found = exp.GT(this=exp.column("verdict", table="j"), expression=exp.Literal.number(EXTENDIBLE))
    query = query.where(found).order_by(*[item(n, "j") for n in range(1, level + 1)])
    return Step(f"moles_{level}", "what must be broken up", query)
