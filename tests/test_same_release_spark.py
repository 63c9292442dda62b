"""The same release, row for row, and the same metrics, in DuckDB and in Spark, on larger data.

Run with `-m slow --backend spark -s`, which prints the seconds of each: it takes an hour.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

import reference
import setveil
from test_same_release import LARGE, LARGER, PAIRS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.only_on("spark", "connect", reason="a server's own"),
]

# Beside what PostgreSQL is asked: hiding at a border needs the supports of all that is frequent.
BORDER = {"algorithm": "border", "min_support": 300}
ASKED = {data: runs | LARGER.get(data, {}) for data, runs in LARGE.items()}
ASKED["bms_webview_2"]["hide, border"] = BORDER | {"patterns": PAIRS["bms_webview_2"]}
ASKED["retail"]["hide, border"] = BORDER | {"patterns": PAIRS["retail"]}


@pytest.mark.parametrize(("data", "model"), [(d, m) for d, some in ASKED.items() for m in some])
def test_on_larger_data_in_spark(backend: Any, data: str, model: str) -> None:
    path = reference.SHARED / "data" / f"{data}.parquet"
    if not path.exists():
        pytest.skip(f"no data here: {path}")
    function, options = getattr(setveil, model.partition(",")[0]), ASKED[data][model]
    found, seconds = [], []
    for source, where in ((str(path), {}), (f"parquet.`{path}`", {"database": backend.url})):
        start = time.perf_counter()
        with setveil.read(source, **where) as baskets:
            made = function(baskets, **options)
            seconds.append(time.perf_counter() - start)
            found.append((made.metrics, made.rows()))
    shown = "".join(f"{one:8.2f} s" for one in seconds)
    print(f"\n{data:14} {model:26} {shown}", flush=True)  # noqa: T201
    assert found[0] == found[1] and found[0][1]
