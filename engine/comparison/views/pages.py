"""The page of an inspection, and sections that several pages have.

No function here asks the database. Paths are those of the command's JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from setveil.comparison.inspection import Band, Inspection
from setveil.run.session import Statement
from setveil.show import plots
from setveil.show.page import Fact, Page, Section
from setveil.show.plots import COUNT, Axis, Plot
from setveil.show.tables import Cell, Number, Table, cell, share

ORIGINAL = "original"
INFORMATION = "information_lost"  # the metric in which all models compare
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


# An inspection


def inspection_page(
    found: Inspection, source: str, parameters: dict[str, object], sql: Sequence[Statement]
) -> Page:
    """Sizes, supports and risk."""
    lede = "The sizes of the data, and the transactions that attackers single out in it."
    sections = inspection_sections(found, sql)
    return Page(
        Path(source).name or source,
        lede,
        True,
        inspection_facts(found),
        (*sections, section_of_parameters(parameters)),
    )


def inspection_facts(found: Inspection) -> tuple[Fact, ...]:
    """The sizes of the data."""
    content = {"metrics": asdict(found)}
    return tuple(
        Fact(label, cell(content, f"metrics.{name}"), note)
        for label, name, note in (
            ("transactions", "transactions", ""),
            *((("persons", "persons", ""),) if found.persons is not None else ()),
            ("items", "items", ""),
            ("occurrences", "occurrences", ""),
            ("mean length", "mean_length", "items of a transaction"),
            ("longest", "longest", "items of one transaction"),
            ("duplicate rows", "duplicates", ""),
        )
    )


def inspection_sections(found: Inspection, sql: Sequence[Statement] = ()) -> list[Section]:
    """Risk by power, and items by support."""
    content, of_persons = {"metrics": asdict(found)}, found.singled_out_persons is not None
    risk = tuple(
        (
            f"{n + 1}",
            cell(content, f"metrics.singled_out.{n}", share),
            *([cell(content, f"metrics.singled_out_persons.{n}", share)] if of_persons else []),
            *(cell(content, f"metrics.{name}.{n}") for name in ("moles", "revealing")),
        )
        for n in range(len(found.singled_out))
    )
    singled_out = (
        ("transactions singled out", "persons singled out") if of_persons else ("singled out",)
    )
    bands = tuple(
        (
            one.range,
            *(cell(content, f"metrics.supports.{n}.{name}") for name in ("items", "occurrences")),
        )
        for n, one in enumerate(found.supports)
    )
    return [
        Section(
            "Whom attackers find",
            "Transactions that some set of up to n of their public items singles out: fewer than "
            f"{found.k}{' persons' if of_persons else ''} hold it. A mole is such a set, or one "
            "that reveals a private item; a minimal mole contains no other."
            + (_told_of_one_person(found) if of_persons else ""),
            plots.of_risk([(ORIGINAL, found.singled_out)]),
            Table(("n", *singled_out, "minimal moles", "of them revealing"), risk),
            sql=tuple(sql),
        ),
        Section(
            "Supports of items",
            plot=plot_of_supports([(ORIGINAL, found.supports)]),
            table=Table(("support", "items", "occurrences"), bands),
        ),
        _lengths(found, content),
    ]


def _lengths(found: Inspection, content: dict[str, Any]) -> Section:
    """How long transactions are."""
    rows = [
        {"length": one.range, "transactions": one.transactions, "name": ORIGINAL}
        for one in found.lengths
    ]
    return Section(
        "Lengths of transactions",
        plot=plots.bars(
            rows,
            Axis("length", "items"),
            Axis("transactions", "transactions", COUNT),
            "name",
            "Number of transactions by length",
        ),
        table=Table(
            ("items", "transactions"),
            tuple(
                (one.range, cell(content, f"metrics.lengths.{n}.transactions"))
                for n, one in enumerate(found.lengths)
            ),
        ),
    )


def _told_of_one_person(found: Inspection) -> str:
    return (
        f" Of the transactions of items that {found.k} persons hold, one person has up to "
        f"{found.largest_share or 0:.1%}."
    )


# Sections of several pages


def plot_of_supports(sides: Sequence[tuple[str, Sequence[Band]]]) -> Plot:
    """How many items have which support, on each side."""
    rows = [
        {
            "support": said,
            "items": dict((band.range, band.items) for band in bands).get(said, 0),
            "name": name,
        }
        for said in ranges(bands for _, bands in sides)
        for name, bands in sides
    ]
    return plots.bars(
        rows,
        Axis("support", "support"),
        Axis("items", "items", COUNT),
        "name",
        "Number of items by support",
    )


def ranges(sides: Iterable[Sequence[Band]]) -> list[str]:
    """The bands of all sides, upwards, by their names."""
    known = {(band.at_least, band.range) for bands in sides for band in bands}
    return [said for _, said in sorted(known)]


def section_of_limits() -> Section:
    """The attackers against whom no promise holds."""
    return Section("Limits", LIMITS)


def section_of_parameters(parameters: dict[str, object]) -> Section:
    """The parameters of the command."""
    rows = tuple(
        (name.replace("_", " "), _plain(value, f"parameters.{name}"))
        for name, value in parameters.items()
        if value is not None and value is not False
    )
    return Section("Parameters", table=Table(("", ""), rows))


def _plain(value: object, path: str) -> Cell:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Number(value, f"{value:,}" if isinstance(value, int) else f"{value:g}", path)
    return "yes" if value is True else str(value)
