"""Say before a run what it will take: rows, candidates, memory and seconds.

The entry of a model can tell its work on data of some sizes. The time of a row is measured per
engine, as a multiple of the time that an occurrence took to read in the same run: so a machine that
is slow or busy is known by its reading. On a server the room is that of its relations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, comb, factorial, log

from setveil.backends import Rates
from setveil.backends.memory import shown
from setveil.run import cost
from setveil.run.cost import Lengths
from setveil.run.reading import Baskets
from setveil.run.session import Session
from setveil.sql.levels import lengths
from setveil.sql.step import Step


@dataclass(frozen=True, slots=True)
class Sizes:
    """The numbers that reading found, and how long transactions are."""

    transactions: int
    items: int
    occurrences: int
    lengths: Lengths

    def joined(self, size: int) -> float:
        """The rows that a search for sets of so many items goes over: lists, or blocks of bits."""
        return min(self.lengths.sets(size), self.blocks(size))

    def blocks(self, size: int) -> float:
        """The blocks of bits of all sets of so many items, in rows that take as long."""
        return self.sets(size) * (1 + self.transactions / BLOCK)

    def sets(self, size: int) -> int:
        """The most sets of so many items that transactions can hold."""
        return min(self.lengths.sets(size), comb(self.items, size))

    def candidates(self, size: int, k: int) -> int:
        """The most sets of so many items whose smaller sets are all held by k transactions."""
        most = self.sets(size)
        if size <= 2:
            return most
        held = min(self.sets(size - 1), self.lengths.sets(size - 1) // k)
        # n sets of one item less leave the most candidates if they are all sets of few items.
        items = (held * factorial(size - 1)) ** (1 / (size - 1))
        return min(most, int(items**size / factorial(size)))


def height(sizes: Sizes, fanout: int | None) -> int:
    """The levels of a hierarchy: of an even one by its fan-out, else as many as usual."""
    return max(1, ceil(log(max(2, sizes.items), fanout))) if fanout else USUAL


USUAL = 3  # levels of a hierarchy that is named
COUNTED = 40  # bytes of each of the most sets that a run may count at once
BLOCK = 1_000  # transactions whose bits take as long as a row of a join


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a model after reading.

    `passes` counts the times that it goes over all occurrences, `joined` are the rows of its joins,
    `ranked` the sets that Python ranks, `candidates` the most sets that it counts at once, `memory`
    the bytes of what else it holds, and `statements` those of an engine where they are dear.
    """

    passes: float
    joined: float = 0
    ranked: float = 0
    candidates: int = 0
    memory: int = 0
    statements: int = 0


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected cost of a run, reading included, as measured on two cores.

    `memory` are bytes of the process, or on a server of the run's relations. `room` are those that
    the run may take; None if that is not known.
    """

    rows: int
    candidates: int
    memory: int
    seconds: float
    engine: str
    room: int | None

    def __str__(self) -> str:
        sets = f", {self.candidates:,} candidates" if self.candidates else ""
        unknown = "; how much room it has is not known" if self.room is None else ""
        return (
            f"expected: about {self.seconds:,.0f} s and {shown(self.memory)} on {self.engine}, as "
            f"with two cores, for {self.rows:,} rows{sets}{unknown}"
        )


def forecast(baskets: Baskets, tell: Callable[[Sizes], Work]) -> Forecast | None:
    """The expected cost of a run on these baskets; None on little data or an unmeasured engine.

    A run that has no room is refused.
    """
    session, backend = baskets.session, baskets.session.backend
    rates = backend.can.rates
    if not session.has_rows or rates is None or baskets.occurrences < max(1, rates.least):
        return None
    asked = Step("lengths", "counts transactions by length", lengths("occurrence"))
    counted = Lengths((int(held), int(number)) for held, number in session.look_up(asked))
    sizes = Sizes(baskets.transactions, baskets.items, baskets.occurrences, counted)
    work = tell(sizes)
    memory = rates.started + rates.occurrence * sizes.occurrences + work.memory
    memory += COUNTED * work.candidates
    cost.allow_run(session, memory)
    limit = backend.memory
    return Forecast(
        int(sizes.occurrences * (1 + work.passes) + work.joined),
        work.candidates,
        memory if limit is None else min(memory, rates.started + limit),
        _seconds(session, sizes, work, rates),
        backend.engine,
        backend.room,
    )


def _seconds(session: Session, sizes: Sizes, work: Work, rates: Rates) -> float:
    """The seconds of reading, as often as the run takes the time of its rows and statements."""
    read = sizes.occurrences + rates.statement * session.statements_of_reading
    later = rates.passed * work.passes * sizes.occurrences + rates.statement * work.statements
    later += rates.joined * work.joined + rates.ranked * work.ranked
    return session.seconds_of_reading * (1 + later / read)
