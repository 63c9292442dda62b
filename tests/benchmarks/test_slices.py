"""Releases over time on real data: what slices lose, what waiting wins, and what a day costs.

Run with `-m benchmark -s`. Retail is cut into equal parts by transaction number; of two slices, the
first has nine tenths. Online Retail has 305 days of valid sales with a customer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pytest

import reference
import setveil

pytestmark = pytest.mark.benchmark

RETAIL = reference.SHARED / "data" / "retail.parquet"
RAW = reference.SHARED / "data" / "online_retail_raw.parquet"
PROMISE = {"private": "where:name = '39'", "h": "1", "k": 5, "p": 2}
# Percent of the occurrences, each slice by itself
KEPT = {1: 25.7, 2: 25.2, 4: 22.2, 12: 19.6, 30: 18.2}
SALES = """
    SELECT DISTINCT invoice AS tid, CAST(stock_code AS VARCHAR) AS item, customer AS person,
        CAST(MIN(sold_at) OVER (PARTITION BY invoice) AS DATE) AS day
    FROM READ_PARQUET($1)
    WHERE REGEXP_FULL_MATCH(invoice, '[0-9]+') AND quantity > 0 AND unit_price > 0
        AND customer IS NOT NULL AND REGEXP_FULL_MATCH(stock_code, '[0-9]{5}[A-Za-z]*')
"""
OF_SALES = {"private": "where:name LIKE '847%'", "h": "0.4", "k": 5, "p": 2}
DAYS = 305
A_DAY, A_SHARE, A_YEAR = 5.0, 0.05, 1200.0  # seconds; of a target per slice that it has


def ends(parts: int) -> list[float]:
    """The share of all transactions that the source has on each night."""
    return [0.9, 1] if parts == 2 else [part / parts for part in range(1, parts + 1)]


def nights(folder: Path, parts: int) -> Iterator[Path]:
    """The source of each night: the first transactions of retail."""
    path = folder / "source.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT tid, item FROM READ_PARQUET($1)", [str(RETAIL)]
        )
        span = "SELECT MIN(tid), MAX(tid) + 1 FROM t"
        ((first, last),) = connection.execute(span).fetchall()
        for end in ends(parts):
            rows = connection.sql(
                "SELECT tid, item FROM t WHERE tid < $1 ORDER BY ALL",
                params=[first + int((last - first) * end)],
            )
            rows.write_parquet(str(path))
            yield path


def kept(folder: Path, parts: int, **options: object) -> float:
    """The percent of all occurrences that the target has at last."""
    for path in nights(folder, parts):
        setveil.append(path, folder / "safe", "coherence", **PROMISE, **options)
    counts = []
    for name in (path, folder / "safe" / "*.parquet"):
        with duckdb.connect() as connection:
            rows = connection.execute("SELECT COUNT(*) FROM READ_PARQUET($1)", [str(name)])
            counts += [count for (count,) in rows.fetchall()]
    return 100 * counts[1] / counts[0]


@pytest.mark.parametrize("parts", KEPT)
def test_slices_of_retail(tmp_path, parts):
    start = time.perf_counter()
    found = kept(tmp_path, parts)
    print(f"{parts} slices keep {found:.2f} % ({time.perf_counter() - start:.0f} s)")
    assert found == pytest.approx(KEPT[parts], abs=0.06)


def test_waiting_wins_back_a_third(tmp_path):
    found = {}
    for wait in (None, 1, 3, 5, 11):
        folder = tmp_path / str(wait)
        folder.mkdir()
        more = {} if wait is None else {"renumber": True, "wait": wait}
        found[wait] = kept(folder, 12, **more)
        won = (found[wait] - found[None]) / (KEPT[1] - found[None])
        print(f"12 nights, wait {wait}: {found[wait]:.2f} % kept, {won:.0%} of the loss won back")
    assert found[3] - found[None] > (KEPT[1] - found[None]) / 3


def sales(folder: Path, ends: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Seconds, and seconds of processors, of a run for each number of days that have passed."""
    source, target = folder / "source.parquet", folder / "safe"
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS {SALES}", [str(RAW)])
        days = connection.execute("SELECT DISTINCT day FROM t ORDER BY day").fetchall()
        assert len(days) == DAYS
        for end in ends:
            rows = "SELECT tid, item, person FROM t WHERE day <= $1 ORDER BY ALL"
            connection.sql(rows, params=list(days[end - 1])).write_parquet(str(source))
            start, spent = time.perf_counter(), time.process_time()
            setveil.append(
                source, target, "coherence", person="person", ignore_unknown=True, **OF_SALES
            )
            yield time.perf_counter() - start, time.process_time() - spent
    held = len(list(target.iterdir()))
    ledger = target.with_suffix(".ledger").stat().st_size
    print(f"{len(ends)} runs, {held} slices, the ledger {ledger:,} bytes")
    with setveil.read(f"{target}/*.parquet") as baskets:
        persons = setveil.verify.PersonsOf(source, "person")
        assert setveil.verify.coherence(baskets, persons=persons, **OF_SALES).holds


def test_a_year_of_days_with_persons(tmp_path):
    seconds = [one for one, _ in sales(tmp_path, range(1, DAYS + 1))]
    print(f"{DAYS} days: {sum(seconds):.0f} s in all, the slowest day {max(seconds):.1f} s")
    assert sum(seconds) < A_YEAR
    assert all(one < A_DAY + A_SHARE * number for number, one in enumerate(seconds))


def test_the_last_days_of_a_year(tmp_path):
    """Ten slices of a month each, then fifteen of a day: a day costs most where the year ends."""
    found = list(sales(tmp_path, [*range(29, 291, 29), *range(291, DAYS + 1)]))[10:]
    wall, spent = max(one for one, _ in found), max(one for _, one in found)
    print(f"the slowest of {len(found)} days: {wall:.1f} s, {spent:.1f} s of processors")
    assert spent < A_DAY
