"""The curve of a sweep as a picture: its numbers, on light and dark pages, whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

import browser
import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.show.plots import COLOURS, COUNT, PAPER, SHARE, Axis, svg
from setveil.sweeping.points import Spread, SweptPoint
from setveil.sweeping.sweep import Swept

SVG = "{http://www.w3.org/2000/svg}"
LINE = "sweep coherence a.parquet --k 2,5,500 --p 1,2 --method mm-il,rm-all".split()


def rows_of(path):
    """The numbers that a picture is made of."""
    return json.loads(ElementTree.parse(path).getroot().findtext(f"{SVG}desc"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("curves")
    setveil.generate(place / "a.parquet", transactions=400, items=60, length=6, seed=3)
    return place


@pytest.fixture(autouse=True)
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)


def swept(rows, axes):
    """Findings as a sweep has them: (parameters, cost), None where a point is out of reach."""
    return Swept(("km-anonymity",), "a.parquet", axes, {}, (), tuple(
        SweptPoint(
            "km-anonymity", parameters, cost, None, 1,
            {} if cost is None else {"ncp": Spread(cost, 0, cost, cost)}, 0, 0, None,
        )
        for parameters, cost in rows
    ))  # fmt: skip


def test_the_picture_has_the_numbers_of_the_json(capsys):
    assert run([*LINE, "--json", "--plot", "json.svg"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["plot"] == "json.svg"
    points = [one for one in content["metrics"]["points"] if one["metrics"]]
    assert len(points) == 8  # of 12: none has 500 transactions
    assert rows_of("json.svg") == [
        {
            "k": one["parameters"]["k"],
            "information_loss": one["metrics"]["information_loss"],
            "line": f"p = {one['parameters']['p']}, {one['parameters']['method']}",
        }
        for one in points
    ]


def test_a_picture_stands_alone_and_comes_out_the_same():
    for name in ("one.svg", "two.svg"):
        assert run([*LINE, "--quiet", "--plot", name]) == 0
    assert Path("one.svg").read_bytes() == Path("two.svg").read_bytes()
    text = Path("one.svg").read_text()
    assert "<script" not in text and "href=" not in text and "url(" not in text
    assert ElementTree.parse("one.svg").getroot().findtext(f"{SVG}title").startswith("coherence: ")


def test_a_picture_in_dots():
    assert run([*LINE, "--quiet", "--plot", "dots.png"]) == 0
    assert Path("dots.png").read_bytes().startswith(b"\x89PNG")


def test_what_stands_in_it_is_text(tmp_path):
    evil = "where:name <> '</desc><script>\x00\x1b\u202e\ud800&'"
    found = swept(
        [({"m": m, "rho": rho}, 0.5) for m in (evil, "b") for rho in ("0.1", evil)],
        {"m": (evil, "b"), "rho": ("0.1", evil)},
    )
    found.write_plot(tmp_path / "evil.svg")
    root = ElementTree.parse(tmp_path / "evil.svg").getroot()
    assert not root.findall(f".//{SVG}script")
    shown = "".join(root.itertext())
    assert "</desc><script>\\u0000\\u001b\\u202e\\ud800&" in shown


def test_mistakes_are_told_before_any_work(tmp_path, capsys):
    Path("kept.svg").write_text("kept")
    for name, told in (("a.pdf", ".svg or .png"), ("kept.svg", "--force"), ("no/a.svg", "exist")):
        assert run(["sweep", "k-anonymity", "gone.parquet", "--k", "2", "--plot", name]) == 2
        assert told in capsys.readouterr().err
    assert Path("kept.svg").read_text() == "kept"
    with pytest.raises(InputError, match="nothing to draw"):
        swept([({"k": 9}, None)], {"k": (9,)}).write_plot(tmp_path / "none.svg")
    assert not list(tmp_path.iterdir())


def test_where_nothing_is_in_reach_there_is_nothing_to_draw(capsys):
    assert run("sweep k-anonymity a.parquet --fanout 4 --k 500 --plot far.svg".split()) == 3
    assert "out of reach" in capsys.readouterr().out
    assert not Path("far.svg").exists()


def test_a_picture_is_whole_or_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(InputError, match="full"):
        swept([({"k": 9}, 0.5)], {"k": (9,)}).write_plot(tmp_path / "none.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(
    browser.found() is None, reason="there is no chromium: apt-get install chromium"
)
def test_light_and_dark(tmp_path):
    path = tmp_path / "a.svg"
    swept([({"k": 9}, 0.5), ({"k": 10}, 0.6)], {"k": (9, 10)}).write_plot(path)
    paper = f"getComputedStyle(document.querySelector('[fill=\"{PAPER}\"]')).fill"
    ink = "getComputedStyle(document.querySelector('text')).fill"
    with browser.opened(path) as page:
        assert page.said == []
        page.show(width=800)
        light = page.evaluate(paper), page.evaluate(ink)
        page.show(width=800, dark=True)
        dark = page.evaluate(paper), page.evaluate(ink)
    assert light[0] == "rgb(255, 255, 255)"
    assert not set(light) & set(dark)


def test_ticks_are_the_values_and_the_legend_shows_no_sizes():
    ks, names = (2, 5, 10, 50), ("a", "b", "c", "d")
    rows = [
        {"k": k, "cost": k * (n + 1) / 300, "name": name}
        for n, name in enumerate(names)
        for k in ks
    ]
    made = svg(rows, Axis("k", "k", COUNT), Axis("cost", "cost", SHARE), "name", "costs")
    root = ElementTree.fromstring(made)
    shown = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {str(k) for k in ks} <= set(shown) and not {"20", "30", "40"} & set(shown)
    assert all(shown.count(name) == 1 for name in names)
    # Circles of the legend come from arcs of one radius; those of the data have four.
    radii = [
        round(float(one.get("d").partition("A")[2].partition(",")[0]), 3)
        for one in root.iter("{http://www.w3.org/2000/svg}path")
        if one.get("fill") in COLOURS and "A" in one.get("d")
    ]
    assert max(radii.count(one) for one in {*radii} - {0.0}) == len(names)
    assert len({*radii} - {0.0}) == len(names) + 1
