"""The command `sweep MODEL` of every model, from its entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from setveil.cli import output, running
from setveil.cli.command import framed, given_of, ignore_unknown, option_of, show, source_option
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.cli.models.commands import Command
from setveil.cli.options import Report
from setveil.comparison.sweep import Swept, sweep
from setveil.comparison.views.curves import check_plot
from setveil.comparison.views.pages import sweep_table
from setveil.errors import InputError
from setveil.models.model import Model, Param
from setveil.run.words import Blocks
from setveil.show.page import check_report
from setveil.show.tables import with_bars

PLOT = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE.svg",
        help="Draw the curve as a picture, .svg or .png; it names no item.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """Options of a command that draws its figures."""

    report: Report = None
    plot: PLOT = None
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the files of --report and --plot.")
    ] = False


def sweep_command(model: Model) -> Command:
    """The command that measures the model over a grid."""
    axes = [option_of(one, axis=one.name in model.axes) for one in model.params]
    own = [source_option(), *axes, *ignore_unknown(model)]

    def run(
        reading: Reading,
        persons: Persons,
        pictures: Pictures,
        explaining: Explaining,
        showing: Showing,
        **given: Any,
    ) -> int:
        return _swept(model, reading, persons, pictures, explaining, showing, given)

    about = f"{model.title} at every point of a grid; axes: {', '.join(model.axes)}."
    return framed(run, own=own, about=about), model.short


def _swept(
    model: Model,
    reading: Reading,
    persons: Persons,
    pictures: Pictures,
    explaining: Explaining,
    showing: Showing,
    given: dict[str, Any],
) -> int:
    clock = running.Clock()
    if "h" in given:
        running.note_h(given["h"], given["private"])
    params = {one.name: one for one in model.params}
    named = given_of(model.params, given)
    grid = {name: _values(params[name], named.pop(name)) for name in model.axes if name in named}
    grid = {name: values for name, values in grid.items() if values}
    if model.lists_items:
        named["ignore_unknown"] = given["ignore_unknown"]
    for path, check in ((pictures.report, check_report), (pictures.plot, check_plot)):
        if path is not None and not explaining.explain:
            check(path, force=pictures.force)
    with running.reading(
        given["source"],
        reading,
        explaining,
        quiet=showing.quiet,
        persons=persons,
        once=False,
        outputs={"--report": pictures.report, "--plot": pictures.plot},
    ) as baskets:
        found = sweep(baskets, model.name, grid, **named)
        if explaining.explain:
            running.explained(baskets)
            return 0
    reached = any(one.metrics is not None for one in found.points)
    plot = pictures.plot if reached else None
    if pictures.report is not None:
        found.write_report(pictures.report, force=pictures.force)
    if plot is not None:
        found.write_plot(plot, force=pictures.force)
    if showing.json:
        output.print_json(_swept_json(found, clock, pictures.report, plot))
    else:
        show(_swept_blocks(found))
        for path in filter(None, (pictures.report, plot)):
            output.say(f"written: {output.printable(str(path))} ({clock.seconds} s)")
    return 0 if reached else 3


def _values(param: Param, text: Any) -> list[Any]:
    """Split the values at commas; a list of items is one value, and its option is repeated."""
    if param.kind == "items":
        return list(text)
    kind = int if param.kind == "count" and not param.words else str
    try:
        return [kind(one.strip()) for one in str(text).split(",")]
    except ValueError:
        raise InputError(
            f"{param.option}: {text!r} is not a list of whole numbers: write 2,5,10"
        ) from None


def _swept_json(
    found: Swept, clock: running.Clock, report: Path | None, plot: Path | None
) -> dict[str, Any]:
    return {
        "command": f"sweep {found.model}",
        "source": found.source,
        **found.content(),
        "seconds": clock.seconds,
        "out": None if report is None else str(report),
        "plot": None if plot is None else str(plot),
    }


def _swept_blocks(found: Swept) -> Blocks:
    """A row per point, with its share of the greatest cost as a bar."""
    yield with_bars(sweep_table(found), len(found.axes))
    for refusal in dict.fromkeys(one.refused for one in found.points if one.refused):
        yield f"out of reach: {refusal}"
