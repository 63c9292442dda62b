"""How much information releases lose, on real data: k = 5, p = 2.

Run with `-m benchmark -s`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import reference
import setveil

pytestmark = pytest.mark.benchmark

DATA = reference.SHARED / "data"
LIQUOR = "where:name LIKE '%liquor%'"


def data(name: str) -> Path:
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return path


def test_suppression_alone_on_groceries() -> None:
    """24.4 % is the least of any choice of items: by `optimal`, and nearly so by the default."""
    with setveil.read(data("groceries.parquet")) as baskets:
        for method in ("optimal", "mm-il"):
            metrics = setveil.coherence(
                baskets, k=5, p=2, h="0.4", private=LIQUOR, method=method
            ).metrics
            print(f"{method}: {metrics.information_lost:.2%} of the information")
            assert round(metrics.information_lost, 3) == 0.244
