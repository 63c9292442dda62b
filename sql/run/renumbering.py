"""Put random numbers in the place of transaction ids, and ids back in the place of numbers.

Makes entropy(secret), and renumbered(id, number): a number from 1 up to as many as there are
transactions, in the order of a hash that depends on the secret. It is MD5 twice, which every
engine has and computes alike; it decides an order, and shows nobody its values. What is hashed is
the place of an id among all of them, so that no engine's text of an id matters. Reads release, and
to put ids back source and number_key(id, number), a key as it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, term, user_columns


def entropy(secret: str) -> Step:
    """One row: what the order of the numbers depends on."""
    query = duck("SELECT $secret AS secret", secret=exp.Literal.string(secret))
    return Step("entropy", "random and secret: with it, numbers lead back to ids", query)


def numbers(key: exp.Column) -> Step:
    """One row per transaction of the release: its id, and its number, in the order of numbers."""
    query = duck(
        """
        SELECT h.id AS id, CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.place) AS INT) AS number
        FROM (
            SELECT p.id AS id, p.place AS place,
                MD5(e.secret || ':' || MD5(e.secret || ':' || CAST(p.place AS TEXT))) AS hash
            FROM (
                SELECT d.id AS id, ROW_NUMBER() OVER (ORDER BY d.id) AS place
                FROM (SELECT DISTINCT r.$key AS id FROM release AS r) AS d
            ) AS p
            CROSS JOIN entropy AS e
        ) AS h
        ORDER BY number
        """,
        key=key,
    )
    return Step("renumbered", "numbers whose order follows neither the ids nor the data", query)


def renumbered(query: exp.Select, key: exp.Column) -> exp.Select:
    """A query over `release` with the number in the place of the key, and in the order by it."""
    given, number = _of("r", key), exp.column("number", table="n")
    shown = query.copy()
    for one in list(shown.find_all(exp.Column)):
        if one == given:
            one.replace(number.copy())
    made = exp.to_table("renumbered").as_("n")
    return shown.join(made, on=term("n.id = $key", key=given))


def key_rows() -> exp.Select:
    """The key: every id with the number in its place."""
    return duck("SELECT n.id AS id, n.number AS number FROM renumbered AS n")


# The way back


def key_read(relation: exp.Expr) -> Step:
    """One row per number of a key that was read, the number as text."""
    query = duck(
        "SELECT f.id AS id, CAST(f.number AS TEXT) AS number FROM $file AS f", file=relation
    )
    return Step("number_key", "the key, as it was written", query)


def key_sizes() -> Step:
    """One row: how many rows a key has, ids and numbers."""
    query = duck(
        """
        SELECT COUNT(*) AS pairs, COUNT(DISTINCT k.id) AS ids, COUNT(DISTINCT k.number) AS numbers
        FROM number_key AS k
        """
    )
    return Step("number_key_size", "in a key every id and every number is there once", query)


def unknown_numbers(key: exp.Column) -> Step:
    """One row: the rows whose number the key does not have."""
    query = duck(
        """
        SELECT COUNT(*) AS missing FROM source AS s
        WHERE NOT s.$key IS NULL AND NOT EXISTS (
            SELECT 1 AS one FROM number_key AS k WHERE k.number = CAST(s.$key AS TEXT)
        )
        """,
        key=key,
    )
    return Step("unknown_number", "every number of the release must be in the key", query)


def put_back(columns: Sequence[str], key: exp.Column, original: exp.Expr) -> Step:
    """The rows of the source, with the id `original` of the key in the place of the number."""
    query = duck(
        """
        SELECT $columns FROM source AS s
        LEFT JOIN number_key AS k ON k.number = CAST(s.$key AS TEXT)
        """,
        columns=user_columns("s", columns, {key.name: original}),
        key=key,
    )
    return Step("put_back", "transactions by the ids that they had", query)


def _of(table: str, name: exp.Column) -> exp.Column:
    return exp.column(name.this.copy(), table=table)
