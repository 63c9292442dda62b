"""Check that published nodes cover all original items, and no other item.

Reads original(key, name), check_released(key, name, level) and given_hierarchy(name, level1, …).
Makes check_original(key, name), check_ancestor(name, level, label) and check_match(key, name,
level, label): every occurrence with each published node of its transaction that stands above it.
Keys and names are compared as text. A NULL name marks a transaction without items.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, term, together


def released(cells: exp.Expr) -> Step:
    """One row per transaction and node that the release publishes for it."""
    query = duck(
        """
        SELECT DISTINCT CAST(c.key AS TEXT) AS key, CAST(c.name AS TEXT) AS name,
            CAST(c.level AS INT) AS level
        FROM $cells AS c WHERE NOT c.name IS NULL
        """,
        cells=cells,
    )
    return Step(
        "check_released", "each row is a node that the release publishes for a transaction", query
    )


def original(cells: exp.Expr) -> Step:
    """One row per transaction and item of the original."""
    query = duck(
        """
        SELECT DISTINCT CAST(c.key AS TEXT) AS key, CAST(c.name AS TEXT) AS name
        FROM $cells AS c WHERE NOT c.name IS NULL AND NOT c.key IS NULL
        """,
        cells=cells,
    )
    return Step(
        "check_original",
        "each row is an occurrence of the original: a transaction and an item",
        query,
    )


def ancestors(levels: int) -> Step:
    """One row per leaf and node above it, the leaf and the root included."""
    itself = duck("SELECT g.name AS name, 0 AS level, g.name AS label FROM given_hierarchy AS g")
    root = duck(
        "SELECT g.name AS name, $top AS level, '*' AS label FROM given_hierarchy AS g",
        top=levels + 1,
    )
    above = [
        duck(
            """
            SELECT g.name AS name, $number AS level, g.$label AS label FROM given_hierarchy AS g
            WHERE NOT g.$label IS NULL
            """,
            number=number,
            label=f"level{number}",
        )
        for number in range(1, levels + 1)
    ]
    return Step(
        "check_ancestor",
        "each row is an item and a node that may be published in its place",
        together([itself, *above, root]),
    )


def matches() -> Step:
    """One row per occurrence and published node above it, in the transaction."""
    query = duck(
        """
        SELECT o.key AS key, o.name AS name, r.level AS level, r.name AS label
        FROM check_original AS o
        JOIN check_ancestor AS a ON a.name = o.name
        JOIN check_released AS r ON r.key = o.key AND r.level = a.level AND r.name = a.label
        """
    )
    return Step(
        "check_match",
        "each row is an original occurrence and a published node that covers it",
        query,
    )


def uncovered(limit: int, *, suppressed: bool = False) -> Step:
    """Some items that no node covers in a transaction: (name, cells, found).

    Items may be `suppressed` if the release publishes no node above them anywhere.
    """
    query = duck(
        """
        SELECT o.name AS name, COUNT(*) AS cells,
            CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS found
        FROM check_original AS o
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM check_match AS m WHERE m.key = o.key AND m.name = o.name
        ) AND $published
        GROUP BY o.name
        ORDER BY cells DESC, name
        LIMIT $limit
        """,
        published=_PUBLISHED if suppressed else [],
        limit=limit,
    )
    return Step(
        "check_uncovered",
        "lists items that the release does not cover in some transaction: there must be none",
        query,
    )


def suppressed() -> Step:
    """The number of items that no published node stands above, in any transaction."""
    query = duck(
        """
        SELECT COUNT(DISTINCT o.name) AS items
        FROM check_original AS o
        WHERE NOT $published
        """,
        published=_PUBLISHED,
    )
    return Step("check_suppressed", "counts the items that the release suppresses", query)


# The release publishes a node above the item, in some transaction.
_PUBLISHED = term(
    """
    EXISTS (
        SELECT 1 AS one
        FROM check_ancestor AS a
        JOIN check_released AS r ON r.level = a.level AND r.name = a.label
        WHERE a.name = o.name
    )
    """
)


def unfounded(limit: int) -> Step:
    """Some nodes that cover no item of their transaction: (level, name, cells, found)."""
    query = duck(
        """
        SELECT r.level AS level, r.name AS name, COUNT(*) AS cells,
            CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS found
        FROM check_released AS r
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM check_match AS m
            WHERE m.key = r.key AND m.level = r.level AND m.label = r.name
        )
        GROUP BY r.level, r.name
        ORDER BY cells DESC, level, name
        LIMIT $limit
        """,
        limit=limit,
    )
    return Step(
        "check_unfounded",
        "lists nodes that the release publishes for no original item: there must be none",
        query,
    )
