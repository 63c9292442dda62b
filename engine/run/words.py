"""Numbers, shares and names as a person reads them, in a sentence, a terminal and on a page.

A block is a line of text or a table: rows of cells, the first cell of a row its label.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

Rows = Sequence[Sequence[object]]
Block = str | Rows
Blocks = Iterator[Block]

SHOWN = 10  # rows of a verdict


def number(value: object) -> str:
    """Whole numbers with separators, others with four significant digits."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 or value.is_integer() else f"{value:.4g}"
    return printable(str(value))


def percent(share: float) -> str:
    """A share in percent, with two digits."""
    return f"{share:.2%}"


def printable(text: str) -> str:
    """A name as it can stand on a line, whatever characters it holds."""
    return text if text.isprintable() else repr(text)


def names(values: Sequence[str]) -> str:
    """Names between commas."""
    return ", ".join(map(printable, values))


def first(shown: int, found: int) -> str:
    """How many of the rows found the table below shows, unless it shows all."""
    return f"; the first {shown} of them, by size and support" if shown < found else ""


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 item, 2 items. `many` is an irregular plural: 2 classes."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def command_line(words: Sequence[str]) -> str:
    """Shell words; a word with a single quote in it is put in double quotes where that is safe."""
    return " ".join(
        f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word)
        for word in words
    )
