"""Build the inverted index: blocks of bits per item, one bit per transaction; no empty block.

`posting_1(id, block, bits)` holds the items that may still be extended, `secret_posting` the
private items. Two postings are intersected by `a.bits & b.bits` where their blocks are equal; a
support is `SUM(BIT_COUNT(bits))`. A cohort, all transactions that hold an itemset, can also be a
list `(id, tid)`: it is shorter for sparse data.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import lengths
from setveil.sql.step import Step, duck


def secrets() -> Step:
    """One row per transaction and private item it holds."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN private_item AS r ON r.item = o.item
        """
    )
    return Step(
        "secret",
        "each row is a private item that a transaction holds; an attacker wants to infer it",
        query,
    )


def extensions() -> Step:
    """One row per transaction and public item that is no mole by itself."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN judged_1 AS j ON j.id = o.item
        WHERE j.verdict = 0
        """
    )
    return Step(
        "extension",
        "each row is an occurrence of a public item that is no mole alone; larger "
        "itemsets use these",
        query,
    )


def holders(k: int) -> exp.Subquery:
    """One row per public item with enough support and transaction that holds it."""
    query = duck(
        """
        SELECT c.id AS id, o.tid AS tid
        FROM occurrence AS o JOIN counted_1 AS c ON c.id = o.item
        WHERE c.support >= $k
        """,
        k=k,
    )
    return query.subquery()


def postings(name: str, width: int, rows: str | exp.Expr, why: str) -> Step:
    """One row per id and block of `width` transactions that holds one of `rows(id, tid)`."""
    query = duck(
        """
        SELECT r.id AS id, CAST(HIGH(r.tid, $width) AS INT) AS block,
            PACK(LOW(r.tid, $width), $width) AS bits
        FROM $rows AS r
        GROUP BY r.id, CAST(HIGH(r.tid, $width) AS INT)
        """,
        width=width,
        rows=rows,
    )
    return Step(name, why, query)


def density() -> Step:
    """One row per length: how many transactions hold so many of the extendible items."""
    why = "counts transactions by their number of extendible items: decides between lists and bits"
    return Step("density", why, lengths("extension"))
