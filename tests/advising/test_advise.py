"""Advice: each figure is that of the command it names, and nothing is written."""

from __future__ import annotations

import io
import json
import math
import os
import pty
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, rows_of
from setveil.advising.sampling import interval, sample
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.models import REGISTRY

ROWS = """
    SELECT range // 6 AS tid, 'i' || range * 7919 // 5 % 17 AS item,
        'p' || range // 6 % 23 AS person, 'town ' || range // 6 % 2 AS town,
        DATE '2024-01-01' + CAST(range // 6 % 70 AS INT) AS day
    FROM RANGE(900)
"""
TREE = "SELECT 'i' || range AS item, 'group ' || range // 4 AS level1 FROM RANGE(17)"
SECRET = ["i3"]
GIVEN = {"private": SECRET, "h": "1"}
MORE = GIVEN | {"sensitive": SECRET, "rho": "0.6"}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return parquet(tmp_path_factory.mktemp("data") / "a.parquet", ROWS)


@pytest.fixture(scope="module")
def tree(data):
    return parquet(data.parent / "tree.parquet", TREE)


@pytest.fixture(scope="module")
def advice(data):
    with setveil.read(data, person="person") as baskets:
        return setveil.advise(baskets, **GIVEN)


@pytest.mark.few(1)
@pytest.mark.parametrize("everything", [False, True])
def test_every_cost_is_that_of_its_run(data, tree, advice, everything):
    if everything:
        with setveil.read(data, person="person") as baskets:
            advice = setveil.advise(baskets, **MORE, hierarchy=tree)
    others = {"k-anonymity", "km-anonymity", "uncertainty"} if everything else set()
    assert {one.model for one in advice.promises} == {"coherence"} | others
    assert advice.parts == 1 and len(advice.promises) == (9 if everything else 2)
    for one in advice.promises:
        with setveil.read(data, person="person") as baskets:
            release = REGISTRY[one.model].anonymize(baskets, **one.parameters)
            assert release.metrics.information_lost == one.information_lost
            known = {"private": SECRET, "h": 1, "k": 5, "p": 2}
            found = setveil.compare(baskets, release, **known).releases[0].side.risk
        assert one.singled_out == found["singled_out"]
        assert one.singled_out_persons == found["singled_out_persons"]
    assert sorted(path.name for path in Path(data).parent.iterdir()) == [
        "a.parquet", "tree.parquet"
    ]  # fmt: skip


def test_whom_the_data_singles_out(data, advice):
    with setveil.read(data, person="person") as baskets:
        assert advice.whom == setveil.inspect(baskets, k=5, p=2, private=SECRET, h=1)


@pytest.mark.parametrize("person", [None, "person"])
def test_columns_that_single_out(data, person):
    rows = rows_of("SELECT DISTINCT tid, person, town, day FROM READ_PARQUET($1)", str(data))
    with setveil.read(data, person=person) as baskets:
        found = setveil.advise(baskets).columns
    assert [one.name for one in found] == ["person", "town", "day"]
    for place, one in enumerate(found, 1):
        held = Counter(row[place] for row in rows)
        rare = sum(held[row[place]] < 5 for row in rows)
        assert (one.distinct_values, one.singled_out) == (len(held), rare / len(rows))
    assert [one.dangerous for one in found] == [True, False, True]
    assert [one.may_be_persons for one in found] == [person is None, False, False]
    assert [one.tells_when for one in found] == [False, False, True]


def test_only_promises_that_fit_are_tried(data):
    with setveil.read(data) as baskets:
        found = setveil.advise(baskets)
        fitting = setveil.advise(baskets, patterns=[["i1", "i2"]], psi="0.5")
    assert {one.model for one in found.promises} == {"coherence"}
    assert not any("h" in one.parameters for one in found.promises)
    assert {one.model for one in fitting.promises} == {"coherence", "hiding"}
    assert not any(REGISTRY[one.model].from_paper for one in fitting.promises)


def test_a_promise_out_of_reach_says_why(data):
    with setveil.read(data) as baskets:
        found = setveil.advise(baskets, private=["i1"], h="0.001").promises
    assert all(one.information_lost is None and one.refused for one in found)


@pytest.mark.parametrize("bound", ["h", "rho", "psi"])
def test_a_bound_without_its_list_is_refused(data, bound):
    with setveil.read(data) as baskets, pytest.raises(InputError, match="without"):
        setveil.advise(baskets, **{bound: "0.5"})


