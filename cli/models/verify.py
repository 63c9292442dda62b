"""`setveil verify MODEL`: the commands of `setveil.verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.arguments.shares import share
from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.models import verify_generalized
from setveil.cli.models.coherence import require_h
from setveil.cli.models.hide import show_patterns
from setveil.run.words import counted
from setveil.verify import (
    HiddenVerdict,
    UncertaintyVerdict,
    Verdict,
    coherence,
    hidden,
    uncertainty,
)

SHOWN = 10

app = typer.Typer(
    help="Check a release against a model's definition, from the release alone.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def verify() -> None:
    """Exit code 0 if the release keeps the promise, 1 if it does not."""


@app.command(
    "coherence", epilog=o.EXIT_CODES, short_help="Itemsets of public items that tell too much."
)
@running.with_exit_code
def verify_coherence(
    source: o.Source,
    k: o.K,
    p: o.P,
    h: o.H = None,
    private: o.Private = None,
    public: o.Public = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    ignore_unknown: o.IgnoreUnknown = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
) -> int:
    """(h,k,p)-coherence: name the itemsets of up to p public items that tell too much.

    Listed names that the release does not hold may have been suppressed: they are passed over.
    """
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        force_large=force_large,
    )  # fmt: skip
    with running.reading(how) as baskets:
        h = require_h(h, private)
        verdict = coherence(
            baskets, k=k, p=p, h=h, private=private or (), public=public,
            ignore_unknown=ignore_unknown,
        )  # fmt: skip
        if explain:
            running.explained(baskets)
            return 0
        if json:
            guarantee = {"model": "coherence", "holds": verdict.holds}
            parameters: dict[str, object] = {"h": float(h), "k": k, "p": p}
            content = running.report(
                "verify coherence", baskets, parameters, guarantee, verdict, clock
            )
            output.print_json(content)
        else:
            show(verdict)
    return 0 if verdict.holds else 1


@app.command(
    "uncertainty", epilog=o.EXIT_CODES, short_help="Rules that infer a sensitive item too surely."
)
@running.with_exit_code
def verify_uncertainty(
    source: o.Source,
    sensitive: o.Sensitive,
    rho: o.Rho,
    max_knowledge: o.MaxKnowledge = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    ignore_unknown: o.IgnoreUnknown = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
) -> int:
    """rho-uncertainty: name the worst of the rules that infer a sensitive item too surely.

    Listed names that the release does not hold may have been suppressed: they are passed over.
    """
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        force_large=force_large,
    )  # fmt: skip
    with running.reading(how) as baskets:
        verdict = uncertainty(
            baskets, sensitive=sensitive, rho=rho, max_knowledge=max_knowledge,
            ignore_unknown=ignore_unknown,
        )  # fmt: skip
        if explain:
            running.explained(baskets)
            return 0
        if json:
            guarantee = {"model": "uncertainty", "holds": verdict.holds}
            parameters: dict[str, object] = {
                "rho": float(share(rho, "rho")), "max_knowledge": max_knowledge,
            }  # fmt: skip
            content = running.report(
                "verify uncertainty", baskets, parameters, guarantee, verdict, clock
            )
            output.print_json(content)
        else:
            show_rules(verdict)
    return 0 if verdict.holds else 1


def show_rules(verdict: UncertaintyVerdict) -> None:
    """The verdict, and the worst of what was found."""
    if verdict.holds:
        output.say(
            f"holds: {counted(verdict.transactions, 'transaction')}, "
            f"{counted(verdict.checked, 'rule')} counted; what was counted vouches for all others"
        )
        return
    shown = min(SHOWN, len(verdict.violations))
    needs = "rule that needs least knowledge tells"
    output.say(
        f"does not hold: {counted(verdict.found, needs, 'rules that need least knowledge tell')} "
        "too much; the "
        f"surest {shown} of them"
    )
    output.table(
        [
            (
                f"{', '.join(map(output.printable, one.known))} -> {output.printable(one.secret)}",
                f"in {one.support:,} of {one.of:,}",
                f"{one.confidence:.1%}",
            )
            for one in verdict.violations[:SHOWN]
        ]
    )


def show(verdict: Verdict) -> None:
    """The verdict, and the worst of what was found."""
    if verdict.holds:
        output.say(
            f"holds: {counted(verdict.transactions, 'transaction')}, "
            f"{counted(verdict.checked, 'itemset')} checked"
        )
        return
    output.say(
        f"does not hold: {counted(verdict.found, 'itemset tells', 'itemsets tell')} too much"
        + output.first(SHOWN, verdict.found)
    )
    rows = []
    for one in verdict.violations[:SHOWN]:
        items = ", ".join(output.printable(name) for name in one.items) or "(nothing known)"
        secret = f"{output.printable(one.reveals)} in {one.share:.1%}" if one.reveals else ""
        rows.append((items, f"in {one.support:,}", secret))
    output.table(rows)


@app.command(
    "hidden", epilog=o.EXIT_CODES, short_help="Restrictive patterns that more hold than was asked."
)
@running.with_exit_code
def verify_hidden(
    source: o.Source,
    original: Annotated[
        str,
        typer.Option(
            "--original",
            metavar="SOURCE",
            help="What the release was made from: a file, or with a database a table, view or "
            "query.",
        ),
    ],
    patterns: o.Patterns,
    psi: o.Psi = None,
    min_support: o.HideBelow = None,
    key: o.IdsOf = None,
    original_database: Annotated[
        Path | None,
        typer.Option(
            "--original-database",
            metavar="FILE",
            help="The DuckDB file that --original is in (default: that of --database).",
        ),
    ] = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    ignore_unknown: o.IgnoreUnknown = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
) -> int:
    """Hidden patterns: no more of them is left than was asked, and all else is as it was.

    The release is compared with its original, transaction by transaction: by their keys, or line by
    line where they have none.
    """
    clock = running.Clock()
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        force_large=force_large,
        key=key,
    )  # fmt: skip
    with running.reading(how) as baskets:
        verdict = hidden(
            baskets, patterns=patterns, original=original, original_database=original_database,
            psi=psi, min_support=min_support, item=item, ignore_unknown=ignore_unknown,
        )  # fmt: skip
        if explain:
            running.explained(baskets)
            return 0
        if json:
            guarantee = {"model": "hide", "holds": verdict.holds}
            parameters: dict[str, object] = {"psi": psi, "min_support": min_support}
            content = running.report(
                "verify hidden", baskets, parameters, guarantee, verdict, clock
            )
            output.print_json(content)
        else:
            show_hidden(verdict)
    return 0 if verdict.holds else 1


def show_hidden(verdict: HiddenVerdict) -> None:
    """The verdict, and what it rests on."""
    if verdict.holds:
        output.say(
            f"holds: {counted(verdict.checked, 'pattern is', 'patterns are')} hidden, "
            f"{counted(verdict.removed, 'occurrence')} went"
        )
        return
    output.say(
        f"does not hold: {counted(verdict.disclosed, 'pattern')} disclosed, "
        f"{counted(verdict.added, 'occurrence')} added, {verdict.stray:,} removed for no pattern"
    )
    show_patterns(tuple(one for one in verdict.patterns if one.remaining > one.allowed))
    if verdict.tampered:
        shown = ", ".join(map(output.printable, verdict.tampered[:SHOWN]))
        output.say(f"  items changed without a reason: {shown}")


app.command(
    "k-anonymity", epilog=o.EXIT_CODES, short_help="Transactions that fewer than k look like."
)(running.with_exit_code(verify_generalized.verify_k_anonymity))
app.command(
    "km", epilog=o.EXIT_CODES, short_help="Sets of nodes that fewer than k transactions hold."
)(running.with_exit_code(verify_generalized.verify_km))
# And by the names of the commands that make such releases.
app.command("partition", hidden=True, epilog=o.EXIT_CODES)(
    running.with_exit_code(verify_generalized.verify_k_anonymity)
)
app.command("hide", hidden=True, epilog=o.EXIT_CODES)(verify_hidden)
