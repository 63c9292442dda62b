"""`setveil reproduce`: the command of `setveil.reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.command import show
from setveil.errors import InputError
from setveil.reproducing.recipes import PAPERS, every_figure, figure, paper
from setveil.reproducing.run import Reproduced, reproduce
from setveil.reproducing.table import HOLDS, check_table, sentence, summary, write_table
from setveil.run.words import Blocks

NAME = "reproduce"


def command(
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FIGURE]...",
            help="Figures and tables, such as coherence-8 or hiding-table-1. Without any: list "
            "all of them.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All figures and tables.")] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE|FOLDER",
            help="The paper's data: a file, or a folder with files of several datasets, such as "
            "connect.parquet. Without it, data of the same shape is generated.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="A look in a short time: part of the data, and one draw."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write a picture of each run, and the data that was made, to a new folder of the "
            "figure's name in this one.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE.md|FILE.csv",
            help="Write a row per finding to this file: its figure and command, whether it "
            "holds, and the reason if not.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file of --table.")] = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
) -> None:
    """Run the papers' experiments: our numbers, and for each finding whether it holds here.

    Each figure prints the commands that it ran, so that they can be changed and run again.
    """
    clock = running.Clock()
    labels = [one.label for one in every_figure()] if every else list(figures or [])
    if every and figures:
        raise InputError("--all runs every figure: name none beside it")
    for label in labels:
        figure(label)
    if table is not None:
        check_table(table, force=force)
    found: list[Reproduced] = []
    for label in labels:
        made = reproduce(
            label,
            data=data,
            out=out,
            quick=quick,
            threads=threads,
            memory_limit=memory_limit,
            progress=(lambda text: None) if quiet else output.chat,
        )
        found.append(made)
        if not json:
            show(_figure(made))
    if table is not None:
        write_table(found, table, force=force)
    if json:
        shown = [one.content() for one in found] if labels else _listed()
        content = {"command": NAME, "figures": shown, "seconds": clock.seconds}
        places = {"out": out, "table": table}
        written = {name: None if one is None else str(one) for name, one in places.items()}
        output.print_json(content | written)
    elif labels:
        show(summary(found, clock.seconds))
    else:
        show(_listing())


def _listed() -> list[dict[str, object]]:
    return [
        {"figure": one.label, "title": one.title, "note": one.note, "runs": []}
        for one in every_figure()
    ]


def _listing() -> Blocks:
    widest = max(len(one.label) for one in every_figure())
    for name in PAPERS:
        yield paper(name).title
        yield from (f"  {one.label:{widest}}  {one.title}" for one in paper(name).figures)
    yield "next: setveil reproduce FIGURE --data FILE; without data it generates some"


def _figure(made: Reproduced) -> Blocks:
    yield f"{made.label}: {made.title}"
    if made.note:
        yield f"  {made.note}"
    for run in made.runs:
        yield f"  data: {run.data}"
        for line in run.commands:
            yield f"  {line}"
        if run.missing:
            yield f"  left out: {run.missing}"
        yield from (f"    {HOLDS[one.holds]}: {sentence(one)}" for one in run.findings)
