"""What is behind a figure: the statements that it was found by."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from setveil.run.session import Session, Statement

Figures = dict[str, tuple[Statement, ...]]


@contextlib.contextmanager
def noting(figures: Figures, name: str, *sessions: Session) -> Iterator[None]:
    """Keep the statements of the block, as each of the sessions ran them, under this name."""
    marks = [len(one.statements) for one in sessions]
    yield
    for session, mark in zip(sessions, marks, strict=True):
        made = [one for one in session.statements[mark:] if one.text]
        figures[name] = (*figures.get(name, ()), *made)
