"""Read several releases of one data, and number all that they show in one run beside theirs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError
from setveil.hierarchy.trees import given_levels
from setveil.history.groups import WIDEST, refuse_many
from setveil.run.notes import note_unjudged
from setveil.run.persons import note_persons, refuse_unowned
from setveil.run.reading import Baskets, cells_of, read_beside, session_beside, source_beside
from setveil.run.session import Session, Statement
from setveil.run.shape import LEVEL, SLICE, Shape
from setveil.run.words import counted
from setveil.sql.hierarchy import cover
from setveil.sql.history import shown as ask
from setveil.sql.history import tuples
from setveil.sql.run import reading as sql
from setveil.verify import as_release, beside


@dataclass(frozen=True, slots=True)
class Present:
    """Transactions that are in exactly the same releases, whose numbers are bits of `presence`."""

    kind: int  # the number of this presence
    presence: int
    transactions: int
    cells: int  # that all releases show of them


@dataclass(frozen=True, slots=True)
class Together:
    """Releases in numbers: the relations of `sql.history.shown`, in a run of their own."""

    session: Session
    releases: tuple[Baskets, ...]
    present: tuple[Present, ...]
    levels: bool  # some release shows nodes
    sliced: tuple[int, ...]  # the releases with slices
    persons: int | None
    names: tuple[str, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of all runs but that of the first release."""
        sessions = [one.session for one in self.releases[1:]]
        return tuple(one for run in (*sessions, self.session) for one in run.statements)

    @property
    def overlap(self) -> bool:
        """Is a transaction in two releases?"""
        return any(one.presence.bit_count() > 1 for one in self.present)


@dataclass(frozen=True, slots=True)
class Reading:
    """How the releases after the first are read: as the first, each with its key of ids."""

    keys: Sequence[str | Path | None] = ()
    drop_nulls: bool = False


def read_others(
    runs: contextlib.ExitStack, first: Baskets, others: Sequence[str | Path], how: Reading
) -> list[Baskets]:
    """Read the other releases beside the first, with its columns."""
    if how.keys and len(how.keys) != len(others):
        raise InputError(
            f"{counted(len(how.keys) + 1, 'key')} for {counted(len(others) + 1, 'release')}; name "
            "one for each, in their order, and none where ids were kept"
        )
    if others:
        _refuse_without_ids(first)
    found = [first]
    for other, key in zip(others, how.keys or [None] * len(others), strict=True):
        run = read_beside(
            first,
            source_beside(first, other),
            tid=first.shape.tid,
            item=first.shape.item,
            drop_nulls=how.drop_nulls,
            key=key,
            person=first.shape.person,
            guests=first.guests,
        )
        runs.callback(run.close)
        found.append(run)
    return found


def _refuse_without_ids(release: Baskets) -> None:
    if release.shape.key is None:
        raise InputError(
            f"{release.source.name} has no transaction ids: several releases are matched by them; "
            "name the column with --tid"
        )


def number(
    runs: contextlib.ExitStack,
    releases: Sequence[Baskets],
    *,
    of_nodes: bool,
    level: str | None = None,
    levels: Sequence[str | None] | None = None,
    owners: exp.Expr | None = None,
    names: Sequence[str] | None = None,
) -> Together:
    """Number all that the releases show. `owners` has rows (key, person) of all transactions.

    With `of_nodes` a column of levels is read: `level`, or the one of that name, or of each release
    the one in `levels`. With `names` the releases are known to the caller, who has noted which
    columns no promise covers.
    """
    if len(releases) > WIDEST:
        raise InputError(f"{counted(len(releases), 'release')}: at most {WIDEST} are read at once")
    for one in releases if len(releases) > 1 else ():
        _refuse_without_ids(one)
    session = session_beside(releases[0])
    runs.callback(session.close)
    shapes = [as_release(one).shape for one in releases]
    if levels is not None:
        shapes = [replace(one, level=its) for one, its in zip(shapes, levels, strict=True)]
    elif of_nodes:
        shapes = _levelled(shapes, level)
    given = [_given(*one) for one in zip(releases, shapes, strict=True)]
    if names is None:
        _note(releases, shapes, owned=owners is not None)
    session.create(ask.rows(given))
    if (bare := session.one(ask.unlevelled())[0]) and any(one.levels for one in given):
        raise InputError(f"{counted(bare, 'node')} of the releases without a level (NULL)")
    made = (ask.keys(), ask.nodes(), ask.present(), ask.shown(), ask.presences())
    for step in made:
        session.create(step)
    session.give_back("history_row")
    _name_items(session, releases, shapes)
    present = session.supposed([Present(*map(int, row)) for row in session.ask(ask.found())], [])
    refuse_many([one.presence for one in present])
    return Together(
        session,
        tuple(releases),
        tuple(present or [Present(0, (1 << len(releases)) - 1, 1, 1)]),
        any(one.levels for one in given),
        _slices(session, given),
        _persons(session, releases, owners),
        tuple(names or (one.source.name for one in releases)),
    )


