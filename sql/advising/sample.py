"""A part of the transactions, spread evenly over their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.text import duck, user_columns


def part(
    source: exp.Expr,
    basket: exp.Expr,
    columns: Sequence[str],
    key: exp.Column,
    parts: int,
    *,
    persons: bool,
    line: str | None,
) -> exp.Select:
    """The rows of each `parts`-th transaction; where persons count, of each `parts`-th person."""
    ordered = [] if line is None else [exp.column(line, table="s")]
    query = duck(
        """
        SELECT $columns
        FROM $source AS s JOIN $basket AS b ON b.key = s.$key
        WHERE b.$unit % $parts = 0
        """,
        source=source,
        basket=basket,
        columns=user_columns("s", columns),
        key=key,
        unit="person" if persons else "tid",
        parts=parts,
    )
    return query.order_by(*ordered) if ordered else query
