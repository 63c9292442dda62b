"""Persons: whose transaction it is.

Each transaction has one person. Two persons of one transaction are an error, as are rows without a
person. With `drop_nulls` transactions without a person are left out as a whole; with guests="own"
each is a person of its own. The column of persons is never published.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.files.source import Source
from setveil.run.merging import replace_source
from setveil.run.session import Session
from setveil.run.shape import SLICE, Shape
from setveil.run.words import counted
from setveil.sql.run import persons as sql
from setveil.sql.run.reading import column
from setveil.sql.step import duck

TRANSACTIONS = "transactions are counted, not persons: k transactions can all be of one person"
OWN = "own"
GUESTS = (OWN,)  # the values of --guests
# A column looks like one of persons if a value has from FEWEST to MOST transactions on average.
FEWEST, MOST = 1.5, 50.0
# The first words of types that name no person, such as dates, fractions and lists.
UNLIKELY = (
    *("array", "bool", "byte", "bit", "blob", "date", "decimal", "double", "float", "interval"),
    *("json", "list", "map", "numeric", "real", "struct", "time", "union", "unordered", "unsorted"),
)


@dataclass(frozen=True, slots=True)
class Owners:
    """How rows with NULL and transactions without a person are read."""

    drop_nulls: bool = False
    guests: str | None = None
    known: exp.Expr | None = None  # the rows (key, person) of another run

    @property
    def each_own(self) -> bool:
        """Is each transaction without a person a person of its own?"""
        return self.guests == OWN


def check_guests(person: str | None, guests: str | None) -> None:
    """Refuse an unknown word, and guests without persons."""
    if guests is None:
        return
    if guests not in GUESTS:
        raise InputError(f"--guests is {' or '.join(GUESTS)}, not {guests!r}")
    if person is None:
        raise InputError("--guests is for transactions without a person; name --person too")


def number_persons(
    session: Session, source: Source, shape: Shape, owners: Owners, relation: str = "source"
) -> int:
    """Make `owner`, the person of each transaction; return the transactions without one.

    Of `source`, transactions without a person are left out, unless they are guests. If the persons
    are known from another run, every transaction must have one.
    """
    key = column(shape.key or shape.line)
    if owners.known is not None:
        rows = duck("SELECT s.$key AS key FROM source AS s", key=key).subquery()
        session.create(sql.matched("owner", rows, owners.known))
        refuse_unowned(session.one(sql.matches("owner"))[0])
        return 0
    assert shape.person is not None
    person = column(shape.person)
    session.create(sql.persons(person, relation))
    session.create(sql.named_owners(key, person, relation))
    mixed, example, stray, stray_example, missing = session.one(sql.faults())
    where = f"{source.name}: column {shape.person!r}"
    if mixed:
        raise InputError(
            f"{where} names two persons in {counted(mixed, 'transaction')}, such as "
            f"{example!r}; each transaction has one person: correct them, or name another column"
        )
    if stray:
        raise InputError(
            f"{where} names a person in some rows of {counted(stray, 'transaction')} only, such as "
            f"{stray_example!r}; fill in the others (NULL)"
        )
    if missing and not (owners.drop_nulls or owners.guests):
        raise InputError(
            f"{where} names no person (NULL) in {counted(missing, 'transaction')}; correct them, "
            "leave them out with --drop-nulls, or count each as a person with --guests own"
        )
    session.create(sql.owners(guests=owners.each_own))
    if missing and (relation == "source" or owners.guests):
        _note_missing(session, source, owners, missing)
    if missing and relation == "source" and not owners.guests:
        columns = (*shape.given, shape.line) if shape.lists else shape.given
        why = "transactions without a person are left out"
        replace_source(session, sql.owned(columns, key), why)
    return 0 if owners.guests else int(missing)


def _note_missing(session: Session, source: Source, owners: Owners, missing: int) -> None:
    told = f"{source.name}: {counted(missing, 'transaction')} without a person"
    if owners.guests:
        session.note(
            f"{told}: each counts as a person of its own, which is an assumption: guests may be "
            "one person, or a person of other transactions"
        )
    else:
        session.note(f"{told}: left out")


def note_persons(session: Session, shape: Shape, persons: int | None) -> None:
    """Note that the promise counts transactions, and columns that seem to name persons.

    Rows of another run have no column of persons, but a number of them.
    """
    if shape.person is not None or persons is not None:
        return
    session.note(TRANSACTIONS)
    if found := likely_persons(session, shape):
        session.note(
            f"{', '.join(map(repr, found))} may name persons: a value has several transactions, "
            "and a transaction has one value; to count persons, add --person"
        )


def refuse_unowned(missing: int) -> None:
    """Refuse a release of which transactions have no person in the source."""
    if missing:
        raise InputError(
            f"{counted(missing, 'transaction')} of the release without a person in the source; "
            "name the source of this release, its --key if ids were replaced, and --guests as in "
            "its run"
        )


def refuse_persons(shape: Shape, why: str) -> None:
    """Refuse persons where they are not counted: the caller would trust a promise of persons."""
    if shape.person is not None:
        raise InputError(f"{why}: leave --person out")


def likely_persons(session: Session, shape: Shape) -> list[str]:
    """The columns that look like persons."""
    kinds = session.backend.columns_of(exp.to_table("source"))
    own = (shape.group, SLICE)
    others = [name for name in shape.beside if name in kinds and name not in own]
    columns = [name for name in others if not _is_unlikely(kinds[name])]
    if not columns or session.dry:
        return []
    transactions, *counts = session.one(sql.likely(columns, column(shape.key or shape.line)))
    values, mixed = counts[: len(columns)], counts[len(columns) :]
    return [
        name
        for name, number, both in zip(columns, values, mixed, strict=True)
        if not both and number > 1 and FEWEST <= transactions / number <= MOST
    ]


def _is_unlikely(kind: str) -> bool:
    return kind.startswith(UNLIKELY)
