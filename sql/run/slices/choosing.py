"""Choose the transactions of a new slice.

Reads source, released and copies of the ledger, see `ledger`. Makes arrived(key, digest, person), a
row per transaction of the source; waiting(key, digest, person), those that no slice has; and
slice_key(key, digest, person), those of the new slice.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, term, user_columns


def arrived(cells: exp.Expr, key: exp.Column, person: exp.Column | None, *, guests: bool) -> Step:
    """One row per transaction of the source: a keyed digest of its items, and of its person.

    Without a person a transaction has no row, unless it is a guest: a person of its own.
    """
    owner = term("MD5(x.secret || MD5(x.secret || CAST(o.person AS TEXT)))")
    own = term("MD5(x.secret || MD5(x.secret || x.secret || CAST(r.key AS TEXT)))")
    named = "SELECT s.$key AS key, MIN(s.$person) AS person FROM source AS s GROUP BY s.$key"
    whose: exp.Expr = exp.cast(exp.null(), "VARCHAR")
    found = []
    if person is not None:
        whose = term("COALESCE($owner, $own)", owner=owner, own=own) if guests else owner
        found = joins(
            "JOIN $named AS o ON o.key = r.key", [0], named=duck(named, key=key, person=person)
        )
    query = duck(
        """
        SELECT CAST(r.key AS TEXT) AS key, CAST(r.digest AS TEXT) AS digest, $whose AS person
        FROM (
            SELECT c.key AS key, SUM(
                CASE WHEN c.name IS NULL THEN 0 ELSE CAST(DIGEST(
                    x.secret || MD5(CAST(c.key AS TEXT)) || MD5(CAST(c.name AS TEXT))
                ) AS DECIMAL(38, 0)) END
            ) AS digest
            FROM (SELECT DISTINCT d.key AS key, d.name AS name FROM $cells AS d) AS c
            CROSS JOIN ledger_secret AS x
            WHERE NOT c.key IS NULL
            GROUP BY c.key
        ) AS r
        CROSS JOIN ledger_secret AS x
        JOIN $found
        WHERE $person
        """,
        cells=cells,
        whose=whose,
        found=found,
        person=[] if person is None or guests else [term("NOT o.person IS NULL")],
    )
    return Step(
        "arrived",
        "each row is a transaction of the source, with a keyed digest of its items",
        query,
    )


def changes() -> Step:
    """One row: new transactions; released ones that changed, and that the source has lost."""
    query = duck(
        """
        SELECT
            (SELECT COUNT(*) AS n FROM arrived AS a WHERE NOT EXISTS (
                SELECT 1 AS one FROM ledger_arrival AS l WHERE l.key = a.key
            )) AS fresh,
            (SELECT COUNT(*) AS n FROM released AS r JOIN arrived AS a ON a.key = r.key
                WHERE r.digest <> a.digest) AS late,
            (SELECT COUNT(*) AS n FROM released AS r WHERE NOT EXISTS (
                SELECT 1 AS one FROM arrived AS a WHERE a.key = r.key
            )) AS lost
        """
    )
    return Step(
        "slice_changes",
        "counts new transactions, and released ones that have changed or vanished since",
        query,
    )


def waiting() -> Step:
    """One row per transaction that no slice has: its digest and person."""
    query = duck(
        """
        SELECT a.key AS key, a.digest AS digest, a.person AS person
        FROM arrived AS a
        WHERE NOT EXISTS (SELECT 1 AS one FROM released AS r WHERE r.key = a.key)
            AND NOT EXISTS (SELECT 1 AS one FROM ledger_erased AS e WHERE e.key = a.key)
        """
    )
    return Step("waiting", "each row is a transaction that no slice has", query)


def unlisted(cells: exp.Expr, lists: Sequence[str]) -> Step:
    """One row per waiting transaction with an item that no list and no earlier slice has."""
    text = "NOT EXISTS (SELECT 1 AS one FROM $listed AS l WHERE l.name = CAST(c.name AS TEXT))"
    query = duck(
        """
        SELECT DISTINCT w.key AS key
        FROM waiting AS w JOIN $cells AS c ON CAST(c.key AS TEXT) = w.key
        WHERE NOT c.name IS NULL AND $listed AND NOT EXISTS (
            SELECT 1 AS one FROM ledger_role AS r WHERE r.name = CAST(c.name AS TEXT)
        )
        """,
        cells=cells,
        listed=[term(text, listed=one) for one in lists],
    )
    return Step("unlisted", "each row is a transaction with an item that no list knows", query)


def unlisted_number() -> Step:
    """One row: the transactions that wait until an item is listed."""
    return Step(
        "unlisted_number",
        "counts transactions with an item that no list knows",
        duck("SELECT COUNT(*) AS held FROM unlisted AS u"),
    )


def chosen(*, listed: bool) -> Step:
    """The transactions of the new slice: all that wait, but not those with unlisted items."""
    without = term("NOT EXISTS (SELECT 1 AS one FROM unlisted AS u WHERE u.key = w.key)")
    query = duck(
        """
        SELECT w.key AS key, w.digest AS digest, w.person AS person FROM waiting AS w WHERE $known
        """,
        known=[without] if listed else [],
    )
    return Step("slice_key", "each row is a transaction of the new slice", query)


def ages() -> Step:
    """One row: the transactions to release, the first night and the first day of any of them."""
    query = duck(
        """
        SELECT COUNT(*) AS held, MIN(l.night) AS night, MIN(l.since) AS since
        FROM slice_key AS k LEFT JOIN ledger_arrival AS l ON l.key = k.key
        """
    )
    return Step("slice_ages", "counts the waiting transactions, with the first day of any", query)


def restricted(columns: Sequence[str], key: exp.Column) -> Step:
    """The rows of the source that are of the slice, and the rows without a transaction."""
    query = duck(
        """
        SELECT $columns FROM source AS s
        WHERE s.$key IS NULL OR EXISTS (
            SELECT 1 AS one FROM slice_key AS k WHERE k.key = CAST(s.$key AS TEXT)
        )
        """,
        columns=user_columns("s", columns),
        key=key,
    )
    return Step(
        "sliced", "each row is a row of the source whose transaction is in the slice", query
    )
