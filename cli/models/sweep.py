"""The command `sweep MODEL` of every model, from its entry, and `sweep MODEL+MODEL` of several."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.command import (
    REPEATED,
    Command,
    framed,
    ignore_unknown,
    option_of,
    show,
    source_option,
)
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.model import Model, Param
from setveil.run.files import places
from setveil.run.words import Blocks
from setveil.show.page import check_report
from setveil.show.tables import with_bars
from setveil.sweeping.curves import check_plot
from setveil.sweeping.pages import sweep_table
from setveil.sweeping.points import INSTEAD, SUPPORTS
from setveil.sweeping.sweep import Swept, check_csv, names_of, sweep

SEVERAL = "several"  # stands for the names of several models in JSON
YES = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """Options of a command that writes and draws its figures."""

    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.csv", help="Write a row per point to this file."),
    ] = None
    report: o.Report = None
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE.svg",
            help="Draw the curve as a picture, .svg or .png; it names no item.",
        ),
    ] = None
    along: Annotated[
        str | None,
        typer.Option("--along", metavar="AXIS", help="With --plot: the axis of the curve."),
    ] = None
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the files of --out, --report and --plot.")
    ] = False

    def check(self) -> None:
        """Refuse files that cannot be written, before any work."""
        checks = ((self.report, check_report), (self.plot, check_plot), (self.out, _check_out))
        for path, check in checks:
            if path is not None:
                check(path, force=self.force)

    @property
    def outputs(self) -> dict[str, Path | None]:
        return {"--out": self.out, "--report": self.report, "--plot": self.plot}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparing:
    """Options that prepare the data of a sweep. Each takes several values between commas."""

    sample: Annotated[
        str | None,
        typer.Option(
            "--sample",
            metavar="N,SHARE,...",
            help="Only so many transactions, drawn by the seed; with --person, of so many persons. "
            "A whole number, or a share up to 1.",
        ),
    ] = None
    min_item_support: Annotated[
        str | None,
        typer.Option(
            "--min-item-support",
            metavar="N,SHARE,...",
            help="Leave out items that fewer transactions hold: a whole number, or a share such as "
            "0.001.",
        ),
    ] = None
    cutoff: Annotated[
        str | None,
        typer.Option(
            "--cutoff",
            metavar="N,N,...",
            help="Leave up to N items in each transaction, drawn by the seed.",
        ),
    ] = None
    draws: Annotated[
        int,
        typer.Option(
            "--draws",
            metavar="N",
            min=1,
            help="Run each point with N seeds in a row; figures are means, with their spread.",
        ),
    ] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Options that say what to measure at each point."""

    measures: Annotated[
        str | None,
        typer.Option(
            "--measures",
            metavar="NAME,NAME,...",
            help="Figures to show, instead of the model's loss: names of its metrics, or of "
            "measures of compare such as symmetric_kl, rules_jaccard or misses_cost; also seconds, "
            "search_seconds and peak_bytes.",
        ),
    ] = None
    measure_support: Annotated[
        str | None,
        typer.Option(
            "--measure-support",
            metavar="N,SHARE,...",
            help="For measures of itemsets and rules: mine original and release at this support.",
        ),
    ] = None
    measure_confidence: Annotated[
        str | None,
        typer.Option(
            "--measure-confidence",
            metavar="SHARE,...",
            help="For measures of rules: rules of at least this confidence.",
        ),
    ] = None
    measure_size: Annotated[
        str | None,
        typer.Option("--measure-size", metavar="N,N,...", help="Itemsets of up to N items."),
    ] = None
    apart: Annotated[
        bool,
        typer.Option(
            "--apart",
            help="Let no search serve several points: the seconds of a point are its own.",
        ),
    ] = False

    @property
    def named(self) -> list[str]:
        return [one.strip() for one in (self.measures or "").split(",") if one.strip()]


WHOLE = ("cutoff", "measure_size", "drawn_patterns")
SHARES = {
    "public_share": "Instead of --public: draw this share of the items by the seed. With --h, and "
    "without --private, private is the most frequent item of each transaction that was not drawn.",
    "drawn_patterns": "Instead of --patterns: draw N patterns of 2 to 5 items by the seed.",
    "sensitive_share": "Instead of --sensitive: draw this share of the items by the seed.",
}

PATTERN = "A bound on the support of drawn patterns, as a number or a share."


def sweep_command(*models: Model) -> Command:
    """The command that measures the models over a grid."""
    params = _together(models)
    drawn = [name for name in SHARES if name in names_of(models)]
    instead = {INSTEAD[name] for name in drawn}
    alone = len(models) == 1
    options = [
        option_of(one, axis=True, needed=alone and one.name not in instead)
        for one in params.values()
    ]
    options += [_drawn_option(name, SHARES[name]) for name in drawn]
    if "drawn_patterns" in drawn:
        supports = SUPPORTS.items()
        options += [_drawn_option(name, f"{PATTERN} Default: {usual}.") for name, usual in supports]
    if "seed" not in params:
        options.append(_seed_option())
    lists = next((one for one in models if one.lists_items), models[0])
    own = [source_option(), *options, *ignore_unknown(lists)]

    def run(
        preparing: Preparing,
        measuring: Measuring,
        reading: Reading,
        persons: Persons,
        pictures: Pictures,
        explaining: Explaining,
        showing: Showing,
        **given: Any,
    ) -> int:
        shared = asdict(preparing) | asdict(measuring)
        grid, named = _grid(models, params, given | shared)
        named |= {"draws": preparing.draws, "apart": measuring.apart, "measures": measuring.named}
        if lists.lists_items:
            named["ignore_unknown"] = given["ignore_unknown"]
        how = (reading, persons, pictures, explaining, showing)
        return _swept([one.name for one in models], given["source"], grid, named, *how)

    title = " and ".join(one.title for one in models)
    about = f"{title} at every point of a grid. Every option that takes several values is an axis."
    return framed(run, own=own, about=about), models[0].short


