"""Draw a run: a line per choice of the axes that the picture does not go along."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from setveil.reproducing.findings import Row
from setveil.reproducing.recipes import Run
from setveil.show import plots
from setveil.show.plots import COUNT, Axis


def draw(run: Run, rows: Sequence[Row], path: Path) -> None:
    """Write the picture of a run, if it has points of several places along its axis."""
    shown = [row for row in rows if row.get(run.measure) is not None and run.along in row]
    if not shown:
        return
    drawn = [
        {
            run.along: plots.visible(str(row[run.along])),
            run.measure: row[run.measure],
            "line": _line(row, run, shown),
        }
        for row in shown
    ]
    x, y = Axis(run.along, run.along.replace("_", " ")), Axis(run.measure, _title(run), COUNT)
    path.write_bytes(plots.svg(drawn, x, y, "line", f"{_title(run)} by {x.title}"))


def _title(run: Run) -> str:
    return run.measure.replace("_", " ")


def _line(row: Row, run: Run, rows: Sequence[Row]) -> str:
    """The values that tell this row's line from the others."""
    names = [one for one in row["axes"] if one != run.along]
    told = [one for one in names if len({str(other.get(one)) for other in rows}) > 1]
    return ", ".join(plots.visible(f"{row[one]}") for one in told) or run.name
