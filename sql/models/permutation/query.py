"""Check permuted groups in one query, by the relations of the checker."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.models.permutation import check
from setveil.sql.query.violations import told
from setveil.sql.step import Step, duck, duck_union, term

# The kinds of faults of the checker, in words.
TORN = 5
KINDS = {
    1: "too many of a group hold the item",
    2: "the sensitive item is published in transactions",
    3: "the transaction is in no group, or in several",
    4: "a group has several transactions of a person",
    TORN: "the group is in no slice, or in several",
}


def relations(
    cells: exp.Expr,
    groups: exp.Expr,
    counts: exp.Expr,
    sensitive: exp.Expr,
    degree: int,
    *,
    persons: bool,
    slices: exp.Expr | None = None,
) -> Iterator[Step]:
    """The relations of the checker."""
    yield check.members(groups)
    yield check.sizes()
    yield check.counts(counts)
    yield check.faults(cells, sensitive, degree, persons=persons, slices=slices)


def found(*, sliced: bool) -> Iterator[exp.Select]:
    """The violations: faults of groups."""
    for kind, fault in KINDS.items():
        if kind == TORN and not sliced:
            continue
        of_group = kind == 1
        rows = duck(
            """
            SELECT f.number AS number, f.name AS name, f.held AS held, f.size AS size
            FROM check_fault AS f WHERE f.kind = $kind
            """,
            kind=kind,
        )
        yield told(
            fault,
            rows,
            place=1,
            items=term("'group ' || v.number") if kind in (1, 4, TORN) else "v.name",
            transactions="v.size" if of_group else "v.held",
            reveals="v.name" if of_group else None,
            revealed_transactions="v.held" if of_group else None,
        )


def supports(items: exp.Query, counts: exp.Expr) -> exp.Query:
    """One row (name, support) per item of either relation, from those (name, support) of one."""
    return duck_union(
        """
        SELECT f.name AS name, f.support AS support FROM $items AS f
        UNION ALL
        SELECT c.name AS name, CAST(COALESCE(SUM(c.held), 0) AS BIGINT) AS support
        FROM $counts AS c
        WHERE NOT c.name IS NULL AND NOT EXISTS (
            SELECT 1 AS one FROM $items AS f WHERE CAST(f.name AS TEXT) = CAST(c.name AS TEXT)
        )
        GROUP BY c.name
        """,
        items=items,
        counts=counts,
    )


def names(cells: exp.Expr) -> exp.Query:
    """One row (label) per item of either relation of the release."""
    return duck_union(
        """
        SELECT r.name AS label FROM $cells AS r WHERE NOT r.name IS NULL
        UNION
        SELECT c.name AS label FROM check_count AS c WHERE NOT c.name IS NULL
        """,
        cells=cells,
    )
