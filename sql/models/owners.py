"""Find the person of each transaction of a release, for the checkers of all models.

Reads the cells (key, …) of the release, and owners (key, person) of its original. Keys are matched
by their texts: a file can hold them in another type.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck


def owners(cells: exp.Expr, owners: exp.Expr) -> Step:
    """One row per transaction of the release: its person, NULL if the original has none."""
    query = duck(
        """
        SELECT r.key AS key, o.person AS person
        FROM (SELECT DISTINCT c.key AS key FROM $cells AS c WHERE NOT c.key IS NULL) AS r
        LEFT JOIN $owners AS o ON CAST(o.key AS VARCHAR) = CAST(r.key AS VARCHAR)
        """,
        cells=cells,
        owners=owners,
    )
    return Step(
        "check_owner",
        "each row is a transaction of the release, and its person in the source",
        query,
    )


def sizes() -> Step:
    """One row: transactions without a person, persons, and the most transactions of a person."""
    query = duck(
        """
        SELECT
            CAST(COALESCE(
                SUM(CASE WHEN n.person IS NULL THEN n.held END), 0
            ) AS BIGINT) AS missing,
            COUNT(n.person) AS persons,
            COALESCE(MAX(CASE WHEN NOT n.person IS NULL THEN n.held END), 0) AS most
        FROM (
            SELECT o.person AS person, COUNT(*) AS held FROM check_owner AS o GROUP BY o.person
        ) AS n
        """
    )
    return Step(
        "check_owners",
        "counts the persons, and transactions of the release without a person",
        query,
    )
