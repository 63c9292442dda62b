"""The definitions of coherence over every subset, and small data to apply them to.

Nothing here is fast or clever: the SQL is compared with it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import duckdb
from hypothesis import strategies as st

import setveil

Itemset = frozenset[int]
Sets = list[tuple[int, ...]]
MM_IL, MM, ONE_IL = "mm-il", "mm", "1-il"


@dataclass(frozen=True, slots=True)
class Data:
    """Transactions of items with roles; an item without a role is not covered by the promise."""

    baskets: tuple[Itemset, ...]
    public: Itemset
    private: Itemset

    @property
    def items(self) -> list[int]:
        """All items that occur, in the order of their item numbers."""
        return sorted(frozenset().union(*self.baskets))

    def support(self, items: Iterable[int]) -> int:
        return sum(basket.issuperset(items) for basket in self.baskets)

    def without(self, items: Iterable[int]) -> Data:
        return Data(tuple(b.difference(items) for b in self.baskets), self.public, self.private)


@dataclass(frozen=True, slots=True)
class Found:
    """The itemsets of one size that occur and have no smaller mole, and the moles among them."""

    present: int
    moles: Sets
    revealing: int  # the moles that k transactions or more hold


def is_mole(data: Data, items: Iterable[int], h: Fraction, k: int) -> bool:
    cohort = [basket for basket in data.baskets if basket.issuperset(items)]
    hits = Counter(secret for basket in cohort for secret in basket & data.private)
    return 0 < len(cohort) and (len(cohort) < k or max(hits.values(), default=0) > h * len(cohort))


def by_definition(data: Data, h: Fraction, k: int, p: int, *, smallest: int = 1) -> list[Found]:
    """The minimal moles of each size from `smallest` to p; smaller sizes are ignored."""
    known: list[Itemset] = []
    answer = []
    for size in range(smallest, p + 1):
        sets = [
            chosen
            for chosen in combinations(sorted(data.public), size)
            if data.support(chosen) and not any(mole.issubset(chosen) for mole in known)
        ]
        moles = [chosen for chosen in sets if is_mole(data, chosen, h, k)]
        known += [frozenset(mole) for mole in moles]
        revealing = sum(data.support(mole) >= k for mole in moles)
        answer.append(Found(len(sets), moles, revealing))
    return answer


def coherent(data: Data, h: Fraction, k: int, p: int) -> bool:
    """Definition 1: there is no mole, the empty itemset included."""
    return not any(found.moles for found in by_definition(data, h, k, p, smallest=0))


def minimal_moles(data: Data, h: Fraction, k: int, p: int) -> Sets:
    return [mole for found in by_definition(data, h, k, p) for mole in found.moles]


# Items to suppress


def score(method: str, moles: int, loss: int) -> tuple[bool, Fraction]:
    """The score of Figure 6: MM(e)/IL(e), or one of its parts. A loss of zero is best."""
    free = loss == 0 and method != MM
    above, below = {MM_IL: (moles, loss), MM: (moles, 1), ONE_IL: (1, loss)}[method]
    return free, Fraction(0) if free else Fraction(above, below)


def figure_6(moles: Sets, loss: Mapping[int, int], method: str = MM_IL) -> list[int]:
    """The items of the greedy choice, in its order; among equals the smaller item."""
    chosen: list[int] = []
    left = [frozenset(mole) for mole in moles]
    while left:
        count = Counter(item for mole in left for item in mole)
        best = max(count, key=lambda item: (score(method, count[item], loss[item]), -item))
        chosen.append(best)
        left = [mole for mole in left if best not in mole]
    return chosen


def hits_all(moles: Sets, items: Iterable[int]) -> bool:
    chosen = frozenset(items)
    return all(chosen.intersection(mole) for mole in moles)


def returnable(moles: Sets, suppressed: Iterable[int]) -> Itemset:
    """The suppressed items that can return alone without a mole."""
    gone = frozenset(suppressed)
    return frozenset(item for item in gone if hits_all(moles, gone - {item}))


def restored(moles: Sets, loss: Mapping[int, int], suppressed: Iterable[int]) -> list[int]:
    """Items return while any can: the one that prevents the least return, less its own loss."""

    def regret(item: int, gone: Itemset) -> int:
        forbidden = returnable(moles, gone) - returnable(moles, gone - {item}) - {item}
        return sum(loss[one] for one in forbidden) - loss[item]

    gone, back = frozenset(suppressed), list[int]()
    while free := returnable(moles, gone):
        _, best = min((regret(item, gone), item) for item in free)
        back.append(best)
        gone -= {best}
    return back


def least_loss(moles: Sets, loss: Mapping[int, int]) -> int:
    """The least loss over all sets of items with an item of every mole."""
    items = sorted({item for mole in moles for item in mole})
    return min(
        sum(loss[item] for item in chosen)
        for size in range(len(items) + 1)
        for chosen in combinations(items, size)
        if hits_all(moles, chosen)
    )


# Small data


@st.composite
def databases(draw: st.DrawFn) -> Data:
    """Up to 8 baskets of up to 6 items, whose order as numbers differs from that as text."""
    names = (2, 3, 5, 11, 30, 100)
    baskets = draw(st.lists(st.frozensets(st.sampled_from(names)), max_size=8))
    kinds = st.sampled_from(["public"] * 4 + ["private"] * 2 + ["neither"])
    roles = {name: draw(kinds) for name in sorted(frozenset().union(*baskets))}
    return Data(
        tuple(baskets),
        frozenset(name for name, role in roles.items() if role == "public"),
        frozenset(name for name, role in roles.items() if role == "private"),
    )


shares = st.integers(0, 10).map(lambda tenths: Fraction(tenths, 10))


def seeded(
    seed: int,
    transactions: int,
    public: int = 9,
    private: int = 4,
    often: Sequence[float] = (0.15, 0.4, 0.6, 0.9),
    secret: Sequence[float] = (0.05, 0.15, 0.3),
) -> Data:
    """Independent items with different frequencies, so that there are moles of every size."""
    chance = random.Random(seed)
    names = chance.sample(range(1000), public + private + 1)
    known, hidden = sorted(names[:public]), sorted(names[public:-1])
    shares = {name: chance.choice(often) for name in known}
    shares |= {name: chance.choice(secret) for name in hidden} | {names[-1]: 0.5}
    baskets = tuple(
        frozenset(name for name in sorted(shares) if chance.random() < shares[name])
        for _ in range(transactions)
    )
    present = frozenset().union(*baskets)
    return Data(baskets, present.intersection(known), present.intersection(hidden))


# Between data and database


def read(connection: duckdb.DuckDBPyConnection, data: Data) -> setveil.Baskets:
    """Read one row per transaction, with its items as a list, empty transactions included."""
    connection.execute("CREATE OR REPLACE TABLE given_lists (tid INTEGER, items INTEGER[])")
    connection.execute(
        "INSERT INTO given_lists SELECT UNNEST($1::INTEGER[]), UNNEST($2::INTEGER[][])",
        [list(range(len(data.baskets))), [sorted(basket) for basket in data.baskets]],
    )
    return setveil.read(connection, "given_lists", item="items")


def released(release: setveil.Release[setveil.CoherenceMetrics], data: Data) -> Data:
    """The rows of the release, in the order of the transactions."""
    rows = release.rows()
    assert [tid for tid, _ in rows] == list(range(len(data.baskets)))
    assert all(items == sorted(set(items)) for _, items in rows)
    return Data(tuple(frozenset(items) for _, items in rows), data.public, data.private)
