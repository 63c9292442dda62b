"""Relations and answers that follow from the data alone serve every model of a sweep.

A relation is known by its statement and by how the relations it reads were made. It is shared if
that leads back to what was read, and never if something was added to it: names and decisions enter
a run in this way. A relation that is no longer needed is set aside, up to so many rows in all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlglot import exp

from setveil.sql.step import Step

MOST = 30_000_000  # rows that are set aside
LONGEST = 1_000_000  # rows of an answer that is kept


@dataclass(frozen=True, slots=True)
class Aside:
    """A relation under another name, its rows, and the seconds it took to make."""

    name: str
    rows: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, its rows, and the seconds it took."""

    answer: Any
    rows: int
    seconds: float


class Shared:
    """The relations set aside, and the answers, of earlier models."""

    def __init__(self, most: int = MOST) -> None:
        self.saved = 0.0  # seconds that were not spent again
        self._most = most
        self._number = 0
        self._made: dict[str, tuple[str, float]] = {}  # relations here: how made, seconds
        self._aside: dict[str, Aside] = {}
        self._answers: dict[str, Answered] = {}

    def key(self, step: Step, text: str, read: Collection[str]) -> str | None:
        """A digest of how the step's rows are made; None if they follow from more than data."""
        own = {one.alias for one in step.query.find_all(exp.CTE)}
        tables = [one for one in step.query.find_all(exp.Table) if one.name not in own]
        if not tables or any(one.args.get("db") for one in tables):
            return None
        origins = []
        for name in sorted({one.name for one in tables if one.name}):
            made = "read" if name in read else self._made.get(name, (None, 0.0))[0]
            if made is None:
                return None
            origins.append(f"{name} {made}")
        return sha256("\n".join([*origins, text]).encode()).hexdigest() if origins else None

    def take(self, key: str | None) -> Aside | None:
        """The relation with this key, which is then no longer aside."""
        found = self._aside.pop(key, None) if key else None
        self.saved += found.seconds if found else 0.0
        return found

    def made(self, name: str, key: str | None, seconds: float) -> None:
        """A relation was made, or is here again."""
        self._made.pop(name, None)
        if key is not None:
            self._made[name] = key, seconds

    def changed(self, name: str) -> None:
        """A relation is not, or no longer, what its statement says."""
        self._made.pop(name, None)

    def leave(self, name: str, rows: int | None) -> Aside | None:
        """Where to set a relation aside that is no longer needed; None if it is to be dropped."""
        key, seconds = self._made.pop(name, (None, 0.0))
        held = sum(one.rows or 0 for one in self._aside.values())
        if key is None or rows is None or key in self._aside or held + rows > self._most:
            return None
        self._number += 1
        self._aside[key] = Aside(f"shared_{self._number}", rows, seconds)
        return self._aside[key]

    def answer(self, key: str | None) -> Answered | None:
        found = self._answers.get(key) if key else None
        self.saved += found.seconds if found else 0.0
        return found

    def answered(self, key: str | None, answer: Any, rows: int, seconds: float) -> None:
        if key is not None and rows <= LONGEST:
            self._answers[key] = Answered(answer, rows, seconds)

    def given_up(self) -> list[str]:
        """The names of all relations that are aside, to be dropped."""
        names = [one.name for one in self._aside.values()]
        self._aside.clear()
        self._answers.clear()
        return names
