"""A comparison as Markdown: the figures of the terminal, no item, and no name that is a mark."""

from __future__ import annotations

import re

import pytest

import setveil
from runs import parquet
from setveil.cli.main import run

QUERY = """
    SELECT 100 + t.range AS tid, i.item AS item
    FROM RANGE(40) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 17)) AS i(item, n)
    WHERE t.range % i.n = 0
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("markdown")
    parquet(folder / "a.parquet", QUERY)
    with setveil.read(folder / "a.parquet") as baskets:
        setveil.coherence(baskets, k=3, p=1).write(folder / "<b>|x.parquet")
        setveil.coherence(baskets, k=12, p=1).write(folder / "c.parquet")
    return folder


def test_the_command(shop, monkeypatch, capsys):
    monkeypatch.chdir(shop)
    words = ["compare", "a.parquet", "<b>|x.parquet", "c.parquet", "--k", "12", "--p", "1"]
    words += ["--verify", "coherence", "--quiet"]
    assert run([*words, "--markdown"]) == 1
    text = capsys.readouterr().out
    assert run(words) == 1
    terminal = capsys.readouterr().out
    lines = text.splitlines()
    assert lines[0] == "### 2 releases side by side"
    assert r"\<b\>\|x.parquet: coherence does not hold, " in text
    assert "c.parquet: coherence holds, " in text
    rows = [re.split(r"(?<!\\)\|", line) for line in lines if line.startswith("|")]
    assert len(rows) > 10 and {len(one) for one in rows} <= {5, 6}
    for row in rows:
        figures = [one.strip() for one in row[2:-1]]
        assert row[1].strip() == ":--" or row[1] == "  " or all(one in terminal for one in figures)
    assert not any(name in text for name in ("beer", "bread", "milk", "tempeh"))
    assert "tempeh" in terminal


def test_it_is_that_of_python(shop, capsys):
    with setveil.read(shop / "a.parquet") as baskets:
        found = setveil.compare(baskets, str(shop / "c.parquet"), k=12, p=1)
    assert found.to_markdown().startswith("### c beside its original\n\n")


def test_one_form_at_a_time(shop, capsys):
    path = str(shop / "a.parquet")
    assert run(["compare", path, path, "--markdown", "--json"]) == 2
    assert "exclude each other" in capsys.readouterr().err
