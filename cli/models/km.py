"""`setveil km`: the command of `setveil.km`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.hierarchy.recode import generalized_shape
from setveil.models.km_anonymity.anonymize import NODES, KmMetrics, km
from setveil.run.release import Release, check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "km"
M = Annotated[
    str,
    typer.Option(
        "--m", metavar="N", help="Attackers know up to N items of somebody; max: any number."
    ),
]


def command(
    source: o.Source,
    k: o.K,
    m: M,
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    nodes: Annotated[
        int,
        typer.Option("--nodes", metavar="N", help="Search up to N nodes for a cut of least loss."),
    ] = NODES,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    carry: o.Carry = None,
    renumber: o.Renumber = False,
    key: o.IdsKept = None,
    out: o.Out = None,
    into: o.Into = None,
    trail: o.Trail = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
    dialect: o.Dialect = None,
) -> None:
    """k^m-anonymity: generalize items until whoever knows m of them fits at least k transactions.

    Items are replaced by nodes of a hierarchy, everywhere, and always all items below a node, as
    bread by bakery. Whatever set of up to m items an attacker knows of somebody: what it has become
    is in at least k transactions. The least is lost that any such choice of nodes can lose.
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
        check_targets(generalized_shape(baskets.shape), out=out, force=True)
        release = km(baskets, k=k, m=m, hierarchy=hierarchy, fanout=fanout, nodes=nodes)
        if explain:
            return running.explained(baskets)
        written = running.publish_release(release, out, into, trail, ids, force=force)
        if json:
            guarantee = {"model": NAME, "holds": release.verdict.holds}
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


def _print(
    release: Release[KmMetrics], written: str | None, clock: running.Clock, *, quiet: bool
) -> None:
    metrics, promise = release.metrics, release.parameters
    output.say(
        f"k^m-anonymous: k = {promise['k']}, m = {promise['m']} "
        f"(checked: {counted(release.verdict.checked, 'set')})"
    )
    output.table(
        [
            ("transactions", metrics.transactions),
            ("items", metrics.items),
            ("  generalized", metrics.generalized_items),
            ("nodes published", metrics.published),
            *((f"  of level {one.level}", one.nodes) for one in metrics.levels),
            ("information lost (NCP)", output.percent(metrics.ncp)),
        ]
    )
    if metrics.gap:
        output.say(
            f"no cut of the hierarchy loses less than {output.percent(metrics.bound)}; "
            "search further with --nodes"
        )
    else:
        output.say("no other cut of the hierarchy loses less")
    running.tell_written(written, clock, quiet=quiet)
