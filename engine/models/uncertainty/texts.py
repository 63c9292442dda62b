"""A rho-uncertain release and a verdict on rho-uncertainty, in words."""

from __future__ import annotations

from setveil.models.uncertainty.anonymize import UncertaintyMetrics
from setveil.models.uncertainty.check import UncertaintyVerdict
from setveil.run.release import Release
from setveil.run.words import counted
from setveil.show.words import SHOWN, Blocks, names, percent, printable


def release(made: Release[UncertaintyMetrics]) -> Blocks:
    """What was promised, found and lost."""
    metrics, rho = made.metrics, made.parameters["rho"]
    everywhere = made.parameters["method"] == "global"
    known = (
        "whatever is known"
        if metrics.max_knowledge is None
        else f"only for attackers who know at most {counted(metrics.max_knowledge, 'item')}"
    )
    yield f"rho-uncertain: rho = {rho}, {known} (checked: {counted(made.verdict.checked, 'rule')})"
    yield [
        ("transactions", metrics.transactions),
        ("items", metrics.items),
        ("  sensitive", metrics.sensitive_items),
        *([] if everywhere else [("parts", metrics.parts)]),
        ("rounds, after what was certain", metrics.rounds),
        ("  unsafe rules found in them", metrics.unsafe_rules),
        ("occurrences suppressed", metrics.suppressed_occurrences),
        ("  of sensitive items", metrics.suppressed_sensitive),
        ("  of others", metrics.suppressed_occurrences - metrics.suppressed_sensitive),
        ("  of all", percent(metrics.information_loss)),
        *_bounds(metrics),
        *([] if everywhere else _moved(metrics)),
        ("transactions emptied", metrics.emptied_transactions),
    ]


def _bounds(metrics: UncertaintyMetrics) -> list[tuple[str, object]]:
    if metrics.loss_bound is None:
        return []
    gap = metrics.information_loss - metrics.loss_bound
    return [
        ("  by any release, at least", percent(metrics.loss_bound)),
        ("  gap to that bound", percent(gap)),
    ]


def _moved(metrics: UncertaintyMetrics) -> list[tuple[str, object]]:
    return [
        ("brought back before that", metrics.returned_occurrences),
        ("exchanged before that", metrics.exchanged_occurrences),
    ]


def verdict(found: UncertaintyVerdict) -> Blocks:
    """The verdict, and the surest rules."""
    if found.holds:
        yield (
            f"holds: {counted(found.transactions, 'transaction')}, "
            f"{counted(found.checked, 'rule')} counted; what was counted vouches for all others"
        )
        return
    shown = min(SHOWN, len(found.violations))
    needs = "rule that needs least knowledge tells"
    yield (
        f"does not hold: {counted(found.found, needs, 'rules that need least knowledge tell')} "
        f"too much; the surest {shown} of them"
    )
    yield [
        (
            f"{names(one.known)} -> {printable(one.secret)}",
            f"in {one.support:,} of {one.of:,}",
            f"{one.confidence:.1%}",
        )
        for one in found.violations[:SHOWN]
    ]
