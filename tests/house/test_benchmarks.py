"""The kept table of the benchmarks has each of its rows, and ratios alone."""

import json
import pathlib
import runpy

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "benchmarks"
TABLE = runpy.run_path(str(FOLDER / "table.py"))


def test_every_row_is_kept_as_a_ratio():
    kept = json.loads((FOLDER / "results.json").read_text())
    assert list(kept) == [*TABLE["ROWS"], *TABLE["PEERED"]]
    assert all(isinstance(ratio, float) and ratio > 0 for ratio in kept.values())


def test_a_row_that_takes_much_more_of_its_peer_is_named():
    known = {"verify": 2.0, "inspect": 2.0}
    assert TABLE["worse"]({"verify": 2.9, "inspect": 3.1, "new": 9.0}, known) == ["inspect"]
