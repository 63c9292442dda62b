"""Histories of a target: nights on which data grows, comes late, changes and vanishes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

NAMES, SECRET = "abcd", "X"
WIDE = 1000  # ids of one history among many


@dataclass(frozen=True, slots=True)
class Row:
    items: frozenset[str]
    person: str


Source = Mapping[int, Row]  # transactions by id


@dataclass(slots=True)
class History:
    """The source of each night, from a random number."""

    seed: int
    nights: list[dict[int, Row]] = field(default_factory=list)

    def __post_init__(self) -> None:
        draw, held, last = random.Random(self.seed), {}, 0
        for _ in range(draw.randint(2, 4)):
            for _ in range(draw.randint(0, 7)):
                last += 1
                held[last] = _row(draw)
            for key in list(held):
                if draw.random() < 0.08:
                    del held[key]
                elif draw.random() < 0.08:
                    held[key] = _row(draw)
            self.nights.append(dict(held))


def _row(draw: random.Random) -> Row:
    items = {one for one in NAMES if draw.random() < 0.5} | {draw.choice(NAMES)}
    if draw.random() < 0.3:
        items.add(SECRET)
    return Row(frozenset(items), f"p{draw.randint(1, 6)}")


def mark(number: int) -> str:
    """The beginning of all names of a history among many."""
    return f"{number}_"


def together(seeds: Sequence[int]) -> list[dict[int, Row]]:
    """The sources of many histories at once, each with items and persons of its own.

    Each costs a fraction of a run of its own: no itemset spans two of them.
    """
    histories = [History(seed) for seed in seeds]
    sources: list[dict[int, Row]] = []
    for night in range(max(len(one.nights) for one in histories)):
        held = {}
        for number, one in enumerate(histories):
            own = mark(number)
            for key, row in one.nights[min(night, len(one.nights) - 1)].items():
                items = frozenset(f"{own}{name}" for name in row.items)
                held[WIDE * number + key] = Row(items, f"{own}{row.person}")
        sources.append(held)
    return sources


connection = duckdb.connect(config={"threads": 1})  # opening one costs more than such data


def write(path: Path, source: Source) -> Path:
    """The source as a Parquet file; it may have no row."""
    rows = [(key, item, row.person) for key, row in source.items() for item in sorted(row.items)]
    columns = [list(one) for one in zip(*rows, strict=True)] or [[], [], []]
    connection.execute(
        "CREATE OR REPLACE TABLE t AS SELECT UNNEST($1::INT[]) AS tid, "
        "UNNEST($2::VARCHAR[]) AS item, UNNEST($3::VARCHAR[]) AS person",
        columns,
    )
    connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return path
