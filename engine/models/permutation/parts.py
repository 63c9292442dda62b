"""Read the second relation of a release in two parts, beside the first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.errors import InputError
from setveil.models.case import Parts
from setveil.run.files.local_duckdb import outside
from setveil.run.files.parted import PartedRelease
from setveil.run.files.parts import COUNT, GROUP, parts_of
from setveil.run.files.reading import load
from setveil.run.reading import Baskets
from setveil.run.release import Release
from setveil.run.session import Session
from setveil.run.shape import SLICE, Shape
from setveil.sql.models.permutation import check as sql
from setveil.sql.run.reading import column

COUNTED = "counted"  # the relation of the counts that were read


def with_groups(shape: Shape, source: str) -> Shape:
    """The shape of a release with its column of groups."""
    if GROUP not in shape.given:
        shown = ", ".join(repr(name) for name in shape.given)
        raise InputError(f"{source} has no column {GROUP!r} of groups; it has {shown}")
    return replace(shape, group=GROUP)


def parts_read(given: Baskets, counts: str | Path | None = None) -> Parts:
    """Both parts of a release that was read; `counts` names the second if it has another name."""
    session, shape = given.session, given.shape
    with_groups(shape, given.source.name)
    if COUNTED not in session.relations:
        is_file = given.source.is_file
        name = parts_of(given.source.name, is_file=is_file)[1] if counts is None else str(counts)
        source = replace(given.source, name=name)
        if source.connected or source.on_server:
            session.run("input", "table names are looked up here first", outside(session, source))
        try:
            found = load(session, source, GROUP, shape.item, COUNTED)
        except InputError:
            session.run("run", "names are relations of the run again", session.backend.inside)
            raise
        session.relations.append(COUNTED)
        if session.supposed(COUNT not in found.given or found.lists, False):
            raise InputError(f"{name} is no second part of a release: it needs a column {COUNT!r}")
    rows = sql.counts_of(COUNTED, GROUP, shape.item, COUNT)
    return Parts(_groups(shape, "source"), rows, _slices(session, shape))


def parts_made(made: Release[Any], read: Baskets) -> Parts:
    """Both parts of a release in its run, the first of which was read again."""
    if not isinstance(made, PartedRelease):
        raise InputError(f"a release of {made.model} has one part: it has no groups to check")
    counts = made.baskets.session.backend.of_run(made.second.relation)
    rows = sql.counts_of(counts, GROUP, read.shape.item, COUNT)
    read.session.create(sql.counted(rows, COUNTED))
    return Parts(_groups(read.shape, "source"), exp.to_table(COUNTED))


def _slices(session: Session, shape: Shape) -> exp.Expr | None:
    """The slices in which each relation has a group; None without slices."""
    if SLICE not in shape.given:
        return None
    columns = session.backend.columns_of(exp.to_table(COUNTED))
    if session.supposed(SLICE not in columns, False):
        raise InputError(f"the second part of the release has no column {SLICE!r}, as the first")
    return sql.slices_of("source", COUNTED, GROUP, SLICE)


def _groups(shape: Shape, relation: str) -> exp.Expr:
    return sql.groups_of(relation, column(shape.key or shape.line), column(GROUP))
