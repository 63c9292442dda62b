"""Append a release to its target as a new slice, or let its transactions wait.

The ledger gets the intent first, with a digest of the slice; then the slice appears whole; then the
ledger says that it is done.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from setveil.errors import InputError, UnreachableError
from setveil.run import writing
from setveil.run.interrupts import held_together
from setveil.run.reading import Baskets, cells_of
from setveil.run.release import Release
from setveil.run.renumbering import Ids
from setveil.run.slices.promise import Appending
from setveil.run.slices.selecting import Slice
from setveil.run.slices.targets import ended
from setveil.run.words import counted
from setveil.sql.run.slices import ledger as sql_ledger
from setveil.sql.run.slices import target as sql_target
from setveil.sql.run.slices import tree
from setveil.sql.step import Step

NUMBER = "{slice}"  # in the name of a trail


@dataclass(frozen=True, slots=True)
class Appended:
    """The result of a run that appends: its slice, or None if all new transactions wait.

    `released` transactions are in the slice, and `waiting` ones in none, the first for `days`.
    `late` and `lost` ones changed or vanished after their release. `unlisted` wait since an item is
    in no list. `erased` ones were taken out of the target.
    """

    target: str
    ledger: str  # the key of its ids
    slice: int | None
    fresh: int
    released: int
    waiting: int
    days: int
    late: int
    lost: int
    unlisted: int
    erased: int = 0
    why: str = ""  # why transactions wait
    written: str | None = None
    release: Release[Any] | None = None


def slice_of(baskets: Baskets) -> Slice:
    """The slice that these transactions are; else an error."""
    if baskets.slice is None:
        raise InputError("these transactions are no slice: read them for a target")
    return baskets.slice


def append_release(
    release: Release[Any], *, trail: str | Path | None = None, redact: bool = False
) -> Appended:
    """Write a release that its checker has passed as the next slice of its target."""
    baskets, new = release.baskets, slice_of(release.baskets)
    session, target = baskets.session, new.target
    place = trail_of(trail, new)
    ids = Ids(new.wanted.renumber, above=new.above)
    before = len(session.statements)
    queries = release.parts(place, ids)
    rows = new.ledger.prepared(_rows(release, new))
    largest = _largest(release, ids)
    origin = release.origin(redact)
    with contextlib.ExitStack() as names:
        targets, made, held, digest = names.enter_context(
            target.made(session, baskets.source, queries, new.number)
        )
        names.enter_context(held_together())
        writing.keep_trail(origin, place, targets, before, made, force=False)
        intent, done = events(new.attempt, new.number, held, digest, largest, baskets.source.place)
        nights = [(new.night, new.today)] if new.fresh else []
        told = [intent, done] if new.ledger.together else [intent]
        new.ledger.write(rows, {"attempt": told, "night": nights})
    if not new.ledger.together:
        new.ledger.write([], {"attempt": [done]})
    ended(target)
    release.note(release.shape.columns, ids)
    session.note(
        f"supports are true within a slice of {target.name} only: a transaction that waits or "
        "came late is counted in another"
    )
    return replace(
        nothing_appended(new),
        slice=new.number,
        released=new.held,
        waiting=new.unlisted,
        written=target.shown(new.number),
        release=release,
    )


def _largest(release: Release[Any], ids: Ids) -> int:
    """The largest number that the target has: it replaces an id, or is that of a group."""
    if ids.renumber:
        step = sql_target.largest()
    elif release.shape.group is not None:
        step = sql_target.largest_group(release.shape.group)
    else:
        return ids.above
    (largest,) = release.baskets.session.look_up(step)[0]
    return int(largest) + (0 if ids.renumber else ids.above)


def wait(baskets: Baskets, why: str) -> Appended:
    """Let all transactions of the slice wait; the ledger keeps the day on which each came."""
    new = slice_of(baskets)
    if new.fresh:
        rows = new.ledger.prepared([sql_ledger.arrivals(new.night, new.today)])
        new.ledger.write(rows, {"night": [(new.night, new.today)]})
        new.ledger.commit()
    waiting = new.held + new.unlisted
    if new.wanted.max_age is not None and new.days > new.wanted.max_age:
        raise UnreachableError(
            f"{counted(waiting, 'transaction')} wait for {new.target.name}, the first for "
            f"{counted(new.days, 'day')}, longer than --max-age {new.wanted.max_age}: {why}"
        )
    if new.held:
        baskets.session.note(
            f"nothing was appended to {new.target.name}: {counted(waiting, 'transaction')} wait, "
            f"the first for {counted(new.days, 'day')}: {why}"
        )
    return replace(nothing_appended(new), waiting=waiting, why=why)


def trail_of(trail: str | Path | None, new: Slice) -> str | None:
    """The name of the trail of a slice, which must be outside the target."""
    if trail is None:
        return None
    named = str(trail).replace(NUMBER, f"{new.number:06}")
    new.target.refuse_inside("--trail", named)
    writing.check_trail(None, named, force=None)
    return named


def is_only_shown(release: Release[Any]) -> bool:
    """Is nothing to be written? Then the rows that the ledger would get are shown too."""
    baskets = release.baskets
    if baskets.session.dry:
        slice_of(baskets).ledger.prepared(_rows(release, slice_of(baskets)))
    return baskets.session.dry


def _rows(release: Release[Any], new: Slice) -> list[Step]:
    """The rows that the ledger gets with a slice."""
    wanted: Appending = new.wanted
    found = [sql_ledger.arrivals(new.night, new.today)] if new.fresh else []
    found.append(sql_ledger.parts(new.attempt, renumbered=wanted.renumber))
    listed = {role: made for role, made in release.promise.roles.items() if role in wanted.lists}
    found += [
        sql_ledger.with_role(relation, role, new.attempt) for role, relation in listed.items()
    ]
    if wanted.of_tree:
        found.append(tree.new_places(new.attempt))
    if release.shape.level is not None:
        cells = cells_of(release.baskets.session, release.shape, "release")
        found.append(tree.splits(cells, new.attempt))
    return [*found, sql_ledger.plain_items(new.attempt)] if wanted.lists else found


def nothing_appended(new: Slice) -> Appended:
    return Appended(
        target=new.target.name,
        ledger=new.ledger.named(new.target.name),
        slice=None,
        fresh=new.fresh,
        released=0,
        waiting=0,
        days=new.days,
        late=new.late,
        lost=new.lost,
        unlisted=new.unlisted,
    )


Event = tuple[object, ...]


def events(
    attempt: int, number: int, held: int | None, digest: str, largest: int, source: str
) -> tuple[Event, Event]:
    """The rows of the ledger that say that a slice will be written, and that it was."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    versions = f"setveil {version('setveil')}, duckdb {version('duckdb')}"
    told = (number, held, digest, largest, now, versions, source)
    return (attempt, sql_ledger.INTENT, *told), (attempt, sql_ledger.DONE, *told)
