"""How soon, and in how much memory, a run that is too large is refused. Run with `-m benchmark -s`.

Long transactions have more subsets than any machine can count: without the estimate a run of these
took 20 GB, and the kernel ended it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from reference import SHARED

pytestmark = pytest.mark.benchmark

LONGEST, MOST = 20, 3000  # seconds and megabytes until the run is refused
RUNS = {
    "k 5, p 20": ["--k", "5", "--p", "20"],
    "k 5, p 3, 2 GB": ["--k", "5", "--p", "3", "--memory-limit", "2GB"],
}
MADE = (
    "SELECT t.range AS tid, (t.range * 7919 + i.range * i.range) % 3000 AS item "
    "FROM RANGE(20000) AS t, RANGE(300) AS i WHERE i.range < 20 OR t.range % 50 = 0"
)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("data", ["online_retail", "made"])
def test_too_large_a_run_is_refused(data: str, run: str, tmp_path: Path) -> None:
    source = SHARED / "data" / f"{data}.parquet"
    if data == "made":
        source = tmp_path / "made.parquet"
        duckdb.sql(MADE).write_parquet(str(source))
    if not source.exists():
        pytest.skip(f"no data here: {source}")
    command = [sys.executable, "-m", "setveil", "coherence", str(source), *RUNS[run]]
    begun = time.perf_counter()
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "safe.parquet"), "--quiet"], stderr=subprocess.PIPE
    ) as process:
        assert process.stderr
        said = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds, megabytes = time.perf_counter() - begun, usage.ru_maxrss / 1024
    print(f"\n{data}, {run}: refused in {seconds:.1f} s and {megabytes:,.0f} MB\n{said}")
    assert process.returncode == 2 and "--force-large" in said
    # Without a limit, levels that fit into the granted share of the machine are counted first.
    if data != "made" or "--memory-limit" in RUNS[run]:
        assert seconds <= LONGEST and megabytes <= MOST
