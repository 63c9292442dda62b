"""What stands on the page of a sweep and of an inspection, and on every page.

Pure functions from findings to a `Page`: nothing is asked of any data here. Paths are those of the
command's JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from setveil.comparison.inspection import Band, Inspection
from setveil.comparison.sweep import Swept
from setveil.models import REGISTRY
from setveil.models.grid import Point
from setveil.models.model import Model
from setveil.run.session import Statement
from setveil.show import plots
from setveil.show.curves import curve
from setveil.show.page import Cell, Fact, Number, Page, Section, Table, count, share
from setveil.show.plots import COUNT, SHARE, Axis, Drawn

ORIGINAL = "original"
LIMITS = (
    "A promise speaks of a release as it stands. An attacker who knows the algorithm can weigh all "
    "data that could have led to it, and be surer than the bound. This was counted out on all "
    "databases of 3 and 4 transactions over three items. With coherence (h = 1/2, k = 2, p = 2) it "
    "is so in 15 of 299 cases, with a certainty of 0.80 at worst. With uncertainty (rho = 1/2) it "
    "is so in 6 of 388 cases where a released row is known, 0.60 at worst. Where items of a "
    "released row are known, it is so in 140 of 477 cases, 0.75 at worst. Where up to two items "
    "are known, released or not, it is so in 220 of 555 cases, 1.00 at worst. Random ties do not "
    "lessen this; smaller bounds lessen all but the last, at more loss."
)


# A sweep


def sweep_page(found: Swept) -> Page:
    """The curve, a line for each choice of what does not lie along the axis, and its numbers."""
    how, shown = REGISTRY[found.model], curve(found)
    plot = (
        plots.lines(shown.rows, shown.x, shown.y, shown.series, shown.title) if shown.rows else None
    )
    table = tuple(
        (*(str(value) for value in one.parameters.values()), *_point(one, n, how))
        for n, one in enumerate(found.points)
    )
    head = (*found.axes, *(name.replace("_", " ") for name in (how.cost, *how.counts)))
    section = Section(shown.title, "", plot, Table(head, table))
    lede = f"What {found.model} of {Path(found.source).name} would cost, at every point of a grid."
    fixed: dict[str, object] = {
        name: value for name, value in found.parameters.items() if isinstance(value, int | float)
    }
    return Page(
        f"{found.model}: a sweep over {', '.join(found.axes)}", lede, True, (),
        (section, *([section_of_parameters(fixed)] if fixed else [])),
    )  # fmt: skip


def _point(one: Point, number: int, how: Model) -> tuple[Cell, ...]:
    if one.metrics is None:
        return ("out of reach", *("–" for _ in how.counts))
    at = f"metrics.points.{number}.metrics"
    known = asdict(one.metrics)
    return (
        share(known[how.cost], f"{at}.{how.cost}"),
        *(count(known[name], f"{at}.{name}") for name in how.counts),
    )


# An inspection


def inspection_page(
    found: Inspection, source: str, parameters: dict[str, object], sql: Sequence[Statement]
) -> Page:
    """Sizes, supports and risk."""
    p = len(found.singled_out)
    rows = [{"power": str(n), "share": one, "name": ORIGINAL}
            for n, one in enumerate(found.singled_out, 1)]  # fmt: skip
    risk = plots.lines(
        rows, Axis("power", "items that the attacker knows"), Axis("share", "singled out", SHARE),
        "name", "Share of transactions that attackers single out, by how many items they know",
    )  # fmt: skip
    table = Table(
        ("to who knows", "singled out", "minimal moles", "of them revealing"),
        tuple(
            (
                f"{n + 1}",
                share(found.singled_out[n], f"metrics.singled_out.{n}"),
                count(found.moles[n], f"metrics.moles.{n}"),
                count(found.revealing[n], f"metrics.revealing.{n}"),
            )
            for n in range(p)
        ),
    )
    bands = Table(
        ("support", "items", "occurrences"),
        tuple(
            (
                one.range,
                count(one.items, f"metrics.supports.{n}.items"),
                count(one.occurrences, f"metrics.supports.{n}.occurrences"),
            )
            for n, one in enumerate(found.supports)
        ),
    )
    facts = (
        Fact("transactions", count(found.transactions, "metrics.transactions")),
        Fact("items", count(found.items, "metrics.items")),
        Fact("occurrences", count(found.occurrences, "metrics.occurrences")),
        Fact("longest", count(found.longest, "metrics.longest"), "items of one transaction"),
    )
    text = (
        f"Transactions that some set of up to n of their public items singles out: fewer than "
        f"{found.k} hold it. A mole is a smallest itemset that tells too much."
    )
    sections = (
        Section("Whom attackers find", text, risk, table, sql=tuple(sql)),
        Section("Supports of items", "", plot_of_supports([(ORIGINAL, found.supports)]), bands),
        section_of_parameters(parameters),
    )
    lede = "What is in the data, and how much it gives away before anything is done about it."
    return Page(Path(source).name or source, lede, True, facts, sections)


# What pages have in common


def plot_of_supports(sides: Sequence[tuple[str, Sequence[Band]]]) -> Drawn:
    """How many items have which support, on each side."""
    rows = [
        {"support": said, "items": dict(
            (band.range, band.items) for band in bands).get(said, 0), "name": name}
        for said in ranges(bands for _, bands in sides)
        for name, bands in sides
    ]  # fmt: skip
    return plots.bars(
        rows, Axis("support", "support"), Axis("items", "items", COUNT), "name",
        "Number of items by support",
    )  # fmt: skip


def ranges(sides: Iterable[Sequence[Band]]) -> list[str]:
    """The bands of all sides, upwards, by their names."""
    known = {(band.at_least, band.range) for bands in sides for band in bands}
    return [said for _, said in sorted(known)]


def section_of_limits() -> Section:
    """The attackers against whom no promise holds."""
    return Section("Limits", LIMITS)


def section_of_parameters(parameters: dict[str, object]) -> Section:
    """What was asked for."""
    rows = tuple(
        (name.replace("_", " "), _plain(value, f"parameters.{name}"))
        for name, value in parameters.items()
        if value is not None
    )
    return Section("Parameters", table=Table(("", ""), rows))


def _plain(value: object, path: str) -> Cell:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Number(value, f"{value:,}" if isinstance(value, int) else f"{value:g}", path)
    return str(value)
