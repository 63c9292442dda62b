"""The sections of an attack's sweep: the share of the names that come back, by noise and method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from setveil.attack.sweep import SweepPoint
from setveil.show import plots
from setveil.show.page import Fact, Page, Section
from setveil.show.plots import SHARE, Axis
from setveil.show.tables import Table, cell, share

AXES = {
    "noise": "noise (standard deviation)",
    "missing": "itemsets that are missing",
    "false": "itemsets that are false",
}
Rest = tuple[float, ...]  # the minimum frequency, and the values of the axes that are not drawn


def attack_page(points: Sequence[SweepPoint], source: str) -> Page:
    """A curve per method for each minimum frequency, and its numbers."""
    return Page(
        "How many names come back",
        f"{Path(source).name}, renamed, and attacked with published itemsets whose frequencies "
        "were given Gaussian noise, and of which some are missing or false.",
        True,
        (),
        tuple(attack_sections(points)),
    )


def attack_sections(points: Sequence[SweepPoint]) -> list[Section]:
    """A section for each minimum frequency, and for each value of all axes but the drawn one."""
    axis = next((one for one in AXES if len({getattr(p, one) for p in points}) > 1), "noise")
    return [_section(points, axis, one) for one in dict.fromkeys(_rest(p, axis) for p in points)]


def _rest(point: SweepPoint, axis: str) -> Rest:
    others = (getattr(point, one) for one in AXES if one != axis)
    return (point.min_frequency, *others)


def _section(points: Sequence[SweepPoint], axis: str, rest: Rest) -> Section:
    content = {"sweep": [asdict(one) for one in points]}
    methods = list(dict.fromkeys(one.method for one in points))
    here = [(n, one) for n, one in enumerate(points) if _rest(one, axis) == rest]
    drawn = [
        {axis: f"{getattr(one, axis):g}", "right": one.correct, "method": one.method}
        for _, one in here
    ]
    frequency, *others = rest
    title = f"Names right, by itemsets in {100 * frequency:.4g} % of the transactions or more"
    names = [one for one in AXES if one != axis]
    title += "".join(f", {n} {v:g}" for n, v in zip(names, others, strict=True) if v)
    plot = plots.lines(
        drawn,
        Axis(axis, AXES[axis]),
        Axis("right", "right names", SHARE),
        "method",
        f"{title}: the share of right names by {axis}",
    )
    places = {(getattr(one, axis), one.method): n for n, one in here}
    rows = tuple(
        (
            f"{value:g}",
            cell(content, f"sweep.{places[value, methods[0]]}.runs"),
            *(cell(content, f"sweep.{places[value, one]}.correct", share) for one in methods),
        )
        for value in dict.fromkeys(getattr(one, axis) for _, one in here)
    )
    first = here[0][0]
    facts = (
        Fact("codes", cell(content, f"sweep.{first}.items")),
        Fact("that nobody can distinguish", cell(content, f"sweep.{first}.ambiguous_items")),
    )
    return Section(title, "", plot, Table((axis, "runs", *methods), rows), facts)
