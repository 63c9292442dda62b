"""The promises over persons, from their definitions, and small data with persons.

A set is held by the persons who have a transaction that holds it. Nothing here is fast or clever.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import duckdb
from hypothesis import strategies as st

import setveil

Itemset = frozenset[str]
NAMES, SECRETS = "abcdef", "XY"


@dataclass(frozen=True, slots=True)
class Owned:
    """A transaction and its person."""

    items: Itemset
    person: int


Held = Sequence[Owned]


def persons(held: Iterable[Owned]) -> int:
    return len({one.person for one in held})


def sets(held: Held, most: int, *, least: int = 1, without: Itemset = frozenset()) -> set[Itemset]:
    """Every set of this many items that a transaction holds."""
    return {
        frozenset(chosen)
        for one in held
        for size in range(least, most + 1)
        for chosen in combinations(sorted(one.items - without), size)
    }


def cohort(held: Held, items: Itemset) -> list[Owned]:
    return [one for one in held if one.items >= items]


def shares(held: Held, items: Itemset, secret: str) -> tuple[Fraction, Fraction]:
    """The share of the transactions with the items that hold the secret too, and of the persons."""
    known = cohort(held, items)
    both = cohort(known, frozenset(secret))
    return Fraction(len(both), len(known)), Fraction(persons(both), persons(known))


def is_mole(held: Held, items: Itemset, private: Itemset, h: Fraction, k: int) -> bool:
    known = cohort(held, items)
    if not known:
        return False
    return persons(known) < k or any(max(shares(held, items, one)) > h for one in private)


def coherent(held: Held, private: Itemset, h: Fraction, k: int, p: int) -> bool:
    known = sets(held, p, least=0, without=private)
    return not any(is_mole(held, one, private, h, k) for one in known)


def minimal_moles(
    held: Held, private: Itemset, h: Fraction, k: int, p: int, *, least: int = 1
) -> list[Itemset]:
    """The moles without a smaller mole in them, the smallest first."""
    found: list[Itemset] = []
    known = sets(held, p, least=least, without=private)
    for one in sorted(known, key=lambda one: (len(one), sorted(one))):
        if not any(mole <= one for mole in found) and is_mole(held, one, private, h, k):
            found.append(one)
    return found


@st.composite
def databases(draw: st.DrawFn, *, secrets: str = SECRETS) -> list[Owned]:
    """Up to 12 transactions of up to 5 persons."""
    items = st.frozensets(st.sampled_from(NAMES[:4] + secrets))
    one = st.builds(Owned, items, st.integers(0, 4))
    return draw(st.lists(one, max_size=12))


def seeded(seed: int, transactions: int, people: int, *, secrets: str = SECRETS) -> list[Owned]:
    """Independent items, and persons of whom some have many more transactions than others."""
    chance = random.Random(seed)
    often = {name: chance.choice((0.1, 0.3, 0.6, 0.9)) for name in NAMES}
    often |= {name: chance.choice((0.05, 0.2, 0.4)) for name in secrets}
    weights = [chance.choice((1, 1, 2)) for _ in range(people - 1)] + [20]
    return [
        Owned(
            frozenset(name for name, share in often.items() if chance.random() < share),
            chance.choices(range(people), weights)[0],
        )
        for _ in range(transactions)
    ]


def read(connection: duckdb.DuckDBPyConnection, held: Held, **how: object) -> setveil.Baskets:
    """Read one row per transaction, with its items as a list, and its person."""
    connection.execute("CREATE OR REPLACE TABLE owned (tid INTEGER, who VARCHAR, items VARCHAR[])")
    if held:
        rows = [(n, f"person {one.person}", sorted(one.items)) for n, one in enumerate(held)]
        connection.executemany("INSERT INTO owned VALUES (?, ?, ?)", rows)
    return setveil.read(connection, "owned", item="items", person="who", **how)  # type: ignore[arg-type]


def released(rows: Iterable[Sequence[object]], held: Held) -> list[Owned]:
    """The transactions of a release in LIST form, with the persons of the original."""
    return [Owned(frozenset(items), held[tid].person) for tid, items in _pairs(rows)]


def _pairs(rows: Iterable[Sequence[object]]) -> Iterator[tuple[int, list[str]]]:
    for tid, items in rows:
        assert isinstance(tid, int) and isinstance(items, list)
        yield tid, items
