"""Run a model over a grid of parameters: the cost of each point. Nothing is released.

The axes of a model are in its entry. A model whose points share work yields them itself; any other
is run anew for each point, on transactions that were read once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from setveil.arguments.strict import checked, strict
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.grid import Axes, Point, Setting, one_by_one
from setveil.run.inputs import Inputs
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.results.tabled import Listed
from setveil.run.words import counted, names, printable


@dataclass(frozen=True, slots=True, repr=False)
class Swept(Listed):
    """All points, the first axis varying slowest."""

    model: str
    source: str
    axes: dict[str, tuple[Any, ...]]
    parameters: Setting  # the values that all points share
    points: tuple[Point, ...]
    inputs: Inputs = field(default_factory=Inputs, repr=False, compare=False)

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
            one.parameters
            | ({} if one.metrics is None else asdict(one.metrics))
            | {"refused": one.refused}
            for one in self.points
        ]

    def write_report(self, path: str | Path, *, force: bool = False) -> None:
        """Write the curve and its numbers as one HTML page, for the owner's eyes."""
        from setveil.comparison.views.pages import sweep_page  # which reads what is defined here
        from setveil.show.page import write_page

        write_page(sweep_page(self), path, self.inputs, force=force)

    def write_plot(self, path: str | Path, *, force: bool = False) -> None:
        """Write the curve as a picture, an SVG or a PNG."""
        from setveil.comparison.views.curves import write_plot

        write_plot(self, path, force=force)


@strict
def sweep(baskets: Baskets, model: str, grid: Axes, **options: Any) -> Swept:
    """Measure a model at every point of a grid: `sweep(baskets, "coherence", {"k": [5, 10]}, p=2)`.

    `options` are those of the model, the same at every point.
    """
    if not isinstance(model, str) or model not in REGISTRY:
        raise InputError(f"there is no model {model!r} to sweep; there is {', '.join(REGISTRY)}")
    known = REGISTRY[model]
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
    options = _checked(model, known.anonymize.get(), axes, options)
    if not known.beside_original:
        note_persons(baskets.session, baskets.shape, baskets.persons)
    found = (known.points or one_by_one(known.anonymize))(baskets, axes, options)
    points = tuple(found)
    return Swept(model, baskets.source.name, axes, dict(options), points, baskets.session.inputs)


def _checked(model: str, function: Callable[..., Any], axes: Axes, options: Setting) -> Setting:
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
