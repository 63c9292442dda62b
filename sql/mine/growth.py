"""Grow frequent itemsets by one item, and tell which of them need no count.

Items have places, the rarest first. An itemset grows by an item in a later place: `met` packs the
itemset before and the place of that item. So found_n(id, support, met, free, sub_1 … sub_m,
item_1 … item_n), m = n - 1, names every smaller itemset by its id: sub_k lacks the item in the k-th
place, and the one before lacks the last. found_candidate_n has the itemsets whose every subset is
frequent.

An itemset is free if no subset has its support. If a subset is not free, some item of it is held by
all who hold its other items. So the itemset has its `bound`, the least support of its subsets: it
is given, and needs no count.
Bastide et al.: Mining frequent patterns with counting inference, SIGKDD Explorations 2(2), 2000.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import members, table
from setveil.sql.step import Step, duck, each, joins, shown, term


def candidates(found: str, level: int, items: int) -> Step:
    """One row per itemset whose every subset is frequent, with its bound."""
    query = duck(
        """
        SELECT c.met AS met, c.bound AS bound, c.given AS given, $subsets, $sorted
        FROM $joined AS c
        JOIN $known AS prefix ON prefix.id = HIGH(c.met, $items)
        JOIN $single AS added ON added.place = LOW(c.met, $items)
        """,
        subsets=subsets(level, "c"),
        sorted=ascending(level),
        joined=_joined(found, level, items),
        known=table(found, level - 1),
        single=table(found, 1),
        items=items,
    )
    return Step(
        f"{found}_candidate_{level}",
        f"each row is an itemset of {level} items whose every subset is frequent; it is given if "
        "its support follows from theirs",
        query,
    )


def possible(found: str, level: int, items: int) -> Step:
    """One row: the number of itemsets with frequent subsets only."""
    joined = _joined(found, level, items)
    query = duck("SELECT COUNT(*) AS itemsets FROM $joined AS j", joined=joined)
    return Step(
        f"{found}_possible_{level}",
        f"counts the itemsets of {level} items whose every subset is frequent, before "
        "they are made",
        query,
    )


def grown(found: str, level: int, counts: exp.Select, how: str) -> Step:
    """One row per frequent itemset of this size: a given one, or one of counts(met, support)."""
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY $members) AS id, COALESCE(m.support, c.bound) AS support,
            c.met AS met, CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free, $subsets,
            $members
        FROM $candidate AS c LEFT JOIN $counts AS m ON m.met = c.met
        WHERE c.given = 1 OR m.support IS NOT NULL
        """,
        members=members(level, "c"),
        subsets=subsets(level, "c"),
        candidate=table(f"{found}_candidate", level),
        counts=counts,
    )
    why = (
        f"each row is a frequent itemset of {level} items; its support is counted from {how}, "
        "or given"
    )
    return Step(f"{found}_{level}", why, query)


def none(found: str, level: int) -> Step:
    """No row: every itemset of this size has a rare subset."""
    query = duck(
        "SELECT CAST(0 AS BIGINT) AS id, CAST(0 AS BIGINT) AS support, $items WHERE FALSE",
        items=each("CAST(0 AS INT) AS item_{n}", range(1, level + 1)),
    )
    return Step(
        f"{found}_{level}",
        f"has no row: every itemset of {level} items has a subset that is not frequent",
        query,
    )


def subsets(level: int, owner: str) -> list[exp.Expr]:
    """Select the ids of the itemsets that lack one item, but for the last."""
    return each(f"{owner}.sub_{{n}} AS sub_{{n}}", range(1, level))


def others(found: str, level: int, items: int, last: str) -> list[exp.Expr]:
    """Join the itemsets other_1 … that `prefix`, with an item at the place `last`, has as subsets.

    Each lacks another item of `prefix`, but none the last.
    """
    text = "JOIN $known AS other_{n} ON other_{n}.met = prefix.sub_{n} * $items + $last"
    known = table(found, level - 1)
    return joins(text, range(1, level - 1), known=known, items=items, last=term(last, items=items))


def least(level: int, *owners: str) -> exp.Expr:
    """The least support of the subsets."""
    known = [*owners, *(f"other_{n}" for n in range(1, level - 1))]
    return term(f"LEAST({', '.join(f'{owner}.support' for owner in known)})")


def ascending(level: int) -> list[exp.Expr]:
    """The ascending items of an itemset: those of `prefix`, and the one of `added`."""
    between = "GREATEST(prefix.item_{before}, LEAST(prefix.item_{n}, added.item_1)) AS item_{n}"
    return [
        shown("LEAST(prefix.item_1, added.item_1) AS item_1"),
        *each(between, range(2, level)),
        *each("GREATEST(prefix.item_{before}, added.item_1) AS item_{n}", [level]),
    ]


def _joined(found: str, level: int, items: int) -> exp.Select:
    """The itemsets of this size whose every subset is frequent, with their bounds."""
    if level == 2:
        return duck(
            """
            SELECT prefix.id * $items + sibling.place AS met,
                LEAST(prefix.support, sibling.support) AS bound, 0 AS given, sibling.id AS sub_1
            FROM $single AS prefix JOIN $single AS sibling ON prefix.place < sibling.place
            """,
            items=items,
            single=table(found, 1),
        )
    owners = ["prefix", "sibling", *(f"other_{n}" for n in range(1, level - 1))]
    return duck(
        """
        SELECT prefix.id * $items + LOW(sibling.met, $items) AS met, $least AS bound,
            CASE WHEN $given THEN 1 ELSE 0 END AS given, $subsets, sibling.id AS $last
        FROM $known AS prefix
        JOIN $known AS sibling ON HIGH(sibling.met, $items) = HIGH(prefix.met, $items)
            AND sibling.met > prefix.met
        JOIN $others
        """,
        items=items,
        least=least(level, "prefix", "sibling"),
        given=term(" OR ".join(f"{owner}.free = 0" for owner in owners)),
        subsets=each("other_{n}.id AS sub_{n}", range(1, level - 1)),
        last=f"sub_{level - 1}",
        known=table(found, level - 1),
        others=others(found, level, items, "LOW(sibling.met, $items)"),
    )
