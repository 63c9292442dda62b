"""The figures of a release whose rules are safe."""

from __future__ import annotations

from dataclasses import dataclass

from setveil.backends import Row
from setveil.run.reading import Baskets


@dataclass(frozen=True, slots=True)
class UncertaintyMetrics:
    """The unsafe rules that were found, and the loss.

    `information_loss` is the share of all occurrences that was suppressed, `information_lost` the
    share of all bits. With `max_knowledge` the promise holds only against attackers who know at
    most that many items. No release loses less than `loss_bound` (see `bound.py`); more may be
    needed.
    """

    transactions: int
    persons: int | None  # None: transactions are counted, not persons
    items: int
    occurrences: int
    duplicates: int
    sensitive_items: int
    sensitive_occurrences: int
    max_knowledge: int | None
    parts: int
    listed_up_to: int  # items of the largest sets that were listed
    rounds: int
    unsafe_rules: int  # found in all rounds
    suppressed_occurrences: int
    suppressed_sensitive: int
    returned_occurrences: int
    exchanged_occurrences: int  # exchanges of one occurrence for another
    touched_transactions: int
    emptied_transactions: int
    information_loss: float
    information_lost: float
    loss_bound: float | None  # no release loses less; with refine, against unbounded knowledge


@dataclass(frozen=True, slots=True)
class Made:
    """The work of a method: the rounds of its search, and its suppressions before any return."""

    secrets: int  # occurrences of sensitive items
    parts: int
    listed: int  # items of the largest sets that were listed
    rounds: int
    found: int  # unsafe rules
    taken: int  # suppressed occurrences
    moved: int = 0  # returns and exchanges


def metrics_of(
    baskets: Baskets,
    made: Made,
    sensitive: int,
    max_knowledge: int | None,
    losses: Row,
    untold: float,
    least: int | None,
) -> UncertaintyMetrics:
    """The figures, with the number of sensitive items."""
    gone, of_secrets, touched, emptied = map(int, losses)
    return UncertaintyMetrics(
        transactions=baskets.transactions,
        persons=baskets.persons,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        sensitive_items=sensitive,
        sensitive_occurrences=made.secrets,
        max_knowledge=max_knowledge,
        parts=made.parts,
        listed_up_to=made.listed,
        rounds=made.rounds,
        unsafe_rules=made.found,
        suppressed_occurrences=gone,
        suppressed_sensitive=of_secrets,
        returned_occurrences=made.taken - gone,
        exchanged_occurrences=made.moved - (made.taken - gone),
        touched_transactions=touched,
        emptied_transactions=emptied,
        information_loss=gone / max(1, baskets.occurrences),
        information_lost=untold,
        loss_bound=None if least is None else least / max(1, baskets.occurrences),
    )
