"""Recognize the rows that were checked, by a digest of them.

A trail can be run again on changed data, for which its decisions prove nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, term, user_column


def fingerprint(
    columns: Sequence[str], relation: str | exp.Expr = "release", part: str = ""
) -> Step:
    """One row: the number of rows, and the sum of a number that is computed from each row."""
    text = "COALESCE(MD5(CAST(r.$value AS TEXT)), '-')"
    texts = [term(text, value=user_column(name)) for name in columns]
    query = duck(
        """
        SELECT COUNT(*) AS held,
            COALESCE(SUM(CAST(DIGEST($row) AS DECIMAL(38, 0))), 0) AS digest
        FROM $relation AS r
        """,
        relation=relation,
        row=reduce(lambda a, b: term("$a || $b", a=a, b=b), texts),
    )
    return Step(
        f"fingerprint{part}",
        "counts the rows and sums a number made of each: equal rows give an equal digest",
        query,
    )


def told(part: str = "") -> Step:
    """One row: the number of rows and the digest, as text, for the trail."""
    name = f"fingerprint{part}"
    query = duck(
        "SELECT f.held AS held, CAST(f.digest AS VARCHAR) AS digest FROM $name AS f", name=name
    )
    return Step(name, "setveil reads the digest, to keep it in the trail", query)


def told_of(relation: str | exp.Expr, columns: Sequence[str]) -> Step:
    """One row: the digest of a relation, for the head of a trail."""
    query = duck(
        "SELECT f.held AS held, CAST(f.digest AS VARCHAR) AS digest FROM $made AS f",
        made=fingerprint(columns, relation).query,
    )
    return Step(
        "fingerprint",
        "counts the rows that were read, with their digest, for the head of the trail",
        query,
    )


def seal(held: int, digest: int, part: str = "", *, judged: bool) -> Step:
    """One row; an error, whose text gives the reason, if the rows or the digest differ.

    Rows that are `judged` have no seal without the checker's verdict.
    """
    query = duck(
        """
        SELECT CAST(
            CASE WHEN f.held = $held AND f.digest = $digest THEN '1'
            ELSE CAST(f.held AS VARCHAR) || ' rows are not those that were checked' END AS INT
        ) AS intact
        FROM $fingerprint AS f JOIN $judged
        """,
        fingerprint=f"fingerprint{part}",
        held=held,
        digest=digest,
        judged=joins("CROSS JOIN check_verdict AS v", [0] if judged else []),
    )
    why = "fails unless the rows to be written are the rows that were checked"
    return Step(f"seal{part}", why, query)


def sealed(query: exp.Select, part: str = "") -> exp.Select:
    """The query with a condition on the seal: the statement fails if no seal was made."""
    made = duck("SELECT 1 AS one FROM $seal AS s", seal=f"seal{part}")
    return query.where(exp.Exists(this=made))
