"""How fast frequent itemsets are mined, beside pyfim and mlxtend, in the same minute.

Run with `-m benchmark -s`, and the extra `benchmarks`. Ours is the whole command, from start to the
written file, in a process of its own; theirs is the search alone, with the data in memory.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import reference
from runs import rows_of

pytestmark = pytest.mark.benchmark

fim = pytest.importorskip("fim", reason="pyfim is not installed: see the extra benchmarks")

ROUNDS = 3
WALL, MEMORY = 4.0, 400  # seconds and megabytes of the whole command, on two cores
COMMAND = """
import re, sys
from setveil.cli.main import run
code = run(sys.argv[1:])
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024)
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is mined, and how many itemsets there are."""

    data: str
    support: int
    size: int | None
    items: int | None  # so many of them, drawn at random
    itemsets: int


SETTINGS = {
    "retail": Setting("retail", 20, None, None, 57_697),
    "connect": Setting("connect", 100, 5, 52, 218_694),
}


def prepared(one: Setting, folder: Path) -> Path:
    """The data, or the part of it with the items that are drawn."""
    source = reference.SHARED / "data" / f"{one.data}.parquet"
    if not source.is_file():
        pytest.skip(f"there is no {source}")
    if one.items is None:
        return source
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS FROM READ_PARQUET($1)", [str(source)])
        rows = connection.execute("SELECT DISTINCT item FROM t ORDER BY item").fetchall()
        random.seed(1)
        chosen = random.sample([item for (item,) in rows], one.items)
        connection.execute("CREATE TABLE chosen AS SELECT UNNEST($1::INT[]) AS item", [chosen])
        part = folder / "part.parquet"
        text = "SELECT tid, item FROM t SEMI JOIN chosen USING (item) ORDER BY tid, item"
        connection.sql(text).write_parquet(str(part))
    return part


def baskets(data: Path) -> list[list[int]]:
    text = "SELECT LIST(item) FROM READ_PARQUET($1) GROUP BY tid"
    return [items for (items,) in rows_of(text, str(data))]


def mlxtend_seconds(given: list[list[int]], one: Setting) -> float | None:
    """Their search for the same; None where mlxtend is not installed."""
    try:
        import pandas
        from mlxtend.frequent_patterns import fpgrowth
        from mlxtend.preprocessing import TransactionEncoder
    except ImportError:
        return None
    encoder = TransactionEncoder()
    table = pandas.DataFrame.sparse.from_spmatrix(
        encoder.fit(given).transform(given, sparse=True), columns=[str(n) for n in encoder.columns_]
    )
    start = time.perf_counter()
    found = fpgrowth(table, min_support=one.support / len(given), max_len=one.size)
    seconds = time.perf_counter() - start
    assert abs(len(found) - one.itemsets) < one.itemsets / 100  # supports are floats there
    return seconds


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.filterwarnings("ignore")
def test_frequent_itemsets(name: str, tmp_path: Path) -> None:
    one = SETTINGS[name]
    data, out = prepared(one, tmp_path), tmp_path / "itemsets.parquet"
    command = ["itemsets", str(data), "--min-support", str(one.support), "--out", str(out)]
    command += ["--force", "--threads", "2", *(["--max-size", str(one.size)] if one.size else [])]
    times, peaks = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run = [sys.executable, "-c", COMMAND, *command]
        done = subprocess.run(run, capture_output=True, text=True, check=True)
        times.append(time.perf_counter() - start)
        peaks.append(int(done.stdout.split()[-1]))
    given = baskets(data)
    start = time.perf_counter()
    theirs = fim.fpgrowth(given, target="s", supp=-one.support, zmax=one.size or -1)
    other = time.perf_counter() - start
    slow = mlxtend_seconds(given, one)
    print(
        f"\n{name}: {one.itemsets:,} itemsets; setveil, the whole command {min(times):.2f} s, "
        f"{max(peaks)} MB; pyfim {other:.2f} s; mlxtend "
        + ("not installed" if slow is None else f"{slow:.2f} s")
    )
    rows = rows_of("SELECT items, support FROM READ_PARQUET($1)", str(out))
    assert len(rows) == one.itemsets
    assert {tuple(items): n for items, n in rows} == {tuple(sorted(a)): n for a, n in theirs}
    assert min(times) < WALL and max(peaks) < MEMORY
