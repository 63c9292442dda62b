"""The output of `setveil permutation` and `setveil verify permutation`."""

from __future__ import annotations

from setveil.models.permutation.anonymize import PermutationMetrics
from setveil.models.permutation.check import GroupsVerdict
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, number, printable


def release(made: Release[PermutationMetrics]) -> Blocks:
    """The promise of the release, the groups and the divergence."""
    metrics = made.metrics
    yield (
        f"permuted: degree = {made.parameters['degree']} "
        f"(checked: {counted(made.verdict.checked, 'item')} in groups)"
    )
    yield [
        ("transactions", metrics.transactions),
        ("items", metrics.items),
        ("  sensitive", metrics.sensitive_items),
        ("groups", metrics.groups),
        ("  smallest", metrics.smallest_group),
        ("  largest", metrics.largest_group),
        ("occurrences of sensitive items", metrics.sensitive_occurrences),
        ("  left out, in transactions without others", metrics.left_out_occurrences),
        ("divergence of pairs (our reading of Figure 9)", number(metrics.pair_divergence)),
    ]


def verdict(found: GroupsVerdict) -> Blocks:
    """The verdict, and the worst faults."""
    if found.holds:
        yield (
            f"holds: {counted(found.transactions, 'transaction')} in "
            f"{counted(found.groups, 'group')}, the smallest of {found.smallest:,}; "
            f"{counted(found.checked, 'item')} in groups checked"
        )
        return
    shown = found.violations[:SHOWN]
    yield f"does not hold: {counted(found.found, 'fault')}; the worst {len(shown)} of them"
    for one in shown:
        yield f"  {printable(str(one))}"
