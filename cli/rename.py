"""`setveil rename`: the command of `setveil.rename`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.groups import Explaining, Places, Reading, Showing
from setveil.errors import InputError
from setveil.models.renaming.anonymize import Renaming, check_key, rename
from setveil.run.release import check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "rename"
NO_PROMISE = (
    "nothing is promised: all supports are as they were, and whoever knows frequent itemsets of "
    "the original gets names back; see: setveil reidentify"
)


def command(
    places: Places,
    reading: Reading,
    explaining: Explaining,
    showing: Showing,
    *,
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
    carry: o.Carry = None,
    renumber: o.Renumber = False,
) -> None:
    """Put random codes in the place of item names. This alone anonymizes nothing.

    Codes and the order of the release tell nothing of the names, but every support stays as it was:
    `setveil reidentify` shows how many names come back. The key turns codes into names again, in
    the release (--undo) or in what was mined from it (--undo --item items).
    """
    clock = running.Clock()
    if not explaining.explain:
        _check(key, undo, places, reading.database)
    with running.reading(
        source, reading, explaining, quiet=showing.quiet,
        carry=carry or (["all"] if undo else None), into=places.into, force=places.force,
        by_row=undo, outputs=places.outputs | {"--key": None if undo else key},
    ) as baskets:  # fmt: skip
        check_targets(baskets.shape, out=places.out, force=True)
        release = rename(baskets, key=key, seed=seed, undo=undo)
        if explaining.explain:
            return running.explained(baskets)
        if not undo:
            output.note(NO_PROMISE)
        written = running.publish_release(
            release, places.out, places.into, places.trail, Ids(renumber), force=places.force
        )
        if showing.json:
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
            _print(release, written, key, clock, undo=undo, quiet=showing.quiet)


def _check(key: Path, undo: bool, places: Places, database: str | None) -> None:
    running.check_outputs(places.out, places.into, places.trail, database, force=places.force)
    if undo:
        return
    check_key(key)
    if places.out is None and places.into is None:
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
