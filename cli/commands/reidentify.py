"""`setveil reidentify`: the command of `setveil.reidentify` and of its sweep."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated

import typer

from setveil.attack.reidentification import METHODS, NODES, Reidentification, reidentify
from setveil.attack.sweep import RUNS, SEED, SweepPoint, sweep_reidentification
from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.command import show
from setveil.cli.groups import Explaining, Reading, Results, Showing
from setveil.errors import InputError
from setveil.mine.itemsets import check_targets
from setveil.run.reading import Baskets
from setveil.run.words import counted
from setveil.run.writing import write_text
from setveil.show.attack import attack_page, attack_sections
from setveil.show.page import blocks_of, check_report, write_page

NAME = "reidentify"
SHOWN = 10
SWEPT = ("noise", "missing", "false", "min-frequency", "method")


def command(
    reading: Reading,
    showing: Showing,
    explaining: Explaining,
    writing: Results,
    *,
    source: o.Source,
    itemsets: Annotated[
        Path,
        typer.Option(
            "--itemsets",
            metavar="FILE.parquet",
            help="The published itemsets, as `setveil itemsets` writes them: items, frequency.",
            show_default=False,
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="integer or mixed (one best name per code), linear (weights), or uniform (by "
            "frequencies of single items alone).",
        ),
    ] = "integer",
    tolerance: Annotated[
        str,
        typer.Option(
            "--tolerance", metavar="SHARE", help="Published frequencies may be off by up to this."
        ),
    ] = "0",
    min_support: Annotated[
        str | None,
        typer.Option(
            "--min-support",
            metavar="N|SHARE",
            help="The support at which the itemsets were mined (default: the least published "
            "frequency).",
        ),
    ] = None,
    unmatched: Annotated[
        float | None,
        typer.Option(
            "--unmatched",
            metavar="COST",
            help="Penalty for an itemset without a match; 1 equals a match off by --tolerance.",
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", metavar="FILE.parquet", help="The key of the codes, to count right names."
        ),
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(
            "--costs",
            metavar="FILE.parquet",
            help="Costs of single itemsets, in the place of --unmatched: columns items, cost, and "
            "codes, which is true where the items are codes.",
        ),
    ] = None,
    faithful: Annotated[
        bool,
        typer.Option(
            "--faithful",
            help="Follow the paper: weaker constraints, no cut-off, and a relaxation that is "
            "rounded by lot.",
        ),
    ] = False,
    reach: Annotated[
        float | None,
        typer.Option(
            "--reach",
            metavar="X",
            help="Frequencies more than X tolerances apart do not match (default: 1); in a sweep, "
            "X standard deviations of noise (default: 5). With --faithful there is none.",
        ),
    ] = None,
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", help="Search up to N nodes.")
    ] = NODES,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            min=0.1,
            help="Stop the search after this time. The result then depends on the machine.",
        ),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            metavar="NAME=V,…",
            help="Repeat the attack over noise=0,0.001,… (Gaussian), missing=0,0.1,… or false=… "
            "(shares of the itemsets), min-frequency=… or method=…; needs --key.",
        ),
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", metavar="N", help="For --sweep: draws of noise and itemsets.")
    ] = RUNS,
    seed: o.Seed = SEED,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE.html", help="For --sweep: draw the curves on one page."
        ),
    ] = None,
) -> None:
    """Attack renamed data: find the names of codes from published frequent itemsets.

    One row per code has its name and a weight, the chance that the name is right. Codes that
    nobody can distinguish share their names. --key adds whether the name is right. Attack your own
    data before others do.
    """
    clock = running.Clock()
    if not explaining.explain:
        running.check_outputs(
            writing.out,
            writing.into,
            writing.trail,
            reading.database,
            force=writing.force,
            check=check_targets,
        )
        _check_report(report, sweep, force=writing.force)
    with running.reading(
        source,
        reading,
        explaining,
        quiet=showing.quiet,
        into=running.tables_of(writing.into),
        force=writing.force,
    ) as baskets:
        if sweep:
            swept = _values(sweep)
            _refuse_of_sweep(key, writing.out, writing.into, writing.trail, explaining.explain)
            assert key is not None
            points = sweep_reidentification(
                baskets,
                itemsets,
                key=key,
                runs=runs,
                seed=seed,
                faithful=faithful,
                reach=reach,
                unmatched=unmatched,
                nodes=nodes,
                noise=_numbers(swept, "noise") or [0.0],
                missing=_numbers(swept, "missing") or [0.0],
                false=_numbers(swept, "false") or [0.0],
                min_frequency=_numbers(swept, "min-frequency"),
                methods=swept.get("method", list(METHODS)),
            )
            if report is not None:
                write_page(
                    attack_page(points, baskets.source.name),
                    report,
                    baskets.session.inputs,
                    force=writing.force,
                )
            return _print_sweep(
                baskets, points, writing.out, report, clock, force=writing.force, json=showing.json
            )
        found = reidentify(
            baskets,
            itemsets,
            method=method,
            tolerance=tolerance,
            min_support=min_support,
            unmatched=unmatched,
            costs=costs,
            key=key,
            faithful=faithful,
            reach=reach,
            seed=seed,
            nodes=nodes,
            time_limit=time_limit,
        )
        if explaining.explain:
            return running.explained(baskets)
        written = running.publish(
            found, writing.out, writing.into, writing.trail, force=writing.force
        )
        if showing.json:
            output.print_json(
                running.report(
                    NAME, baskets, found.parameters, None, found.metrics, clock, out=written
                )
            )
        else:
            _print(found, written, clock, quiet=showing.quiet)


def _print(
    found: Reidentification, written: str | None, clock: running.Clock, *, quiet: bool
) -> None:
    metrics = found.metrics
    share = output.percent(metrics.named / max(1, metrics.codes))
    output.say(
        f"named: {metrics.named:,} of {counted(metrics.codes, 'frequent code')} ({share}), "
        f"{metrics.sure:,} of them with one possible name"
    )
    rows: list[tuple[str, object]] = []
    if metrics.correct is not None and metrics.expected is not None:
        rows += [
            ("right", metrics.correct),
            ("  expected, over equally good namings", f"{metrics.expected:.1f}"),
            ("  expected, by frequencies of items alone", f"{metrics.uniform:.1f}"),
        ]
    rows += [
        ("codes that nobody can distinguish", metrics.ambiguous_items),
        ("  classes of them, proven by automorphisms", metrics.ambiguity_classes),
        ("  codes without a proof either way", metrics.undecided_items),
        ("itemsets published", metrics.published_itemsets),
        ("itemsets mined", metrics.mined_itemsets),
        ("pairs of itemsets that fit", metrics.pairs_before),
        ("  after pruning", metrics.pairs_after),
        ("program", f"{counted(metrics.columns, 'column')}, {counted(metrics.rows, 'row')}"),
        ("solver", f"{metrics.status}, {counted(metrics.nodes, 'node')}"),
    ]
    if metrics.gap:
        rows.append(("  gap to the best, at most", output.percent(metrics.gap)))
    output.table(rows)
    if written is not None:
        output.say(f"written: {output.printable(written)} ({clock.seconds} s)")
        nexts.tell(nexts.after_rows(written))
        return
    shown = found.head(SHOWN)
    if shown:
        output.say("the first of them: code, name, weight")
        output.table(shown)
    if not quiet:
        output.chat("nothing was written: name a file with --out, or a table with --into")


# The sweep


def _values(given: list[str]) -> dict[str, list[str]]:
    """Split noise=0,0.001 into a name and its values."""
    found: dict[str, list[str]] = {}
    for one in given:
        name, _, values = one.partition("=")
        if name not in SWEPT or not values:
            raise InputError(f"--sweep {one}: write one of {', '.join(SWEPT)}, as noise=0,0.001")
        found[name] = [value.strip() for value in values.split(",")]
    return found


def _numbers(swept: dict[str, list[str]], name: str) -> list[float]:
    try:
        return [float(value) for value in swept.get(name, [])]
    except ValueError:
        raise InputError(f"--sweep {name}={','.join(swept[name])}: these are no numbers") from None


def _refuse_of_sweep(
    key: Path | None, out: Path | None, into: str | None, trail: Path | None, explain: bool
) -> None:
    if key is None:
        raise InputError("--sweep counts right names: it needs --key")
    if into is not None or trail is not None or explain:
        raise InputError(
            "--sweep excludes --into, --trail and --explain: use them for a single attack"
        )
    if out is not None and out.suffix.lower() != ".csv":
        raise InputError(f"{out}: a sweep is written as CSV: give a name that ends with .csv")


def _check_report(report: Path | None, sweep: list[str] | None, *, force: bool) -> None:
    if report is None:
        return
    if not sweep:
        raise InputError("--report draws a sweep: add one, such as --sweep noise=0,0.001")
    check_report(report, force=force)


def _print_sweep(
    baskets: Baskets,
    points: list[SweepPoint],
    out: Path | None,
    report: Path | None,
    clock: running.Clock,
    *,
    force: bool,
    json: bool,
) -> None:
    if out is not None:
        text = io.StringIO(newline="")
        table = csv.DictWriter(text, [one.name for one in fields(SweepPoint)], lineterminator="\n")
        table.writeheader()
        table.writerows(asdict(one) for one in points)
        write_text(str(out), text.getvalue(), baskets.session.inputs, force=force)
    if json:
        content = {"command": NAME, "source": baskets.source.name, "sweep": points}
        return output.print_json(
            content | {"seconds": clock.seconds, "out": str(out) if out else None}
        )
    show(blocks_of(attack_sections(points)))
    if failed := sum(one.failed for one in points):
        output.note(f"{counted(failed, 'run')} found no naming; they count as no right names")
    for path in (out, report):
        if path is not None:
            output.say(f"written: {output.printable(str(path))} ({clock.seconds} s)")
