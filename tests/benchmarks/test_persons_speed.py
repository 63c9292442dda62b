"""The cost of counting persons: seconds, memory and loss beside those of transactions, in one run.

Run with `-m benchmark -s`. The real data are the valid sales of Online Retail with a customer:
386,326 rows, 18,402 invoices, 4,334 customers. A model enters `RUNS` with its promise; each prints
one line per promise.
"""

from __future__ import annotations

import json
import os
import shlex
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
from setveil.models import REGISTRY

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

SECRETS = "--private \"where:name LIKE '847%'\" --h 0.4"

# Each run is a model with the words of its promise, then those of its method.
RUNS = {
    "real": [
        ("coherence", f"--k 5 --p 2 {SECRETS}", ""),
        ("coherence", f"--k 10 --p 2 {SECRETS}", ""),
        ("k-anonymity", "--k 5", "--fanout 4"),
        ("k-anonymity", "--k 10", "--fanout 4"),
        ("k-anonymity", "--k 5", "--fanout 4 --refine"),
        ("km-anonymity", "--k 5 --m 2", "--fanout 4"),
        ("km-anonymity", "--k 10 --m 2", "--fanout 4"),
        ("km-anonymity", "--k 5 --m 3", "--fanout 4"),
    ],
    "generated": [
        ("coherence", "--k 5 --p 2", ""),
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
        words = [model, str(data), *shlex.split(promise), *method.split(), *person]
        measured.append(measure(*words, "--out", str(made), "--force", out=out))
        of = ["--persons-of", str(data), "--person", "person"]
        judged = measure("verify", model, str(made), *shlex.split(promise), *of, out=out)
        broken.append(judged.told["metrics"]["found"])
    before, after = measured
    cost = REGISTRY[model].cost
    slower, larger = after.seconds / before.seconds, after.peak / before.peak
    print(
        f"\n{kind}, {model} {promise} {method}: {before.seconds:.1f} s and {before.peak:,.0f} MB "
        f"in transactions, x {slower:.2f} and x {larger:.2f} in persons; "
        f"{cost} {before.told['metrics'][cost]:.2%}, {after.told['metrics'][cost]:.2%}; "
        f"violations in persons {broken[0]:,}, {broken[1]:,}"
    )
    assert broken[1] == 0
    assert slower <= SLOWER
    assert larger <= LARGER


# The k of each model grows with the data, so that the work per transaction stays equal.
GROWING = [
    ("coherence", "--k {k} --p 2", ""),
    ("k-anonymity", "--k {k}", "--fanout 4"),
    ("km-anonymity", "--k {k} --m 2", "--fanout 4"),
]


@pytest.mark.parametrize(("model", "promise", "method"), GROWING)
def test_time_grows_as_the_data(folder: Path, model: str, promise: str, method: str) -> None:
    """At 1, 4 and 16 times the data, seconds grow in proportion and a fifth more at most."""
    taken = []
    for times in (1, 4, 16):
        data = folder / f"times_{times}.parquet"
        if not data.is_file():
            size = {"transactions": 75_000 * times, "persons": 18_750 * times}
            setveil.generate(data, seed=1, items=2_000, **size)
        words = [*promise.format(k=5 * times).split(), *method.split(), "--person", "person"]
        taken.append(measure(model, str(data), *words, out=folder / "told.json").seconds)
    first, *others = taken
    print(f"\n{model}: {first:.1f} s; " + ", ".join(f"x {one / first:.1f}" for one in others))
    assert others[0] <= 4 * 1.2 * first and others[1] <= 16 * 1.2 * first
