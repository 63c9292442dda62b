"""The page: what it says, to whom, and that a real browser shows it as it should."""

from __future__ import annotations

import importlib
import json
import os
import re
import stat
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import duckdb
import pytest

import browser
import setveil
from hostile_names import NAMES
from setveil.cli.main import run
from setveil.comparison.findings import LostItem
from setveil.comparison.views.comparison import comparison_page
from setveil.comparison.views.pages import LIMITS
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.inputs import Inputs
from setveil.show.page import Fact, Page, Section, html_of, write_page
from setveil.show.plots import COLOURS, DARK, Axis, bars, lines
from setveil.show.tables import Number, Table
from setveil.sweeping.pages import sweep_page

SECRET = "where:name LIKE 'Rx %'"
PRIVATE = ["--private", "where:name LIKE 'Rx %'", "--h", "0.4"]
ASKED = [*PRIVATE, "--k", "5", "--p", "2", "--min-support", "0.02", "--verify", "coherence",
         "--min-confidence", "20%", "--patterns", "p.csv",
         "--sensitive", "where:name LIKE 'Rx %'"]  # fmt: skip
NUMBER = re.compile(r'<data value="([^"]*)" data-path="([^"]*)">')


def read_numbers(text):
    return {path: float(value) for value, path in NUMBER.findall(text)}


