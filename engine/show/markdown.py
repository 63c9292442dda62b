"""Sections as Markdown, for a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from setveil.run.words import number
from setveil.show.page import Section
from setveil.show.tables import Cell, Table

MARKS = re.compile(r"([\\`*_{}\[\]<>#|~@!&])")  # a name must not become a link, a table or HTML


def markdown_of(title: str, lines: Iterable[str], sections: Iterable[Section]) -> str:
    """A heading, lines of text, and a table for each section."""
    parts = [f"### {_text(title)}", *map(_text, lines)]
    for one in sections:
        if one.table is not None and not one.page_only:
            parts += [f"**{_text(one.title)}**", *([_text(one.text)] if one.text else [])]
            parts.append("\n".join(_table(one.table)))
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> Iterator[str]:
    """Yield the rows of a table; columns of numbers, all but the first, are to the right."""
    others = ":--" if table.words else "--:"
    yield _row(table.head)
    yield _row([":--", *[others] * (len(table.head) - 1)], plain=True)
    yield from map(_row, table.rows)


def _row(cells: Sequence[Cell], *, plain: bool = False) -> str:
    shown = [one if isinstance(one, str) else one.shown for one in cells]
    return f"| {' | '.join(shown if plain else map(_text, shown))} |"


def _text(text: str) -> str:
    """A text on one line, in which no character has a meaning for Markdown."""
    return MARKS.sub(r"\\\1", number(text))
