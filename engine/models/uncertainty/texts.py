"""The output of `setveil uncertainty` and `setveil verify uncertainty`."""

from __future__ import annotations

from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule
from setveil.models.uncertainty.compared.tdcontrol import NodesMetrics
from setveil.models.uncertainty.metrics import UncertaintyMetrics
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, names, percent, printable

NOTHING = "no rule had to be counted"


def release(made: Release[UncertaintyMetrics] | Release[NodesMetrics]) -> Blocks:
    """The promise of the release, the unsafe rules that were found, and the loss."""
    metrics, rho = made.metrics, made.parameters["rho"]
    everywhere = made.parameters["method"] == "global"
    known = (
        "for attackers of any knowledge"
        if metrics.max_knowledge is None
        else f"only for attackers who know at most {counted(metrics.max_knowledge, 'item')}"
    )
    both = "" if metrics.persons is None else " in transactions and in persons"
    checked = f"checked: {counted(made.verdict.checked, 'rule')}"
    yield (
        f"rho-uncertain: rho = {rho}{both}, {known} "
        f"({checked if made.verdict.checked else NOTHING})"
    )
    if isinstance(metrics, NodesMetrics):
        yield _of_nodes(metrics)
        return
    yield [
        ("transactions", metrics.transactions),
        *([] if metrics.persons is None else [("persons", metrics.persons)]),
        ("items", metrics.items),
        ("  sensitive", metrics.sensitive_items),
        *([] if everywhere else [("parts", metrics.parts)]),
        ("rounds of suppression", metrics.rounds),
        ("  unsafe rules found in them", metrics.unsafe_rules),
        ("occurrences suppressed", metrics.suppressed_occurrences),
        ("  of sensitive items", metrics.suppressed_sensitive),
        ("  of others", metrics.suppressed_occurrences - metrics.suppressed_sensitive),
        ("  of all", percent(metrics.information_loss)),
        ("information lost (bits)", percent(metrics.information_lost)),
        *_bounds(metrics),
        *([] if everywhere else _moved(metrics)),
        ("transactions emptied", metrics.emptied_transactions),
    ]


def _of_nodes(metrics: NodesMetrics) -> list[tuple[str, object]]:
    """The published nodes, the suppressed items, and the losses."""
    return [
        ("transactions", metrics.transactions),
        *([] if metrics.persons is None else [("persons", metrics.persons)]),
        ("items", metrics.items),
        ("  sensitive", metrics.sensitive_items),
        ("  generalized", metrics.generalized_items),
        ("  suppressed, all sensitive", metrics.suppressed_items),
        ("nodes published", metrics.published),
        *((f"  of level {one.level}", one.nodes) for one in metrics.levels if one.level),
        ("rounds of suppression", metrics.rounds),
        ("  unsafe rules found in them", metrics.unsafe_rules),
        ("occurrences suppressed", metrics.suppressed_occurrences),
        ("  of all", percent(metrics.information_loss)),
        ("information lost (bits)", percent(metrics.information_lost)),
        ("penalty of generalization (NCP)", percent(metrics.ncp)),
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
        ("occurrences returned", metrics.returned_occurrences),
        ("suppressions moved to another occurrence", metrics.exchanged_occurrences),
    ]


def verdict(found: UncertaintyVerdict) -> Blocks:
    """The verdict, and the surest rules."""
    if found.holds:
        owned = "" if found.persons is None else f" of {counted(found.persons, 'person')}"
        rules = f", {counted(found.checked, 'rule')} counted, which prove all other rules safe"
        yield (
            f"holds: {counted(found.transactions, 'transaction')}{owned}"
            f"{rules if found.checked else f'; {NOTHING}'}"
        )
        return
    shown = min(SHOWN, len(found.violations))
    yield (
        f"does not hold: {counted(found.found, 'unsafe rule')} of least knowledge; "
        f"the surest {shown} of them"
    )
    yield [
        (
            f"{names(one.known)} -> {printable(one.secret)}",
            f"in {one.support:,} of {one.of:,}",
            f"{one.confidence:.1%}",
            *_in_persons(one),
        )
        for one in found.violations[:SHOWN]
    ]


def _in_persons(rule: UnsafeRule) -> list[str]:
    """The persons of a rule and their share, where persons are counted."""
    if rule.confidence_in_persons is None:
        return []
    return [
        f"{rule.persons:,} of {rule.of_persons:,} persons",
        f"{rule.confidence_in_persons:.1%}",
    ]
