"""Erase transactions from a target, slice by slice, and what would then be held by too few.

A slice that a killed run has not reached keeps its transactions: the next run erases them. The
ledger remembers the keys, so that no later slice has the transactions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.files.listed import columns_in
from setveil.run.files.parts import GROUP
from setveil.run.reading import Baskets
from setveil.run.roles.keys import text_of, with_text
from setveil.run.session import Session
from setveil.run.shape import NUMBERED
from setveil.run.slices.appending import events, slice_of
from setveil.run.slices.aside import make_again
from setveil.run.slices.selecting import Slice
from setveil.run.slices.targets import ended
from setveil.run.words import counted
from setveil.sql.run import reading
from setveil.sql.run.slices import erasing as sql
from setveil.sql.run.slices import ledger as sql_ledger
from setveil.sql.run.slices.target import SLICE

Keys = str | Path | Iterable[object]  # a tuple is an id of several columns
# Makes `kept_rows` from `remaining`, the rows of a slice with this number that stay. Of a slice in
# two relations, `kept_counts` has those of the second.
Repair = Callable[[int, list[str]], None]
KEPT = {"release": "kept_rows", "sensitive": "kept_counts"}


@dataclass(frozen=True, slots=True)
class Erased:
    """The slices that lost transactions, each with its number of erased ones."""

    target: str
    keys: int
    slices: Mapping[int, int]

    @property
    def transactions(self) -> int:
        return sum(self.slices.values())


def erase_keys(baskets: Baskets, new: Slice, keys: Keys, repair: Repair) -> Erased:
    """Take the transactions with these keys out of all slices of the target."""
    session = baskets.session
    names = _keys(baskets, keys)
    session.backend.insert_columns("erase_key", ("key",), [names])
    held, known = (int(one) for one in session.look_up(sql.known_keys())[0])
    if known < held:
        raise InputError(
            f"--erase: {counted(held - known, 'key')} of {held:,} are of no transaction that "
            f"{new.target.name} or its ledger knows; correct them"
        )
    ledger = new.ledger
    ledger.write(ledger.prepared([sql_ledger.erased_everywhere(new.today)]), {})
    rows = rows_of(baskets, new)
    if rows is None:
        return Erased(new.target.name, held, {})
    found = session.look_up(sql.affected(rows, reading.column(baskets.shape.key or "")))
    slices = {int(number): int(count) for number, count in found}
    for place, number in enumerate(slices):
        _erase(baskets, new, number, new.attempt + place, repair)
    ledger.commit()
    session.note(
        f"copies of {new.target.name} that were made before still show the erased transactions, "
        "and so do trails and earlier releases"
    )
    return Erased(new.target.name, held, slices)


def _erase(baskets: Baskets, new: Slice, number: int, attempt: int, repair: Repair) -> None:
    session, target, ledger = baskets.session, new.target, new.ledger
    rows, written = rows_of(baskets, new), target.rows(session, baskets.source)
    assert rows is not None and written is not None
    columns = _columns(session, rows)
    key = reading.column(baskets.shape.key or "")
    make_again(session, sql.remaining(rows, key, columns, number))
    shown = {"release": _columns(session, written)}
    if new.wanted.in_parts:
        counts = target.rows(session, baskets.source, "sensitive")
        assert counts is not None
        shown["sensitive"] = _columns(session, counts)
        group, held = reading.column(GROUP), shown["sensitive"]
        make_again(session, sql.kept_counts(rows, counts, key, group, held, number))
    repair(number, columns)
    queries = {part: _kept(baskets, KEPT[part], named) for part, named in shown.items()}
    made = ledger.prepared([sql_ledger.erased(number, attempt, new.today)])
    with target.replaced(session, baskets.source, queries, number) as told:
        intent, done = events(attempt, number, *told, new.above, baskets.source.place)
        ledger.write(made, {"attempt": [intent, done] if ledger.together else [intent]})
    if not ledger.together:
        ledger.write([], {"attempt": [done]})
    ended(target)


def rows_of(baskets: Baskets, new: Slice) -> exp.Expr | None:
    """The rows of all slices, with the text of their ids where these are in several columns."""
    rows = new.target.rows(baskets.session, baskets.source)
    if rows is None:
        return None
    return with_text(baskets.shape, rows, renumbered=new.wanted.renumber)


def _columns(session: Session, rows: exp.Expr) -> list[str]:
    return [one for one in session.backend.columns_of(rows) if one != SLICE]


def _kept(baskets: Baskets, relation: str, columns: list[str]) -> exp.Select:
    """The query of a relation that stays, in the order of releases."""
    shown = [exp.column(one, quoted=True) for one in columns]
    shape = baskets.shape
    ids = (NUMBERED,) if shape.keys and slice_of(baskets).wanted.renumber else shape.parts
    order = (*(ids or (shape.key,)), shape.item, GROUP)
    query = exp.Select().select(*shown).from_(baskets.session.backend.of_run(relation))
    return query.order_by(*(one.copy() for one in shown if one.name in order))


def _keys(baskets: Baskets, keys: Keys) -> list[str]:
    """The keys as text: those of a file, a line each or in columns, or those given."""
    parts = baskets.shape.keys
    if not isinstance(keys, str | Path):
        found = [text_of(one) if isinstance(one, tuple) else str(one) for one in keys]
    elif not os.path.isfile(keys):
        raise InputError(f"--erase: no such file: {str(keys)!r}; write a key per line")
    elif Path(keys).suffix.lower() in (".csv", ".tsv", ".parquet"):
        rows = columns_in(baskets.session, str(keys), parts or ("tid",), "erase")
        found = [text_of(row) if parts else row[0] for row in rows]
    else:
        found = [one for one in Path(keys).read_text(encoding="utf-8").splitlines() if one]
    if not found:
        raise InputError("--erase names no transaction; write a key per line")
    return list(dict.fromkeys(found))
