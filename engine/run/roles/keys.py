"""Transaction ids of several columns. A run has them as one text, a release as their columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.session import Session
from setveil.run.shape import NUMBERED, Shape
from setveil.sql.run import keys as sql
from setveil.sql.step import Step, render, user_column

Tid = str | Sequence[str]


def key_columns(tid: Tid | None) -> tuple[str, ...]:
    """The columns of transaction ids; none without a name."""
    if tid is None or isinstance(tid, str):
        return () if tid is None else (tid,)
    named = tuple(tid)
    if not named or not all(isinstance(one, str) for one in named):
        raise InputError(f"--tid is a column or a list of columns, not {tid!r}")
    if len(set(named)) < len(named):
        raise InputError(f"--tid names a column twice: {', '.join(named)}")
    return named


def with_key(shape: Shape, columns: Iterable[str]) -> tuple[str, ...]:
    """The columns of a release in a run, where the text of the id is in place of its columns."""
    if not shape.keys or shape.key is None:
        return tuple(columns)
    named = (shape.key if name in shape.keys else name for name in columns)
    return tuple(dict.fromkeys(named))


def text_of(values: Iterable[object]) -> str:
    """The text of an id of several columns, as `join_keys` makes it."""
    return "/".join(str(one).replace("%", "%25").replace("/", "%2F") for one in values)


def join_keys(session: Session, shape: Shape, relation: str) -> None:
    """Add the text of the id to a relation of the user's columns."""
    assert shape.key is not None
    columns = (*shape.given, shape.line) if shape.lists else shape.given
    made = sql.keyed(relation, columns, shape.keys, shape.key)
    session.create(made)
    gone = exp.Drop(tables=[exp.to_table(relation)], kind="TABLE")
    session.run(relation, "its ids become one text", render(gone, session.backend.can.dialect))
    every = exp.Select().select(exp.Star()).from_(made.name)
    session.create_at(exp.to_table(relation), Step(relation, made.why, every))
    session.drop(made.name)


def split_keys(session: Session, shape: Shape) -> None:
    """Make the relation from which a release gets the columns of its ids."""
    if shape.keys and shape.key is not None:
        session.create(sql.parts(shape.parts, shape.key))


def with_text(shape: Shape, rows: exp.Expr, *, renumbered: bool) -> exp.Expr:
    """The rows of a release with one column of ids, as a run has them."""
    if not shape.keys or shape.key is None:
        return rows
    columns = [NUMBERED] if renumbered else shape.keys
    return sql.with_text(rows, [user_column(one) for one in columns], user_column(shape.key))


def published(shape: Shape, query: exp.Select) -> exp.Select:
    """The query of a release with the columns of its ids."""
    if not shape.keys or shape.key is None:
        return query
    return sql.with_parts(query, shape.parts, shape.key)
