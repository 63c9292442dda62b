"""The inverted index: for each item, blocks of bits, one per transaction; no empty blocks.

`posting_1(id, block, bits)` holds the items that may still be extended, `secret_posting` the
private ones. An intersection is `a.bits & b.bits` where the blocks meet, a support
`SUM(BIT_COUNT(bits))`.
The same cohorts can be kept as lists of transactions, `(id, tid)`: for sparse data that is shorter.
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
    return Step("secret", "what an attacker wants to infer", query)


def extensions() -> Step:
    """One row per transaction and public item that is no mole by itself."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN judged_1 AS j ON j.id = o.item
        WHERE j.verdict = 0
        """
    )
    return Step("extension", "the items that larger itemsets are made of", query)


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
    why = "decides how cohorts are kept, as lists or as bits, and what is too large to begin"
    return Step("density", why, lengths("extension"))
