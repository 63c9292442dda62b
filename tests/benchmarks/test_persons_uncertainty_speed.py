"""How much longer uncertainty takes, and how much more memory, where persons count.

Both runs of a pair are made one after the other, each in a process of its own. Run with
`-m benchmark -s`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import setveil
from reference import SHARED

pytestmark = pytest.mark.benchmark

SLOWER, LARGER = 2.5, 2.0  # times what the run without persons takes
RETAIL = SHARED / "data" / "online_retail_raw.parquet"
SALES = r"""
    SELECT DISTINCT invoice AS tid, CAST(stock_code AS VARCHAR) AS item, customer AS who
    FROM READ_PARQUET($1)
    WHERE REGEXP_FULL_MATCH(invoice, '[0-9]+') AND quantity > 0 AND unit_price > 0
        AND customer IS NOT NULL AND REGEXP_FULL_MATCH(stock_code, '[0-9]{5}[A-Za-z]*')
"""
# Four transactions of a person on average, at random: the data knows no taste of persons.
OWNED = """
    SELECT tid, item, CAST(
        (CAST(tid AS BIGINT) * 7919 + CAST(tid AS BIGINT) * CAST(tid AS BIGINT) % 1000003) % $2
        AS INTEGER
    ) AS who
    FROM READ_PARQUET($1)
"""
SENSITIVE = {
    "five gifts": "where:name IN ('22554', '20719', '21213', '22577', '22578')",
    "crafts": "where:name LIKE '847%'",
}


@dataclass(frozen=True, slots=True)
class Run:
    seconds: float
    of_processors: float
    megabytes: float
    lost: int


def measured(source: Path, sensitive: str, *more: str) -> Run:
    """A run of the command with its checker, in a process of its own."""
    command = [sys.executable, "-m", "setveil", "uncertainty", str(source), "--rho", "0.5"]
    command += ["--sensitive", sensitive, "--json", "--quiet", *more]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        said = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said
    lost = json.loads(said)["metrics"]["suppressed_occurrences"]
    seconds = time.perf_counter() - begun
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lost)


def compared(source: Path, sensitive: str) -> tuple[Run, Run]:
    plain = measured(source, sensitive)
    owned = measured(source, sensitive, "--person", "who")
    for name, run in (("transactions", plain), ("persons", owned)):
        print(
            f"\n{source.stem}, {name}: {run.seconds:.1f} s, {run.of_processors:.1f} s of "
            f"processors, {run.megabytes:,.0f} MB, {run.lost:,} occurrences lost"
        )
    assert owned.seconds <= SLOWER * plain.seconds
    assert owned.megabytes <= LARGER * plain.megabytes
    return plain, owned


@pytest.mark.parametrize("sensitive", SENSITIVE)
def test_online_retail(sensitive: str, tmp_path: Path) -> None:
    if not RETAIL.exists():
        pytest.skip(f"no data here: {RETAIL}")
    source = tmp_path / "sales.parquet"
    duckdb.sql(SALES, params=[str(RETAIL)]).write_parquet(str(source))
    compared(source, SENSITIVE[sensitive])


def made(folder: Path, persons: int) -> Path:
    """Four transactions of a person, ten items of a transaction."""
    bare, out = folder / f"bare_{persons}.parquet", folder / f"made_{persons}.parquet"
    setveil.generate(bare, transactions=4 * persons, items=5_000, length=10)
    duckdb.sql(OWNED, params=[str(bare), persons]).write_parquet(str(out))
    return out


def five_of(source: Path) -> str:
    """A condition that some five items of middle support fulfil."""
    query = (
        "SELECT COUNT(*) AS n FROM READ_PARQUET($1) GROUP BY item ORDER BY n DESC LIMIT 1 OFFSET $2"
    )
    most, least = (duckdb.sql(query, params=[str(source), n]).fetchall()[0][0] for n in (117, 121))
    return f"where:support BETWEEN {least} AND {most}"


def test_generated(tmp_path: Path) -> None:
    source = made(tmp_path, 300_000)
    compared(source, five_of(source))


def test_growth(tmp_path: Path) -> None:
    """Sixteen times the persons take at most sixteen times the time, and 20 % more."""
    times = {}
    for scale in (1, 4, 16):
        source = made(tmp_path, scale * 5_000)
        times[scale] = compared(source, five_of(source))[1].seconds
    assert times[4] <= 4 * 1.2 * times[1]
    assert times[16] <= 16 * 1.2 * times[1]
