"""Repeat the paper's Figures 1 to 3: the share of names that an attack finds under noise.

For each minimum frequency, the published itemsets of at least that frequency get Gaussian noise in
several runs. A share of them can be missing, and a share false: random itemsets of published items,
of the sizes and frequencies of published ones. Every method attacks each run. The measure is the
share of right names, on average over equally good namings and over the runs. Draws depend only on
the seed and the itemset, so methods and levels are compared on equal draws.
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np

from setveil.arguments.strict import strict
from setveil.attack.attempt import attack, uniform
from setveil.attack.candidates import find_candidates, mine
from setveil.attack.program import METHODS as SOLVED
from setveil.attack.program import Ints
from setveil.attack.published import read_key, read_published
from setveil.attack.reidentification import METHODS, NODES, reach_of, true_names
from setveil.attack.symmetry import Ambiguity, find_ambiguity
from setveil.backends import integers
from setveil.errors import InputError
from setveil.run.reading import Baskets
from setveil.run.session import Session
from setveil.sql.attack import candidates as sql

REACH = 5  # standard deviations of noise that cost an attacker 1
USUAL = 5  # standard deviations of noise between frequencies that may match
UNMATCHED = 1.0  # the cost of an itemset without a match, if some are missing or false
RUNS, SEED = 10, 1
TRIES = 20  # draws per false itemset, of which some are true


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One method at one level of noise and one minimum frequency, over some runs."""

    min_frequency: float
    noise: float
    method: str
    runs: int
    failed: int  # runs without a naming; they count as no right names
    items: int
    ambiguous_items: int
    correct: float  # share of the items, on average
    lowest: float  # of any run
    highest: float
    missing: float = 0.0  # share of the published itemsets
    false: float = 0.0


@dataclass(frozen=True, slots=True)
class _Setting:
    """The data that all runs at one minimum frequency share."""

    ids: Ints
    nano: Ints
    ambiguity: Ambiguity
    truth: dict[int, int]
    itemsets: frozenset[tuple[int, ...]]  # that were published
    sizes: tuple[tuple[int, int], ...]  # of each of them, its size and frequency


@dataclass(frozen=True, slots=True)
class _Level:
    """How published itemsets are changed before an attack."""

    noise: float
    missing: float
    false: float

    @property
    def is_exact(self) -> bool:
        return not (self.noise or self.missing or self.false)


@dataclass(frozen=True, slots=True)
class _Way:
    """The options of every attack."""

    methods: Sequence[str]
    faithful: bool
    reach: float | None
    unmatched: float
    nodes: int


@strict
def sweep_reidentification(
    baskets: Baskets,
    itemsets: str | Path,
    *,
    key: str | Path,
    noise: Sequence[float] = (0.0,),
    missing: Sequence[float] = (0.0,),
    false: Sequence[float] = (0.0,),
    min_frequency: Sequence[float] = (),
    methods: Sequence[str] = METHODS,
    runs: int = RUNS,
    seed: int = SEED,
    faithful: bool = False,
    reach: float | None = None,
    unmatched: float | None = None,
    nodes: int = NODES,
    progress: Callable[[SweepPoint], None] = lambda point: None,
) -> list[SweepPoint]:
    """Attack changed copies of published itemsets by every method.

    Noise is the standard deviation of the number that is added to each frequency. Shares of the
    itemsets are `missing` and `false`: then an itemset without a match costs `unmatched`. By
    default all published itemsets are used; a minimum frequency leaves out the rarer ones.
    Frequencies more than `reach` deviations of noise apart do not match, by default 5; `faithful`
    has no cut-off.
    """
    _check(noise, missing, false, min_frequency, methods, runs, seed)
    way = _Way(methods, faithful, reach, UNMATCHED if unmatched is None else unmatched, nodes)
    levels = [_Level(*one) for one in product(noise, missing, false)]
    session = baskets.session
    session.begin()
    read_published(session, itemsets)
    read_key(session, key)
    session.create(sql.truth())
    found = session.arrays(sql.known_frequencies())
    if not found:
        raise InputError(f"{itemsets} holds no itemsets")
    ids, nano = integers(found["id"]), integers(found["nano"])
    least = [int(nano.min())]
    points = []
    for share in [_nano(one) for one in min_frequency] or least:
        setting = _prepare(baskets, ids[nano >= share - 1], nano[nano >= share - 1], share)
        for level in levels:
            seeds = range(seed, seed + (1 if level.is_exact else runs))
            shares = [_run(session, setting, level, one, way) for one in seeds]
            for place, method in enumerate(methods):
                points.append(_point(setting, share, level, method, [one[place] for one in shares]))
                progress(points[-1])
    return points


