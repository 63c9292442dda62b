"""Run one command of a figure: `sweep` of models, `reidentify --sweep`, or `inspect`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from setveil.attack.sweep import sweep_reidentification
from setveil.comparison.inspection import inspect
from setveil.mine.itemsets import itemsets
from setveil.models import REGISTRY
from setveil.models.renaming.anonymize import rename
from setveil.preparing.prepare import Preparation, prepared
from setveil.reproducing.data import Found, options_text
from setveil.reproducing.recipes import Run
from setveil.run.reading import read
from setveil.sql.levels import lengths as lengths_of
from setveil.sql.step import Step
from setveil.sweeping.points import PREPARED, SPENT
from setveil.sweeping.sweep import BETWEEN, sweep

ENOUGH = 100  # transactions of a length, to compare it with the next
QUICK = 3_000  # transactions of a quick look


def _options(run: Run, found: Found, quick: bool) -> dict[str, Any]:
    """The options of a run; a quick look has one draw and part of the data."""
    options = dict(run.options)
    if found.hierarchy is not None and any(REGISTRY[one].of_nodes for one in run.models):
        options["hierarchy"] = found.hierarchy
    if quick and "sample" not in run.grid:
        options = options | {"draws": 1}
        if str(options.get("sample", QUICK + 1)).isdigit():
            options["sample"] = min(QUICK, int(options.get("sample", QUICK)))
    return options


def commands_of(run: Run, found: Found, quick: bool) -> list[str]:
    """The commands that a reader types for it; the last one is that of the figure."""
    path = shlex.quote(found.shown)
    if run.command == "sweep":
        options = {**run.grid, **_options(run, found, quick)}
        if found.hierarchy is not None and "hierarchy" in options:
            here = found.shown == Path(found.path).name
            options["hierarchy"] = Path(found.hierarchy).name if here else found.hierarchy
        return [f"setveil sweep {BETWEEN.join(run.models)} {path}{options_text(options)}"]
    if run.command == "inspect":
        shown = {name: one for name, one in run.options.items() if name in PREPARED}
        part = f"setveil generate part.parquet --of {path} --seed 0{options_text(shown)}"
        make = [part] if shown else []
        return [*make, f"setveil inspect {'part.parquet' if shown else path} --p 1"]
    swept = "".join(f" --sweep {name.replace('_', '-')}={_list(one)}" for name, one in _axes(run))
    least = run.options["min_support"]
    runs = 2 if quick else run.options["runs"]
    return [
        f"setveil rename {path} --out renamed.parquet --key key.parquet --seed 1",
        f"setveil itemsets {path} --min-support {least} --out published.parquet",
        "setveil reidentify renamed.parquet --itemsets published.parquet --key key.parquet "
        f"--runs {runs}{swept}",
    ]


def _list(values: Sequence[Any]) -> str:
    return ",".join(map(str, values))


def _axes(run: Run) -> list[tuple[str, Sequence[Any]]]:
    return list(run.grid.items())


Made = list[dict[str, Any]]


def _swept(run: Run, found: Found, folder: Path, quick: bool, machine: dict[str, Any]) -> Made:
    with read(found.path, **machine) as baskets:
        options = _options(run, found, quick)
        made = sweep(baskets, list(run.models), run.grid, **options)
    return [_row(one) for one in made.points]


def _row(point: Any) -> dict[str, Any]:
    figures = {name: spread.mean for name, spread in point.measures.items()}
    spent = {name: getattr(point, name) for name in SPENT}
    shown = {"model": point.model, **point.parameters}
    if {"ncp", "information_loss"} & figures.keys():  # a suppressed occurrence has the most NCP
        figures["penalty"] = figures.get("ncp", figures.get("information_loss", 0.0))
    if "specialized_rules_jaccard" in figures:  # rules of nodes compare with others as items alone
        figures["rules_jaccard"] = figures["specialized_rules_jaccard"]
    # A figure can have the name of a parameter, such as parts: the row is found by the parameter.
    return figures | spent | shown | {"refused": point.refused, "axes": [*shown]}


def _attacked(run: Run, found: Found, folder: Path, quick: bool, machine: dict[str, Any]) -> Made:
    """Rename, mine and attack, as the paper does."""
    places = [folder / f"{run.name}_{one}.parquet" for one in ("renamed", "key", "published")]
    renamed, key, published = places
    with read(found.path, **machine) as baskets:
        rename(baskets, key=key, seed=1).write(renamed)
        itemsets(baskets, min_support=run.options["min_support"]).write(published)
    given: dict[str, Any] = dict(run.grid)
    given["methods"] = given.pop("method")
    runs = 2 if quick else run.options["runs"]
    with read(renamed, **machine) as baskets:
        points = sweep_reidentification(baskets, published, key=key, runs=runs, **given)
    axes = {"axes": ["noise", "min_frequency", "method"]}
    return [asdict(one) | axes for one in points]


def _inspected(run: Run, found: Found, folder: Path, quick: bool, machine: dict[str, Any]) -> Made:
    """The sizes of the data, prepared as the paper does."""
    how = {name: one for name, one in run.options.items() if name in PREPARED}
    with read(found.path, **machine) as baskets, prepared(baskets, Preparation(**how), 0) as left:
        sizes = asdict(inspect(left, p=1))
        lengths = left.session.ask(Step("lengths", "counts transactions", lengths_of("occurrence")))
    shown = {name: one for name, one in sizes.items() if type(one) in (int, float)}
    return [shown | _shape_of([(int(a), int(b)) for a, b in lengths], shown)]


def _shape_of(lengths: Sequence[tuple[int, int]], sizes: dict[str, Any]) -> dict[str, float]:
    """How the number of transactions falls with their length, where there are enough."""
    pairs = zip(lengths, lengths[1:], strict=False)
    rises = [more / held for (_, held), (_, more) in pairs if held >= ENOUGH]
    return {
        "longest_by_mean": sizes["longest"] / max(1.0, sizes["mean_length"]),
        "longest_rise": max(rises, default=0.0),
    }


RUNNERS: dict[str, Callable[[Run, Found, Path, bool, dict[str, Any]], Made]] = {
    "sweep": _swept,
    "reidentify": _attacked,
    "inspect": _inspected,
}