def at(content, path):
    """What the JSON has by a path of the page."""
    for part in path.split("."):
        content = content[int(part)] if isinstance(content, list) else content[part]
    return content


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Generated baskets, and releases of them."""
    place = tmp_path_factory.mktemp("report")
    setveil.generate(place / "a.parquet", transactions=600, items=60, length=6, seed=2)
    with setveil.read(place / "a.parquet") as baskets:
        for name, k in (("b", 5), ("c", 20)):
            release = setveil.coherence(baskets, k=k, p=2, h=0.4, private="where:name LIKE 'Rx %'")
            release.write(place / f"{name}.parquet")
        setveil.k_anonymity(baskets, k=5, fanout=4).write(place / "g.parquet")
    baskets = duckdb.read_parquet(f"{place}/a.parquet")
    counts = baskets.aggregate("item, COUNT(*) AS n").order("n DESC, item").limit(2)
    counts.select("1 AS pattern, item").write_csv(f"{place}/p.csv")
    return place


PAGES = {
    "compare": ["compare", "a.parquet", "b.parquet", *ASKED],
    "three": ["compare", "a.parquet", "b.parquet", "c.parquet", *ASKED],
    "public": ["compare", "a.parquet", "b.parquet", "c.parquet", *ASKED, "--no-names"],
    "nodes": ["compare", "a.parquet", "g.parquet", "b.parquet", "--fanout", "4", "--k", "5"],
    "public nodes": ["compare", "a.parquet", "g.parquet", "--fanout", "4", "--no-names"],
    "inspect": ["inspect", "a.parquet", *PRIVATE, "--k", "5"],
    "sweep": ["sweep", "coherence", "a.parquet", *PRIVATE, "--k", "2,5,10", "--p", "1,2",
              "--method", "mm-il,rm-all"],
}  # fmt: skip


class Pages(dict[str, tuple[Path, Any]]):
    """Kinds of pages, with the JSON of the same run, each made when it is first asked for."""

    def __init__(self, folder):
        super().__init__()
        self._folder = folder

    def __missing__(self, name):
        said: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self._folder)
            patch.setattr("setveil.cli.output.say", said.append)
            assert run([*PAGES[name], "--json", "--report", f"{name}.html"]) == 0
        self[name] = self._folder / f"{name}.html", json.loads(said[0])
        return self[name]


@pytest.fixture(scope="module")
def pages(folder):
    return Pages(folder)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", PAGES)
def test_every_number_is_that_of_the_json(pages, name):
    path, content = pages[name]
    numbers = read_numbers(path.read_text())
    assert len(numbers) > 10
    assert {one: at(content, one) for one in numbers} == numbers


MEASURED = {
    "compare": ["rules.lost", "measures.rules_jaccard", "patterns.disclosed", "side.confidence",
                "patterns.hiding_failure", "measures.misses_cost", "side.surest_rule.support",
                "measures.dissimilarity"],
    "public": ["rules.lost", "patterns.misses_cost", "side.confidence"],
    "nodes": ["measures.ncp", "ncp_by_level.1.ncp", "ncp_by_level.0.nodes"],
}  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("model", "grid", "options"),
    [
        ("hiding", {"psi": [0, 0.5]}, {"patterns": "p.csv"}),
        ("km-anonymity", {"m": [1], "k": [2, 5]}, {"fanout": 4}),
        ("k-anonymity", {"k": [2, 5]}, {"fanout": 4}),
        ("uncertainty", {"rho": [0.5, 0.9]}, {"sensitive": "where:name LIKE 'Rx %'"}),
    ],
)
def test_a_sweep_shows_what_its_model_counts(folder, monkeypatch, model, grid, options):
    monkeypatch.chdir(folder)
    with setveil.read("a.parquet") as baskets:
        found = setveil.sweep(baskets, model, grid, **options)
    table = sweep_page(found).sections[0].table
    for cells in table.rows:
        assert all(isinstance(one, Number) for one in cells[len(grid) :])
    assert any(one.value for cells in table.rows for one in cells[len(grid) :])


@pytest.mark.few(1)
@pytest.mark.parametrize("name", MEASURED)
def test_every_family_of_measures_is_there(pages, name):
    text = pages[name][0].read_text()
    assert {f"metrics.releases.0.{one}" for one in MEASURED[name]} <= read_numbers(text).keys()
    assert ("surest_rule" in text) == (name == "compare")


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["compare", "public", "nodes"])
def test_a_comparison_says_what_no_promise_covers(pages, name):
    text = unescape(pages[name][0].read_text())
    assert "<h2>Limits</h2>" in text and LIMITS in text


@pytest.mark.few(1)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_fetched_and_nothing_runs(pages, name):
    text = pages[name][0].read_text()
    assert "<script" not in text and "@import" not in text
    assert not re.search(r'\b(src|href)="(?!data:)', text)
    assert set(re.findall(r"https?://[^\"'<\s]+", text)) <= {
        "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink",
    }  # fmt: skip
    assert "default-src 'none'" in text
    assert not re.search(r'\bid="', text)  # several plots stand on one page


@pytest.mark.few(3)
@pytest.mark.parametrize("name", PAGES)
def test_who_may_read_it(pages, name):
    path, _ = pages[name]
    mode, text = stat.S_IMODE(path.stat().st_mode), path.read_text()
    if name.startswith("public"):
        assert mode & 0o044 and "onfidential" not in text
    else:
        assert mode == 0o600 and text.startswith("<!-- Confidential:")


def test_a_public_page_names_no_item(folder, pages):
    query = f"SELECT DISTINCT item FROM '{folder}/a.parquet'"  # noqa: S608
    names = {name for (name,) in duckdb.sql(query).fetchall()}
    shown = {kind: {one for one in names if one in unescape(pages[kind][0].read_text())}
             for kind in ("three", "public")}  # fmt: skip
    assert shown["three"] and not shown["public"]
    text = pages["public nodes"][0].read_text()
    assert "ncp_by_level.0.nodes" in text and "ncp_by_level.0.occurrences" not in text
    text = pages["public"][0].read_text()
    assert "lost_most" not in text.replace("itemsets_lost_most_", "").replace(
        "items_lost_most:", ""
    )
    assert "Rx " not in text and "a.parquet" not in text


@pytest.mark.slow
def test_the_same_findings_the_same_bytes(folder, pages, monkeypatch):
    monkeypatch.chdir(folder)
    for threads in ("1", "4"):
        again = [*PAGES["three"], "--threads", threads, "--quiet"]
        assert run([*again, "--report", "again.html", "--force"]) == 0
        assert (folder / "again.html").read_bytes() == pages["three"][0].read_bytes()


def test_hostile_names_are_text(tmp_path, monkeypatch):
    """As items: on the page as they are, whole, and no markup."""
    monkeypatch.chdir(tmp_path)
    names = [*NAMES, "<script>alert(1)</script>", "&lt;", "</style>", "\u202e"]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid VARCHAR, item VARCHAR)")
        rows = [[key, item] for key in "uvw" for item in (*names, "other")]
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        connection.execute("CREATE TABLE gone AS SELECT * FROM t WHERE item = 'other'")
        with setveil.read(connection, "t") as baskets:
            found = setveil.compare(baskets, "gone", p=1)
    lost = tuple(LostItem(name, 3, 0) for name in names)
    assert set(found.releases[0].items_lost_most) <= set(lost)
    found = replace(found, releases=(replace(found.releases[0], items_lost_most=lost),))
    found.write_report("r.html")
    text = Path("r.html").read_text()
    cells = [unescape(one) for one in re.findall(r'<th scope="row"[^>]*>(.*?)</th>', text)]
    for name in names:
        assert "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in name) in cells
    assert "<script" not in text and text.count("</style>") == 1


def test_text_is_escaped_wherever_it_enters():
    evil = '"><script>&'
    number = Number(1.5, evil, evil)
    page = Page(
        evil, evil, True, (Fact(evil, number, evil),),
        (Section(evil, evil, None, Table((evil,), ((evil, number),)), (Fact(evil, evil),),
                 (setveil.Statement(evil, evil, evil),)),),
    )  # fmt: skip
    text = html_of(page)
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == text.count("script") - 1  # of the foot
    drawn = bars([{"x": evil, "y": 1, "s": evil}], Axis("x", "x"), Axis("y", "y", "~s"), "s", evil)
    assert "<script" not in drawn.drawn["wide"] + drawn.drawn["narrow"]


def test_more_series_than_colours_are_drawn():
    rows = [{"x": n, "y": n, "s": f"s{n}"} for n in range(2 * len(COLOURS))]
    drawn = lines(rows, Axis("x", "x", "~s"), Axis("y", "y", "~s"), "s", "many")
    assert "s15" in drawn.drawn["wide"] and len(DARK) == len(COLOURS)


@pytest.mark.parametrize(
    ("name", "told"), [("r.txt", ".html"), ("gone/r.html", "does not exist"), ("b.html", "--force")]
)
def test_reports_that_cannot_be_written_are_refused_first(folder, monkeypatch, capsys, name, told):
    monkeypatch.chdir(folder)
    Path("b.html").write_text("kept")
    assert run(["inspect", "nothing.parquet", "--report", name]) == 2
    assert told in capsys.readouterr().err
    assert Path("b.html").read_text() == "kept"


def test_a_page_is_whole_or_not_there(tmp_path, monkeypatch):
    page = Page("t", "l", True, (), ())
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(InputError, match="full"):
        write_page(page, tmp_path / "r.html", Inputs())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("source", ["a.parquet", "gone.parquet"])
def test_without_the_extra_it_is_said_what_is_missing(folder, monkeypatch, capsys, source):
    """Before any work: a source that is not there is not even looked for."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("setveil.show.plots.find_spec", lambda name: None)
    for words in (["inspect", source], ["compare", source, source], ["sweep", "coherence", source]):
        more = ["--k", "2", "--p", "1,2"] if words[0] == "sweep" else []
        assert run([*words, *more, "--report", "none.html"]) == 2
        said = capsys.readouterr().err
        assert f"{sys.executable} -m pip install altair vl-convert-python" in said
        assert not Path("none.html").exists()


