"""Check rho-uncertainty at a fixed knowledge in one query, by the relations of the checker."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.models.uncertainty import check
from setveil.sql.models.uncertainty import check_persons as people
from setveil.sql.models.uncertainty.check import Rule
from setveil.sql.query.violations import gathered, named, told, unordered
from setveil.sql.step import Step, duck, shown


def relations(cells: exp.Expr, sensitive: exp.Expr, rule: Rule, most: int) -> Iterator[Step]:
    """The relations of the checker, up to rules of `most` known items."""
    yield check.keys(cells)
    if rule.persons:
        yield people.people()
    yield check.names(cells)
    yield check.occurrences(cells)
    yield check.items(sensitive)
    yield check.holdings(persons=rule.persons)
    yield check.secrets()
    yield check.told()
    yield check.first_sets(persons=rule.persons)
    yield check.first_witnesses()
    if most > 1:
        yield check.wholes()
        yield check.matches()
        yield check.covers(persons=rule.persons)
    for size in range(2, most + 1):
        yield check.growing(size - 1, rule)
        yield check.witnesses(size, rule)
        yield check.reached(size, persons=rule.persons)
        yield check.sets(size, persons=rule.persons)


def found(rule: Rule, most: int, *, sliced: bool = False) -> Iterator[exp.Select]:
    """The violations: unsafe rules of the fewest known items that have some."""
    for size in range(1, most + 1):
        rows = duck(
            """
            SELECT u.hits AS hits, u.support AS support, u.secret AS secret, $both,
                $items AS items
            FROM $rows AS u
            GROUP BY u.place, u.hits, u.support, u.secret, $of
            """,
            both=_both("u", rule) and [shown(f"u.{one} AS {one}") for one in BOTH],
            of=_both("u", rule),
            items=gathered(named("u.item", sliced=sliced)),
            rows=unordered(check.unsafe(size, rule, None)),
        )
        yield told(
            "these items reveal an item",
            rows,
            place=size,
            part="v.secret" if sliced else None,
            items="v.items",
            transactions="v.support",
            persons="v.of_persons" if rule.persons else None,
            reveals=named("v.secret", sliced=sliced),
            revealed_transactions="v.hits",
            revealed_persons="v.persons" if rule.persons else None,
        )


BOTH = ("persons", "of_persons")


def _both(owner: str, rule: Rule) -> list[exp.Expr]:
    return [shown(f"{owner}.{one}") for one in BOTH if rule.persons]
