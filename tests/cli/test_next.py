"""The next command after a release can be typed as it is printed, and finds that it holds."""

from __future__ import annotations

import shlex

import pytest

from calls import CALLS, call_of, shop
from setveil.cli.main import run

PLACES = {
    "file": "shop.parquet --out safe.parquet",
    "renumbered": "shop.parquet --out safe.parquet --renumber --key key.csv",
    "table": "shop --database shop.duckdb --into safe",
    "out of a database": "shop --database shop.duckdb --out safe.parquet",
}


def released(capsys, model, words):
    parts = ".parquet" if model == "permutation" else ""
    words = words.replace("safe.parquet", "safe") if parts else words
    source, *others = shlex.split(words)
    assert run([model, source, *call_of(model).words, *others]) == 0
    return capsys.readouterr().out.splitlines()


def next_of(lines):
    return [shlex.split(one.removeprefix("next: setveil ")) for one in lines if "next: " in one]


@pytest.mark.few(3)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", CALLS)
def test_the_next_command_verifies_the_release(tmp_path, monkeypatch, capsys, model, place):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    found = next_of(released(capsys, model, PLACES[place]))
    if place == "out of a database" and model == "hiding":
        assert not found  # verify would look for the original among files
        return
    assert len(found) == 1
    assert run(found[0]) == 0


@pytest.mark.parametrize("place", ["file", "renumbered", "table"])
def test_persons_are_found_in_the_source(tmp_path, monkeypatch, capsys, place):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = shlex.split(f"{PLACES[place]} --person store --k 2 --p 1")
    assert run(["coherence", *words]) == 0
    [found] = next_of(capsys.readouterr().out.splitlines())
    assert "--persons-of" in found and run(found) == 0


def test_files_that_are_not_for_recipients_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    lines = released(capsys, "coherence", f"{PLACES['renumbered']} --trail t.sql")
    assert lines[-1] == "keep to yourself: t.sql, key.csv"


def test_without_a_key_random_ids_match_no_source(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    lines = released(capsys, "hiding", "shop.parquet --out safe.parquet --renumber")
    assert not next_of(lines)
