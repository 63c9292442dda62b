"""Run a model over a grid of parameters: what each point would cost, and no release of any.

`SWEEPS` has an entry per model: its axes, and a function that yields the points in the grid's
order. What the points can share is computed once. A model that has nothing to share joins by
`one_by_one` and its public function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from setveil.arguments.strict import checked, strict
from setveil.backends import Columns, Row, integers
from setveil.errors import InputError, UnreachableError
from setveil.models.coherence.anonymize import (
    CoherenceMetrics,
    check_options,
    choose,
    coherence,
    metrics_of,
    promised,
    refuse_unreachable,
)
from setveil.models.coherence.check import Verdict, Violation
from setveil.models.coherence.losses import item_losses
from setveil.models.coherence.promise import Level, Promise
from setveil.models.coherence.search import find_moles
from setveil.models.hiding.anonymize import hide
from setveil.models.k_anonymity.anonymize import partition
from setveil.models.km_anonymity.anonymize import km
from setveil.models.uncertainty.anonymize import uncertainty
from setveil.run.inputs import Inputs
from setveil.run.notes import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release
from setveil.sql.models.coherence import search as moles
from setveil.sql.models.coherence import sweep as sql
from setveil.sql.run import lists

Axes = Mapping[str, Sequence[Any]]
Setting = dict[str, Any]
Model = Callable[..., Release[Any]]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the grid. `metrics` is None where no release can keep the promise: `refused`."""

    parameters: Setting
    metrics: Any
    refused: str | None


@dataclass(frozen=True, slots=True)
class Swept:
    """All points, the first axis varying slowest."""

    model: str
    source: str
    axes: dict[str, tuple[Any, ...]]
    parameters: Setting  # those that were the same for all
    points: tuple[Point, ...]
    inputs: Inputs = field(default_factory=Inputs, repr=False, compare=False)

    def write_report(self, path: str | Path, *, force: bool = False) -> None:
        """Write the curve and its numbers as one HTML page, for the owner's eyes."""
        from setveil.show.page import write_page
        from setveil.show.pages import sweep_page  # which reads what is defined here

        write_page(sweep_page(self), path, self.inputs, force=force)

    def write_plot(self, path: str | Path, *, force: bool = False) -> None:
        """Write the curve as a picture, an SVG or a PNG."""
        from setveil.show.curves import write_plot

        write_plot(self, path, force=force)


@dataclass(frozen=True, slots=True)
class Sweep:
    """How a model is swept. `points` is given the axes with all their values, and the options."""

    axes: tuple[str, ...]
    points: Callable[[Baskets, Axes, Setting], Iterator[Point]]
    function: Model
    cost: str  # the metric that its curve shows
    more: tuple[str, str]  # counts that stand beside it


@strict
def sweep(baskets: Baskets, model: str, grid: Axes, **options: Any) -> Swept:
    """Measure a model at every point of a grid: `sweep(baskets, "coherence", {"k": [5, 10]}, p=2)`.

    `options` are those of the model, the same at every point.
    """
    if not isinstance(model, str) or model not in SWEEPS:
        raise InputError(f"there is no model {model!r} to sweep; there is {', '.join(SWEEPS)}")
    known = SWEEPS[model]
    if not isinstance(grid, Mapping):
        raise InputError(f"grid is a dict of lists, such as {{'k': [5, 10]}}, not {grid!r}")
    for name, values in grid.items():
        if name not in known.axes:
            shown = ", ".join(known.axes)
            raise InputError(f"{model} cannot be swept over {name!r}; its axes are {shown}")
        if isinstance(values, str | bytes) or not isinstance(values, Sequence):
            raise InputError(f"--{name}: {values!r} is no list of values to sweep over")
        if not values:
            raise InputError(f"--{name}: there is no value to sweep over")
    axes = {name: _each_once(grid[name]) for name in known.axes if name in grid}
    options = _checked(model, known.function, axes, options)
    if model != "hide":
        note_persons(baskets.session)
    points = tuple(known.points(baskets, axes, options))
    return Swept(model, baskets.source.name, axes, dict(options), points, baskets.session.inputs)


def _checked(model: str, function: Model, axes: Axes, options: Setting) -> Setting:
    """The options, if the model has them and all that it needs; and the values of all axes."""
    signature = inspect.signature(function)
    try:
        signature.bind(None, **{**options, **axes})
    except TypeError as error:
        shown = ", ".join(list(signature.parameters)[1:])
        raise InputError(f"{model}: {error}; it has {shown}") from error
    defaults = {name: one.default for name, one in signature.parameters.items()}
    for name, values in axes.items():
        for value in values:
            checked(model, name, value, defaults[name])
    return {name: checked(model, name, one, defaults[name]) for name, one in options.items()}


