"""Reuse one search for minimal moles for every larger k.

The itemsets that are counted with the smallest k include, for any larger k, every itemset whose
subsets are all extendible. Let `floor` be the least support of its subsets. Such an itemset is a
minimal mole for every k in support < k <= floor; if it reveals a private item, for every
k <= floor.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import members, table
from setveil.sql.models.coherence.search import REVEALING
from setveil.sql.step import Step, duck, each, joins, term


def bearers() -> Step:
    """One row: the transactions that hold an item."""
    query = duck("SELECT COUNT(DISTINCT tid) AS transactions FROM occurrence")
    return Step("bearers", "counts the transactions with items: these can lose some", query)


def unemptied() -> Step:
    """One row: the transactions that hold an item of left_item(item)."""
    query = duck(
        """
        SELECT COUNT(DISTINCT o.tid) AS transactions
        FROM occurrence AS o JOIN left_item AS l ON l.item = o.item
        """
    )
    return Step("unemptied", "counts the transactions that keep an item in the release", query)


def verges(level: int, most: int, transactions: int) -> Step:
    """One row per itemset that is a minimal mole for some k: its items, support, floor, verdict.

    `most` is the largest k. The floor of single items is the number of all transactions.
    """
    dropped = range(1, level + 1) if level > 1 else range(0)
    supports = ", ".join(f"s{n}.support" for n in dropped)
    query = duck(
        """
        SELECT c.support AS support,
            CASE WHEN j.verdict = $revealing THEN 1 ELSE 0 END AS revealing, $floor AS floor,
            $members
        FROM $counted AS c JOIN $judged AS j ON j.id = c.id JOIN $subsets
        WHERE c.support < $most OR j.verdict = $revealing
        """,
        revealing=REVEALING,
        floor=term(f"LEAST({supports})") if dropped else transactions,
        members=members(level, "c"),
        counted=table("counted", level),
        judged=table("judged", level),
        subsets=[
            join
            for n in dropped
            for join in joins(
                "JOIN $known AS s{n} ON $same",
                [n],
                known=table("counted", level - 1),
                same=_without(level, n),
            )
        ],
        most=most,
    )
    return Step(f"verges_{level}", f"lists the minimal moles of {level} items for every k", query)


def _without(level: int, dropped: int) -> list[exp.Expr]:
    """The conditions that a subset lacks one item of `c` and has all others."""
    return [
        *each(f"s{dropped}.item_{{n}} = c.item_{{n}}", range(1, dropped)),
        *each(f"s{dropped}.item_{{n}} = c.item_{{after}}", range(dropped, level)),
    ]
