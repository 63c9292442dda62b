"""Find sensitive transactions by the inverted index, and choose the occurrences to suppress.

Reads occurrence, basket and item. Python decides restricted(pattern, item), quota(pattern,
transactions) and victim(pattern, item), in numbers. A restrictive pattern is an itemset to
hide. A transaction is sensitive for a pattern if it holds all its items. Its degree of conflict is
the number of patterns for which it is sensitive. Oliveira and Zaïane, TR 02-13, 2002.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from setveil.sql.inverted import postings
from setveil.sql.step import Step, decided, duck, term

WIDTH = 64  # transactions per block: few retrieved transactions share a block


def restricted(patterns: Iterable[Sequence[int]]) -> Step:
    """One row per restrictive pattern and item of it."""
    rows = [(number, item) for number, items in enumerate(patterns) for item in items]
    return decided(
        "restricted",
        "each row is an item of a restrictive pattern: an itemset to hide",
        ("pattern", "item"),
        rows,
    )


def index() -> Step:
    """One row per item of a restrictive pattern and block of transactions that holds it."""
    rows = duck(
        """
        SELECT o.item AS id, o.tid AS tid
        FROM occurrence AS o JOIN (SELECT DISTINCT item FROM restricted) AS r ON r.item = o.item
        """
    )
    why = "each row is an item and a block of bits: one bit per transaction that holds it"
    return postings("posting", WIDTH, rows, why)


def places() -> Step:
    """One row per place in a block, with the bit of this place."""
    rows = duck("SELECT tid AS id, tid FROM basket WHERE tid < $width", width=WIDTH)
    why = "each row is a place in a block, and the block with only its bit: it reads single bits"
    return postings("place", WIDTH, rows, why)


def retrieved() -> Step:
    """One row per pattern and block: the bits of the transactions that hold all its items."""
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
    return Step(
        "retrieved",
        "each row is a pattern and a block of bits: one bit per transaction that holds "
        "all its items",
        query,
    )


def sensitive() -> Step:
    """One row per pattern and transaction that holds it: the second index of the paper."""
    query = duck(
        """
        SELECT r.pattern AS pattern, CAST(r.block * $width + p.id AS INT) AS tid
        FROM retrieved AS r JOIN place AS p ON BIT_COUNT(r.bits & p.bits) = 1
        """,
        width=WIDTH,
    )
    return Step(
        "sensitive",
        "each row is a pattern and a sensitive transaction: it holds all items of the pattern",
        query,
    )


def conflicts() -> Step:
    """One row per sensitive transaction: the number of restrictive patterns it holds."""
    query = duck("SELECT tid, COUNT(*) AS degree FROM sensitive GROUP BY tid")
    return Step(
        "conflict",
        "each row is a transaction with its degree of conflict: the number of patterns it holds",
        query,
    )


def degrees() -> Step:
    """One row per degree of conflict: the number of transactions that have it."""
    query = duck(
        "SELECT degree, COUNT(*) AS transactions FROM conflict GROUP BY degree ORDER BY degree"
    )
    return Step("degrees", "counts the transactions by the number of patterns they hold", query)


def supports() -> Step:
    """One row per restrictive pattern that occurs: the number of transactions that hold it."""
    query = duck(
        "SELECT pattern, COUNT(*) AS support FROM sensitive GROUP BY pattern ORDER BY pattern"
    )
    return Step(
        "supports",
        "counts the transactions that hold each pattern: the number to sanitize follows from it",
        query,
    )


def item_supports() -> Step:
    """One row per item of a restrictive pattern: the number of transactions that hold it."""
    query = duck(
        """
        SELECT i.item AS item, i.support AS support
        FROM item AS i JOIN (SELECT DISTINCT item FROM restricted) AS r ON r.item = i.item
        ORDER BY item
        """
    )
    return Step(
        "item_supports",
        "lists the supports of the items, from which each pattern's victim is chosen",
        query,
    )


def sanitized(*, most_conflicts_first: bool) -> Step:
    """One row per pattern and transaction that must lose it."""
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
    why = f"each row is a transaction that loses a pattern: {first} conflicts first, then by key"
    return Step("sanitized", why, query)


def suppressed() -> Step:
    """One row per suppressed occurrence: the victims of the transactions to be sanitized."""
    query = duck(
        """
        SELECT DISTINCT s.tid AS tid, v.item AS item, 1 AS round
        FROM sanitized AS s JOIN victim AS v ON v.pattern = s.pattern
        """
    )
    return Step(
        "suppressed",
        "each row is an occurrence that the release leaves out: the victim of a pattern",
        query,
    )


def suppressed_but_one() -> Step:
    """One row per suppressed occurrence; a transaction that would lose all items keeps one.

    It keeps the most frequent item that is no restrictive pattern by itself, if it has any.
    """
    query = duck(
        """
        SELECT g.tid AS tid, g.item AS item, 1 AS round
        FROM (
            SELECT v.tid AS tid, v.item AS item, h.held AS held, x.item AS restricted,
                COUNT(*) OVER (PARTITION BY v.tid) AS gone,
                ROW_NUMBER() OVER (
                    PARTITION BY v.tid
                    ORDER BY CASE WHEN x.item IS NULL THEN 0 ELSE 1 END, -i.support, v.item
                ) AS place
            FROM (
                SELECT DISTINCT s.tid AS tid, v.item AS item
                FROM sanitized AS s JOIN victim AS v ON v.pattern = s.pattern
            ) AS v
            JOIN item AS i ON i.item = v.item
            JOIN (SELECT tid, COUNT(*) AS held FROM occurrence GROUP BY tid) AS h ON h.tid = v.tid
            LEFT JOIN (
                SELECT MIN(r.item) AS item FROM restricted AS r
                GROUP BY r.pattern HAVING COUNT(*) = 1
            ) AS x ON x.item = v.item
        ) AS g
        WHERE g.gone < g.held OR g.place > 1 OR NOT g.restricted IS NULL
        """
    )
    why = "each row is an occurrence that the release leaves out; a transaction keeps an item"
    return Step("suppressed", why, query)


def losses() -> Step:
    """One row: the suppressed occurrences, and the transactions that lose all their items."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(d.gone), 0) AS BIGINT) AS occurrences,
            COUNT(CASE WHEN d.gone = h.held THEN 1 END) AS emptied
        FROM (SELECT tid, COUNT(*) AS gone FROM suppressed GROUP BY tid) AS d
        JOIN (SELECT tid, COUNT(*) AS held FROM occurrence GROUP BY tid) AS h ON h.tid = d.tid
        """
    )
    return Step(
        "losses", "counts suppressed occurrences, and transactions that lose all their items", query
    )
