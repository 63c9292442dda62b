"""What is left of real data that was made rho-uncertain, by each way to choose what goes.

Run with `-m benchmark -s`. Every release is judged by an independent program in C++ besides.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import setveil
from reference import SHARED
from setveil.comparison.findings import Compared

pytestmark = pytest.mark.benchmark

SOURCE = SHARED / "reference" / "rho_check.cpp"
RHO = "0.7"
SENSITIVE = {"bms_webview_2": (0, 4), "retail": (0, 1)}  # remainders of the item by 5
WAYS = {
    "Dist": {"keep": "distribution"},
    "Mine": {"keep": "rules"},
    "global": {"method": "global"},
}


@dataclass(frozen=True, slots=True)
class Row:
    """What one way makes of the data."""

    found: Compared
    seconds: float
    confidence: float  # the highest of a sensitive rule, by the reference


@pytest.fixture(scope="module")
def rho_check(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The independent reference, compiled."""
    compiler = shutil.which("g++")
    if compiler is None or not SOURCE.exists():
        pytest.skip("no C++ compiler" if SOURCE.exists() else f"no {SOURCE}")
    target = tmp_path_factory.mktemp("reference") / "rho_check"
    subprocess.run([compiler, "-O2", "-w", "-o", str(target), str(SOURCE)], check=True)
    return target


def highest_confidence(rho_check: Path, release: Path, remainders: tuple[int, int]) -> float:
    """What the reference says of a release; it must say that no rule is unsafe."""
    occurrences, sensitive = release.with_suffix(".occ"), release.with_suffix(".sensitive")
    with duckdb.connect() as connection:
        held = connection.read_parquet(str(release))
        held.project("tid, item").write_csv(str(occurrences), sep=" ", header=False)
        secret = held.filter(f"item % 5 IN {remainders}").project("item").distinct()
        secret.write_csv(str(sensitive), header=False)
    command = [str(rho_check), str(occurrences), str(sensitive), RHO]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    found = re.search(r"highest confidence ([\d.]+)", run.stdout)
    assert found
    return float(found[1])


def made(data: Path, way: str, remainders: tuple[int, int], rho_check: Path, out: Path) -> Row:
    with setveil.read(data) as baskets:
        start = time.perf_counter()
        release = setveil.uncertainty(
            baskets, sensitive=f"where:name % 5 IN {remainders}", rho=RHO, **WAYS[way]
        )
        seconds = time.perf_counter() - start
        release.write(out)
        return Row(
            setveil.compare(baskets, out, min_support="0.05%", min_confidence=RHO, p=1).releases[0],
            seconds,
            highest_confidence(rho_check, out, remainders),
        )


@pytest.mark.parametrize("name", SENSITIVE)
def test_quality(name: str, rho_check: Path, tmp_path: Path) -> None:
    """Partial suppression loses less than global; Dist keeps the distribution, Mine the rules."""
    data = SHARED / "data" / f"{name}.parquet"
    if not data.exists():
        pytest.skip(f"no {data}")
    print(f"\n{name}, rho = {RHO}, rules of 0.05 % and more")
    print(f"{'':8}{'loss':>8}{'sym. KL':>10}{'Jaccard':>9}{'rules':>14}{'conf.':>8}{'s':>8}")
    rows = {}
    for way in WAYS:
        row = made(data, way, SENSITIVE[name], rho_check, tmp_path / f"{way}.parquet")
        rows[way] = row
        taken, rules = row.found.measures, row.found.rules
        assert rules is not None
        counts = f"{rules.before}>{rules.after}"
        print(
            f"{way:8}{taken['information_loss']:8.2%}{taken['symmetric_kl']:10.5f}"
            f"{taken['rules_jaccard']:9.3f}{counts:>14}{row.confidence:8.3f}{row.seconds:8.1f}"
        )
    dist, mine, everywhere = (rows[way].found.measures for way in WAYS)
    assert mine["information_loss"] < everywhere["information_loss"]
    assert 10 * dist["symmetric_kl"] <= everywhere["symmetric_kl"]
    assert mine["rules_jaccard"] >= everywhere["rules_jaccard"]
