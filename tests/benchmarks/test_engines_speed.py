"""The models side by side on every engine, in seconds. Run with `-m benchmark -s`.

An engine is a row of ENGINES: how its runs read a file's data. What it makes must measure the same
as on DuckDB; PostgreSQL may take 15 times as long for coherence on retail.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

import servers
import setveil
from reference import SHARED
from setveil.transactions import Baskets

pytestmark = pytest.mark.benchmark

Read = Callable[[Path], Baskets]

RARE: dict[str, Any] = {"private": "where:support < 5", "h": "0.8"}
HIDDEN = {
    "groceries": [("whole milk", "other vegetables"), ("yogurt", "soda")],
    "bms_webview_2": [("55319", "55323"), ("55315", "55319"), ("55267", "55323")],
    "retail": [("39", "229"), ("38", "225"), ("39", "812"), ("48", "2118")],
}
RUNS: dict[str, dict[str, dict[str, Any]]] = {
    "coherence": {
        "groceries": RARE | {"k": 5, "p": 2},
        "bms_webview_2": RARE | {"k": 5, "p": 2},
        "retail": RARE | {"k": 20, "p": 3},
    },
    "hide": {name: {"patterns": patterns} for name, patterns in HIDDEN.items()},
    "itemsets": {
        "groceries": {"min_support": 20},
        "bms_webview_2": {"min_support": 100},
        "retail": {"min_support": 100},
    },
    "km": dict.fromkeys(HIDDEN, {"fanout": 10, "k": 5, "m": 2}),
    "partition": dict.fromkeys(HIDDEN, {"fanout": 10, "k": 5}),
    "uncertainty": {
        "groceries": {"sensitive": "where:support < 20", "rho": "0.6"},
        "bms_webview_2": {"sensitive": "where:support < 5", "rho": "0.7"},
    },  # retail takes minutes
}
LIMITS = {("postgres", "coherence", "retail"): 15}  # times as long as DuckDB


@contextmanager
def on_duckdb() -> Iterator[Read]:
    yield lambda path: setveil.read(path, once=True)


@contextmanager
def on_postgres() -> Iterator[Read]:
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        for name in HIDDEN:
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


ENGINES: dict[str, Callable[[], AbstractContextManager[Read]]] = {
    "duckdb": on_duckdb,
    "postgres": on_postgres,
}


@pytest.fixture(scope="module", params=[name for name in ENGINES if name != "duckdb"])
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Read]]:
    for name in HIDDEN:
        if not (SHARED / "data" / f"{name}.parquet").exists():
            pytest.skip(f"{name}.parquet is not there")
    with ENGINES[request.param]() as read:
        yield request.param, read


def timed(read: Read, model: str, path: Path, options: dict[str, Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    with read(path) as baskets:
        metrics = getattr(setveil, model)(baskets, **options).metrics
    return time.perf_counter() - start, metrics


@pytest.mark.parametrize("model", RUNS)
def test_models_side_by_side(engine: tuple[str, Read], model: str) -> None:
    name, read = engine
    print(f"\n{model:12} {'duckdb':>9} {name:>9}   times")
    for data, options in RUNS[model].items():
        path = SHARED / "data" / f"{data}.parquet"
        with on_duckdb() as here:
            before, expected = timed(here, model, path, options)
        seconds, found = timed(read, model, path, options)
        print(f"  {data:14} {before:5.2f} s {seconds:7.2f} s {seconds / before:5.1f}", flush=True)
        assert found == expected
        limit = LIMITS.get((name, model, data))
        assert limit is None or seconds < limit * before
