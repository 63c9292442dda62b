"""The steps of `setveil.sql.trail.verdicts`, for the golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType

from sqlglot import exp

from setveil.sql.models.coherence.check import Rule
from setveil.sql.models.hiding import check as hidden
from setveil.sql.step import Step
from setveil.sql.trail import verdicts

RULE = Rule(over=2, under=5, k=20)
Made = Iterator[tuple[str, Step | exp.Query]]


def of_verdicts() -> Made:
    yield "coherence-reached", verdicts.coherence(RULE, 2, 2)
    yield "coherence-ended", verdicts.coherence(RULE, 4, 2)
    yield "coherence-0", verdicts.coherence(RULE, 0, 0)
    yield "coherence-persons", verdicts.coherence(replace(RULE, persons=True), 2, 2)
    yield "permutation", verdicts.permutation(4)
    yield "k_anonymity", verdicts.k_anonymity(20, 2)
    yield "k_anonymity-persons", verdicts.k_anonymity(20, 2, persons=True)
    yield "km-reached", verdicts.km(20, 2, 2)
    yield "km-ended", verdicts.km(20, 3, 2)
    yield "km-persons", verdicts.km(20, 2, 2, persons=True)
    yield "km_of_any_size", verdicts.km_of_any_size(20)
    yield "km_of_any_size-persons", verdicts.km_of_any_size(20, persons=True)
    yield "uncertainty-reached", verdicts.uncertainty(RULE.share, 2, 2)
    yield "uncertainty-ended", verdicts.uncertainty(RULE.share, 9, 2)
    yield "uncertainty-persons", verdicts.uncertainty(RULE.share, 2, 2, persons=True)
    yield "hidden-below", verdicts.hidden(3, hidden.below(20))
    yield "hidden-shares", verdicts.hidden(3, hidden.within({(1, 2): [0, 2], (0, 1): [1]}))
    for rows in (False, True):
        yield f"renaming-{'rows' if rows else 'items'}", verdicts.renaming(rows=rows)


SOURCES: dict[ModuleType, Callable[[], Made]] = {verdicts: of_verdicts}
