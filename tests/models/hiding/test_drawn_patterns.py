"""Restrictive patterns that `generate --of` draws of given data, and their way into hiding."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.backends.local import Local
from setveil.cli.main import run
from setveil.models.hiding.patterns import named_patterns
from setveil.run.session import Session

NAMES = ["a,b", "c => d", 'e"f', " g ", "h", "i"]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twenty transactions of names with commas, arrows, quotes and blanks."""
    monkeypatch.chdir(tmp_path)
    rows = [(n, name) for n in range(20) for m, name in enumerate(NAMES) if n % (m + 2) < 2]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item VARCHAR)")
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        connection.execute("COPY t TO 'data.parquet'")
    return tmp_path


DRAW = ["generate", "drawn.txt", "--of", "data.parquet", "--patterns", "4"]


def test_patterns_have_the_size_and_support_that_was_asked(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*DRAW, "--pattern-support", "0.2,0.6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["patterns"] == 4
    with closing(Session(Local())) as session:
        found = [one.names for one in named_patterns(session, data / "drawn.txt")]
    assert len(found) == 4 and all(2 <= len(one) <= 5 and set(one) <= set(NAMES) for one in found)
    with setveil.read("data.parquet") as baskets:
        release = setveil.hiding(baskets, patterns="drawn.txt")
    assert all(4 <= one.support <= 12 for one in release.metrics.patterns)
    first = (data / "drawn.txt").read_bytes()
    assert run([*DRAW, "--pattern-support", "0.2,0.6", "--force"]) == 0
    assert (data / "drawn.txt").read_bytes() == first
    assert "4 patterns of 2 to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--pattern-support", "0.99,1"], "in 20 transactions"),
        (["--pattern-support", "x,1"], "x"),
        (["--sample", "0.5"], "prepare it first"),
        (["--patterns", "0"], "at least 1"),
    ],
)
def test_others_are_refused(
    data: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert run([*DRAW, *more]) == 2
    assert said in capsys.readouterr().err and not (data / "drawn.txt").exists()


def test_no_input_is_overwritten(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (data / "data.parquet").read_bytes()
    words = ["generate", "data.parquet", "--of", "data.parquet", "--patterns", "2", "--force"]
    assert run(words) == 2
    assert ".txt" in capsys.readouterr().err
    assert (data / "data.parquet").read_bytes() == before
