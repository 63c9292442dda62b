"""What a release still holds of its original: items by name, transactions by key, and both."""

from __future__ import annotations

from dataclasses import replace

from setveil.backends import Columns, integers
from setveil.comparison import measures
from setveil.comparison.findings import Compared, LostItem
from setveil.comparison.sides import Beside
from setveil.sql.comparison import changes as sql

SHOWN = 10  # items that lost most


def match_items(beside: Beside) -> None:
    """Leave matched_item and after in the release's run, for all that is asked of items."""
    session = beside.run.session
    session.create(sql.matched_items(beside.of_original("item"), beside.original.items))
    session.create(sql.after())


def match_transactions(beside: Beside) -> int | None:
    """Leave matched_basket there; answer how many are still there, or None if that is unknown.

    Where transactions have no key, their places in the data stand for one, if none is missing.
    """
    original, run = beside.original, beside.run
    keys = original.shape.key is not None, run.shape.key is not None
    alike = any(keys) or original.transactions == run.transactions
    if keys[0] != keys[1] or not alike:
        return None
    return run.session.counted(sql.matched_baskets(beside.of_original("basket")))


def with_changes(found: Compared, beside: Beside) -> Compared:
    """What went and came, what stayed where it was, and how the supports changed."""
    session = beside.run.session
    gone, gone_support, new = session.one(sql.items_changed())
    transactions, occurrences = match_transactions(beside), None
    if transactions is not None:
        (occurrences,) = session.one(sql.occurrences_kept(beside.of_original("occurrence")))
    lost = session.ask(sql.items_lost_most(SHOWN))
    supports = session.arrays(sql.supports_changed())
    only_less = occurrences == beside.run.occurrences
    kl, symmetric = _divergence(supports) if only_less else (None, None)
    return replace(
        found,
        items_gone=gone,
        items_new=new,
        gone_support=gone_support,
        transactions_kept=transactions,
        occurrences_kept=occurrences,
        kl=kl,
        symmetric_kl=symmetric,
        dissimilarity=_dissimilarity(supports),
        items_lost_most=tuple(LostItem(*row) for row in lost),
    )


def _divergence(supports: Columns) -> tuple[float, float]:
    """KL and symmetric KL of what is left; 0 if nothing is, as there is no distribution then."""
    if not supports or not supports["after"].any():
        return 0.0, 0.0
    before, after = _counts(supports)
    p, q = ([count / sum(counts) for count in counts] for counts in (after, before))
    return measures.kl(p, q), measures.symmetric_kl(p, q)


def _dissimilarity(supports: Columns) -> float | None:
    """None where an item has more support than it had: it would make up for what others lost."""
    if not supports:
        return 0.0
    before, after = _counts(supports)
    if any(has > had for had, has in zip(before, after, strict=True)):
        return None
    return measures.information_loss(before, after)


def _counts(supports: Columns) -> tuple[list[int], list[int]]:
    before, after = (integers(supports[name]).tolist() for name in ("before", "after"))
    return before, after
