"""Frequent itemsets of any occurrences in a run: the engine under `setveil itemsets`.

    found = frequent_itemsets(session, exp.to_table("occurrence"), items=baskets.items,
                              transactions=baskets.transactions, least=20, max_size=5)

leaves frequent_1 … frequent_n, n = len(found.counts): one row per itemset that `least` transactions
or more hold, `(id BIGINT, item_1 INT … item_n INT, support BIGINT)`, items ascending by number, ids
ascending in the order of the items. Ask `found.relation(n)` for their names. The last relation is
never empty; if no item is frequent, there is none.

The occurrences are any relation or subquery with one row `(tid, item)` per transaction and item,
each at most once, 0 <= tid < transactions, 0 <= item < items: those of the original, or those of a
release in the same numbers, `exp.to_table("released")`. Searches with different names (`found=`)
stand side by side in a run; one with the same name drops what the one before it left.
What is made under way is dropped, or begins with the name too: frequent_cohort_1 and the like.

Itemsets are counted in lists of transactions while the data is sparse, in bits where it is dense.
The choice is made anew at each level from counts that are there anyway, is written into the trail,
and changes no answer. Once bits, itemsets stay bits. In bits, an itemset is counted where its two
halves meet, so that no itemset of more than half the size is ever kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from setveil.errors import UnreachableError, option
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql import levels
from setveil.sql.mine import search as sql

PLANS = ("auto", "lists", "bits")
LIMIT = 10_000_000  # itemsets, unless said otherwise: some hundred megabytes
DOUBT = 10  # times as often as if they were independent, itemsets may well meet
CLOSER = 100  # times the limit: beyond, a closer look would take too long
POSTED_BYTES = 2**28  # of itemsets as bits, before they are made of more and smaller parts

# Nanoseconds, measured on DuckDB 2.0 with two cores: a row of joined lists counted, and kept; a row
# of a list packed into blocks; a pair of itemsets tried; a block joined, and one byte of it.
LIST_ROW, KEPT_ROW, PACKED_ROW, CANDIDATE = 30.0, 20.0, 60.0, 15.0
BLOCK_ROW, BLOCK_BYTE = 32.0, 0.6
BLOCK_HEAD = 16  # bytes of a block besides its bits


@dataclass(frozen=True, slots=True)
class Frequent:
    """What a search found: relations, and how many itemsets of 1, 2, … items they hold."""

    found: str
    least: int
    counts: tuple[int, ...]
    plans: tuple[str, ...]  # how each size was counted

    @property
    def itemsets(self) -> int:
        return sum(self.counts)

    def relation(self, size: int) -> exp.Table:
        """The itemsets of one size."""
        return exp.table_(levels.table(self.found, size))


def frequent_itemsets(
    session: Session,
    occurrences: exp.Expr,
    *,
    items: int,
    transactions: int,
    least: int,
    max_size: int | None = None,
    found: str = "frequent",
    plan: str = "auto",
    limit: int = LIMIT,
) -> Frequent:
    """Leave the itemsets that `least` transactions or more hold, of up to `max_size` items.

    UnreachableError: there may be more than `limit`; what was found until then is dropped.
    """
    _forget(session, found)
    search = _Search(session, found, max(1, items), max(1, transactions), least, plan, limit)
    try:
        search.first(occurrences)
        while search.counts[-1] and not search.is_last(max_size):
            search.next()
    except UnreachableError:
        _forget(session, found)
        raise
    search.clear()
    if not search.counts[-1]:
        session.drop(f"{found}_{len(search.counts)}")
        search.counts.pop()
    return Frequent(found, least, tuple(search.counts), tuple(search.plans[: len(search.counts)]))


def _forget(session: Session, found: str) -> None:
    """Drop what an earlier search of the same name left."""
    of_a_search = re.compile(rf"{re.escape(found)}_((cohort|posting|candidate)_)?\d+")
    for name in [name for name in session.relations if of_a_search.fullmatch(name)]:
        session.drop(name)


@dataclass(frozen=True, slots=True)
class _Outlook:
    """How large the next level can be."""

    candidates: int  # itemsets that share all but their last item, paired: at most so many
    meetings: int  # rows that the join of the lists makes; estimated, but for pairs


class _Search:
    """The levels that were made, and what the next one is made of."""

    def __init__(
        self,
        session: Session,
        found: str,
        items: int,
        transactions: int,
        least: int,
        plan: str,
        limit: int,
    ) -> None:
        self.session = session
        self.found = found
        self.items = items
        self.transactions = transactions
        self.least = least
        self.plan = plan
        self.limit = limit
        self.counts: list[int] = []  # itemsets of 1, 2, … items
        self.plans: list[str] = []
        self.held: list[int] = []  # the sums of their supports
        self.met = 0  # the meetings of the last level
        self.bits = False
        self.width = 0
        self.posted: dict[int, float] = {}  # sizes that are kept as bits, and in how many bytes

    def is_last(self, max_size: int | None) -> bool:
        """Are these the largest that were asked for?"""
        return max_size is not None and len(self.counts) >= max_size

    def first(self, occurrences: exp.Expr) -> None:
        """Items one by one, and who holds those that are frequent."""
        step = sql.counted_items(self.found, occurrences, self.least)
        self._keep(self.session.counted(step), "items")
        if self.counts[-1]:
            self.held.append(self.session.counted(sql.occurring(self.found, occurrences)))

    def next(self) -> None:
        """The itemsets with one item more."""
        size = len(self.counts) + 1
        outlook = self._outlook(size)
        self._refuse_too_many(size, outlook)
        self.bits = self.bits or self._prefers_bits(size, outlook)
        self._allow(size, outlook)
        if self.bits:
            self._keep(self._count_in_bits(size), f"bits of {self.width}")
        else:
            self._keep(self._count_in_lists(size), "lists")
        self.met = outlook.meetings

    def clear(self) -> None:
        """Drop what only the search needed, if it is large."""
        working = re.compile(rf"{re.escape(self.found)}_(cohort|posting|candidate)_\d+")
        for name in [name for name in self.session.relations if working.fullmatch(name)]:
            self.session.give_back(name)

    def _keep(self, itemsets: int, plan: str) -> None:
        self.counts.append(itemsets)
        self.plans.append(plan)

    def _outlook(self, size: int) -> _Outlook:
        if size == 2:
            (meetings,) = self.session.one(sql.meetings(self.found))
            return _Outlook(self.counts[0] * (self.counts[0] - 1) // 2, meetings)
        candidates, held, meetings = self.session.one(sql.prospects(self.found, size))
        self.held.append(held)
        return _Outlook(candidates, meetings // 200)

    def _refuse_too_many(self, size: int, outlook: _Outlook) -> None:
        """Before they are made. Pairs are few if they do not meet; for others, look twice."""
        known = sum(self.counts)
        doubt = 1 if size == 2 else DOUBT  # for pairs, the meetings are exact
        most = min(outlook.candidates, doubt * outlook.meetings // self.least)
        if size > 2 and self.limit < known + most <= CLOSER * self.limit:
            (most,) = self.session.one(sql.possible(self.found, size))
        if known + most > self.limit:
            self.session.refuse(
                UnreachableError(
                    f"there can be {most:,} frequent itemsets of {size} items, besides {known:,} "
                    f"smaller ones: more than the limit of {self.limit:,}; raise --min-support "
                    f"above {self.least:,}, set --max-size to {size - 1}, or raise --limit"
                )
            )

    def _allow(self, size: int, outlook: _Outlook) -> None:
        """Refuse what takes too much in the way it is counted, frequent or not."""
        rows, kept = outlook.meetings, cost.HOLDER * self.met
        if self.bits:
            part = self._parts(size)[0]
            rows = round(outlook.candidates * self._blocks(part, self.width))
            kept = 0  # its bounds are those of POSTED_BYTES
        smaller = f"raise {option('min_support')}"
        if size > 1:
            smaller += f", set {option('max_size', size - 1)}"
        cost.allow(
            self.session,
            cost.Outlook(f"itemsets of {size}", outlook.candidates, rows, smaller, kept),
        )

    # Lists

    def _count_in_lists(self, size: int) -> int:
        if size > 2:
            step = sql.cohorts(self.found, size - 1, self.items, self.transactions)
            self.session.create(step)
            if size > 3:
                self.session.give_back(f"{self.found}_cohort_{size - 2}")
        return self.session.counted(sql.counted_in_lists(self.found, size, self.items, self.least))

    # Bits

    def _count_in_bits(self, size: int) -> int:
        parts = self._parts(size)
        for part in sorted(set(parts)):
            self._post(part)
        candidates = sql.candidates(self.found, size, parts)
        self.session.create(candidates)
        if self.session.told(candidates.name) == 0:
            return self.session.counted(sql.none(self.found, size))
        counted = self.session.counted(sql.counted_in_bits(self.found, size, parts, self.least))
        self.session.give_back(candidates.name)
        return counted

    def _post(self, size: int) -> None:
        """Keep the frequent itemsets of a size as bits."""
        if size in self.posted:
            return
        self.posted[size] = self._bytes(size)
        if size == 1:
            self.session.create(sql.posted_items(self.found, self.width))
            return
        parts = self._parts(size)
        for part in sorted(set(parts)):
            self._post(part)
        self.session.create(sql.posted(self.found, size, parts))

    def _parts(self, size: int) -> tuple[int, ...]:
        """The fewest parts, as equal as can be, that are not too large to be kept as bits."""
        largest = 1
        while largest < (size + 1) // 2 and self._can_be_posted(largest + 1):
            largest += 1
        number = -(-size // largest)
        return tuple(size // number + (n < size % number) for n in range(number))

    def _can_be_posted(self, size: int) -> bool:
        kept = sum(self.posted.values())
        return size in self.posted or kept + self._bytes(size) <= POSTED_BYTES

    def _bytes(self, size: int) -> float:
        return (
            self.counts[size - 1] * self._blocks(size, self.width) * (BLOCK_HEAD + self.width / 8)
        )

    # What a level costs, either way

    def _prefers_bits(self, size: int, outlook: _Outlook) -> bool:
        self.width = self._best_width(size)
        if self.plan != "auto":
            return self.plan == "bits"
        lists, bits = self._cost_of_lists(size, outlook), self._cost_of_bits(size, outlook)
        chosen = "bits" if bits < lists else "lists"
        self.session.remark(
            f"itemsets of {size}: lists would take about {lists / 1e9:.3f} s, "
            f"bits of {self.width} about {bits / 1e9:.3f} s; chosen: {chosen}",
            supposed="counts decide whether itemsets are kept as lists, as here, or bits",
        )
        return bits < lists

    def _cost_of_lists(self, size: int, outlook: _Outlook) -> float:
        """Rows of this level's join, counted, and of the last one's, kept."""
        rows = LIST_ROW * outlook.meetings + (KEPT_ROW * self.met if size > 2 else 0)
        return self.session.backend.can.lists * rows

    def _cost_of_bits(self, size: int, outlook: _Outlook) -> float:
        """Blocks of every candidate, and of the parts that must be posted before."""
        parts = self._parts(size)
        block = BLOCK_ROW + BLOCK_BYTE * self.width / 8
        new = [self.counts[n - 1] * self._blocks(n - 1, self.width) for n in set(parts) if n > 1]
        blocks = outlook.candidates * self._blocks(parts[0], self.width) * (len(parts) - 1)
        return (
            PACKED_ROW * self.held[0] + CANDIDATE * outlook.candidates + block * (sum(new) + blocks)
        )

    def _blocks(self, size: int, width: int) -> float:
        """How many blocks are not empty for an itemset of a size, if it is spread evenly."""
        share = min(1.0, self.held[size - 1] / max(1, self.counts[size - 1]) / self.transactions)
        return max(1.0, self.transactions / width * (1 - (1 - share) ** width))

    def _best_width(self, size: int) -> int:
        """For what is large: the itemsets of one item less."""
        widths = self.session.backend.can.posting_widths
        cost = {w: self._blocks(size - 1, w) * (BLOCK_ROW + BLOCK_BYTE * w / 8) for w in widths}
        return min(widths, key=lambda width: cost[width])
