"""`setveil rename`: the command of `setveil.rename`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.groups import Explaining, Places, Reading, Showing
from setveil.errors import InputError
from setveil.models.renaming.anonymize import Renaming, check_key, rename
from setveil.run.release import check_targets
from setveil.run.renumbering import Ids
from setveil.run.words import counted

NAME = "rename"
NO_PROMISE = (
    "renaming promises nothing: all supports stay, and an attacker who knows frequent itemsets of "
    "the original finds names; see: setveil reidentify"
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
            help="Write the key (code, name) to this confidential file, which is never "
            "overwritten. With --undo: read it.",
            show_default=False,
        ),
    ],
    undo: Annotated[
        bool,
        typer.Option(
            "--undo",
            help="Replace codes by names, in transactions or in a column of lists; all columns "
            "stay.",
        ),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Runs with the same seed give the same codes: it is as secret as the key "
            "(default: random).",
        ),
    ] = None,
    carry: o.Carry = None,
    renumber: o.Renumber = False,
) -> None:
    """Replace item names by random codes. This alone anonymizes nothing.

    Neither codes nor the order of rows depend on the names, but every support stays the same:
    `setveil reidentify` shows how many names an attacker finds. With the key, --undo replaces codes
    by names in the release, and --undo --item items in itemsets mined from it.
    """
    clock = running.Clock()
    if not explaining.explain:
        _check(key, undo, places, reading.database)
    with running.reading(
        source,
        reading,
        explaining,
        quiet=showing.quiet,
        carry=carry or (["all"] if undo else None),
        into=running.tables_of(places.into),
        force=places.force,
        by_row=undo,
        outputs=places.outputs | {"--key": None if undo else key},
    ) as baskets:
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
                )
            )
        else:
            _print(release, written, key, clock, undo=undo, quiet=showing.quiet)
            if written is not None and not undo:
                nexts.tell(nexts.after_rename(written, key, reading))


def _check(key: Path, undo: bool, places: Places, database: str | None) -> None:
    running.check_outputs(places.out, places.into, places.trail, database, force=places.force)
    if undo:
        return
    check_key(key)
    if places.out is None and places.into is None:
        raise InputError("a key is useless without its release: name a file with --out")


def _print(
    release: Renaming,
    written: str | None,
    key: Path,
    clock: running.Clock,
    *,
    undo: bool,
    quiet: bool,
) -> None:
    metrics = release.metrics
    done = "names restored" if undo else "renamed"
    output.say(
        f"{done}: {counted(metrics.items, 'item')} in "
        f"{counted(metrics.transactions, 'transaction')} (checked: one to one, "
        f"{counted(release.verdict.checked, 'occurrence')}, nothing else changed)"
    )
    if not undo:
        output.say(f"key, confidential: {output.printable(str(key))}")
    running.tell_written(written, clock, quiet=quiet)