def test_several_columns_of_ids_and_lists_are_sampled_too(data):
    of_days = "SELECT 1 AS store, tid AS receipt, item FROM READ_PARQUET($1)"
    listed = "SELECT LIST(item) AS item FROM READ_PARQUET($1) GROUP BY tid ORDER BY tid"
    for query, tid in ((of_days, ["store", "receipt"]), (listed, None)):
        with duckdb.connect() as connection:
            connection.execute(f"CREATE TABLE given AS {query}", [str(data)])
            with (
                setveil.read(connection, "given", tid=tid) as baskets,
                sample(baskets, 3) as some,
            ):
                assert (some.transactions, some.occurrences) == (50, 300)


@pytest.mark.parametrize("person", [None, "person"])
def test_a_sample_is_of_whole_transactions_or_persons(data, person):
    with setveil.read(data, person=person) as baskets, sample(baskets, 3) as some:
        assert some.transactions == (50 if person is None else 53)
        assert some.persons == (None if person is None else 8)
        assert some.occurrences * 3 == pytest.approx(baskets.occurrences, rel=0.15)


@pytest.mark.few(1)
@pytest.mark.parametrize("person", [None, "person"])
def test_a_sample_bounds_the_cost(tmp_path, monkeypatch, person):
    path, noted = tmp_path / "large.parquet", []
    setveil.generate(path, seed=1, transactions=4000, items=200, persons=2000)
    monkeypatch.setattr("setveil.advising.sampling.LARGE", 10_000)
    monkeypatch.setattr("setveil.advising.sampling.TRIED", 12_000)
    with setveil.read(path, person=person, note=noted.append) as baskets:
        found = setveil.advise(baskets)
        assert found.parts == 4
        assert any("not persons" in one for one in noted) == (person is None)
        for one in found.promises:
            lost = REGISTRY[one.model].anonymize(baskets, **one.parameters).metrics
            assert one.information_lost is None
            assert 0 < one.between.least <= lost.information_lost <= one.between.greatest < 1


def test_a_promise_that_all_of_the_data_breaks_has_no_interval(tmp_path, monkeypatch):
    """One transaction holds private items alone: no release gives it k - 1 twins."""
    rows = """
        SELECT range // 4 AS tid, 'i' || range * 7919 // 5 % 17 AS item FROM RANGE(8000)
        UNION ALL SELECT 9999, 'secret'
    """
    path = parquet(tmp_path / "a.parquet", rows)
    monkeypatch.setattr("setveil.advising.sampling.LARGE", 4000)
    monkeypatch.setattr("setveil.advising.sampling.TRIED", 1500)
    with setveil.read(path) as baskets:
        found = setveil.advise(baskets, private=["secret"], h="0.5", fanout=3)
        told = [one for one in found.promises if one.model == "k-anonymity"]
        assert len(told) == 2 and found.parts > 1
        for one in told:
            assert one.between is None and "1 transaction without public items" in one.refused
            with pytest.raises(setveil.UnreachableError, match="without public items"):
                setveil.k_anonymity(baskets, **one.parameters)


def losses(*log_odds):
    return [1 / (1 + math.exp(-one)) for one in log_odds]


@pytest.mark.parametrize("of_nodes", [False, True])
def test_the_interval_follows_the_change_of_the_loss(of_nodes):
    """Samples whose log-odds fall evenly: the interval holds the line that goes on, and narrows."""
    for step in (-0.6, -0.3, 0.0, 0.3):
        seen = losses(0.9, 0.9 + step, 0.9 + 2 * step, 0.9 + 3 * step)
        for parts in (1, 2, 6, 64):
            (on,) = losses(0.9 + (3 + math.log2(parts)) * step)
            found = interval(seen, parts, of_nodes=of_nodes)
            assert 0 <= found.least <= on <= found.greatest <= 1
        assert not interval(seen, 6, of_nodes=of_nodes).is_vague or step > 0
    assert interval(losses(3.6, 3.0, 2.4, 1.8), 6, of_nodes=False).is_vague
    assert 0 <= interval([0.9, 0.0], 64, of_nodes=of_nodes).least


def test_a_turn_of_the_loss_counts_the_last_change():
    rising = interval(losses(1.0, 1.6, 1.2, 0.6), 6, of_nodes=False)
    falling = interval(losses(2.4, 1.8, 1.2, 0.6), 6, of_nodes=False)
    assert (rising.least, rising.greatest) == pytest.approx((falling.least, falling.greatest))


