"""A source of slices on a server and in files, and a promise of each model."""

from __future__ import annotations

from pathlib import Path

import duckdb

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
