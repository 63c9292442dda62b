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
from setveil.sql.step import Step, duck, term


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


def decoded_pairs() -> exp.Subquery:
    """One row per code of the data, as the checker sees it: what was there was the code."""
    query = duck(
        """
        SELECT p.name AS code, i.name AS name
        FROM key_pair AS p JOIN item AS i ON CAST(i.name AS TEXT) = p.code
        """
    )
    return query.subquery()


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
        SELECT 1 FROM source AS s
        JOIN label AS l ON l.name = $item
        JOIN code AS c ON c.item = l.item
        WHERE NOT $key IS NULL
        """,
        key=_of("s", key),
        item=_of("s", item),
    )
    shown = {item.name: exp.column("code", table="c")}
    columns_shown = [
        shown.get(name, _of("s", column(name))).as_(name, quoted=True) for name in columns
    ]
    columns_shown.append(exp.column("number", table="c").as_(number, quoted=True))
    query.set("expressions", columns_shown)
    why = "the rows of the source, each item by its code"
    return Step("release", why, query.distinct() if distinct else query)


def renamed_listed(columns: tuple[str, ...], line: str, key: exp.Column, item: str) -> Step:
    """The rows of the source, each with the codes of its list, in the order of their numbers."""
    query = duck(
        """
        SELECT 1 FROM source AS s
        LEFT JOIN (
            SELECT u.line AS line, LIST(c.code ORDER BY c.number) AS codes
            FROM (SELECT DISTINCT $line AS line, UNNEST($items) AS name FROM source AS t) AS u
            JOIN label AS l ON l.name = u.name
            JOIN code AS c ON c.item = l.item
            GROUP BY u.line
        ) AS k ON k.line = $source_line
        WHERE NOT $source_key IS NULL AND NOT $source_items IS NULL
        """,
        line=_of("t", column(line)),
        items=_of("t", column(item)),
        source_line=_of("s", column(line)),
        source_key=_of("s", key),
        source_items=_of("s", column(item)),
    )
    shown = {item: term("COALESCE(k.codes, [])")}
    query.set(
        "expressions",
        [shown.get(name, _of("s", column(name))).as_(name, quoted=True)
         for name in (*columns, line)],
    )  # fmt: skip
    return Step("release", "the lists of the source, each item by its code", query)


def _of(table: str, name: exp.Column) -> exp.Column:
    return exp.column(name.this.copy(), table=table)
