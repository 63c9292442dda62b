"""Every step of hiding, for the golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from sqlglot import exp

from setveil.sql.mine import patterns as pattern_measures
from setveil.sql.models.hiding import anonymize as hiding
from setveil.sql.models.hiding import border
from setveil.sql.models.hiding import check as hidden
from setveil.sql.step import Step

Made = Iterator[tuple[str, Step | exp.Query]]


def of_hiding() -> Made:
    yield "restricted", hiding.restricted([(3, 7), (7,)])
    yield "decided", hiding.decided("quota", "how many", ("pattern", "n"), [(0, 3), (1, 7)])
    yield "decided-nothing", hiding.decided("quota", "how many", ("pattern", "n"), [])
    yield "index", hiding.index()
    yield "places", hiding.places()
    yield "retrieved", hiding.retrieved()
    yield "sensitive", hiding.sensitive()
    yield "conflicts", hiding.conflicts()
    yield "degrees", hiding.degrees()
    yield "supports", hiding.supports()
    yield "item_supports", hiding.item_supports()
    for first in (False, True):
        yield f"sanitized-{first}", hiding.sanitized(most_conflicts_first=first)
    yield "suppressed", hiding.suppressed()
    yield "suppressed_but_one", hiding.suppressed_but_one()
    yield "losses", hiding.losses()


def of_border() -> Made:
    yield "legitimate", border.legitimate(200)
    yield "held", border.held()
    yield "exposed", border.exposed()
    yield "threats", border.threats(200)
    yield "traits", border.traits(6)
    yield "kinds", border.kinds(0)
    yield "mixed", border.mixed()
    yield "kind_sizes", border.kind_sizes()
    yield "kind_traits", border.kind_traits()
    yield "threat_items", border.threat_items()
    yield "suppressed", border.suppressed()


def of_pattern_measures() -> Made:
    for sizes in (0, 2):
        yield f"itemsets-{sizes}", pattern_measures.itemsets("frequent", sizes)
        yield f"members-{sizes}", pattern_measures.members("frequent", sizes)
        yield f"common-{sizes}", pattern_measures.common("frequent", "refound", sizes)
    yield "restrictive", pattern_measures.restrictive("frequent")
    yield "remaining", pattern_measures.remaining()
    yield "sizes", pattern_measures.sizes("frequent", "refound")


def of_check_hidden() -> Made:
    original, released = exp.to_table("original"), exp.to_table("released")
    yield "keys", hidden.keys(original, released)
    yield "items", hidden.items(original, released)
    yield "words", hidden.words("check_was", original)
    yield "cohorts", hidden.cohorts("check_cohort", "check_was")
    yield "excused", hidden.excused()
    yield "changes", hidden.changes()
    yield "totals", hidden.totals()
    yield "tampered", hidden.tampered(20)
    yield "supports", hidden.supports()
    yield "named_items", hidden.named_items()
    yield "labels", hidden.labels()
    yield "lines", hidden.lines("beside")


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    border: of_border,
    hiding: of_hiding,
    pattern_measures: of_pattern_measures,
    hidden: of_check_hidden,
}
