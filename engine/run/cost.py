"""Cost before work: a level of a search that would take too much is refused before it begins.

Levels grow with every item that an attacker knows. How many candidates the next one can have, and
how many rows it joins, follows from counts that are there. What is larger than memory spills to
disk, as far as that helps; beyond it, and beyond so many rows that it takes minutes, the run ends
with an error, unless it was told to go on with what is large.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from setveil.backends.memory import default_bytes, shown
from setveil.errors import TooLargeError, option
from setveil.run.session import Session

MOST_ROWS = 10**10  # joined for a level: some minutes
SPILLS = 2  # times the memory that may be used; with more on disk, a level takes too long
ON_SERVERS = 2**36  # bytes of a level, where it is not known what the server has
SET = 48  # bytes of an itemset while it is counted, measured on DuckDB 2.0
HOLDER = 8  # bytes of a transaction that is kept for an itemset
TAKEN = 64  # bytes in Python of each item of the itemsets that are taken there


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a level can make, at most: itemsets that are counted, and rows that are joined for it.

    `smaller` is what would fit, as the caller would write it.
    """

    what: str
    sets: int
    rows: int
    smaller: str
    kept: int = 0  # bytes of what is kept for the next level

    @property
    def bytes(self) -> int:
        return SET * min(self.sets, self.rows) + self.kept


class Lengths:
    """How many transactions hold so many items, and hence how many sets of items they hold."""

    def __init__(self, rows: Iterable[tuple[int, int]]) -> None:
        self._rows = [(int(held), int(number)) for held, number in rows]

    @property
    def longest(self) -> int:
        return max((held for held, _ in self._rows), default=0)

    def sets(self, size: int) -> int:
        """Of all transactions, the sets of `size` of their items."""
        return sum(number * comb(held, size) for held, number in self._rows)

    def growth(self, size: int) -> float:
        """How many sets of `size` there are for each set that has one item less."""
        return self.sets(size) / max(1, self.sets(size - 1))


def fits(session: Session, outlook: Outlook) -> bool:
    """Can the level be made in a time and space that nobody was asked for?"""
    memory = session.backend.memory
    room = ON_SERVERS if memory is None else SPILLS * memory
    return outlook.rows <= MOST_ROWS and outlook.bytes <= room


def allow(session: Session, outlook: Outlook) -> None:
    """Refuse what does not fit, or say that it is made all the same."""
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


def fits_in_python(session: Session, numbers: int) -> bool:
    """Has memory room for so many numbers outside the database?"""
    return numbers * TAKEN <= _room(session)


def _room(session: Session) -> int:
    return (session.backend.memory or default_bytes() or 2**32) // 2


def allow_in_python(session: Session, what: str, numbers: int, smaller: str) -> None:
    """Refuse to take more numbers out of the database than memory has room for."""
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
