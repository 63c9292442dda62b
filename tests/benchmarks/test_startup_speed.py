"""How soon the command answers when it needs no data, in seconds. Run with `-m benchmark -s`.

On a quiet machine `--version` may take 0.15 s, and `--help` 0.3 s; each figure is the middle of
eleven runs.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.benchmark

LONGEST = {"--version": 0.15, "--help": 0.3, "coherence --help": 0.5, "verify --help": 0.3}


@pytest.mark.parametrize("words", LONGEST)
def test_the_command_answers_at_once(words: str) -> None:
    taken = []
    for _ in range(11):
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "setveil", *words.split()],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        taken.append(time.perf_counter() - begun)
    middle = statistics.median(taken)
    print(f"\nsetveil {words}: {middle:.3f} s (from {min(taken):.3f} to {max(taken):.3f} s)")
    assert middle <= LONGEST[words]
