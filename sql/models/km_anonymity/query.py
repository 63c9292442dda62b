"""Check k^m-anonymity in one query, by the relations of the checker."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sqlglot import exp

from setveil.sql.models.km_anonymity import check
from setveil.sql.models.km_anonymity import check_persons as people
from setveil.sql.query.violations import beside, gathered, named, told, unordered
from setveil.sql.step import Step, duck, shown

FAULT = "fewer than k hold these items"


def relations(
    cells: exp.Expr, k: int, m: int | None, *, levels: bool, persons: bool
) -> Iterator[Step]:
    """The relations of the checker, up to sets of m nodes; None: whole transactions."""
    yield check.nodes(cells, levels=levels)
    yield people.transactions() if persons else check.transactions(cells)
    yield check.held(cells, levels=levels)
    if m is None and persons:
        yield from (people.members(), people.kinds(), people.fitting(k))
    elif m is None:
        yield from (check.kinds(), check.fitting(k))
    for size in range(1, 1 + (m or 0)):
        yield people.sets(size, k) if persons else check.sets(size)
        if persons:
            yield people.few(size, k)


def found(
    k: int, m: int | None, *, levels: bool, persons: bool, sliced: bool = False
) -> Iterator[exp.Select]:
    """The violations: sets of the smallest size that has some, or whole transactions."""
    told_of = partial(_told, persons=persons, sliced=sliced)
    if m is None:
        yield told_of(1, _whole(k, levels=levels, persons=persons, sliced=sliced), "v.items")
    for size in range(1, 1 + (m or 0)):
        of = people if persons else check
        rows = unordered(of.violations(size, k, None))
        names = [named(f"v.name{n}", sliced=sliced) for n in range(1, size + 1)]
        if levels:
            names = [f"CAST(v.level{n} AS TEXT) || ' ' || {one}" for n, one in enumerate(names, 1)]
        yield told_of(size, rows, beside(names), part="v.name1")


def _told(
    place: int,
    rows: exp.Query,
    items: str,
    part: str = "v.part",
    *,
    persons: bool,
    sliced: bool,
) -> exp.Select:
    return told(
        FAULT,
        rows,
        place=place,
        part=part if sliced else None,
        items=items,
        transactions="v.support",
        persons="v.persons" if persons else None,
    )


def _whole(k: int, *, levels: bool, persons: bool, sliced: bool) -> exp.Select:
    of, name = people if persons else check, named("c.name", sliced=sliced)
    return duck(
        """
        SELECT c.support AS support, $persons, $part, $items AS items
        FROM $rows AS c GROUP BY c.place, c.support, $of
        """,
        persons=[shown("c.persons AS persons")] if persons else [],
        of=[shown("c.persons")] if persons else [],
        part=[shown("MIN(c.name) AS part")] if sliced else [],
        items=gathered(f"CAST(c.level AS TEXT) || ' ' || {name}" if levels else name),
        rows=unordered(of.whole(k, None)),
    )
