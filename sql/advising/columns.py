"""How many transactions the values of a further column single out, if it were published."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, user_column


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
