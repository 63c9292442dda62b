"""The same release, row for row, and the same metrics, in DuckDB and in Spark, on larger data.

Run with `-m slow --backend spark -s`, which prints the seconds of each: it takes an hour.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

import reference
import setveil
from test_same_release import LARGE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.only_on("spark", "connect", reason="a server's own"),
]

RARE: dict[str, Any] = {"sensitive": "where:support < 20", "rho": "0.6", "seed": 3}
PATTERNS = {
    "groceries": [["whole milk", "other vegetables"], ["yogurt", "soda"]],
    "bms_webview_2": [["55319", "55323"], ["55315", "55319"], ["55267", "55323"]],
    "retail": [["39", "229"], ["38", "225"], ["39", "812"], ["48", "2118"]],
}
# What is not asked of PostgreSQL there; uncertainty on retail takes minutes in DuckDB, too.
MORE: dict[str, dict[str, dict[str, Any]]] = {
    data: {
        "hide": {"patterns": patterns},
        "hide, border": {"patterns": patterns, "algorithm": "border", "min_support": 300},
        "itemsets, rules": {"min_support": "1%", "rules": True, "min_confidence": "0.3"},
    }
    for data, patterns in PATTERNS.items()
}
MORE["retail"]["km"] = {"fanout": 10, "k": 5, "m": 2}
MORE["groceries"] |= {
    "uncertainty": RARE,
    "uncertainty, distribution": RARE | {"keep": "distribution"},
    "uncertainty, global": RARE | {"strategy": "global"},
    "uncertainty, parts": RARE | {"parts": 4},
}
MORE["bms_webview_2"] |= {
    "uncertainty": RARE | {"sensitive": "where:support < 5", "rho": "0.7"},
    "uncertainty, global": RARE
    | {"sensitive": "where:support < 5", "rho": "0.7", "strategy": "global"},
}
ASKED = {data: LARGE[data] | more for data, more in MORE.items()}


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
