"""How long a checker takes as one query, beside `verify`, on releases of retail.

Run with `-m benchmark -s`. Both judge a table of the same open DuckDB; `verify` also reads it.
"""

from __future__ import annotations

import time
from typing import Any

import duckdb
import pytest

import reference
import setveil
from setveil.verify import judged, query

pytestmark = pytest.mark.benchmark

RETAIL = reference.SHARED / "data" / "retail.parquet"
MOST = 5.0  # times the seconds of `verify`
SECRET = "where:support BETWEEN 100 AND 130"
METHODS: dict[str, dict[str, Any]] = {
    "coherence": {"k": 5, "p": 2},
    "k-anonymity": {"k": 5, "fanout": 10},
    "km-anonymity": {"k": 5, "m": 2, "fanout": 10},
    "uncertainty": {"sensitive": SECRET, "rho": "0.7"},
    "hiding": {"patterns": [["39", "48"]], "psi": "0.5"},
    "permutation": {"sensitive": SECRET, "degree": 3},
}
PROMISE = ("k", "p", "m", "rho", "degree", "psi", "patterns")


def listed(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of the condition, which a query cannot have."""
    rows = connection.execute(
        "SELECT CAST(item AS VARCHAR) FROM retail GROUP BY item "
        "HAVING COUNT(DISTINCT tid) BETWEEN 100 AND 130"
    )
    return [name for (name,) in rows.fetchall()]


def made(connection: duckdb.DuckDBPyConnection, model: str) -> tuple[dict[str, Any], bool]:
    """Write a release to the table `safe`; its promise, and whether it has levels."""
    with setveil.read(connection, "retail") as baskets:
        make = getattr(setveil, model.replace("-", "_"))
        make(baskets, **METHODS[model]).write_table("safe", force=True)
    promise = {name: value for name, value in METHODS[model].items() if name in PROMISE}
    if "sensitive" in METHODS[model]:
        promise["sensitive"] = listed(connection)
    if model == "uncertainty":
        promise["max_knowledge"] = 2
    columns = [name for name, *_ in connection.execute("DESCRIBE safe").fetchall()]
    return promise, "level" in columns


@pytest.mark.parametrize("model", METHODS)
def test_a_query_takes_no_more_than_some_times_verify(model: str) -> None:
    if not RETAIL.is_file():
        pytest.skip(f"there is no {RETAIL}")
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.execute(f"CREATE TABLE retail AS FROM '{RETAIL}'")
        promise, levels = made(connection, model)
        more = {"ignore_unknown": True} if "sensitive" in promise else {}
        start = time.perf_counter()
        beside = {"original": "retail"} if model == "hiding" else {}
        with setveil.read(connection, "safe") as baskets:
            assert judged(model, baskets, **promise, **more, **beside).holds
        verified = time.perf_counter() - start
        beside = {"original_table": "retail"} if model == "hiding" else {}
        level = {"level": "level"} if levels else {}
        start = time.perf_counter()
        text = query(model, "safe", **promise, **more, **beside, **level)
        assert not connection.execute(text).fetchall()
        asked = time.perf_counter() - start
    print(f"\n{model}: verify {verified:.2f} s, query {asked:.2f} s: {asked / verified:.2f}")
    assert asked <= MOST * verified


def test_raw_data_takes_no_longer() -> None:
    """Millions of sets violate: the query counts all, and returns some."""
    if not RETAIL.is_file():
        pytest.skip(f"there is no {RETAIL}")
    promise = {"k": 5, "p": 2}
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.execute(f"CREATE TABLE retail AS FROM '{RETAIL}'")
        start = time.process_time()
        with setveil.read(connection, "retail") as baskets:
            found = judged("coherence", baskets, **promise).found
        verified = time.process_time() - start
        start = time.process_time()
        rows = connection.execute(query("coherence", "retail", limit=20, **promise)).fetchall()
        asked = time.process_time() - start
    print(f"\nraw: verify {verified:.2f} s, query {asked:.2f} s: {asked / verified:.2f}")
    assert len(rows) == 20 and rows[0][-1] == found
    assert asked <= MOST * verified
