"""Match a release with its original, items by name and transactions by key, and count both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from setveil.backends import integers
from setveil.comparison.findings import LostItem
from setveil.comparison.sides import Beside
from setveil.sql.comparison import changes as sql

SHOWN = 10  # items that lost most


@dataclass(frozen=True, slots=True)
class Changes:
    """Items and occurrences that a release lacks or adds; of nodes only the transactions.

    `before` and `after` are the supports of all items in the original and in the release.
    `as_they_were` counts occurrences that were published as items, also among nodes.
    """

    transactions_kept: int | None
    items_gone: int | None = None
    items_new: int | None = None
    gone_support: int | None = None
    occurrences_kept: int | None = None
    items_lost_most: tuple[LostItem, ...] = ()
    before: Sequence[int] = ()
    after: Sequence[int] = ()
    as_they_were: int | None = None


def match_items(beside: Beside) -> None:
    """Leave matched_item and after in the release's run, for all that is asked of items."""
    session = beside.run.session
    session.create(sql.matched_items(beside.of_original("item"), beside.original.items))
    session.create(sql.after())


def match_transactions(beside: Beside) -> int | None:
    """Leave matched_basket in the release's run; count its rows, or answer None without a match.

    Transactions without keys are matched by their places, if the release has as many of them.
    """
    original, run = beside.original, beside.run
    keys = original.shape.key is not None, run.shape.key is not None
    alike = any(keys) or original.transactions == run.transactions
    if keys[0] != keys[1] or not alike:
        return None
    return run.session.counted(sql.matched_baskets(beside.of_original("basket")))


def changes_of(beside: Beside) -> Changes:
    """Count the items and occurrences that are gone, new and kept."""
    session = beside.run.session
    if beside.generalized:
        return _of_nodes(beside)
    gone, gone_support, new = session.one(sql.items_changed())
    transactions, occurrences = match_transactions(beside), None
    if transactions is not None:
        (occurrences,) = session.one(sql.occurrences_kept(beside.of_original("occurrence")))
    lost = session.ask(sql.items_lost_most(SHOWN))
    supports = session.arrays(sql.supports_changed())
    before, after = (
        integers(supports[name]).tolist() if supports else [] for name in ("before", "after")
    )
    return Changes(
        transactions_kept=transactions,
        items_gone=gone,
        items_new=new,
        gone_support=gone_support,
        occurrences_kept=occurrences,
        items_lost_most=tuple(LostItem(*row) for row in lost),
        before=before,
        after=after,
        as_they_were=occurrences,
    )


def _of_nodes(beside: Beside) -> Changes:
    """Count the occurrences of items that were published without a node in their place."""
    session = beside.run.session
    session.create(sql.unchanged_items(beside.of_original("item")))
    session.create(sql.after())
    transactions, unchanged = match_transactions(beside), None
    if transactions is not None:
        (unchanged,) = session.one(sql.occurrences_kept(beside.of_original("occurrence")))
    return Changes(transactions, as_they_were=unchanged)
