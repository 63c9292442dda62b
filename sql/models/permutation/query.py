"""Check permuted groups in one query, by the relations of the checker."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.models.permutation import check
from setveil.sql.query.violations import told
from setveil.sql.step import Step, duck, duck_union, term

# The kinds of faults of the checker, in words.
KINDS = {
    1: "too many of a group hold the item",
    2: "the sensitive item is published in transactions",
    3: "the transaction is in no group, or in several",
    4: "a group has several transactions of a person",
}


def relations(
    cells: exp.Expr,
    groups: exp.Expr,
    counts: exp.Expr,
    sensitive: exp.Expr,
    degree: int,
    *,
    persons: bool,
) -> Iterator[Step]:
    """The relations of the checker."""
    yield check.members(groups)
    yield check.sizes()
    yield check.counts(counts)
    yield check.faults(cells, sensitive, degree, persons=persons)


def found() -> Iterator[exp.Select]:
    """The violations: faults of groups."""
    for kind, fault in KINDS.items():
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
            items=term("'group ' || v.number") if kind in (1, 4) else "v.name",
            transactions="v.size" if of_group else "v.held",
            reveals="v.name" if of_group else None,
            revealed_transactions="v.held" if of_group else None,
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
