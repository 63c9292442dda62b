"""Tell whether rows are those that were checked, from sums over them.

A trail can be run again on data that has changed, where the decisions in it protect nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, term, user_column


def fingerprint(columns: Sequence[str], relation: str = "release") -> Step:
    """One row: how many rows there are, and the sum of a number that each of them makes."""
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
    return Step("fingerprint", "what was checked", query)


def told() -> Step:
    query = duck("SELECT f.held AS held, CAST(f.digest AS VARCHAR) AS digest FROM fingerprint AS f")
    return Step("fingerprint", "kept in the trail", query)


def told_of(relation: str, columns: Sequence[str]) -> Step:
    """The same for the head of a trail."""
    query = duck(
        "SELECT f.held AS held, CAST(f.digest AS VARCHAR) AS digest FROM $made AS f",
        made=fingerprint(columns, relation).query,
    )
    return Step("fingerprint", "what was read", query)


def seal(held: int, digest: int, *, judged: bool) -> Step:
    """One row; an error, whose text says why, where these are other rows.

    Rows that are `judged` have no seal without the checker's verdict.
    """
    query = duck(
        """
        SELECT CAST(
            CASE WHEN f.held = $held AND f.digest = $digest THEN '1'
            ELSE CAST(f.held AS VARCHAR) || ' rows are not those that were checked' END AS INT
        ) AS intact
        FROM fingerprint AS f JOIN $judged
        """,
        held=held,
        digest=digest,
        judged=joins("CROSS JOIN check_verdict AS v", [0] if judged else []),
    )
    return Step("seal", "nothing is released but what was checked", query)


def sealed(query: exp.Select) -> exp.Select:
    """The same rows; an error where there is no seal."""
    return query.where(exp.Exists(this=duck("SELECT 1 AS one FROM seal AS s")))
