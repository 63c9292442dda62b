"""Repeat the paper's Figures 1 to 3: the share of names that an attack finds under noise.

For each minimum frequency, the published itemsets of at least that frequency get Gaussian noise in
several runs. Every method attacks each run. The measure is the share of right names, on average
over equally good namings and over the runs. Noise depends only on the seed and the itemset, so
methods and levels of noise are compared on equal draws.
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from setveil.arguments.strict import strict
from setveil.attack.attempt import attack, uniform
from setveil.attack.candidates import find_candidates, mine
from setveil.attack.program import METHODS as SOLVED
from setveil.attack.program import Ints
from setveil.attack.published import read_key, read_published
from setveil.attack.reidentification import METHODS, NODES, true_names
from setveil.attack.symmetry import Ambiguity, find_ambiguity
from setveil.backends import integers
from setveil.errors import InputError
from setveil.run.reading import Baskets
from setveil.run.session import Session
from setveil.sql.attack import candidates as sql

REACH = 5  # standard deviations of noise that the attacker allows for
RUNS, SEED = 10, 1


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


@dataclass(frozen=True, slots=True)
class _Setting:
    """The data that all runs at one minimum frequency share."""

    ids: Ints
    nano: Ints
    ambiguity: Ambiguity
    truth: dict[int, int]


@strict
def sweep_reidentification(
    baskets: Baskets,
    itemsets: str | Path,
    *,
    key: str | Path,
    noise: Sequence[float] = (0.0,),
    min_frequency: Sequence[float] = (),
    methods: Sequence[str] = METHODS,
    runs: int = RUNS,
    seed: int = SEED,
    faithful: bool = False,
    nodes: int = NODES,
    progress: Callable[[SweepPoint], None] = lambda point: None,
) -> list[SweepPoint]:
    """Attack perturbed copies of published itemsets by every method.

    Noise is the standard deviation of the number that is added to each frequency. By default all
    published itemsets are used; a minimum frequency leaves out the rarer ones.
    """
    _check(noise, min_frequency, methods, runs, seed)
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
        for level in noise:
            seeds = range(seed, seed + (runs if level else 1))
            shares = [_run(session, setting, level, one, methods, faithful, nodes) for one in seeds]
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
    ambiguity = find_ambiguity(candidates.problem.mined.by_items())
    codes = {int(one) for one in candidates.problem.mined.items}
    truth = {code: name for code, name in true_names(session).items() if code in codes}
    return _Setting(ids, nano, ambiguity, truth)


def _run(
    session: Session,
    setting: _Setting,
    noise: float,
    seed: int,
    methods: Sequence[str],
    faithful: bool,
    nodes: int,
) -> list[float | None]:
    """The share of right names by each method; None where no naming was found."""
    draws = np.random.default_rng(seed).standard_normal(len(setting.ids))
    added = np.rint(draws * noise * sql.BILLION).astype(np.int64)
    rows = zip(setting.ids, setting.nano + added, strict=True)
    _clear(session, "sought")
    session.create(sql.perturbed([(int(a), int(b)) for a, b in rows]))
    tolerance = math.ceil(REACH * noise * sql.BILLION)
    candidates = find_candidates(session, "sought", tolerance, unmatched=None, faithful=faithful)
    items = max(1, len(setting.ambiguity.of))
    shares: list[float | None] = []
    for method in methods:
        if method not in SOLVED:
            shares.append(uniform(candidates, setting.truth) / items)
            continue
        found = attack(candidates, setting.ambiguity, method, nodes=nodes)
        named = found.answer.weights is not None
        shares.append(found.expected(setting.truth) / items if named else None)
    return shares


def _point(
    setting: _Setting, share: int, noise: float, method: str, shares: Sequence[float | None]
) -> SweepPoint:
    counted = [one or 0.0 for one in shares]
    return SweepPoint(
        min_frequency=share / sql.BILLION,
        noise=noise,
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
    min_frequency: Sequence[float],
    methods: Sequence[str],
    runs: int,
    seed: int,
) -> None:
    if not noise or not methods:
        raise InputError("a sweep needs at least one level of noise and one method")
    for name, values in (("noise", noise), ("min-frequency", min_frequency)):
        for value in values:
            if not 0 <= value <= 1:
                raise InputError(f"{name} is a share from 0 to 1, not {value}")
    for method in methods:
        if method not in METHODS:
            raise InputError(f"there is no method {method!r}; choose of {', '.join(METHODS)}")
    if runs < 1 or seed < 0:
        raise InputError(f"runs are at least 1 and a seed at least 0, not {runs} and {seed}")
