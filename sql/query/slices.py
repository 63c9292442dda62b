"""Judge each slice of a release by itself, and all of them together, in one query.

A part is the whole release, number 0, or one of its slices. The keys and names of a part have its
number and a blank before them, so no set of items spans two parts: the checker judges all parts at
once. A name that is a number alone stands for the part itself: it lets a checker count transactions
without items.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.query.violations import told
from setveil.sql.step import duck, duck_union, shown, together

SLICES, PARTS = "check_slice", "check_part"


def sliced(relation: exp.Expr, key: exp.Column, column: exp.Column) -> exp.Select:
    """One row per transaction and slice of it. Rows without a slice are of one that has no name."""
    return duck(
        """
        SELECT DISTINCT CAST(r.$key AS TEXT) AS key, COALESCE(CAST(r.$column AS TEXT), '') AS slice
        FROM $rows AS r WHERE NOT r.$key IS NULL
        """,
        key=key,
        column=column,
        rows=relation,
    )


def parts() -> exp.Query:
    """One row per part and transaction of it; the whole release has no slice."""
    return duck_union(
        """
        SELECT '0' AS part, w.key AS key, CAST(NULL AS TEXT) AS slice
        FROM (SELECT DISTINCT s.key AS key FROM $slices AS s) AS w
        UNION ALL
        SELECT CAST(DENSE_RANK() OVER (ORDER BY s.slice) AS TEXT) AS part, s.key AS key,
            s.slice AS slice
        FROM $slices AS s
        """,
        slices=SLICES,
    )


def named() -> exp.Select:
    """One row per part: its number and its slice."""
    return duck("SELECT DISTINCT p.part AS part, p.slice AS slice FROM $parts AS p", parts=PARTS)


def cells(given: exp.Expr, *, levels: bool = False, empty: bool = False) -> exp.Query:
    """The cells (key, name[, level]) of all parts. With `empty`, each transaction has its part."""
    query = duck(
        """
        SELECT p.part || ' ' || p.key AS key, p.part || ' ' || c.name AS name, $level
        FROM $parts AS p JOIN $given AS c ON c.key = p.key
        """,
        level=[shown("c.level AS level")] if levels else [],
        parts=PARTS,
        given=given,
    )
    alone = duck(
        "SELECT p.part || ' ' || p.key AS key, p.part AS name, $level FROM $parts AS p",
        level=[shown("0 AS level")] if levels else [],
        parts=PARTS,
    )
    return together([query, alone]) if empty else query


def labels(given: exp.Expr, listed: exp.Expr) -> exp.Select:
    """One row (label) per name of a part that is among the rows (label) of a list."""
    return duck(
        """
        SELECT DISTINCT p.part || ' ' || l.label AS label
        FROM $parts AS p JOIN $given AS c ON c.key = p.key JOIN $listed AS l ON l.label = c.name
        """,
        parts=PARTS,
        given=given,
        listed=listed,
    )


def roles(given: exp.Expr, known: exp.Expr) -> exp.Query:
    """One row (label, private) per name of a part with a role. A part itself is public."""
    return duck_union(
        """
        SELECT DISTINCT p.part || ' ' || r.label AS label, r.private AS private
        FROM $parts AS p JOIN $given AS c ON c.key = p.key JOIN $known AS r ON r.label = c.name
        UNION ALL
        SELECT DISTINCT p.part AS label, 0 AS private FROM $parts AS p
        """,
        parts=PARTS,
        given=given,
        known=known,
    )


def owners(known: exp.Expr) -> exp.Select:
    """The rows (key, person) of the transactions of all parts."""
    return duck(
        """
        SELECT p.part || ' ' || p.key AS key, o.person AS person
        FROM $parts AS p JOIN $known AS o ON o.key = p.key
        """,
        parts=PARTS,
        known=known,
    )


def torn() -> exp.Select:
    """Transactions in two slices: ids are unique in a target."""
    found = duck(
        """
        SELECT COUNT(*) AS n FROM (
            SELECT s.key AS key FROM $slices AS s GROUP BY s.key HAVING COUNT(*) > 1
        ) AS t
        HAVING COUNT(*) > 0
        """,
        slices=SLICES,
    )
    return told("transactions in two slices", found, transactions="v.n")
