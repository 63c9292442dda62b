"""Run the recipes of a figure: our numbers beside the paper's, and a judgement of each finding."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from setveil.errors import InputError, SetveilError
from setveil.models import REGISTRY
from setveil.reproducing.commands import QUICK, RUNNERS, commands_of
from setveil.reproducing.data import Trees, filled_trees, found_for, with_fanout
from setveil.reproducing.findings import Judged, Row, judge
from setveil.reproducing.pictures import draw
from setveil.reproducing.recipes import Figure, Run, figure, paper
from setveil.run.interrupts import WRITTEN, not_kept
from setveil.run.reading import Note
from setveil.run.results.tabled import Listed
from setveil.run.words import counted
from setveil.sweeping.points import DRAWN, PREPARED

NOT_THEIRS = "the data is generated, since no file of the paper's data was given"
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
    def seconds(self) -> float:
        return sum(one.seconds for one in self.runs)

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
    made: dict[str, RunMade] = {}
    with _folder(out, wanted.label) as place:
        for run in wanted.runs:
            progress(f"{wanted.label} {run.name}")
            beside = made[run.beside].rows if run.beside else ()
            made[run.name] = _made(wanted, run, given, place, beside, quick, machine)
            if out is not None:
                draw(run, made[run.name].rows, place / f"{run.name}.svg")
    return Reproduced(wanted.label, wanted.title, wanted.note, tuple(made.values()))


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
    beside: Sequence[Row],
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
        if not found.path:
            raise InputError(f"it needs {data.needs}")
        trees: Trees = {}
        if run.filled:
            run, trees, made = filled_trees(run, found, folder, machine)
            commands += made
        if run.models or run.command != "sweep":
            commands += commands_of(run, found, quick)
            rows = RUNNERS[run.command](run, found, folder, quick, machine)
            rows = [with_fanout(row, trees) for row in rows]
    except SetveilError as error:
        missing = str(error)
    every = [*rows, *beside]
    judged = tuple(_judged(one, every, missing, unbuilt) for one in run.findings)
    if run.command == "inspect" and found.commands and not data.made:
        judged = tuple(replace(one, holds=None, reason=NOT_THEIRS) for one in judged)
    seconds = round(time.perf_counter() - start, 3)
    missing = missing or "; ".join(unbuilt) or None
    told = f"{found.told}{_quickly(quick and bool(found.path))}"
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
