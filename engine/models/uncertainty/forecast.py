"""Tell the work of rho-uncertainty on data of some sizes, as measured on made and shared data."""

from __future__ import annotations

from setveil.models.forecast import Sizes, Work

PASSES = 28.0
STATEMENTS = 145  # where statements are dear
HELD = 200  # bytes per occurrence, while rules are searched for


def work(sizes: Sizes, **_: object) -> Work:
    """The rules that hold are searched for, suppressed, and searched for by the checker."""
    return Work(PASSES, memory=HELD * sizes.occurrences, statements=STATEMENTS)
