"""One table model: rows of words and numbers, as text in a terminal and as HTML on a page.

A number has the path that the command's JSON has it by: its value is read there. So terminal, page
and JSON show one figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from setveil.run import words
from setveil.run.words import Rows

MISSING = "–"
LONGEST = 30  # characters of a bar


@dataclass(frozen=True, slots=True)
class Number:
    """A number, as it reads, and its path in the JSON."""

    value: float
    shown: str
    path: str


Cell = str | Number
Form = Callable[[Any, str], Cell]  # of a value and its path


@dataclass(frozen=True, slots=True)
class Table:
    """Columns under their heads; the first is to the left, and all are in a table of words."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: bool = False

    @property
    def many(self) -> bool:
        """Are there more columns than a phone can show side by side?"""
        return len(self.head) > (2 if self.words else 3)

    @property
    def block(self) -> Rows:
        """The head and the rows, for a terminal."""
        return (self.head, *self.rows)


def share(value: float | None, path: str) -> Cell:
    """A share as a percentage; a dash without one."""
    return MISSING if value is None else Number(value, words.percent(value), path)


def number(value: float | None, path: str) -> Cell:
    """A number of any size: a whole one with its thousands apart; a dash without one."""
    return MISSING if value is None else Number(value, words.number(value), path)


def cell(content: Any, path: str, form: Form = number) -> Cell:
    """The value that the JSON has by this path, as a cell; a dash if it is null, or within null."""
    value = content
    for part in path.split("."):
        if value is not None:
            value = value[part] if isinstance(value, dict) else value[int(part)]
    return form(value, path)


def lines(rows: Iterable[Sequence[object]], *, indent: str = "  ") -> Iterator[str]:
    """Rows as text in columns: the first to the left, the others to the right."""
    cells = [[_text(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield f"{indent}{'  '.join([first.ljust(widths[0]), *padded])}".rstrip()


def with_bars(table: Table, column: int) -> words.Rows:
    """The rows with a bar beside each number of a column, the longest for the largest."""
    cells = [row[column] for row in table.rows]
    sizes = [one.value if isinstance(one, Number) else 0 for one in cells]
    most = max(sizes, default=0) or 1
    bars = [("#" * round(LONGEST * size / most)).ljust(LONGEST) for size in sizes]
    rows = [(*row, bar) for row, bar in zip(table.rows, bars, strict=True)]
    return ((*table.head, f"{table.head[column]}, as a bar".ljust(LONGEST)), *rows)


def _text(cell: object) -> str:
    return cell.shown if isinstance(cell, Number) else words.number(cell)
