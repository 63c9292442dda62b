"""The seconds that advice takes, and how often its intervals hold the true cost.

Run with `-m benchmark -s`. Real data is tried whole, in 60 seconds at most. Of generated data with
12 million occurrences a sample is tried; the costs of 20 promises are then measured on all of it.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import reference
import setveil
from setveil.models import REGISTRY

pytestmark = pytest.mark.benchmark

DATA = reference.SHARED / "data"
SECONDS, CASES, HELD = 60, 20, 18
KNOWN: dict[str, dict[str, Any]] = {
    "retail": {},
    "groceries": {
        "private": "where:name LIKE '%liquor%'",
        "h": "0.4",
        "hierarchy": DATA / "groceries_hierarchy.parquet",
    },
    "online_retail": {},
}


@pytest.mark.parametrize("name", KNOWN)
def test_real_data_is_tried_whole(name: str) -> None:
    path = DATA / f"{name}.parquet"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    start = time.perf_counter()
    with setveil.read(path) as baskets:
        found = setveil.advise(baskets, **KNOWN[name])
    print(f"\n{name}: {time.perf_counter() - start:.1f} s for {len(found.promises)} promises")
    assert found.parts == 1
    assert time.perf_counter() - start <= SECONDS


def test_samples_of_twelve_million(tmp_path: Path) -> None:
    """Four databases, each with five promises."""
    held = tried = 0
    for seed, items in ((1, 1000), (2, 2000), (3, 4000), (4, 8000)):
        path = tmp_path / "large.parquet"
        setveil.generate(path, seed=seed, transactions=1_200_000, items=items, force=True)
        with setveil.read(path) as baskets:
            start = time.perf_counter()
            found = setveil.advise(baskets, fanout=4)
            seconds = time.perf_counter() - start
            chosen = [one for one in found.promises if one.parameters.get("method") is None]
            for one in chosen[:5]:
                lost = REGISTRY[one.model].anonymize(baskets, **one.parameters).metrics
                between, true = one.between, lost.information_lost
                assert between is not None
                held += between.least <= true <= between.greatest
                tried += 1
                print(
                    f"\n{one.model} {one.parameters}: {between.least:.1%} to "
                    f"{between.greatest:.1%}, truly {true:.1%} ({seconds:.0f} s for all)"
                )
    print(f"{held} of {tried} intervals hold the true cost")
    assert (tried, held >= HELD) == (CASES, True)