def _each_once(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values in their order; a value can be a list."""
    return tuple(one for n, one in enumerate(values) if one not in list(values)[:n])


def settings(axes: Axes) -> Iterator[Setting]:
    """Every point's parameters, the first axis varying slowest."""
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def one_by_one(
    model: Callable[..., Release[Any]],
) -> Callable[[Baskets, Axes, Setting], Iterator[Point]]:
    """The points of a model that is run anew for each, on transactions that were read once."""

    def points(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
        for setting in settings(axes):
            try:
                yield Point(setting, model(baskets, **options, **setting).metrics, None)
            except UnreachableError as error:
                yield Point(setting, None, str(error))

    return points


# Coherence: one search for all k, p and strategies


def _coherence(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
    found: dict[Setting | tuple[Any, ...], Point] = {}
    for public, h in product(axes.get("public", (None,)), axes.get("h", (None,))):
        shared = {name: value for name, value in (("public", public), ("h", h)) if name in axes}
        inner = {name: axes[name] for name in ("k", "p", "strategy") if name in axes}
        for point in _search(baskets, inner, options | shared):
            parameters = point.parameters | shared
            found[_place(axes, parameters)] = replace(
                point, parameters={name: parameters[name] for name in axes}
            )
    yield from (found[_place(axes, setting)] for setting in settings(axes))


def _place(axes: Axes, setting: Setting) -> tuple[Any, ...]:
    return tuple(list(axes[name]).index(setting[name]) for name in axes)


def _search(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
    """The points that differ in k, p and strategy: one search, with the least k and largest p."""
    session = baskets.session
    grid = [_Options(**(options | setting)) for setting in settings(axes)]
    for one in grid:
        check_options(one.strategy, one.plan, one.nodes)
    session.begin()
    first = grid[0]
    least, most = min(one.k for one in grid), max(one.k for one in grid)
    promise = promised(
        session, least, max(one.p for one in grid), first.h, first.private, first.public,
        ignore_unknown=first.ignore_unknown,
    )  # fmt: skip
    asked = [replace(promise, k=one.k, p=one.p) for one in grid]
    refused = [_refusal(baskets, one) for one in asked]
    if all(refused):
        for setting, why in zip(settings(axes), refused, strict=True):
            yield Point(setting, None, why)
        return
    levels = find_moles(
        session, promise, items=baskets.items, transactions=baskets.transactions, plan=first.plan
    )
    losses = item_losses(session, first.loss)
    secrets = session.ask(moles.unbearable(Fraction(0)))  # the most frequent first
    verges = [
        session.arrays(sql.verges(level.size, most, baskets.transactions)) if level.present else {}
        for level in levels
    ]
    for setting, one, promised_here, why in zip(settings(axes), grid, asked, refused, strict=True):
        if why:
            yield Point(setting, None, why)
            continue
        met = _levels(verges, levels, promised_here)
        cost = _cost(baskets, promised_here, met, losses, one)
        why = _too_few_left(baskets, promised_here, cost.emptied_transactions, secrets)
        yield Point(setting, None if why else cost, why)


def _refusal(baskets: Baskets, promise: Promise) -> str | None:
    """Why no release can keep the promise, if none can."""
    try:
        refuse_unreachable(baskets, promise)
    except UnreachableError as error:
        return str(error)
    return None


def _too_few_left(
    baskets: Baskets, promise: Promise, emptied: int, secrets: Sequence[Row]
) -> str | None:
    """Why the checker would refuse, in long form, which does not show emptied transactions."""
    left = baskets.transactions - emptied
    if baskets.shape.lists or baskets.session.dry or not emptied or not left:
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
    strategy: str = "mm-il"
    loss: Any = "support"
    faithful: bool = False
    ignore_unknown: bool = False
    plan: str = "auto"
    nodes: int = 10
    time_limit: float | None = None


def _levels(verges: list[Columns], levels: list[Level], promise: Promise) -> list[Level]:
    """The minimal moles of one k, out of those of every k."""
    met = []
    for size, (columns, level) in enumerate(zip(verges, levels, strict=False), 1):
        if size > promise.p:
            break
        if not columns:  # there is none of this size, or the session is dry
            met.append(level)
            continue
        support, floor = integers(columns["support"]), integers(columns["floor"])
        rare = (support < promise.k) & (floor >= promise.k)
        telling = (support >= promise.k) & (columns["revealing"] == 1)
        chosen = rare | telling
        items = [integers(columns[f"item_{n}"][chosen]) for n in range(1, size + 1)]
        moles = np.stack(items, axis=1)
        met.append(replace(level, moles=moles, revealing=int(telling.sum())))
    return met


def _cost(
    baskets: Baskets, promise: Promise, levels: list[Level], losses: Any, one: _Options
) -> CoherenceMetrics:
    session = baskets.session
    choice = choose(
        session, levels, losses.of, one.strategy, one.faithful, one.nodes, one.time_limit
    )
    emptied = _emptied(baskets, choice.suppressed)
    return metrics_of(baskets, promise, levels, losses, choice, emptied)


def _emptied(baskets: Baskets, suppressed: Sequence[int]) -> int:
    """The transactions that lose all they have: by what goes, or by what is left, if that is less.

    A decision of many items takes longer to write down than to carry out.
    """
    session = baskets.session
    for name in {"suppressed_item", "left_item"}.intersection(session.relations):
        session.drop(name)
    if 2 * len(suppressed) <= baskets.items:
        session.decide("suppressed_item", "what this point would suppress", suppressed)
        (emptied,) = session.one(lists.emptied())
        return int(emptied)
    gone = set(suppressed)
    left = [item for item in range(baskets.items) if item not in gone]
    session.decide("left_item", "what this point would leave", left)
    (bearers,), (unemptied,) = session.one(sql.bearers()), session.one(sql.unemptied())
    return int(bearers - unemptied)


# A further model joins by a line here.
SWEEPS = {
    "coherence": Sweep(
        ("public", "h", "p", "strategy", "k"), _coherence, coherence, "information_loss",
        ("suppressed_items", "emptied_transactions"),
    ),
    "hide": Sweep(
        ("psi",), one_by_one(hide), hide, "dissimilarity",
        ("suppressed_occurrences", "emptied_transactions"),
    ),
    "km": Sweep(("m", "k"), one_by_one(km), km, "ncp", ("published", "generalized_items")),
    "partition": Sweep(
        ("k",), one_by_one(partition), partition, "ncp", ("partitions", "generalized_occurrences")
    ),
    "uncertainty": Sweep(
        ("rho",), one_by_one(uncertainty), uncertainty, "information_loss",
        ("suppressed_occurrences", "emptied_transactions"),
    ),
}  # fmt: skip
