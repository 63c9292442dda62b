"""Intruders who know the method: they weigh every database that could have led to a release.

The world is small enough to list: transactions of the items a and b and a secret s, with all
subsets equally likely. An intruder's confidence is a quotient of two sums over all databases;
nothing is sampled or estimated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from math import factorial, prod

import duckdb

import setveil

Row = frozenset[object]
Rows = tuple[Row, ...]
A, B, S = 1, 2, 3
HALF = Fraction(1, 2)


def subsets(items: Iterable[object], most: int = 3) -> Iterator[Row]:
    """All subsets of at most `most` items, with the empty set."""
    listed = sorted(items, key=str)
    sizes = range(min(most, len(listed)) + 1)
    return map(frozenset, chain.from_iterable(combinations(listed, size) for size in sizes))


KINDS = tuple(subsets((A, B, S)))
SECRET = f"where:name % {len(KINDS)} = {S}"


@dataclass(frozen=True, slots=True)
class World:
    """A database, its weight among all databases, and its released rows."""

    held: Rows
    likely: int
    shown: Rows = ()

    def release(self, *, in_order: bool) -> object:
        """The release, as an intruder sees it."""
        return self.shown if in_order else (len(self.shown), frozenset(Counter(self.shown).items()))


Worlds = Sequence[World]


def unordered(*sizes: int) -> list[World]:
    """Every multiset of this many transactions, weighted by its number of orders."""
    return [
        World(held, factorial(size) // prod(map(factorial, Counter(held).values())))
        for size in sizes
        for held in combinations_with_replacement(KINDS, size)
    ]


def ordered(*sizes: int) -> list[World]:
    """Every database of this many transactions, in every order."""
    return [World(held, 1) for size in sizes for held in product(KINDS, repeat=size)]


def longest(worlds: Worlds) -> int:
    """The most transactions of a database, hence the most divisions of a weight."""
    return max(len(world.held) for world in worlds)


def rare(worlds: Worlds, share: Fraction) -> list[World]:
    """These worlds, if a transaction has the secret with this probability."""
    has, lacks, most = 2 * share, 2 * (1 - share), longest(worlds)
    weights = [
        int(prod(has if S in row else lacks for row in world.held) * share.denominator**most)
        for world in worlds
    ]
    return [
        replace(world, likely=world.likely * weight)
        for world, weight in zip(worlds, weights, strict=True)
    ]


# The real method, on each


def given(connection: duckdb.DuckDBPyConnection, rows: Sequence[list[int]]) -> setveil.Baskets:
    """The transactions as lists, with empty ones."""
    connection.execute("CREATE OR REPLACE TABLE worlds (tid INTEGER, items INTEGER[])")
    connection.execute(
        "INSERT INTO worlds SELECT UNNEST($1::INTEGER[]), UNNEST($2::INTEGER[][])",
        [list(range(len(rows))), rows],
    )
    return setveil.read(connection, "worlds", item="items")


def together(connection: duckdb.DuckDBPyConnection, worlds: Worlds) -> setveil.Baskets:
    """All databases in one; each has items of its own, so no transaction mixes them.

    A decision about the items of one database depends on another only in a tie.
    """
    rows = [
        sorted(len(KINDS) * place + int(str(item)) for item in row)
        for place, world in enumerate(worlds)
        for row in world.held
    ]
    return given(connection, rows)


def apart(worlds: Worlds, rows: Sequence[tuple[int, list[int]]]) -> list[World]:
    """The released rows of each database, from the released rows of all."""
    shown = iter(frozenset(item % len(KINDS) for item in items) for _, items in rows)
    return [replace(one, shown=tuple(next(shown) for _ in one.held)) for one in worlds]


# The knowledge of an intruder: about the target's transaction, and about its released row

Knows = Callable[[Row, Row], Iterable[Row]]


def row_alone(held: Row, shown: Row) -> Iterator[Row]:
    """The intruder knows only which released row is the target's; it does not show the secret."""
    if S not in shown:
        yield shown


def released_items(held: Row, shown: Row) -> Iterator[Row]:
    """Some items of the target's released row, without the secret."""
    return (known for known in subsets(shown - {S}) if known)


def own_items(most: int) -> Knows:
    """Up to this many public items of the target, released or not."""
    return lambda held, shown: (known for known in subsets(held - {S}, most) if known)


def anything(most: int) -> Knows:
    """Up to this many items of the target, of any role."""
    return lambda held, shown: (known for known in subsets(held, most) if known)


# Conclusions of the intruder


@dataclass(frozen=True, slots=True)
class Found:
    """The result over all releases and all knowledge of an intruder.

    `worst` is the highest confidence. `surer` are the cases above the bound in which knowledge
    raises the confidence, and `told` is the worst of them. `exposed` is the probability of a case
    above the bound.
    """

    cases: int
    above: int
    worst: Fraction
    surer: int
    told: Fraction
    exposed: float
    loss: float | None  # of the occurrences; none where they were generalized
    fewest: int | None = None  # rows that can be the target's, where that is the question

    def __str__(self) -> str:
        loss = "–" if self.loss is None else f"{self.loss:.1%}"
        return (
            f"{self.cases:7,}{self.above:7,}{float(self.worst):8.3f}"
            f"{self.surer:7,}{float(self.told):8.3f}"
            f"{self.exposed:9.1%}{loss:>8}{'' if self.fewest is None else f'{self.fewest:8}'}"
        )


