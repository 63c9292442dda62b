"""`setveil uncertainty`: the command of `setveil.uncertainty`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.models.uncertainty.anonymize import UncertaintyMetrics, uncertainty
from setveil.run.release import Release, check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "uncertainty"


def command(
    source: o.Source,
    sensitive: o.Sensitive,
    rho: o.Rho,
    keep: Annotated[
        str,
        typer.Option(
            "--keep",
            help="What to spare: rules (what can be mined, at the least loss) or distribution "
            "(how frequent items are beside each other, at more loss).",
        ),
    ] = "rules",
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help="partial (single occurrences), or global (items everywhere, for comparison).",
        ),
    ] = "partial",
    parts: Annotated[
        str,
        typer.Option(
            "--parts",
            metavar="N",
            help="Make N random parts safe each by itself: less memory, more loss; Spark's workers "
            "take them side by side. auto: by the cost that the paper estimates.",
        ),
    ] = "1",
    refine: Annotated[
        bool,
        typer.Option(
            "--refine", help="Take many times the time to lose less, and prove what must be lost."
        ),
    ] = False,
    max_knowledge: o.MaxKnowledge = None,
    seed: o.Seed = 0,
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
    """rho-uncertainty: suppress items in places until no sensitive one is inferred too surely.

    Whatever an attacker knows of somebody, any number of items and sensitive ones among them: of
    those who hold all that, at most a share rho holds any one other sensitive item.
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
        release = uncertainty(
            baskets, sensitive=sensitive, rho=rho, keep=keep, strategy=strategy, parts=parts,
            refine=refine, max_knowledge=max_knowledge, seed=seed, ignore_unknown=ignore_unknown,
        )  # fmt: skip
        if explain:
            return running.explained(baskets)
        written = running.publish_release(
            release, out, into, trail, ids, force=force, redact=redact
        )
        if json:
            guarantee: dict[str, object] = {
                "model": "uncertainty",
                "holds": release.verdict.holds,
                "bounded": max_knowledge is not None,
            }
            content = running.report(
                NAME, baskets, release.parameters, guarantee, release.metrics, clock, out=written
            )
            output.print_json(content)
        else:
            _print(release, written, clock, quiet=quiet)


def _print(
    release: Release[UncertaintyMetrics], written: str | None, clock: running.Clock, *, quiet: bool
) -> None:
    metrics, rho = release.metrics, release.parameters["rho"]
    everywhere = release.parameters["strategy"] == "global"
    known = (
        "whatever is known"
        if metrics.max_knowledge is None
        else f"only for attackers who know at most {counted(metrics.max_knowledge, 'item')}"
    )
    output.say(
        f"rho-uncertain: rho = {rho}, {known} (checked: {counted(release.verdict.checked, 'rule')})"
    )
    others = metrics.suppressed_occurrences - metrics.suppressed_sensitive
    output.table(
        [
            ("transactions", metrics.transactions),
            ("items", metrics.items),
            ("  sensitive", metrics.sensitive_items),
            *([] if everywhere else [("parts", metrics.parts)]),
            ("rounds, after what was certain", metrics.rounds),
            ("  unsafe rules found in them", metrics.unsafe_rules),
            ("occurrences suppressed", metrics.suppressed_occurrences),
            ("  of sensitive items", metrics.suppressed_sensitive),
            ("  of others", others),
            ("  of all", output.percent(metrics.information_loss)),
            *_bounds(metrics),
            *([] if everywhere else _moved(metrics)),
            ("transactions emptied", metrics.emptied_transactions),
        ]
    )
    running.tell_written(written, clock, quiet=quiet)


def _bounds(metrics: UncertaintyMetrics) -> list[tuple[str, object]]:
    if metrics.loss_bound is None:
        return []
    gap = metrics.information_loss - metrics.loss_bound
    return [
        ("  by any release, at least", output.percent(metrics.loss_bound)),
        ("  gap to that bound", output.percent(gap)),
    ]


def _moved(metrics: UncertaintyMetrics) -> list[tuple[str, object]]:
    """What the choice by places undid again."""
    return [
        ("brought back before that", metrics.returned_occurrences),
        ("exchanged before that", metrics.exchanged_occurrences),
    ]
