"""Replace the names of items by codes, and leave no trace of the order of the names.

Makes code(item, code, number): the code of each item, and its number to sort by. A new code is the
item's place when items are sorted by a hash that depends on a secret. The hash is MD5, which every
engine computes alike; it decides only the order, and its values are not published. Reads item(item,
name, support), label, basket and source, as sql/run/reading.py makes them, and key_pair(code,
name), a key as it was written.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, term, user_columns


def codes(secret: str) -> Step:
    """One row per item: its code, a number from 1 to the number of items."""
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
    return Step(
        "code", "each row is an item and its random code, in an order that a secret decides", query
    )


def key() -> exp.Select:
    """The key: every code with its name, in the order of the codes."""
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
    return Step("key_pair", "each row is a code and its name, from the key file", query)


def key_sizes() -> Step:
    """One row: the rows of a key, its distinct codes and distinct names."""
    query = duck(
        """
        SELECT COUNT(*) AS pairs, COUNT(DISTINCT p.code) AS codes, COUNT(DISTINCT p.name) AS names
        FROM key_pair AS p
        """
    )
    return Step(
        "key_size",
        "counts rows, codes and names of the key: each code and each name must be there once",
        query,
    )


def unknown_codes(limit: int) -> Step:
    """One row per item of the data without a code in the key, up to the limit."""
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
    return Step(
        "unknown_code", "lists codes of the data that are not in the key: there must be none", query
    )


def decoded() -> Step:
    """One row per code of the data: the name it stands for."""
    query = duck(
        """
        SELECT i.item AS item, p.name AS code,
            CAST(ROW_NUMBER() OVER (ORDER BY p.name) AS INT) AS number
        FROM item AS i JOIN key_pair AS p ON p.code = CAST(i.name AS TEXT)
        """
    )
    return Step("code", "each row is a code of the data and the name it stands for", query)


def decoded_pairs() -> exp.Select:
    """One row per code of the data, in the columns of the checker: the code is the old name."""
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
    why = "each row is a row of the source with the code of its item"
    return Step("release", why, query.distinct() if distinct else query)


def renamed_listed(columns: tuple[str, ...], line: str, key: exp.Column, item: str) -> Step:
    """The rows of the source, with the codes of their lists, in the order of their numbers."""
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
    return Step("release", "each row is a row of the source with the codes of its items", query)