def _together(models: Sequence[Model]) -> dict[str, Param]:
    """The parameters of all models; a word of one of them is a word of all."""
    found: dict[str, Param] = {}
    for model in models:
        for one in model.params:
            known = found.get(one.name, one)
            words = tuple(dict.fromkeys([*known.choices, *one.choices]))
            found[one.name] = replace(known, choices=words)
    return found


def _drawn_option(name: str, said: str) -> inspect.Parameter:
    metavar = "N,N,..." if name in WHOLE else "SHARE" if name in SUPPORTS else "SHARE,..."
    option = typer.Option(f"--{name.replace('_', '-')}", metavar=metavar, help=said)
    kind = Annotated[str | None, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def _seed_option() -> inspect.Parameter:
    return inspect.Parameter("seed", inspect.Parameter.KEYWORD_ONLY, default=0, annotation=o.Seed)


def _grid(
    models: Sequence[Model], params: dict[str, Param], given: dict[str, Any]
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """The axes, and the options that have one value. The usual axes of a model always are axes."""
    usual = {name for model in models for name in model.axes}
    grid: dict[str, list[Any]] = {}
    named: dict[str, Any] = {}
    for name in [*names_of(models), *SUPPORTS, "seed"]:
        if given.get(name) is None or given[name] == []:
            continue
        if name in SUPPORTS or (name == "seed" and name not in params):
            named[name] = given[name]
            continue
        values = _values(name, params.get(name), given[name])
        if name in usual or len(values) > 1:
            grid[name] = values
        elif values:
            named[name] = values[0]
    return grid, named


def _values(name: str, param: Param | None, text: Any) -> list[Any]:
    """Split the values at commas; a list or a file is one value, and its option is repeated."""
    if param is not None and param.kind in REPEATED:
        return list(text)
    words = [one.strip() for one in str(text).split(",")]
    kind = "count" if name in WHOLE else param.kind if param else "share"
    if kind == "flag":
        return [_flag(name, one) for one in words]
    whole = kind == "count" and not (param and param.words)
    try:
        if kind == "number" and param is not None:
            return [float(one) if param.metavar == "SECONDS" else int(one) for one in words]
        return [int(one) if whole else one for one in words]
    except ValueError:
        option = f"--{name.replace('_', '-')}"
        raise InputError(
            f"{option}: {text!r} is not a list of whole numbers: write 2,5,10"
        ) from None


def _flag(name: str, word: str) -> bool:
    if word not in YES:
        raise InputError(f"--{name}: {word!r} is none of {', '.join(YES)}")
    return YES[word]


def _check_out(path: Path, *, force: bool) -> None:
    check_csv(path)
    places.check_place(str(path), force=force)


def _swept(
    models: Sequence[str],
    source: str,
    grid: dict[str, list[Any]],
    named: dict[str, Any],
    reading: Reading,
    persons: Persons,
    pictures: Pictures,
    explaining: Explaining,
    showing: Showing,
) -> int:
    clock = running.Clock()
    hides = [one for one in ("private", "public_share") if one in named or one in grid]
    running.note_h(next(iter(grid.get("h", [])), None), hides[0] if hides else None)
    if not explaining.explain:
        pictures.check()
    with running.reading(
        source,
        reading,
        explaining,
        quiet=showing.quiet,
        persons=persons,
        once=False,
        outputs=pictures.outputs,
    ) as baskets:
        found = sweep(baskets, models, grid, **named)
        if explaining.explain:
            running.explained(baskets)
            return 0
    reached = any(one.metrics is not None for one in found.points)
    written = _write(found, replace(pictures, plot=pictures.plot if reached else None))
    if showing.json:
        output.print_json(_swept_json(found, clock, pictures, reached))
    else:
        show(_swept_blocks(found))
        for path in written:
            output.say(f"written: {output.printable(str(path))} ({clock.seconds} s)")
        first = named | {name: values[0] for name, values in grid.items()}
        nexts.tell(nexts.after_sweep(REGISTRY[models[0]], source, reading, persons, first))
    return 0 if reached else 3


def _write(found: Swept, pictures: Pictures) -> Iterable[Path]:
    force = pictures.force
    if pictures.out is not None:
        found.write(pictures.out, force=force)
    if pictures.report is not None:
        found.write_report(pictures.report, force=force)
    if pictures.plot is not None:
        found.write_plot(pictures.plot, force=force, along=pictures.along)
    return [path for path in pictures.outputs.values() if path is not None]


def _swept_json(
    found: Swept, clock: running.Clock, pictures: Pictures, reached: bool
) -> dict[str, Any]:
    report, plot = pictures.report, pictures.plot if reached else None
    return {
        "command": f"sweep {found.model if len(found.models) == 1 else SEVERAL}",
        "source": found.source,
        **found.content(),
        "seconds": clock.seconds,
        "out": None if report is None else str(report),
        "plot": None if plot is None else str(plot),
        "csv": None if pictures.out is None else str(pictures.out),
    }


def _swept_blocks(found: Swept) -> Blocks:
    """A row per point, with its share of the greatest cost as a bar."""
    yield with_bars(sweep_table(found), len(found.axes) + (len(found.models) > 1))
    for refusal in dict.fromkeys(one.refused for one in found.points if one.refused):
        yield f"out of reach: {refusal}"
