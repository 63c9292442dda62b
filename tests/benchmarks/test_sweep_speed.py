"""A sweep beside runs one by one: what follows from the data alone is made once; and all figures.

Ratios are of one run on one machine, in processor time.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import setveil
from setveil.reproducing.recipes import every_figure

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
METHODS = ["iga", "minfia", "maxfia", "naive"]


@pytest.fixture(scope="module")
def baskets(tmp_path_factory):
    path = tmp_path_factory.mktemp("swept") / "a.parquet"
    setveil.generate(path, transactions=4_000, items=60, length=14, min_length=10, patterns=12)
    with setveil.read(path) as found:
        yield found


@pytest.mark.benchmark
def test_mining_the_original_once_for_all_points(baskets):
    """Four methods by three psi, each measured at a mining support: the original is mined once."""
    options = {"drawn_patterns": 5, "measures": ["misses_cost"], "measure_support": "0.05"}
    grid = {"method": METHODS, "psi": ["0", "0.3", "0.6"]}
    start = time.process_time()
    shared = setveil.sweep(baskets, "hiding", grid, **options)
    together = time.process_time() - start
    start = time.process_time()
    for method in METHODS:
        for psi in grid["psi"]:
            one = {"method": [method], "psi": [psi]}
            (alone,) = setveil.sweep(baskets, "hiding", one, **options).points
            assert alone.metrics in [point.metrics for point in shared.points]
    apart = time.process_time() - start
    print(
        f"\n12 points: {together:.1f} s together, {apart:.1f} s one by one: {together / apart:.2f}"
    )
    assert together < 0.9 * apart


@pytest.mark.benchmark
def test_one_search_of_coherence_for_all_k_and_methods(baskets):
    grid = {"k": [5, 10, 20, 50], "method": ["mm-il", "mm", "1-il", "rm-all"]}
    start = time.process_time()
    shared = setveil.sweep(baskets, "coherence", grid, p=3)
    together = time.process_time() - start
    start = time.process_time()
    apart = setveil.sweep(baskets, "coherence", grid, p=3, apart=True)
    by_itself = time.process_time() - start
    assert [one.metrics for one in shared.points] == [one.metrics for one in apart.points]
    print(f"\n16 points: {together:.1f} s together, {by_itself:.1f} s apart")
    assert together < 0.7 * by_itself


@pytest.mark.benchmark
@pytest.mark.skipif("SETVEIL_ALL_FIGURES" not in os.environ, reason="takes up to an hour")
def test_all_figures_within_an_hour():
    """All figures and tables on the shared data, or on generated data where it is absent."""
    start, open_ones = time.perf_counter(), 0
    for one in every_figure():
        made = setveil.reproduce(one.label, data=DATA if DATA.is_dir() else None)
        held = [finding.holds for finding in made.findings]
        open_ones += held.count(None)
        print(f"\n{one.label}: {held.count(True)} of {len(held)} findings hold")
    seconds = time.perf_counter() - start
    print(f"\nall figures: {seconds:,.0f} s, {open_ones} findings cannot be told")
    assert seconds < 3600
