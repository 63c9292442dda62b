"""Run the recipes of a figure: our numbers beside the paper's, and a judgement of each finding."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from setveil.attack.sweep import sweep_reidentification
from setveil.comparison.inspection import inspect
from setveil.errors import InputError, SetveilError
from setveil.mine.itemsets import itemsets
from setveil.models import REGISTRY
from setveil.models.renaming.anonymize import rename
from setveil.preparing.prepare import Preparation, prepared
from setveil.reproducing.data import Found, found_for, options_text
from setveil.reproducing.findings import Judged, Row, judge
from setveil.reproducing.pictures import draw
from setveil.reproducing.recipes import Figure, Run, figure, paper
from setveil.run.interrupts import WRITTEN, not_kept
from setveil.run.reading import Note, read
from setveil.run.results.tabled import Listed
from setveil.run.words import counted
from setveil.sql.levels import lengths as lengths_of
from setveil.sql.step import Step
from setveil.sweeping.points import DRAWN, PREPARED, SPENT
from setveil.sweeping.sweep import BETWEEN, sweep

ENOUGH = 100  # transactions of a length, to compare it with the next
QUICK = 3_000  # transactions of a quick look
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RunMade:
    """One run of a figure: its commands, rows and findings. `missing` says why there are none."""

    name: str
    data: str
    commands: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    findings: tuple[Judged, ...]
    missing: str | None
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class Reproduced(Listed):
    """A figure or table, run here."""

    label: str
    title: str
    note: str
    runs: tuple[RunMade, ...]

    @property
    def findings(self) -> list[Judged]:
        return [one for run in self.runs for one in run.findings]

    def content(self) -> dict[str, Any]:
        """The figure as JSON has it."""
        runs = [asdict(run) for run in self.runs]
        return {"figure": self.label, "title": self.title, "note": self.note, "runs": runs}

    def lines(self) -> Iterator[str]:
        yield f"{self.label}: {self.title}"
        held = [one.holds for one in self.findings]
        yield f"{counted(held.count(True), 'finding')} of {len(held)} hold"
        yield f"{held.count(False)} do not, {held.count(None)} cannot be told"

    def records(self) -> list[dict[str, Any]]:
        """A row per finding."""
        return [
            {"figure": self.label, "run": run.name, "command": run.commands[-1:]} | asdict(one)
            for run in self.runs
            for one in run.findings
        ]


def reproduce(
    name: str,
    *,
    data: str | Path | None = None,
    out: str | Path | None = None,
    quick: bool = False,
    threads: int | None = None,
    memory_limit: str | None = None,
    progress: Progress = lambda text: None,
    note: Note = lambda text: None,
) -> Reproduced:
    """Run the commands of a figure or table, such as coherence-8, and judge its findings.

    `data` is a file, or a folder that has files of the paper's data by their names. Without it,
    data of the same shape is generated. A `quick` look takes part of the data and one draw. Into
    a new folder of this name in `out` go the data that was made, and a picture of each run.
    """
    wanted = figure(name)
    given = None if data is None else Path(data)
    if given is not None and not given.exists():
        raise InputError(f"--data: there is no file or folder {given}")
    machine = {"threads": threads, "memory_limit": memory_limit, "note": note}
    made = []
    with _folder(out, wanted.label) as place:
        for run in wanted.runs:
            progress(f"{wanted.label} {run.name}")
            made.append(_made(wanted, run, given, place, quick, machine))
            if out is not None:
                draw(run, made[-1].rows, place / f"{run.name}.svg")
    return Reproduced(wanted.label, wanted.title, wanted.note, tuple(made))


@contextmanager
def _folder(out: str | Path | None, label: str) -> Iterator[Path]:
    """A new folder for data and pictures, whole or not at all; without `out`, one that goes."""
    if out is None:
        with tempfile.TemporaryDirectory() as place, not_kept(Path(place)):
            yield Path(place)
        return
    _check_out(out, label)
    Path(out).mkdir(mode=0o700, parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{label}-", dir=out))
    try:
        with not_kept(made):
            yield made
        made.rename(Path(out) / label)
        WRITTEN.append(str(Path(out) / label))
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _check_out(out: str | Path, label: str) -> None:
    """Refuse a folder that would replace something."""
    if Path(out).exists() and not Path(out).is_dir():
        raise InputError(f"--out: {out} is no folder")
    if os.path.lexists(Path(out) / label):
        raise InputError(f"--out: {Path(out) / label} exists: choose a name that is not taken")


def _made(
    wanted: Figure,
    run: Run,
    given: Path | None,
    folder: Path,
    quick: bool,
    machine: dict[str, Any],
) -> RunMade:
    """Run one command of a figure; what stops it is the reason that its findings are open."""
    start = time.perf_counter()
    data = paper(wanted.paper).data[run.data]
    found = found_for(wanted, run.data, data, given, folder)
    commands, rows, missing = list(found.commands), list[dict[str, Any]](), None
    run, unbuilt = _built(run)
    try:
        if run.models or run.command != "sweep":
            commands += commands_of(run, found, quick)
            rows = KINDS[run.command](run, found, folder, quick, machine)
    except SetveilError as error:
        missing = str(error)
    judged = tuple(_judged(one, rows, missing, unbuilt) for one in run.findings)
    seconds = round(time.perf_counter() - start, 3)
    missing = missing or "; ".join(unbuilt) or None
    told = f"{found.told}{_quickly(quick)}"
    return RunMade(run.name, told, tuple(commands), tuple(rows), judged, missing, seconds)


def _quickly(quick: bool) -> str:
    return f", up to {QUICK:,} transactions of it" if quick else ""


def _judged(
    finding: Any, rows: Sequence[Row], missing: str | None, unbuilt: Sequence[str]
) -> Judged:
    if missing is not None:
        return Judged(finding.says, None, "", missing)
    found = judge(finding, rows)
    if found.holds is None and unbuilt:
        return Judged(found.says, None, "", f"{found.reason}; {'; '.join(unbuilt)}")
    return found


def _built(run: Run) -> tuple[Run, list[str]]:
    """The run without the words that no model here knows, and these."""

    unbuilt, models, grid = list[str](), list[str](), dict(run.grid)
    for name in run.models:
        if name in REGISTRY:
            models.append(name)
        else:
            unbuilt.append(f"the model {name} is not built")
    params = {one.name: one for name in models for one in REGISTRY[name].params}
    words = [word for name in models for one in REGISTRY[name].params
             if one.name == "method" for word in one.choices]  # fmt: skip
    if "method" in grid and run.command == "sweep":
        unbuilt += [f"the method {one} is not built" for one in grid["method"] if one not in words]
        grid["method"] = [one for one in grid["method"] if one in words]
        if not grid["method"]:
            return replace(run, models=()), unbuilt
    known = {*params, *PREPARED, *DRAWN, "seed"} | {"measure_support", "measure_confidence"}
    known |= {"measure_size", "pattern_least", "pattern_most", "ignore_unknown"}
    for name in [*grid, *run.options]:
        if run.command == "sweep" and models and name not in known | {"draws", "apart", "measures"}:
            unbuilt.append(f"the parameter {name} is not built")
            return replace(run, models=()), unbuilt
    return replace(run, models=models, grid=grid), unbuilt


# Sweeps


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
            options["hierarchy"] = Path(found.hierarchy).name
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
    return shown | figures | spent | {"refused": point.refused, "axes": [*shown]}


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


KINDS: dict[str, Callable[[Run, Found, Path, bool, dict[str, Any]], Made]] = {
    "sweep": _swept,
    "reidentify": _attacked,
    "inspect": _inspected,
}
