"""One small call of every model, with which the tests of all commands try it.

The data of `shop` has enough transactions for a release by each call. Some items are too rare for
the source itself to keep the promise.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb

ROWS = """
    SELECT 100 + t.range AS tid, i.item AS item, 'S' || t.range % 2 AS store
    FROM RANGE(24) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 23)) AS i(item, n)
    WHERE t.range % i.n = 0
"""


@dataclass(frozen=True, slots=True)
class Call:
    """The words of a promise, and those of the method that `verify` does not take."""

    promise: str
    method: str = ""

    @property
    def words(self) -> list[str]:
        return [*self.promise.split(), *self.method.split()]


CALLS = {
    "coherence": Call("--private private.txt --h 0.6 --k 3 --p 2"),
    "k-anonymity": Call("--k 3", "--fanout 2"),
    "km-anonymity": Call("--k 3 --m 2", "--fanout 2"),
    "uncertainty": Call("--sensitive private.txt --rho 0.4"),
    "permutation": Call("--sensitive private.txt --degree 3"),
    "hiding": Call("--patterns patterns.txt --psi 0.2"),
}


def call_of(model: str) -> Call:
    """The call of a model of the registry."""
    assert model in CALLS, f"add a small call of {model!r} to tests/helpers/calls.py"
    return CALLS[model]


def shop(folder: Path) -> None:
    """Write the source, as a file and in a database, and the lists beside it."""
    duckdb.sql(f"COPY ({ROWS}) TO '{folder}/shop.parquet'")
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(f"CREATE TABLE shop AS {ROWS}")
    (folder / "private.txt").write_text("milk\n")
    (folder / "patterns.txt").write_text("bread,milk\n")
