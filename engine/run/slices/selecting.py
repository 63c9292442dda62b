"""Choose the transactions of a new slice: those that no slice has.

The target must be as its ledger says. A slice whose run was killed is completed if its rows are
there, and forgotten if they are not.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.files.source import Source
from setveil.run.merging import replace_source
from setveil.run.persons import Owners
from setveil.run.roles.lists import named
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.run.slices.aside import make, row_of
from setveil.run.slices.folder import Closing, Held
from setveil.run.slices.ledger import REMEDY, Ledger
from setveil.run.slices.promise import Appending, refuse_other
from setveil.run.slices.targets import Target, completed, target_of
from setveil.run.words import counted
from setveil.sql.run import reading
from setveil.sql.run.slices import choosing
from setveil.sql.run.slices import ledger as sql_ledger
from setveil.sql.run.slices import target as sql_target
from setveil.sql.step import Step


@dataclass(frozen=True, slots=True)
class Slice:
    """The new slice of a target, and what is known of the transactions of the source.

    `held` transactions are in the slice; `fresh` are new in this run; `unlisted` wait since an item
    is in no list. `late` and `lost` ones changed or vanished after their release.
    """

    wanted: Appending
    target: Target
    ledger: Ledger
    lock: Closing
    number: int
    attempt: int
    night: int
    today: str
    above: int  # the largest number that replaces an id, or that a group has
    fresh: int = 0
    held: int = 0
    unlisted: int = 0
    late: int = 0
    lost: int = 0
    oldest: str | None = None  # the first day of a waiting transaction
    waited: int = 0  # nights since the first of them came

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def days(self) -> int:
        """The days since the first of the waiting transactions came."""
        return 0 if self.oldest is None else (_day(self.today) - _day(self.oldest)).days

    def close(self) -> None:
        """Release the target."""
        self.ledger.close()
        self.lock.close()


def begin_slice(
    session: Session, source: Source, shape: Shape, wanted: Appending, owners: Owners
) -> Slice:
    """Restrict `source` to the transactions of the new slice."""
    target = target_of(wanted.target, session, source, in_parts=wanted.in_parts)
    _refuse_shape(source, shape)
    target.refuse()
    target.refuse_source(session.inputs)
    if session.dry:
        return _shown(session, shape, wanted, owners, target)
    lock = target.lock()
    try:
        ledger = target.ledger(session)
        try:
            return _begun(session, source, shape, wanted, owners, target, ledger, lock)
        except BaseException:
            ledger.close()
            raise
    except BaseException:
        lock.close()
        raise


def _begun(
    session: Session,
    source: Source,
    shape: Shape,
    wanted: Appending,
    owners: Owners,
    target: Target,
    ledger: Ledger,
    lock: Closing,
) -> Slice:
    held = target.held(session, source)
    if not ledger.exists:
        if held:
            raise InputError(f"{target.name} has slices, and its ledger is missing; {REMEDY}")
        ledger.create({"promise": wanted.text})
    ledger.load()
    if ledger.is_unused and ledger.told["promise"] != wanted.text:
        ledger.create_again({"promise": wanted.text})
        ledger.load()
    refuse_other(wanted, ledger.told["promise"])
    done = reconciled(session, target, ledger, held)
    today = datetime.now(UTC).date().isoformat()
    nights = int(session.look_up(sql_ledger.nights())[0][0])
    attempts = session.look_up(sql_ledger.attempts())
    found = Slice(
        wanted,
        target,
        ledger,
        lock,
        number=max(done, default=0) + 1,
        attempt=max((int(one[0]) for one in attempts), default=0) + 1,
        night=nights + 1,
        today=today,
        above=max((int(one[5]) for one in attempts), default=0),
    )
    return _selected(session, shape, owners, found)


def _shown(
    session: Session, shape: Shape, wanted: Appending, owners: Owners, target: Target
) -> Slice:
    """A second slice, to show its statements: neither target nor ledger is read."""
    ledger = target.ledger(session)
    ledger.show()
    today = datetime.now(UTC).date().isoformat()
    nobody = contextlib.ExitStack()  # a lock that nobody holds
    supposed = Slice(wanted, target, ledger, nobody, 2, attempt=2, night=2, today=today, above=0)
    return replace(_selected(session, shape, owners, supposed), oldest=None)


def reconciled(session: Session, target: Target, ledger: Ledger, held: Held) -> set[int]:
    """The slices of the target, each as its ledger says; a killed run is completed or forgotten."""
    rows = sorted(session.look_up(sql_ledger.attempts()), key=lambda row: row[:2])
    done = {int(one[0]) for one in rows if one[1] == sql_ledger.DONE}
    last = max((int(one[0]) for one in rows), default=0)
    known: dict[int, tuple[object, ...]] = {}
    for row in (one for one in rows if one[1] == sql_ledger.INTENT):
        attempt, number = int(row[0]), int(row[2])
        if attempt in done:
            known[number] = row
        elif _matches(row, held) or (
            attempt == last and completed(target, session, number, (row[3], row[4]))
        ):
            held = {**held, number: (row[3], str(row[4]))}
            ledger.write([], {"attempt": [(attempt, sql_ledger.DONE, *row[2:])]})
            ledger.load()
            session.note(
                f"slice {number} of {target.name} was written by a run that was ended then"
            )
            known[number] = row
    for number, row in known.items():
        if number not in held and row[3] != 0:
            raise InputError(
                f"slice {number} of {target.name} is missing, and its ledger knows it; take it "
                "from a backup"
            )
        if number in held and not _matches(row, held):
            raise InputError(
                f"slice {number} of {target.name} was changed after it was checked; take it "
                "from a backup"
            )
    if strange := sorted(held.keys() - known.keys()):
        raise InputError(
            f"slice {strange[0]} of {target.name} is not in its ledger; move it away, or {REMEDY}"
        )
    return set(known)


def _matches(row: tuple[object, ...], held: Held) -> bool:
    """Has the target this slice, with the digest that its ledger has?"""
    number, rows, digest = int(str(row[2])), row[3], row[4]
    if number not in held:
        return False
    found_rows, found = held[number]
    return found == digest and found_rows in (None, rows)


def _refuse_shape(source: Source, shape: Shape) -> None:
    if shape.key is None:
        raise InputError(
            f"{source.name}: --append needs transaction ids, to know which were released: name "
            "their column with --tid"
        )
    for name in shape.columns:
        if name.casefold() == sql_target.SLICE:
            raise InputError(
                f"{source.name}: column {name!r} cannot be published: a slice has a column of that "
                "name; rename it in a query"
            )


def _selected(session: Session, shape: Shape, owners: Owners, new: Slice) -> Slice:
    """Make `slice_key`, and keep of `source` only its transactions."""
    key, cells = reading.column(shape.key or ""), _cells(session, shape)
    person = None if shape.person is None else reading.column(shape.person)
    make(session, choosing.arrived(cells, key, person, guests=owners.each_own))
    fresh, late, lost = (int(one) for one in row_of(session, choosing.changes()))
    make(session, choosing.waiting())
    unlisted = _unlisted(session, cells, new)
    make(session, choosing.chosen(listed=unlisted is not None))
    held, night, oldest = row_of(session, choosing.ages())
    if not session.dry:
        new.ledger.recorded(new.attempt)
    columns = (*shape.stored, shape.line) if shape.lists else shape.stored
    replace_source(session, choosing.restricted(columns, key), "other slices have the others")
    return replace(
        new,
        fresh=fresh,
        late=late,
        lost=lost,
        held=int(held),
        unlisted=unlisted or 0,
        oldest=oldest,
        waited=0 if night is None else new.night - (fresh == 0) - int(night),
    )


def _cells(session: Session, shape: Shape) -> exp.Expr:
    key, item = reading.column(shape.key or ""), reading.column(shape.item)
    if not shape.lists:
        return reading.cells("source", key, item)
    step = reading.listed_cells("source", key, item)
    make(session, Step("arrived_cell", step.why, step.query))
    return reading.cells("arrived_cell", reading.column("key"), reading.column("name"))


def _unlisted(session: Session, cells: exp.Expr, new: Slice) -> int | None:
    """The transactions that wait since no list has one of their items; None without lists.

    The first slice takes all items, since its caller has seen them.
    """
    if not new.wanted.lists or new.is_first:
        return None
    lists = [f"listed_{option}" for option in new.wanted.lists]
    for relation, (option, items) in zip(lists, new.wanted.lists.items(), strict=True):
        names = sorted(named(session, items, option))
        session.backend.insert_columns(relation, ("name",), [names])
        _refuse_changed(session, new, option, relation)
    if new.wanted.accept_new:
        return None
    make(session, choosing.unlisted(cells, lists))
    return int(row_of(session, choosing.unlisted_number())[0])


def _refuse_changed(session: Session, new: Slice, option: str, relation: str) -> None:
    changed = session.look_up(sql_ledger.changed_roles(relation, option))
    if changed:
        shown = ", ".join(repr(str(name)) for (name,) in sorted(changed)[:5])
        raise InputError(
            f"--{option}: {counted(len(changed), 'item')} changed the role that earlier slices of "
            f"{new.target.name} gave: {shown}; no item changes its role"
        )


def _day(text: str) -> date:
    return date.fromisoformat(text)


def note_changes(session: Session, new: Slice) -> None:
    """Note transactions that changed or vanished after their release, and those without a list."""
    name = new.target.name
    if new.late:
        session.note(
            f"{counted(new.late, 'transaction')} changed after a slice of {name} had them: they "
            "are not released again"
        )
    if new.lost:
        session.note(
            f"{counted(new.lost, 'transaction')} of {name} are no longer in the source: they stay "
            "published; to take some out, name them with --erase"
        )
    if new.unlisted:
        session.note(
            f"{counted(new.unlisted, 'transaction')} wait, since an item is in no list: list it, "
            "or take all new items with --accept-new"
        )
