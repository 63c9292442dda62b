"""Global recoding from the papers: its findings and its seconds. Run with `-m benchmark -s`."""

from __future__ import annotations

import random
import time
from pathlib import Path

import duckdb
import pytest

import setveil
from reference import SHARED

pytestmark = pytest.mark.benchmark

DATA = SHARED / "data"


def drawn(name: str, share: float) -> list[object]:
    """A random share of the items, seeded."""
    every = duckdb.read_parquet(str(file_of(name))).project("item").distinct().order("item")
    items = [item for (item,) in every.fetchall()]
    return random.Random(1).sample(items, round(share * len(items)))


def file_of(name: str) -> Path:
    path = DATA / f"{name}.parquet"
    if not path.is_file():
        pytest.skip(f"no {path}")
    return path


def test_figure_8_of_the_coherence_paper() -> None:
    """On connect, k-anonymity of all public items loses far more than coherence."""
    public = drawn("connect", 0.4)
    lost: dict[str, float] = {}
    with setveil.read(file_of("connect")) as baskets:
        start = time.perf_counter()
        release = setveil.k_anonymity(baskets, k=100, method="tds", public=public)
        seconds = time.perf_counter() - start
        lost["tds"] = release.metrics.information_loss
        for method in ("mm-il", "rm-all"):
            other = setveil.coherence(baskets, k=100, p=5, method=method, public=public)
            lost[method] = other.metrics.information_loss
    shown = ", ".join(f"{name} {share:.2%}" for name, share in lost.items())
    print(f"\nconnect, k = 100, 40 % of the items public: {shown}; tds in {seconds:.1f} s")
    assert lost["mm-il"] * 2 < lost["tds"] < lost["rm-all"]
    assert seconds <= 60


@pytest.mark.parametrize("share", [0.2, 1.0])
def test_retail_is_finished(share: float) -> None:
    """The paper's program did not finish on retail."""
    public = drawn("retail", share)
    with setveil.read(file_of("retail")) as baskets:
        start = time.perf_counter()
        metrics = setveil.k_anonymity(baskets, k=20, method="tds", public=public).metrics
        seconds = time.perf_counter() - start
    print(
        f"\nretail, k = 20, {share:.0%} of the items public: tds in {seconds:.1f} s, "
        f"{metrics.published} of {metrics.public_items:,} items published, "
        f"{metrics.information_loss:.2%} suppressed"
    )
    assert seconds <= 600
