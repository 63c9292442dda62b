"""The statements behind each figure of a comparison."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from setveil.run.session import Session, Statement

Figures = dict[str, tuple[Statement, ...]]


@dataclass(frozen=True, slots=True)
class Section:
    """The figures of one side: `with section("loss"):` keeps the statements of the block."""

    figures: Figures
    side: str
    sessions: tuple[Session, ...]

    @contextlib.contextmanager
    def __call__(self, figure: str) -> Iterator[None]:
        marks = [len(one.statements) for one in self.sessions]
        yield
        name = f"{self.side}.{figure}"
        for session, mark in zip(self.sessions, marks, strict=True):
            made = [one for one in session.statements[mark:] if one.text]
            self.figures[name] = (*self.figures.get(name, ()), *made)
