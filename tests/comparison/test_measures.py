"""The measures: their formulas on the paper's table 1, and a new one that takes one entry."""

from __future__ import annotations

import json
from math import inf, log
from pathlib import Path

import pytest

from comparisons import compared
from printed import APPROACH_1, TABLE_1
from setveil.cli.main import run
from setveil.comparison import measures, risk
from setveil.sql.step import Step, duck


@pytest.mark.parametrize("lists", [False, True], ids=["long", "LIST"])
def test_table_1_distribution(connection, lists):
    """Approach 1 keeps 3 condoms of 4 and no flour; all else has 13 instead of 15 around it."""
    original = dict(enumerate(TABLE_1))
    release = {
        tid: frozenset(item for item in held if (tid, item) not in APPROACH_1)
        for tid, held in original.items()
    }
    [found] = compared(connection, original, release, lists=lists).releases
    same = {"bread": 2, "beer": 2, "coffee": 3, "fruits": 3}
    p = [n / 13 for n in same.values()] + [3 / 13, 0.0]
    q = [n / 15 for n in same.values()] + [4 / 15, 1 / 15]
    expected = 10 / 13 * log(15 / 13) + 3 / 13 * log((3 / 13) / (4 / 15))
    assert found.measures["kl"] == pytest.approx(expected, abs=1e-12)
    mean = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    halves = [sum(x * log(x / m) for x, m in zip(one, mean, strict=True) if x) for one in (p, q)]
    assert found.measures["symmetric_kl"] == pytest.approx(sum(halves) / 2, abs=1e-12)


def test_where_there_is_zero():
    assert measures.divergence([0.0, 1.0], [0.5, 0.5]) == pytest.approx(log(2))
    assert measures.divergence([0.5, 0.5], [0.0, 1.0]) == inf
    assert measures.symmetric_divergence([0.0, 1.0], [1.0, 0.0]) == pytest.approx(log(2))
    assert measures.jaccard(0, 0, 0) == 1.0
    assert measures.jaccard(0, 1, 0) == 0.0  # as the paper has it at rho = 0.9


LONGEST = Step(
    "longest_after",
    "items of the longest transaction",
    duck("SELECT MAX(o.n) AS n FROM (SELECT COUNT(*) AS n FROM after GROUP BY tid) AS o"),
)


def test_a_measure_is_one_entry(tmp_path, monkeypatch, capsys):
    """Its question is asked, and its figure is in the terminal, in JSON and on the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measures, "MEASURES", dict(measures.MEASURES))
    Path("a.csv").write_text("tid,item\n1,a\n1,b\n1,c\n2,a\n")
    Path("b.csv").write_text("tid,item\n1,a\n1,b\n2,a\n")

    @measures.measure(
        "items of the longest transaction", when=measures.is_suppressed, is_share=False,
        lower_is_better=False,
    )  # fmt: skip
    def longest(seen):
        """The largest |t| / 1 over the transactions t of the release."""
        return seen.one(LONGEST)[0]

    line = ["compare", "a.csv", "b.csv"]
    assert run(line) == 0
    [row] = [one for one in capsys.readouterr().out.splitlines() if "longest" in one]
    assert row.split("  ")[1:2] == ["items of the longest transaction; more is better"]
    assert row.split()[-1] == "2"
    assert run([*line, "--json", "--report", "r.html"]) == 0
    [release] = json.loads(capsys.readouterr().out)["metrics"]["releases"]
    assert release["measures"]["longest"] == 2
    page = Path("r.html").read_text()
    assert '<data value="2" data-path="metrics.releases.0.measures.longest">2</data>' in page
    assert "longest_after: items of the longest transaction" in page
    assert run([*line, "--explain"]) == 0
    assert "longest_after: items of the longest transaction" in capsys.readouterr().out


SHORT = Step(
    "short_transactions",
    "transactions of up to n items",
    duck(
        """
        SELECT COUNT(*) FILTER (WHERE o.n <= 1) AS one, COUNT(*) FILTER (WHERE o.n <= 2) AS two
        FROM (SELECT COUNT(*) AS n FROM occurrence GROUP BY tid) AS o
        """
    ),
)


def test_a_measure_of_risk_is_one_entry(tmp_path, monkeypatch, capsys):
    """It has a row for each number of items that the attacker knows, on each side."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(risk, "MEASURES", dict(risk.MEASURES))
    Path("a.csv").write_text("tid,item\n1,a\n1,b\n1,c\n2,a\n")
    Path("b.csv").write_text("tid,item\n1,a\n1,b\n2,a\n")

    @risk.measure("known whole by {items}", is_share=False)
    def known_whole(exposed):
        """The transactions t with |t| <= n, for n = 1, 2, ... p."""
        return tuple(exposed.baskets.session.one(SHORT))

    line = ["compare", "a.csv", "b.csv", "--p", "2"]
    assert run(line) == 0
    rows = [one.split() for one in capsys.readouterr().out.splitlines() if "known whole" in one]
    assert rows == [
        ["known", "whole", "by", "1", "item", "1", "1"],
        ["known", "whole", "by", "2", "items", "1", "2"],
    ]
    assert run([*line, "--json", "--report", "r.html"]) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert metrics["original"]["risk"]["known_whole"] == [1, 1]
    assert metrics["releases"][0]["side"]["risk"]["known_whole"] == [1, 2]
    page = Path("r.html").read_text()
    assert 'data-path="metrics.releases.0.side.risk.known_whole.1">2</data>' in page
    assert "short_transactions: transactions of up to n items" in page
