"""`setveil coherence`: the command of `setveil.coherence`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.errors import InputError
from setveil.models.coherence.anonymize import NODES, CoherenceMetrics, coherence
from setveil.run.release import Release, check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "coherence"


def command(
    source: o.Source,
    k: o.K,
    p: o.P,
    h: o.H = None,
    private: o.Private = None,
    public: o.Public = None,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help="What to suppress next: mm-il (most moles per loss), mm, 1-il, rm-all (all public "
            "items), or optimal (the least loss, with a proven bound).",
        ),
    ] = "mm-il",
    loss: Annotated[
        str,
        typer.Option(
            "--loss", help="What an item costs: support, unit, or a file with item and loss."
        ),
    ] = "support",
    faithful: Annotated[
        bool, typer.Option("--faithful", help="Do not bring back items that could return.")
    ] = False,
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", help="For optimal: search up to N nodes.")
    ] = NODES,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            min=0.1,
            help="For optimal: stop then. What was found by then depends on the machine.",
        ),
    ] = None,
    plan: o.Plan = "auto",
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
    """(h,k,p)-coherence: suppress items until attackers who know p of them learn too little.

    Whatever set of up to p public items an attacker knows of somebody: at least k transactions hold
    it, or none does, and no private item is in more than a share h of those. Items are suppressed
    everywhere, so the supports of all that stays are true.
    """
    clock, ids = running.Clock(), Ids(renumber, key)
    h = require_h(h, private)
    if not explain:
        running.check_outputs(out, into, trail, database, force=force, ids=ids)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        dialect, carry=carry, force_large=force_large,
    )  # fmt: skip
    outputs = {"--out": out, "--trail": trail, "--key": key}
    with running.reading(how, into=into, force=force, outputs=outputs) as baskets:
        check_targets(baskets.shape, out=out, force=True)
        release = coherence(
            baskets, k=k, p=p, h=h, private=private or (), public=public, strategy=strategy,
            loss=loss, faithful=faithful, ignore_unknown=ignore_unknown, plan=plan, nodes=nodes,
            time_limit=time_limit,
        )  # fmt: skip
        if explain:
            return running.explained(baskets)
        written = running.publish_release(
            release, out, into, trail, ids, force=force, redact=redact
        )
        if json:
            guarantee = {"model": "coherence", "holds": release.verdict.holds}
            output.print_json(
                running.report(
                    NAME,
                    baskets,
                    release.parameters,
                    guarantee,
                    release.metrics,
                    clock,
                    out=written,
                )  # fmt: skip
            )
        else:
            _print(release, written, clock, quiet=quiet)


def require_h(h: str | None, private: str | None) -> str:
    """Without private items there is nothing that h could bound."""
    if h is not None and private is None:
        output.note("--h bounds the private items of a cohort, and --private names none")
    if h is None and private is not None:
        raise InputError("--private needs --h: the share of a cohort that may hold such an item")
    return "1" if h is None else h


def _told(moles: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes that no transaction reaches need not be told one by one."""
    largest = max((size for size, found in enumerate(moles, 1) if found), default=0)
    return moles[: largest + 1]


def _print(
    release: Release[CoherenceMetrics], written: str | None, clock: running.Clock, *, quiet: bool
) -> None:
    metrics, p = release.metrics, len(release.metrics.moles)
    output.say(
        f"coherent: h = {release.parameters['h']}, k = {release.parameters['k']}, p = {p} "
        f"(checked: {counted(release.verdict.checked, 'itemset')})"
    )
    output.table(
        [
            ("transactions", metrics.transactions),
            ("items", metrics.items),
            ("  private", metrics.private_items),
            ("  public", metrics.public_items),
            ("  unjudged", metrics.items - metrics.private_items - metrics.public_items),
            *((f"minimal moles of {size}", n) for size, n in enumerate(_told(metrics.moles), 1)),
            ("items suppressed", metrics.suppressed_items),
            ("items brought back", metrics.restored_items),
            ("occurrences suppressed", metrics.suppressed_occurrences),
            ("  of all", output.percent(metrics.information_loss)),
            ("transactions emptied", metrics.emptied_transactions),
        ]
    )
    if metrics.bound is not None and metrics.gap is not None:
        output.say(
            f"loss {output.number(metrics.loss)}; no choice loses less than "
            f"{output.number(metrics.bound)} (gap {output.percent(metrics.gap)})"
        )
    running.tell_written(written, clock, quiet=quiet)
