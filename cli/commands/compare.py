"""`setveil compare`: the command of `setveil.compare`."""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.command import declared_by, option_of, show
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.comparison.compare import compare
from setveil.comparison.evidence.gather import check_evidence
from setveil.comparison.findings import Comparison
from setveil.comparison.risk import DRAWS, SEED
from setveil.comparison.views.comparison import comparison_sections
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.show.page import blocks_of, check_report

NAME = "compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Options that are parameters of `setveil.compare`."""

    k: Annotated[
        int,
        typer.Option(
            "--k",
            metavar="N",
            help="Count a transaction as identifiable if fewer than N transactions match.",
        ),
    ] = 2
    p: Annotated[
        int,
        typer.Option("--p", metavar="N", help="Attackers know 1, 2, up to N public items."),
    ] = 2
    h: o.H = None
    private: o.Private = None
    public: o.Public = None
    min_support: Annotated[
        str | None,
        typer.Option(
            "--min-support",
            metavar="N|SHARE",
            help="Compare frequent itemsets too. An itemset is frequent if this many transactions "
            "hold it: a whole number, or a share of the original's such as 0.01 or 1%.",
        ),
    ] = None
    max_size: Annotated[
        int | None,
        typer.Option("--max-size", metavar="N", min=1, help="Itemsets of up to N items."),
    ] = None
    min_confidence: Annotated[
        str | None,
        typer.Option(
            "--min-confidence",
            metavar="SHARE",
            help="Compare association rules too, if they hold in at least this share of the "
            "transactions with their antecedent: 0.6 or 60%.",
        ),
    ] = None
    hierarchy: o.Hierarchy = None
    fanout: o.Fanout = None
    verify: Annotated[
        str | None,
        typer.Option(
            "--verify",
            metavar="MODEL",
            help="Check each release with the checker of this model, which needs the parameters "
            "of its promise.",
        ),
    ] = None
    plan: o.Plan = "auto"
    ignore_unknown: o.IgnoreUnknown = False
    evidence: Annotated[
        bool,
        typer.Option(
            "--evidence",
            help="With --verify: make --report the page that a data protection officer or an "
            "expert files: verdict, attacker, risks, limits, blanks to fill in. A motivated "
            "intruder looks for random transactions.",
        ),
    ] = False
    draws: Annotated[
        int,
        typer.Option(
            "--draws", metavar="N", help="With --evidence: the intruder looks for N transactions."
        ),
    ] = DRAWS
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", help="With --evidence: the seed of the intruder's draws."
        ),
    ] = SEED


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """Options of the report."""

    report: o.Report = None
    no_names: Annotated[
        bool,
        typer.Option(
            "--no-names",
            help="Leave item names, and figures of single items and itemsets, out of the report.",
        ),
    ] = False
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file of --report.")] = False
    markdown: Annotated[
        bool,
        typer.Option(
            "--markdown",
            help="Print Markdown for a comment on a pull request. It names no item.",
        ),
    ] = False


def own() -> list[inspect.Parameter]:
    """Options of the command, and the parameters of every promise that are not among them."""
    mine = declared_by(command)
    taken = {one.name for one in mine} | {one.name for one in fields(Measuring)}
    for model in REGISTRY.values():
        for param in model.promise:
            if param.name not in taken:
                taken.add(param.name)
                mine.append(option_of(param, needed=False, of=model))
    return mine


def command(
    measuring: Measuring,
    reporting: Reporting,
    reading: Reading,
    persons: Persons,
    showing: Showing,
    explaining: Explaining,
    *,
    original: Annotated[
        str,
        typer.Argument(
            metavar="ORIGINAL",
            help="The original data: a file or quoted glob; with --database, a table, view or "
            "query.",
            show_default=False,
        ),
    ],
    releases: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASE...",
            help="Releases of the original: files, or tables of --database.",
            show_default=False,
        ),
    ],
    key: Annotated[
        list[str] | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The key of the ids, written with --renumber; of slices, their ledger. With "
            "several releases, repeat it for each in order; `none` for one that kept its ids.",
        ),
    ] = None,
    history: Annotated[
        bool,
        typer.Option(
            "--history",
            help="Also join the releases by id, one after the other: what each adds for somebody "
            "who has all of them. With --verify they are judged together too.",
        ),
    ] = False,
    **terms: Any,
) -> int:
    """Compare releases with their original: loss, kept patterns, and the risk that remains.

    Items are matched by name and transactions by id. A measure is left out where it does not
    apply: suppression loss, for instance, in a generalized release.

    A release with an integer column level that the original lacks is generalized. Its risk is
    computed over nodes, without private items and --public; item measures are left out. NCP is
    shown if you give the --hierarchy or --fanout of the release. With --verify the exit code is 1
    if a release fails.
    """
    clock, report = running.Clock(), reporting.report
    if reporting.markdown and showing.json:
        raise InputError("--markdown and --json exclude each other: name one")
    if measuring.evidence:
        check_evidence(measuring.verify)
        if report is None and not (showing.json or explaining.explain):
            raise InputError("--evidence needs --report for the page, or --json")
    running.note_h(measuring.h, measuring.private)
    if report is not None and not explaining.explain:
        check_report(report, force=reporting.force)
    given = {name: one for name, one in (asdict(measuring) | terms).items() if one is not None}
    keys = [None if one == "none" else one for one in key or ()]
    with running.reading(
        original,
        reading,
        explaining,
        quiet=showing.quiet,
        persons=persons,
        once=False,
        by_level=True,
        outputs={"--report": report},
    ) as baskets:
        found = compare(
            baskets, *releases, drop_nulls=reading.drop_nulls, keys=keys, history=history, **given
        )
        if explaining.explain:
            _explain(found)
            return 0
        if report is not None:
            found.write_report(report, public=reporting.no_names, force=reporting.force)
        if showing.json:
            output.print_json(_content(found, clock, report))
        elif reporting.markdown:
            output.say(found.to_markdown().rstrip())
        else:
            show(blocks_of(comparison_sections(found, public=reporting.no_names)))
            written = None if report is None else str(report)
            running.tell_written(written, clock, quiet=True)
    judged = [one.guarantee.holds for one in found.releases if one.guarantee]
    if found.history is not None and found.history.verdict is not None:
        judged.append(found.history.verdict.holds)
    if not (showing.json or reporting.markdown):
        nexts.tell(
            nexts.after_comparison(
                report,
                evidence=measuring.evidence,
                no_names=reporting.no_names,
                holds=all(judged),
            ),
            everywhere=report is not None and not showing.quiet,
        )
    return int(not all(judged))


def _explain(found: Comparison) -> None:
    output.say("-- These statements would run in this order after the data is read.\n")
    for figure, statements in found.sql.items():
        output.say(f"-- {figure}\n")
        for one in statements:
            output.say(str(one))


def _content(found: Comparison, clock: running.Clock, report: Path | None) -> dict[str, Any]:
    return {
        "command": NAME,
        "source": found.source,
        **found.content(),
        "seconds": clock.seconds,
        "steps": sum(len(statements) for statements in found.sql.values()),
        "out": None if report is None else str(report),
    }
