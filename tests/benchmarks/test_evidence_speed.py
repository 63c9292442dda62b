"""The time that evidence takes, beside the comparison that it goes with.

Run with `-m benchmark -s`. Processor time of one run, so that other work disturbs it less.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import reference
import setveil

pytestmark = pytest.mark.benchmark

DATA = reference.SHARED / "data" / "groceries.parquet"
TIMES = 4.0  # the comparison alone: searches for k = 2, k and 12, and draws, in place of two


def test_evidence_beside_its_comparison(tmp_path: Path) -> None:
    if not DATA.is_file():
        pytest.skip(f"there is no {DATA}")
    took = {}
    with setveil.read(DATA) as baskets:
        setveil.coherence(baskets, k=5, p=2).write(tmp_path / "safe.parquet")
        for evidence in (False, True, False, True):  # the second round is warm
            start = time.process_time()
            setveil.compare(
                baskets, tmp_path / "safe.parquet", k=5, p=2, verify="coherence", evidence=evidence
            )
            took[evidence] = time.process_time() - start
    print(
        f"\ngroceries and a release of it: {took[False]:.2f} s, with evidence {took[True]:.2f} s "
        f"({took[True] / took[False]:.1f} times)"
    )
    assert took[True] < TIMES * took[False]
