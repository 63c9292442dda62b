"""Compare the frequent itemsets before and after: hidden, missed, or artificial ones.

Reads the levels of two searches, `found_n(id, item_1 … item_n, support)`, and restricted(pattern,
item). An itemset that holds a restrictive pattern is restrictive, too; the others are legitimate.
Oliveira and Zaïane, TR 02-13, 2002, sections 4 and 5.
"""

from __future__ import annotations

from setveil.sql.step import Step, duck, each, together

SIZES = 64  # an itemset's number is id * SIZES + size; ids are unique per size


def itemsets(found: str, sizes: int) -> Step:
    """One row per frequent itemset."""
    levels = [
        duck(
            """
            SELECT f.id * $sizes + $n AS itemset, $n AS size, f.support AS support
            FROM $found AS f
            """,
            sizes=SIZES,
            n=n,
            found=f"{found}_{n}",
        )
        for n in range(1, sizes + 1)
    ]
    nothing = duck("SELECT item AS itemset, 1 AS size, support FROM item WHERE FALSE")
    return Step(
        f"{found}_itemset",
        "each row is a frequent itemset of any size, with its support",
        together(levels or [nothing]),
    )


def members(found: str, sizes: int) -> Step:
    """One row per frequent itemset and item of it."""
    levels = [
        duck(
            "SELECT f.id * $sizes + $n AS itemset, f.$item AS item FROM $found AS f",
            sizes=SIZES,
            n=n,
            item=f"item_{k}",
            found=f"{found}_{n}",
        )
        for n in range(1, sizes + 1)
        for k in range(1, n + 1)
    ]
    nothing = duck("SELECT item AS itemset, item AS item FROM item WHERE FALSE")
    return Step(
        f"{found}_member",
        "each row is an item of a frequent itemset",
        together(levels or [nothing]),
    )


def restrictive(found: str) -> Step:
    """One row per frequent itemset that holds a restrictive pattern."""
    query = duck(
        """
        SELECT DISTINCT h.itemset AS itemset
        FROM (
            SELECT m.itemset AS itemset, r.pattern AS pattern, COUNT(*) AS held
            FROM $member AS m JOIN restricted AS r ON r.item = m.item
            GROUP BY m.itemset, r.pattern
        ) AS h
        JOIN (SELECT pattern, COUNT(*) AS size FROM restricted GROUP BY pattern) AS n
            ON n.pattern = h.pattern
        WHERE h.held = n.size
        """,
        member=f"{found}_member",
    )
    why = (
        "each row is a frequent itemset that holds a restrictive pattern, and so is restrictive too"
    )
    return Step(f"{found}_restrictive", why, query)


def remaining() -> Step:
    """One row per occurrence of the release."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item FROM occurrence AS o
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM suppressed AS d WHERE d.tid = o.tid AND d.item = o.item
        )
        """
    )
    return Step(
        "remaining",
        "each row is an occurrence that stays in the release, for others to mine",
        query,
    )


def sizes(before: str, after: str) -> Step:
    """One row: the frequent and the restrictive itemsets, before and after."""
    parts = {
        name: f"{found}_{kind}"
        for found, side in ((before, "before"), (after, "after"))
        for kind, name in (("itemset", side), ("restrictive", f"restrictive_{side}"))
    }
    query = duck(
        """
        SELECT b.n AS before, rb.n AS restrictive_before, a.n AS after, ra.n AS restrictive_after
        FROM (SELECT COUNT(*) AS n FROM $before) AS b
        CROSS JOIN (SELECT COUNT(*) AS n FROM $restrictive_before) AS rb
        CROSS JOIN (SELECT COUNT(*) AS n FROM $after) AS a
        CROSS JOIN (SELECT COUNT(*) AS n FROM $restrictive_after) AS ra
        """,
        **parts,
    )
    return Step(
        "mined_sizes", "counts the frequent and the restrictive itemsets before and after", query
    )


def common(before: str, after: str, sizes: int) -> Step:
    """One row per size: the itemsets that are frequent on both sides."""
    levels = [
        duck(
            """
            SELECT $n AS size, COUNT(*) AS itemsets
            FROM $before AS b JOIN $after AS a ON $same
            """,
            n=n,
            before=f"{before}_{n}",
            after=f"{after}_{n}",
            same=each("a.item_{n} = b.item_{n}", range(1, n + 1)),
        )
        for n in range(1, sizes + 1)
    ]
    nothing = duck("SELECT 0 AS size, COUNT(*) AS itemsets FROM item WHERE FALSE")
    why = "counts itemsets that are frequent on both sides; the release's others are artifacts"
    return Step("mined_common", why, together(levels or [nothing]))
