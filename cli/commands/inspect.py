"""`setveil inspect`: the command of `setveil.inspect`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.command import show
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.comparison.inspection import Inspection, inspect
from setveil.comparison.views.pages import inspection_facts, inspection_page, inspection_sections
from setveil.show.page import blocks_of, check_report, write_page

NAME = "inspect"


def command(
    reading: Reading,
    persons: Persons,
    showing: Showing,
    explaining: Explaining,
    *,
    source: o.Source,
    k: Annotated[
        int,
        typer.Option(
            "--k",
            metavar="N",
            help="Count a transaction as identifiable if fewer than N transactions match.",
        ),
    ] = 2,
    p: o.P = 2,
    h: o.H = None,
    private: o.Private = None,
    public: o.Public = None,
    plan: o.Plan = "auto",
    ignore_unknown: o.IgnoreUnknown = False,
    report: o.Report = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file of --report.")] = False,
) -> None:
    """Count transactions, items and supports, and the transactions an attacker can identify.

    An attacker knows up to --p public items of a transaction. A mole is a set of known items that
    identifies too few transactions (--k) or reveals a private item too surely (--h).
    """
    clock = running.Clock()
    if report is not None and not explaining.explain:
        check_report(report, force=force)
    running.note_h(h, private)
    with running.reading(
        source,
        reading,
        explaining,
        quiet=showing.quiet,
        persons=persons,
        outputs={"--report": report},
    ) as baskets:
        found = inspect(
            baskets,
            k=k,
            p=p,
            h=h,
            private=private or (),
            public=public,
            ignore_unknown=ignore_unknown,
            plan=plan,
        )
        if explaining.explain:
            return running.explained(baskets)
        parameters: dict[str, object] = {"h": h, "k": k, "p": p}
        if report is not None:
            sql = [one for one in baskets.session.statements if one.question]
            page = inspection_page(found, baskets.source.name, parameters, sql)
            write_page(page, report, baskets.session.inputs, force=force)
        if showing.json:
            output.print_json(running.report(NAME, baskets, parameters, None, found, clock))
        else:
            output.table([(one.label, one.cell, one.note) for one in inspection_facts(found)])
            show(blocks_of(inspection_sections(found)))
            _advise(source, reading, persons, found, h, private, public)
            if report is not None:
                output.say(f"written: {output.printable(str(report))}")


def _advise(
    source: str,
    reading: Reading,
    persons: Persons,
    found: Inspection,
    h: str | None,
    private: str | None,
    public: str | None,
) -> None:
    """Print the command that makes a release without moles, for the same source and promise."""
    if not any(found.moles):
        output.say("nothing to do: there is no mole at this k, p and h")
        return
    options = {"--database": reading.database, "--tid": reading.tid, "--private": private}
    options |= {"--person": persons.person, "--guests": persons.guests}
    options |= {"--public": public, "--h": h if private else None}
    words = ["setveil", "coherence", source]
    for option, value in options.items():
        words += [option, str(value)] if value is not None else []
    words += ["--item", reading.item] if reading.item != "item" else []
    words += ["--drop-nulls"] if reading.drop_nulls else []
    words += ["--engine", reading.engine] if reading.engine != "in-place" else []
    words += ["--k", str(found.k), "--p", str(len(found.moles))]
    words += ["--out", "safe.parquet"] if reading.database is None else ["--into", "safe"]
    output.say(f"next: {output.command_line(words)}")
