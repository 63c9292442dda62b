"""Merge rows with lists that share a transaction id.

Readers of a release in LIST form take each row for a transaction of its own.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.backends.local import LISTS
from setveil.errors import InputError
from setveil.run.files.source import Source
from setveil.run.session import Session
from setveil.run.shape import LEVEL, Shape
from setveil.run.words import counted
from setveil.sql.run import merging as sql
from setveil.sql.step import Step, render


def merge_rows(session: Session, source: Source, shape: Shape, repeated: int) -> None:
    """Merge the rows of each transaction in `source`; `repeated` is the number of extra rows."""
    told = f"{source.name}: {counted(repeated, 'row')} with the transaction id of another row"
    _refuse_lists(session, shape, told)
    key = shape.key or shape.line
    _refuse_contradictions(session, shape, key, told)
    made = sql.merged(shape.stored, key, shape.item, shape.line)
    replace_source(session, made, "its rows are merged")
    session.note(f"{told}: rows of one transaction are merged")


def replace_source(session: Session, made: Step, why: str, name: str = "source") -> None:
    """Replace `source`, or another relation, by the step's rows, which are made from it."""
    session.create(made)
    gone = exp.Drop(tables=[exp.to_table(name)], kind="TABLE")
    session.run(name, why, render(gone, session.backend.can.dialect))
    every = exp.Select().select(exp.Star()).from_(made.name)
    session.create_at(exp.to_table(name), Step(name, made.why, every))
    session.drop(made.name)


def _refuse_lists(session: Session, shape: Shape, told: str) -> None:
    """Refuse to merge other list columns: their elements may belong to single items."""
    kinds = session.backend.columns_of(exp.to_table("source"))
    for name in (*shape.others, *(one for one in shape.beside if one == LEVEL)):
        if kinds[name].startswith(LISTS):
            raise InputError(
                f"{told}: they cannot be merged, because {name!r} is a list beside the items; "
                "leave that column out, or merge the rows in a query"
            )


def _refuse_contradictions(session: Session, shape: Shape, key: str, told: str) -> None:
    if not shape.others:
        return
    step = sql.contradictions(shape.others, shape.by_text, key, shape.item, shape.line)
    counts = session.one(step)
    for name, count in zip(shape.others, counts, strict=True):
        if count:
            raise InputError(
                f"{told}: they cannot be merged, because {counted(count, 'row')} differ in "
                f"{name!r} from the first of their transaction; leave that column out"
            )
