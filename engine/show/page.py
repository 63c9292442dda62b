"""A page of findings, as one HTML file that needs no network and no script.

A `Page` says what is on it; `html_of` writes it. Every text is escaped where it enters the page,
and the page forbids its reader to fetch anything. A number stands there as people read it, and
beside that exactly, under the path that the JSON has it by (`data-path`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from setveil.errors import InputError
from setveil.run.files import places
from setveil.run.inputs import Inputs
from setveil.run.session import Statement
from setveil.run.words import Blocks
from setveil.show.plots import TURNED, Plot, refuse_lacking, visible
from setveil.show.tables import Cell, Table

STYLE = Path(__file__).with_name("page.css")
CONFIDENTIAL = "Confidential: this page can show what a release hides."


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to remember of the page."""

    label: str
    cell: Cell
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A question, its answer as a plot and a table, and the SQL behind it.

    The terminal shows title, text, table and points, of those that are not on the page alone.
    """

    title: str
    text: str = ""
    plot: Plot | None = None
    table: Table | None = None
    facts: tuple[Fact, ...] = ()
    sql: tuple[Statement, ...] = ()
    points: tuple[str, ...] = ()  # a list of sentences
    code: tuple[str, ...] = ()  # commands
    page_only: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """All that a page shows."""

    title: str
    lede: str
    confidential: bool
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]


def blocks_of(sections: Iterable[Section]) -> Blocks:
    """The sections as lines and tables of a terminal."""
    for one in sections:
        if one.table is not None and not one.page_only:
            yield one.title
            yield from [one.text] if one.text else []
            yield one.table.block
            yield from one.points


def write_page(page: Page, path: str | Path, inputs: Inputs, *, force: bool = False) -> None:
    """Write the page, whole or not at all; a confidential one is for its owner's eyes."""
    check_report(path, force=force)
    mode = 0o600 if page.confidential else 0o666
    text = html_of(page).encode("utf-8", "replace")
    with places.whole_file(str(path), inputs, force=force, mode=mode) as place:
        Path(place).write_bytes(text)


def check_report(path: str | Path, *, force: bool = False) -> None:
    """Refuse, before any work is done, what could not be written."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{path}: a report is an HTML page: name it with .html")
    refuse_lacking()
    places.check_place(str(path), force=force)


def html_of(page: Page) -> str:
    """The page as text: the same findings, the same bytes."""
    mark = f'<p class="mark">{escape(CONFIDENTIAL)}</p>' if page.confidential else ""
    first = f"<!-- {CONFIDENTIAL} -->\n" if page.confidential else ""
    body = [
        f"<header>{mark}<h1>{_text(page.title)}</h1><p>{_text(page.lede)}</p></header>",
        _facts(page.facts),
        *(_section(one) for one in page.sections),
        "<footer>Made by setveil. This page fetches nothing and runs no script.</footer>",
    ]
    return f"{first}{HEAD.format(title=_text(page.title), style=_style())}" + "\n".join(
        ["<main>", *filter(None, body), "</main>", "</html>", ""]
    )


def _style() -> str:
    """The style of every page, which ends with the colours of a dark one."""
    return f"\n{STYLE.read_text().rstrip()}{TURNED}}}\n"


def _section(section: Section) -> str:
    parts = [f"<h2>{_text(section.title)}</h2>"]
    parts += [f"<p>{_text(section.text)}</p>"] if section.text else []
    parts += [_facts(section.facts), _points(section.points), _plot(section.plot)]
    parts += [_table(section.table), _code(section.code), _sql(section.sql)]
    return "\n".join(["<section>", *filter(None, parts), "</section>"])


def _facts(facts: Iterable[Fact]) -> str:
    made = [
        f"<div><dt>{_text(one.label)}</dt><dd>{_cell(one.cell)}"
        + (f"<small>{_text(one.note)}</small>" if one.note else "")
        + "</dd></div>"
        for one in facts
    ]
    return f'<dl class="facts">{"".join(made)}</dl>' if made else ""


def _points(points: Iterable[str]) -> str:
    made = "".join(f"<li>{_text(one)}</li>" for one in points)
    return f"<ul>{made}</ul>" if made else ""


def _code(lines: Iterable[str]) -> str:
    made = "\n".join(_text(one) for one in lines)
    return f'<pre class="code">{made}</pre>' if made else ""


def _plot(plot: Plot | None) -> str:
    if plot is None:
        return ""
    alt = escape(plot.alt)
    drawn = [
        f'<div class="{kind}" role="img" aria-label="{alt}">{svg}</div>'
        for kind, svg in plot.drawn.items()
    ]
    return f"<figure>{''.join(drawn)}</figure>"


def _table(table: Table | None) -> str:
    """A table; on a phone one of many columns stands as a list of facts below each row's head."""
    if table is None:
        return ""
    head = "".join(f'<th scope="col">{_text(one)}</th>' for one in table.head)
    rows = ["".join(_row_cells(row, table.head)) for row in table.rows]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    top = f"<thead><tr>{head}</tr></thead>" if any(table.head) else ""
    kinds = [kind for kind, is_so in (("words", table.words), ("many", table.many)) if is_so]
    named = f' class="{" ".join(kinds)}"' if kinds else ""
    return f'<div class="rows"><table{named}>{top}<tbody>{body}</tbody></table></div>'


def _row_cells(row: tuple[Cell, ...], head: tuple[str, ...]) -> Iterable[str]:
    first, *others = row
    named = f' data-head="{_text(head[0])}"' if any(head[:1]) else ""
    yield f'<th scope="row"{named}>{_cell(first)}</th>'
    for n, one in enumerate(others, 1):
        title = _text(head[n]) if n < len(head) else ""
        yield f'<td data-head="{title}">{_cell(one)}</td>'


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return _text(cell)
    path = escape(cell.path)
    return f'<data value="{cell.value!r}" data-path="{path}">{_text(cell.shown)}</data>'


def _sql(statements: tuple[Statement, ...]) -> str:
    if not statements:
        return ""
    text = "\n".join(str(one) for one in statements)
    return f"<details><summary>The SQL behind it</summary><pre>{escape(text)}</pre></details>"


def _text(text: str) -> str:
    """Escaped, with what cannot be seen made visible."""
    return escape(visible(text))


HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
"""  # noqa: E501
