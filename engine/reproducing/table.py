"""Tabulate the findings of figures: a row each, for a terminal, as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from setveil.errors import InputError
from setveil.reproducing.findings import Judged
from setveil.reproducing.run import Reproduced
from setveil.run.files import places
from setveil.run.inputs import Inputs
from setveil.run.words import Blocks, Rows, counted
from setveil.run.writing import write_text
from setveil.show.markdown import markdown_of
from setveil.show.page import Section
from setveil.show.tables import Table

HOLDS = {True: "holds", False: "does not hold", None: "cannot be told"}
HEAD = ("figure", "title", "finding", "holds", "here", "reason", "data", "command")


def check_table(path: str | Path, *, force: bool = False) -> None:
    """Refuse, before any work is done, a table that could not be written."""
    if Path(path).suffix.lower() not in (".csv", ".md"):
        raise InputError(f"{path}: name a table that ends with .csv or .md")
    places.check_place(str(path), force=force)


def write_table(found: Sequence[Reproduced], path: str | Path, *, force: bool = False) -> None:
    """Write a row for each finding, as CSV or as Markdown."""
    check_table(path, force=force)
    rows = [*_rows(found)]
    if Path(path).suffix.lower() == ".csv":
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([HEAD, *rows])
        content = text.getvalue()
    else:
        every = Section("All findings", table=Table(HEAD, tuple(rows), words=True))
        content = markdown_of("The papers' figures and tables", [_told(found)], [every])
    write_text(str(path), content, Inputs(), force=force)


def _rows(found: Sequence[Reproduced]) -> Iterator[tuple[str, ...]]:
    for figure in found:
        for run in figure.runs:
            for one in run.findings:
                told = (one.says, HOLDS[one.holds], one.ours, one.reason)
                yield (figure.label, figure.title, *told, run.data, "; ".join(run.commands))


def summary(found: Sequence[Reproduced], seconds: float) -> Blocks:
    """A row for each of several figures, then every finding that does not hold, with its reason."""
    if len(found) > 1:
        yield _figures(found)
        yield from _open(found)
    yield f"{_told(found)} ({seconds} s)"


def _figures(found: Sequence[Reproduced]) -> Rows:
    head = ("figure", "findings", "hold", "do not", "cannot be told", "seconds")
    rows = [(one.label, len(one.findings), *_counts([one]), round(one.seconds)) for one in found]
    return (head, *rows)


def _counts(found: Sequence[Reproduced]) -> tuple[int, int, int]:
    held = [one.holds for figure in found for one in figure.findings]
    return held.count(True), held.count(False), held.count(None)


def _open(found: Sequence[Reproduced]) -> Iterator[str]:
    for holds in (False, None):
        rows = [
            f"  {figure.label}: {sentence(one)}"
            for figure in found
            for one in figure.findings
            if one.holds is holds
        ]
        yield from [f"{HOLDS[holds]}:", *rows] if rows else []


def _told(found: Sequence[Reproduced]) -> str:
    counts = _counts(found)
    hold, fail, unknown = counts
    return (
        f"Of {counted(sum(counts), 'finding')} {hold} hold, {fail} do not, {unknown} cannot be told"
    )


def sentence(one: Judged) -> str:
    """The finding with our numbers, and the reason if it does not hold."""
    numbers = f" ({one.ours})" if one.ours else ""
    reason = f"; {one.reason}" if one.reason else ""
    return f"{one.says}{numbers}{reason}"
