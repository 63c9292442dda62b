"""The steps of the checker of rho-uncertainty, for the golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from sqlglot import exp

from setveil.sql.models.uncertainty import check as uncertainty
from setveil.sql.models.uncertainty import check_persons
from setveil.sql.step import Step

RULE = uncertainty.Rule(over=7, under=10)
OWNED = uncertainty.Rule(over=7, under=10, persons=True)


def of_check_uncertainty() -> Iterator[tuple[str, Step | exp.Query]]:
    cells, sensitive = exp.to_table("cells"), exp.to_table("sensitive")
    yield "keys", uncertainty.keys(cells)
    yield "unkeyed", uncertainty.unkeyed(cells)
    yield "names", uncertainty.names(cells)
    yield "occurrences", uncertainty.occurrences(cells)
    yield "items", uncertainty.items(sensitive)
    yield "holdings", uncertainty.holdings()
    yield "secrets", uncertainty.secrets()
    yield "told", uncertainty.told()
    yield "first_sets", uncertainty.first_sets()
    yield "first_witnesses", uncertainty.first_witnesses()
    yield "wholes", uncertainty.wholes()
    yield "wholes-some", uncertainty.wholes(3)
    yield "matches", uncertainty.matches()
    yield "matches-some", uncertainty.matches(3)
    yield "covers", uncertainty.covers()
    yield "certain", uncertainty.certain(5, RULE)
    yield "uncovered", uncertainty.uncovered(5, 20)
    for size in (2, 3):
        yield f"judged-{size}", uncertainty.judged(size, RULE)
        yield f"unsafe-{size}", uncertainty.unsafe(size, RULE, 20)
    for size in (1, 2):
        yield f"growing-{size}", uncertainty.growing(size, RULE)
    yield "tellings", uncertainty.tellings()
    yield "growth-1", uncertainty.growth(1)
    for size in (2, 3):
        yield f"witnesses-{size}", uncertainty.witnesses(size, RULE)
        yield f"work-{size}", uncertainty.work(size)
        yield f"reached-{size}", uncertainty.reached(size)
        yield f"reached-within-{size}", uncertainty.reached(size, within=True)
        for within in (False, True):
            kind = "within" if within else "each"
            step = uncertainty.reached(size, within=within, turn=range(7, 14))
            yield f"reached-{kind}-in-turns-{size}", step
        yield f"sets-{size}", uncertainty.sets(size)
    yield "holdings-persons", uncertainty.holdings(persons=True)
    for size in (2, 3):
        yield f"reached-persons-{size}", uncertainty.reached(size, persons=True)
        yield f"reached-within-persons-{size}", uncertainty.reached(size, persons=True, within=True)
    yield "first_sets-persons", uncertainty.first_sets(persons=True)
    yield "covers-persons", uncertainty.covers(persons=True)
    yield "judged-persons", uncertainty.judged(2, OWNED)
    yield "growing-persons", uncertainty.growing(1, OWNED)
    yield "witnesses-persons", uncertainty.witnesses(2, OWNED)
    yield "sets-persons", uncertainty.sets(2, persons=True)
    yield "unsafe-persons", uncertainty.unsafe(2, OWNED, 20)
    yield "uncovered-persons", uncertainty.uncovered(5, 20, persons=True)


def of_persons() -> Iterator[tuple[str, Step | exp.Query]]:
    yield "people", check_persons.people()


SOURCES: dict[ModuleType, Callable[[], Iterator[tuple[str, Step | exp.Query]]]] = {
    uncertainty: of_check_uncertainty,
    check_persons: of_persons,
}
