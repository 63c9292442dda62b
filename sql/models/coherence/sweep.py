"""One search for minimal moles answers every larger k.

What is counted with the smallest k holds, of any larger k, every itemset whose subsets are all
extendible. With `floor` the least support of its subsets, such an itemset is a minimal mole for the
k in support < k <= floor; if it reveals a private item, for every k <= floor.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import item, members, table
from setveil.sql.models.coherence.search import REVEALING
from setveil.sql.step import Step, duck, term


def bearers() -> Step:
    """One row: the transactions that hold something."""
    query = duck("SELECT COUNT(DISTINCT tid) AS transactions FROM occurrence")
    return Step("bearers", "who can lose something", query)


def unemptied() -> Step:
    """One row: the transactions that hold an item of left_item(item)."""
    query = duck(
        """
        SELECT COUNT(DISTINCT o.tid) AS transactions
        FROM occurrence AS o JOIN left_item AS l ON l.item = o.item
        """
    )
    return Step("unemptied", "what is left of the transactions", query)


def verges(level: int, most: int, transactions: int) -> Step:
    """One row per itemset that is a minimal mole for some k: its items, support, floor, verdict.

    `most` is the largest k. Of single items the floor is the number of all transactions.
    """
    query = duck(
        """
        SELECT c.support AS support, CASE WHEN j.verdict = $revealing THEN 1 ELSE 0 END AS revealing
        FROM $counted AS c JOIN $judged AS j ON j.id = c.id
        """,
        revealing=REVEALING,
        counted=table("counted", level),
        judged=table("judged", level),
    )
    floors: list[exp.Expr] = []
    for dropped in range(1, level + 1) if level > 1 else ():
        subset, known = f"s{dropped}", table("counted", level - 1)
        query = query.join(known.as_(subset), on=_without(level, dropped, subset))
        floors.append(exp.column("support", table=subset))
    floor = exp.Least(this=floors[0], expressions=floors[1:]) if floors else None
    query = query.select((floor or exp.Literal.number(transactions)).as_("floor"))
    query = query.select(*members(level, "c"))
    few = term("c.support < $most OR j.verdict = $revealing", most=most, revealing=REVEALING)
    return Step(f"verges_{level}", "the minimal moles of every k", query.where(few))


def _without(level: int, dropped: int, subset: str) -> exp.Expr:
    """The condition that `subset` is the itemset of `c` without one of its items."""
    left = [n for n in range(1, level + 1) if n != dropped]
    return exp.and_(
        *(exp.EQ(this=item(n, subset), expression=item(m, "c")) for n, m in enumerate(left, 1))
    )
