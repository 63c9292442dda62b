"""Projects of dbt and sqlmesh with good and broken releases, in environments of their own."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest

GUIDE = Path(__file__).parents[2] / "engine/guide/dbt.md"
BLOCK = re.compile(r"^`([\w/.]+)`\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)

# A release in which each item is in five transactions of five persons, and one with a rare item.
GOOD = "SELECT range AS tid, UNNEST(['a', 'b']) AS item, range AS person FROM RANGE(5)"
BROKEN = f"{GOOD} UNION ALL SELECT 1, 'rare', 1 UNION ALL SELECT 2, 'rx', 2"
BEFORE = f"{GOOD} UNION ALL SELECT 3, 'a', 3"
LISTS = "SELECT 'rx' AS item"


def environment(variable: str) -> Path:
    """The folder of commands of an environment; the test is skipped where there is none."""
    folder = os.environ.get(variable)
    if not folder:
        pytest.skip(f"no environment is named by {variable}: .ci/run makes one")
    return Path(folder)


def called(folder: Path, *words: str, fails: bool = False) -> str:
    """Run a command in a folder; its output."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    clean |= {"DO_NOT_TRACK": "1", "DBT_PROFILES_DIR": str(folder), "MAX_FORK_WORKERS": "1"}
    done = subprocess.run(
        words, cwd=folder, env=clean, capture_output=True, text=True, check=False, timeout=110
    )
    said = done.stdout + done.stderr
    assert (done.returncode != 0) == fails, said
    return said


def from_guide(folder: Path) -> None:
    """Write the files that the guide shows."""
    for path, text in BLOCK.findall(GUIDE.read_text()):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def orders(path: Path) -> None:
    """Raw orders with two private products, frequent enough for the promise of the guide."""
    names = "['bread', 'milk', 'tea', 'soap', 'Rx 1', 'tempeh', 'Rx 2']"
    rows = f"""
        SELECT DISTINCT range // 3 AS order_id, range // 3 % 90 AS customer,
            ({names})[1 + range * range % 41 % (1 + range % 7)] AS product
        FROM RANGE(900) ORDER BY ALL
    """  # noqa: S608
    duckdb.sql(rows).write_csv(str(path))


def releases(path: Path) -> None:
    """Good and broken releases, and what stands beside them, in a database."""
    with duckdb.connect(str(path)) as connection:
        for name, query in (
            ("good", GOOD),
            ("broken", BROKEN),
            ("before", BEFORE),
            ("listed", LISTS),
        ):
            connection.execute(f"CREATE TABLE {name} AS {query}")  # noqa: S608


def answers(path: Path, text: str) -> list[tuple[Any, ...]]:
    """The rows of a query in a database."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return sorted(connection.execute(text).fetchall(), key=str)
