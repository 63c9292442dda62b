"""The output of `setveil k-anonymity` and `setveil verify k-anonymity`."""

from __future__ import annotations

from setveil.models.k_anonymity.anonymize import KAnonymityMetrics
from setveil.models.k_anonymity.check import Verdict
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, names, percent


def release(made: Release[KAnonymityMetrics]) -> Blocks:
    """The promise of the release and the loss."""
    metrics, lost = made.metrics, made.metrics.information_lost
    yield (
        f"k-anonymous: k = {made.parameters['k']} "
        f"(checked: {counted(made.verdict.checked, 'class', 'classes')} of twins)"
    )
    yield [
        ("transactions", metrics.transactions),
        ("items", metrics.items),
        ("classes", metrics.partitions),
        ("  smallest", metrics.smallest_partition),
        ("occurrences", metrics.occurrences),
        ("  generalized", metrics.generalized_occurrences),
        *((f"  at level {one.level}", one.occurrences) for one in metrics.ncp_by_level),
        *([] if lost is None else [("information lost (bits)", percent(lost))]),
        ("penalty of generalization (NCP)", percent(metrics.ncp)),
    ]


def verdict(found: Verdict) -> Blocks:
    """The verdict, and the first classes that are too small."""
    if found.holds:
        yield (
            f"holds: {counted(found.transactions, 'transaction')} in "
            f"{counted(found.checked, 'class', 'classes')}, the smallest of {found.smallest:,}"
        )
        return
    shown = found.violations[:SHOWN]
    yield (
        f"does not hold: {counted(found.found, 'class is', 'classes are')} too small; the first "
        f"{len(shown)} of them, by transactions and nodes"
    )
    rows = []
    for one in shown:
        nodes = [f"{label} (level {level})" for level, label in one.nodes]
        more = ["…"] if one.size > len(nodes) else []
        rows.append((names(nodes + more) or "(nothing)", f"of {one.transactions:,}"))
    yield rows
