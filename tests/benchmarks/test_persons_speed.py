"""The cost of counting persons: seconds, memory and loss beside those of transactions, in one run.

Run with `-m benchmark -s`. The real data are the valid sales of Online Retail with a customer:
386,326 rows, 18,402 invoices, 4,334 customers. A model enters `RUNS` with its promise; each prints
one line per promise.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

import reference
import setveil

pytestmark = pytest.mark.benchmark

RAW = reference.SHARED / "data" / "online_retail_raw.parquet"
SALES = """
    COPY (
        SELECT DISTINCT invoice AS tid, CAST(stock_code AS VARCHAR) AS item, customer AS person
        FROM READ_PARQUET($raw)
        WHERE REGEXP_FULL_MATCH(invoice, '[0-9]+') AND quantity > 0 AND unit_price > 0
            AND customer IS NOT NULL AND REGEXP_FULL_MATCH(stock_code, '[0-9]{5}[A-Za-z]*')
    ) TO 'sales.parquet' (FORMAT parquet)
"""
SLOWER, LARGER = 2.5, 2.0  # as multiples of the run that counts transactions
LARGE = {"transactions": 1_200_000, "persons": 300_000, "items": 2_000, "length": 10.0}

# Each run is a model with the words of its promise, then those of its method.
RUNS = {
    "real": [
        ("k-anonymity", "--k 5", "--fanout 4"),
        ("k-anonymity", "--k 10", "--fanout 4"),
        ("k-anonymity", "--k 5", "--fanout 4 --refine"),
        ("km-anonymity", "--k 5 --m 2", "--fanout 4"),
        ("km-anonymity", "--k 10 --m 2", "--fanout 4"),
        ("km-anonymity", "--k 5 --m 3", "--fanout 4"),
    ],
    "generated": [
        ("k-anonymity", "--k 10", "--fanout 4"),
        ("km-anonymity", "--k 50 --m 2", "--fanout 4"),
    ],
}
EVERY = [(data, *one) for data, runs in RUNS.items() for one in runs]


@dataclass(frozen=True, slots=True)
class Measured:
    """One command: its seconds, peak megabytes, and its JSON."""

    seconds: float
    peak: float
    told: dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("persons")


def data_of(folder: Path, kind: str) -> Path:
    """The data with a column `person`, made once."""
    path = folder / {"real": "sales.parquet", "generated": "generated.parquet"}[kind]
    if path.is_file():
        return path
    if kind == "generated":
        setveil.generate(path, seed=1, **LARGE)  # type: ignore[arg-type]
        return path
    if not RAW.is_file():
        pytest.skip(f"there is no {RAW}")
    with duckdb.connect() as duck:
        duck.execute(SALES.replace("sales.parquet", str(path)), {"raw": str(RAW)})
    return path


def measure(*words: str, out: Path) -> Measured:
    """Run one command in a process of its own."""
    start = time.perf_counter()
    with out.open("w") as told:
        command = [sys.executable, "-m", "setveil", *words, "--json", "--quiet"]
        with subprocess.Popen(command, stdout=told, stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    assert process.returncode in (0, 1), out.read_text()
    return Measured(seconds, usage.ru_maxrss / 1024, json.loads(out.read_text()))


@pytest.mark.parametrize(("kind", "model", "promise", "method"), EVERY)
def test_persons_cost_at_most_this(
    folder: Path, kind: str, model: str, promise: str, method: str
) -> None:
    """The release that counts transactions breaks the promise in persons; the other keeps it."""
    data, out = data_of(folder, kind), folder / "told.json"
    measured, broken = [], []
    for person in ([], ["--person", "person"]):
        made = folder / "made.parquet"
        words = [model, str(data), *promise.split(), *method.split(), *person]
        measured.append(measure(*words, "--out", str(made), "--force", out=out))
        of = ["--persons-of", str(data), "--person", "person"]
        judged = measure("verify", model, str(made), *promise.split(), *of, out=out)
        broken.append(judged.told["metrics"]["found"])
    before, after = measured
    slower, larger = after.seconds / before.seconds, after.peak / before.peak
    print(
        f"\n{kind}, {model} {promise} {method}: {before.seconds:.1f} s and {before.peak:,.0f} MB "
        f"in transactions, x {slower:.2f} and x {larger:.2f} in persons; "
        f"NCP {before.told['metrics']['ncp']:.2%}, {after.told['metrics']['ncp']:.2%}; "
        f"violations in persons {broken[0]:,}, {broken[1]:,}"
    )
    assert broken[1] == 0
    assert slower <= SLOWER
    assert larger <= LARGER
