"""Algorithm 1 of He and Naughton as a plain recursion, and k-anonymity as definition 2 has it.

A tree is a nested tuple: a leaf is a number, an inner node a pair (label, children).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from hypothesis import strategies as st

Basket = frozenset[int]
Recoding = dict[tuple[int, int], int]  # (tid, item): node


@dataclass(frozen=True, slots=True)
class Node:
    number: int
    level: int
    label: str
    parent: int | None
    leaves: int


@dataclass(slots=True)
class Tree:
    """A tree, numbered as in `trees.py`: leaves first, then by level and label, the root last."""

    nodes: dict[int, Node]
    paths: dict[int, list[int]]  # of each item, upwards, itself included
    children: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.children = {
            number: [n.number for n in self.nodes.values() if n.parent == number]
            for number in self.nodes
        }

    @property
    def root(self) -> int:
        return max(self.nodes)

    def cost(self, node: int) -> Fraction:
        leaves = self.nodes[node].leaves
        items = self.nodes[self.root].leaves
        return Fraction(leaves, items) if leaves > 1 else Fraction(0)

    def below(self, node: int, item: int) -> int:
        """The child on the path to an item; a chain of only children is one step."""
        path = self.paths[item]
        child = path[path.index(node) - 1]
        while self.children[child] and self.nodes[child].leaves == self._largest(child):
            child = path[path.index(child) - 1]
        while self.nodes[child].leaves == 1 and child != item:
            child = path[path.index(child) - 1]
        return child

    def _largest(self, node: int) -> int:
        return max(self.nodes[one].leaves for one in self.children[node])

    def top(self) -> int:
        """The root, or the highest node below it with more than one child."""
        node = self.root
        while self.children[node] and self.nodes[node].leaves == self._largest(node):
            (node,) = (
                n for n in self.children[node] if self.nodes[n].leaves == self._largest(node)
            )
        return node


def tree(levels: list[list[str]]) -> Tree:
    """The tree of rows [level1, level2, …], one row per item without missing levels."""
    height = len(levels[0])
    names = sorted({(n, row[n - 1]) for row in levels for n in range(1, height + 1)})
    numbers = {name: len(levels) + place for place, name in enumerate(names)}
    root = len(levels) + len(names)
    paths = {
        item: [item, *(numbers[n, row[n - 1]] for n in range(1, height + 1)), root]
        for item, row in enumerate(levels)
    }
    parents = {low: high for path in paths.values() for low, high in zip(path, path[1:])}  # noqa: B905
    leaves = Counter(node for path in paths.values() for node in path)
    told = {item: (0, str(item)) for item in paths} | {numbers[one]: one for one in names}
    told[root] = (height + 1, "*")
    nodes = {n: Node(n, *told[n], parents.get(n), leaves[n]) for n in sorted(told)}
    return Tree(nodes, paths)


@dataclass(slots=True)
class Partition:
    """Transactions with the same cut; its `closed` nodes are not tried again."""

    tids: list[int]
    cut: dict[tuple[int, int], int]  # (tid, item): node
    closed: frozenset[int] = frozenset()

    def open(self, tree: Tree) -> list[int]:
        held = set(self.cut.values()) - self.closed
        return sorted(node for node in held if tree.nodes[node].leaves > 1)

    def gain(self, tree: Tree, node: int, tid: int | None = None) -> Fraction:
        """The gain of expanding a node, for all transactions or for one."""
        return sum(
            (
                tree.cost(node) - tree.cost(tree.below(node, item))
                for (who, item), now in self.cut.items()
                if now == node and tid in (None, who)
            ),
            Fraction(0),
        )


Persons = Sequence[int]  # the person of each transaction


def anonymize(
    tree: Tree, baskets: list[Basket], k: int, whose: Persons | None = None
) -> Iterator[Partition]:
    """Algorithm 1: the final partitions. Each keeps k persons; by default each tid is one."""
    whose = range(len(baskets)) if whose is None else whose
    full = [tid for tid, basket in enumerate(baskets) if basket]
    cut = {(tid, item): tree.top() for tid in full for item in baskets[tid]}
    if full:
        yield from _anonymize(tree, Partition(full, cut), k, whose)


def _anonymize(tree: Tree, partition: Partition, k: int, whose: Persons) -> Iterator[Partition]:
    choices = partition.open(tree)
    if not choices:
        yield partition
        return
    node = max(choices, key=lambda one: (partition.gain(tree, one), -one))
    for part in expand(tree, partition, node, k, whose):
        yield from _anonymize(tree, part, k, whose)


def expand(tree: Tree, partition: Partition, node: int, k: int, whose: Persons) -> list[Partition]:
    """The steps distribute_data and balance_partitions."""
    shown: dict[tuple[int, ...], list[int]] = defaultdict(list)
    order = child_order(tree, node)
    for tid in partition.tids:
        held = {
            order[tree.below(node, item)]
            for (who, item), now in partition.cut.items()
            if who == tid and now == node
        }
        shown[tuple(sorted(held))].append(tid)
    gains = {tid: partition.gain(tree, node, tid) for tid in partition.tids}
    persons = {held: len({whose[tid] for tid in tids}) for held, tids in shown.items()}
    leftover = [tid for held, tids in shown.items() if persons[held] < k for tid in tids]
    buckets = {held: sorted(tids) for held, tids in shown.items() if persons[held] >= k}
    if buckets and 0 < len({whose[tid] for tid in leftover}) < k:
        _fill(leftover, buckets, gains, k, whose)
    parts = [
        Partition(tids, _cut(tree, partition, tids, node), partition.closed)
        for tids in buckets.values()
    ]
    if leftover:
        cut = {cell: now for cell, now in partition.cut.items() if cell[0] in leftover}
        parts.append(Partition(sorted(leftover), cut, partition.closed | {node}))
    return parts


def child_order(tree: Tree, node: int) -> dict[int, int]:
    """The children in the order for ties between buckets: items from the last, then nodes."""
    below = {tree.below(node, item) for item, path in tree.paths.items() if node in path}
    ordered = sorted(
        below, key=lambda one: (one in tree.paths, one if one not in tree.paths else 0)
    )
    inner = [one for one in ordered if one not in tree.paths]
    items = sorted((one for one in ordered if one in tree.paths), reverse=True)
    return {one: place for place, one in enumerate([*items, *inner])}


def _fill(
    leftover: list[int],
    buckets: dict[tuple[int, ...], list[int]],
    gains: dict[int, Fraction],
    k: int,
    whose: Persons,
) -> None:
    """The transactions of least gain from buckets above k; else the whole smallest bucket.

    Each is of another person, who is not in the leftover. It is taken from a bucket with two of the
    person's transactions if there is one; only other persons leave their bucket.
    """
    known = {whose[tid] for tid in leftover}
    gifts: dict[tuple[int, ...], list[tuple[bool, int]]] = defaultdict(list)
    for person in {whose[tid] for tids in buckets.values() for tid in tids} - known:
        of_person = {
            held: [tid for tid in tids if whose[tid] == person] for held, tids in buckets.items()
        }
        bits = {held: sum(2**place for place in held) for held in buckets}
        held = min(
            (one for one in buckets if of_person[one]),
            key=lambda one: (len(of_person[one]) == 1, bits[one]),
        )
        tid = min(of_person[held], key=lambda one: (gains[one], one))
        gifts[held].append((len(of_person[held]) == 1, tid))
    spare = []
    for held, given in gifts.items():
        more = len({whose[tid] for tid in buckets[held]}) - k
        spare += [tid for sole, tid in given if not sole]
        spare += sorted((tid for sole, tid in given if sole), key=lambda t: (gains[t], t))[:more]
    wanted = k - len(known)
    if len(spare) >= wanted:
        drawn = sorted(spare, key=lambda one: (gains[one], one))[:wanted]
        for held in buckets:
            buckets[held] = [tid for tid in buckets[held] if tid not in drawn]
        leftover += drawn
        return
    smallest = min(
        buckets,
        key=lambda held: (
            len({whose[tid] for tid in buckets[held]}),
            len(buckets[held]),
            sum(gains[tid] for tid in buckets[held]),
            sum(2**place for place in held),
        ),
    )
    leftover += buckets.pop(smallest)


def _cut(
    tree: Tree, partition: Partition, tids: list[int], node: int
) -> dict[tuple[int, int], int]:
    return {
        (tid, item): tree.below(node, item) if now == node else now
        for (tid, item), now in partition.cut.items()
        if tid in tids
    }


def recoding(tree: Tree, baskets: list[Basket], k: int, whose: Persons | None = None) -> Recoding:
    """The published node of each occurrence."""
    parts = anonymize(tree, baskets, k, whose)
    return {cell: node for part in parts for cell, node in part.cut.items()}


def ncp(tree: Tree, recoded: Recoding) -> Fraction:
    """The NCP of section 3.2."""
    return sum((tree.cost(node) for node in recoded.values()), Fraction(0)) / max(1, len(recoded))


def published(recoded: Recoding, transactions: int) -> list[frozenset[int]]:
    sets: dict[int, set[int]] = {tid: set() for tid in range(transactions)}
    for (tid, _), node in recoded.items():
        sets[tid].add(node)
    return [frozenset(sets[tid]) for tid in range(transactions)]


def classes(sets: list[frozenset[int]]) -> Counter[frozenset[int]]:
    """The equivalence classes of definition 1."""
    return Counter(sets)


def k_anonymous(sets: list[frozenset[int]], k: int) -> bool:
    """Is the release k-anonymous by definition 2?"""
    return all(size >= k for size in classes(sets).values())


def persons_of(sets: list[frozenset[int]], whose: Persons) -> dict[frozenset[int], set[int]]:
    """The persons of each equivalence class."""
    found: dict[frozenset[int], set[int]] = defaultdict(set)
    for one, person in zip(sets, whose, strict=True):
        found[one].add(person)
    return dict(found)


def km_anonymous(sets: list[frozenset[int]], k: int, m: int) -> bool:
    """Has every set of up to m items support 0 or at least k?"""
    from itertools import combinations

    items = sorted(frozenset().union(*sets))
    return all(
        sum(one.issuperset(chosen) for one in sets) in {0, *range(k, len(sets) + 1)}
        for size in range(1, m + 1)
        for chosen in combinations(items, size)
    )


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Uneven trees over up to seven items, with only children and siblings of different depths."""
    items = draw(st.integers(1, 7))
    height = draw(st.integers(1, 3))
    columns: list[list[int]] = []
    groups = list(range(items))
    for _ in range(height):
        cuts = draw(st.lists(st.booleans(), min_size=items, max_size=items))
        merged, number = [], 0
        for place in range(items):
            if place and groups[place] != groups[place - 1] and cuts[place]:
                number += 1
            merged.append(number)
        groups = merged
        columns.append(groups)
    return tree([[f"n{column[item]}" for column in columns] for item in range(items)])


@st.composite
def data(draw: st.DrawFn, most: int = 14) -> tuple[Tree, list[Basket]]:
    grown = draw(trees())
    items = sorted(grown.paths)
    baskets = draw(st.lists(st.frozensets(st.sampled_from(items)), min_size=1, max_size=most))
    return grown, baskets
