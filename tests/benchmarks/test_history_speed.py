"""Two releases of retail, each with a promise that holds, joined by transaction id.

Run with `-m benchmark -s`. The first release is of the first 90 % of the baskets, the second of
all. The exposed baskets are counted again by a query of its own.
"""

from __future__ import annotations

import time
from pathlib import Path

import duckdb
import pytest

import reference
import setveil

pytestmark = pytest.mark.benchmark

RETAIL = reference.SHARED / "data" / "retail.parquet"
PROMISE = {"k": 5, "p": 2}
WALL = 30.0  # seconds to judge both together
# Baskets that the second release adds, with an item or a pair that fewer than five of them hold.
EXPOSED = """
    WITH added AS (
        SELECT tid, item FROM READ_PARQUET($2) AS s
        WHERE NOT EXISTS (FROM READ_PARQUET($1) AS f WHERE f.tid = s.tid)
    ), pair AS (
        SELECT a.tid, a.item, b.item AS other
        FROM added AS a JOIN added AS b ON b.tid = a.tid AND b.item >= a.item
    ), rare AS (SELECT item, other FROM pair GROUP BY ALL HAVING COUNT(*) < 5)
    SELECT (SELECT COUNT(DISTINCT tid) FROM added), COUNT(DISTINCT tid)
    FROM pair JOIN rare USING (item, other)
"""


def release(source: str | Path, target: Path) -> str:
    with setveil.read(source, once=True) as baskets:
        setveil.coherence(baskets, **PROMISE).write(target)
    with setveil.read(target) as released:
        assert setveil.verify.coherence(released, **PROMISE).holds
    return str(target)


def test_two_releases_of_retail_break_the_promise_together(tmp_path: Path) -> None:
    if not RETAIL.is_file():
        pytest.skip(f"there is no {RETAIL}")
    with duckdb.connect() as connection:
        first = str(tmp_path / "first.parquet")
        retail = connection.read_parquet(str(RETAIL))
        baskets = retail.aggregate("MAX(tid)").fetchall()[0][0]
        retail.filter(f"tid <= 0.9 * {baskets}").write_parquet(first)
        paths = [release(first, tmp_path / "r1.parquet"), release(RETAIL, tmp_path / "r2.parquet")]
        baskets, exposed = connection.execute(EXPOSED, paths).fetchall()[0]
    start = time.perf_counter()
    with setveil.read(paths[0]) as released:
        verdict = setveil.verify.history("coherence", released, paths[1], **PROMISE)
    seconds = time.perf_counter() - start
    (added,) = [one for one in verdict.broken if one.shown == (paths[1],)]
    print(f"\n{exposed:,} of {baskets:,} new baskets are exposed; judged in {seconds:.1f} s")
    assert (added.transactions, added.exposed, added.complete) == (baskets, exposed, True)
    assert exposed > baskets / 20
    assert seconds < WALL
