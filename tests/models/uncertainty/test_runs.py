"""What every command keeps, kept by rho-uncertainty: odd data, odd names, threads, parts, ends."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import setveil
from hostile_names import NAMES, quoted
from oracles_uncertainty import unsafe_rules
from runs import parquet, rows_of
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.models.uncertainty import anonymize, cohorts
from setveil.run import cost

RHO = Fraction(1, 2)
SECRET = [1, 2, 5]
OPTIONS: tuple[dict[str, object], ...] = (
    {"keep": "distribution"},
    {"keep": "rules"},
    {"refine": True},
    {"max_knowledge": 2},
    {"parts": 3},
    {"parts": "auto"},
)
OTHERS: tuple[dict[str, object], ...] = ({"method": "paper"}, {"method": "global"})
BUDGET = 230  # statements of a run on data like retail, whose rounds are as many
slow = pytest.mark.slow


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Long form, with a row that repeats and transactions of one item."""
    dice, rows = random.Random(29), []
    for tid in range(160):
        rows += [(tid, min(int(dice.expovariate(0.3)), 11)) for _ in range(dice.randint(1, 6))]
    path = tmp_path_factory.mktemp("runs") / "a.parquet"
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item INTEGER)")
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        connection.table("t").write_parquet(str(path))
    return path


def contents(relation: duckdb.DuckDBPyRelation) -> list[frozenset[int]]:
    held: dict[int, set[int]] = {}
    for tid, item in relation.fetchall():
        held.setdefault(tid, set()).add(item)
    return [frozenset(one) for one in held.values()]


@slow
@pytest.mark.parametrize("options", [*OPTIONS, *OTHERS], ids=str)
def test_threads_change_nothing(source: Path, tmp_path: Path, options: dict[str, object]) -> None:
    made = []
    for threads in (1, 2, 4):
        out = tmp_path / f"{threads}.parquet"
        with setveil.read(source, threads=threads) as baskets:
            setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO, **options).write(out)
        made.append(out.read_bytes())
    assert made[0] == made[1] == made[2]


@pytest.mark.few(1)
@pytest.mark.parametrize(("seed", "size", "items", "longest"), [(3, 50, 10, 6), (7, 150, 10, 7)])
def test_changes_made_together_are_safe_together(
    tmp_path: Path, seed: int, size: int, items: int, longest: int
) -> None:
    """Many transactions change at once, and rules bear some of the changes but not all."""
    dice, rows = random.Random(seed), []
    for tid in range(size):
        held = {
            min(int(dice.expovariate(0.35)), items - 1) for _ in range(dice.randint(1, longest))
        }
        rows += [(tid, item) for item in sorted(held)]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item INTEGER)")
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        with setveil.read(connection, "t") as baskets:
            release = setveil.uncertainty(baskets, sensitive=[1, 2, 4, 7], rho="0.6")
            assert release.metrics.exchanged_occurrences > 20
            left = contents(release.relation())
    assert not unsafe_rules(left, [1, 2, 4, 7], Fraction("0.6"))


@pytest.mark.parametrize("options", [{}, {"keep": "distribution", "parts": 3}], ids=str)
def test_turns_change_nothing(
    source: Path, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr("setveil.models.uncertainty.anonymize.LONGEST", 3)
    for turn in (10**6, 200):
        monkeypatch.setattr("setveil.models.uncertainty.cohorts.TURN", turn)
        with setveil.read(source) as baskets:
            release = setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO, **options)
            made.append((release.metrics, release.relation().fetchall()))
            turns = sum(one.name == "listed" for one in baskets.session.statements)
    assert turns > 3
    assert made[0] == made[1]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "options", [{}, {"parts": 3}, {"refine": True, "max_knowledge": 4}], ids=str
)
@pytest.mark.parametrize("rho", ["1/5", "1/2", "7/8", "1"])
def test_settled_itemsets_change_nothing(
    options: dict[str, object], rho: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other transactions are read in shares until no rule can be unsafe."""
    monkeypatch.setattr("setveil.models.uncertainty.anonymize.LONGEST", 4)
    monkeypatch.setattr(cohorts, "FEW", 10)
    monkeypatch.setattr(cohorts, "TIMES", 2)
    made, read = [], []
    for large in (10**6, 0):
        monkeypatch.setattr(cohorts, "LARGE", large)
        for turn in (10**6, 500):
            monkeypatch.setattr(cohorts, "TURN", turn)
            with duckdb.connect() as connection:
                connection.execute("CREATE TABLE t (tid INTEGER, item INTEGER)")
                connection.executemany("INSERT INTO t VALUES ($1, $2)", skewed())
                with setveil.read(connection, "t") as baskets:
                    release = setveil.uncertainty(
                        baskets, sensitive=[3, 5, 7], rho=Fraction(rho), **options
                    )
                    made.append((release.metrics, release.relation().fetchall()))
                    run = baskets.session.statements
            read.append(sum(one.rows or 0 for one in run if one.name.startswith("reached_")))
            assert any(one.name == "sought" for one in run) == (large == 0)
    assert all(one == made[0] for one in made)
    assert read[2] < read[0]  # itemsets were settled


@pytest.mark.parametrize("turn", [1, 10**6])
def test_room_is_asked_for_the_subsets_that_are_counted_at_once(
    turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All with a sensitive item are counted together, harmless ones in turns."""
    asked: list[cost.Outlook] = []
    monkeypatch.setattr(anonymize, "TURN", turn)
    monkeypatch.setattr(cost, "allow", lambda session, outlook: asked.append(outlook))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item INTEGER)")
        connection.executemany("INSERT INTO t VALUES ($1, $2)", skewed())
        with setveil.read(connection, "t") as baskets:
            setveil.uncertainty(baskets, sensitive=[3, 5, 7], rho=RHO)
    held: dict[int, list[int]] = {}
    for tid, item in skewed():
        held.setdefault(tid, []).append(item)
    guarded = [(len(one), sum(item not in (3, 5, 7) for item in one)) for one in held.values()]
    guarded = [(size, known) for size, known in guarded if size > 1 and known < size]
    subsets = sum(2**size for size, _ in guarded)
    telling = subsets - sum(2**known for _, known in guarded)
    assert asked[0].rows == subsets
    assert asked[0].sets == (telling if turn == 1 else subsets)


