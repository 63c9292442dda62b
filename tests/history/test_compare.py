"""`compare --history`: what each release adds, by the definition and on the command line."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path

import pytest

import oracles_history as oracle
import setveil
from oracles_history import Shown
from setveil.cli.main import run


def singled_out(
    releases: list[Shown], k: int, most: int, unknown: frozenset[str], whose: dict[str, int]
) -> tuple[float, float]:
    """The shares of transactions and persons with a set that fewer than k in their group hold."""
    found: set[str] = set()
    keys = set().union(*releases)
    for key in keys:
        where = frozenset(n for n, held in enumerate(releases) if key in held)
        group = [
            one
            for one in keys
            if where == frozenset(n for n, held in enumerate(releases) if one in held)
        ]
        own = sorted(oracle.joint(releases, where, key) - unknown)
        for size in range(1, most + 1):
            for chosen in combinations(own, size):
                held = {
                    whose[one] for one in group
                    if oracle.joint(releases, where, one).issuperset(chosen)
                }  # fmt: skip
                if len(held) < k:
                    found.add(key)
    people = {whose[key] for key in keys}
    return len(found) / len(keys), len({whose[key] for key in found}) / len(people)


@pytest.mark.few(1)
@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_each_release_adds_what_the_definition_says(
    tmp_path: Path, seed: int, persons: bool
) -> None:
    history = oracle.random_history(random.Random(seed))
    if not all(history.releases):
        return
    everything = {key: items for held in history.releases for key, items in held.items()}
    whose = history.whose if persons else {key: n for n, key in enumerate(sorted(everything))}
    hidden = {"private": ["a"], "h": 1} if seed % 2 else {}
    unknown = frozenset("a") if hidden else frozenset()
    paths = oracle.write(history.releases, tmp_path)
    original = oracle.write_owned(everything, whose, tmp_path)
    person = "who" if persons else None
    with setveil.read(original, item="items", person=person) as baskets:
        found = setveil.compare(
            baskets, *paths, k=3, p=2, history=True, ignore_unknown=True, **hidden
        ).history
    assert found is not None and found.verdict is None
    for size, one in enumerate(found.added, 1):
        first = list(history.releases[:size])
        assert one.releases == tuple(paths[:size])
        assert one.transactions == len(set().union(*first))
        for k, shares, of_persons in (
            (2, one.unique, one.unique_persons),
            (3, one.singled_out, one.singled_out_persons),
        ):
            expected = [singled_out(first, k, n, unknown, whose) for n in (1, 2)]
            assert shares == tuple(part for part, _ in expected)
            assert of_persons == (tuple(part for _, part in expected) if persons else None)


AB, A, B = (frozenset(one) for one in ("ab", "a", "b"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An original and two releases, each fine by itself: together they show a and b of t1."""
    monkeypatch.chdir(tmp_path)
    oracle.write(
        [{"t1": A, "t2": A, "t3": frozenset()}, {"t1": B, "t2": frozenset(), "t3": B}], tmp_path
    )
    oracle.write_owned({"t1": AB, "t2": AB, "t3": AB}, {"t1": 1, "t2": 2, "t3": 3}, tmp_path)
    return tmp_path


WORDS = ["compare", "original.parquet", "r1.parquet", "r2.parquet", "--item", "items"]
VERIFY = ["--verify", "km-anonymity", "--m", "2"]


def test_the_table_shows_what_each_release_adds(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*WORDS, "--history", *VERIFY]) == 1
    printed = capsys.readouterr().out
    rows = [line.split() for line in printed.splitlines()]
    assert ["r1", "3", "0.00%", "0.00%"] in rows
    assert ["and", "r2", "3", "0.00%", "33.33%"] in rows
    assert ["r1", "and", "r2", "together", "3", "1", "1"] in rows
    assert "km-anonymity does not hold in 1 of 3 groups of transactions" in printed


@pytest.mark.slow
def test_the_page_shows_what_each_release_adds(here: Path) -> None:
    assert run([*WORDS, "--history", *VERIFY, "--report", "page.html", "--no-names"]) == 1
    page = Path("page.html").read_text()
    assert "The risk that each release adds" in page and "33.33%" in page


@pytest.mark.slow
def test_json_has_the_verdict_on_all_releases(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*WORDS, "--history", *VERIFY, "--json"]) == 1
    history = json.loads(capsys.readouterr().out)["metrics"]["history"]
    assert [one["singled_out"] for one in history["added"]] == [[0.0, 0.0], [0.0, 1 / 3]]
    (broken,) = history["verdict"]["broken"]
    assert broken["shown"] == ["r1.parquet", "r2.parquet"]
    assert run([*WORDS, *VERIFY, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["history"] is None


def test_explain_shows_the_statements_of_the_joint_figures(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*WORDS, "--history", *VERIFY, "--explain"]) == 0
    printed = capsys.readouterr().out
    assert "-- history.history" in printed and "-- history_cell:" in printed


def test_a_promise_of_one_release_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("patterns.txt").write_text("a,b\n")
    hiding = ["--verify", "hiding", "--patterns", "patterns.txt", "--psi", "0.5"]
    assert run([*WORDS, "--history", *hiding]) == 2
    assert "no promise over several releases" in capsys.readouterr().err
