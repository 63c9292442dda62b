"""How many transactions the values of further columns single out, if they were published."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, shown, user_column


def rare_values(name: str, key: exp.Column, k: int) -> Step:
    """One row: the values of a column, and the transactions with one that fewer than k hold."""
    query = duck(
        """
        WITH cell AS (
            SELECT DISTINCT s.$key AS key, CAST(s.$value AS TEXT) AS value
            FROM source AS s WHERE NOT s.$key IS NULL AND NOT s.$value IS NULL
        ), held AS (
            SELECT c.value AS value, COUNT(*) AS transactions FROM cell AS c GROUP BY c.value
        )
        SELECT COUNT(DISTINCT h.value) AS distinct_values,
            COUNT(DISTINCT CASE WHEN h.transactions < $k THEN c.key END) AS singled_out
        FROM cell AS c JOIN held AS h ON h.value = c.value
        """,
        key=key,
        value=user_column(name),
        k=k,
    )
    why = "counts the values of a column, and the transactions with a value that few hold"
    return Step("rare_value", why, query)


def rare_together(names: Sequence[str], key: exp.Column, k: int) -> Step:
    """One row: the transactions whose values of all these columns fewer than k have together."""
    cells = [
        shown(f"CAST($v AS TEXT) AS value_{n}", v=user_column(name, "s"))
        for n, name in enumerate(names)
    ]
    query = duck(
        """
        SELECT COUNT(DISTINCT CASE WHEN c.transactions < $k THEN c.key END) AS singled_out
        FROM (
            SELECT d.key AS key, COUNT(*) OVER (PARTITION BY $values) AS transactions
            FROM (
                SELECT DISTINCT s.$key AS key, $cells
                FROM source AS s WHERE NOT s.$key IS NULL
            ) AS d
        ) AS c
        """,
        cells=cells,
        values=[exp.column(f"value_{n}", table="d") for n in range(len(names))],
        key=key,
        k=k,
    )
    why = "counts the transactions whose values of all carried columns few have together"
    return Step("rare_together", why, query)
