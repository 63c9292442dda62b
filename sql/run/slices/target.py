"""The rows of a target, slice by slice, and all of them together.

Reads slice_key, released and release. Makes whole_target, with the columns that a promise covers,
and slice_owner(key, person), the person of each transaction of the target.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, term, user_column, user_columns

SLICE = "slice"  # the column that a release gets


def with_slice(query: exp.Select, number: int) -> exp.Select:
    """The rows of a release with the number of their slice."""
    column = exp.cast(exp.Literal.number(number), "INT").as_(SLICE, quoted=True)
    return query.copy().select(column, copy=False)


def left(cells: exp.Expr) -> Step:
    """One row: the occurrences that are left in a release."""
    query = duck("SELECT COUNT(c.name) AS held FROM $cells AS c", cells=cells)
    return Step("left", "counts the occurrences that are left", query)


def largest() -> Step:
    """One row: the largest number that replaces an id."""
    query = duck("SELECT COALESCE(MAX(n.number), 0) AS largest FROM renumbered AS n")
    return Step("largest_number", "reads the largest number that replaces an id", query)


def largest_group(group: str) -> Step:
    """One row: the largest number of a group of the slice."""
    query = duck(
        "SELECT COALESCE(MAX(r.$group), 0) AS largest FROM release AS r", group=user_column(group)
    )
    return Step("largest_group", "reads the largest number of a group", query)


def held(relation: exp.Expr, columns: Sequence[str]) -> Step:
    """One row per slice of a table: its rows, and a digest of them."""
    text = term("''")
    for name in columns:
        value = term("COALESCE(MD5(CAST(r.$value AS TEXT)), '-')", value=user_column(name))
        text = term("$all || $value", all=text, value=value)
    query = duck(
        """
        SELECT r.slice AS slice, COUNT(*) AS held,
            CAST(SUM(CAST(DIGEST($row) AS DECIMAL(38, 0))) AS TEXT) AS digest
        FROM $relation AS r GROUP BY r.slice
        """,
        relation=relation,
        row=text,
    )
    return Step("target_slices", "counts the rows of each slice, with their digest", query)


def whole(old: exp.Expr | None, key: exp.Column, columns: Sequence[str], new: exp.Expr) -> Step:
    """The judged rows of all slices: those of the target, and those of the new one."""
    rows: list[exp.Query] = (
        []
        if old is None
        else [duck("SELECT $columns FROM $old AS r", columns=_as_text("r", columns, key), old=old)]
    )
    rows.append(
        duck("SELECT $columns FROM $new AS r", columns=_as_text("r", columns, key), new=new)
    )
    return Step(
        "whole_target",
        "each row is a row of the target or of the new slice",
        exp.union(*rows, distinct=False) if len(rows) > 1 else rows[0],
    )


def _as_text(owner: str, columns: Sequence[str], key: exp.Column) -> list[exp.Expr]:
    text = term("CAST($owner.$key AS TEXT)".replace("$owner", owner), key=key)
    return user_columns(owner, columns, {key.name: text})


def owners(*, renumbered: bool) -> Step:
    """One row per transaction of the whole target: its id there, and the number of its person."""
    number = joins("JOIN renumbered AS n ON CAST(n.id AS TEXT) = k.key", [0])
    query = duck(
        """
        SELECT t.key AS key, CAST(DENSE_RANK() OVER (ORDER BY t.person) - 1 AS INT) AS person
        FROM (
            SELECT r.id AS key, r.person AS person FROM released AS r
            WHERE NOT r.id IS NULL AND r.erased = 0
            UNION ALL
            SELECT $id AS key, k.person AS person FROM slice_key AS k JOIN $number
        ) AS t
        """,
        id=term("CAST(n.number AS TEXT)") if renumbered else term("k.key"),
        number=number if renumbered else [],
    )
    return Step("slice_owner", "each row is a transaction of the target and its person", query)
