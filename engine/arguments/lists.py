"""Lists of items that the caller names: in a file, in a sequence, or by a condition.

The names travel to the database as data and come back as item numbers; no name enters SQL text, but
for the condition of a `where:`, which is SQL by the caller's own wish.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from setveil.arguments.near_misses import refuse_near_misses
from setveil.errors import InputError, QueryError
from setveil.run.files.listed import columns_in
from setveil.run.session import Session
from setveil.sql.run import conditions
from setveil.sql.run import lists as sql

Items = str | Path | Iterable[object]

CONDITION = "where:"


def item_numbers(
    session: Session,
    items: Items,
    option: str,
    *,
    ignore_unknown: bool = False,
    released: bool = False,
) -> list[int]:
    """The numbers of the named items, ascending. Names that the data lacks are an error.

    A release may have lost them: they are passed over, and named. A list that comes to nothing
    though it was meant to name something is an error of either: a slip in a condition would leave
    everything unprotected.
    """
    if isinstance(items, str) and items.startswith(CONDITION):
        chosen, asked = _chosen(session, items.removeprefix(CONDITION), option), True
    else:
        names = named(session, items, option)
        if isinstance(items, str | Path) and not names:
            raise InputError(f"--{option}: {str(items)!r} names no item; mend it, or leave it out")
        chosen = _named(session, names, option, ignore_unknown=ignore_unknown, released=released)
        asked = bool(names)
    if asked and not chosen:
        if not ignore_unknown:
            raise InputError(_nothing(items, option, released=released))
        session.note(f"--{option}: the data holds none of the items that it names")
    return chosen


def _nothing(items: Items, option: str, *, released: bool) -> str:
    condition = str(items).startswith(CONDITION)
    if released:
        return (
            f"--{option}: the release holds none of the items; mend the "
            f"{'condition' if condition else 'list'} or, if all of them were suppressed, go on "
            "with --ignore-unknown"
        )
    return (
        f"--{option}: no item of the data satisfies {items!r}; mend the condition, or go on "
        "without such items with --ignore-unknown"
    )


def _named(
    session: Session, names: list[str], option: str, *, ignore_unknown: bool, released: bool
) -> list[int]:
    session.backend.insert_columns("named", ("name",), [names])
    found = session.look_up(sql.chosen_by_name(option))
    session.forget("named")
    unknown = [name for name, number in found if number is None]
    known = [name for name, number in found if number is not None]
    refuse_near_misses(session, option, unknown, known)
    if unknown and not ignore_unknown:
        shown = ", ".join(repr(name) for name in unknown[:5])
        more = f" and {len(unknown) - 5:,} more" if len(unknown) > 5 else ""
        if not released:
            raise InputError(
                f"--{option}: the data does not hold {shown}{more}; "
                "mend the list, or pass over them with --ignore-unknown"
            )
        if len(unknown) < len(names):
            session.note(
                f"--{option}: passed over, as the release does not hold them: {shown}{more}"
            )
    return sorted({int(number) for _, number in found if number is not None})


def _chosen(session: Session, text: str, option: str) -> list[int]:
    condition = _condition(text, option)
    try:
        return [int(number) for (number,) in session.ask(sql.chosen_by(option, condition))]
    except QueryError as error:
        raise InputError(f"--{option}: the condition {text!r} fails: {error}") from error


def named(session: Session, items: Items, option: str) -> list[str]:
    """The names themselves, as text, each once, in their order."""
    if isinstance(items, str | Path):
        path = Path(items)
        if not os.path.isfile(path):
            raise InputError(
                f"--{option}: no such file: {str(items)!r} (a condition starts with {CONDITION})"
            )
        if path.suffix.lower() in (".csv", ".tsv", ".parquet"):
            listed = [name for (name,) in columns_in(session, str(path), ("item",), option)]
        else:
            session.inputs.add([path], f"--{option}")
            listed = _lines(path, option)
    else:
        listed = [_text(one, option) for one in items]
    return list(dict.fromkeys(listed))


def _text(value: object, option: str) -> str:
    """A value of the caller's as the database writes it."""
    if value is None:
        raise InputError(f"--{option}: None is no item")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lines(path: Path, option: str) -> list[str]:
    """One name per line, which ends with LF or CR LF; lines without any character are passed over.

    A name is all of its line: blanks too, and whatever else breaks a line elsewhere, as U+2028.
    """
    try:
        # Editors mark a file as UTF-8 by U+FEFF at its start, which is no part of a name.
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"--{option}: {path} is not UTF-8 text: {error.reason}") from error
    except OSError as error:
        raise InputError(f"--{option}: {path} cannot be read: {error.strerror}") from error
    return [line for line in (line.removesuffix("\r") for line in lines) if line]


def _condition(text: str, option: str) -> exp.Expr:
    """A condition on name and support, and nothing else."""
    try:
        tree = sqlglot.parse_one(text, into=exp.Condition, dialect="duckdb")
    except SqlglotError as error:
        raise InputError(
            f"--{option}: {text!r} is no SQL condition: write one as behind WHERE, such as "
            "where:name LIKE 'Rx %' AND support < 50"
        ) from error
    if tree.find(exp.Query, exp.DML, exp.DDL):
        raise InputError(f"--{option}: {text!r} must be a condition, not a query")
    for column in tree.find_all(exp.Column):
        if column.name.lower() not in ("name", "support") or column.table:
            raise InputError(
                f"--{option}: {column.sql(dialect='duckdb')} is neither name nor support, "
                "which are all that a condition can speak of"
            )
    if (found := conditions.foreign(tree)) is not None:
        raise InputError(
            f"--{option}: {found!r} cannot stand in a condition, which compares name and support "
            "and chooses the same items each time: write comparisons, LIKE, IN and plain functions "
            "of text and numbers"
        )
    return tree
