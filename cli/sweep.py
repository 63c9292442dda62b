"""`setveil sweep MODEL`: the commands of `setveil.sweep`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.coherence import require_h
from setveil.coherence import NODES
from setveil.errors import InputError
from setveil.pages import sweep_page
from setveil.report import check_report, write_page
from setveil.sweeping import SWEEPS, Swept, sweep

NAME = "sweep"
T = TypeVar("T")

app = typer.Typer(
    help="A model over a grid of parameters: what every point would cost. Nothing is released.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def callback() -> None:
    """Values stand between commas: --k 2,5,10,20. Data is read once, however many points."""


@app.command("coherence", epilog=o.EXIT_CODES)
@running.with_exit_code
def coherence(
    source: o.Source,
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
    report: o.Report = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what --report names.")] = False,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    ignore_unknown: o.IgnoreUnknown = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    explain: o.Explain = False,
) -> int:
    """(h,k,p)-coherence at every point of a grid: one search for every k, p and strategy."""
    clock = running.Clock()
    require_h(h, private, quiet=quiet)
    grid: dict[str, list[Any]] = {
        "k": _values("--k", k, int), "p": _values("--p", p, int),
        "strategy": _values("--strategy", strategy, str),
    }  # fmt: skip
    grid |= {"h": _values("--h", h, str)} if h is not None else {}
    grid |= {"public": list(public)} if public else {}
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine
    )
    return _run(
        "coherence", how, grid, report, force=force, json=json, clock=clock,
        private=private or (), loss=loss, faithful=faithful, nodes=nodes, plan=plan,
        ignore_unknown=ignore_unknown,
    )  # fmt: skip


@app.command("partition", epilog=o.EXIT_CODES)
@running.with_exit_code
def partition(
    source: o.Source,
    k: Annotated[str, typer.Option("--k", metavar="N,N,...", help="How many look alike.")],
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    report: o.Report = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what --report names.")] = False,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    explain: o.Explain = False,
) -> int:
    """k-anonymity at every k: a run for each."""
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine
    )
    grid: dict[str, list[Any]] = {"k": _values("--k", k, int)}
    return _run(
        "partition", how, grid, report, force=force, json=json, clock=clock,
        hierarchy=hierarchy, fanout=fanout,
    )  # fmt: skip


@app.command("km", epilog=o.EXIT_CODES)
@running.with_exit_code
def km(
    source: o.Source,
    k: Annotated[str, typer.Option("--k", metavar="N,N,...", help="Sizes of cohorts, at least.")],
    m: Annotated[
        str,
        typer.Option("--m", metavar="N,N,...", help="How many nodes attackers know; max: any."),
    ],
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    report: o.Report = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what --report names.")] = False,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    explain: o.Explain = False,
) -> int:
    """k^m-anonymity at every point of a grid: a run for each."""
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine
    )
    grid: dict[str, list[Any]] = {"k": _values("--k", k, int), "m": _values("--m", m, str)}
    return _run(
        "km", how, grid, report, force=force, json=json, clock=clock,
        hierarchy=hierarchy, fanout=fanout,
    )  # fmt: skip


@app.command("uncertainty", epilog=o.EXIT_CODES)
@running.with_exit_code
def uncertainty(
    source: o.Source,
    sensitive: o.Sensitive,
    rho: Annotated[
        str, typer.Option("--rho", metavar="X,X,...", help="Shares that a sensitive item may have.")
    ],
    report: o.Report = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what --report names.")] = False,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    explain: o.Explain = False,
) -> int:
    """rho-uncertainty at every rho: a run for each."""
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine
    )
    grid: dict[str, list[Any]] = {"rho": _values("--rho", rho, str)}
    return _run(
        "uncertainty", how, grid, report, force=force, json=json, clock=clock, sensitive=sensitive,
    )  # fmt: skip


@app.command("hide", epilog=o.EXIT_CODES)
@running.with_exit_code
def hide(
    source: o.Source,
    patterns: o.Patterns,
    psi: Annotated[
        str, typer.Option("--psi", metavar="X,X,...", help="Shares that may keep a pattern.")
    ],
    report: o.Report = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what --report names.")] = False,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    explain: o.Explain = False,
) -> int:
    """Hidden patterns at every psi: a run for each."""
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine
    )
    grid: dict[str, list[Any]] = {"psi": _values("--psi", psi, str)}
    return _run(
        "hide", how, grid, report, force=force, json=json, clock=clock, patterns=patterns,
    )  # fmt: skip


def _run(
    model: str,
    how: running.Reading,
    grid: dict[str, list[Any]],
    report: Path | None,
    *,
    force: bool,
    json: bool,
    clock: running.Clock,
    **options: Any,
) -> int:
    """Sweep, and show what was found."""
    if report is not None and not how.explain:
        check_report(report, force=force)
    with running.reading(how, once=False) as baskets:
        found = sweep(baskets, model, grid, **options)
        if how.explain:
            running.explained(baskets)
            return 0
        if report is not None:
            write_page(sweep_page(found), report, force=force)
        if json:
            output.print_json(_content(found, clock, None if report is None else str(report)))
        else:
            _print(found)
            if report is not None:
                output.say(f"written: {output.printable(str(report))} ({clock.seconds} s)")
    return 0 if any(one.metrics is not None for one in found.points) else 3


def _values(option: str, text: str, kind: Callable[[str], T]) -> list[T]:
    """The values between commas."""
    try:
        return [kind(one.strip()) for one in text.split(",")]
    except ValueError:
        raise InputError(f"{option}: {text!r} is no list of whole numbers: write 2,5,10") from None


def _content(found: Swept, clock: running.Clock, report: str | None) -> dict[str, Any]:
    points = [asdict(one) for one in found.points]
    return {
        "command": f"{NAME} {found.model}",
        "source": found.source,
        "parameters": found.parameters | {name: list(axis) for name, axis in found.axes.items()},
        "metrics": {"points": points},
        "seconds": clock.seconds,
        "out": report,
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
