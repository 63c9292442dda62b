"""Draw at random: rolls are equal on every engine, and a draw from an urn is a join."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Value, duck, shown, term

CELLS = 262_144  # cells of the urns of products and patterns: the low 18 bits of a roll


def urn(values: exp.Query, cells: int, rank: str = "value") -> exp.Query:
    """One row per cell 0..cells-1: every value has one cell, and the others by its weight."""
    return duck(
        """
        WITH running AS (
            SELECT
                value, weight,
                ROW_NUMBER() OVER (ORDER BY $rank, value) AS n,
                COUNT(*) OVER () AS count,
                CAST(SUM(weight) OVER (
                    ORDER BY $rank, value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS BIGINT) AS upto,
                CAST(SUM(weight) OVER () AS BIGINT) AS total
            FROM $source AS v
        )
        SELECT
            value,
            UNNEST(RANGE(
                n - 1 + (upto - weight) * ($cells - count) // total,
                n + upto * ($cells - count) // total
            )) AS cell
        FROM running
        """,
        source=values,
        cells=cells,
        rank=rank,
    )


def rolled(text: str, ids: tuple[str, str], offset: int, **values: Value) -> exp.Query:
    """The rows that a text with `$rolls` selects, each with its `roll`, made of two ids."""
    x = "(CAST($first AS BIGINT) * 48271 + $second * 69621 + $offset) % 2147483647 AS x"
    rolls = [
        shown(x, first=term(ids[0]), second=term(ids[1]), offset=offset),
        shown("x * x % 2147483647 AS x2"),
        shown("(x2 * x2 % 2147483647) * x % 2147483647 AS roll"),
    ]
    return duck(text, rolls=rolls, **values)


def fraction(value: float) -> exp.Expr:
    return exp.Literal.number(value)


def values(columns: Sequence[str], rows: Sequence[Sequence[str | int | bool]]) -> exp.Query:
    """A relation written as VALUES: words of the program, never of the data."""
    tuples = [exp.Tuple(expressions=[exp.convert(one) for one in row]) for row in rows]
    names = exp.TableAlias(columns=[exp.to_identifier(one) for one in columns])
    return duck(
        "SELECT $columns FROM $values AS v",
        columns=[term("v.$name", name=one) for one in columns],
        values=exp.Values(expressions=tuples, alias=names),
    )
