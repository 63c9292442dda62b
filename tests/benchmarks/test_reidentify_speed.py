"""What was asked of the attack: all names back without noise, in seconds; and the paper's figures.

pytest tests/benchmarks/test_reidentify_speed.py -m benchmark -s
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import setveil
from reference import SHARED
from setveil.attack.reidentification import METHODS

pytestmark = pytest.mark.benchmark

WALL, MEMORY = 60.0, 2 * 2**30
CASES = [
    ("groceries", "0.01"), ("groceries", "0.005"), ("retail", "0.01"), ("bms_webview_2", "0.005"),
]  # fmt: skip
NOISE = [0, 0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01]


def prepared(name: str, share: str, folder: Path) -> Path:
    """Renamed data, its key, and the itemsets of the original."""
    path = SHARED / "data" / f"{name}.parquet"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    with setveil.read(path) as baskets:
        setveil.itemsets(baskets, min_support=share).write(folder / "known.parquet")
        setveil.rename(baskets, key=folder / "key.parquet", seed=1).write(folder / "coded.parquet")
    return folder


@pytest.mark.parametrize("name, share", CASES)
def test_without_noise(name: str, share: str, tmp_path: Path) -> None:
    """The whole command, in a process of its own."""
    folder = prepared(name, share, tmp_path)
    for method in ("integer", "mixed", "linear"):
        command = [
            sys.executable, "-m", "setveil", "reidentify", str(folder / "coded.parquet"),
            "--itemsets", str(folder / "known.parquet"), "--key", str(folder / "key.parquet"),
            "--method", method, "--threads", "2", "--json",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        found = json.loads(done.stdout)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        metrics = found["metrics"]
        told_apart = metrics["codes"] - metrics["ambiguous_items"]
        print(
            f"\n{name} {share} {method}: {metrics['codes']} codes, {metrics['ambiguous_items']} "
            f"ambiguous in {metrics['ambiguity_classes']} classes, "
            f"{metrics['undecided_items']} undecided; "
            f"{metrics['correct']} right, {metrics['sure']} sure; uniform "
            f"{metrics['uniform']:.1f}; pairs {metrics['pairs_before']} -> "
            f"{metrics['pairs_after']}; {found['seconds']:.2f} s, {memory / 2**20:.0f} MiB",
            end="",
        )
        assert metrics["undecided_items"] == 0
        if method != "linear":
            assert metrics["sure"] == told_apart
        assert metrics["correct"] >= metrics["sure"]
        assert metrics["expected"] >= told_apart
        assert found["seconds"] < WALL and memory < MEMORY


@pytest.mark.parametrize("faithful", [False, True], ids=["tight", "faithful"])
def test_noise(faithful: bool, tmp_path: Path) -> None:
    """Integer at least as good as mixed and linear, all above uniform: as in Figures 1 to 3."""
    folder = prepared("groceries", "0.02", tmp_path)
    with setveil.read(folder / "coded.parquet") as baskets:
        points = setveil.sweep_reidentification(
            baskets, folder / "known.parquet", key=folder / "key.parquet", noise=NOISE, runs=20,
            faithful=faithful,
        )  # fmt: skip
    share = {(one.noise, one.method): one.correct for one in points}
    for noise in NOISE:
        row = {method: share[noise, method] for method in METHODS}
        print(f"\nnoise {noise}: " + ", ".join(f"{a} {b:.3f}" for a, b in row.items()), end="")
        assert row["integer"] >= max(row["mixed"], row["linear"]) - 1e-9
        assert min(row["mixed"], row["linear"]) >= row["uniform"] - 1e-9
        assert not noise or min(row["mixed"], row["linear"]) > row["uniform"]
