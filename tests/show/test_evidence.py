"""The page of evidence: its figures, what its form without names hides, and a browser."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import duckdb
import pytest

import browser
import setveil
from setveil.cli.main import run
from setveil.comparison import risk
from setveil.comparison.views.evidence import evidence_page
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.wording import promised_by
from setveil.run.files.digests import sha256
from setveil.show.page import html_of

K, DRAWS = 5, 200
PRIVATE = "where:name LIKE 'Rx %'"
PROMISE = ["--private", PRIVATE, "--h", "0.4", "--k", str(K), "--p", "2", "--verify", "coherence"]
ASKED = [*PROMISE, "--evidence", "--draws", str(DRAWS)]
NUMBER = re.compile(r'<data value="([^"]*)" data-path="([^"]*)">')


def at(content, path):
    for part in path.split("."):
        content = content[int(part)] if isinstance(content, list) else content[part]
    return content


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Baskets, two releases of them, and both pages with the JSON of the same run."""
    place = tmp_path_factory.mktemp("evidence")
    setveil.generate(place / "a.parquet", transactions=300, items=40, length=6, seed=2)
    with setveil.read(place / "a.parquet") as baskets:
        for name, k in (("b", K), ("c", 20)):
            release = setveil.coherence(baskets, k=k, p=2, h=0.4, private=PRIVATE)
            release.write(place / f"{name}.parquet")
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr("setveil.cli.output.say", said.append)
        for name, more in (("own", ["c.parquet", "--history"]), ("public", ["--no-names"])):
            line = ["compare", "a.parquet", "b.parquet", *more, *ASKED, "--json"]
            assert run([*line, "--report", f"{name}.html"]) in (0, 1)
            (place / f"{name}.json").write_text(said.pop())
    return place


def read(folder, name):
    return (folder / f"{name}.html").read_text(), json.loads((folder / f"{name}.json").read_text())


@pytest.mark.parametrize("name", ["own", "public"])
def test_every_figure_is_that_of_the_json(folder, name):
    page, content = read(folder, name)
    found = NUMBER.findall(page)
    assert len(found) > 30
    for value, path in found:
        assert at(content, path) == float(value)


def test_a_page_says_what_was_judged(folder):
    page, content = read(folder, "own")
    evidence = content["evidence"]
    assert evidence["original"]["sha256"] == sha256(folder / "a.parquet")
    assert [one["identity"]["sha256"] for one in evidence["releases"]] == [
        sha256(folder / f"{name}.parquet") for name in "bc"
    ]
    text = unescape(page)
    for one in (*evidence["not_covered"], *evidence["blanks"], *evidence["repeat"]):
        assert one in text
    assert all(one["verdict"] in text for one in evidence["releases"])
    assert "Together the releases do not keep it." in text or "Together the releases keep" in text
    for title in ("Summary", "Singling out", "Linkability", "Inference", "A motivated intruder",
                  "Not covered", "Use that is left", "To be filled in", "Crosswalk"):  # fmt: skip
        assert f"<h2>{title}</h2>" in text
    assert text.index("<h2>Not covered</h2>") < text.index("<h2>Singling out</h2>")
    for one in ("ISO/IEC 27559", "WP216", "NIST SP 800-188", "EMA Policy 0070"):
        assert one in text


