"""How time and memory grow with the data: generated baskets of 1x, 4x and 16x, 50 million
occurrences at the end, with k at a fixed share of the transactions; once more with 2 GB granted.
Of `uncertainty`, 1x and 4x."""

import json
import os
import subprocess
import sys
import time

import duckdb
import pytest

BASE = 312_500  # transactions, of ten products on average
GRANTED, ALLOWANCE = 2000, 500  # megabytes, and what the process may take beyond
pytestmark = pytest.mark.benchmark


def command(folder, scale, *more):
    return [
        sys.executable, "-m", "setveil", "coherence", f"{folder}/{scale}.parquet",
        "--private", "where:name LIKE 'Rx %'", "--h", "0.4", "--k", str(20 * scale), "--p", "2",
        "--out", f"{folder}/{scale}-safe.parquet", "--threads", "2", "--quiet", "--force", *more,
    ]  # fmt: skip


def sensitive(folder, scale):
    """Ten items of a thousand: every hundredth, in the order of support."""
    with duckdb.connect() as connection:
        rows = connection.execute(
            """
            SELECT n.item
            FROM (
                SELECT h.item, ROW_NUMBER() OVER (ORDER BY COUNT(*), h.item) AS place
                FROM read_parquet($1) AS h GROUP BY h.item
            ) AS n
            WHERE n.place % 100 = 50 ORDER BY n.place
            """,
            [f"{folder}/{scale}.parquet"],
        ).fetchall()
    path = folder / f"{scale}.txt"
    path.write_text("".join(f"{item}\n" for (item,) in rows))
    return path


def generated(folder, scale):
    """How many occurrences were made, in a process of its own: this one must stay small, since
    what it takes counts for those it starts."""
    ran = subprocess.run(
        [
            sys.executable, "-m", "setveil", "generate", f"{folder}/{scale}.parquet",
            "--transactions", str(BASE * scale), "--items", "1000", "--patterns", "1000",
            "--memory-limit", "4GB", "--json",
        ],
        capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    return json.loads(ran.stdout)["metrics"]["occurrences"]


def measure(arguments, folder):
    """Seconds and megabytes of one process."""
    start = time.perf_counter()
    with subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def test_time_grows_in_proportion_and_memory_stays_within_what_is_granted(tmp_path):
    measured = {}
    for scale in (1, 4, 16):
        occurrences = generated(tmp_path, scale)
        seconds, megabytes = measure(command(tmp_path, scale), tmp_path)
        measured[scale] = seconds
        print(
            f"\n{scale:>2}x: {occurrences:>10,} occurrences, {seconds:6.1f} s, "
            f"{seconds / scale / measured[1]:.2f} of proportion, {megabytes:,.0f} MB"
        )
    limited = command(tmp_path, 16, "--memory-limit", f"{GRANTED}MB")
    seconds, megabytes = measure(limited, tmp_path)
    print(f"16x with {GRANTED:,} MB granted: {seconds:.1f} s, {megabytes:,.0f} MB")
    assert megabytes <= GRANTED + ALLOWANCE
    assert measured[4] <= 1.2 * 4 * measured[1]
    assert measured[16] <= 1.2 * 16 * measured[1]


def test_uncertainty_with_ten_sensitive_items(tmp_path):
    """Prints seconds and memory with no limit, to be compared with earlier prints."""
    measured = {}
    for scale in (1, 4):
        occurrences = generated(tmp_path, scale)
        arguments = [
            sys.executable, "-m", "setveil", "uncertainty", f"{tmp_path}/{scale}.parquet",
            "--sensitive", str(sensitive(tmp_path, scale)), "--rho", "0.5", "--threads", "2",
            "--out", f"{tmp_path}/{scale}-safe.parquet", "--quiet",
        ]  # fmt: skip
        measured[scale], megabytes = measure(arguments, tmp_path)
        print(
            f"\n{scale:>2}x: {occurrences:>10,} occurrences, {measured[scale]:6.1f} s, "
            f"{measured[scale] / scale / measured[1]:.2f} of proportion, {megabytes:,.0f} MB, "
            f"{megabytes * 2**20 / occurrences:.0f} bytes per occurrence"
        )
