"""Describe data before it is anonymized: its sizes, and the transactions that attackers single out.

An attacker of power n knows up to n public items of somebody's transaction. They single the
transaction out if fewer than k transactions hold these items: for k = 2, if it is the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from setveil.arguments.shares import Share
from setveil.arguments.strict import strict
from setveil.comparison.risk import found_of
from setveil.models.coherence.promise import Level, promised
from setveil.models.coherence.search import find_moles
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.results.tabled import Listed
from setveil.run.roles.lists import Items
from setveil.run.words import counted
from setveil.sql.comparison import inspection


@dataclass(frozen=True, slots=True)
class Band:
    """Items whose support has so many digits, named by its range."""

    at_least: int
    items: int
    occurrences: int
    range: str

    @classmethod
    def of(cls, at_least: int, items: int, occurrences: int) -> Band:
        """The last band has no end."""
        last = at_least >= inspection.LAST_BAND
        said = f"{at_least:,} or more" if last else f"{at_least:,}–{10 * at_least - 1:,}"
        return cls(at_least, items, occurrences, said)


@dataclass(frozen=True, slots=True)
class Length:
    """Transactions of so many items, named by their range."""

    at_least: int
    transactions: int
    range: str

    @classmethod
    def of(cls, at_least: int, transactions: int) -> Length:
        """Up to 20, a band has one length; the last band has no end."""
        last = at_least - 1 + (10 if at_least <= 100 else 100)
        said = f"{at_least:,}" if at_least <= 20 else f"{at_least:,}–{last:,}"
        if at_least >= inspection.LAST_LENGTHS:
            said = f"{at_least:,} or more"
        return cls(at_least, transactions, said)


@dataclass(frozen=True, slots=True, repr=False)
class Inspection(Listed):
    """Sizes, supports and risk. Shares are of all transactions, or of all persons.

    `largest_share` is what one person has of the transactions of up to p items that k persons hold.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    persons: int | None  # None: transactions are counted
    mean_length: float
    longest: int
    lengths: tuple[Length, ...]
    private_items: int
    public_items: int
    supports: tuple[Band, ...]
    k: int
    singled_out: tuple[float, ...]  # by attackers of power 1, 2, … p
    singled_out_persons: tuple[float, ...] | None
    largest_share: float | None
    moles: tuple[int, ...]  # minimal moles of 1, 2, … p items, private items considered
    revealing: tuple[int, ...]  # moles among them that reveal a private item

    def lines(self) -> Iterator[str]:
        sizes = (
            counted(self.transactions, "transaction"),
            counted(self.items, "item"),
            counted(self.occurrences, "occurrence"),
        )
        who = "transactions are counted" if self.persons is None else f"{self.persons:,} persons"
        yield f"{', '.join(sizes)}; {who}"
        yield (
            f"{self.mean_length:.2f} items in a transaction on average, {self.longest:,} at most; "
            f"singled out are those among fewer than {self.k:,}"
        )
        if not any(self.moles):
            yield "nothing to do: there is no mole at this k, p and h"
            return
        also = ", private=…, h=…" if self.private_items else ""
        yield f"next: setveil.coherence(baskets, k={self.k}, p={len(self.moles)}{also})"

    def records(self) -> list[dict[str, Any]]:
        """A row per number of known items: what attackers who know so many single out."""
        persons = self.singled_out_persons or (None,) * len(self.singled_out)
        each = zip(self.singled_out, persons, self.moles, self.revealing, strict=True)
        columns = ("singled_out", "singled_out_persons", "moles", "revealing")
        return [
            {"known_items": known, **dict(zip(columns, values, strict=True))}
            for known, values in enumerate(each, 1)
        ]


@strict
def inspect(
    baskets: Baskets,
    *,
    k: int = 2,
    p: int = 2,
    h: Share | None = None,
    private: Items = (),
    public: Items | None = None,
    ignore_unknown: bool = False,
    plan: str = "auto",
) -> Inspection:
    """Describe the data, and count what attackers of power 1, 2, … p can do with it."""
    session = baskets.session
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    promise = promised(session, k, p, h, private, public, ignore_unknown=ignore_unknown)
    search = partial(
        find_moles,
        session,
        items=baskets.items,
        transactions=baskets.transactions,
        persons=baskets.persons is not None,
        plan=plan,
    )
    bands = tuple(Band.of(*row) for row in session.ask(inspection.histogram()))
    lengths = session.ask(inspection.lengths())
    rare = search(promise.without_secrets(), exposed=True)
    marked = found_of(baskets, rare, p)
    found = search(promise) if promise.private else rare
    return Inspection(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        persons=baskets.persons,
        mean_length=baskets.occurrences / max(1, baskets.transactions),
        longest=max((int(most) for _, most, _ in lengths), default=0),
        lengths=tuple(Length.of(int(least), int(number)) for least, _, number in lengths),
        private_items=promise.private,
        public_items=promise.public,
        supports=bands,
        k=k,
        singled_out=marked.transactions,
        singled_out_persons=marked.persons,
        largest_share=marked.largest_share,
        moles=_counts(p, found, lambda level: len(level.moles)),
        revealing=_counts(p, found, lambda level: level.revealing),
    )


def _counts(p: int, levels: list[Level], count: Callable[[Level], int]) -> tuple[int, ...]:
    return tuple([count(level) for level in levels] + [0] * (p - len(levels)))