def test_its_commands_judge_the_release_again(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    _, content = read(folder, "public")
    verify, *_ = content["evidence"]["repeat"]
    assert run(shlex.split(verify)[1:]) == 0
    assert "keeps" in content["evidence"]["releases"][0]["verdict"]
    capsys.readouterr()


def test_without_names_no_item_is_named_and_no_cell_is_below_k(folder):
    page, content = read(folder, "public")
    text = unescape(page)
    rows = duckdb.sql(f"SELECT DISTINCT item FROM '{folder}/a.parquet'").fetchall()  # noqa: S608
    assert not [name for (name,) in rows if name in text]
    assert "Rx " not in text and "a.parquet" not in text
    sizes = content["metrics"]["original"] | {"draws": DRAWS}
    shares = {name for name, one in risk.MEASURES.items() if one.is_share}
    hidden = {"largest_risk", "breach", "largest_share"}
    for value, path in NUMBER.findall(page):
        if path.startswith("parameters."):
            continue
        number, name = float(value), path.rpartition(".risk.")[2].partition(".")[0]
        assert not ("." not in value and 0 < number < K), path
        if name in shares - hidden and not name.startswith("intruder_risk"):
            of = sizes["draws" if name.startswith("intruder") else "transactions"]
            assert not 0 < round(number * of, 6) < K, path
    shown = {path for _, path in NUMBER.findall(page)}
    few = content["metrics"]["original"]["risk"]
    masked = [
        f"metrics.original.risk.{name}.{n}"
        for name in ("unique", "singled_out", "above_bound")
        for n, share in enumerate(few[name])
        if 0 < round(share * sizes["transactions"], 6) < K
    ]
    assert not shown & set(masked)
    assert few["largest_risk"] == 1.0 and "above 1 in 5" in text


def test_small_counts_are_masked(folder):
    """Masks the cells of the form without names: its figures are made small for that."""
    with setveil.read(folder / "a.parquet") as baskets:
        found = setveil.compare(
            baskets, folder / "b.parquet", k=K, p=2, h=0.4, private=PRIVATE, verify="coherence",
            evidence=True, draws=DRAWS,
        )  # fmt: skip
    everything = found.original.transactions
    few = {"unique": (2 / everything, 4 / everything), "singled_out": (4 / everything, 0.5)}
    few |= {"intruder_unique": (1 / DRAWS, 4 / DRAWS)}
    found.original.risk.update(few)
    object.__setattr__(found.original, "transactions", found.releases[0].side.transactions + 1)
    own, public = (html_of(evidence_page(found, public=public)) for public in (False, True))
    for name, values in few.items():
        for n, _ in enumerate(values):
            path = f'data-path="metrics.original.risk.{name}.{n}"'
            assert path in own
            assert (path in public) == ((name, n) == ("singled_out", 1))
    assert 'data-path="metrics.original.transactions"' in own
    assert 'data-path="metrics.original.transactions"' not in public


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--evidence", "--report", "r.html"], "--verify"),
        (["--evidence", "--verify", "coherence", "--k", "5", "--p", "2"], "--report"),
    ],
)
def test_evidence_needs_a_verdict_and_a_place(folder, monkeypatch, capsys, options, told):
    monkeypatch.chdir(folder)
    assert run(["compare", "a.parquet", "b.parquet", *options]) == 2
    assert told in capsys.readouterr().err
    assert not Path("r.html").exists()


def test_evidence_without_a_verdict_is_refused_in_python(folder):
    with setveil.read(folder / "a.parquet") as baskets:
        with pytest.raises(InputError, match="needs verify="):
            setveil.compare(baskets, folder / "b.parquet", evidence=True)


