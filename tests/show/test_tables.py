"""One table, in a terminal and on a page, of the figures in JSON."""

from __future__ import annotations

import re

import pytest

from setveil.show.page import Page, Section, blocks_of, html_of
from setveil.show.tables import MISSING, Number, Table, cell, lines, share, with_bars

CONTENT = {"metrics": {"runs": [{"n": 1234, "loss": 0.25}, {"n": 2, "loss": 1.0}, None]}}
NAMES = ("a", "b\n", "c")


@pytest.fixture
def table():
    rows = tuple(
        (
            name,
            cell(CONTENT, f"metrics.runs.{n}.n"),
            cell(CONTENT, f"metrics.runs.{n}.loss", share),
        )
        for n, name in enumerate(NAMES)
    )
    return Table(("run", "n", "loss"), rows)


def test_text(table):
    assert list(lines(table.block)) == [
        "  run        n     loss",
        "  a      1,234   25.00%",
        "  'b\\n'      2  100.00%",
        "  c          –        –",
    ]


def test_a_path_that_the_json_lacks_is_an_error():
    with pytest.raises(KeyError):
        cell(CONTENT, "metrics.runs.0.lost")


def test_a_bar_is_as_long_as_its_number_is_large(table):
    head, *bars = [one[-1].rstrip() for one in with_bars(table, 2)]
    assert head == "loss, as a bar"
    assert [len(one) for one in bars] == [8, 30, 0]


def test_the_page_has_what_the_terminal_has(table):
    page = html_of(Page("t", "l", True, (), (Section("s", table=table),)))
    numbers = [one for row in table.rows for one in row if isinstance(one, Number)]
    assert len(numbers) == 4
    for one in numbers:
        tag = f'<data value="{one.value!r}" data-path="{one.path}">{one.shown}</data>'
        assert page.count(tag) == 1
    assert len(re.findall(f'<td data-head="[^"]*">{MISSING}</td>', page)) == 2


def test_the_terminal_leaves_out_what_is_for_the_page(table):
    sections = [Section("one", "of all", table=table), Section("two", table=table, page_only=True)]
    assert list(blocks_of([*sections, Section("three", "no table")])) == [
        "one", "of all", table.block,
    ]  # fmt: skip
