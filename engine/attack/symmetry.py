"""Find items that nobody can distinguish: an automorphism of the itemsets exchanges them.

An automorphism is a bijection of the items that keeps every itemset's presence and frequency.
Colour refinement separates items that no automorphism exchanges. A search settles the remaining
cells. Each automorphism that it finds is verified against every itemset; if there is none, it has
tried all. The search stops after a fixed amount of work, and counts the undecided items.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Itemset = tuple[int, ...]
Colours = list[int]

WORK = 5_000_000  # members of itemsets that the search may visit: some seconds
DEPTH = 200  # items that get a colour of their own, one after another


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """The class of every item. Classes and their differences are proven, but for `undecided`."""

    of: Mapping[int, int]
    cell: Mapping[int, int]  # the cell of every item by colour refinement alone
    undecided: int

    @property
    def cells(self) -> int:
        return len(set(self.cell.values()))

    @property
    def sizes(self) -> Mapping[int, int]:
        """The number of items in each class."""
        return Counter(self.of.values())

    @property
    def classes(self) -> int:
        """The number of classes with more than one item."""
        return sum(size > 1 for size in self.sizes.values())

    @property
    def items(self) -> int:
        """The number of items in classes with more than one item."""
        return sum(size for size in self.sizes.values() if size > 1)


def find_ambiguity(supports: Mapping[Itemset, int], *, work: int = WORK) -> Ambiguity:
    """Find the classes of the items of these itemsets, each with its support or another mark."""
    search = _Search(supports, work)
    colours = search.refined([0] * len(search.items))
    together = _cells(range(len(search.items)), colours)
    undecided = sum(search.settle(cell, colours) for cell in together)
    of = {item: search.leader(n) for n, item in enumerate(search.items)}
    return Ambiguity(of, dict(zip(search.items, colours, strict=True)), undecided)


def _cells(members: Sequence[int], colours: Colours) -> list[list[int]]:
    """Group the members that share a colour with another member."""
    cells = defaultdict(list)
    for one in members:
        cells[colours[one]].append(one)
    return [cell for _, cell in sorted(cells.items()) if len(cell) > 1]


class _OutOfWork(Exception):
    """The search has reached its limit of work."""


class _Search:
    """Itemsets over items numbered from 0, and the classes of items that are known so far."""

    def __init__(self, supports: Mapping[Itemset, int], work: int) -> None:
        self.items = sorted({item for itemset in supports for item in itemset})
        number = {item: n for n, item in enumerate(self.items)}
        self.sets = [tuple(number[item] for item in itemset) for itemset in supports]
        self.marks = [(len(itemset), support) for itemset, support in supports.items()]
        self.known = {frozenset(one): mark for one, mark in zip(self.sets, self.marks, strict=True)}
        self.holding: list[list[int]] = [[] for _ in self.items]
        for n, members in enumerate(self.sets):
            for one in members:
                self.holding[one].append(n)
        self.size = sum(map(len, self.sets))
        self.work = work
        self._leader = list(range(len(self.items)))

    def leader(self, item: int) -> int:
        """The item that represents the class of this item."""
        while self._leader[item] != item:
            item = self._leader[item]
        return item

    def refined(self, *given: Colours) -> Colours:
        """The stable colours of one copy of the items, or of several copies together."""
        colours, count = [colour for copy in given for colour in copy], 0
        while len(set(colours)) > count:
            count = len(set(colours))
            if len(given) > 1:  # refining one copy takes little; the search takes the work
                self._spend(self.size * len(given))
            colours = self._finer(colours, len(given))
        return colours

    def _spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise _OutOfWork

    def _finer(self, colours: Colours, copies: int) -> Colours:
        """One step of refinement: colour itemsets by their items, then items by their itemsets."""
        items = len(self.items)
        sets = _ranked(
            (mark, tuple(sorted(colours[copy * items + one] for one in members)))
            for copy in range(copies)
            for mark, members in zip(self.marks, self.sets, strict=True)
        )
        return _ranked(
            (
                colours[copy * items + one],
                tuple(sorted(sets[copy * len(self.sets) + n] for n in self.holding[one])),
            )
            for copy in range(copies)
            for one in range(items)
        )

    def settle(self, cell: list[int], colours: Colours) -> int:
        """Join the items of a cell that are of one class; return the number of undecided items."""
        apart: list[int] = []
        undecided: set[int] = set()
        for item in cell:
            if any(self.leader(item) == self.leader(one) for one in apart):
                continue
            for one in apart:
                try:
                    mapping = self._automorphism(one, item, colours)
                except _OutOfWork:
                    undecided |= {one, item}
                    continue
                if mapping:
                    self._join(mapping)
                    break
            else:
                apart.append(item)
        return sum(self.leader(one) in {self.leader(n) for n in undecided} for one in cell)

    def _join(self, mapping: Sequence[int]) -> None:
        for one, other in _moved(mapping):
            first, second = sorted((self.leader(one), self.leader(other)))
            self._leader[second] = first

    def _automorphism(self, one: int, other: int, colours: Colours) -> Sequence[int] | None:
        """A verified automorphism that takes one item to the other; None if there is none."""
        swapped = list(range(len(self.items)))
        swapped[one], swapped[other] = other, one
        if self._keeps_all(swapped):
            return swapped
        return self._search(self._set_apart(colours, one), self._set_apart(colours, other))

    def _search(self, left: Colours, right: Colours, depth: int = 0) -> Sequence[int] | None:
        """A bijection that keeps the colours of both sides and all itemsets."""
        items = range(len(self.items))
        both = self.refined(left, right)
        left, right = both[: len(items)], both[len(items) :]
        if Counter(left) != Counter(right):
            return None
        mapping = _nearest(left, right)
        if self._keeps_all(mapping):
            return mapping
        cells = _cells(items, left)
        if not cells:
            return None
        if depth == DEPTH:
            raise _OutOfWork
        chosen = min(cells, key=len)[0]
        for choice in [n for n in items if right[n] == left[chosen]]:
            found = self._search(
                self._set_apart(left, chosen), self._set_apart(right, choice), depth + 1
            )
            if found:
                return found
        return None

    def _set_apart(self, colours: Colours, item: int) -> Colours:
        """Give an item a colour of its own."""
        return [*colours[:item], len(self.items) * 2 + 1, *colours[item + 1 :]]

    def _keeps_all(self, mapping: Sequence[int]) -> bool:
        """Does the mapping take every itemset with a moved item to one of equal support?"""
        return all(
            self.known.get(frozenset(mapping[one] for one in self.sets[n])) == self.marks[n]
            for item, _ in _moved(mapping)
            for n in self.holding[item]
        )


def _moved(mapping: Sequence[int]) -> list[tuple[int, int]]:
    """The items that a bijection moves."""
    return [(one, other) for one, other in enumerate(mapping) if one != other]


def _nearest(left: Colours, right: Colours) -> list[int]:
    """The bijection of equal colours that moves the fewest items."""
    moved = defaultdict(list)
    for item in reversed(range(len(right))):
        if left[item] != right[item]:
            moved[right[item]].append(item)
    stays = (left[item] == right[item] for item in range(len(left)))
    return [item if stay else moved[left[item]].pop() for item, stay in enumerate(stays)]


def _ranked(signatures: Iterator[tuple[object, ...]]) -> Colours:
    """Equal signatures get equal numbers, in the order of the signatures."""
    found = list(signatures)
    rank = {signature: n for n, signature in enumerate(sorted(set(found)))}
    return [rank[signature] for signature in found]