def skewed() -> list[tuple[int, int]]:
    """Transactions of which most share their frequent items, and few are guarded."""
    dice, rows = random.Random(7), []
    for tid in range(300):
        held = {min(int(dice.expovariate(0.25)), 14) for _ in range(dice.randint(1, 7))}
        rows += [(tid, item) for item in held if item not in (3, 5, 7) or dice.random() < 0.3]
    return rows


@slow
@pytest.mark.parametrize("options", [{}, *OPTIONS[:4]], ids=str)
def test_parts_with_every_option(source: Path, options: dict[str, object]) -> None:
    with setveil.read(source) as baskets:
        release = setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO, parts=3, **options)
        known = release.metrics.max_knowledge
        assert not unsafe_rules(contents(release.relation()), SECRET, RHO, known)
        assert release.metrics.parts == 3


@pytest.mark.parametrize(
    "options", [OPTIONS[0], *(pytest.param(one, marks=slow) for one in OPTIONS[1:])], ids=str
)
def test_explaining_runs_nothing(source: Path, options: dict[str, object]) -> None:
    with setveil.read(source, explain=True) as baskets:
        setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO, **options)
        statements = baskets.session.statements
    assert {"arranged", "counted", "unsafe", "suppressed"} <= {one.name for one in statements}
    assert not any(one.seconds for one in statements)


@pytest.mark.parametrize("options", OTHERS, ids=str)
def test_explaining_the_methods_of_papers(source: Path, options: dict[str, object]) -> None:
    with setveil.read(source, explain=True) as baskets:
        setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO, **options)
        statements = baskets.session.statements
    assert {"placed", "set_1", "met_1", "unsafe_1", "suppressed"} <= {
        one.name for one in statements
    }
    assert not any(one.seconds for one in statements)


@pytest.mark.parametrize("parts", [1, 8])
def test_statements(source: Path, parts: int) -> None:
    """However many parts: each statement is about all of them."""
    with setveil.read(source) as baskets:
        metrics = setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO, parts=parts).metrics
        found = len(baskets.session.statements)
    assert found <= BUDGET + 13 * (metrics.rounds - 7)


def test_hostile_names(tmp_path: Path) -> None:
    """Of columns, transactions and items; what is sensitive is named in the trail nowhere."""
    key, item = NAMES[1], NAMES[2]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({quoted(key)} VARCHAR, {quoted(item)} VARCHAR)")
        rows = [(f"{name}{n}", other) for n in range(2) for name in NAMES for other in NAMES[:4]]
        rows += [(name, name) for name in NAMES]
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        connection.table("t").write_parquet(str(tmp_path / "a.parquet"))
    out, trail = tmp_path / "b.parquet", tmp_path / "b.sql"
    with setveil.read(tmp_path / "a.parquet", tid=key, item=item) as baskets:
        release = setveil.uncertainty(baskets, sensitive=NAMES[:2], rho=RHO)
        assert release.metrics.suppressed_occurrences > 0
        release.write(out, trail=trail)
    assert setveil.replay(trail, release=out).same
    _, _, statements = trail.read_text().partition("\n\n")
    assert NAMES[0] not in statements
    with setveil.read(out, tid=key, item=item) as again:
        assert setveil.verify.uncertainty(again, sensitive=NAMES[:2], rho=RHO).holds


