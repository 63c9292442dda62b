"""Find the frequent itemsets of any occurrences in a run, as `setveil itemsets`.

    found = frequent_itemsets(session, exp.to_table("occurrence"), items=baskets.items,
                              transactions=baskets.transactions, least=20, max_size=5)

makes frequent_1 … frequent_n, n = len(found.counts): one row per itemset that at least `least`
transactions hold. Its columns are `(id BIGINT, item_1 INT … item_n INT, support BIGINT)`; items
ascend by number, ids in the order of the items. `found.relation(n)` is such a relation. The last
relation is never empty; if no item is frequent, there is none.

The occurrences are any relation or subquery with one row `(tid, item)` per transaction and item,
0 <= tid < transactions, 0 <= item < items. They can be of the original, or of a release with the
same numbers. Searches with different names (`found=`) keep their relations; a search drops those
of an earlier one with the same name. Working relations are dropped, or their names begin with the
name of the search, such as frequent_cohort_1.

Itemsets are counted by lists of transactions on sparse data, by bits on dense data. Each level
chooses anew from counts that are known, and the trail keeps the choice. Every plan gives the same
itemsets. After a level with bits, itemsets stay bits. With bits, an itemset is counted by the
intersection of its two halves, so no itemset of more than half the size is ever stored. After pairs
from lists, larger itemsets are mostly words of bits: one bit per occurrence of the rarest item.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from setveil.errors import UnreachableError, option
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql import levels
from setveil.sql.inverted import WORD, Blocks
from setveil.sql.mine import bits, growth, words
from setveil.sql.mine import search as sql
from setveil.sql.step import Step

PLANS = ("auto", "lists", "bits", "words")
WIDTHS = (WORD, 4 * WORD, 16 * WORD)  # occurrences per block of words
LIMIT = 10_000_000  # default limit of itemsets: some hundred megabytes
DOUBT = 10  # itemsets may meet this many times as often as independent ones
ALIKE = 4  # they mostly meet this many times as often: items of a frequent itemset go together
CLOSER = 100  # multiple of the limit beyond which an exact count would take too long
POSTED_BYTES = 2**28  # bytes of stored bits, before itemsets are made of smaller parts

# Nanoseconds, measured on DuckDB 2.0 with two cores: a row of joined lists counted, and kept; a row
# of a list packed into blocks; a pair of itemsets tried; a block joined, one byte, one word of it;
# an occurrence numbered.
LIST_ROW, KEPT_ROW, PACKED_ROW, CANDIDATE = 30.0, 20.0, 60.0, 15.0
SPOT_ROW = 100.0
BLOCK_ROW, BLOCK_BYTE, BLOCK_WORD = 32.0, 0.6, 2.0
BLOCK_HEAD = 16  # bytes of a block besides its bits
WORKING = "(?:cohort|met|place|posting|candidate|part|spot)"  # relations that the next search drops
PART = 1_000_000  # rows of joined lists that are counted at once: more would fill the memory


@dataclass(frozen=True, slots=True)
class Frequent:
    """The relations of a search, and the number of itemsets of 1, 2, … items."""

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
    plan: str | int = "auto",
    limit: int = LIMIT,
) -> Frequent:
    """Make the itemsets of up to `max_size` items that at least `least` transactions hold.

    A number as `plan` is the size from which itemsets are counted with bits. UnreachableError:
    there may be more than `limit`; the relations made so far are dropped.
    """
    _forget(session, found)
    search = _Search(session, found, max(1, items), max(1, transactions), least, plan, limit)
    try:
        search.first(occurrences)
        while search.may_grow() and not search.is_last(max_size):
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
    """Drop the relations of an earlier search with the same name."""
    of_a_search = re.compile(rf"{re.escape(found)}_({WORKING}_)?\d+")
    for name in [name for name in session.relations if of_a_search.fullmatch(name)]:
        session.drop(name)


@dataclass(frozen=True, slots=True)
class _Outlook:
    """Upper bounds for the next level."""

    candidates: int  # pairs of itemsets that share all but their last item, at most
    meetings: int  # rows of the join of the lists: exact for pairs, otherwise estimated
    places: int = 0  # of every itemset with one item less, the transactions it would grow from


class _Search:
    """The levels that were made, and the counts that the next level needs."""

    def __init__(
        self,
        session: Session,
        found: str,
        items: int,
        transactions: int,
        least: int,
        plan: str | int,
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
        self.bits = self.words = False
        self.width = 0
        self.blocks = 0.0  # of an itemset, as words
        self.posted: dict[int, float] = {}  # the bytes of each size that is stored as bits

    def is_last(self, max_size: int | None) -> bool:
        """Is the last level the largest that the caller wants?"""
        return max_size is not None and len(self.counts) >= max_size

    def may_grow(self) -> bool:
        """Are there as many itemsets as a larger one has subsets of their size?"""
        return self.counts[-1] >= self.session.supposed(len(self.counts) + 1, 1)

    def first(self, occurrences: exp.Expr) -> None:
        """Count single items, and keep the occurrences of frequent ones."""
        step = sql.counted_items(self.found, occurrences, self.least)
        self._keep(self.session.counted(step), "items")
        if self.counts[-1]:
            self.held.append(self.session.counted(sql.occurring(self.found, occurrences)))

    def next(self) -> None:
        """Find the itemsets with one more item."""
        size = len(self.counts) + 1
        outlook = self._outlook(size)
        self._refuse_too_many(size, outlook)
        self._choose(size, outlook)
        self._allow(size, outlook)
        if self.words:
            self._keep(self._count_in_words(size), f"words of {self.width}")
        elif self.bits:
            self._keep(self._count_in_bits(size), f"bits of {self.width}")
        else:
            self._keep(self._count_in_lists(size, self._parts_of(outlook)), "lists")
        self.met = outlook.meetings

    def clear(self) -> None:
        """Drop the large working relations."""
        working = re.compile(rf"{re.escape(self.found)}_{WORKING}_\d+")
        for name in [name for name in self.session.relations if working.fullmatch(name)]:
            self.session.give_back(name)

    def _keep(self, itemsets: int, plan: str) -> None:
        self.counts.append(itemsets)
        self.plans.append(plan)

    def _outlook(self, size: int) -> _Outlook:
        if size == 2:
            (meetings,) = self.session.one(sql.meetings(self.found))
            return _Outlook(self.counts[0] * (self.counts[0] - 1) // 2, meetings)
        most = self.counts[-1] * (self.counts[-1] - 1) // 2
        if self.words and sum(self.counts) + most <= self.limit:
            self.held.append(0)  # which only lists and bits ask for
            return _Outlook(most, most * self.least)
        prospects = sql.prospects(self.found, size, self.items)
        candidates, held, meetings, places = self.session.one(prospects)
        self.held.append(held)
        return _Outlook(candidates, meetings // 200, places)

    def _refuse_too_many(self, size: int, outlook: _Outlook) -> None:
        """Refuse too many itemsets by an estimate, and then by a count in cases of doubt."""
        known = sum(self.counts)
        doubt = 1 if size == 2 else DOUBT  # for pairs, the meetings are exact
        most = min(outlook.candidates, doubt * outlook.meetings // self.least)
        if size > 2 and self.limit < known + most <= CLOSER * self.limit:
            (most,) = self.session.one(growth.possible(self.found, size, self.items))
        if known + most > self.limit:
            self.session.refuse(
                UnreachableError(
                    f"there can be {most:,} frequent itemsets of {size} items, besides {known:,} "
                    f"smaller ones: more than the limit of {self.limit:,}; raise --min-support "
                    f"above {self.least:,}, set --max-size to {size - 1}, or raise --limit"
                )
            )

    def _allow(self, size: int, outlook: _Outlook) -> None:
        """Refuse a level whose counting, by lists or by bits, takes too much."""
        rows, kept = outlook.meetings, cost.HOLDER * self.met
        if self.bits:
            part = self._parts(size)[0]
            rows = round(outlook.candidates * self._blocks(part, self.width))
            kept = 0  # POSTED_BYTES bounds the stored bits
        elif self.words:
            rows = round(outlook.candidates * self.blocks)
            kept = round(self.counts[-1] * self.blocks * (BLOCK_HEAD + self.width / 8))
        smaller = f"raise {option('min_support')}"
        if size > 1:
            smaller += f", set {option('max_size', size - 1)}"
        cost.allow(
            self.session,
            cost.Outlook(f"itemsets of {size}", outlook.candidates, rows, smaller, kept),
        )

    # Lists

    def _count_in_lists(self, size: int, parts: int) -> int:
        if size > 2:
            step = sql.cohorts(self.found, size - 1, self.items, self.transactions)
            self.session.create(step)
            if size > 3:
                self.session.give_back(f"{self.found}_cohort_{size - 2}")
        level = self.found, size, self.items, self.least
        for part in range(parts if parts > 1 else 0):
            step = sql.met_in_lists(*level, part, parts)
            (self.session.append if part else self.session.create)(step)
        return self.session.counted(sql.counted_in_lists(*level, met=parts > 1))

    def _parts_of(self, outlook: _Outlook) -> int:
        """In how many parts a level is counted: each reads all lists, but needs less memory."""
        rows = self.held[-1]
        return max(1, min(outlook.meetings // PART, outlook.meetings // max(1, rows)))

    # Bits

    def _count_in_bits(self, size: int) -> int:
        parts = self._parts(size)
        for part in sorted(set(parts)):
            self._post(part)
        if not self._found_candidates(size):
            return self.session.counted(growth.none(self.found, size))
        self.session.create(bits.parted(self.found, size, parts))
        step = bits.counted_in_bits(self.found, size, parts, Blocks(self.width), self.least)
        return self._counted(step, size)

    def _found_candidates(self, size: int) -> bool:
        """Make the itemsets whose every subset is frequent. Return False if there are none."""
        candidates = growth.candidates(self.found, size, self.items)
        self.session.create(candidates)
        return self.session.told(candidates.name) != 0

    def _counted(self, step: Step, size: int) -> int:
        counted = self.session.counted(step)
        self.session.give_back(f"{self.found}_candidate_{size}")
        return counted

    def _post(self, size: int) -> None:
        """Store the frequent itemsets of a size as bits."""
        if size in self.posted:
            return
        self.posted[size] = self._bytes(size)
        if size == 1:
            placed = self.width > WORD + 1
            if placed:
                self.session.create(bits.side_by_side(self.found, self.counts[0]))
            self.session.create(bits.posted_items(self.found, self.width, placed=placed))
            return
        parts = self._parts(size)
        for part in sorted(set(parts)):
            self._post(part)
        self.session.create(bits.posted(self.found, size, parts, Blocks(self.width)))

    def _parts(self, size: int) -> tuple[int, ...]:
        """The fewest parts of nearly equal size that are small enough to store as bits."""
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

    # Words

    def _count_in_words(self, size: int) -> int:
        session, found, blocks = self.session, self.found, Blocks(self.width, always=True)
        if not self._found_candidates(size):
            return session.counted(growth.none(found, size))
        if size == 3:
            session.create(words.spots(found, self.items))
            session.create(words.posted_pairs(found, self.items, blocks))
            for name in ("cohort_1", "spot_1"):
                session.give_back(f"{found}_{name}")
        else:
            session.create(words.posted(found, size - 1, self.items, blocks))
            session.give_back(f"{found}_posting_{size - 2}")
        return self._counted(
            words.counted_in_words(found, size, self.items, blocks, self.least), size
        )

    # The cost of a level, with lists, with bits and with words

    def _choose(self, size: int, outlook: _Outlook) -> None:
        """Choose lists, bits or words. Bits stay bits, and words stay words."""
        if self.bits or self.words:
            return
        self.width = self._best_width(size)
        chosen = self._chosen(size, outlook)
        self.bits, self.words = chosen == "bits", chosen == "words"
        if self.words:
            self.width, self.blocks = self._best_words(outlook)

    def _chosen(self, size: int, outlook: _Outlook) -> str:
        if isinstance(self.plan, int):
            return "bits" if size >= self.plan else "lists"
        if self.plan == "words":
            return "words" if size == 3 else "lists"
        if self.plan != "auto":
            return self.plan
        width, _ = self._best_words(outlook)
        costs = {
            "lists": self._cost_of_lists(size, outlook),
            "bits": self._cost_of_bits(size, outlook),
            "words": self._cost_of_words(outlook),
        }
        names = {"lists": "lists", "bits": f"bits of {self.width}", "words": f"words of {width}"}
        if size != 3:  # words begin with pairs
            del costs["words"]
        chosen = min(costs, key=lambda one: costs[one])
        said = [f"{names[one]} about {cost / 1e9:.3f} s" for one, cost in costs.items()]
        said[0] = said[0].replace("about", "would take about")
        self.session.remark(
            f"itemsets of {size}: {', '.join(said)}; chosen: {chosen}",
            supposed="counts decide whether itemsets are stored as lists, as bits or as words",
        )
        return chosen

    def _cost_of_lists(self, size: int, outlook: _Outlook) -> float:
        """The rows that this level's join counts, and the rows that the last level's join kept."""
        rows = LIST_ROW * outlook.meetings
        if size > 2:
            rows = LIST_ROW * ALIKE * outlook.meetings + KEPT_ROW * self.met
            rows += PACKED_ROW * self.held[-1]
        return self.session.backend.can.lists * rows

    def _cost_of_bits(self, size: int, outlook: _Outlook) -> float:
        """The blocks of every candidate, and of the parts that must be stored first."""
        parts = self._parts(size)
        block = _block(self.width)
        new = [self.counts[n - 1] * self._blocks(n - 1, self.width) for n in set(parts) if n > 1]
        blocks = outlook.candidates * self._blocks(parts[0], self.width) * (len(parts) - 1)
        return (
            PACKED_ROW * self.held[0] + CANDIDATE * outlook.candidates + block * (sum(new) + blocks)
        )

    def _cost_of_words(self, outlook: _Outlook) -> float:
        """The occurrences, numbered; the pairs, joined once more; the blocks of every candidate."""
        width, blocks = self._best_words(outlook)
        joined = KEPT_ROW * self.met + PACKED_ROW * self.held[-1]
        tried = outlook.candidates * (CANDIDATE + blocks * _block(width, always=True))
        return SPOT_ROW * self.held[0] + joined + tried

    def _best_words(self, outlook: _Outlook) -> tuple[int, float]:
        """The cheapest width of words, and the blocks of an itemset: a share of its rarest item."""
        counted = max(1, self.counts[-1])
        transactions, share = outlook.places / counted, self.held[-1] / max(1, outlook.places)
        blocks = {
            width: max(1.0, transactions / width * (1 - (1 - min(1.0, share)) ** width))
            for width in WIDTHS
        }
        best = min(WIDTHS, key=lambda width: blocks[width] * _block(width, always=True))
        return best, blocks[best]

    def _blocks(self, size: int, width: int) -> float:
        """The number of blocks of an itemset of a size, if it is spread evenly."""
        share = min(1.0, self.held[size - 1] / max(1, self.counts[size - 1]) / self.transactions)
        return max(1.0, self.transactions / width * (1 - (1 - share) ** width))

    def _best_width(self, size: int) -> int:
        """The best width for the itemsets with one item less, which are the most."""
        widths = self.session.backend.can.posting_widths
        return min(widths, key=lambda width: self._blocks(size - 1, width) * _block(width))


def _block(width: int, *, always: bool = False) -> float:
    """The time of a block that is joined."""
    blocks = Blocks(width, always)
    return BLOCK_ROW + (BLOCK_BYTE * width / 8 if blocks.is_one else BLOCK_WORD * blocks.words)
