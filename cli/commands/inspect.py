"""`setveil inspect`: the command of `setveil.inspect`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.command import show
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.comparison.inspection import Inspection, inspect
from setveil.comparison.views.pages import inspection_facts, inspection_page, inspection_sections
from setveil.show.page import blocks_of, check_report, write_page

NAME = "inspect"
ALONE = 2  # a release with this k leaves an even chance, so that none is suggested


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
    """Print the command that makes a release without moles, or one that helps to choose k."""
    if not any(found.moles):
        output.say("nothing to do: there is no mole at this k, p and h")
        return
    read = nexts.reading_words(reading, persons)
    listed = {"--private": private, "--public": public, "--h": h if private else None}
    if found.k == ALONE:
        bare = nexts.worded({name: value for name, value in listed.items() if name != "--public"})
        return output.say(nexts.told(["advise", source, *read, *bare]))
    words = ["coherence", source, *read, *nexts.worded(listed)]
    words += ["--k", str(found.k), "--p", str(len(found.moles)), *nexts.place_words(reading)]
    output.say(nexts.told(words))
