"""The curve of a sweep: the cost of each point along one axis, a line per choice of the others.

A picture of the curve alone has a title; an SVG has its numbers as JSON in `<desc>`. The picture
shows parameters and costs of all the data, and no item. It is not confidential.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from setveil.comparison.measures import MEASURES
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.files import places
from setveil.show import plots
from setveil.show.plots import COUNT, SHARE, Axis, Rows, refuse_lacking
from setveil.sweeping.points import SweptPoint
from setveil.sweeping.sweep import Swept


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of the plot, each a place along `x`, a cost and the name of its line."""

    title: str
    x: Axis
    y: Axis
    series: str
    rows: Rows


def curve(found: Swept, *, of: str | None = None, along: str | None = None) -> Curve:
    """The curve of a sweep, `of` a measure `along` an axis. Points out of reach are not on it."""
    cost, across = of or found.cost, along or _along(found)
    lines = zip(found.points, lines_of(found, across), strict=True)
    rows = [
        {across: one.parameters.get(across, one.model), cost: one.value(cost), "line": line}
        for one, line in lines
        if one.metrics is not None and one.value(cost) is not None
    ]
    placed = [_placed(row[across]) for row in rows]
    numeric = all(isinstance(place, int | float) for place in placed)
    shown = placed if numeric else [plots.visible(str(row[across])) for row in rows]
    rows = [row | {across: place} for row, place in zip(rows, shown, strict=True)]
    said = cost.replace("_", " ")
    return Curve(
        f"{said} by {across}",
        Axis(across, across, COUNT if numeric else None),
        Axis(cost, said, SHARE if is_share(found, cost) else COUNT),
        "line",
        rows,
    )


def _placed(value: object) -> object:
    """The number that a value is, or that a text such as 0.4 is."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def is_share(found: Swept, cost: str) -> bool:
    """Is this figure a share of a whole? A measure says so itself, a model of its loss."""
    if cost in MEASURES:
        return MEASURES[cost].is_share
    return all(
        one.cost == cost and one.cost_is_share for one in map(REGISTRY.get, found.models) if one
    )


def lines_of(found: Swept, across: str | None = None) -> list[str]:
    """The line that each point is on: what tells it from others with the same place on the axis."""
    along = across or _along(found)
    told = [name for name, values in found.axes.items() if name != along and len(values) > 1]
    return [plots.visible(", ".join(_words(found, one, told))) or one.model for one in found.points]


def _words(found: Swept, point: SweptPoint, told: Sequence[str]) -> Iterator[str]:
    """The model where there are several, then the values of the axes that it has."""
    if len(found.models) > 1:
        yield point.model
    for name in told:
        if name in point.parameters:
            value = point.parameters[name]
            yield str(value) if name == "method" else f"{name} = {value}"


def _along(found: Swept) -> str:
    """The axis of the curve: the last of several values, k where there is a choice."""
    several = [name for name, values in found.axes.items() if len(values) > 1]
    several = several or list(found.axes) or ["model"]
    return "k" if "k" in several else several[-1]


def write_plot(
    found: Swept,
    path: str | Path,
    *,
    force: bool = False,
    of: str | None = None,
    along: str | None = None,
) -> None:
    """Write the curve as a picture, whole or not at all: `.svg`, light or dark, or `.png`."""
    check_plot(path, force=force)
    shown = curve(found, of=of, along=along)
    if not shown.rows:
        raise InputError(f"{path}: there is nothing to draw: every point is out of reach")
    title = f"{found.model}: {shown.title}"
    draw = plots.png if Path(path).suffix.lower() == ".png" else plots.svg
    picture = draw(shown.rows, shown.x, shown.y, shown.series, title)
    with places.whole_file(str(path), found.inputs, force=force) as place:
        Path(place).write_bytes(picture)


def check_plot(path: str | Path, *, force: bool) -> None:
    """Refuse, before any work is done, what could not be written."""
    if Path(path).suffix.lower() not in (".svg", ".png"):
        raise InputError(f"{path}: a plot is a picture: name it with .svg or .png")
    refuse_lacking()
    places.check_place(str(path), force=force)
