"""`setveil partition`: the command of `setveil.partition`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.hierarchy.recode import generalized_shape
from setveil.models.k_anonymity.anonymize import PartitionMetrics, partition
from setveil.run.release import Release, check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "partition"

K = Annotated[
    int,
    typer.Option("--k", metavar="N", help="Every transaction looks like N - 1 others."),
]


def command(
    source: o.Source,
    k: K,
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    refine: Annotated[
        bool,
        typer.Option(
            "--refine",
            help="Take longer to lose less. A node can then stand beside an ancestor that covers "
            "other items of the transaction.",
        ),
    ] = False,
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
    """k-anonymity: generalize items until every transaction has k - 1 that look the same.

    An item is replaced by a node above it in the hierarchy, in some transactions lower, in others
    higher: as low as the others allow. The release has a column level beside the item: 0 is what
    stayed as it was. No item needs to be called private; a release fed back stays as it is.
    """
    clock, ids = running.Clock(), Ids(renumber, key)
    if not explain:
        running.check_outputs(out, into, trail, database, force=force, ids=ids)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        dialect, carry=carry, force_large=force_large,
    )  # fmt: skip
    outputs = {"--out": out, "--trail": trail, "--key": key}
    with running.reading(how, into=into, force=force, by_level=True, outputs=outputs) as baskets:
        check_targets(generalized_shape(baskets.shape), out=out, force=True)
        release = partition(baskets, k=k, hierarchy=hierarchy, fanout=fanout, refine=refine)
        if explain:
            return running.explained(baskets)
        written = running.publish_release(release, out, into, trail, ids, force=force)
        if json:
            guarantee = {"model": "k-anonymity", "holds": release.verdict.holds}
            content = running.report(
                NAME, baskets, release.parameters, guarantee, release.metrics, clock, out=written
            )
            output.print_json(content)
        else:
            _print(release, written, clock, quiet=quiet)


def _print(
    release: Release[PartitionMetrics], written: str | None, clock: running.Clock, *, quiet: bool
) -> None:
    metrics = release.metrics
    output.say(
        f"k-anonymous: k = {release.parameters['k']} "
        f"(checked: {counted(release.verdict.checked, 'class', 'classes')} of transactions that "
        "look the same)"
    )
    output.table(
        [
            ("transactions", metrics.transactions),
            ("items", metrics.items),
            ("classes", metrics.partitions),
            ("  smallest", metrics.smallest_partition),
            ("occurrences", metrics.occurrences),
            ("  generalized", metrics.generalized_occurrences),
            *((f"  at level {one.level}", one.occurrences) for one in metrics.ncp_by_level),
            ("information loss (NCP)", output.percent(metrics.ncp)),
        ]
    )
    running.tell_written(written, clock, quiet=quiet)
