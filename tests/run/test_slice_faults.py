"""A run that appends can be killed at any moment: never half a slice, and nothing twice."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import duckdb
import pytest

import kills
import setveil
from runs import rows_of
from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import DatabaseError, InputError
from setveil.run.files import places
from setveil.run.slices.ledger import Ledger
from setveil.run.slices.lock import Lock

PROMISE = {"private": "where:name = 'milk'", "h": "0.6", "k": 3, "p": 2}
ROWS = """
    SELECT 100 + t.range AS tid, i.item AS item
    FROM RANGE($1) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 23)) AS i(item, n)
    WHERE t.range % i.n = 0
"""
# The moments between two steps: a function, the number of its call, and when it is killed.
OWNERS = {"write": Ledger, "_give_name": places, "execute": DuckDB}
WRITE, NAME, RUN = OWNERS
FILES = [(WRITE, 1, "before"), (WRITE, 1, "after"), (NAME, 1, "after"), (WRITE, 2, "after")]
TABLES = [*FILES[:2], (RUN, "COMMIT", "before"), (RUN, "COMMIT", "after")]


def grow(folder: Path, number: int, *, table: bool) -> None:
    """The source with so many transactions."""
    if table:
        with duckdb.connect(str(folder / "shop.duckdb")) as connection:
            connection.execute(f"CREATE OR REPLACE TABLE src AS {ROWS}", [number])
    else:
        with duckdb.connect() as connection:
            query = connection.sql(ROWS, params=[number])
            query.write_parquet(str(folder / "source.parquet"))


def run(folder: Path, *, table: bool, **options: object) -> setveil.Appended:
    options |= PROMISE
    if table:
        options["database"] = folder / "shop.duckdb"
        return setveil.append("src", "safe", "coherence", **options)
    return setveil.append(folder / "source.parquet", folder / "safe", "coherence", **options)


def killed(folder: Path, table: bool, point: tuple | None, erase: list | None = None) -> None:
    """A run that ends by kill -9 at a point."""
    if point is not None:
        name, number, when = point
        owner = OWNERS[name]
        original, calls = getattr(owner, name), []

        def call(*given, **named):
            calls.append(None)
            now = number in given if isinstance(number, str) else len(calls) == number
            if now and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            result = original(*given, **named)
            if now:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        setattr(owner, name, call)
    run(folder, table=table, erase=erase)


def slices(folder: Path, *, table: bool) -> list[tuple[object, ...]]:
    """The keys of each slice, as a reader finds them."""
    if table:
        with duckdb.connect(str(folder / "shop.duckdb"), read_only=True) as connection:
            names = {name for (name,) in connection.execute("SHOW TABLES").fetchall()}
            query = "SELECT DISTINCT slice, tid FROM safe ORDER BY slice, tid"
            return connection.execute(query).fetchall() if "safe" in names else []
    if not list((folder / "safe").glob("*.parquet")):
        return []
    files = f"{folder}/safe/*.parquet"
    return rows_of("SELECT DISTINCT slice, tid FROM READ_PARQUET($1) ORDER BY ALL", files)


def ledger(folder: Path, *, table: bool) -> list[tuple[object, ...]]:
    """The keys of each slice that is done, as the ledger has them."""
    path = f"{folder}/shop.duckdb.safe.ledger" if table else f"{folder}/safe.ledger"
    with duckdb.connect(path) as connection:
        return connection.execute(
            "SELECT a.slice, CAST(p.key AS BIGINT) FROM part p JOIN attempt a "
            "ON a.attempt = p.attempt AND a.event = 'done' ORDER BY ALL"
        ).fetchall()


def agree(folder: Path, *, table: bool) -> None:
    """Every released transaction is known, and none is released twice."""
    found = slices(folder, table=table)
    keys = [key for _, key in found]
    assert len(keys) == len(set(keys))
    assert found == ledger(folder, table=table)  # every transaction of the data holds bread


FIRST = [(False, FILES[2]), (True, TABLES[3])]
OTHERS = [(False, one) for one in FILES] + [(True, one) for one in TABLES]


@pytest.mark.parametrize(
    ("table", "point"),
    [*FIRST, *(pytest.param(*one, marks=pytest.mark.slow) for one in OTHERS if one not in FIRST)],
    ids=lambda one: str(one) if isinstance(one, bool) else f"{one[2]}-{one[0]}-{one[1]}",
)
def test_a_run_is_killed_between_two_steps(tmp_path, table, point):
    grow(tmp_path, 24, table=table)
    run(tmp_path, table=table)
    grow(tmp_path, 48, table=table)
    process = kills.processes.Process(target=killed, args=(tmp_path, table, point))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    seen = slices(tmp_path, table=table)  # a reader may have taken them
    run(tmp_path, table=table)
    assert [one for one in slices(tmp_path, table=table) if one in seen] == seen
    assert len(slices(tmp_path, table=table)) == 48
    agree(tmp_path, table=table)
    assert run(tmp_path, table=table).slice is None


def kill_often(folder: Path, times: int, *, table: bool, seed: int) -> kills.Kills:
    """Kill runs at random moments, on data that grows: no transaction is lost or there twice."""
    seen: set[tuple[object, ...]] = set()

    def held() -> int:
        found = slices(folder, table=table)
        keys = [key for _, key in found]
        assert len(keys) == len(set(keys))
        assert seen <= set(found)
        seen.update(found)
        return len({number for number, _ in found})

    hit = kills.kill_often(
        killed, (folder, table, None), times, seed=seed, grow=partial(grow, folder, table=table),
        held=held,
    )  # fmt: skip
    agree(folder, table=table)
    return hit


@pytest.mark.slow
@pytest.mark.parametrize("table", [False, True], ids=["files", "table"])
def test_runs_are_killed_at_random_moments(tmp_path, table):
    hit = kill_often(tmp_path, 20, table=table, seed=2)
    assert hit.in_time > 8


def test_a_second_run_ends_at_once(tmp_path):
    grow(tmp_path, 24, table=False)
    lock = Lock(f"{tmp_path}/safe.ledger.lock", "safe")
    with pytest.raises(DatabaseError, match="another run appends") as error:
        run(tmp_path, table=False)
    assert error.value.exit_code == 4
    lock.close()
    assert run(tmp_path, table=False).slice == 1


@pytest.mark.slow
def test_a_failed_run_leaves_nothing(tmp_path, monkeypatch):
    grow(tmp_path, 24, table=False)

    def fail(*given, **named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(places, "_give_name", fail)
    with pytest.raises(InputError, match="No space"):
        run(tmp_path, table=False)
    assert not (tmp_path / "safe").exists()
    monkeypatch.undo()
    assert run(tmp_path, table=False).slice == 1
    agree(tmp_path, table=False)


@pytest.mark.slow
@pytest.mark.parametrize("point", [(WRITE, 2, "after"), (NAME, 1, "after"), (WRITE, 3, "after")])
def test_an_erasure_is_killed_between_two_steps(tmp_path, point):
    grow(tmp_path, 24, table=False)
    run(tmp_path, table=False)
    grow(tmp_path, 48, table=False)
    run(tmp_path, table=False)
    process = kills.processes.Process(target=killed, args=(tmp_path, False, point, [103, 130]))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    again = run(tmp_path, table=False)  # the nightly run comes before the erasure is repeated
    assert again.slice is None
    run(tmp_path, table=False, erase=[103, 130])
    keys = {key for _, key in slices(tmp_path, table=False)}
    assert not keys & {103, 130} and len(keys) >= 40
    assert run(tmp_path, table=False).slice is None
