"""Write the result of a run whole or not at all, and never without its trail."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.files import folders, into, places, publishing
from setveil.run.files.digests import sha256
from setveil.run.inputs import Inputs, refuse_twice
from setveil.run.interrupts import held_together
from setveil.run.reading import Baskets
from setveil.trail import render as trails


@dataclass(frozen=True, slots=True)
class Origin:
    """The run of a result: data for the trail's head, and files that are written before it."""

    baskets: Baskets
    told: trails.Told
    before: Callable[[], None] = lambda: None
    mode: int = 0o666  # mode of the file
    own: tuple[str, ...] = ()  # columns of the source
    key: Path | None = None  # of ids that were replaced, written by `before`


def write_file(
    origin: Origin, statement: str, target: str, *, trail: str | Path | None, force: bool
) -> None:
    """Run the COPY that writes the file, and keep the trail."""
    session = origin.baskets.session
    session.course.enter("write")
    before = len(session.statements)
    if session.dry:
        return publishing.publish(session, statement)
    with (
        contextlib.ExitStack() as names,
        places.whole_file(target, session.inputs, force=force, mode=origin.mode) as place,
    ):
        publishing.publish_file(session, statement, place)
        names.enter_context(held_together())
        keep_trail(origin, trail, {"release": target}, before, place, force=force)


def write_folder(
    origin: Origin,
    statements: Mapping[str, str],
    target: str,
    files: Mapping[str, str],
    *,
    trail: str | Path | None,
    force: bool,
) -> None:
    """Run a COPY for each of the files, by the variable that names it, and keep the trail."""
    session = origin.baskets.session
    session.course.enter("write")
    before = len(session.statements)
    if session.dry:
        for statement in statements.values():
            publishing.publish(session, statement)
        return
    with (
        contextlib.ExitStack() as names,
        folders.whole_folder(target, (*files.values(),), session.inputs, force=force) as place,
    ):
        for variable, statement in statements.items():
            path = str(Path(place) / files[variable])
            publishing.publish_file(session, statement, path, variable=variable)
        names.enter_context(held_together())
        targets = {name: str(Path(target) / file) for name, file in files.items()}
        keep_trail(origin, trail, targets, before, place, force=force)


def write_table(
    origin: Origin, query: exp.Query, table: str, *, trail: str | Path | None, force: bool
) -> None:
    """Make a table in the database of the source, and keep the trail."""
    write_tables(origin, {table: query}, trail=trail, force=force)


def write_tables(
    origin: Origin, queries: Mapping[str, exp.Query], *, trail: str | Path | None, force: bool
) -> None:
    """Make tables in the database of the source, all or none, and keep the trail."""
    session, source = origin.baskets.session, origin.baskets.source
    session.course.enter("write")
    before = len(session.statements)
    with (
        contextlib.ExitStack() as names,
        into.published_tables(session, source, queries, own=origin.own, force=force),
    ):
        names.enter_context(held_together())
        keep_trail(origin, trail, {}, before, next(iter(queries)), force=force)


def check_trail(out: str | Path | None, trail: str | Path | None, *, force: bool | None) -> None:
    """Refuse a trail that cannot be written, before any work."""
    if trail is None:
        return
    if out is not None:
        refuse_twice({"--out": out, "--trail": trail})
    if Path(trail).suffix.lower() != ".sql":
        raise InputError(f"{trail}: a trail is an SQL script: name it with .sql")
    places.check_place(str(trail), force=force)


def keep_trail(
    origin: Origin,
    trail: str | Path | None,
    targets: Mapping[str, str],
    before: int,
    place: str,
    *,
    force: bool,
) -> None:
    """Write the trail before the result gets its name: no result exists without its trail.

    `targets` are the files of the result by their variables; without any it is a table. `place`
    holds the rows: a file or folder without its final name, or a table.
    """
    if origin.baskets.session.dry:
        return
    origin.before()
    if trail is None:
        return
    release: dict[str, object] = {"table": place}
    if len(targets) == 1:
        release = {"file": targets["release"], "sha256": sha256(Path(place))}
    elif targets:
        held = {Path(one).name for one in targets.values()}
        digests = {name: sha256(Path(place) / name) for name in sorted(held)}
        release = {"folder": str(Path(targets["release"]).parent), "sha256": digests}
    if origin.key is not None:
        release["key_sha256"] = sha256(origin.key)
    text = trails.render(origin.baskets, origin.told, targets, before, release)
    write_text(str(trail), text, origin.baskets.session.inputs, force=force)


def write_text(path: str, text: str, inputs: Inputs, *, force: bool) -> None:
    """Write a file that only its owner can read."""
    with places.whole_file(path, inputs, force=force, mode=0o600) as place:
        Path(place).write_bytes(text.encode())
