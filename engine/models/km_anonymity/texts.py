"""The output of `setveil km-anonymity` and `setveil verify km-anonymity`."""

from __future__ import annotations

from collections.abc import Iterator

from setveil.models.km_anonymity.anonymize import KmAnonymityMetrics
from setveil.models.km_anonymity.check import Verdict
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, names, percent


def release(made: Release[KmAnonymityMetrics]) -> Blocks:
    """The promise of the release, the published nodes and the loss."""
    metrics, promise = made.metrics, made.parameters
    yield (
        f"k^m-anonymous: k = {promise['k']}{' persons' * (metrics.persons is not None)}, "
        f"m = {promise['m']} "
        f"(checked: {counted(made.verdict.checked, 'set')})"
    )
    yield [
        ("transactions", metrics.transactions),
        *((("persons", metrics.persons),) if metrics.persons is not None else ()),
        ("items", metrics.items),
        ("  as they are", metrics.items - metrics.generalized_items - metrics.suppressed_items),
        ("  generalized", metrics.generalized_items),
        *((("  suppressed", metrics.suppressed_items),) if promise.get("suppress") else ()),
        ("nodes published", metrics.published),
        *((_of_level(one.level), one.nodes) for one in metrics.levels),
        *(_suppressed(metrics) if promise.get("suppress") else ()),
        ("information lost (bits)", percent(metrics.information_lost)),
        ("penalty of generalization (NCP)", percent(metrics.ncp)),
    ]
    choice = "choice of nodes and items" if promise.get("suppress") else "cut of the hierarchy"
    if metrics.bound is None:
        yield "another cut can lose less: --method optimal finds it"
    elif metrics.gap:
        yield (
            f"no {choice} loses less than {percent(metrics.bound)} (gap "
            f"{percent(metrics.gap)}); search further with --nodes"
        )
    else:
        yield f"no other {choice} loses less"


def _of_level(level: int) -> str:
    return f"  of level {level}" if level else "  of level 0: items"


def _suppressed(metrics: KmAnonymityMetrics) -> Iterator[tuple[str, object]]:
    yield "occurrences suppressed", metrics.suppressed_occurrences
    if metrics.emptied_transactions:
        yield "transactions emptied", metrics.emptied_transactions


def verdict(found: Verdict) -> Blocks:
    """The verdict, and the worst sets of nodes."""
    if found.holds:
        yield (
            f"holds: {counted(found.transactions, 'transaction')}{_of_persons(found.persons)}, "
            f"{counted(found.checked, 'set')}"
        )
        return
    shown = found.violations[:SHOWN]
    more = len(shown) < found.found
    yield (
        f"does not hold: at least {counted(found.found, 'set is', 'sets are')} "
        + ("in too few transactions" if found.persons is None else "of too few persons")
        + (f"; the first {len(shown)} of them, by size and support" if more else "")
    )
    yield [
        (
            names([f"{node.label} (level {node.level})" for node in one.nodes]),
            f"in {one.support:,}{_of_persons(one.persons)}",
        )
        for one in shown
    ]


def _of_persons(persons: int | None) -> str:
    """The persons behind a number of transactions, where they are counted."""
    return "" if persons is None else f" of {counted(persons, 'person')}"
