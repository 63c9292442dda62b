"""Read lists of items from a file, a sequence or a condition.

Names go to the database as data, and their item numbers are returned. No name enters SQL text,
except in a condition after `where:`, which is SQL itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from setveil.errors import InputError, QueryError
from setveil.run.files.listed import columns_in
from setveil.run.files.places import no_file
from setveil.run.roles.near_misses import refuse_near_misses
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
    """Return the numbers of the listed items, ascending. A name that the data lacks is an error.

    A release may have lost such names: they are skipped, and a note names them. A list without any
    known item is an error in both cases: a slip in a condition would leave all items unprotected.
    """
    if isinstance(items, str) and items.startswith(CONDITION):
        chosen, asked = _chosen(session, items.removeprefix(CONDITION), option), True
    else:
        names = named(session, items, option)
        if isinstance(items, str | Path) and not names:
            raise InputError(
                f"--{option}: {str(items)!r} names no item; correct it, or leave it out"
            )
        chosen = _named(session, names, option, ignore_unknown=ignore_unknown, released=released)
        asked = bool(names)
    if asked and not chosen:
        if not ignore_unknown:
            raise InputError(_nothing(items, option, released=released))
        session.note(
            f"--{option}: the data holds none of the listed items, so the promise covers no item"
        )
    return chosen


def _nothing(items: Items, option: str, *, released: bool) -> str:
    condition = str(items).startswith(CONDITION)
    if released:
        return (
            f"--{option}: the release holds none of the items; correct the "
            f"{'condition' if condition else 'list'} or, if all of them were suppressed, go on "
            "with --ignore-unknown"
        )
    return (
        f"--{option}: no item of the data satisfies {items!r}; correct the condition, or go on "
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
        if not released:
            raise InputError(
                f"--{option}: the data does not hold {_shown(unknown)}; "
                "correct the list, or skip them with --ignore-unknown"
            )
        if len(unknown) < len(names):
            session.note(f"--{option}: skipped, since the release lacks them: {_shown(unknown)}")
    elif unknown and not released and len(unknown) < len(names):
        session.note(
            f"--{option}: the data does not hold {_shown(unknown)}: an item with another spelling "
            "is not covered"
        )
    return sorted({int(number) for _, number in found if number is not None})


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(repr(name) for name in names[:5]) + more


def _chosen(session: Session, text: str, option: str) -> list[int]:
    condition = condition_of(text, option)
    try:
        return [int(number) for (number,) in session.ask(sql.chosen_by(option, condition))]
    except QueryError as error:
        raise InputError(f"--{option}: the condition {text!r} fails: {error}") from error


def named(session: Session, items: Items, option: str) -> list[str]:
    """Return the listed names as text, each once, in their order."""
    if isinstance(items, str | Path):
        path = Path(items)
        if not os.path.isfile(path):
            said = f"--{option}: no such file: {str(items)!r} (a condition starts with {CONDITION})"
            raise InputError(no_file(path, said))
        if path.suffix.lower() in (".csv", ".tsv", ".parquet"):
            listed = [name for (name,) in columns_in(session, str(path), ("item",), option)]
        else:
            session.inputs.add([path], f"--{option}")
            listed = _lines(path, option)
    else:
        listed = [_text(one, option) for one in items]
    return list(dict.fromkeys(listed))


def _text(value: object, option: str) -> str:
    """A value as text, in the form that the database gives it."""
    if value is None:
        raise InputError(f"--{option}: None is no item")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lines(path: Path, option: str) -> list[str]:
    """Return one name per line. A line ends with LF or CR LF; empty lines are skipped.

    A name is its whole line, with blanks and with other line separators such as U+2028.
    """
    try:
        # Some editors put U+FEFF at the start of a UTF-8 file; it is no part of a name.
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"--{option}: {path} is not UTF-8 text: {error.reason}") from error
    except OSError as error:
        raise InputError(f"--{option}: {path} cannot be read: {error.strerror}") from error
    return [line for line in (line.removesuffix("\r") for line in lines) if line]


def condition_of(text: str, option: str) -> exp.Expr:
    """Parse a condition on name and support; other SQL is refused."""
    try:
        tree = sqlglot.parse_one(text, into=exp.Condition, dialect="duckdb")
    except SqlglotError as error:
        raise InputError(
            f"--{option}: {text!r} is no SQL condition: write one such as "
            "where:name LIKE 'Rx %' AND support < 50"
        ) from error
    if tree.find(exp.Query, exp.DML, exp.DDL):
        raise InputError(f"--{option}: {text!r} must be a condition, not a query")
    for column in tree.find_all(exp.Column):
        if column.name.lower() not in ("name", "support") or column.table:
            raise InputError(
                f"--{option}: {column.sql(dialect='duckdb')} is neither name nor support: a "
                "condition has no other columns"
            )
    if (found := conditions.foreign(tree)) is not None:
        raise InputError(
            f"--{option}: {found!r} is not allowed in a condition, which must choose the same "
            "items each time: use comparisons of name and support, LIKE, IN, and plain functions "
            "of text and numbers"
        )
    conditions.mark_texts(tree)
    return tree
