"""Look for earlier releases of the same data: no promise covers two releases together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from setveil.errors import InputError
from setveil.run.reading import Baskets
from setveil.run.slices.beside import ledgers_of, ledgers_on_server
from setveil.trail.head import CONFIDENTIAL, Head, inputs_of, read_head
from setveil.trail.render import Told

FOUND = ("itemsets", "reidentify")  # these trails have results, but no release


def note_earlier(
    baskets: Baskets, told: Told, out: str | Path | None, trail: str | Path | None
) -> None:
    """Note every other release of this data whose trail is in the folders of the outputs.

    A trail that is replaced, or that has equal parameters, does not count.
    """
    if baskets.session.dry:
        return
    beside = [Path(one).absolute() for one in (out, trail) if one is not None]
    held, source = {one.parent for one in beside}, baskets.source
    place = source.place if source.is_file else source.database
    if place is not None and not source.from_server:
        held.add(Path(place).absolute().parent)
    found = map(os.path.relpath, ledgers_of(baskets.session, source.place, held))
    for name in (*found, *ledgers_on_server(baskets.session, source.place)):
        baskets.session.note(
            f"the ledger {name} is of a target with slices of the same source: no promise covers "
            "both together; release new transactions with --append"
        )
    for path, head in _heads({one.parent for one in beside}):
        replaced = trail is not None and path == Path(trail).absolute()
        same_run = (head.model, head.lines.get("parameters")) == (told.model, _plain(told))
        if replaced or head.model in FOUND or not _is_of(baskets, head):
            continue
        if not same_run:
            baskets.session.note(
                f"{os.path.relpath(path)} is of an earlier release of the same data: no promise "
                "covers both releases together"
            )


def _plain(told: Told) -> dict[str, object]:
    return dict(told.parameters)


def _heads(folders: set[Path]) -> Iterator[tuple[Path, Head]]:
    """The trails in these folders."""
    for path in sorted(one for folder in folders for one in folder.glob("*.sql")):
        try:
            with path.open(encoding="utf-8", newline="") as file:
                first = file.readline()
                if first.rstrip("\n") != CONFIDENTIAL:
                    continue
                lines = [first]
                while (line := file.readline()) not in ("", "\n"):
                    lines.append(line)
            yield path, read_head(path, "".join(lines).rstrip("\n") + "\n\n")
        except (InputError, OSError, UnicodeDecodeError):
            continue  # the file is no trail that could be replayed


def _is_of(baskets: Baskets, head: Head) -> bool:
    """Is the trail of this data, by the name of its source or by its digest?"""
    if head.source == baskets.source.name:
        return True
    read = head.lines.get("input", {}).get("source")
    return read is not None and read == inputs_of(baskets).get("source")
