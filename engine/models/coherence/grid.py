"""The points of a grid of coherence: one search serves all k, p and methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from setveil.backends import Columns, Row, integers, memory
from setveil.errors import UnreachableError
from setveil.models.coherence.anonymize import (
    GENERALIZE,
    CoherenceMetrics,
    check_options,
    choose,
    coherence,
    metrics_of,
    refuse_unreachable,
)
from setveil.models.coherence.check import Verdict, Violation
from setveil.models.coherence.losses import item_losses
from setveil.models.coherence.promise import Level, Promise, promised
from setveil.models.coherence.search import find_moles
from setveil.models.grid import (
    Axes,
    Point,
    Setting,
    Spent,
    one_by_one,
    peak_of,
    settings,
    watched,
)
from setveil.run.reading import Baskets
from setveil.sql.models.coherence import search as moles
from setveil.sql.models.coherence import sweep as sql
from setveil.sql.run import lists


def points(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
    """Yield all points of a grid, with one search for each pair of public and h.

    Where persons are counted, each k needs a search of its own.
    """
    methods = axes.get("method", (options.get("method"),))
    if GENERALIZE in methods:
        yield from _with_nodes(baskets, axes, options)
        return
    if baskets.persons is not None:
        yield from one_by_one(coherence)(baskets, axes, options)
        return
    found: dict[Setting | tuple[Any, ...], Point] = {}
    for public, h in product(axes.get("public", (None,)), axes.get("h", (None,))):
        shared = {name: value for name, value in (("public", public), ("h", h)) if name in axes}
        inner = {name: axes[name] for name in ("k", "p", "method") if name in axes}
        for point in _search(baskets, inner, options | shared):
            parameters = point.parameters | shared
            found[_place(axes, parameters)] = replace(
                point, parameters={name: parameters[name] for name in axes}
            )
    yield from (found[_place(axes, setting)] for setting in settings(axes))


def _with_nodes(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
    """Yield points of which some publish nodes; the hierarchy is for these."""
    of_items = {name: one for name, one in options.items() if name not in ("hierarchy", "fanout")}
    for setting in settings(axes):
        alone = {name: (value,) for name, value in setting.items()}
        if (options | setting)["method"] == GENERALIZE:
            yield from one_by_one(coherence)(baskets, alone, options)
        else:
            yield from points(baskets, alone, of_items)


def _place(axes: Axes, setting: Setting) -> tuple[Any, ...]:
    return tuple(list(axes[name]).index(setting[name]) for name in axes)


def _search(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
    """Yield the points that differ in k, p and method, from one search.

    Its promise has the largest p and the least k; `verges` serve the larger k.
    """
    session = baskets.session
    grid = [_Options(**(options | setting)) for setting in settings(axes)]
    for one in grid:
        check_options(one.method, one.plan, one.nodes)
    session.begin()
    first = grid[0]
    least, most = min(one.k for one in grid), max(one.k for one in grid)
    promise = promised(
        session,
        least,
        max(one.p for one in grid),
        first.h,
        first.private,
        first.public,
        ignore_unknown=first.ignore_unknown,
    )
    asked = [replace(promise, k=one.k, p=one.p) for one in grid]
    refused = [_refusal(baskets, one) for one in asked]
    if all(refused):
        for setting, why in zip(settings(axes), refused, strict=True):
            yield Point(setting, None, why)
        return
    memory.forget_peak()
    with watched(session) as seconds:
        levels = find_moles(
            session,
            promise,
            items=baskets.items,
            transactions=baskets.transactions,
            plan=first.plan,
        )
        search = seconds()
    losses = item_losses(session, "support" if first.loss is None else first.loss)
    secrets = session.ask(moles.unbearable(Fraction(0)))  # the most frequent first
    verges = [
        session.arrays(sql.verges(level.size, most, baskets.transactions)) if level.present else {}
        for level in levels
    ]
    for setting, one, promised_here, why in zip(settings(axes), grid, asked, refused, strict=True):
        if why:
            yield Point(setting, None, why)
            continue
        with watched(session) as seconds:
            met = _levels(verges, levels, promised_here)
            cost = _cost(baskets, promised_here, met, losses, one)
            why = _too_few_left(baskets, promised_here, cost.emptied_transactions, secrets)
            spent = Spent(search + seconds(), search, peak_of(session))
        yield Point(setting, None if why else cost, why, spent)


def _refusal(baskets: Baskets, promise: Promise) -> str | None:
    """The reason why no release can keep the promise, or None."""
    try:
        refuse_unreachable(baskets, promise)
    except UnreachableError as error:
        return str(error)
    return None


def _too_few_left(
    baskets: Baskets, promise: Promise, emptied: int, secrets: Sequence[Row]
) -> str | None:
    """The reason why the checker would refuse: long form has no row for emptied transactions."""
    left = baskets.transactions - emptied
    if baskets.shape.lists or not emptied or not left:
        return None
    name, support, _ = secrets[0] if secrets else (None, 0, None)
    share_ = int(support) / left
    reveals = str(name) if int(support) > promise.h * left else None
    if reveals is None and left >= promise.k:
        return None
    worst = Violation((), left, reveals, share_)
    return str(Verdict(False, (worst,), 1, 0, left).refusal())


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of `coherence`, with its defaults."""

    k: int
    p: int
    h: Any = None
    private: Any = ()
    public: Any = None
    method: str = "mm-il"
    loss: Any = None
    hierarchy: Any = None
    fanout: Any = None
    faithful: bool = False
    ignore_unknown: bool = False
    plan: str = "auto"
    nodes: int = 10
    time_limit: float | None = None


def _levels(verges: list[Columns], levels: list[Level], promise: Promise) -> list[Level]:
    """Select the minimal moles of one k from those of all k."""
    met = []
    for size, (columns, level) in enumerate(zip(verges, levels, strict=False), 1):
        if size > promise.p:
            break
        if not columns:  # there is no itemset of this size, or no data was read
            met.append(level)
            continue
        support, floor = integers(columns["support"]), integers(columns["floor"])
        rare = (support < promise.k) & (floor >= promise.k)
        telling = (support >= promise.k) & (columns["revealing"] == 1)
        chosen = rare | telling
        items = [columns[f"item_{n}"][chosen].astype(np.int32) for n in range(1, size + 1)]
        moles = np.stack(items, axis=1)
        met.append(replace(level, moles=moles, revealing=int(telling.sum())))
    return met


def _cost(
    baskets: Baskets, promise: Promise, levels: list[Level], losses: Any, one: _Options
) -> CoherenceMetrics:
    session = baskets.session
    choice = choose(session, levels, losses.of, one.method, one.faithful, one.nodes, one.time_limit)
    emptied = _emptied(baskets, choice.suppressed)
    return metrics_of(baskets, promise, levels, losses, choice, emptied)


def _emptied(baskets: Baskets, suppressed: Sequence[int]) -> int:
    """Count the emptied transactions by the suppressed or by the remaining items.

    The shorter list is used: a long decision takes longer to write than to carry out.
    """
    session = baskets.session
    for name in {"suppressed_item", "left_item"}.intersection(session.relations):
        session.drop(name)
    if 2 * len(suppressed) <= baskets.items:
        session.decide("suppressed_item", "the items that this point would suppress", suppressed)
        (emptied,) = session.one(lists.emptied())
        return int(emptied)
    gone = set(suppressed)
    left = [item for item in range(baskets.items) if item not in gone]
    session.decide("left_item", "the items that this point would leave", left)
    (bearers,), (unemptied,) = session.one(sql.bearers()), session.one(sql.unemptied())
    return int(bearers - unemptied)
