"""Search minimal moles level by level, with the cheaper form of the inverted index.

Cohorts are stored as lists of transactions on sparse data, as bits on dense data. Each level
chooses anew from counts that are known, and the trail keeps the choice. Both forms give the same
moles. After a level with bits, cohorts stay bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
from sqlglot import exp

from setveil.backends import Row, integers
from setveil.errors import option
from setveil.models.coherence.promise import Level, Promise
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql import inverted, levels
from setveil.sql.comparison import inspection
from setveil.sql.inverted import WORD, Blocks
from setveil.sql.models.coherence import persons as owned
from setveil.sql.models.coherence import search as moles
from setveil.sql.step import Step, duck

PLANS = ("auto", "lists", "bits")
SHARED = ("extension", "secret", "posting_1", "secret_posting")  # needed by all levels

# The relations of a search that the next search drops.
OF_A_SEARCH = re.compile(
    r"extension|place|secret|secret_posting"
    r"|(cohort|posting|candidate|counted|link|bound|exact|judged|exposed)_\d+"
    r"|(doubtful|held|persons|reached|dominated)_\d+"
)

# Nanoseconds, measured on DuckDB 2.0 with two cores: a row of a list joined and counted; a block
# joined, one byte and one word of it; a row packed into blocks.
LIST_ROW, BLOCK_ROW, BLOCK_BYTE, BLOCK_WORD, PACKED_ROW = 12.0, 40.0, 0.7, 3.0, 150.0
# Above this many pairs, sorting cohorts takes longer than it saves in counting.
FEW_PAIRS = 5_000_000
# At least so many joined rows of the last level are counted at once: more would fill the memory.
PART = 2**22
# Below this share of all pairs of itemset and private item, bounds by links pay off.
FEW_LINKS = 0.05
# About this share of the bounds on private items needs an exact count from level 3 on.
SUSPICIOUS = 0.1
BLOCK_HEAD = 16  # bytes of a block besides its bits


Progress = Callable[[Level], None]


def find_moles(
    session: Session,
    promise: Promise,
    *,
    items: int,
    transactions: int,
    persons: bool = False,
    plan: str | int = "auto",
    exposed: bool = False,
    progress: Progress = lambda level: None,
) -> list[Level]:
    """Make judged_1 … judged_p, in which minimal moles have a verdict above 0.

    Reads occurrence, item, public_item and private_item. With `persons`, an itemset needs k
    persons, and shares hold in persons too. `exposed` also makes exposed_1 … exposed_p, the
    transactions that are identifiable from a rare itemset of each size. A number as `plan` is the
    size from which itemsets are counted with bits.
    """
    for name in [name for name in session.relations if OF_A_SEARCH.fullmatch(name)]:
        session.drop(name)
    search = _Search(session, promise, items, transactions, persons, plan, exposed)
    levels = [search.first()]
    progress(levels[0])
    while levels[-1].size < promise.p and levels[-1].extendible:
        levels.append(search.next(levels[-1]))
        progress(levels[-1])
    search.clear()
    return levels


def _smaller(size: int) -> str:
    """The remedy if itemsets of one more item do not fit."""
    return f"lower {option('p')} to {size}" if size else "name fewer items"


class _Search:
    """The relations and counts of a search, and its plan."""

    def __init__(
        self,
        session: Session,
        promise: Promise,
        items: int,
        transactions: int,
        persons: bool,
        plan: str | int,
        exposed: bool,
    ) -> None:
        self.session = session
        self.promise = promise
        self.items = max(1, items)
        self.transactions = max(1, transactions)
        self.persons = persons
        self.plan = plan
        self.exposed = exposed
        self.bits = False
        self.width = min(session.backend.can.posting_widths)
        self.prefixes = 1  # extendible itemsets of the level before the last
        self.present = 0  # itemsets of the last level
        self.enough = 0  # itemsets of the last level that k transactions hold
        self.held = 0  # pairs of transaction and itemset at the last level, rare moles left out
        self.occurrences = self.pairs = self.secrets = self.links = 0
        self.lengths = cost.Lengths(())  # of transactions, in extendible items
        self.alphabet = 0  # extendible items
        self.dominance = Fraction(0)  # the largest share of one person in an itemset
        self.taken = 0  # numbers that Python holds
        self.made: list[str] = []
        self.parted: set[str] = set()  # large relations that were made in parts

    def first(self) -> Level:
        """Find the moles of one item, from lists: no index is needed yet."""
        promise, run = self.promise, self.session
        run.within(moles.counted_items())
        if promise.private:
            self.make(inverted.secrets())
            holders = inverted.holders(promise.k)
            run.create(moles.links_in_lists(1, holders, self.items, promise.h, promise.k))
        if self.persons:
            self._count_persons(1)
        level = self._judge(1)
        self.present, self.enough, self.alphabet = self.items, level.enough, level.extendible
        if promise.p > 1 and level.extendible:
            self.make(inverted.extensions())
            self.lengths = cost.Lengths(run.ask(inverted.density()))
            self.occurrences, self.pairs = self.lengths.sets(1), self.lengths.sets(2)
            self.held = self.occurrences
            self.width = self._best_width(level)
        if self.exposed:
            run.create(inspection.exposed_by_items(self.width))
            if self.persons:
                self._dominate(run.ask(owned.dominated_item(promise.k)))
        return replace(level, width=self.width, dominance=self.dominance)

    def next(self, last: Level) -> Level:
        """Find the moles with one more item."""
        promise, size = self.promise, last.size + 1
        if not self.bits and self._prefers_bits(last):
            self._switch_to_bits(last.size)
        outlook = self._allow(last)
        present = (
            self._count_in_bits(size)
            if self.bits
            else self._count_in_lists(size, self._parts_of(outlook))
        )
        if not present:
            self.clear()
            return Level(size, self._plan, 0, np.empty((0, size), dtype=np.int32), 0)
        if self.persons:
            self._count_persons(size)
        if size == promise.p and not self.exposed:
            self.keep(f"counted_{size}")
        level = self._judge(size)
        if self.exposed:
            self._expose(size)
            level = replace(level, dominance=self.dominance)
        self.keep(f"cohort_{size}", f"posting_{size}", *SHARED)
        self.prefixes = last.extendible
        self.present, self.enough = level.present, level.enough
        return level

    def clear(self) -> None:
        """Drop all relations of the search but the verdicts."""
        self.keep()

    def make(self, step: Step) -> None:
        """Make a large relation, which is dropped as soon as the search no longer needs it."""
        self.made.append(step.name)
        self.session.create(step)

    def keep(self, *names: str) -> None:
        """Drop the relations of the search that are not named."""
        for name in self.made:
            if name not in names:
                (self.session.drop if name in self.parted else self.session.give_back)(name)
        self.made = [name for name in self.made if name in names]

    @property
    def _plan(self) -> str:
        return f"bits of {self.width}" if self.bits else "lists"

    def _judge(self, size: int) -> Level:
        promise, run = self.promise, self.session
        judged = moles.judged(
            size, promise.h, promise.k, private=promise.private > 0, persons=self.persons
        )
        run.create(judged)
        present = self._sized(size, judged.name)
        self._allow_in_python(size, present)
        if size == promise.p and not self.exposed:
            self.clear()
        found = run.arrays(moles.moles(size))
        if not found:
            none = np.empty((0, size), dtype=np.int32)
            return Level(size, self._plan, present, none, 0, self.width)
        revealing = int((integers(found.pop("verdict")) == moles.REVEALING).sum())
        moles_found = np.empty((len(found["item_1"]), size), dtype=np.int32)
        for n in range(size):
            moles_found[:, n] = found.pop(f"item_{n + 1}")
        self.taken += moles_found.size
        return Level(size, self._plan, present, moles_found, revealing, self.width)

    def _sized(self, size: int, judged: str) -> int:
        """Read the sizes of a level's relations; return the number of judged itemsets."""
        known = {"secret", f"link_{size}", f"cohort_{size}"} & set(self.session.relations)
        names = [judged, *(sorted(known) if not self.bits else ())]
        rows: dict[str, int] = dict(zip(names, self.session.sizes(*names), strict=True))
        self.secrets = rows.get("secret", self.secrets)
        self.links = rows.get(f"link_{size}", self.links)
        self.held = rows.get(f"cohort_{size}", self.held)
        return rows[judged]

    def _count_in_lists(self, size: int, parts: int) -> bool:
        """Make counted_n and its links. Return False if no transaction holds such an itemset."""
        promise = self.promise
        if not self._make_counted(size, parts):
            return False
        cohort: str | exp.Expr = moles.holders(size, promise.k)
        if size < promise.p:
            cohorts = moles.cohorts(size, promise.k, ordered=self.pairs < FEW_PAIRS)
            self.make(cohorts)
            cohort = levels.table("cohort", size)
        if promise.private:
            self._link_in_lists(size, cohort)
        return True

    def _make_counted(self, size: int, parts: int) -> bool:
        """Make counted_n. Return False if no transaction holds such an itemset."""
        # Ids of the last level pack an itemset. With a private item they must fit in a BIGINT.
        last = size == self.promise.p and self.present * self.items**2 < 2**62
        if size == 2:
            self.make(moles.counted_pairs(self.items, last=last))
            return self.session.told("counted_2") != 0
        if not last:
            self.make(moles.counted_in_lists(size, self.items))
            return self.session.told(f"counted_{size}") != 0
        rows: list[int | None] = []
        for part in range(parts):
            step = moles.counted_in_lists(size, self.items, last=True, part=part, parts=parts)
            (self.session.append if part else self.make)(step)
            rows.append(self.session.statements[-1].rows)
        if parts > 1:
            self.parted.add(f"counted_{size}")
        return any(number != 0 for number in rows)

    def _parts_of(self, outlook: cost.Outlook) -> int:
        """In how many parts a level is counted: each reads all occurrences, but fits in memory."""
        return max(1, outlook.rows // max(PART, self.occurrences))

    def _link_in_lists(self, size: int, cohort: str | exp.Expr) -> None:
        """Count private items in all cohorts, or only in those that bounds leave over."""
        promise, run = self.promise, self.session
        if self.links > FEW_LINKS * self.enough * promise.private:
            links = moles.links_in_lists(size, cohort, self.items, promise.h, promise.k)
        else:
            run.within(self._bounds(size))
            links = moles.links_within_bounds(size, cohort, self.items)
        run.create(links)

    def _count_in_bits(self, size: int) -> bool:
        """Make counted_n and its links from bits. Return False if no transaction holds one."""
        promise, run, kept = self.promise, self.session, size < self.promise.p
        blocks = Blocks(self.width)
        run.create(moles.candidates(size))
        if kept:
            self.make(moles.intersections(size, blocks))
        counted = moles.counted_in_bits(size, blocks, kept=kept)
        self.make(counted)
        present = run.told(counted.name) != 0
        if present and promise.private:
            run.create(self._bounds(size))
            every = size == 2 and kept  # exact counts of pairs give good bounds at later levels
            run.create(moles.exact_hits(size, promise.h, blocks, kept=kept, every=every))
            run.create(moles.links_in_bits(size))
        return present

    def _bounds(self, size: int) -> Step:
        promise, last = self.promise, size == self.promise.p
        return moles.bounds(size, promise.h, promise.k, last=last, persons=self.persons)

    def _count_persons(self, size: int) -> None:
        """Count the persons of itemsets in doubt, and those of whom a private item is revealed."""
        promise, private = self.promise, self.promise.private > 0
        if size == 1:
            self.session.create(owned.known_persons())
            if private:
                self.make(owned.held_alone(promise.k))
        else:
            self.session.create(owned.doubtful(size, promise.h, promise.k, private=private))
            self.make(owned.held(size, lists=not self.bits))
            self.session.create(owned.persons(size))
        if private:
            self.session.create(owned.reached(size, promise.h, promise.k))

    def _switch_to_bits(self, size: int) -> None:
        """Pack the cohorts from lists into bits, with transactions that are alike side by side.

        Transactions that are to be exposed keep their numbers.
        """
        self.bits = True
        moved = self.width > WORD + 1 and not self.exposed
        if moved:
            self.make(moles.side_by_side(self.alphabet))
        lists: dict[str, str | exp.Select] = {"posting_1": moles.cohort(1)}
        if self.promise.private:
            lists["secret_posting"] = duck("SELECT item AS id, tid FROM secret")
        if size > 1:
            lists[f"posting_{size}"] = levels.table("cohort", size)
        why = "the inverted index: one bit per transaction"
        for name, rows in lists.items():
            placed = moles.at_places(rows, moved=moved)
            self.make(inverted.postings(name, self.width, placed, why))

    def _expose(self, size: int) -> None:
        if self.bits:
            self.session.create(inspection.exposed_in_bits(size))
        else:
            self.session.create(inspection.exposed_in_lists(size, self.width, self.items))
        if self.persons:
            k, lists = self.promise.k, not self.bits
            # Above this share, the transactions could also be of fewer than k persons.
            doubted = self.dominance * (k - 1) >= 1
            self.session.create(owned.dominated(size, k, self.dominance))
            found = self.session.ask(owned.dominating(size, k, lists=lists, doubted=doubted))
            self._dominate(found)

    def _dominate(self, found: list[Row]) -> None:
        """Keep the largest share that one person has in the transactions of an itemset."""
        shares = [Fraction(most, support) for most, support in found]
        self.dominance = max([self.dominance, *shares])

    # The cost of a level, with lists and with bits

    def _allow(self, last: Level) -> cost.Outlook:
        """Refuse a level that is too large by an estimate and then by a count."""
        size, before = last.size + 1, last.extendible
        most = min(before * (before - 1) // 2, comb(self.alphabet, size))
        outlook = self._outlook(last, most)
        if size > 2 and not cost.fits(self.session, outlook):
            (candidates,) = self.session.one(moles.prospects(size))
            outlook = self._outlook(last, int(candidates))
        cost.allow(self.session, outlook)
        return outlook

    def _outlook(self, last: Level, candidates: int) -> cost.Outlook:
        size, kept = last.size + 1, last.size + 1 < self.promise.p
        if self.bits:
            blocks = self._blocks(self.held / max(1, last.extendible), self.width)
            rows = round(candidates * blocks)
            holders = round(rows * (BLOCK_HEAD + self.width / 8)) if kept else 0
        else:
            rows = round(self.held * self.lengths.growth(size))
            holders = cost.HOLDER * rows if kept else 0
        return cost.Outlook(f"itemsets of {size}", candidates, rows, _smaller(last.size), holders)

    def _allow_in_python(self, size: int, present: int) -> None:
        """Refuse more moles than Python's memory can hold, after a count where in doubt."""
        run = self.session
        if cost.fits_in_python(run, self.taken + present * size):
            return
        (found,) = run.one(moles.found(size))
        numbers = self.taken + int(found) * size
        cost.allow_in_python(run, f"moles of {size}", numbers, _smaller(size - 1))

    def _prefers_bits(self, last: Level) -> bool:
        if isinstance(self.plan, int):
            return last.size + 1 >= self.plan
        if self.plan != "auto":
            return self.plan == "bits"
        lists, bits = self._cost_of_lists(last), self._cost_of_bits(last, self.width)
        chosen = "bits" if bits < lists else "lists"
        self.session.remark(
            f"itemsets of {last.size + 1}: lists would take about {lists / 1e9:.3f} s, "
            f"bits of {self.width} about {bits / 1e9:.3f} s; chosen: {chosen}",
            supposed="counts decide whether cohorts are stored as lists or as bits",
        )
        return bits < lists

    def _cost_of_lists(self, last: Level) -> float:
        """The rows of prefixes joined with the items that follow, and with private items."""
        rows = float(self.pairs)
        if last.size > 1:
            company = 2 * self.pairs / max(1, self.occurrences)  # other items of an occurrence
            rows = self.held * max(0.0, company + 1 - last.size) / (last.size + 1)
        secrets = self.secrets / self.transactions
        dearness = self.session.backend.can.lists
        return dearness * LIST_ROW * rows * (1 + secrets)

    def _cost_of_bits(self, last: Level, width: int) -> float:
        """The blocks of every candidate, and of every candidate with each linked private item."""
        # At least this many pairs share a prefix. Some fail for another subset, which evens out.
        candidates = last.extendible**2 / (2 * max(1, self.prefixes))
        blocks = self._blocks(self.held / max(1, last.extendible), width)
        links = self.links / max(1, last.extendible) if self.promise.private else 0.0
        exact = candidates * links * (1.0 if last.size == 1 else SUSPICIOUS)
        packing = 0.0 if self.bits else PACKED_ROW * (self.occurrences + self.secrets)
        words = Blocks(width).words
        bits = BLOCK_WORD * words if words > 1 else BLOCK_BYTE * width / 8
        return packing + (candidates + exact) * blocks * (BLOCK_ROW + bits)

    def _blocks(self, support: float, width: int) -> float:
        """The number of blocks of an itemset with this support, if it is spread evenly."""
        share = min(1.0, support / self.transactions)
        return max(1.0, self.transactions / width * (1 - (1 - share) ** width))

    def _best_width(self, first: Level) -> int:
        """The cheapest blocks; those that mark exposed transactions have one value, not words."""
        widths = [
            width
            for width in self.session.backend.can.posting_widths
            if not self.exposed or Blocks(width).words == 1
        ]
        return min(widths, key=lambda width: self._cost_of_bits(first, width))
