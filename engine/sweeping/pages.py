"""The page and the table of a sweep. Paths are those of the command's JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from setveil.comparison.views.pages import INFORMATION, section_of_parameters
from setveil.models import REGISTRY
from setveil.show import plots
from setveil.show.page import Page, Section
from setveil.show.tables import Cell, Form, Table, cell, number, share
from setveil.sweeping.curves import curve, is_share
from setveil.sweeping.points import SPENT
from setveil.sweeping.sweep import Swept


def sweep_page(found: Swept) -> Page:
    """The curve and its numbers: a line for each choice of the other axes."""
    shown = curve(found)
    plot = (
        plots.lines(shown.rows, shown.x, shown.y, shown.series, shown.title) if shown.rows else None
    )
    lede = f"The cost of {found.model} of {Path(found.source).name}, at every point of a grid."
    fixed: dict[str, object] = {
        name: value for name, value in found.parameters.items() if isinstance(value, int | float)
    }
    return Page(
        f"{found.model}: a sweep over {', '.join(found.axes)}",
        lede,
        True,
        (),
        (
            Section(shown.title, "", plot, sweep_table(found)),
            *([section_of_parameters(fixed)] if fixed else []),
        ),
    )


def sweep_table(found: Swept) -> Table:
    """A row per point: its place on each axis, its losses or measures, and what it cost."""
    content, several = found.content(), len(found.models) > 1
    losses = list(found.measures) or [*dict.fromkeys([found.cost, *_also(found)])]
    counts = () if found.measures or several else REGISTRY[found.model].counts
    rows = [
        (
            *([one.model] if several else []),
            *(str(one.parameters.get(name, "")) for name in found.axes),
            *_losses(found, content, n, losses),
            *(cell(content, f"metrics.points.{n}.metrics.{name}") for name in counts),
        )
        for n, one in enumerate(found.points)
    ]
    figures = (*losses, *counts)
    head = (*(["model"] if several else []), *found.axes, *figures)
    return Table(tuple(name.replace("_", " ") for name in head), tuple(rows))


def _also(found: Swept) -> list[str]:
    """The loss in which all models compare, if a release has it."""
    told = any(hasattr(one.metrics, INFORMATION) for one in found.points)
    return [INFORMATION] if told else []


def _losses(found: Swept, content: dict[str, object], n: int, losses: Sequence[str]) -> list[Cell]:
    """The figures of a point; of several draws, their means."""
    point = found.points[n]
    if point.metrics is None:
        return ["out of reach", *("" for _ in losses[1:])]
    return [
        cell(content, f"metrics.points.{n}.measures.{name}.mean", _form(found, name))
        if name in point.measures
        else cell(content, f"metrics.points.{n}.{name}")
        if name in SPENT
        else ""
        for name in losses
    ]


def _form(found: Swept, name: str) -> Form:
    return share if is_share(found, name) or name == INFORMATION else number
