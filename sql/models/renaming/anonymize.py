"""Put other names in the place of items, and leave no trace of the order the names were in.

Makes code(item, code, number): what stands for each item, and its number to sort by. A new code is
the item's place when items are sorted by a hash that depends on a secret: MD5, because
every engine has it and computes the same; it decides an order, and shows nobody its values. Reads
item(item, name, support), label, basket and source, as sql/run/reading.py makes them, and
key_pair(code, name), a key as it was written.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, term, user_columns


def codes(secret: str) -> Step:
    """One row per item: its code, a number from 1 up to as many as there are items."""
    query = duck(
        """
        SELECT h.item AS item, CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.item) AS INT) AS code,
            CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.item) AS INT) AS number
        FROM (
            SELECT i.item AS item, MD5($secret || ':' || CAST(i.item AS TEXT)) AS hash
            FROM item AS i
        ) AS h
        """,
        secret=exp.Literal.string(secret),
    )
    return Step("code", "codes at random: their order is that of a hash with a secret", query)


def key() -> exp.Select:
    """The key: every code with the name it stands for, in the order of the codes."""
    return duck(
        """
        SELECT c.code AS code, i.name AS name
        FROM code AS c JOIN item AS i ON i.item = c.item
        ORDER BY code
        """
    )


def key_pairs(relation: exp.Expr) -> Step:
    """One row per code of a key that was read, the code as text."""
    query = duck(
        "SELECT CAST(f.code AS TEXT) AS code, f.name AS name FROM $file AS f", file=relation
    )
    return Step("key_pair", "the key, as it was written", query)


def key_sizes() -> Step:
    """One row: how many rows a key has, codes and names."""
    query = duck(
        """
        SELECT COUNT(*) AS pairs, COUNT(DISTINCT p.code) AS codes, COUNT(DISTINCT p.name) AS names
        FROM key_pair AS p
        """
    )
    return Step("key_size", "in a key every code and every name is there once", query)


def unknown_codes(limit: int) -> Step:
    """One row per item of the data that the key has no code for: the first of them."""
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name, COUNT(*) OVER () AS missing
        FROM item AS i
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM key_pair AS p WHERE p.code = CAST(i.name AS TEXT)
        )
        ORDER BY i.item LIMIT $limit
        """,
        limit=limit,
    )
    return Step("unknown_code", "every code of the data must be in the key", query)


def decoded() -> Step:
    """One row per code of the data: the name it stands for."""
    query = duck(
        """
        SELECT i.item AS item, p.name AS code,
            CAST(ROW_NUMBER() OVER (ORDER BY p.name) AS INT) AS number
        FROM item AS i JOIN key_pair AS p ON p.code = CAST(i.name AS TEXT)
        """
    )
    return Step("code", "the names that the codes stand for", query)


def decoded_pairs() -> exp.Select:
    """One row per code of the data, as the checker sees it: what was there was the code."""
    return duck(
        """
        SELECT p.name AS code, i.name AS name
        FROM key_pair AS p JOIN item AS i ON CAST(i.name AS TEXT) = p.code
        """
    )


def renamed_long(
    columns: tuple[str, ...],
    number: str,
    key: exp.Column,
    item: exp.Column,
    *,
    distinct: bool,
) -> Step:
    """The rows of the source with the code in the item's place, and its number to sort by."""
    query = duck(
        """
        SELECT $columns, c.number AS $number FROM source AS s
        JOIN label AS l ON l.name = s.$item
        JOIN code AS c ON c.item = l.item
        WHERE NOT s.$key IS NULL
        """,
        columns=user_columns("s", columns, {item.name: term("c.code")}),
        number=column(number),
        key=key,
        item=item,
    )
    why = "the rows of the source, each item by its code"
    return Step("release", why, query.distinct() if distinct else query)


def renamed_listed(columns: tuple[str, ...], line: str, key: exp.Column, item: str) -> Step:
    """The rows of the source, each with the codes of its list, in the order of their numbers."""
    query = duck(
        """
        SELECT $columns FROM source AS s
        LEFT JOIN (
            SELECT u.line AS line, LIST(c.code ORDER BY c.number) AS codes
            FROM (SELECT DISTINCT t.$line AS line, UNNEST(t.$items) AS name FROM source AS t) AS u
            JOIN label AS l ON l.name = u.name
            JOIN code AS c ON c.item = l.item
            GROUP BY u.line
        ) AS k ON k.line = s.$line
        WHERE NOT s.$key IS NULL AND NOT s.$items IS NULL
        """,
        columns=user_columns("s", (*columns, line), {item: term("COALESCE(k.codes, [])")}),
        line=column(line),
        items=column(item),
        key=key,
    )
    return Step("release", "the lists of the source, each item by its code", query)
