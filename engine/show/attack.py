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


def attack_page(points: Sequence[SweepPoint], source: str) -> Page:
    """A curve per method for each minimum frequency, and its numbers."""
    return Page(
        "How many names come back",
        f"{Path(source).name}, renamed, and attacked with published itemsets whose frequencies "
        "were given Gaussian noise.",
        True,
        (),
        tuple(attack_sections(points)),
    )


def attack_sections(points: Sequence[SweepPoint]) -> list[Section]:
    """A section for each minimum frequency."""
    return [_section(points, one) for one in dict.fromkeys(one.min_frequency for one in points)]


def _section(points: Sequence[SweepPoint], frequency: float) -> Section:
    content = {"sweep": [asdict(one) for one in points]}
    methods = list(dict.fromkeys(one.method for one in points))
    here = [(n, one) for n, one in enumerate(points) if one.min_frequency == frequency]
    drawn = [
        {"noise": f"{one.noise:g}", "right": one.correct, "method": one.method} for _, one in here
    ]
    title = f"Names right, by itemsets in {100 * frequency:.4g} % of the transactions or more"
    plot = plots.lines(
        drawn,
        Axis("noise", "noise (standard deviation)"),
        Axis("right", "right names", SHARE),
        "method",
        f"{title}: the share of right names by noise",
    )
    places = {(one.noise, one.method): n for n, one in here}
    rows = tuple(
        (
            f"{noise:g}",
            cell(content, f"sweep.{places[noise, methods[0]]}.runs"),
            *(cell(content, f"sweep.{places[noise, one]}.correct", share) for one in methods),
        )
        for noise in dict.fromkeys(one.noise for _, one in here)
    )
    first = here[0][0]
    facts = (
        Fact("codes", cell(content, f"sweep.{first}.items")),
        Fact("that nobody can distinguish", cell(content, f"sweep.{first}.ambiguous_items")),
    )
    return Section(title, "", plot, Table(("noise", "runs", *methods), rows), facts)
