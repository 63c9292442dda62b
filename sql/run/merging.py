"""Merge rows with lists that name the same transaction.

Reads source, and source_cell(key, name) with the elements of its lists.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, term


def contradictions(
    columns: Sequence[str], by_text: Collection[str], key: str, item: str, line: str
) -> Step:
    """One row: of each column, how many rows differ from the first of their transaction.

    Columns `by_text` have values that cannot be compared, or are equal and look different.
    """
    query = duck(
        """
        SELECT 1 FROM source AS s
        JOIN $first AS m ON m.key = $key
        JOIN source AS f ON $line = m.line
        """,
        first=_first_rows(key, item, line),
        key=_of("s", key),
        line=_of("f", line),
    )
    shown: list[exp.Expr] = []
    for number, name in enumerate(columns):
        pair: list[exp.Expr] = [_of("s", name), _of("f", name)]
        if name in by_text:
            pair = [exp.cast(one, "TEXT") for one in pair]
        differ = exp.NullSafeNEQ(this=pair[0], expression=pair[1])
        shown.append(term("COUNT(CASE WHEN $differ THEN 1 END)", differ=differ).as_(f"c{number}"))
    query.set("expressions", shown)
    why = "rows of one transaction become one: they must not differ in what they carry"
    return Step("contradictions", why, query)


def merged(columns: Sequence[str], key: str, item: str, line: str) -> Step:
    """The first row of every transaction, with the items of all its rows."""
    query = duck(
        """
        SELECT 1 FROM source AS f
        JOIN $first AS m ON m.line = $line
        LEFT JOIN (
            SELECT u.key AS key, LIST(u.name ORDER BY u.name) AS held
            FROM (
                SELECT DISTINCT c.key AS key, c.name AS name FROM source_cell AS c
                WHERE NOT c.name IS NULL
            ) AS u
            GROUP BY u.key
        ) AS h ON h.key = m.key
        """,
        first=_first_rows(key, item, line),
        line=_of("f", line),
    )
    made = {item: term("COALESCE(h.held, [])")}
    shown = [made.get(name, _of("f", name)).as_(name, quoted=True) for name in (*columns, line)]
    query.set("expressions", shown)
    return Step("merged", "rows that repeat a transaction id are one transaction", query)


def _first_rows(key: str, item: str, line: str) -> exp.Subquery:
    """One row (key, line) per transaction: the first of its lines."""
    query = duck(
        """
        SELECT $key AS key, MIN($line) AS line FROM source AS t
        WHERE NOT $key IS NULL AND NOT $item IS NULL GROUP BY $key
        """,
        key=_of("t", key),
        item=_of("t", item),
        line=_of("t", line),
    )
    return query.subquery()


def _of(table: str, name: str) -> exp.Column:
    return exp.column(column(name).this, table=table)
