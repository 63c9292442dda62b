"""Check k-anonymity in one query, by the relations of the checker.

The checker compares likely twins until none differ, which a query cannot: it compares all nodes of
a transaction as one text.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.models.k_anonymity import check
from setveil.sql.query.violations import gathered, named, told, unordered
from setveil.sql.step import Step, duck, shown


def relations(cells: exp.Expr, *, levels: bool, persons: bool) -> Iterator[Step]:
    """The relations of the checker."""
    yield check.keys_of_persons() if persons else check.keys(cells)
    yield check.nodes(cells, levels=levels)
    yield check.holdings(cells, levels=levels)
    yield check.alike()
    yield check.classes_of_persons(1) if persons else check.classes(1)


def found(k: int, *, levels: bool, persons: bool, sliced: bool = False) -> Iterator[exp.Select]:
    """The violations: classes of fewer than k."""
    name = named("c.label", sliced=sliced)
    rows = duck(
        """
        SELECT c.transactions AS transactions, $persons, $part, $items AS items
        FROM $rows AS c GROUP BY c.place, c.transactions, $of
        """,
        persons=[shown("c.persons AS persons")] if persons else [],
        of=[shown("c.persons")] if persons else [],
        part=[shown("MIN(c.label) AS part")] if sliced else [],
        items=gathered(f"CAST(c.level AS TEXT) || ' ' || {name}" if levels else name),
        rows=unordered(check.violations(k, None, None, persons=persons)),
    )
    yield told(
        "a class has fewer than k",
        rows,
        place=1,
        part="v.part" if sliced else None,
        items="v.items",
        transactions="v.transactions",
        persons="v.persons" if persons else None,
    )
