"""The course of a run: its stages, and where it is now. A session tells it each statement.

The stages are known before the run: sections of its trail, or other words of the command. The
number of statements depends on the data, so nobody counts them. Where a command repeats something a
known number of times, such as the points of a sweep, these are counted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from setveil.trail.sections import SECTIONS, section_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from setveil.backends import Backend


@dataclass(frozen=True, slots=True)
class Running:
    """A statement that runs, or the last one that ran."""

    backend: Backend
    name: str
    why: str
    began: float
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Rounds:
    """Parts of a run that are alike, such as the points of a sweep."""

    word: str
    total: int
    began: float
    done: int = 0

    @property
    def seconds_left(self) -> float | None:
        """The seconds of all that are left, if they take as long as those that are done."""
        if not self.done:
            return None
        return (time.perf_counter() - self.began) / self.done * (self.total - self.done)


@dataclass(slots=True)
class Course:
    """The stages of a run by name, and its place among them. Places never go back."""

    stages: Sequence[str] = tuple(SECTIONS)
    place: int = 0
    rounds: Rounds | None = None
    running: Running | None = None
    end: float | None = None  # when the run is expected to end
    _section: int = field(default=0, repr=False)

    def enter(self, section: str) -> None:
        """Go to a section of the trail, or to a stage of another name."""
        stages = list(self.stages)
        at = stages.index(section) if section in stages else len(stages) - 1
        self.place = max(self.place, at)

    def expect(self, word: str, total: int) -> None:
        """From here on, the run has so many parts of this name."""
        self.rounds = Rounds(word, total, time.perf_counter())

    def expect_end(self, seconds: float) -> None:
        """The run is expected to take so many more seconds."""
        self.end = time.perf_counter() + seconds

    @property
    def seconds_left(self) -> float | None:
        """The expected seconds of the run from now; None if unknown, or if it takes longer."""
        left = None if self.end is None else self.end - time.perf_counter()
        return left if left is not None and left > 0 else None

    def count(self) -> None:
        """One of the expected parts is done."""
        if (now := self.rounds) is not None and now.done < now.total:
            self.rounds = Rounds(now.word, now.total, now.began, now.done + 1)

    @contextmanager
    def statement(self, backend: Backend, name: str, why: str) -> Iterator[None]:
        """Mark a statement as running while the block runs."""
        self._section = section_after(name, self._section)
        self.enter([*SECTIONS][self._section])
        now = Running(backend, name, why, time.perf_counter())
        self.running = now
        try:
            yield
        finally:
            self.running = Running(now.backend, name, why, now.began, ended=True)
