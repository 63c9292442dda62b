"""The promise of a release, in the form that the head of a trail has."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from setveil.run.session import Session
from setveil.sql.run import lists

Names = Sequence[object]  # names of items, or patterns with their items


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern: the names of its items as text, each once, and its own psi if it has one."""

    names: tuple[str, ...]
    psi: Fraction | None = None

    def __str__(self) -> str:
        return "{" + ", ".join(self.names) + "}"


@dataclass(frozen=True, slots=True)
class Promise:
    """The model, its parameters, and the relations of listed items by their role.

    Shares are written as fractions, since a trail must keep them exactly.
    """

    model: str | None = None  # None: there is no promise
    terms: Mapping[str, object] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[Pattern, ...] = ()

    def names(self, session: Session) -> dict[str, Names]:
        """The names of the items of each role, as text."""
        found: dict[str, Names] = {
            role: sorted(str(name) for (name,) in session.look_up(lists.told_labels(relation)))
            for role, relation in self.roles.items()
        }
        if self.patterns:
            found["patterns"] = listed(self.patterns)
        return found


def listed(patterns: Sequence[Pattern]) -> Names:
    """Patterns in the form of JSON."""
    return [
        {"items": sorted(one.names), "psi": None if one.psi is None else str(one.psi)}
        for one in patterns
    ]


def digest(names: Names) -> str:
    """SHA-256 of names, in any order."""
    texts = sorted(json.dumps(one, sort_keys=True) for one in names)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
