"""`setveil hide`: the command of `setveil.hide`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.models.hiding.anonymize import HideMetrics, hide
from setveil.models.hiding.check import HiddenPattern
from setveil.run.release import Release, check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "hide"
SHOWN = 10


def command(
    source: o.Source,
    patterns: o.Patterns,
    psi: o.Psi = None,
    min_support: o.HideBelow = None,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            help="Which items go: those that several patterns share (iga), the least frequent of "
            "each pattern (minfia), the most frequent (maxfia), all of them (naive), or those that "
            "leave the most other itemsets as frequent as --min-support (border).",
        ),
    ] = "iga",
    mining_support: Annotated[
        int | None,
        typer.Option(
            "--mining-support",
            metavar="N",
            min=1,
            help="Mine before and after at this support, and tell what is disclosed and missed.",
        ),
    ] = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    ignore_unknown: o.IgnoreUnknown = False,
    carry: o.Carry = None,
    renumber: o.Renumber = False,
    key: o.IdsKept = None,
    out: o.Out = None,
    into: o.Into = None,
    trail: o.Trail = None,
    redact: o.Redact = False,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
    dialect: o.Dialect = None,
) -> None:
    """Hide restrictive patterns: take items from some transactions that hold them.

    What a pattern tells is kept back by lowering its support: to the share psi of what it was, or
    below a support that others may mine at. Nothing is added, and no other transaction changes.
    """
    clock, ids = running.Clock(), Ids(renumber, key)
    if not explain:
        running.check_outputs(out, into, trail, database, force=force, ids=ids)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        dialect, carry=carry, force_large=force_large,
    )  # fmt: skip
    outputs = {"--out": out, "--trail": trail, "--key": key}
    with running.reading(how, into=into, force=force, outputs=outputs) as baskets:
        check_targets(baskets.shape, out=out, force=True)
        release = hide(
            baskets, patterns=patterns, psi=psi, min_support=min_support, algorithm=algorithm,
            mining_support=mining_support, ignore_unknown=ignore_unknown,
        )  # fmt: skip
        if explain:
            return running.explained(baskets)
        written = running.publish_release(
            release, out, into, trail, ids, force=force, redact=redact
        )
        if json:
            guarantee = {"model": "hide", "holds": release.verdict.holds}
            parameters, metrics = release.parameters, release.metrics
            output.print_json(
                running.report(NAME, baskets, parameters, guarantee, metrics, clock, out=written)
            )
        else:
            _print(release, written, clock, quiet=quiet)


def _print(
    release: Release[HideMetrics], written: str | None, clock: running.Clock, *, quiet: bool
) -> None:
    metrics = release.metrics
    output.say(
        f"hidden: {counted(len(metrics.patterns), 'pattern')}, by {release.parameters['algorithm']}"
    )
    show_patterns(metrics.patterns)
    output.table(
        [
            ("transactions", metrics.transactions),
            ("  sensitive", metrics.sensitive_transactions),
            ("  conflicting", metrics.conflicting_transactions),
            ("  emptied", metrics.emptied_transactions),
            ("occurrences", metrics.occurrences),
            ("  suppressed", metrics.suppressed_occurrences),
            ("dissimilarity", output.percent(metrics.dissimilarity)),
        ]
    )
    if metrics.lost is not None:
        known = "" if metrics.lost_bound is None else f", of {metrics.lost_bound:,} that must be"
        output.say(f"legitimate itemsets lost: {metrics.lost:,}{known}")
    if metrics.mined is not None:
        mined = metrics.mined
        output.say(f"mined before and after, at support {mined.support:,}:")
        output.table(
            [
                ("hiding failure", output.percent(mined.hiding_failure),
                 f"{mined.disclosed:,} of {mined.restrictive:,}"),
                ("misses cost", output.percent(mined.misses_cost),
                 f"{mined.legitimate - mined.found:,} of {mined.legitimate:,}"),
                ("artifactual patterns", output.percent(mined.artifactual_patterns), ""),
            ]
        )  # fmt: skip
    running.tell_written(written, clock, quiet=quiet)


def _left(one: HiddenPattern) -> float:
    """What is left of a pattern's support, as a share."""
    return one.remaining / max(1, one.support)


def show_patterns(patterns: tuple[HiddenPattern, ...]) -> None:
    """How many transactions held each pattern, still do and may; and what is left, as a share."""
    rows = [
        (", ".join(map(output.printable, one.items)), f"in {one.support:,}",
         f"now {one.remaining:,}", f"of {one.allowed:,} allowed", output.percent(_left(one)))
        for one in patterns[:SHOWN]
    ]  # fmt: skip
    if rows:
        output.table(rows)
    if len(patterns) > SHOWN:
        output.say(f"  and {len(patterns) - SHOWN:,} more: all of them with --json")
