"""Merge rows with lists that name the same transaction.

Reads source, and source_cell(key, name) with the elements of its lists.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, shown, term, user_columns


def contradictions(
    columns: Sequence[str], by_text: Collection[str], key: str, item: str, line: str
) -> Step:
    """One row: for each column, the number of rows that differ from the transaction's first.

    Columns `by_text` have values without comparison, or equal values that look different.
    """
    values = "s.$name IS DISTINCT FROM f.$name"
    texts = "CAST(s.$name AS TEXT) IS DISTINCT FROM CAST(f.$name AS TEXT)"
    differ = [
        shown(
            f"COUNT(CASE WHEN {texts if name in by_text else values} THEN 1 END) AS $number",
            name=column(name),
            number=f"c{number}",
        )
        for number, name in enumerate(columns)
    ]
    query = duck(
        """
        SELECT $differ FROM source AS s
        JOIN $first AS m ON m.key = s.$key
        JOIN source AS f ON f.$line = m.line
        """,
        differ=differ,
        first=_first_rows(key, item, line),
        key=column(key),
        line=column(line),
    )
    why = "counts rows that differ from the first row of their transaction in a carried column"
    return Step("contradictions", why, query)


def merged(columns: Sequence[str], key: str, item: str, line: str) -> Step:
    """The first row of every transaction, with the items of all its rows."""
    query = duck(
        """
        SELECT $columns FROM source AS f
        JOIN $first AS m ON m.line = f.$line
        LEFT JOIN (
            SELECT u.key AS key, LIST(u.name ORDER BY u.name) AS held
            FROM (
                SELECT DISTINCT c.key AS key, c.name AS name FROM source_cell AS c
                WHERE NOT c.name IS NULL
            ) AS u
            GROUP BY u.key
        ) AS h ON h.key = m.key
        """,
        columns=user_columns("f", (*columns, line), {item: term("COALESCE(h.held, [])")}),
        first=_first_rows(key, item, line),
        line=column(line),
    )
    return Step("merged", "each row is a transaction: rows that repeat its id are merged", query)


def _first_rows(key: str, item: str, line: str) -> exp.Select:
    """One row (key, line) per transaction: the first of its lines."""
    return duck(
        """
        SELECT t.$key AS key, MIN(t.$line) AS line FROM source AS t
        WHERE NOT t.$key IS NULL AND NOT t.$item IS NULL GROUP BY t.$key
        """,
        key=column(key),
        item=column(item),
        line=column(line),
    )
