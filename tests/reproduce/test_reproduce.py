"""The papers' figures and tables: all are there, their commands run, and findings are judged."""

from __future__ import annotations

import csv
import json
import re
import shlex

import pytest

import setveil
from runs import parquet
from setveil.cli.lazy import commands
from setveil.cli.main import run
from setveil.comparison.measures import MEASURES
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.reproducing.commands import commands_of
from setveil.reproducing.data import Found
from setveil.reproducing.findings import WAYS, Judged, judge
from setveil.reproducing.recipes import PAPERS, Finding, every_figure, paper
from setveil.reproducing.run import Reproduced, RunMade, _built
from setveil.reproducing.table import summary
from setveil.run.interrupts import WRITTEN
from setveil.sweeping.points import SPENT, metric_names

ASKED = {
    "coherence": (*map(str, range(8, 14)), "table-1"),
    "deanonymization": ("1", "2", "3"),
    "hiding": (*map(str, range(6, 14)), "table-1", "table-2"),
    "local-generalization": (*map(str, range(3, 10)), "table-1", "table-2", "table-3"),
    "partial-suppression": (*map(str, range(1, 10)), "table-1", "table-2", "table-3"),
}
FIGURES = every_figure()
HERE = Found("a.parquet", None, "", (), "a.parquet")
EXAMPLES = ("local-generalization-table-1", "local-generalization-table-2")
SIZES = {"transactions", "items", "occurrences", "mean_length", "longest"}
SIZES |= {"longest_by_mean", "longest_rise"}


def test_every_figure_and_table_has_a_recipe():
    assert PAPERS == tuple(ASKED)
    shown = [one.label for one in FIGURES]
    assert sorted(shown) == sorted(f"{name}-{one}" for name in ASKED for one in ASKED[name])
    assert all(one.findings for figure in FIGURES for one in figure.runs)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.label)
def test_a_recipe_names_what_there_is(figure):
    for one in figure.runs:
        assert one.data in paper(figure.paper).data
        own = set().union(*(metric_names(REGISTRY[name]) for name in one.models), SIZES)
        known = {*MEASURES, *SPENT, "penalty", "correct"} | own
        assert not one.measure or one.measure in known
        for finding in one.findings:
            assert finding.judge in WAYS and finding.measure in known
            assert not finding.along or finding.along in one.grid


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.label)
def test_the_command_line_takes_the_commands(figure):
    """Every word of a printed command is an option of it, with a value that it can read."""
    for one in figure.runs:
        known, unbuilt = _built(one)
        if not known.models and known.command == "sweep":
            assert unbuilt
            continue
        for line in commands_of(known, HERE, quick=False):
            program, name, *words = shlex.split(line)
            assert program == "setveil"
            command = commands()[name].build()
            if name == "sweep":
                command = command.get_command(None, words.pop(0))
            command.make_context(name, words).close()


