"""Databases of awkward values, and the text that a reader of a written file sees.

No code of setveil is used here. Values are given as text, which the database casts to their type;
a file is read as its recipient would read it.
"""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb

Transaction = frozenset[str]

TEXTS = (
    "a", "A", "a ", " a", "", "NULL", "a,b", "a b", 'q"q', "o'brien", "x\ny", "x\r\ny", "\t", "#a",
    "\u00e9", "e\u0301", "\ufeffa", "a\u00a0", "\\N", "1", "01", "-0.0", "0.0", "\u2028", "nan",
)  # fmt: skip
WHOLE = ("0", "1", "-1", "7", "100")
FLOATS = ("0.0", "-0.0", "nan", "-nan", "inf", "-inf", "0.1", "-2.5", "1e30", "16777216")
MOMENTS = ("2020-01-01 00:00:00", "2020-01-01 00:00:01", "1969-12-31 23:59:59", "0044-03-15 (BC)")

# Values of every type that are close to each other, so that another type would make them equal.
KINDS: dict[str, tuple[str, ...]] = {
    "TINYINT": WHOLE, "SMALLINT": WHOLE, "INTEGER": WHOLE, "BIGINT": (*WHOLE, "9007199254740993"),
    "UTINYINT": ("0", "1", "255"), "USMALLINT": ("0", "1", "65535"), "UINTEGER": ("0", "1", "7"),
    "UBIGINT": ("0", "18446744073709551615", "18446744073709551614"),
    "HUGEINT": ("9007199254740992", "9007199254740993", "-1", str(2**127 - 1), str(1 - 2**127)),
    "UHUGEINT": ("0", "9007199254740992", "9007199254740993", str(2**128 - 1), str(2**128 - 2)),
    "BIGNUM": ("0", str(10**40), str(10**40 + 1), str(-(10**40))),
    "FLOAT": FLOATS, "DOUBLE": (*FLOATS, "0.30000000000000004", "0.3", "5e-324"),
    "DECIMAL(4, 1)": ("0.0", "1.0", "-1.0", "1.1"), "DECIMAL(18, 3)": ("0", "1.0", "1.001"),
    "DECIMAL(38, 10)": ("0", "1.0000000001", "1.0000000002"), "BOOLEAN": ("true", "false"),
    "VARCHAR": TEXTS, "JSON": ('{"a":1}', '{"a": 1}', "1", "1.0", '"a"', "null", '"null"'),
    "ENUM('a', 'A', 'a ', '', 'b,c')": ("a", "A", "a ", "", "b,c"),
    "BLOB": ("a", "\\x00", "\\xAA", "", ",", "\\x0A", "\\x5Cx00", " "),
    "BIT": ("1", "01", "001", "10"), "DATE": ("2020-01-01", "2020-01-02", "infinity", "-infinity"),
    "UUID": ("00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"),
    "TIMESTAMP": (*MOMENTS, "2020-01-01 00:00:00.000001", "infinity"), "TIMESTAMP_S": MOMENTS,
    "TIMESTAMP_MS": (*MOMENTS, "2020-01-01 00:00:00.001"),
    "TIMESTAMP_NS": (*MOMENTS[:3], "2020-01-01 00:00:00.000000001"),
    "TIMESTAMPTZ": ("2020-01-01 00:00:00+00", "2020-01-01 01:00:00+01", "2020-01-01 00:00:00-01"),
    "TIMESTAMPTZ_NS": ("2020-01-01 00:00:00+00", "2020-01-01 00:00:00.000000001+00"),
    "TIME": ("00:00:00", "24:00:00", "12:00:00.000001", "12:00:00"),
    "TIME_NS": ("00:00:00", "00:00:00.000000001", "12:00:00"),
    "TIMETZ": ("10:00:00+00", "11:00:00+01", "10:00:00+01"),
    "INTERVAL": ("1 month", "30 days", "24:00:00", "1 day"), "STRUCT(a DOUBLE)": ("{'a': 0.0}",),
    "MAP(VARCHAR, DOUBLE)": ("{a=0.0}",), "DOUBLE[][]": ("[[0.0]]", "[[-0.0]]"),
}  # fmt: skip
REFUSED = ("INTERVAL", "STRUCT(a DOUBLE)", "MAP(VARCHAR, DOUBLE)", "DOUBLE[][]")
EQUAL = {"-0.0": "0.0", "-nan": "nan"}  # floats that SQL calls equal, and which one is published
LONG, LISTS = (".parquet", ".csv", ".tsv"), (".parquet", ".dat", ".basket")


@dataclass(frozen=True, slots=True)
class Data:
    """Rows of text: a key and items, of one item each in long form; keys may repeat in either."""

    key: str  # the type of the transactions' ids; "" where each row is a transaction
    item: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    lists: bool
    suffix: str

    @property
    def refused(self) -> bool:
        return self.item in REFUSED or self.key in REFUSED


