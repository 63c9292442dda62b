"""Retrieve sensitive transactions by the inverted index, and choose what leaves them.

Reads occurrence, basket, item, and what Python decided, in numbers: restricted(pattern, item),
quota(pattern, transactions) and victim(pattern, item, alone). A transaction is sensitive for a
pattern if it holds all its items; how many patterns it is sensitive for is its degree of conflict.
Oliveira and Zaïane, TR 02-13, 2002.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from setveil.sql.inverted import postings
from setveil.sql.step import Step, decided, duck, term

WIDTH = 64  # transactions per block: few of those retrieved share one


def restricted(patterns: Iterable[Sequence[int]]) -> Step:
    """One row per restrictive pattern and item of it."""
    rows = [(number, item) for number, items in enumerate(patterns) for item in items]
    return decided("restricted", "the items of each restrictive pattern", ("pattern", "item"), rows)


def index() -> Step:
    """One row per item of a restrictive pattern and block of transactions that holds it."""
    rows = duck(
        """
        SELECT o.item AS id, o.tid AS tid
        FROM occurrence AS o JOIN (SELECT DISTINCT item FROM restricted) AS r ON r.item = o.item
        """
    )
    why = "the inverted index: one bit per transaction that holds the item"
    return postings("posting", WIDTH, rows, why)


def places() -> Step:
    """One row per place in a block, with the bit that stands for it."""
    rows = duck("SELECT tid AS id, tid FROM basket WHERE tid < $width", width=WIDTH)
    return postings("place", WIDTH, rows, "to read a block of bits one by one")


def retrieved() -> Step:
    """One row per pattern and block that holds all its items: which transactions do."""
    query = duck(
        """
        SELECT r.pattern AS pattern, p.block AS block, BIT_AND(p.bits) AS bits
        FROM restricted AS r
        JOIN posting AS p ON p.id = r.item
        JOIN (SELECT pattern, COUNT(*) AS size FROM restricted GROUP BY pattern) AS n
            ON n.pattern = r.pattern
        GROUP BY r.pattern, n.size, p.block
        HAVING COUNT(*) = n.size AND BIT_COUNT(BIT_AND(p.bits)) > 0
        """
    )
    return Step("retrieved", "Boolean queries: the items of each pattern, joined by AND", query)


def sensitive() -> Step:
    """One row per pattern and transaction that holds it: the second index of the paper."""
    query = duck(
        """
        SELECT r.pattern AS pattern, CAST(r.block * $width + p.id AS INT) AS tid
        FROM retrieved AS r JOIN place AS p ON BIT_COUNT(r.bits & p.bits) = 1
        """,
        width=WIDTH,
    )
    return Step("sensitive", "the transactions that give a restrictive pattern away", query)


def conflicts() -> Step:
    """One row per sensitive transaction: how many restrictive patterns it holds."""
    query = duck("SELECT tid, COUNT(*) AS degree FROM sensitive GROUP BY tid")
    return Step("conflict", "the degree of conflict", query)


def degrees() -> Step:
    """One row per degree of conflict: how many transactions have it."""
    query = duck(
        "SELECT degree, COUNT(*) AS transactions FROM conflict GROUP BY degree ORDER BY degree"
    )
    return Step("degrees", "how many transactions hold several patterns", query)


def supports() -> Step:
    """One row per restrictive pattern that occurs: how many transactions hold it."""
    query = duck(
        "SELECT pattern, COUNT(*) AS support FROM sensitive GROUP BY pattern ORDER BY pattern"
    )
    return Step("supports", "how many transactions are to be sanitized follows from it", query)


def item_supports() -> Step:
    """One row per item of a restrictive pattern: how many transactions hold it."""
    query = duck(
        """
        SELECT i.item AS item, i.support AS support
        FROM item AS i JOIN (SELECT DISTINCT item FROM restricted) AS r ON r.item = i.item
        ORDER BY item
        """
    )
    return Step("item_supports", "victims are chosen by it", query)


def sanitized(*, most_conflicts_first: bool) -> Step:
    """One row per pattern and transaction that it is to be taken from."""
    query = duck(
        """
        SELECT n.pattern AS pattern, n.tid AS tid
        FROM (
            SELECT s.pattern AS pattern, s.tid AS tid,
                ROW_NUMBER() OVER (PARTITION BY s.pattern ORDER BY $degree, b.key) AS place
            FROM sensitive AS s
            JOIN conflict AS c ON c.tid = s.tid
            JOIN basket AS b ON b.tid = s.tid
        ) AS n
        JOIN quota AS q ON q.pattern = n.pattern
        WHERE n.place <= q.transactions
        """,
        degree=term("-c.degree" if most_conflicts_first else "c.degree"),
    )
    first = "most" if most_conflicts_first else "fewest"
    why = f"those of {first} conflicts first, then by key"
    return Step("sanitized", why, query)


def suppressed() -> Step:
    """One row per occurrence that goes: the victims of the transactions to be sanitized."""
    query = duck(
        """
        SELECT DISTINCT s.tid AS tid, v.item AS item, 1 AS round
        FROM sanitized AS s JOIN victim AS v ON v.pattern = s.pattern
        """
    )
    return Step("suppressed", "what the release leaves out", query)


def suppressed_but_one() -> Step:
    """The same; a victim stays in a transaction that holds `alone` items: nothing but the pattern.

    `alone` is 0 for items that always go.
    """
    query = duck(
        """
        SELECT DISTINCT s.tid AS tid, v.item AS item, 1 AS round
        FROM sanitized AS s
        JOIN victim AS v ON v.pattern = s.pattern
        JOIN (SELECT tid, COUNT(*) AS held FROM occurrence GROUP BY tid) AS h ON h.tid = s.tid
        WHERE h.held <> v.alone
        """
    )
    why = "what the release leaves out: no transaction loses its last item to its own pattern"
    return Step("suppressed", why, query)


def losses() -> Step:
    """One row: occurrences that go, and transactions that lose all they have."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(d.gone), 0) AS BIGINT) AS occurrences,
            COUNT(CASE WHEN d.gone = h.held THEN 1 END) AS emptied
        FROM (SELECT tid, COUNT(*) AS gone FROM suppressed GROUP BY tid) AS d
        JOIN (SELECT tid, COUNT(*) AS held FROM occurrence GROUP BY tid) AS h ON h.tid = d.tid
        """
    )
    return Step("losses", "what is lost", query)