def test_the_worked_examples_hold(tmp_path, capsys):
    assert run(["reproduce", *EXAMPLES, "--json", "--quiet", "--out", str(tmp_path / "made")]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    findings = [one for figure in figures for made in figure["runs"] for one in made["findings"]]
    assert len(findings) == 5 and all(one["holds"] for one in findings)
    assert (tmp_path / "made" / EXAMPLES[1] / "example2.csv").is_file()


def test_a_printed_command_gives_the_numbers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made = setveil.reproduce(EXAMPLES[1], out="made")
    monkeypatch.chdir(tmp_path / "made" / EXAMPLES[1])
    for one in made.runs:
        assert run([*shlex.split(one.commands[-1])[1:], "--json"]) == 0
        (point,) = json.loads(capsys.readouterr().out)["metrics"]["points"]
        assert point["measures"]["ncp"]["mean"] == one.rows[0]["ncp"]


@pytest.mark.parametrize("kind", ["csv", "md"])
def test_the_table_has_a_row_for_each_finding(tmp_path, capsys, kind):
    table = tmp_path / f"findings.{kind}"
    words = ["reproduce", *EXAMPLES, "--quiet", "--table", str(table)]
    assert run(words) == 0
    shown = capsys.readouterr().out
    assert "do not  cannot be told" in shown and "Of 5 findings 5 hold" in shown
    rows = table.read_text().splitlines()
    if kind == "csv":
        head, *rows = csv.reader(rows)
        assert head[:4] == ["figure", "title", "finding", "holds"]
        assert [row[0] for row in rows] == [EXAMPLES[0]] * 2 + [EXAMPLES[1]] * 3
        assert all(row[3] == "holds" and row[7].startswith("setveil sweep") for row in rows)
    else:
        assert sum(row.startswith("| local-generalization-table-") for row in rows) == 5
    assert run(words) == 2 and "or --force to overwrite it" in capsys.readouterr().err
    table.write_text("of an earlier run")
    assert run([*words, "--force"]) == 0 and len(table.read_text().splitlines()) > 5
    capsys.readouterr()
    assert run([*words[:-1], str(tmp_path / "a.txt")]) == 2
    assert "ends with .csv or .md" in capsys.readouterr().err


def test_the_table_tells_why_a_finding_does_not_hold(monkeypatch):
    """All that does not hold, or cannot be told, stands below the table of several figures."""
    judged = [Judged(f"says {one}", one, "1 and 2", "why" if one is not True else "")
              for one in (True, False, None)]  # fmt: skip
    made = RunMade("k", "data", ("setveil sweep",), (), tuple(judged), None, 1.0)
    found = [Reproduced(f"paper-{n}", "A title", "", (made,)) for n in (1, 2)]
    head, *rows = (figures := next(blocks := summary(found, 2.0)))
    assert len(figures) == 3 and len(head) == 6 and rows[0] == ("paper-1", 3, 1, 1, 1, 1)
    assert [*blocks] == [
        "does not hold:",
        "  paper-1: says False (1 and 2); why",
        "  paper-2: says False (1 and 2); why",
        "cannot be told:",
        "  paper-1: says None (1 and 2); why",
        "  paper-2: says None (1 and 2); why",
        "Of 6 findings 2 hold, 2 do not, 2 cannot be told (2.0 s)",
    ]


def test_sizes_of_generated_data_cannot_be_told(tmp_path):
    """Unless the paper generated its data too."""
    found = setveil.reproduce("local-generalization-table-3")
    assert {one.holds for one in found.findings} == {None}
    assert "generated" in found.findings[0].reason and "in the paper" in found.findings[0].ours


def test_a_filled_tree_is_told_by_its_fan_out(tmp_path):
    parquet(
        tmp_path / "bms_webview_2.parquet",
        "SELECT t AS tid, t % 30 AS item FROM RANGE(900) AS r(t)",
    )
    made = setveil.reproduce("local-generalization-7", data=tmp_path)
    (one,) = made.runs
    assert not one.missing and {row["fanout"] for row in one.rows} == {3, 4, 5, 6, 8, 10}
    assert all("hierarchy" not in row and "fanout" in row["axes"] for row in one.rows)
    assert "--fanout 3 --fill --out bms_webview_2_filled_3.parquet" in one.commands[0]
    assert "--hierarchy bms_webview_2_filled_3.parquet --hierarchy" in one.commands[-1]


def test_findings_are_judged_beside_an_earlier_run(small):
    """A figure of a release never hides the parameter of the same name."""
    made = setveil.reproduce("partial-suppression-6", data=small, quick=True)
    assert {row["parts"] for row in made.runs[0].rows} == {"1", "4"}
    assert all(one.holds is not None for one in made.findings)
    for figure in FIGURES:
        earlier = []
        for one in figure.runs:
            assert not one.beside or one.beside in earlier
            earlier.append(one.name)
        assert len(set(earlier)) == len(earlier)


@pytest.fixture
def small(tmp_path):
    """Data under a name of the paper's, to be found in a folder."""
    rows = (
        "SELECT t AS tid, 'i' || i AS item FROM RANGE(300) AS r(t), RANGE(12) AS s(i) "
        "WHERE (t * 7 + i * i) % (i + 2) < 2"
    )
    parquet(tmp_path / "retail.parquet", rows)
    return tmp_path


def test_given_data_comes_before_generated_data(small, capsys):
    folder = setveil.reproduce("coherence-9", data=small, quick=True)
    file = setveil.reproduce("coherence-9", data=small / "retail.parquet", quick=True)
    assert all("as given" in one.data and not one.missing for one in folder.runs)
    told = [
        [(row.get("information_loss"), row["refused"]) for one in made.runs for row in one.rows]
        for made in (folder, file)
    ]
    assert told[0] == told[1] and told[0]
    assert str(small) in folder.runs[0].commands[-1]
    with pytest.raises(InputError, match="no file or folder"):
        setveil.reproduce("coherence-9", data=small / "none.parquet")


@pytest.mark.slow
def test_without_data_it_is_generated_and_said(capsys, tmp_path):
    words = ["reproduce", "deanonymization-1", "--quick", "--out", str(tmp_path / "out")]
    assert run(words) == 0
    shown = capsys.readouterr().out
    assert "generated data of the shape of baskets" in shown and "setveil generate" in shown
    assert "setveil reidentify" in shown and "holds: " in shown
    picture = tmp_path / "out" / "deanonymization-1" / "noise.svg"
    assert picture.read_text().startswith("<svg")


def test_nothing_is_replaced_and_nothing_is_left_half_made(tmp_path, monkeypatch, capsys):
    """A file of the reader's is neither taken for generated data nor overwritten."""
    taken = tmp_path / "out" / EXAMPLES[0]
    taken.mkdir(parents=True)
    (taken / "example1.csv").write_text("mine")
    words = ["reproduce", EXAMPLES[0], "--out", str(tmp_path / "out")]
    assert run(words) == 2 and "exists" in capsys.readouterr().err
    assert (taken / "example1.csv").read_text() == "mine"
    monkeypatch.setattr("setveil.reproducing.run.draw", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        setveil.reproduce(EXAMPLES[1], out=tmp_path / "out")
    assert [one.name for one in (tmp_path / "out").iterdir()] == [EXAMPLES[0]]
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="no folder"):
        setveil.reproduce(EXAMPLES[1], out=tmp_path / "file")


def test_an_ended_run_names_no_file_that_is_gone(tmp_path, monkeypatch, capsys):
    def ended(*given):
        raise KeyboardInterrupt

    words = ["reproduce", EXAMPLES[1], "--out", str(tmp_path / "out")]
    with monkeypatch.context() as changed:
        changed.setattr("setveil.reproducing.run.draw", ended)
        assert run(words) == 130
    assert "interrupted; nothing was written" in capsys.readouterr().err
    assert run(words) == 0 and str(tmp_path / "out" / EXAMPLES[1]) in WRITTEN


def test_a_method_that_is_not_built_is_a_reason(monkeypatch):
    figure = next(one for one in FIGURES if one.label == "local-generalization-4")
    one = figure.runs[0]
    grid = {**one.grid, "method": ["partition", "magic"]}
    known, unbuilt = _built(setveil_replace(one, grid=grid))
    assert known.grid["method"] == ["partition"] and unbuilt == ["the method magic is not built"]
    known, unbuilt = _built(setveil_replace(one, options={"wand": 1}))
    assert not known.models and unbuilt == ["the parameter wand is not built"]
    known, unbuilt = _built(setveil_replace(one, models=["magic"]))
    assert not known.models and "the model magic is not built" in unbuilt


def setveil_replace(one, **changes):
    from dataclasses import replace

    return replace(one, **changes)


def test_the_list(capsys):
    assert run(["reproduce"]) == 0
    shown = capsys.readouterr().out
    assert all(one.label in shown for one in FIGURES)
    assert run(["reproduce", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["figures"]) == len(FIGURES) == 42


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("coherence-99", "there is no figure 'coherence-99'; there is coherence-8"),
        ("--all coherence-8", "name none beside it"),
        ("coherence-8 --data nowhere", "no file or folder"),
    ],
)
def test_mistakes(capsys, words, told):
    assert run(["reproduce", *words.split()]) == 2
    assert told in capsys.readouterr().err


