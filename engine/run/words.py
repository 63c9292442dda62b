"""Numbers as they stand in a sentence."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """So many of something: 1 item, 2 items; with a word of its own for many: 2 classes."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