def _prepare(baskets: Baskets, ids: Ints, nano: Ints, share: int) -> _Setting:
    """Mine the data at one minimum frequency; make `sought` with the true frequencies."""
    session = baskets.session
    if not len(ids):
        raise InputError(f"no itemset was published with a frequency of {share / sql.BILLION:g}")
    _clear(session, "sought", "mined_set", "mined_member")
    session.create(sql.perturbed([(int(a), int(b)) for a, b in zip(ids, nano, strict=True)]))
    support = math.ceil(Fraction((share - sql.ROUNDED) * baskets.transactions, sql.BILLION))
    mine(baskets, max(1, support), "sought")
    candidates = find_candidates(session, "sought", 0, unmatched=None)
    published = candidates.problem.known.by_items()
    sizes = tuple(sorted((len(one), nano) for one, nano in published.items()))
    ambiguity = find_ambiguity(candidates.problem.mined.by_items())
    codes = {int(one) for one in candidates.problem.mined.items}
    truth = {code: name for code, name in true_names(session).items() if code in codes}
    return _Setting(ids, nano, ambiguity, truth, frozenset(published), sizes)


def _run(
    session: Session, setting: _Setting, level: _Level, seed: int, way: _Way
) -> list[float | None]:
    """The share of right names by each method; None where no naming was found."""
    chance = np.random.default_rng(seed)
    draws = chance.standard_normal(len(setting.ids))
    added = np.rint(draws * level.noise * sql.BILLION).astype(np.int64)
    stay = np.argsort(chance.random(len(setting.ids)), kind="stable")
    stay = np.sort(stay[round(level.missing * len(setting.ids)) :])
    rows = list(zip(setting.ids[stay].tolist(), (setting.nano + added)[stay].tolist(), strict=True))
    rows += _false(session, setting, round(level.false * len(setting.ids)), chance)
    _clear(session, "sought")
    session.create(sql.perturbed(rows))
    tolerance = math.ceil(REACH * level.noise * sql.BILLION)
    deviation = math.ceil(level.noise * sql.BILLION)
    whole = not (level.missing or level.false)
    candidates = find_candidates(
        session,
        "sought",
        tolerance,
        unmatched=None if whole else way.unmatched,
        faithful=way.faithful,
        reach=reach_of(deviation, way.reach, USUAL, faithful=way.faithful),
    )
    items = max(1, len(setting.ambiguity.of))
    shares: list[float | None] = []
    for method in way.methods:
        if method not in SOLVED:
            shares.append(uniform(candidates, setting.truth) / items)
            continue
        found = attack(candidates, setting.ambiguity, method, nodes=way.nodes, seed=seed)
        named = found.answer.weights is not None
        shares.append(found.expected(setting.truth) / items if named else None)
    return shares


def _false(
    session: Session, setting: _Setting, number: int, chance: np.random.Generator
) -> list[tuple[int, int]]:
    """Add so many itemsets that are false; their numbers and frequencies.

    They are of published items, and have the size and frequency of a published itemset of two items
    or more.
    """
    larger = [one for one in setting.sizes if one[0] > 1]
    items = sorted({item for one in setting.itemsets for item in one})
    if not number or not larger:
        return []
    first = session.one(sql.next_set())[0]
    sets: dict[tuple[int, ...], int] = {}
    for _ in range(TRIES * number):
        size, nano = larger[int(chance.integers(len(larger)))]
        drawn = tuple(sorted(int(one) for one in chance.choice(items, size, replace=False)))
        if drawn not in setting.itemsets and drawn not in sets:
            sets[drawn] = nano
        if len(sets) == number:
            break
    ids = range(int(first), int(first) + len(sets))
    rows = list(zip(ids, sets.items(), strict=True))
    session.append(sql.false_sets([(id_, len(held), nano) for id_, (held, nano) in rows]))
    session.append(sql.false_members([(id_, item) for id_, (held, _) in rows for item in held]))
    return [(id_, nano) for id_, (_, nano) in rows]


def _point(
    setting: _Setting, share: int, level: _Level, method: str, shares: Sequence[float | None]
) -> SweepPoint:
    counted = [one or 0.0 for one in shares]
    return SweepPoint(
        min_frequency=share / sql.BILLION,
        noise=level.noise,
        missing=level.missing,
        false=level.false,
        method=method,
        runs=len(shares),
        failed=sum(one is None for one in shares),
        items=len(setting.ambiguity.of),
        ambiguous_items=setting.ambiguity.items,
        correct=sum(counted) / len(counted),
        lowest=min(counted),
        highest=max(counted),
    )


def _clear(session: Session, *names: str) -> None:
    """Drop these relations and the pairs of the previous run."""
    for name in [name for name in session.relations if name in names or "_pair_" in name]:
        if name != "key_pair":
            session.drop(name)


def _nano(share: float) -> int:
    return round(Fraction(str(share)) * sql.BILLION)


def _check(
    noise: Sequence[float],
    missing: Sequence[float],
    false: Sequence[float],
    min_frequency: Sequence[float],
    methods: Sequence[str],
    runs: int,
    seed: int,
) -> None:
    if not (noise and missing and false and methods):
        raise InputError("a sweep needs at least one value of each axis, and one method")
    axes = (("noise", noise), ("missing", missing), ("false", false))
    for name, values in (*axes, ("min-frequency", min_frequency)):
        for value in values:
            if not 0 <= value <= 1:
                raise InputError(f"{name} is a share from 0 to 1, not {value}")
    for method in methods:
        if method not in METHODS:
            raise InputError(f"there is no method {method!r}; choose of {', '.join(METHODS)}")
    if runs < 1 or seed < 0:
        raise InputError(f"runs are at least 1 and a seed at least 0, not {runs} and {seed}")
