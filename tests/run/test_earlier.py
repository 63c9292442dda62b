"""A run says of an earlier release beside it that both together promise nothing."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from setveil.cli.main import run as command

SAID = "is of an earlier release of the same data"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "SELECT n // 4 AS tid, 'i' || n % 7 AS item FROM RANGE(80) AS r (n)"
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute(f"CREATE TABLE t AS {rows}")  # noqa: S608
        shop.execute("COPY t TO 'a.csv'; COPY t TO 'copy.csv'")
        shop.execute("COPY (SELECT tid + 1 AS tid, item FROM t) TO 'other.csv'")
    (tmp_path / "releases").mkdir()
    return tmp_path


def released(source: str, name: str, k: int, *more: str) -> int:
    out = ["--out", f"releases/{name}.csv", "--trail", f"releases/{name}.sql"]
    return command(["coherence", source, "--k", str(k), "--p", "2", *out, *more])


def told(capsys: pytest.CaptureFixture[str]) -> int:
    return capsys.readouterr().err.count(SAID)


@pytest.mark.parametrize("source", ["a.csv", "copy.csv"])
def test_another_release_of_the_same_data_is_told(
    folder: Path, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its name or its bytes, also to who wants no narration, and in JSON."""
    assert released("a.csv", "first", 2) == 0
    assert told(capsys) == 0
    assert released(source, "second", 3, "--quiet") == 0
    assert told(capsys) == 1
    assert released(source, "third", 4, "--json") == 0
    found = capsys.readouterr()
    notes = [one for one in json.loads(found.out)["notes"] if SAID in one]
    assert len(notes) == 2 and notes[0].startswith("releases/first.sql ")
    assert all(one.endswith("no promise covers both releases together") for one in notes)


def test_a_release_without_a_trail_is_told_of_those_that_have_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert released("a.csv", "first", 2) == 0
    assert (
        command(
            [
                "km-anonymity",
                "a.csv",
                "--fanout",
                "2",
                "--k",
                "2",
                "--m",
                "2",
                "--out",
                "releases/x.csv",
            ]
        )
        == 0
    )
    assert told(capsys) == 1


def test_what_is_no_other_release_is_not_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of other data, in another folder, the same once more, the one that is replaced, no trail."""
    (folder / "releases/query.sql").write_text("SELECT 1;\n")
    (folder / "releases/damaged.sql").write_bytes(b"-- CONFIDENTIAL: \xff\n")
    assert released("other.csv", "other", 2) == 0
    assert released("a.csv", "first", 2) == 0
    assert released("a.csv", "copy", 2) == 0
    assert released("a.csv", "first", 2, "--force") == 0
    assert command(["itemsets", "a.csv", "--min-support", "5", "--out", "releases/i.parquet"]) == 0
    assert command(["coherence", "a.csv", "--k", "3", "--p", "2", "--out", "elsewhere.csv"]) == 0
    assert told(capsys) == 0


def test_tables_are_told_by_the_trails_beside_theirs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for k, table in ((2, "first"), (3, "second")):
        into = ["--database", "shop.duckdb", "--into", table, "--trail", f"releases/{table}.sql"]
        assert command(["coherence", "t", "--k", str(k), "--p", "2", *into]) == 0
    assert told(capsys) == 1
