"""`setveil compare`: the command of `setveil.compare`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.coherence import require_h
from setveil.comparison import compare
from setveil.findings import Comparison
from setveil.formulas import measures_of
from setveil.pages import comparison_page, names_of
from setveil.report import check_report, write_page

NAME = "compare"


def command(
    original: Annotated[
        str,
        typer.Argument(
            metavar="ORIGINAL",
            help="The data that was to be protected: a file or quoted glob; with --database, a "
            "table, view or query.",
            show_default=False,
        ),
    ],
    releases: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASE...",
            help="What was made of it: files, or tables of --database.",
            show_default=False,
        ),
    ],
    k: Annotated[
        int,
        typer.Option(
            "--k", metavar="N", min=1, help="Singled out is who is among fewer than N transactions."
        ),
    ] = 2,
    p: Annotated[
        int,
        typer.Option("--p", metavar="N", min=1, help="Attackers know 1, 2, up to N public items."),
    ] = 2,
    h: o.H = None,
    private: o.Private = None,
    known: Annotated[
        str | None,
        typer.Option(
            "--known",
            metavar="LIST",
            help="Items that an attacker can know, as --public of other commands (default: all "
            "that are not private).",
        ),
    ] = None,
    min_support: Annotated[
        str | None,
        typer.Option(
            "--min-support",
            metavar="N|SHARE",
            help="Compare frequent itemsets too: those that this many transactions hold, a whole "
            "number, or a share of the original's as 0.01 or 1%.",
        ),
    ] = None,
    max_size: Annotated[
        int | None,
        typer.Option("--max-size", metavar="N", min=1, help="Itemsets of up to N items."),
    ] = None,
    min_confidence: Annotated[
        str | None,
        typer.Option(
            "--min-confidence",
            metavar="SHARE",
            help="Compare the rules among them, too: those that hold in this share of the "
            "transactions with their antecedent, or more: 0.6 or 60%.",
        ),
    ] = None,
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    verify: Annotated[
        str | None,
        typer.Option(
            "--verify",
            metavar="MODEL",
            help="Have this model's checker judge each release: coherence, by --h --k --p and "
            "--private; k-anonymity, by --k; km, by --k --m; uncertainty, by --rho --sensitive; "
            "hidden, by --patterns --psi.",
        ),
    ] = None,
    m: Annotated[
        str | None,
        typer.Option(
            "--m", metavar="N", help="For km: attackers know up to N nodes; max: any number."
        ),
    ] = None,
    rho: Annotated[
        str | None,
        typer.Option(
            "--rho",
            metavar="SHARE",
            help="For uncertainty: at most this share of those who hold some items hold a "
            "sensitive one.",
        ),
    ] = None,
    sensitive: Annotated[
        str | None,
        typer.Option(
            "--sensitive",
            metavar="LIST",
            help="Items of the original that must not be inferred by rules, as --private: compare "
            "how surely any rule tells one, whatever an attacker knows.",
        ),
    ] = None,
    patterns: Annotated[
        Path | None,
        typer.Option(
            "--patterns",
            metavar="FILE",
            help="The restrictive patterns that were to be hidden, as setveil hide takes them: "
            "compare what is left of them and of other itemsets, at --min-support.",
        ),
    ] = None,
    psi: o.Psi = None,
    report: o.Report = None,
    confidential: Annotated[
        bool,
        typer.Option(
            "--confidential/--public",
            help="The report is for its owner's eyes (mode 0600); or it is for all, and names no "
            "item, and has no figure of a single item or itemset.",
        ),
    ] = True,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what --report names.")] = False,
    plan: o.Plan = "auto",
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    drop_nulls: o.DropNulls = False,
    ignore_unknown: o.IgnoreUnknown = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    explain: o.Explain = False,
) -> int:
    """What releases cost, and what they still give away, beside their original.

    Items are matched by name and transactions by their key. Each measure is taken where it means
    something: a loss by suppression, for instance, only where nothing was put in its place. A
    release with a column level of integers, which the original has not, is a generalized one: its
    risk is that of attackers who know any of its nodes but private items, whatever --known
    says, nothing is said of items, and by the --hierarchy or --fanout that it was made with it has
    its penalty (NCP). With --verify the exit code is 1 if a release fails.
    """
    clock = running.Clock()
    h = require_h(h, private, quiet=quiet)
    if report is not None and not explain:
        check_report(report, force=force)
    how = running.Reading(
        original, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain
    )
    with running.reading(how, once=False) as baskets:
        found = compare(
            baskets, *releases, k=k, p=p, h=h, private=private or (), public=known,
            ignore_unknown=ignore_unknown, min_support=min_support, max_size=max_size,
            min_confidence=min_confidence, hierarchy=hierarchy, fanout=fanout, verify=verify,
            m=m, rho=rho, sensitive=sensitive, patterns=patterns, psi=psi,
            drop_nulls=drop_nulls, plan=plan,
        )  # fmt: skip
        if explain:
            _explain(found)
            return 0
        if report is not None:
            write_page(comparison_page(found, public=not confidential), report, force=force)
        if json:
            output.print_json(_content(found, clock, report))
        else:
            _print(found)
            if report is not None:
                output.say(f"written: {output.printable(str(report))} ({clock.seconds} s)")
    return int(any(one.guarantee and not one.guarantee.holds for one in found.releases))


def _explain(found: Comparison) -> None:
    output.say("-- What would run, in this order, once the data has been read.\n")
    for figure, statements in found.sql.items():
        output.say(f"-- {figure}\n")
        for one in statements:
            output.say(str(one))


def _content(found: Comparison, clock: running.Clock, report: Path | None) -> dict[str, Any]:
    releases = []
    for one in found.releases:
        sizes = [asdict(size) | {"lost": size.lost, "new": size.new} for size in one.itemsets]
        releases.append(asdict(one) | {"itemsets": sizes})
    return {
        "command": NAME,
        "source": found.source,
        "parameters": found.parameters,
        "metrics": {"original": asdict(found.original), "releases": releases},
        "seconds": clock.seconds,
        "steps": sum(len(statements) for statements in found.sql.values()),
        "out": None if report is None else str(report),
    }


def _print(found: Comparison) -> None:
    """Measures, a column per release; then the risk; then what was lost most of each."""
    names = [output.printable(name) for name in names_of(found)]
    sides = [found.original, *(one.side for one in found.releases)]
    rows: list[tuple[object, ...]] = [
        ("", "original", *names),
        *((name, *(getattr(side, name) for side in sides))
          for name in ("transactions", "items", "occurrences")),
    ]  # fmt: skip
    for measure in measures_of(found):
        values = [one.measures.get(measure.name) for one in found.releases]
        shown = map(_share, values) if measure.is_share else map(_number, values)
        rows.append((measure.says, "", *shown))
    for n in range(found_p := len(found.original.risk.singled_out)):
        rows.append(
            (f"alone, to who knows {n + 1}", *(_share(side.risk.unique[n]) for side in sides))
        )
    for n in range(found_p if found.parameters["k"] != 2 else 0):
        few = f"among fewer than {found.parameters['k']}, to who knows {n + 1}"
        rows.append((few, *(_share(side.risk.singled_out[n]) for side in sides)))
    if found.original.risk.breach is not None:
        rows.append(("highest breach probability", *(_share(side.risk.breach) for side in sides)))
    output.table(rows)
    for name, one in zip(names, found.releases, strict=True):
        if one.guarantee:
            kept = "holds" if one.guarantee.holds else "does not hold"
            said = ", ".join(f"{key} = {value}" for key, value in one.guarantee.parameters.items())
            output.say(f"{one.guarantee.model} ({said}) {kept}: {name}")
        if one.items_lost_most:
            output.say(f"items that lost most: {name}")
            output.table(
                [(lost.item, lost.before, "->", lost.after) for lost in one.items_lost_most]
            )
        if one.itemsets_lost_most:
            output.say(f"itemsets that lost most: {name}")
            few = f"< {found.parameters['min_support']}"
            output.table(
                [(", ".join(map(output.printable, lost.items)), lost.before, "->",
                  few if lost.after is None else lost.after) for lost in one.itemsets_lost_most]
            )  # fmt: skip


def _share(value: float | None) -> str:
    return "" if value is None else output.percent(value)


def _number(value: float | None) -> object:
    return "" if value is None else value
