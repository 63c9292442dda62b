"""Say before a run what it will take: rows, candidates, memory and seconds.

The entry of a model can tell its work on data of some sizes. The time of a row is measured per
engine, as a multiple of the time that an occurrence took to read in the same run: so a machine that
is slow or busy is known by its reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, comb, factorial, log

from setveil.backends.memory import shown
from setveil.run import cost
from setveil.run.cost import Lengths
from setveil.run.reading import Baskets
from setveil.sql.levels import lengths
from setveil.sql.step import Step

LEAST = 500_000  # occurrences: a run on fewer has no forecast, since it takes a few seconds


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
BLOCK = 1_000  # transactions whose bits take as long as a row of a join


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a model after reading.

    `passes` counts the times that it goes over all occurrences, in times of reading them. `joined`
    are the rows of its joins, `candidates` the most sets that it counts at once, `memory` the bytes
    of what else it holds.
    """

    passes: float
    joined: float = 0
    candidates: int = 0
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected cost of a run, reading included. Bytes are those of the process."""

    rows: int
    candidates: int
    memory: int
    seconds: float

    def __str__(self) -> str:
        sets = f", {self.candidates:,} candidates" if self.candidates else ""
        return (
            f"expected: about {self.seconds:,.0f} s and {shown(self.memory)}, "
            f"for {self.rows:,} rows{sets}"
        )


def forecast(baskets: Baskets, tell: Callable[[Sizes], Work]) -> Forecast | None:
    """The expected cost of a run on these baskets; None on little data or an unmeasured engine.

    A run that has no room is refused.
    """
    session, rates = baskets.session, baskets.session.backend.can.rates
    if rates is None or baskets.occurrences < LEAST:
        return None
    asked = Step("lengths", "counts transactions by length", lengths("occurrence"))
    counted = Lengths((int(held), int(number)) for held, number in session.look_up(asked))
    sizes = Sizes(baskets.transactions, baskets.items, baskets.occurrences, counted)
    work = tell(sizes)
    units = sizes.occurrences * (1 + work.passes) + rates.joined * work.joined
    memory = rates.started + rates.occurrence * sizes.occurrences + work.memory
    memory += cost.SET * work.candidates
    cost.allow_run(session, memory)
    limit = session.backend.memory
    return Forecast(
        int(sizes.occurrences * (1 + work.passes) + work.joined),
        work.candidates,
        memory if limit is None else min(memory, rates.started + limit),
        session.seconds_of_reading / sizes.occurrences * units,
    )
