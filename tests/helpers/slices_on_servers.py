"""A source of slices on a server and in files, and a promise of each model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import setveil
from harness import OnServer
from runs import parquet

ITEMS = (("beer", 2), ("bread", 1), ("milk", 3), ("tempeh", 23))
PROMISE = {"private": "where:name = 'milk'", "h": "0.6", "k": 3, "p": 2}
TREE = """
    SELECT *
    FROM (
        VALUES ('beer', 'drink'), ('milk', 'drink'), ('bread', 'food'), ('tempeh', 'food')
    ) AS h(item, level1)
"""
MODELS = {
    "coherence": PROMISE,
    "km-anonymity": {"k": 3, "m": 2},
    "k-anonymity": {"k": 3},
    "uncertainty": {"sensitive": "where:name = 'milk'", "rho": "0.5"},
    "hiding": {"patterns": "patterns.txt", "psi": "0.2"},
    "permutation": {"sensitive": ["milk"], "degree": 2},
}


def rows(number: int) -> list[tuple[int, str, str]]:
    """So many transactions."""
    return [(100 + t, item, f"p{t % 23}") for t in range(number) for item, n in ITEMS if t % n == 0]


def in_file(folder: Path, number: int) -> Path:
    """The file of so many transactions."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INT, item VARCHAR, person VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows(number))
        connection.execute(f"COPY t TO '{folder}/s.parquet' (FORMAT parquet)")
    return folder / "s.parquet"


def promise_of(model: str, folder: Path) -> dict[str, object]:
    """The promise of a target of this model."""
    (folder / "patterns.txt").write_text("bread,milk\n")
    tree = {"hierarchy": parquet(folder / "tree.parquet", TREE)} if "anonymity" in model else {}
    given = MODELS[model] | tree
    return given | ({"patterns": folder / "patterns.txt"} if model == "hiding" else {})


def parts(model: str) -> dict[str, str]:
    """The table of each relation of a target, with the files of a folder."""
    if model != "permutation":
        return {"safe": "*.parquet"}
    folder = "slice-*"
    return {
        "safe": f"{folder}/transactions.parquet",
        "safe_sensitive": f"{folder}/sensitive.parquet",
    }


def assert_ledger_is_key(append: Callable[..., Any], server: OnServer) -> None:
    """Random ids of slices are matched with their source by the ledger, and not without it."""
    given = {"k": 3, "p": 1, "person": "person", "renumber": True}
    assert append(server, **given).ledger == "safe_ledger"
    persons = setveil.verify.PersonsOf("src", "person")
    with setveil.read("safe", database=server.url, key="safe_ledger") as baskets:
        assert setveil.verify.coherence(baskets, k=3, p=1, persons=persons).holds
    with setveil.read("safe", database=server.url) as baskets:
        with pytest.raises(setveil.InputError, match="in the source|are not in their transaction"):
            setveil.verify.coherence(baskets, k=3, p=1, persons=persons)
