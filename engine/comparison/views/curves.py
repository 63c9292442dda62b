"""The curve of a sweep: the cost of each point along one axis, a line per choice of the others.

A picture of the curve alone has a title; an SVG has its numbers as JSON in `<desc>`. The picture
shows parameters and costs of all the data, and no item. It is not confidential.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from setveil.comparison.sweep import Swept
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.files import places
from setveil.show import plots
from setveil.show.plots import COUNT, SHARE, Axis, Rows


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of the plot, each a place along `x`, a cost and the name of its line."""

    title: str
    x: Axis
    y: Axis
    series: str
    rows: Rows


def curve(found: Swept) -> Curve:
    """The curve of a sweep. Points that are out of reach are not on it."""
    cost, along = REGISTRY[found.model].cost, _along(found)
    lines = zip(found.points, lines_of(found), strict=True)
    rows = [
        {along: one.parameters[along], cost: getattr(one.metrics, cost), "line": line}
        for one, line in lines
        if one.metrics is not None
    ]
    numeric = all(isinstance(row[along], int) for row in rows)
    said = cost.replace("_", " ")
    return Curve(
        f"{said} by {along}",
        Axis(along, along, COUNT if numeric else None),
        Axis(cost, said, SHARE if REGISTRY[found.model].cost_is_share else COUNT),
        "line",
        rows if numeric else [row | {along: plots.visible(str(row[along]))} for row in rows],
    )


def lines_of(found: Swept) -> list[str]:
    """The line that each point is on: what tells it from others with the same place on the axis."""
    along = _along(found)
    told = [name for name, values in found.axes.items() if name != along and len(values) > 1]
    return [
        plots.visible(
            ", ".join(
                str(one.parameters[name])
                if name == "method"
                else f"{name} = {one.parameters[name]}"
                for name in told
            )
        )
        or found.model
        for one in found.points
    ]


def _along(found: Swept) -> str:
    """The axis of the curve: the last of several values, k where there is a choice."""
    several = [name for name, values in found.axes.items() if len(values) > 1] or list(found.axes)
    return "k" if "k" in several else several[-1]


def write_plot(found: Swept, path: str | Path, *, force: bool = False) -> None:
    """Write the curve as a picture, whole or not at all: `.svg`, light or dark, or `.png`."""
    check_plot(path, force=force)
    shown = curve(found)
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
    places.check_place(str(path), force=force)
