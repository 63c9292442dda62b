"""What partition loses and how long it takes: beside the best figures known for other programs on
bms_webview_2, on a long-tailed click-stream, and on generated data of 1x, 4x and 16x."""

import json
import subprocess
import sys
import time

import pytest

import setveil
from reference import SHARED

DATA = SHARED / "data"
pytestmark = pytest.mark.benchmark
# NCP in % of the best open implementation, by k, on an even hierarchy of seven levels.
KNOWN = {2: 3.4893, 5: 5.1427, 10: 6.3074, 25: 8.0979, 50: 9.6774, 100: 11.4790}
BASE = 32_225  # transactions; 16 times that are as many as BMS-POS has


def data(name):
    path = DATA / f"{name}.parquet"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    return path


def measure(path, k, *, hierarchy=None, fanout=None, refine=False):
    """The release's metrics, and the seconds from its file to the checked release."""
    start = time.perf_counter()
    with setveil.read(path, threads=2) as baskets:
        release = setveil.k_anonymity(
            baskets, k=k, hierarchy=hierarchy, fanout=fanout, refine=refine
        )
        return release.metrics, time.perf_counter() - start


def test_loss_beside_what_is_known():
    """Even trees cut their last nodes differently: fan-out 4 comes nearest to the known figures."""
    path, hierarchy = data("bms_webview_2"), data("bms_webview_2_hierarchy")
    print("\n  k   known    fan-out 4  refined    fan-out 5  refined")
    for k, known in KNOWN.items():
        row = [
            100 * measure(path, k, refine=refine, **tree)[0].ncp
            for tree in ({"hierarchy": hierarchy}, {"fanout": 5})
            for refine in (False, True)
        ]
        print(f"{k:>3}  {known:7.4f}   " + "   ".join(f"{one:8.4f}" for one in row))
        assert row[0] <= 1.005 * known
        assert row[1] <= known and row[3] <= known


@pytest.mark.parametrize(
    ("name", "hierarchy"),
    [
        ("bms_webview_2", None),
        ("bms_webview_2", "bms_webview_2_hierarchy"),
        ("groceries", "groceries_hierarchy"),
        ("groceries", None),
    ],
)
def test_refined_loses_less(name, hierarchy):
    path = data(name)
    tree = {"hierarchy": data(hierarchy)} if hierarchy else {"fanout": 5}
    (greedy, first), (refined, second) = (
        measure(path, 10, refine=refine, **tree) for refine in (False, True)
    )
    less = 1 - refined.ncp / greedy.ncp
    print(
        f"\n{name}, {hierarchy or 'fan-out 5'}: {greedy.ncp:.4%} in {first:.2f} s, "
        f"{refined.ncp:.4%} in {second:.2f} s ({less:.1%} less)"
    )
    assert less >= (0.01 if (name, hierarchy) == ("groceries", None) else 0.05)


@pytest.mark.parametrize(("name", "most"), [("bms_webview_2", 1.55), ("kosarak_first36k", 60)])
def test_seconds(name, most):
    metrics, seconds = min(
        (measure(data(name), 10, fanout=5) for _ in range(3)), key=lambda one: one[1]
    )
    print(f"\n{name}: {seconds:.2f} s, {metrics.rounds} rounds, {metrics.partitions:,} classes")
    assert seconds <= most


def test_time_grows_in_proportion(tmp_path):
    """The largest has 515,600 transactions of 6.5 of 1,657 items, as BMS-POS has."""
    first = 0.0
    for scale in (1, 4, 16):
        path = generated(tmp_path, scale)
        metrics, seconds = min(
            (measure(path, 10, fanout=5) for _ in range(1 + 2 // scale)), key=lambda one: one[1]
        )
        first = first or seconds
        print(
            f"\n{scale:>2}x: {metrics.occurrences:>9,} occurrences, {seconds:5.2f} s, "
            f"{seconds / scale / first:.2f} of proportion, {metrics.rounds} rounds"
        )
        assert seconds <= 1.2 * scale * first
    assert seconds <= 40


def generated(folder, scale):
    path = folder / f"{scale}.parquet"
    ran = subprocess.run(
        [
            sys.executable, "-m", "setveil", "generate", str(path), "--transactions",
            str(BASE * scale), "--items", "1657", "--length", "6.5", "--patterns", "1000",
            "--memory-limit", "4GB", "--json",
        ],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout)["metrics"]["transactions"] == BASE * scale
    return path
