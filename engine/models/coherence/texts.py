"""The output of `setveil coherence` and `setveil verify coherence`."""

from __future__ import annotations

from setveil.models.coherence.anonymize import CoherenceMetrics
from setveil.models.coherence.check import Verdict
from setveil.models.coherence.metrics import GeneralizationMetrics
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, first, names, number, percent, printable


def release(made: Release[CoherenceMetrics] | Release[GeneralizationMetrics]) -> Blocks:
    """The promise of the release, the moles that were found, and the loss."""
    metrics, told = made.metrics, made.parameters
    yield (
        f"coherent: h = {told['h']}, k = {told['k']}, p = {told['p']} "
        f"(checked: {counted(made.verdict.checked, 'itemset')})"
    )
    if isinstance(metrics, GeneralizationMetrics):
        yield from _of_nodes(metrics, str(told["loss"]))
        return
    yield [
        ("transactions", metrics.transactions),
        *((("persons", metrics.persons),) if metrics.persons is not None else ()),
        ("items", metrics.items),
        ("  private", metrics.private_items),
        ("  public", metrics.public_items),
        ("  neither of both", metrics.items - metrics.private_items - metrics.public_items),
        *((f"unsafe sets of {size}", n) for size, n in enumerate(_met(metrics.moles), 1)),
        ("items suppressed", metrics.suppressed_items),
        ("  kept after all", metrics.restored_items),
        ("occurrences suppressed", metrics.suppressed_occurrences),
        ("  of all", percent(metrics.information_loss)),
        ("information lost (bits)", percent(metrics.information_lost)),
        ("transactions emptied", metrics.emptied_transactions),
    ]
    if metrics.bound is not None and metrics.gap is not None:
        yield (
            f"loss {number(metrics.loss)}; no choice loses less than "
            f"{number(metrics.bound)} (gap {percent(metrics.gap)})"
        )


def _of_nodes(metrics: GeneralizationMetrics, loss: str) -> Blocks:
    """The published nodes, the suppressed items, and the losses: parts add up to their whole."""
    changed = metrics.generalized_items + metrics.suppressed_items
    kept = metrics.items - metrics.private_items - changed
    yield [
        ("transactions", metrics.transactions),
        *((("persons", metrics.persons),) if metrics.persons is not None else ()),
        ("items", metrics.items),
        ("  private", metrics.private_items),
        ("  as they are", kept),
        ("  generalized", metrics.generalized_items),
        ("  suppressed", metrics.suppressed_items),
        ("nodes published", metrics.published),
        ("  of level 0: items", kept),
        *((f"  of level {one.level}", one.nodes) for one in metrics.levels if one.level),
        *((f"moles of {size} nodes met", n) for size, n in enumerate(metrics.moles, 2)),
        ("occurrences suppressed", metrics.suppressed_occurrences),
        ("  of all", percent(metrics.information_loss)),
        ("information lost (bits)", percent(metrics.information_lost)),
        ("penalty of generalization (NCP)", percent(metrics.ncp)),
        ("transactions emptied", metrics.emptied_transactions),
    ]
    yield (
        f"loss ({loss}) {percent(metrics.loss)}; no cut loses less than {percent(metrics.bound)} "
        f"(gap {percent(metrics.gap)})"
    )


def _met(moles: tuple[int, ...]) -> tuple[int, ...]:
    """Leave out sizes without moles, but for the first above the largest mole."""
    largest = max((size for size, found in enumerate(moles, 1) if found), default=0)
    return moles[: largest + 1]


def verdict(found: Verdict) -> Blocks:
    """The verdict, and the first moles."""
    if found.holds:
        yield (
            f"holds: {counted(found.transactions, 'transaction')}{_of_persons(found.persons)}, "
            f"{counted(found.checked, 'itemset')} checked"
        )
        return
    yield (
        f"does not hold: {counted(found.found, 'minimal mole', 'minimal moles')}"
        + first(SHOWN, found.found)
    )
    yield [
        (
            names(one.items) or "(nothing known)",
            f"in {one.support:,}" if one.persons is None else f"in {one.held}",
            f"{printable(one.reveals)} in {one.share:.1%}" if one.reveals else "",
        )
        for one in found.violations[:SHOWN]
    ]


def _of_persons(persons: int | None) -> str:
    """The persons behind a number of transactions, where they are counted."""
    return "" if persons is None else f" of {counted(persons, 'person')}"