ROWS = [
    {"axes": ["k", "method"], "k": k, "method": method, "loss": loss, "seconds": k / 10}
    for method, losses in {"a": (1, 2, 3), "b": (2, 5, 4)}.items()
    for k, loss in zip((5, 10, 20), losses, strict=True)
]


@pytest.mark.parametrize(
    ("way", "terms", "holds", "ours"),
    [
        ("below", {"where": {"method": "a"}, "than": {"method": "b"}}, True, "2 and 3.667"),
        ("below", {"where": {"method": "b"}, "than": {"method": "a"}}, False, "0 of 3 pairs"),
        ("below", {"where": {"method": "a"}, "than": {"method": "b"}, "factor": 2}, False, "2 of"),
        (
            "below",
            {"where": {"method": "a"}, "than": {"method": "b"}, "factor": 2, "share": 0.6},
            True,
            "2 of 3",
        ),
        ("rises", {"where": {"method": "a"}, "along": "k", "factor": 3}, True, "from 1 to 3"),
        ("rises", {"where": {"method": "a"}, "along": "k", "factor": 4}, False, "from 1 to 3"),
        ("falls", {"where": {"method": "a"}, "along": "k"}, False, "from 1 to 3"),
        ("level", {"where": {"method": "b"}, "along": "k", "within": 2}, True, "from 2 to 4"),
        ("level", {"where": {"method": "b"}, "along": "k", "within": 1}, False, "from 2 to 4"),
        ("printed", {"where": {"k": "5"}, "value": 1.6, "within": 0.2}, True, "in the paper 1.6"),
        ("printed", {"where": {"k": 5}, "value": 3}, False, "1.5, in the paper 3"),
        ("most", {"value": 5}, True, "5 at most"),
        ("most", {"value": 4.9}, False, "5 at most"),
        ("least", {"where": {"method": "b"}, "value": 2}, True, "2 at least"),
        ("least", {"value": 2}, False, "1 at least"),
        ("ends", {"where": {"method": "b"}}, True, "3 runs ended"),
        ("ends", {"where": {"method": "c"}}, False, "0 runs ended"),
        ("bump", {"where": {"method": "b"}, "along": "k", "value": 10}, True, "10: 5"),
        ("bump", {"where": {"method": "a"}, "along": "k", "value": 10}, False, "10: 2"),
        ("linear", {"where": {"method": "a"}, "along": "k", "factor": 0.75}, True, "3.0 times"),
        ("linear", {"where": {"method": "a"}, "along": "k", "factor": 0.7}, False, "4.0 times"),
    ],
)
def test_findings_are_judged_by_the_rows(way, terms, holds, ours):
    found = judge(Finding(says="it is so", judge=way, measure="loss", reason="why", **terms), ROWS)
    assert found.holds is holds and ours in found.ours
    assert found.reason == ("" if holds else "why")


@pytest.mark.parametrize(
    ("way", "terms", "told"),
    [
        ("below", {"where": {"method": "c"}, "than": {"method": "a"}}, "no point with method c"),
        ("rises", {"where": {"k": 5, "method": "a"}, "along": "k"}, "no two values of k"),
        ("bump", {"along": "k", "value": 5}, "no value beside 5"),
        ("most", {"measure": "beauty"}, "no point"),
    ],
)
def test_findings_that_no_row_tells_are_open(way, terms, told):
    found = judge(Finding(**{"says": "x", "judge": way, "measure": "loss"} | terms), ROWS)
    assert found.holds is None and told in found.reason


def test_reproduced_reads_at_home_in_a_notebook():
    made = Reproduced("coherence-8", "A title", "", ())
    assert repr(made).startswith("coherence-8: A title") and made.records() == []
    assert re.search("0 findings of 0 hold", repr(made))
