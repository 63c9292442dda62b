"""The figures of a release by generalization."""

from __future__ import annotations

from dataclasses import dataclass

from setveil.hierarchy.recode import LevelLoss


@dataclass(frozen=True, slots=True)
class GeneralizationMetrics:
    """The published nodes, the suppressed items, and the loss.

    `information_loss` is the share of all occurrences that was suppressed, `information_lost` the
    share of all bits, `ncp` the penalty with a suppressed occurrence at 1. `loss` is the one that
    was minimized: no cut loses less than `bound`, and `gap` is (loss - bound) / loss.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    persons: int | None  # None: transactions are counted
    private_items: int
    public_items: int
    labels: tuple[int, ...]  # labels on each level of the hierarchy, from the leaves to the root
    published: int  # nodes that stand for public items
    generalized_items: int
    levels: tuple[LevelLoss, ...]
    moles: tuple[int, ...]  # sets of 2, 3, … p nodes that were found, of which one stays out
    rounds: int
    suppressed_items: int
    suppressed_occurrences: int
    emptied_transactions: int
    information_loss: float
    information_lost: float
    ncp: float
    loss: float
    bound: float
    gap: float
