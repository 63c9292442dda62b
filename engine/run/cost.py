"""Estimate a level of a search, and refuse it before it begins if it would take too much.

Levels grow with every item that an attacker knows. Known counts bound the candidates of the next
level and the rows that it joins. A level larger than memory spills to disk, up to a limit. Beyond
that, or if so many rows would take minutes, the run ends with an error, unless --force-large.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from setveil.backends.memory import default_bytes, shown
from setveil.errors import TooLargeError, option
from setveil.run.session import Session

MOST_ROWS = 10**10  # rows that a level may join: some minutes
SPILLS = 2  # the limit as a multiple of memory; with more on disk, a level takes too long
ON_SERVERS = 2**36  # bytes of a level on a server whose memory is not known
SET = 48  # bytes of an itemset while it is counted, measured on DuckDB 2.0
HOLDER = 8  # bytes of a transaction that is kept for an itemset
TAKEN = 64  # bytes in Python per item of an itemset
SMALL = 2**20  # bytes that every run has: not worth to ask for its memory


@dataclass(frozen=True, slots=True)
class Outlook:
    """An upper bound for a level: the itemsets that it counts, and the rows that it joins.

    `smaller` is a remedy in the caller's words.
    """

    what: str
    sets: int
    rows: int
    smaller: str
    kept: int = 0  # bytes that are kept for the next level

    @property
    def bytes(self) -> int:
        return SET * min(self.sets, self.rows) + self.kept


class Lengths:
    """The numbers of transactions by their numbers of items, which bound their itemsets."""

    def __init__(self, rows: Iterable[tuple[int, int]]) -> None:
        self._rows = [(int(held), int(number)) for held, number in rows]

    @property
    def longest(self) -> int:
        return max((held for held, _ in self._rows), default=0)

    def sets(self, size: int) -> int:
        """The number of sets of `size` items in all transactions."""
        return sum(number * comb(held, size) for held, number in self._rows)

    def growth(self, size: int) -> float:
        """The number of sets of `size` for each set with one item less."""
        return self.sets(size) / max(1, self.sets(size - 1))


def fits(session: Session, outlook: Outlook) -> bool:
    """Does the level stay below the limits of rows and bytes?"""
    if outlook.bytes <= SMALL:
        return outlook.rows <= MOST_ROWS
    memory = session.backend.memory
    room = ON_SERVERS if memory is None else SPILLS * memory
    return outlook.rows <= MOST_ROWS and outlook.bytes <= room


def allow(session: Session, outlook: Outlook) -> None:
    """Refuse a level that does not fit; with --force-large, note it and go on."""
    if fits(session, outlook):
        return
    memory = session.backend.memory
    said = (
        f"{outlook.what}: there can be {outlook.sets:,} to count in {outlook.rows:,} joined rows, "
        f"about {shown(outlook.bytes)}"
    )
    room = f"{shown(ON_SERVERS)} of a server"
    if memory is not None:
        room = f"{shown(memory)} of memory, {shown(SPILLS * memory)} with the disk"
    limit = f"{room}, and {MOST_ROWS:,} rows"
    _refuse(session, said, limit, outlook.smaller)


def allow_run(session: Session, needed: int) -> None:
    """Refuse a run that needs more bytes than its memory and its disk together, if these tell."""
    backend = session.backend
    room, memory, disk = backend.room, backend.memory, backend.disk
    if room is None or disk is None or needed <= room:
        return
    limit = "" if memory is None else f"{shown(memory)} of memory and "
    said = f"the run needs about {shown(needed)}"
    _refuse(session, said, f"{limit}{shown(disk)} of disk", "free space for temporary files")


def fits_in_python(session: Session, numbers: int) -> bool:
    """Does Python's memory have room for so many numbers?"""
    return numbers * TAKEN <= SMALL or numbers * TAKEN <= _room(session)


def _room(session: Session) -> int:
    return (session.backend.memory or default_bytes() or 2**32) // 2


def allow_in_python(session: Session, what: str, numbers: int, smaller: str) -> None:
    """Refuse more numbers than Python's memory has room for."""
    if fits_in_python(session, numbers):
        return
    room = _room(session)
    said = f"{what}: they take about {shown(numbers * TAKEN)} outside the database"
    _refuse(session, said, f"{shown(room)} for them", smaller)


def _refuse(session: Session, said: str, limit: str, smaller: str) -> None:
    if session.force_large:
        session.chat(f"{said}; the run may use {limit}, and goes on with {option('force_large')}")
        return
    raise TooLargeError(
        f"{said}; the run may use {limit}; {smaller}, raise {option('memory_limit')}, or go on "
        f"with {option('force_large')}"
    )