def _levelled(shapes: Sequence[Shape], level: str | None) -> list[Shape]:
    """The shape of each release, with its column of levels if it has one."""
    column = LEVEL if level is None else level
    if level is not None and not any(level in one.given for one in shapes):
        raise InputError(f"no release has a column {level!r}; name that of levels with --level")
    return [replace(one, level=column if column in one.given else None) for one in shapes]


def _given(release: Baskets, shape: Shape) -> ask.Given:
    """The release as its questions read it."""
    backend = release.session.backend
    cells = beside(release, cells_of(release.session, shape, "source"))
    sliced = SLICE in shape.given
    return ask.Given(
        cells,
        shape.level is not None,
        release.key,
        backend.of_run("source"),
        sql.column(SLICE) if sliced else None,
    )


def _note(releases: Sequence[Baskets], shapes: Sequence[Shape], *, owned: bool) -> None:
    """Note the limits of a verdict on the releases."""
    for release, shape in zip(releases, shapes, strict=True):
        note_unjudged(releases[0].session, release.source.name, shape)
    if not owned:
        note_persons(releases[0].session, releases[0].shape, releases[0].persons)


def _name_items(session: Session, releases: Sequence[Baskets], shapes: Sequence[Shape]) -> None:
    """Make `item`, by which lists and conditions name items, in the type of their names."""
    labels = [one.session.backend.of_run("label") for one in releases]
    kinds = {
        one.session.backend.columns_of(exp.to_table("source")).get(shape.item, "").split(" ")[-1]
        for one, shape in zip(releases, shapes, strict=True)
    }
    session.create(ask.items(labels, as_text=len(kinds) > 1))


def _slices(session: Session, given: Sequence[ask.Given]) -> tuple[int, ...]:
    """Make history_slice, if a release has slices; return these releases."""
    sliced = tuple(number for number, one in enumerate(given) if one.slice is not None)
    if sliced:
        session.create(ask.slices(given))
        (torn,) = session.one(ask.torn())
        if torn:
            raise InputError(
                f"{counted(torn, 'transaction')} in two slices of a release: ids must be unique "
                "in a target; name another column with --tid"
            )
    return sliced


def _persons(session: Session, releases: Sequence[Baskets], owners: exp.Expr | None) -> int | None:
    """Make history_owner, where persons are counted; return their number."""
    if owners is not None:
        session.create(ask.owners([ask.owners_of(owners)]))
    elif releases[0].persons is not None:
        runs = [one.session.backend for one in releases]
        known = [ask.owners_in(one.of_run("owner"), one.of_run("person")) for one in runs]
        session.create(ask.owners(known))
    else:
        return None
    missing, mixed, persons = session.one(ask.owned())
    refuse_unowned(missing)
    if mixed:
        raise InputError(f"{counted(mixed, 'transaction')} with another person in another release")
    return int(persons)


def join_nodes(together: Together, hierarchy: str | Path | None) -> None:
    """Make history_above of the hierarchy: it tells which nodes of two releases cover one item."""
    session = together.session
    if "history_above" in session.relations:
        return
    if hierarchy is None:
        raise InputError(
            "generalized releases that share transactions are joined by their hierarchy: name its "
            "file with --hierarchy"
        )
    levels = given_levels(replace(together.releases[0], session=session), hierarchy)
    session.create(cover.ancestors(levels))
    strangers = session.ask(tuples.strangers())
    if strangers:
        shown = ", ".join(f"{label!r} (level {level})" for level, label, _ in strangers)
        raise InputError(
            f"--hierarchy: {hierarchy} lacks {counted(strangers[0][2], 'node')} of the releases, "
            f"such as {shown}; name the hierarchy they were made with"
        )
    session.create(tuples.above())
    (nested,) = session.one(tuples.nested())
    if nested:
        raise InputError(
            f"--hierarchy: {counted(nested, 'node')} beside a node above them in one transaction; "
            "name the hierarchy that the releases were made with"
        )
