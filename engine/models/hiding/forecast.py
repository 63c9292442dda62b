"""Tell the work of hiding on data of some sizes, as measured on made and shared data."""

from __future__ import annotations

from setveil.models.forecast import Sizes, Work

PASSES = 2.0
STATEMENTS = 30  # where statements are dear


def work(sizes: Sizes, **_: object) -> Work:
    """The transactions that hold a pattern are found, changed, and compared by the checker."""
    return Work(PASSES, statements=STATEMENTS)
