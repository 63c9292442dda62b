"""The output of `setveil k-anonymity` and `setveil verify k-anonymity`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from setveil.hierarchy.recode import LevelLoss
from setveil.models.k_anonymity.anonymize import KAnonymityMetrics
from setveil.models.k_anonymity.check import Verdict
from setveil.models.k_anonymity.specialize import TdsMetrics
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, names, percent


def release(made: Release[KAnonymityMetrics] | Release[TdsMetrics]) -> Blocks:
    """The promise of the release and the loss."""
    metrics = made.metrics
    yield (
        f"k-anonymous: k = {made.parameters['k']}{' persons' * (metrics.persons is not None)} "
        f"(checked: {counted(made.verdict.checked, 'class', 'classes')} of twins)"
    )
    yield from _everywhere(metrics) if isinstance(metrics, TdsMetrics) else _by_class(metrics)


def _by_class(metrics: KAnonymityMetrics) -> Blocks:
    """The classes, and the loss of nodes in single transactions."""
    lost = metrics.information_lost
    yield [
        ("transactions", metrics.transactions),
        *((("persons", metrics.persons),) if metrics.persons is not None else ()),
        ("items", metrics.items),
        ("classes", metrics.partitions),
        ("  smallest", metrics.smallest_partition),
        *((("  fewest persons", metrics.fewest_persons),) if metrics.persons is not None else ()),
        ("occurrences", metrics.occurrences),
        *_by_level(metrics.ncp_by_level),
        *([] if lost is None else [("information lost (bits)", percent(lost))]),
        ("penalty of generalization (NCP)", percent(metrics.ncp)),
    ]


def _by_level(levels: Sequence[LevelLoss]) -> Iterator[tuple[str, int]]:
    """The occurrences that were published as they are, and those at the nodes of each level."""
    kept = sum(one.occurrences for one in levels if not one.level)
    yield "  as they are", kept
    yield "  generalized", sum(one.occurrences for one in levels) - kept
    for one in levels:
        if one.level:
            yield f"    at level {one.level}", one.occurrences


def _everywhere(metrics: TdsMetrics) -> Blocks:
    """The classes, and the loss of nodes or suppressed items everywhere."""
    yield [
        ("transactions", metrics.transactions),
        *((("persons", metrics.persons),) if metrics.persons is not None else ()),
        ("items", metrics.items),
        ("  public", metrics.public_items),
        ("  suppressed", metrics.suppressed_items),
        ("published in their place", metrics.published),
        ("rounds", metrics.rounds),
        ("classes", metrics.partitions),
        ("  smallest", metrics.smallest_partition),
        *((("  fewest persons", metrics.fewest_persons),) if metrics.persons is not None else ()),
        ("occurrences", metrics.occurrences),
        *_by_level(metrics.ncp_by_level),
        ("  suppressed", metrics.suppressed_occurrences),
        ("  of all", percent(metrics.information_loss)),
        ("information lost (bits)", percent(metrics.information_lost)),
        ("penalty of generalization (NCP)", percent(metrics.ncp)),
        ("transactions emptied", metrics.emptied_transactions),
    ]


def verdict(found: Verdict) -> Blocks:
    """The verdict, and the first classes that are too small."""
    if found.holds:
        yield (
            f"holds: {counted(found.transactions, 'transaction')}{_of_persons(found.persons)} in "
            f"{counted(found.checked, 'class', 'classes')}, the smallest of {found.smallest:,}"
            + ("" if found.fewest is None else f", the fewest persons {found.fewest:,}")
        )
        return
    shown = found.violations[:SHOWN]
    yield (
        f"does not hold: {counted(found.found, 'class is', 'classes are')} too small; the first "
        f"{len(shown)} of them, by {_unit(found)} and nodes"
    )
    rows = []
    for one in shown:
        nodes = [f"{label} (level {level})" for level, label in one.nodes]
        more = ["…"] if one.size > len(nodes) else []
        held = f"of {one.transactions:,}{_of_persons(one.persons)}"
        rows.append((names(nodes + more) or "(nothing)", held))
    yield rows


def _unit(found: Verdict) -> str:
    return "transactions" if found.persons is None else "persons"


def _of_persons(persons: int | None) -> str:
    """The persons behind a number of transactions, where they are counted."""
    return "" if persons is None else f" of {counted(persons, 'person')}"