def test_a_promise_that_the_samples_cannot_keep_has_no_interval(data, monkeypatch):
    monkeypatch.setattr("setveil.advising.sampling.LARGE", 100)
    monkeypatch.setattr("setveil.advising.sampling.TRIED", 300)
    with setveil.read(data) as baskets:
        for one in setveil.advise(baskets, private=["i1"], h="0.001").promises:
            assert one.information_lost is None and one.between is None and one.refused


# The command


def told(capsys, *words):
    code = run(["advise", *words])
    return code, capsys.readouterr()


@pytest.mark.slow
def test_the_commands_make_the_releases(data, tree, tmp_path, monkeypatch, capsys):
    secret = tmp_path / "secret items.txt"
    secret.write_text("i3\n")
    monkeypatch.chdir(tmp_path)
    words = ["--person", "person", "--private", str(secret), "--h", "1", "--hierarchy", str(tree)]
    code, out = told(capsys, str(data), *words, "--json")
    found = json.loads(out.out)["metrics"]["promises"]
    assert code == 0 and not list(tmp_path.glob("*.parquet")) and len(found) == 8
    for one in found[2::5]:
        assert run([*shlex.split(one["command"])[1:], "--json", "--quiet"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert made["metrics"]["information_lost"] == one["information_lost"]
        for name in ("safe.parquet", "audit.sql", "key.parquet"):
            (tmp_path / name).unlink()


def test_the_first_command_leads_to_a_page(data, tmp_path, monkeypatch, capsys):
    """Of random ids, with a key that all further commands name: each runs as it is printed."""
    secret = tmp_path / "secret.txt"
    secret.write_text("i3\n")
    monkeypatch.chdir(tmp_path)
    _, out = told(capsys, str(data), "--private", str(secret), "--h", "1")
    [command] = [one for one in out.out.splitlines() if one.startswith("1: setveil ")]
    assert command.endswith("--renumber --key key.parquet")
    assert run(shlex.split(command)[2:]) == 0
    made = capsys.readouterr().out.splitlines()
    heads = ("next: setveil ", "and then: setveil ")
    verify, compare = (
        shlex.split(one.partition("setveil ")[2]) for one in made if one.startswith(heads)
    )
    assert run(verify) == 0 and run(compare) == 0
    ids = rows_of("SELECT DISTINCT tid FROM READ_PARQUET($1)", str(tmp_path / "safe.parquet"))
    key = dict(rows_of("SELECT number, id FROM READ_PARQUET($1)", str(tmp_path / "key.parquet")))
    assert {one for (one,) in ids} <= key.keys() and sorted(key.values()) == [*range(150)]


def test_the_bound_of_the_page_of_evidence_is_on_the_grid(data, tree):
    with setveil.read(data) as baskets:
        found = setveil.advise(baskets, **MORE, hierarchy=tree).promises
    by_k = {one.model for one in found if "k" in one.parameters}
    for model in by_k:
        kept = [one for one in found if one.model == model]
        assert {one.parameters["k"] for one in kept} == {5, 12}
        assert all(one.largest_risk == 1 / one.parameters["k"] for one in kept if not one.refused)
        assert {one.parameters["k"] for one in kept if one.meets_bound} <= {12}
    assert any(one.meets_bound for one in found)
    for one in found:
        assert one.model in by_k or (one.largest_risk is None and not one.meets_bound)


def test_every_model_that_takes_a_list_gets_it(data, tree):
    with setveil.read(data) as baskets:
        found = setveil.advise(baskets, **MORE, hierarchy=tree).promises
    for one in found:
        taken = {each.name for each in REGISTRY[one.model].promise}
        for role in ("private", "sensitive"):
            named = one.parameters.get(role)
            assert named is None if role not in taken else list(named) == SECRET, one.model


@pytest.mark.slow
def test_what_is_printed(data, tree, capsys):
    code, out = told(capsys, str(data), "--person", "person", "--hierarchy", str(tree))
    assert code == 0 and "150 transactions with 17 items, of 23 persons" in out.out
    lines = out.out.splitlines()
    assert any(line.split()[:1] == ["person"] and "never published" in line for line in lines)
    assert any("day" in line and "dangerous to carry" in line for line in lines)
    assert sum("setveil " in line and "--out safe.parquet" in line for line in lines) == 8
    assert sum("--renumber --key key.parquet" in line for line in lines) == 8
    assert any("threshold of EMA Policy 0070" in line and ": 2, 4" in line for line in lines)
    assert not any("permutation" in line for line in lines)
    assert any(line.startswith("with --sensitive LIST") for line in lines)
    assert not any(line.startswith("with --hierarchy") for line in lines)


def test_the_first_question_is_answered_and_a_great_loss_has_a_remedy(tmp_path, data, capsys):
    """Rare items alone: most are left out, some transactions are emptied, and groups lose less."""
    rows = "SELECT range // 2 AS tid, 'i' || range * 7919 % 60 AS item FROM RANGE(200)"
    code, out = told(capsys, str(parquet(tmp_path / "rare.parquet", rows)))
    lines = out.out.splitlines()
    assert code == 0 and any(one.startswith("May it be shared as it is? No: 2 kn") for one in lines)
    with setveil.read(tmp_path / "rare.parquet") as baskets:
        release = setveil.coherence(baskets, k=12, p=2)
    assert release.metrics.emptied_transactions == 100
    assert "2 leaves nothing of 100.00% of the transactions" in lines
    assert "Next to nothing is left by: 1, 2" in lines
    assert not any("threshold of EMA" in one for one in lines)
    at = lines.index(next(one for one in lines if one.startswith("All of them lose more than")))
    learn, again = lines[at + 1 : at + 3]
    assert "--learn" in learn and again.endswith("--hierarchy groups.parquet")
    assert sum("--learn" in one for one in lines) == 1
    # Where nothing is found, only a promise says so.
    parquet(tmp_path / "same.parquet", "SELECT range // 2 AS tid, range % 2 AS item FROM RANGE(60)")
    code, out = told(capsys, str(tmp_path / "same.parquet"))
    assert code == 0 and "May it be shared as it is? Only by a promise" in out.out
    assert "leaves nothing" not in out.out and "All of them" not in out.out


def test_names_of_columns_cannot_write_to_the_terminal(tmp_path, capsys):
    name = 'a"\x1b[2Jb\nc'
    rows = 'SELECT range // 2 AS tid, range % 5 AS item, range AS "a""\x1b[2Jb\nc" FROM RANGE(60)'
    code, out = told(capsys, str(parquet(tmp_path / "a.parquet", rows)))
    assert code == 0 and "\x1b" not in out.out and repr(name) in out.out


def test_a_terminal_is_asked(data, tmp_path):
    """The four questions, answered by somebody who has persons and nothing else."""
    owner, terminal = pty.openpty()
    command = [sys.executable, "-m", "setveil", "advise", str(data)]
    with (tmp_path / "out").open("w") as out:
        process = subprocess.Popen(command, stdin=terminal, stdout=out, stderr=terminal)
        os.close(terminal)
        os.write(owner, b"person\n\n\n\n")
        said = b""
        while chunk := _read(owner):
            said += chunk
        assert process.wait(60) == 0
    assert said.count(b"(empty: ") == 4
    assert b"whose transaction it is, of person, town, day?" in said
    assert "of 23 persons" in (tmp_path / "out").read_text()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # its other end was closed
        return b""


@pytest.mark.everywhere
def test_on_every_database(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(f"CREATE OR REPLACE TABLE given AS {ROWS}")
    with setveil.read(connection, "given", person="person") as baskets:
        found = setveil.advise(baskets)
    assert [one.name for one in found.columns if one.dangerous] == ["person", "day"]
    assert found.promises and all(one.information_lost is not None for one in found.promises)


def test_a_source_that_cannot_be_read_is_refused_before_questions(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("setveil.cli.commands.advise._can_ask", lambda: True)
    other = parquet(tmp_path / "b.parquet", "SELECT 1 AS receipt, 'x' AS item")
    for source, told in ((tmp_path / "none.parquet", "no such file"), (other, "'receipt'")):
        assert run(["advise", str(source)]) == 2
        err = capsys.readouterr().err
        assert told in err and "(empty: " not in err


def test_questions_without_an_answer_end_the_command(data, monkeypatch, capsys):
    """The command ends without a traceback, like an interrupted one."""
    monkeypatch.setattr("setveil.cli.commands.advise._can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["advise", str(data)]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_codes_share_no_words(data):
    codes = "SELECT tid, 'code' || item AS item FROM READ_PARQUET($1)"
    teas = "SELECT tid, item || ' tea' AS item FROM READ_PARQUET($1)"
    for query, learn in ((codes, "baskets"), (teas, "names")):
        with duckdb.connect() as connection:
            connection.execute(f"CREATE TABLE given AS {query}", [str(data)])
            with setveil.read(connection, "given") as baskets:
                assert setveil.advise(baskets).learn == learn
