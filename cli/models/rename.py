"""`setveil rename`: the command of `setveil.rename`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.errors import InputError
from setveil.models.renaming.anonymize import Renaming, check_key, rename
from setveil.run.release import check_targets
from setveil.run.renumbering import Ids
from setveil.run.shape import ALL
from setveil.run.words import counted

NAME = "rename"
NO_PROMISE = (
    "nothing is promised: all supports are as they were, and whoever knows frequent itemsets of "
    "the original gets names back; see: setveil reidentify"
)


def command(
    source: o.Source,
    key: Annotated[
        Path,
        typer.Option(
            "--key",
            metavar="FILE.parquet",
            help="Write the key here (code, name), for its owner alone; it is never overwritten. "
            "With --undo: read it.",
            show_default=False,
        ),
    ],
    undo: Annotated[
        bool,
        typer.Option(
            "--undo", help="Put the names back, in data or in results with lists; all columns stay."
        ),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="The same seed, the same codes; who guesses it has the key (default: random).",
        ),
    ] = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    carry: o.Carry = None,
    renumber: o.Renumber = False,
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
    """Put random codes in the place of item names. This alone anonymizes nothing.

    Codes and the order of the release tell nothing of the names, but every support stays as it was:
    `setveil reidentify` shows how many names come back. The key turns codes into names again, in
    the release (--undo) or in what was mined from it (--undo --item items).
    """
    clock = running.Clock()
    if not explain:
        _check(key, undo, out, into, trail, database, force=force)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        dialect, by_row=undo,
        carry=carry or ([ALL] if undo else None),
        force_large=force_large,
    )  # fmt: skip
    outputs = {"--out": out, "--trail": trail, "--key": None if undo else key}
    with running.reading(how, into=into, force=force, outputs=outputs) as baskets:
        check_targets(baskets.shape, out=out, force=True)
        release = rename(baskets, key=key, seed=seed, undo=undo)
        if explain:
            return running.explained(baskets)
        if not undo:
            output.note(NO_PROMISE)
        written = running.publish_release(release, out, into, trail, Ids(renumber), force=force)
        if json:
            output.print_json(
                running.report(
                    NAME,
                    baskets,
                    release.parameters,
                    {"model": None, "holds": None},
                    release.metrics,
                    clock,
                    out=written,
                )  # fmt: skip
            )
        else:
            _print(release, written, key, clock, undo=undo, quiet=quiet)


def _check(
    key: Path,
    undo: bool,
    out: Path | None,
    into: str | None,
    trail: Path | None,
    database: str | None,
    *,
    force: bool,
) -> None:
    running.check_outputs(out, into, trail, database, force=force)
    if undo:
        return
    check_key(key)
    if out is None and into is None:
        raise InputError("a key without its release is of no use: name a file with --out")


def _print(
    release: Renaming, written: str | None, key: Path, clock: running.Clock, *, undo: bool,
    quiet: bool,
) -> None:  # fmt: skip
    metrics = release.metrics
    done = "names put back" if undo else "renamed"
    output.say(
        f"{done}: {counted(metrics.items, 'item')} in "
        f"{counted(metrics.transactions, 'transaction')} (checked: one to one, "
        f"{counted(release.verdict.checked, 'occurrence')}, nothing else changed)"
    )
    if not undo:
        output.say(f"key, confidential: {output.printable(str(key))}")
    running.tell_written(written, clock, quiet=quiet)
