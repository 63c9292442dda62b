"""The independent reference for minimal moles, and the data on which setveil is compared with it.

Both are beside the repository, in ../shared. Tests that need them are skipped if they are absent.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import setveil

SHARED = Path(__file__).resolve().parents[3] / "shared"
SOURCE = SHARED / "reference" / "moles.cpp"
HOW = {"mm-il": "mm_il", "mm": "mm", "1-il": "il"}


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the comparison: the roles of items, the promise, and the known results."""

    public: str
    private: str
    h: str
    k: int
    p: int
    moles: tuple[int, ...]  # of 1, 2, … p items
    distortion: float  # S/N of mm-il as in Figure 6


SETTINGS = {
    "retail": Setting(
        "item % 5 = 0", "item % 5 IN (1, 2)", "0.4", 20, 4, (16, 40130, 475, 0), 0.167869
    ),
    "connect": Setting(
        "item % 5 IN (0, 2)", "item % 5 = 1", "0.4", 100, 5, (18, 40, 141, 209, 271), 0.084802
    ),
    "t40i10d100k_first10k": Setting(
        "item % 5 = 0", "item % 5 IN (1, 2)", "0.4", 10, 4, (70, 4591, 18349, 498), 0.192409
    ),
    "accidents_first15k": Setting(
        "item % 5 = 0", "item % 5 IN (1, 2)", "0.4", 50, 4, (38, 6, 2, 4), 0.093149
    ),
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """Items in at least 0.1 % of the transactions; private items in at most a share h."""

    data: Path  # Parquet: tid, item
    occurrences: Path  # the data in the form that the reference reads
    public: Path
    private: Path
    setting: Setting

    def promise(self) -> dict[str, object]:
        one = self.setting
        return {"h": one.h, "k": one.k, "p": one.p, "public": self.public, "private": self.private}

    def release(
        self, baskets: setveil.Baskets, **options: object
    ) -> setveil.Release[setveil.CoherenceMetrics]:
        return setveil.coherence(baskets, **(self.promise() | options))


def prepared(name: str, folder: Path) -> Prepared:
    """Write the files for a row of the comparison; skip the test if the data is absent."""
    original, setting = SHARED / "data" / f"{name}.parquet", SETTINGS[name]
    if not original.is_file():
        pytest.skip(f"there is no {original}")
    made = Prepared(
        *(
            folder / f"{name}{suffix}"
            for suffix in (".parquet", ".occ", ".public.txt", ".private.txt")
        ),
        setting,
    )
    with duckdb.connect(config={"threads": 2}) as connection:
        run = connection.execute
        run("CREATE TABLE original AS SELECT tid, item FROM READ_PARQUET($1)", [str(original)])
        run(
            "CREATE TABLE common AS SELECT item, COUNT(*) AS support FROM original GROUP BY item "
            "HAVING COUNT(*) * 1000 >= (SELECT COUNT(DISTINCT tid) FROM original)"
        )
        run(
            "CREATE TABLE kept AS SELECT DENSE_RANK() OVER (ORDER BY o.tid) - 1 AS tid, o.item "
            "FROM original AS o JOIN common USING (item) ORDER BY ALL"
        )
        run("CREATE TABLE size AS SELECT COUNT(DISTINCT tid) AS transactions FROM kept")
        hidden = f"({setting.private}) AND support <= {setting.h} * (FROM size)"
        lines = "(FORMAT csv, HEADER false, DELIMITER ' ')"
        run(f"COPY kept TO '{made.data}'")
        run(f"COPY kept TO '{made.occurrences}' {lines}")
        for roles, path in ((setting.public, made.public), (hidden, made.private)):
            run(f"COPY (FROM common SELECT item WHERE {roles} ORDER BY item) TO '{path}' {lines}")
    return made


@dataclass(frozen=True, slots=True)
class Answer:
    """The output of the reference."""

    moles: tuple[int, ...]  # of 1, 2, … items
    extendible: tuple[int, ...]
    checksum: int  # of the itemsets of two and more items
    suppressed: int  # items chosen by the greedy part
    distortion: float
    first: tuple[int, ...]  # of them
    seconds: float  # of the search


def compiled(folder: Path) -> Path:
    """The compiled reference; skip the test if the reference or the compiler is absent."""
    compiler = shutil.which("g++")
    if not SOURCE.is_file():
        pytest.skip(f"there is no {SOURCE}")
    if compiler is None:
        pytest.skip("there is no g++")
    target = folder / "moles"
    subprocess.run([compiler, "-O2", "-w", "-o", str(target), str(SOURCE)], check=True)
    return target


def answer(
    binary: Path,
    occurrences: Path,
    public: Path,
    private: Path,
    k: int,
    h: Fraction,
    p: int,
    method: str = "mm-il",
) -> Answer:
    arguments = [occurrences, public, private, k, float(h), p, HOW[method]]
    done = subprocess.run(
        [str(binary), *map(str, arguments)], capture_output=True, text=True, check=True
    )
    found = dict(re.findall(r"level (\d+):.* moles (\d+) ", done.stdout))
    left = dict(re.findall(r"level (\d+):.* extendible (\d+)", done.stdout))
    return Answer(
        _per_level(found, p),
        _per_level(left, p),
        int(_first(r"checksum (\d+)", done.stdout)),
        int(_first(r"greedy suppressed (\d+)", done.stdout)),
        float(_first(r"S/N ([\d.]+)", done.stdout)),
        tuple(map(int, _first(r"order:(.*)", done.stdout).split())),
        float(_first(r"mine ([\d.]+)s", done.stderr)),
    )


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, text
    return match.group(1)


def _per_level(counts: dict[str, str], p: int) -> tuple[int, ...]:
    return tuple(int(counts.get(str(level), 0)) for level in range(1, p + 1))


def checksum(moles: Sequence[Sequence[int]]) -> int:
    """The reference's checksum over itemsets, each with its names in ascending order."""
    total = 0
    for mole in moles:
        number = 0
        for name in mole:
            number = (number * 1000003 + name + 1) % 2**64
        total += number
    return total % 2**64