def drawn(
    chance: random.Random, kinds: dict[str, tuple[str, ...]] = KINDS, usual: str = "INTEGER"
) -> Data:
    """A few persons with mostly equal items, so that a release is possible."""
    lists = chance.random() < 0.5
    item, key = chance.choice(list(kinds)), chance.choice([*list(kinds), *[usual] * 12])
    if lists and chance.random() < 0.3:
        key = ""
    items = chance.sample(kinds[item], min(len(kinds[item]), chance.randint(1, 4)))
    keys = list(kinds[key]) if key else [""]
    keys = [str(n) for n in range(9)] if key == usual else keys
    rows: list[tuple[str, tuple[str, ...]]] = []
    for _ in range(chance.randint(3, 9)):
        held = tuple(one for one in items if chance.random() < 0.7)
        who = chance.choice(keys)
        rows += [(who, held)] if lists else [(who, (one,)) for one in held]
    return Data(key, item, tuple(rows), lists, chance.choice(LISTS if lists else LONG))


def put(connection: duckdb.DuckDBPyConnection, data: Data) -> None:
    """Make the table `given`."""
    kind = f"{data.item}[]" if data.lists else data.item
    keys = [key for key, _ in data.rows]
    values = [list(items) if data.lists else items[0] for _, items in data.rows]
    texts = "VARCHAR[][]" if data.lists else "VARCHAR[]"
    shown = "UNNEST($2::VARCHAR[]) AS tid, " if data.key else ""
    cast = f"CAST(tid AS {data.key}) AS tid, " if data.key else ""
    connection.execute(
        f"CREATE OR REPLACE TABLE given AS SELECT {cast}CAST(item AS {kind}) AS item "  # noqa: S608
        f"FROM (SELECT {shown}UNNEST($1::{texts}) AS item)",
        [values, keys] if data.key else [values],
    )


def as_given(connection: duckdb.DuckDBPyConnection, data: Data) -> dict[str, Transaction]:
    """The transactions as texts of their values; equal values have one text."""
    key = "CAST(tid AS VARCHAR)" if data.key else "CAST(ROW_NUMBER() OVER () AS VARCHAR)"
    items = "CAST(item AS VARCHAR[])" if data.lists else "[CAST(item AS VARCHAR)]"
    held: dict[str, set[str]] = defaultdict(set)
    for who, names in connection.execute(f"SELECT {key}, {items} FROM given").fetchall():  # noqa: S608
        held[EQUAL.get(who, who) if _is_float(data.key) else who].update(
            EQUAL.get(name, name) if _is_float(data.item) else name for name in names
        )
    return {who: frozenset(names) for who, names in held.items()}


def _is_float(kind: str) -> bool:
    return kind in ("FLOAT", "DOUBLE")


# The text that a reader sees


@cache
def reader() -> duckdb.DuckDBPyConnection:
    """A separate database without any run, opened once for all files."""
    return duckdb.connect(config={"threads": 1})


def seen(path: Path, data: Data) -> list[tuple[str, tuple[str, ...]]]:
    """The transactions of a file: texts of the id and of the items, with levels if it has any.

    In long form rows with the same id are one transaction; else each row or line is one.
    """
    if path.suffix in (".dat", ".basket"):
        with path.open(encoding="utf-8-sig") as lines:
            return [("", tuple(_split(line.rstrip("\n"), path.suffix))) for line in lines]
    rows = _of_parquet(path, data) if path.suffix == ".parquet" else _of_csv(path)
    if data.lists:
        return [(key, tuple(map(_node, *rest))) for key, *rest in rows]
    held: dict[str, list[str]] = defaultdict(list)
    for key, *rest in rows:
        held[key].append(_node(*rest))
    return [(key, tuple(names)) for key, names in held.items()]


def _node(name: str, level: str | None = None) -> str:
    return name if level is None else f"{level}: {name}"


def _split(line: str, suffix: str) -> list[str]:
    if suffix == ".dat":
        return line.split()
    return [name.strip() for name in line.split(",")] if line.strip() else []


def _of_csv(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    places = [rows[0].index(name) for name in ("tid", "item", "level") if name in rows[0]]
    return [[row[place] for place in places] for row in rows[1:]]


def _of_parquet(path: Path, data: Data) -> list[list[str]]:
    found = reader().read_parquet(str(path))
    texts = "VARCHAR[]" if data.lists else "VARCHAR"
    shown = [f"CAST({one} AS {texts})" for one in ("item", "level") if one in found.columns]
    key = "CAST(tid AS VARCHAR)" if data.key else "''"
    return [list(row) for row in found.project(", ".join([key, *shown])).fetchall()]
