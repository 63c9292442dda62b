"""The page of an attack's sweep: the share of the names that come back, by noise and method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from setveil.attack.sweep import SweepPoint
from setveil.show import plots
from setveil.show.page import Fact, Page, Section, Table, count, share
from setveil.show.plots import SHARE, Axis


def attack_page(points: Sequence[SweepPoint], source: str) -> Page:
    """A curve per method for each minimum frequency, and its numbers."""
    methods = list(dict.fromkeys(one.method for one in points))
    return Page(
        "How many names come back",
        f"{Path(source).name}, renamed, and attacked with published itemsets whose frequencies "
        "were given Gaussian noise.",
        True,
        (),
        tuple(_section(points, methods, one) for one in _unique(points)),
    )


def _unique(points: Sequence[SweepPoint]) -> list[float]:
    return list(dict.fromkeys(one.min_frequency for one in points))


def _section(points: Sequence[SweepPoint], methods: Sequence[str], frequency: float) -> Section:
    here = [(n, one) for n, one in enumerate(points) if one.min_frequency == frequency]
    rows = [
        {"noise": f"{one.noise:g}", "right": one.correct, "method": one.method} for _, one in here
    ]
    title = f"Itemsets in {100 * frequency:.4g} % of the transactions or more"
    plot = plots.lines(
        rows, Axis("noise", "noise (standard deviation)"), Axis("right", "right names", SHARE),
        "method", f"{title}: the share of right names by noise",
    )  # fmt: skip
    places = {(one.noise, one.method): n for n, one in here}
    levels = dict.fromkeys(one.noise for _, one in here)
    table = tuple(
        (
            f"{noise:g}",
            *(share(points[places[noise, method]].correct, f"sweep.{places[noise, method]}.correct")
              for method in methods),
        )
        for noise in levels
    )  # fmt: skip
    first, one = here[0]
    facts = (
        Fact("codes", count(one.items, f"sweep.{first}.items")),
        Fact("that no one can tell apart",
             count(one.ambiguous_items, f"sweep.{first}.ambiguous_items")),
    )  # fmt: skip
    return Section(title, "", plot, Table(("noise", *methods), table), facts)
