"""k^m-anonymity and hierarchies by their definitions: over every subset and every cut."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import duckdb
from hypothesis import strategies as st

import setveil

Node = tuple[int, str]  # level, label
TOP = 4
ITEMS = ("a", "b", "c", "d", "e", "f")
LABELS = ("a", "x", "o'brien")  # also the name of an item, and of nodes on other levels


@dataclass(frozen=True, slots=True)
class Case:
    """Transactions, and for each leaf of the hierarchy its path to the root."""

    baskets: tuple[frozenset[str], ...]
    ways: dict[str, tuple[Node, ...]]  # from the leaf itself to the root

    @property
    def items(self) -> list[str]:
        return sorted(frozenset().union(*self.baskets))

    def leaves(self, node: Node) -> int:
        return sum(node in way for way in self.ways.values())

    def below(self, node: Node) -> list[Node]:
        """The children of a node that have items of the data below them."""
        found = set()
        for item in self.items:
            way = self.ways[item]
            found |= {a for a, b in zip(way, way[1:], strict=False) if b == node}
        return sorted(found)

    def cuts(self, node: Node = (TOP, "*")) -> Iterator[frozenset[Node]]:
        """All ways to publish the items below a node."""
        yield frozenset([node])
        if below := self.below(node):
            for parts in product(*[list(self.cuts(one)) for one in below]):
                yield frozenset().union(*parts)

    def published(self, cut: frozenset[Node]) -> list[frozenset[Node]]:
        at = {item: next(n for n in self.ways[item] if n in cut) for item in self.items}
        return [frozenset(at[item] for item in basket) for basket in self.baskets]

    def ncp(self, cut: frozenset[Node]) -> Fraction:
        """The NCP of a cut: He, Naughton, section 3.2."""
        lost, held = 0, 0
        for basket in self.baskets:
            for item in basket:
                leaves = self.leaves(next(n for n in self.ways[item] if n in cut))
                lost, held = lost + (leaves if leaves > 1 else 0), held + 1
        return Fraction(lost, max(1, held) * len(self.ways))


def violations(
    baskets: list[frozenset[Node]], k: int, m: int, whose: Sequence[int] | None = None
) -> list[tuple[Node, ...]]:
    """The sets of up to m nodes that 1 to k - 1 persons hold; by default each basket is one."""
    whose = range(len(baskets)) if whose is None else whose
    persons: dict[tuple[Node, ...], set[int]] = defaultdict(set)
    for basket, person in zip(baskets, whose, strict=False):
        for size in range(1, m + 1):
            for chosen in combinations(sorted(basket), size):
                persons[chosen].add(person)
    return sorted(chosen for chosen, held in persons.items() if len(held) < k)


def least(case: Case, k: int, m: int, whose: Sequence[int] | None = None) -> Fraction | None:
    """The NCP of the best k^m-anonymous cut, over all cuts; None if there is none."""
    found = (cut for cut in case.cuts() if not violations(case.published(cut), k, m, whose))
    return min((case.ncp(cut) for cut in found), default=None)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Up to 9 transactions over 6 items, and a ragged tree of up to 3 levels above them."""
    sets = st.frozensets(st.sampled_from(ITEMS))
    baskets = tuple(draw(st.lists(sets, max_size=9)))
    above: dict[Node, Node] = {}

    def parent(node: Node) -> Node:
        if node not in above:
            levels = st.integers(node[0] + 1, TOP if node[0] else TOP - 1)
            level = draw(levels)
            above[node] = (level, "*" if level == TOP else draw(st.sampled_from(LABELS)))
        return above[node]

    ways = {}
    for item in ITEMS:
        way: list[Node] = [(0, item)]
        while way[-1][0] < TOP:
            way.append(parent(way[-1]))
        ways[item] = tuple(way)
    return Case(baskets, ways)


def make(
    connection: duckdb.DuckDBPyConnection, case: Case, whose: Sequence[int] | None = None
) -> setveil.Baskets:
    """Make the table of transactions as lists, with empty ones, and the table `tree`."""
    connection.execute(
        "CREATE OR REPLACE TABLE given_lists (tid INTEGER, items VARCHAR[], who INTEGER)"
    )
    people = [0] * len(case.baskets) if whose is None else whose[: len(case.baskets)]
    connection.execute(
        "INSERT INTO given_lists SELECT UNNEST($1::INTEGER[]), UNNEST($2::VARCHAR[][]), "
        "UNNEST($3::INTEGER[])",
        [
            list(range(len(case.baskets))),
            [sorted(basket) for basket in case.baskets],
            list(people),
        ],
    )
    connection.execute(
        "CREATE OR REPLACE TABLE tree (item VARCHAR, level1 VARCHAR, level2 VARCHAR, "
        "level3 VARCHAR)"
    )
    rows = [
        [item, *({level: label for level, label in way}.get(n) for n in (1, 2, 3))]
        for item, way in case.ways.items()
    ]
    connection.executemany("INSERT INTO tree VALUES ($1, $2, $3, $4)", rows)
    person = None if whose is None else "who"
    return setveil.read(connection, "given_lists", item="items", person=person)
