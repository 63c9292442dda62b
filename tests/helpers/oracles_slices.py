"""Histories of a target: nights on which data grows, comes late, changes and vanishes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import duckdb

import setveil

NAMES, SECRET = "abcd", "X"
WIDE = 1000  # ids of one history among many
K, P, H = 2, 2, Fraction(2, 3)
PROMISE = {
    "private": "where:name LIKE '%X'", "h": "2/3", "k": K, "p": P, "ignore_unknown": True
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    items: frozenset[str]
    person: str


Source = Mapping[int, Row]  # transactions by id
Slices = Mapping[int, Mapping[object, frozenset[str]]]  # transactions of each slice


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


def together(seeds: Sequence[int]) -> list[dict[int, Row]]:
    """The sources of many histories at once, each with items and persons of its own.

    Each costs a fraction of a run of its own: no itemset spans two of them.
    """
    histories = [History(seed) for seed in seeds]
    sources: list[dict[int, Row]] = []
    for night in range(max(len(one.nights) for one in histories)):
        held = {}
        for number, one in enumerate(histories):
            for key, row in one.nights[min(night, len(one.nights) - 1)].items():
                items = frozenset(f"{number}_{name}" for name in row.items)
                held[WIDE * number + key] = Row(items, f"{number}_{row.person}")
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


def published(target: Path) -> dict[int, dict[object, frozenset[str]]]:
    """The transactions of each slice, as a reader of the folder finds them."""
    found: dict[int, dict[object, frozenset[str]]] = {}
    for path in sorted(target.glob("*.parquet")):
        rows = connection.execute(
            "SELECT slice, tid, LIST(item) FROM READ_PARQUET($1) GROUP BY slice, tid", [str(path)]
        ).fetchall()
        held = found[int(path.stem.rpartition("-")[2])] = {}
        for number, key, items in rows:
            assert path.stem == f"slice-{number:06}"
            held[key] = frozenset(items)
    return found


def faults_of_many(slices: Slices, persons: Mapping[object, str] | None = None) -> Iterator[str]:
    """The faults of each of many histories, by its own items."""
    parts: dict[str, dict[int, dict[object, frozenset[str]]]] = {}
    for number, held in slices.items():
        for key, items in held.items():
            of = min(items).partition("_")[0]
            own = frozenset(one.partition("_")[2] for one in items)
            parts.setdefault(of, {}).setdefault(number, {})[key] = own
    for of, own in parts.items():
        yield from (f"{of}: {one}" for one in faults(own, persons, least=1))


def faults(
    slices: Slices, persons: Mapping[object, str] | None = None, *, least: int = 0
) -> Iterator[str]:
    """The sets that an attacker of power p finds in any union of slices, by the definition.

    `least` is 1 for an attacker who knows an item: one who knows none sees all histories.
    """
    numbers = sorted(slices)
    for size in range(1, len(numbers) + 1):
        for chosen in combinations(numbers, size):
            held = {key: items for one in chosen for key, items in slices[one].items()}
            everywhere = len(chosen) in (1, len(numbers))
            yield from _faults_of(held, persons, str(chosen), least, shares=everywhere)


def _faults_of(
    held: Mapping[object, frozenset[str]],
    persons: Mapping[object, str] | None,
    where: str,
    least: int,
    *,
    shares: bool,
) -> Iterator[str]:
    for size in range(least, P + 1):
        for known in map(frozenset, combinations(NAMES, size)):
            cohort = [key for key, items in held.items() if items >= known]
            reveal = [key for key in cohort if SECRET in held[key]]
            who = {key if persons is None else persons[key] for key in cohort}
            if 0 < len(who) < K:
                yield f"{where}: {sorted(known)} is held by {len(who)}"
            if cohort and len(reveal) > H * len(cohort):
                yield f"{where}: {sorted(known)} reveals in {len(reveal)} of {len(cohort)}"
            if persons is not None and shares and cohort:
                revealed = {persons[key] for key in reveal}
                if len(revealed) > H * len(who):
                    yield f"{where}: {sorted(known)} reveals {len(revealed)} of {len(who)} persons"


def night(folder: Path, source: Source, **options: object) -> setveil.Appended:
    """Append the source of one night to the target of the folder."""
    path = write(folder / "source.parquet", source)
    return setveil.append(path, folder / "safe", "coherence", **PROMISE, **options)
