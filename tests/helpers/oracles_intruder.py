"""A motivated intruder, one drawn transaction after the other, and the risk of the worst choice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from hashlib import md5
from itertools import combinations

Table = Mapping[str, frozenset[str]]  # items by the transaction's key
Owners = Mapping[str, object]  # the person of each transaction


def _hash(*words: object) -> str:
    return md5(":".join(map(str, words)).encode()).hexdigest()


def candidates(
    table: Table, public: Collection[str], draws: int, known: int, seed: int
) -> list[list[str]]:
    """The keys of all candidates, for each drawn transaction."""
    drawn = sorted(table, key=lambda key: _hash(seed, key))[:draws]
    found = []
    for key in drawn:
        items = sorted(table[key] & set(public), key=lambda item: _hash(seed, key, item))
        found.append([other for other, held in table.items() if held >= set(items[:known])])
    return found


def intruder(
    table: Table,
    public: Collection[str],
    *,
    draws: int,
    known: int,
    seed: int,
    k: int,
    owners: Owners | None = None,
) -> dict[str, float | None]:
    """The shares of the draws with one candidate and with fewer than k, and their mean risk."""
    found = candidates(table, public, draws, known, seed)
    sizes = {"": [len(one) for one in found]}
    if owners is not None:
        sizes["_persons"] = [len({owners[key] for key in one}) for one in found]
    told: dict[str, float | None] = {}
    for unit, held in sizes.items():
        drawn = max(1, len(held))
        told[f"intruder_unique{unit}"] = float(Fraction(sum(n == 1 for n in held), drawn))
        told[f"intruder_few{unit}"] = float(Fraction(sum(n < k for n in held), drawn))
        told[f"intruder_risk{unit}"] = float(sum(Fraction(1, n) for n in held) / drawn)
    return told


def smallest_groups(
    table: Table, public: Collection[str], power: int, owners: Owners | None = None
) -> list[tuple[str, int]]:
    """Each transaction with public items, and the smallest group that up to `power` of them name.

    A group has persons, where there are owners, or transactions.
    """
    found = []
    for key, held in table.items():
        sizes = [
            len({other if owners is None else owners[other] for other in table
                 if table[other] >= set(chosen)})
            for size in range(1, power + 1)
            for chosen in combinations(sorted(held & set(public)), size)
        ]  # fmt: skip
        if sizes:
            found.append((key, min(sizes)))
    return found
