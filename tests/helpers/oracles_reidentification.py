"""The attack by its definition: it tries every mapping of codes to names.

Baskets hold codes; published itemsets hold names. A frequency is a number of billionths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import duckdb

BILLION = 10**9

Itemset = frozenset[object]
Family = Mapping[Itemset, int]
Naming = Mapping[object, object]


def frequent(
    baskets: Sequence[frozenset[object]], least: int, largest: int = 9
) -> dict[Itemset, int]:
    """Every itemset with at least this support, with its support."""
    items = sorted(frozenset[object]().union(*baskets), key=str)
    found = {}
    for size in range(1, min(largest, len(items)) + 1):
        for chosen in combinations(items, size):
            support = sum(basket.issuperset(chosen) for basket in baskets)
            if support >= least:
                found[frozenset(chosen)] = support
    return found


def nano(supports: Family, transactions: int) -> dict[Itemset, int]:
    return {one: round(Fraction(n * BILLION, transactions)) for one, n in supports.items()}


def renamed(family: Family, naming: Naming) -> dict[Itemset, int]:
    return {frozenset(naming[item] for item in one): n for one, n in family.items()}


def items_of(family: Iterable[Itemset]) -> list[object]:
    return sorted(frozenset[object]().union(*family), key=str)


def namings(known: Family, mined: Family) -> Iterator[Naming]:
    """Every bijection of the codes to the names."""
    names, codes = items_of(known), items_of(mined)
    if len(names) == len(codes):
        for chosen in permutations(names):
            yield dict(zip(codes, chosen, strict=True))


def cost(known: Family, mined: Family, naming: Naming, tolerance: int) -> Fraction | None:
    """The squared differences of all frequencies; None if an itemset exceeds the tolerance."""
    named = renamed(mined, naming)
    if named.keys() != known.keys():
        return None
    apart = [abs(known[one] - named[one]) for one in known]
    if any(one > tolerance + 1 for one in apart):  # one billionth for being written as a float
        return None
    if not tolerance:
        return Fraction(0)
    return sum((Fraction(one, tolerance) ** 2 for one in apart), Fraction(0))


def best(known: Family, mined: Family, tolerance: int) -> tuple[Fraction | None, list[Naming]]:
    """The least cost, and every bijection with this cost."""
    found = [(cost(known, mined, one, tolerance), one) for one in namings(known, mined)]
    fitting = [(n, one) for n, one in found if n is not None]
    if not fitting:
        return None, []
    least = min(n for n, _ in fitting)
    return least, [one for n, one in fitting if n == least]


def classes(mined: Family) -> set[frozenset[object]]:
    """The orbits: items that some bijection exchanges without any visible change."""
    codes = items_of(mined)
    reach: dict[object, set[object]] = {code: {code} for code in codes}
    for chosen in permutations(codes):
        mapping = dict(zip(codes, chosen, strict=True))
        if renamed(mined, mapping) == dict(mined):
            for one, other in mapping.items():
                reach[one].add(other)
    return {frozenset(one) for one in reach.values()}


Price = Callable[[str, Itemset], Fraction]  # of an itemset without a match, known or mined


def cheapest(
    known: Family, mined: Family, tolerance: int, price: Price, reach: int | None = None
) -> Fraction:
    """The least cost over all partial mappings, if itemsets and items may be left out.

    Frequencies of a match differ by up to `reach`, by default the tolerance.
    """
    names, codes = items_of(known), items_of(mined)
    everything = sum((price("known", one) for one in known), Fraction(0))
    everything += sum((price("mined", one) for one in mined), Fraction(0))
    reach = tolerance if reach is None else reach
    least = everything
    for size in range(1, min(len(names), len(codes)) + 1):
        for some in combinations(names, size):
            for chosen in permutations(codes, size):
                saved = _saved(
                    known, mined, dict(zip(some, chosen, strict=True)), tolerance, price, reach
                )
                if saved is not None:
                    least = min(least, everything - saved)
    return least


Pair = tuple[Itemset, Itemset]


def pruned(known: Family, mined: Family, tolerance: int) -> tuple[int, int, int]:
    """Compatible pairs of itemsets, the pairs left after all rules, and their pairs of items."""
    pairs = {
        (one, other)
        for one, here in known.items()
        for other, there in mined.items()
        if len(one) == len(other) and abs(here - there) <= tolerance + 1
    }
    before, last = len(pairs), set[Pair]()
    while last != pairs:
        last = pairs
        pairs = _only(_supported(known, mined, pairs))
    return before, len(pairs), sum(len(one) == 1 for one, _ in pairs)


def _supported(known: Family, mined: Family, pairs: set[Pair]) -> set[Pair]:
    """The pairs whose items, and the items whose itemsets, all have a compatible partner."""

    def items_agree(one: Itemset, other: Itemset) -> bool:
        return all(any((frozenset([a]), frozenset([b])) in pairs for b in other) for a in one) and (
            all(any((frozenset([a]), frozenset([b])) in pairs for a in one) for b in other)
        )

    def itemsets_agree(one: Itemset, other: Itemset) -> bool:
        return all(
            any((x, y) in pairs for y in mined if other <= y) for x in known if one <= x
        ) and all(any((x, y) in pairs for x in known if one <= x) for y in mined if other <= y)

    return {
        (one, other)
        for one, other in pairs
        if (itemsets_agree(one, other) if len(one) == 1 else items_agree(one, other))
    }


def _only(pairs: set[Pair]) -> set[Pair]:
    """The pairs left after the only candidate of one itemset is removed for all others."""
    for side in (0, 1):
        choices: dict[Itemset, list[Pair]] = {}
        for pair in pairs:
            choices.setdefault(pair[side], []).append(pair)
        taken = {some[0][1 - side]: some[0] for some in choices.values() if len(some) == 1}
        pairs = {pair for pair in pairs if taken.get(pair[1 - side], pair) == pair}
    return pairs


def _saved(
    known: Family, mined: Family, matched: Naming, tolerance: int, price: Price, reach: int
) -> Fraction | None:
    """The cost that a partial mapping saves; None if two items are incompatible."""
    total = Fraction(0)
    for name, code in matched.items():
        alone, other = frozenset([name]), frozenset([code])
        if alone not in known:
            total += price("mined", other)
            continue
        apart = abs(known[alone] - mined[other])
        if apart > reach + 1:
            return None
        total += price("known", alone) + price("mined", other) - _squared(apart, tolerance)
    for one, here in known.items():
        if len(one) > 1 and one <= matched.keys():
            other = frozenset(matched[item] for item in one)
            there = mined.get(other)
            if there is not None and abs(here - there) <= reach + 1:
                saved = price("known", one) + price("mined", other)
                total += max(Fraction(0), saved - _squared(abs(here - there), tolerance))
    return total


def _squared(apart: int, tolerance: int) -> Fraction:
    return Fraction(apart, tolerance) ** 2 if tolerance else Fraction(0)


def publish(path: Path, known: Family) -> Path:
    """Write the file of `setveil itemsets`, with the perturbed frequencies."""
    rows = [(sorted(one, key=str), n / BILLION) for one, n in known.items()]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (items VARCHAR[], support BIGINT, frequency DOUBLE)")
        connection.executemany(
            "INSERT INTO t VALUES ($1, 1, $2)", [[list(map(str, items)), n] for items, n in rows]
        )
        connection.execute("COPY t TO '" + str(path).replace("'", "''") + "' (FORMAT parquet)")
    return path