def test_bands_of_support_are_named_by_their_range(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "(r, 'a'), (r % 99, 'b'), (r % 100, 'c'), (r % 9, 'd'), (r % 1000, 'e')"
    text = f"""COPY (
        SELECT DISTINCT * FROM (SELECT UNNEST([{rows}], recursive := true) FROM RANGE(100000) t(r))
    ) TO 'a.csv' (HEADER false)"""  # noqa: S608
    duckdb.sql(text)
    (tmp_path / "a.csv").write_text("tid,item\n" + (tmp_path / "a.csv").read_text())
    said = ["1–9", "10–99", "100–999", "1,000–9,999", "100,000 or more"]
    assert run(["inspect", "a.csv", "--report", "a.html", "--p", "1"]) == 0
    told = capsys.readouterr().out
    assert [one for one in said if f"  {one} " in told] == said
    page = (tmp_path / "a.html").read_text()
    assert [one for one in said if f">{one}</th>" in page] == said
    assert run(["inspect", "a.csv", "--json", "--p", "1"]) == 0
    bands = json.loads(capsys.readouterr().out)["metrics"]["supports"]
    assert [band["range"] for band in bands] == said


# In a real browser

needs_browser = pytest.mark.skipif(
    browser.found() is None, reason="there is no chromium: apt-get install chromium"
)
SHOWN = """
[...document.querySelectorAll('data')].map(one => [one.dataset.path, one.value, one.innerText])
"""
PLOTS = """
[...document.querySelectorAll('figure > div')].map(one => {
    const box = one.firstElementChild.getBoundingClientRect();
    return [one.className, box.width, box.height];
})
"""


@pytest.mark.few(2)
@needs_browser
@pytest.mark.parametrize("name", PAGES)
def test_in_a_browser(pages, name):
    path, content = pages[name]
    with browser.opened(path) as page:
        assert page.requests == [path.as_uri()]
        assert page.said == []
        shown = page.evaluate(SHOWN)
        assert {one: float(value) for one, value, _ in shown} == read_numbers(path.read_text())
        for where, _, text in shown:
            value = at(content, where)
            written = {f"{value:,}", f"{value:.4g}", f"{value:.2%}"}
            assert text in written
        for width, kind in ((1000, "wide"), (390, "narrow")):
            page.show(width=width)
            across = page.evaluate("document.documentElement.scrollWidth")
            assert across <= width, "the page can be pushed aside"
            drawn = page.evaluate(PLOTS)
            assert drawn
            for named, one_width, height in drawn:
                seen = one_width > 200 and height > 100
                assert seen == (named == kind) and one_width <= width


@needs_browser
def test_dark_and_on_paper(pages):
    colour = "getComputedStyle(document.body).backgroundColor"
    drawn = f"getComputedStyle(document.querySelector('svg [stroke=\"{COLOURS[0]}\"]')).stroke"
    fold = "getComputedStyle(document.querySelector('details')).display"
    with browser.opened(pages["compare"][0]) as page:
        page.show(width=800)
        light = page.evaluate(colour), page.evaluate(drawn)
        page.show(width=800, dark=True)
        dark = page.evaluate(colour), page.evaluate(drawn)
        page.show(width=800, dark=True, media="print")
        printed = page.evaluate(colour), page.evaluate(drawn)
        assert page.evaluate(fold) == "none"
        assert page.paper().startswith(b"%PDF")
    assert light == printed and light[0] == "rgb(255, 255, 255)"
    assert not set(light) & set(dark)


@pytest.mark.parametrize("model", ["coherence", "km-anonymity", "k-anonymity"])
def test_the_lines_of_nodes_add_up(tmp_path, model):
    """Items that are kept as they are, and those that are suppressed, have a line as well."""
    tree = tmp_path / "tree.parquet"
    setveil.generate(
        tmp_path / "a.parquet", transactions=600, items=40, length=6, seed=2, hierarchy=tree
    )
    options = {
        "coherence": {"k": 12, "p": 2, "method": "generalize", "private": SECRET, "h": "0.5"},
        "km-anonymity": {"k": 5, "m": 2, "suppress": True},
        "k-anonymity": {"k": 5, "private": SECRET},
    }[model]
    with setveil.read(tmp_path / "a.parquet") as baskets:
        release = REGISTRY[model].anonymize(baskets, hierarchy=tree, **options)
        texts = importlib.import_module(REGISTRY[model].texts)
        rows = [row for block in texts.release(release) if not isinstance(block, str)
                for row in block]  # fmt: skip
        found = setveil.compare(baskets, release, hierarchy=tree, k=5, p=2)
    for place, (name, number) in enumerate(rows):
        depth = len(name) - len(name.lstrip())
        parts = []
        for under, one in rows[place + 1 :]:
            deeper = len(under) - len(under.lstrip())
            if deeper <= depth:
                break
            if deeper == depth + 2:
                parts.append(one)
        if name.strip() in ("items", "nodes published", "occurrences", "generalized") and parts:
            assert sum(parts) == number, (name, parts)
    [one] = found.releases
    assert one.ncp_of_suppressed is not None
    levels, gone = one.ncp_by_level, one.ncp_of_suppressed
    assert sum(each.nodes for each in levels) == one.side.items
    assert sum(each.occurrences for each in levels) + gone.occurrences == (
        found.original.occurrences
    )
    assert sum(each.ncp for each in levels) + gone.ncp == pytest.approx(one.measures["ncp"])
    page = html_of(comparison_page(found))
    assert "items as they are" in page and "in all" in page
