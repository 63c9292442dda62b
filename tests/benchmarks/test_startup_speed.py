"""How soon the command answers on no data, or on little, in seconds. Run with `-m benchmark -s`.

On a quiet machine `--version` may take 0.15 s, `--help` 0.3 s, and a release of groceries 0.35 s;
each figure is the middle of eleven runs, after one that compiles the modules.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

import reference

pytestmark = pytest.mark.benchmark

LONGEST = {"--version": 0.15, "--help": 0.3, "coherence --help": 0.5, "verify --help": 0.3}
GROCERIES = reference.SHARED / "data" / "groceries.parquet"
RELEASE = "--private", "where:support < 20", "--h", "0.4", "--k", "5", "--p", "2", "--force"


def check(name: str, words: list[str], longest: float) -> None:
    taken = []
    for _ in range(12):
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "setveil", *words],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        taken.append(time.perf_counter() - begun)
    taken = taken[1:]
    middle = statistics.median(taken)
    print(f"\nsetveil {name}: {middle:.3f} s (from {min(taken):.3f} to {max(taken):.3f} s)")
    assert middle <= longest


@pytest.mark.parametrize("words", LONGEST)
def test_the_command_answers_at_once(words: str) -> None:
    check(words, words.split(), LONGEST[words])


@pytest.mark.skipif(not GROCERIES.exists(), reason="the shared data is not here")
@pytest.mark.parametrize("trail", [False, True], ids=["", "with its trail"])
def test_little_data_is_released_at_once(tmp_path: Path, trail: bool) -> None:
    written = ["--out", str(tmp_path / "safe.parquet")]
    written += ["--trail", str(tmp_path / "audit.sql")] if trail else []
    name = "coherence of groceries" + (", with its trail" if trail else "")
    check(name, ["coherence", str(GROCERIES), *RELEASE, *written], 0.35)