def test_nulls_and_repeats(tmp_path: Path) -> None:
    rows = "VALUES (1, 0), (1, 0), (1, 3), (2, 3), (3, NULL), (NULL, 3), (4, 3), (4, 0), (4, NULL)"
    path = parquet(tmp_path / "a.parquet", f"SELECT * FROM ({rows}) AS t (tid, item)")  # noqa: S608
    with pytest.raises(InputError, match="NULL"), setveil.read(path) as baskets:
        setveil.uncertainty(baskets, sensitive=[0], rho=RHO)
    with setveil.read(path, drop_nulls=True) as baskets:
        release = setveil.uncertainty(baskets, sensitive=[0], rho=RHO)
        assert (release.metrics.duplicates, release.metrics.suppressed_occurrences) == (1, 1)
        assert not unsafe_rules(contents(release.relation()), [0], RHO)


def test_empty_lists_stay(tmp_path: Path) -> None:
    rows = "VALUES (1, [0, 3]), (2, []), (3, [3]), (4, [3, 0, 3])"
    path = parquet(tmp_path / "a.parquet", f"SELECT * FROM ({rows}) AS t (tid, item)")  # noqa: S608
    out, trail = tmp_path / "b.parquet", tmp_path / "b.sql"
    with setveil.read(path) as baskets:
        setveil.uncertainty(baskets, sensitive=[0], rho=RHO).write(out, trail=trail)
    assert setveil.replay(trail, release=out).same
    found = dict(rows_of("SELECT tid, LEN(item) FROM READ_PARQUET($1)", str(out)))
    assert sorted(found) == [1, 2, 3, 4]
    assert found[2] == 0 and sum(found.values()) == 4


@pytest.mark.slow
def test_a_little_memory_is_enough(source: Path) -> None:
    with setveil.read(source, memory_limit="256MB", threads=2) as baskets:
        assert setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO).verdict.holds


@pytest.mark.slow
def test_it_changes_nothing_of_its_own(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "b.parquet"
    arguments = ["uncertainty", "--sensitive", "where:name IN (1, 2, 5)", "--rho", "0.5"]
    assert run([*arguments, str(source), "--out", str(out)]) == 0
    with setveil.read(out) as baskets:
        metrics = setveil.uncertainty(baskets, sensitive=SECRET, rho=RHO).metrics
        assert metrics.suppressed_occurrences == 0


@pytest.mark.few(1)
@pytest.mark.parametrize("method", ["rules", "distribution", "global"])
def test_nothing_goes_where_nothing_is_too_sure(source: Path, method: str) -> None:
    """Also of transactions that are too long for all their subsets to be listed."""
    how = {"method": "global"} if method == "global" else {"keep": method}
    query = "SELECT tid, n AS item FROM RANGE(3) AS t (tid), RANGE(40 + 7 * tid) AS i (n)"
    with duckdb.connect() as connection, setveil.read(connection, query) as baskets:
        secret = "where:CAST(name AS INTEGER) % 3 = 0"
        release = setveil.uncertainty(baskets, sensitive=secret, rho=1, **how)
        assert release.metrics.suppressed_occurrences == 0


# Ended from without


def start(folder: Path, source: Path) -> subprocess.Popen[str]:
    """The command in a process of its own, that has begun to work."""
    code = "import signal; from setveil.cli.main import main; print(1, flush=True); "
    code += "signal.signal(signal.SIGINT, signal.default_int_handler); main()"
    arguments = ["uncertainty", str(source), "--sensitive", "where:name < 4", "--rho", "0.5"]
    outputs = ["--out", str(folder / "b.parquet"), "--trail", str(folder / "b.sql")]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments, *outputs],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(folder / "spill")},
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("how", "delay"),
    [
        (signal.SIGINT, 0.4),
        (signal.SIGTERM, 0.4),
        *(pytest.param(signal.SIGKILL, n / 4, marks=slow) for n in range(1, 7)),
        *(pytest.param(signal.SIGINT, n / 4, marks=slow) for n in range(1, 7)),
    ],
    ids=str,
)
def test_ended_from_without(
    source: Path, tmp_path: Path, how: signal.Signals, delay: float
) -> None:
    (tmp_path / "spill").mkdir()
    process = start(tmp_path, source)
    time.sleep(delay)
    process.send_signal(how)
    _, error = process.communicate()
    left = {path.name for path in tmp_path.iterdir()} - {"spill"}
    if process.returncode:
        assert process.returncode == (-how if how == signal.SIGKILL else 128 + how), error
    if process.returncode > 0:
        assert not list((tmp_path / "spill").iterdir())
        assert left == (set() if "; nothing was written" in error else {"b.parquet", "b.sql"})
    if "b.parquet" in left:
        assert setveil.replay(tmp_path / "b.sql", release=tmp_path / "b.parquet").same
