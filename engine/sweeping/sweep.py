"""Run models over a grid of parameters: the cost of each point. Nothing is released.

Any parameter of a model is an axis, and so is how the data is prepared. A model whose points share
a search yields them itself; any other is run anew for each point, on transactions that were read
once.
"""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from setveil.arguments.strict import checked, strict
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.grid import Axes, Setting
from setveil.models.model import Model
from setveil.run.inputs import Inputs
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.results.tabled import Listed, columns_of
from setveil.run.words import counted, names, printable
from setveil.run.writing import write_text
from setveil.sweeping.points import (
    DRAWN,
    INSTEAD,
    MINED,
    PREPARED,
    SPENT,
    SUPPORTS,
    Plan,
    SweptPoint,
    axes_of,
    check_measures,
    points_of,
)

BETWEEN = "+"  # between the names of several models


@dataclass(frozen=True, slots=True, repr=False)
class Swept(Listed):
    """All points, those of one model after another, the first axis varying slowest."""

    models: tuple[str, ...]
    source: str
    axes: dict[str, tuple[Any, ...]]
    parameters: Setting  # the values that all points share
    measures: tuple[str, ...]  # that were asked for
    points: tuple[SweptPoint, ...]
    inputs: Inputs = field(default_factory=Inputs, repr=False, compare=False)

    @property
    def model(self) -> str:
        return BETWEEN.join(self.models)

    @property
    def cost(self) -> str:
        """The figure to draw: the first that was asked for, or the loss that the models share."""
        if self.measures:
            return self.measures[0]
        costs = {REGISTRY[name].cost for name in self.models}
        return costs.pop() if len(costs) == 1 else "information_lost"

    def content(self) -> dict[str, Any]:
        """The parameters and all points as JSON has them; the cells of tables are read off it."""
        axes = {name: list(values) for name, values in self.axes.items()}
        points = [asdict(one) for one in self.points]
        return {"parameters": self.parameters | axes, "metrics": {"points": points}}

    def lines(self) -> Iterator[str]:
        yield f"{self.model} of {printable(self.source)}: {counted(len(self.points), 'point')}"
        yield "; ".join(f"{name}: {names([*map(str, axis)])}" for name, axis in self.axes.items())
        refused = sum(one.metrics is None for one in self.points)
        yield f"{counted(refused, 'point')} without a release" if refused else "all have a release"

    def records(self) -> list[dict[str, Any]]:
        """A row per point: its parameters, its figures, and the reason if it has no release."""
        return [
            ({"model": one.model} if len(self.models) > 1 else {})
            | one.parameters
            | ({} if one.metrics is None else asdict(one.metrics))
            | {name: spread.mean for name, spread in one.measures.items()}
            | {f"{name}_deviation": spread.deviation for name, spread in _spread(one)}
            | {name: getattr(one, name) for name in SPENT}
            | {"refused": one.refused}
            for one in self.points
        ]

    def write(self, path: str | Path, *, force: bool = False) -> None:
        """Write the points as CSV, a row each."""
        check_csv(path)
        columns = columns_of(self.records())
        text = io.StringIO(newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(columns)
        table.writerows(zip(*columns.values(), strict=True))
        write_text(str(path), text.getvalue(), self.inputs, force=force)

    def write_report(self, path: str | Path, *, force: bool = False) -> None:
        """Write the curve and its numbers as one HTML page, for the owner's eyes."""
        from setveil.show.page import write_page
        from setveil.sweeping.pages import sweep_page  # which reads what is defined here

        write_page(sweep_page(self), path, self.inputs, force=force)

    def write_plot(
        self,
        path: str | Path,
        *,
        force: bool = False,
        of: str | None = None,
        along: str | None = None,
    ) -> None:
        """Write the curve as a picture, an SVG or a PNG: `of` a measure, `along` an axis."""
        from setveil.sweeping.curves import write_plot

        write_plot(self, path, force=force, of=of, along=along)


def _spread(point: SweptPoint) -> Iterator[tuple[str, Any]]:
    """The measures whose draws differ."""
    if point.draws > 1:
        yield from point.measures.items()


def check_csv(path: str | Path) -> None:
    """Refuse a name whose suffix is another format."""
    if Path(path).suffix.lower() != ".csv":
        raise InputError(f"{path}: a sweep is written as CSV: give a name that ends with .csv")


@strict
def sweep(
    baskets: Baskets,
    model: str | Sequence[str],
    grid: Axes,
    *,
    measures: Sequence[str] = (),
    draws: int = 1,
    apart: bool = False,
    **options: Any,
) -> Swept:
    """Measure models at every point of a grid: `sweep(baskets, "coherence", {"k": [5, 10]}, p=2)`.

    `options` are those of the models, the same at every point; a model takes those that it has.
    Among axes and options are also the data's preparation (`sample`, `min_item_support`, `cutoff`),
    drawn roles (`public_share`, `sensitive_share`) and patterns (`drawn_patterns`), and how
    itemsets are mined to measure a release (`measure_support`, `measure_size`,
    `measure_confidence`). `measures` are names of metrics or of measures of `compare`. With
    `draws`, a point is the mean over as many seeds. `apart` runs each point by itself, so that its
    seconds are its own.
    """
    models = _models(model)
    _check_grid(models, grid)
    check_measures(models, measures)
    ordered = _in_order(models, grid)
    axes = {name: _each_once(grid[name]) for name in ordered}
    options = _checked(models, axes, options)
    if any(not one.beside_original for one in models):
        note_persons(baskets.session, baskets.shape, baskets.persons)
    seed = options.get("seed", 0)
    plan = Plan(models, axes, options, measures, draws, seed, apart)
    points = tuple(points_of(baskets, plan))
    shown = tuple(one.name for one in models)
    return Swept(
        shown,
        baskets.source.name,
        axes,
        dict(options) | ({"draws": draws} if draws > 1 else {}),
        tuple(measures),
        points,
        baskets.session.inputs,
    )


def _models(given: str | Sequence[str]) -> list[Model]:
    alone = isinstance(given, str) or not isinstance(given, Sequence)
    named = str(given).split(BETWEEN) if alone else list(given)
    for name in named:
        if not isinstance(name, str) or name not in REGISTRY:
            raise InputError(f"there is no model {name!r} to sweep; there is {', '.join(REGISTRY)}")
    if not named or len(set(named)) < len(named):
        raise InputError("name one model to sweep, or several different ones")
    return [REGISTRY[name] for name in named]


def _check_grid(models: Sequence[Model], grid: Axes) -> None:
    if not isinstance(grid, Mapping):
        raise InputError(f"grid is a dict of lists, such as {{'k': [5, 10]}}, not {grid!r}")
    known = names_of(models)
    for name, values in grid.items():
        if name not in known:
            shown = " and ".join(one.name for one in models)
            raise InputError(f"{shown} cannot be swept over {name!r}; its axes are {names(known)}")
        if isinstance(values, str | bytes) or not isinstance(values, Sequence):
            raise InputError(f"--{name}: {values!r} is no list of values to sweep over")
        if not values:
            raise InputError(f"--{name}: there is no value to sweep over")
        _check_words(models, name, values)


def _check_words(models: Sequence[Model], name: str, values: Sequence[Any]) -> None:
    """Refuse a word that no model has: one that has others would leave it out."""
    known = [word for model in models for one in model.params if one.name == name
             for word in one.choices]  # fmt: skip
    for value in values:
        if known and value not in known:
            raise InputError(f"--{name}: there is no {value!r}; there is {names(known)}")


def names_of(models: Sequence[Model]) -> list[str]:
    """All names that can be axes of these models, the slowest first."""
    own = {one.name for model in models for one in model.params}
    drawn = [name for name in DRAWN if INSTEAD[name] in own]
    usual = dict.fromkeys(name for model in models for name in model.axes)
    rare = [one.name for model in models for one in model.params if one.name not in usual]
    return list(dict.fromkeys([*PREPARED, *drawn, *rare, *usual, *MINED]))


def _in_order(models: Sequence[Model], grid: Axes) -> list[str]:
    return [name for name in names_of(models) if name in grid]


def _checked(models: Sequence[Model], axes: Axes, options: Setting) -> Setting:
    """The options, if a model has each, and each model all that it needs; the values of axes."""
    signatures = {one.name: inspect.signature(one.anonymize.get()) for one in models}
    defaults = {
        name: parameter.default
        for signature in reversed(signatures.values())
        for name, parameter in signature.parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY  # the baskets are none
    }
    beside = {*PREPARED, *DRAWN, *SUPPORTS, *MINED, "seed"}
    for name in options:
        if name not in defaults and name not in beside:
            shown = " and ".join(one.name for one in models)
            raise InputError(
                f"{shown}: there is no parameter {name!r}; it has {names([*defaults])}"
            )
    for model in models:
        _check_needed(model, signatures[model.name], axes, options)
    for name, values in axes.items():
        for value in values:
            checked(models[0].name, name, value, defaults.get(name))
    return {
        name: checked(models[0].name, name, one, defaults.get(name))
        for name, one in options.items()
    }


def _check_needed(model: Model, signature: inspect.Signature, axes: Axes, options: Setting) -> None:
    """Refuse a model that lacks a parameter which has no default."""
    given = {**options, **axes_of(model, axes)}
    given |= {INSTEAD[name]: one for name, one in given.items() if name in DRAWN}
    own = {name: one for name, one in given.items() if name in signature.parameters}
    try:
        signature.bind(None, **own)
    except TypeError as error:
        shown = ", ".join(list(signature.parameters)[1:])
        raise InputError(f"{model.name}: {error}; it has {shown}") from error


def _each_once(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values in their order; a value can be a list."""
    return tuple(one for n, one in enumerate(values) if one not in list(values)[:n])