def test_evidence_is_explained(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert run(["compare", "a.parquet", "b.parquet", *ASKED, "--explain"]) == 0
    said = capsys.readouterr().out
    assert "candidates_2: counts" in said and "MD5(" in said


# Persons: some transactions have none, and ids are replaced

OF_PERSONS = ["--person", "who", "--drop-nulls"]
WITHOUT = 7  # transactions without a person


@pytest.fixture(scope="module")
def of_persons(tmp_path_factory):
    """A renumbered release of transactions with persons, and both pages with their JSON."""
    place = tmp_path_factory.mktemp("persons")
    setveil.generate(place / "plain.parquet", transactions=300, items=30, length=5, seed=4)
    duckdb.sql(
        f"COPY (SELECT tid, item, CASE WHEN tid > {WITHOUT} THEN 'p' || tid % 60 END AS who "  # noqa: S608
        f"FROM '{place}/plain.parquet') TO '{place}/a.parquet' (FORMAT parquet)"
    )
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr("setveil.cli.output.say", said.append)
        line = ["coherence", "a.parquet", *OF_PERSONS, "--k", "5", "--p", "2", "--renumber"]
        assert run([*line, "--key", "key.parquet", "--out", "b.parquet", "--quiet"]) == 0
        for name, more in (("own", []), ("public", ["--no-names"])):
            line = ["compare", "a.parquet", "b.parquet", *OF_PERSONS, "--key", "key.parquet"]
            line += ["--k", "5", "--p", "2", "--verify", "coherence", "--evidence", "--json"]
            said.clear()
            assert run([*line, "--draws", "50", *more, "--report", f"{name}.html"]) == 0
            (place / f"{name}.json").write_text(said.pop())
    return place


FILLED = {"ORIGINAL": "a.parquet", "KEY": "key.parquet", "TABLE": "b.parquet"}


@pytest.mark.parametrize("name", ["own", "public"])
def test_the_printed_lines_judge_persons_again(of_persons, monkeypatch, capsys, tmp_path, name):
    monkeypatch.chdir(of_persons)
    page, content = read(of_persons, name)
    field = "repeat" if name == "own" else "repeat_without_names"
    lines = content["evidence"][field]
    assert all(line in unescape(page) for line in lines)
    verify, query, again, _ = ([FILLED.get(one, one) for one in shlex.split(x)[1:]] for x in lines)
    assert "LIST" not in page
    assert run([*verify, "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)
    assert judged["metrics"]["persons"] == content["metrics"]["releases"][0]["side"]["persons"]
    assert run(query) == 0
    assert not answered(capsys.readouterr().out)
    assert run([*again[:-1], str(tmp_path / "again.html"), "--json"]) == 0
    repeated = json.loads(capsys.readouterr().out)
    assert repeated["metrics"] == content["metrics"]
    assert repeated["parameters"] == content["parameters"]
    assert repeated["evidence"][field] == lines


def answered(query):
    """The violations that a printed query finds in the file of the release."""
    return duckdb.sql(query).fetchall()


def test_guests_and_kept_ids_are_in_the_printed_lines(of_persons, monkeypatch, capsys):
    monkeypatch.chdir(of_persons)
    with setveil.read("a.parquet", person="who", guests="own") as baskets:
        setveil.k_anonymity(baskets, k=3, fanout=4).write("guests.parquet")
        found = setveil.compare(
            baskets, "guests.parquet", k=3, fanout=4, verify="k-anonymity", evidence=True, draws=5
        )
    assert found.evidence is not None and found.evidence.left_out == 0
    filled = FILLED | {"TABLE": "guests.parquet", "TABLE_OF_ORIGINAL": "a.parquet"}
    lines = [shlex.split(one)[1:] for one in found.evidence.repeat_without_names]
    verify, query, again, _, labels = ([filled.get(word, word) for word in line] for line in lines)
    for line in (verify, query, again, labels):
        assert "--person who --guests own" in " ".join(line)
    assert again[again.index("--fanout") + 1] == "4"
    assert run(verify) == 0
    capsys.readouterr()
    assert run(query) == 0
    assert not answered(capsys.readouterr().out)
    assert run(again) == 0
    text = unescape(Path("evidence.html").read_text())
    assert "are of at least 3 different persons" in text and "no key" not in text
    assert "hierarchy --of RELEASE tells readers" in text
    capsys.readouterr()
    assert run(labels) == 0 and Path("labels.csv").read_text().startswith("item,")


@pytest.mark.parametrize("name", ["own", "public"])
def test_the_page_speaks_of_persons(of_persons, name):
    page, content = read(of_persons, name)
    text = unescape(re.sub(r"<[^>]*>", "", page))
    assert "held by at least 5 different persons or by nobody" in text
    assert "persons are those of the column 'who'" in text
    assert "at least k transactions" not in text
    assert "(h,k,p)-coherence in persons (k = 5, p = 2)" in text
    assert "the release, and from the source only who made each transaction" in text
    assert "the release alone" not in text
    assert "over a renumbered release it counts transactions only" in text
    assert "needs k of 12 or more" in text
    told = {one: content["parameters"][one] for one in ("person", "guests", "drop_nulls")}
    assert told == {"person": "who", "guests": None, "drop_nulls": True}
    evidence = content["evidence"]
    assert (evidence["in_source"], evidence["left_out"]) == (300, WITHOUT)
    assert f'data-path="evidence.left_out">{WITHOUT}<' in page
    assert "without a person (--drop-nulls)" in text


@pytest.mark.parametrize(("more", "queries"), [({}, 0), ({"max_knowledge": 2}, 1)])
def test_no_query_is_printed_that_would_be_refused(of_persons, more, queries):
    with setveil.read(of_persons / "plain.parquet") as baskets:
        found = setveil.compare(
            baskets, of_persons / "plain.parquet", verify="uncertainty", rho=0.9,
            sensitive="where:support < 20", evidence=True, draws=5, **more,
        )  # fmt: skip
    assert found.evidence is not None
    assert sum("--query" in line for line in found.evidence.repeat) == queries


@pytest.mark.parametrize("model", REGISTRY.values(), ids=lambda one: one.name)
def test_a_promise_in_persons_says_so(model):
    told = promised_by(model, "who")
    assert promised_by(model, None) == model.guarantee
    assert ("person" in told and "'who'" in told) == model.of_persons
    assert (told == model.guarantee) != model.of_persons


def test_few_that_were_left_out_are_not_counted_without_names(of_persons):
    with setveil.read(of_persons / "a.parquet", person="who", drop_nulls=True) as baskets:
        release = setveil.coherence(baskets, k=WITHOUT + 1, p=1)
        found = setveil.compare(
            baskets, release, k=WITHOUT + 1, p=1, verify="coherence", evidence=True, draws=10
        )
    own, public = (html_of(evidence_page(found, public=public)) for public in (False, True))
    for path in ("evidence.left_out", "evidence.in_source"):
        assert f'data-path="{path}"' in own
        assert f'data-path="{path}"' not in public
    assert f"fewer than {WITHOUT + 1}" in public


CUT = """
[...document.querySelectorAll('td, tbody th')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.right > document.documentElement.clientWidth + 1 || box.left < -1;
}).length
"""


@pytest.mark.skipif(browser.found() is None, reason="there is no chromium")
@pytest.mark.parametrize("name", ["own", pytest.param("public", marks=pytest.mark.slow)])
def test_in_a_browser_nothing_is_fetched_and_no_column_is_cut(folder, name):
    path = folder / f"{name}.html"
    with browser.opened(path) as page:
        assert page.requests == [path.as_uri()] and page.said == []
        for width in (1280, 375):
            page.show(width=width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == 0
        page.show(width=800, media="print")
        assert page.paper().startswith(b"%PDF")


def test_the_page_says_what_stays_readable_and_which_columns_find_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "SELECT range // 2 AS tid, 'i' || range % 2 AS item, 'R' || range // 2 AS receipt, "
    rows += "'town ' || range // 2 % 2 AS town FROM RANGE(600)"
    duckdb.sql(f"COPY ({rows}) TO 'a.parquet'")
    with setveil.read("a.parquet") as baskets:
        for private in (["i1"], []):
            terms = {"k": 2, "p": 1, "private": private, "h": 1}
            with setveil.read("a.parquet", carry=["town", "receipt"]) as carrying:
                setveil.coherence(carrying, **terms).write("b.parquet", force=True)
            found = setveil.compare(
                baskets, "b.parquet", **terms, verify="coherence", evidence=True, draws=20
            )
            assert found.evidence is not None
            said = " ".join(found.evidence.not_covered)
            assert "Of these, dangerous by themselves: receipt." in said
            assert found.evidence.releases[0].dangerous == ("receipt",)
            assert ("Names: private items are published by name" in said) == bool(private)


def test_a_page_without_names_does_not_tell_where_the_tables_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("hidden_place.duckdb") as shop:
        shop.execute("CREATE TABLE s AS SELECT range // 2 AS tid, range % 2 AS item FROM RANGE(90)")
        shop.execute("CREATE TABLE safe AS FROM s")
    words = "compare s safe --database hidden_place.duckdb --verify coherence --k 2 --p 1".split()
    for name, more in (("own", []), ("public", ["--no-names"])):
        options = ["--evidence", "--draws", "5", "--report", f"{name}.html", *more]
        assert run([*words, *options]) == 0
    own, public = (Path(f"{name}.html").read_text() for name in ("own", "public"))
    assert "hidden_place" in own and "hidden_place" not in public
    assert "--database DATABASE" in public