HEAD = (
    f"{'cases':>7}{'above':>7}{'worst':>8}{'surer':>7}{'told':>8}"
    f"{'exposed':>9}{'loss':>8}{'fewest':>8}"
)


def infer(worlds: Worlds, knows: Knows, bound: Fraction, *, in_order: bool = False) -> Found:
    """The confidence in the secret, from the release, the method and the intruder's knowledge.

    With `in_order` the intruder also knows the order of the transactions, and their owners.
    """
    told: dict[tuple[object, ...], list[int]] = defaultdict(lambda: [0, 0])
    for world in worlds:
        release = world.release(in_order=in_order)
        for place, (held, shown) in enumerate(zip(world.held, world.shown, strict=True)):
            who = place if in_order else None
            for case in ((release,), *((release, who, known) for known in knows(held, shown))):
                told[case][0] += world.likely * (S in held)
                told[case][1] += world.likely
    cases = [
        (Fraction(*counts), Fraction(*told[case[:1]]), counts[1])
        for case, counts in told.items()
        if len(case) > 1
    ]
    return _summary(worlds, cases, bound)


def identify(worlds: Worlds, knows: Knows, k: int, *, in_order: bool = False) -> Found:
    """The confidence that a released row is the target's, from the release and the knowledge."""
    told: dict[object, Counter[object]] = defaultdict(Counter)
    for world in worlds:
        release = world.release(in_order=in_order)
        alike = Counter(world.shown)
        for place, (held, shown) in enumerate(zip(world.held, world.shown, strict=True)):
            one = place if in_order else (shown, alike[shown])
            for known in knows(held, shown):
                told[release, known, len(world.held)][one] += world.likely
    cases, fewest = [], longest(worlds)
    for (_, _, size), rows in told.items():
        total = sum(rows.values())
        twins = {row: 1 if in_order else row[1] for row in rows}
        fewest = min(fewest, sum(twins.values()))
        surest = max(Fraction(heavy, total * twins[row]) for row, heavy in rows.items())
        cases.append((surest, Fraction(1, size), total))
    return replace(_summary(worlds, cases, Fraction(1, k)), fewest=fewest)


def _summary(worlds: Worlds, cases: list[tuple[Fraction, Fraction, int]], bound: Fraction) -> Found:
    above = [case for case in cases if case[0] > bound]
    told = [surest for surest, anyone, _ in above if surest > anyone]
    return Found(
        cases=len(cases),
        above=len(above),
        worst=max((surest for surest, _, _ in cases), default=Fraction(0)),
        surer=len(told),
        told=max(told, default=Fraction(0)),
        exposed=sum(heavy for _, _, heavy in above) / max(1, sum(heavy for _, _, heavy in cases)),
        loss=_loss(worlds),
    )


def _loss(worlds: Worlds) -> float | None:
    if any(
        not row <= kept for one in worlds for row, kept in zip(one.shown, one.held, strict=True)
    ):
        return None
    held = sum(one.likely * sum(map(len, one.held)) for one in worlds)
    return 1 - sum(one.likely * sum(map(len, one.shown)) for one in worlds) / held


def at_face_value(worlds: Worlds, knows: Knows) -> tuple[Fraction, int]:
    """The highest share and smallest cohort for an intruder who believes the release.

    This intruder cannot use items that no released row shows.
    """
    shares, cohorts = [Fraction(0)], [max(len(world.held) for world in worlds)]
    for world in worlds:
        visible = frozenset().union(*world.shown)
        for known in {k & visible for pair in zip(world.held, world.shown, strict=True)
                      for k in knows(*pair)}:  # fmt: skip
            cohort = [row for row in world.shown if known <= row]
            if known and cohort:
                shares.append(Fraction(sum(S in row for row in cohort), len(cohort)))
                cohorts.append(len(cohort))
    return max(shares), min(cohorts)


# Changes that might lower the confidence: the release is drawn from several


def either(*drawn: Worlds) -> list[World]:
    """One of several releases, equally likely; the intruder does not know which."""
    return [world for worlds in drawn for world in worlds]


def swapped(worlds: Worlds) -> list[World]:
    """These databases and releases with a and b exchanged: among equal items, the other one."""
    names = {A: B, B: A}

    def other(rows: Rows) -> Rows:
        return tuple(frozenset(names.get(item, item) for item in row) for row in rows)

    return [World(other(one.held), one.likely, other(one.shown)) for one in worlds]


def thinned(worlds: Worlds, chance: Fraction) -> list[World]:
    """Suppress every secret that is still shown with this probability, without need."""
    some, most = [], longest(worlds)
    for world in worlds:
        places = [n for n, row in enumerate(world.shown) if S in row]
        for gone in subsets(places, len(places)):
            weight = chance ** len(gone) * (1 - chance) ** (len(places) - len(gone))
            rows = tuple(row - {S} if n in gone else row for n, row in enumerate(world.shown))
            if heavy := int(world.likely * weight * chance.denominator**most):
                some.append(World(world.held, heavy, rows))
    return some


def fewer_items(worlds: Worlds, chance: Fraction) -> list[World]:
    """Suppress every public item that is still shown everywhere, with this probability."""
    some = []
    for world in worlds:
        for gone in subsets((A, B)):
            weight = chance ** len(gone) * (1 - chance) ** (2 - len(gone))
            rows = tuple(row - gone for row in world.shown)
            if heavy := int(world.likely * weight * chance.denominator**2):
                some.append(World(world.held, heavy, rows))
    return some
