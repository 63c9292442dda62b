"""`setveil sweep MODEL`: the commands of `setveil.sweep`.

A command says what is its model's own, `_command` joins to it what all sweeps take.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.models.coherence import require_h
from setveil.comparison.sweep import SWEEPS, Swept, sweep
from setveil.errors import InputError
from setveil.models.coherence.anonymize import NODES
from setveil.show.curves import check_plot
from setveil.show.page import check_report

NAME = "sweep"
T = TypeVar("T")
Asked = tuple[dict[str, list[Any]], dict[str, Any]]  # the grid, and the options of all its points

app = typer.Typer(
    help="A model over a grid of parameters: what every point would cost. Nothing is released.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def callback() -> None:
    """Values stand between commas: --k 2,5,10,20. Data is read once, however many points."""


def _sweep(
    source: o.Source,
    report: o.Report = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE.svg",
            help="Draw the curve as a picture of its own, .svg or .png; no item stands in it.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite what --report, --plot name.")
    ] = False,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
    *,
    model: str,
    asked: Callable[[], Asked],
) -> int:
    """Sweep, and show what was found."""
    clock = running.Clock()
    grid, options = asked()
    for path, check in ((report, check_report), (plot, check_plot)):
        if path is not None and not explain:
            check(path, force=force)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        force_large=force_large,
    )  # fmt: skip
    outputs = {"--report": report, "--plot": plot}
    with running.reading(how, once=False, outputs=outputs) as baskets:
        found = sweep(baskets, model, grid, **options)
        if explain:
            running.explained(baskets)
            return 0
    reached = any(one.metrics is not None for one in found.points)
    plot = plot if reached else None
    if report is not None:
        found.write_report(report, force=force)
    if plot is not None:
        found.write_plot(plot, force=force)
    if json:
        output.print_json(_content(found, clock, report, plot))
    else:
        _print(found)
        for path in filter(None, (report, plot)):
            output.say(f"written: {output.printable(str(path))} ({clock.seconds} s)")
    return 0 if reached else 3


def _command(own: Callable[..., Asked]) -> Callable[..., Asked]:
    """Make a command of the model that the function is named after: its options, then the rest."""
    asked = inspect.signature(own, eval_str=True).parameters
    every = inspect.signature(_sweep, eval_str=True).parameters
    shared = {name: one for name, one in every.items() if one.kind is not one.KEYWORD_ONLY}
    source = shared.pop("source")

    @running.with_exit_code
    def command(source: str, **given: Any) -> int:
        mine = {name: given[name] for name in asked}
        others = {name: given[name] for name in shared}
        return _sweep(source, **others, model=own.__name__, asked=lambda: own(**mine))

    command.__dict__["__signature__"] = inspect.Signature([source, *(asked | shared).values()])
    app.command(own.__name__, help=own.__doc__, epilog=o.EXIT_CODES)(command)
    return own


@_command
def coherence(
    k: Annotated[str, typer.Option("--k", metavar="N,N,...", help="Sizes of cohorts, at least.")],
    p: Annotated[
        str, typer.Option("--p", metavar="N,N,...", help="How many items attackers know.")
    ],
    h: Annotated[
        str | None,
        typer.Option("--h", metavar="X,X,...", help="Shares that a private item may have."),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option("--strategy", metavar="S,S,...", help="mm-il, mm, 1-il, rm-all, optimal."),
    ] = "mm-il",
    private: o.Private = None,
    public: Annotated[
        list[str] | None,
        typer.Option(
            "--public",
            metavar="LIST",
            help="Items that an attacker can know (default: all that are not private); given "
            "more than once, each is a value of the grid.",
        ),
    ] = None,
    loss: Annotated[
        str, typer.Option("--loss", help="What an item costs: support, unit, or a file.")
    ] = "support",
    faithful: Annotated[
        bool, typer.Option("--faithful", help="Do not bring back items that could return.")
    ] = False,
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", help="For optimal: search up to N nodes.")
    ] = NODES,
    plan: o.Plan = "auto",
    ignore_unknown: o.IgnoreUnknown = False,
) -> Asked:
    """(h,k,p)-coherence at every point of a grid: one search for every k, p and strategy."""
    require_h(h, private)
    grid: dict[str, list[Any]] = {
        "k": _values("--k", k, int), "p": _values("--p", p, int),
        "strategy": _values("--strategy", strategy, str),
    }  # fmt: skip
    grid |= {"h": _values("--h", h, str)} if h is not None else {}
    grid |= {"public": list(public)} if public else {}
    return grid, {
        "private": private or (), "loss": loss, "faithful": faithful, "nodes": nodes, "plan": plan,
        "ignore_unknown": ignore_unknown,
    }  # fmt: skip


@_command
def partition(
    k: Annotated[str, typer.Option("--k", metavar="N,N,...", help="How many look alike.")],
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
) -> Asked:
    """k-anonymity at every k: a run for each."""
    return {"k": _values("--k", k, int)}, {"hierarchy": hierarchy, "fanout": fanout}


@_command
def km(
    k: Annotated[str, typer.Option("--k", metavar="N,N,...", help="Sizes of cohorts, at least.")],
    m: Annotated[
        str,
        typer.Option("--m", metavar="N,N,...", help="How many nodes attackers know; max: any."),
    ],
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
) -> Asked:
    """k^m-anonymity at every point of a grid: a run for each."""
    grid: dict[str, list[Any]] = {"k": _values("--k", k, int), "m": _values("--m", m, str)}
    return grid, {"hierarchy": hierarchy, "fanout": fanout}


@_command
def uncertainty(
    sensitive: o.Sensitive,
    rho: Annotated[
        str, typer.Option("--rho", metavar="X,X,...", help="Shares that a sensitive item may have.")
    ],
) -> Asked:
    """rho-uncertainty at every rho: a run for each."""
    return {"rho": _values("--rho", rho, str)}, {"sensitive": sensitive}


@_command
def hide(
    patterns: o.Patterns,
    psi: Annotated[
        str, typer.Option("--psi", metavar="X,X,...", help="Shares that may keep a pattern.")
    ],
) -> Asked:
    """Hidden patterns at every psi: a run for each."""
    return {"psi": _values("--psi", psi, str)}, {"patterns": patterns}


def _values(option: str, text: str, kind: Callable[[str], T]) -> list[T]:
    """The values between commas."""
    try:
        return [kind(one.strip()) for one in text.split(",")]
    except ValueError:
        raise InputError(f"{option}: {text!r} is no list of whole numbers: write 2,5,10") from None


def _content(
    found: Swept, clock: running.Clock, report: Path | None, plot: Path | None
) -> dict[str, Any]:
    return {
        "command": f"{NAME} {found.model}",
        "source": found.source,
        "parameters": found.parameters | {name: list(axis) for name, axis in found.axes.items()},
        "metrics": {"points": [asdict(one) for one in found.points]},
        "seconds": clock.seconds,
        "out": None if report is None else str(report),
        "plot": None if plot is None else str(plot),
    }


def _print(found: Swept) -> None:
    """A row per point, with its curve beside it."""
    cost = SWEEPS[found.model].cost
    most = max((getattr(one.metrics, cost) for one in found.points if one.metrics), default=0.0)
    rows: list[tuple[object, ...]] = [(*found.axes, cost.replace("_", " "), "")]
    for one in found.points:
        values = [str(value) for value in one.parameters.values()]
        if one.metrics is None:
            rows.append((*values, "out of reach", ""))
        else:
            share = getattr(one.metrics, cost)
            bar = "#" * round(30 * share / most) if most else ""
            rows.append((*values, output.percent(share), bar.ljust(30)))
    output.table(rows)
    for refusal in dict.fromkeys(one.refused for one in found.points if one.refused):
        output.say(f"out of reach: {refusal}")
