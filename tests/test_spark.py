"""Every model inside Spark gives the release that it gives inside DuckDB, and leaves nothing else.

Run with `-m spark`, and again with `--spark connect`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import setveil
import spark_server
from setveil.errors import InputError, QueryError
from setveil.sql.step import render

pytestmark = pytest.mark.spark

SECRET = ["i03", "i08"]
PATTERNS = [("i01", "i02"), ("i02", "i04")]
Model = Callable[..., Any]


class Spark:
    """A Spark with the data of the tests, and a session to look at it from outside."""

    def __init__(self, url: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pyspark.sql import SparkSession

            builder = SparkSession.builder
            self.url = url
            self.session = (
                builder.remote(url).create() if url.startswith("sc:") else builder.getOrCreate()
            )

    def sql(self, text: str, **given: object) -> list[tuple[Any, ...]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self.session.sql(text, **given).toArrow()
        return [tuple(row.values()) for row in found.to_pylist()]

    def load(self, name: str, table: object) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = self.session.createDataFrame(table)
            text = f"CREATE TABLE {name} AS SELECT * FROM {{data}}"  # noqa: S608
            self.session.sql(text, data=data)

    def read(self, name: str = "given", **options: object) -> setveil.Baskets:
        return setveil.read(name, database=self.url, **options)

    def runs(self) -> list[str]:
        return [str(row[0]) for row in self.sql("SHOW SCHEMAS LIKE 'setveil_*'")]

    def tables(self) -> list[str]:
        return sorted(str(row[1]) for row in self.sql("SHOW TABLES IN default"))


def pairs(transactions: int = 60, items: int = 11) -> list[tuple[int, str]]:
    chance = random.Random(5)
    often = (0.15, 0.4, 0.6, 0.1, 0.3)
    return [
        (tid, f"i{item:02d}")
        for tid in range(transactions)
        for item in range(items)
        if chance.random() < often[item % 5]
    ]


@pytest.fixture(scope="module")
def spark(pytestconfig: pytest.Config) -> Iterator[Spark]:
    with spark_server.running(pytestconfig.getoption("--spark")) as url:
        pa = pytest.importorskip("pyarrow")
        made = Spark(url)
        tids, names = (list(column) for column in zip(*pairs(), strict=True))
        made.load("given", pa.table({"tid": tids, "item": names}))
        lists: dict[int, list[str]] = {}
        for tid, name in pairs(30):
            lists.setdefault(tid, []).append(name)
        lists |= {tid: [] for tid in range(80, 92)}
        kind = pa.list_(pa.string())
        made.load(
            "listed",
            pa.table({"tid": list(lists), "items": pa.array(list(lists.values()), kind)}),
        )
        yield made
        if url.startswith("sc:"):
            made.session.stop()


@pytest.fixture
def local(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The same data in DuckDB."""
    rows = pairs()
    connection.execute("CREATE OR REPLACE TABLE given (tid BIGINT, item VARCHAR)")
    connection.execute(
        "INSERT INTO given SELECT UNNEST($1::BIGINT[]), UNNEST($2::VARCHAR[])",
        [list(column) for column in zip(*rows, strict=True)],
    )
    connection.execute(
        "CREATE OR REPLACE TABLE listed AS SELECT tid, LIST(item) AS items FROM given "
        "WHERE tid < 30 GROUP BY tid UNION ALL SELECT UNNEST(RANGE(80, 92)), []"
    )
    return connection


def rows_of(release: Any) -> list[tuple[Any, ...]]:
    """A release as it would be written."""
    backend = release.baskets.session.backend
    return backend.rows("test", render(release._query(), backend.can.dialect))


MODELS: dict[str, Model] = {
    "coherence": lambda baskets: setveil.coherence(baskets, private=SECRET, h=0.6, k=4, p=3),
    "coherence in bits": lambda baskets: setveil.coherence(
        baskets, private=SECRET, h=0.6, k=4, p=3, plan="bits"
    ),
    "hide": lambda baskets: setveil.hide(baskets, patterns=PATTERNS, psi=0.3),
    "hide at the border": lambda baskets: setveil.hide(
        baskets, patterns=PATTERNS, algorithm="border", min_support=12
    ),
    "partition": lambda baskets: setveil.partition(baskets, k=12, fanout=3),
    "partition, refined": lambda baskets: setveil.partition(baskets, k=20, fanout=4, refine=True),
    "km": lambda baskets: setveil.km(baskets, k=3, m=2, fanout=2),
    "uncertainty in parts": lambda baskets: setveil.uncertainty(
        baskets, sensitive=SECRET, rho="0.6", parts=3
    ),
    "uncertainty by distribution": lambda baskets: setveil.uncertainty(
        baskets, sensitive=SECRET, rho="0.7", keep="distribution"
    ),
}

ON_SERVERS = ("coherence", "hide", "partition", "uncertainty in parts")


@pytest.mark.parametrize("model", MODELS)
def test_the_release_is_the_same(
    spark: Spark, local: duckdb.DuckDBPyConnection, model: str
) -> None:
    if spark.url.startswith("sc:") and model not in ON_SERVERS:
        pytest.skip("the same statements as in this process, where they are run")
    with setveil.read(local, "given") as baskets:
        release = MODELS[model](baskets)
        expected, metrics = rows_of(release), release.metrics
    with spark.read() as baskets:
        release = MODELS[model](baskets)
        assert rows_of(release) == expected
        assert release.metrics == metrics
    assert spark.runs() == []


@pytest.mark.parametrize("model", ["hide", "partition"])
def test_lists_stay_lists(spark: Spark, local: duckdb.DuckDBPyConnection, model: str) -> None:
    with setveil.read(local, "listed", item="items") as baskets:
        expected = rows_of(MODELS[model](baskets))
    with spark.read("listed", item="items") as baskets:
        assert rows_of(MODELS[model](baskets)) == expected


@pytest.mark.parametrize("plan", ["lists", "bits"])
def test_itemsets_and_rules_are_the_same(
    spark: Spark, local: duckdb.DuckDBPyConnection, plan: str
) -> None:
    def mined(baskets: setveil.Baskets) -> tuple[object, list[tuple[Any, ...]]]:
        found = setveil.itemsets(baskets, min_support=9, rules=True, min_confidence=0.5, plan=plan)
        rows = baskets.session.backend.rows("test", "SELECT * FROM frequent_2 ORDER BY 1, 2, 3")
        return found.metrics, rows

    with setveil.read(local, "given") as baskets:
        expected = mined(baskets)
    with spark.read() as baskets:
        assert mined(baskets) == expected


VERIFIED: dict[str, tuple[str, Model]] = {
    "hide": ("hidden", lambda verify, release: verify(release, patterns=PATTERNS, psi=0.3)),
    "partition": ("k_anonymity", lambda verify, release: verify(release, k=12)),
    "km": ("km", lambda verify, release: verify(release, k=3, m=2)),
    "uncertainty in parts": (
        "uncertainty",
        lambda verify, release: verify(release, sensitive=SECRET, rho="0.6"),
    ),
}


@pytest.mark.parametrize("model", VERIFIED)
def test_a_release_is_verified_beside_what_it_was_made_from(spark: Spark, model: str) -> None:
    if spark.url.startswith("sc:") and model not in ON_SERVERS[:2]:
        pytest.skip("the same statements as in this process, where they are run")
    name, verify = VERIFIED[model]
    with spark.read() as baskets:
        assert verify(getattr(setveil.verify, name), MODELS[model](baskets)).holds
    if model in ("partition", "km"):
        with spark.read() as baskets:
            assert not verify(getattr(setveil.verify, name), baskets).holds
    assert spark.runs() == []


# Publishing


def name_of_a_dead_run() -> str:
    from setveil.backends import spark_runs

    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return f"setveil_{spark_runs.new_name().split('_')[1]}_{child.pid}_1_1"


def suppressed(baskets: setveil.Baskets) -> Any:
    return setveil.hide(baskets, patterns=[("i01", "i02")])


def test_a_release_is_published_once_it_is_whole_and_verified_where_it_is(
    spark: Spark, tmp_path: Path
) -> None:
    spark.sql(f"CREATE TABLE {name_of_a_dead_run()} AS SELECT 1 AS x")
    with spark.read() as baskets:
        release = suppressed(baskets)
        expected = rows_of(release)
        release.write_table("published")
        with pytest.raises(InputError, match="not in one step"):
            release.write_table("published")
        release.write_table("default.published", force=True)
        taken = tmp_path / "no" / "trail.sql"
        with pytest.raises(InputError):
            release.write_table("unwritten", trail=taken)
    assert spark.sql("SELECT * FROM published ORDER BY tid, item") == expected
    assert spark.tables() == ["given", "listed", "published"]
    with spark.read("published") as baskets:
        found = setveil.verify.coherence(baskets, k=1, p=1, h=1, private=[])
        assert found.holds
    spark.sql("DROP TABLE published")


def test_what_the_trail_cannot_say_is_not_published(
    spark: Spark, monkeypatch: pytest.MonkeyPatch
) -> None:
    with spark.read() as baskets:
        release = suppressed(baskets)
        monkeypatch.setattr(
            "setveil.writing._keep_trail", lambda *_, **__: (_ for _ in ()).throw(OSError("full"))
        )
        with pytest.raises(OSError, match="full"):
            release.write_table("unwritten")
    assert "unwritten" not in spark.tables()
    assert len(spark.tables()) == 2
    assert spark.runs() == []


# What is refused, in one line


@pytest.mark.parametrize(
    "name, message",
    [
        ("nowhere", "neither a table or view nor one query"),
        ("SELECT 1 AS tid; DROP TABLE given", "neither a table or view nor one query"),
        ("default.nowhere", "nowhere"),
        ("SELECT tid, item COLLATE UTF8_LCASE AS item FROM given", "has a collation"),
    ],
)
def test_sources_that_are_refused(spark: Spark, name: str, message: str) -> None:
    with pytest.raises((InputError, QueryError)) as caught, spark.read(name):
        pass
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert spark.runs() == []


def test_a_query_is_a_source(spark: Spark) -> None:
    query = "SELECT tid, item AS `o'b\"r``i` FROM given -- all of it\nWHERE tid < 10"
    with spark.read(query, item="o'b\"r`i") as baskets:
        assert baskets.transactions == len({tid for tid, _ in pairs() if tid < 10})


# What killed runs leave


def test_the_next_run_drops_what_a_killed_one_left(spark: Spark) -> None:
    dead = name_of_a_dead_run()
    place, process = dead.split("_")[1:3]
    alive, elsewhere = f"setveil_{place}_{os.getpid()}_1_1", f"setveil_{'0' * 12}_{process}_1_1"
    for name in (dead, alive, elsewhere):
        spark.sql(f"CREATE SCHEMA {name}")
    notes: list[str] = []
    with spark.read(note=notes.append):
        assert sorted(set(spark.runs()) & {dead, alive, elsewhere}) == sorted([alive, elsewhere])
    assert any(elsewhere in note for note in notes)
    for name in (alive, elsewhere):
        spark.sql(f"DROP SCHEMA {name}")


def command(spark: Spark, *words: str) -> list[str]:
    return [sys.executable, "-m", "setveil", *words, "--database", spark.url]


@pytest.fixture
def connected(spark: Spark) -> Spark:
    if not spark.url.startswith("sc:"):
        pytest.skip("another process has no tables of this one: --spark connect")
    return spark


def test_the_command_says_what_it_has_to_say_and_no_more(connected: Spark) -> None:
    words = ["itemsets", "given", "--min-support", "20"]
    done = subprocess.run(command(connected, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("note: ") for line in done.stderr.splitlines()), done.stderr
    words = ["itemsets", "nowhere", "--min-support", "20"]
    done = subprocess.run(command(connected, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped(connected: Spark, how: signal.Signals) -> None:
    words = ["partition", "given", "--k", "3", "--fanout", "2", "--into", "unwritten"]
    running = subprocess.Popen(
        command(connected, *words), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while running.poll() is None and not connected.runs():
        time.sleep(0.1)
    os.kill(running.pid, how)
    _, said = running.communicate()
    if how == signal.SIGINT:
        assert running.returncode == 130, said
        assert len(said.splitlines()) == 1, said
    else:
        with connected.read():
            assert len(connected.runs()) == 1
    assert connected.runs() == []
    assert connected.tables() == ["given", "listed"]


@pytest.fixture
def file_in_spark(spark: Spark, tmp_path: Path) -> str:
    """The data as a file that a Spark in a process of its own can read."""
    if spark.url.startswith("sc:"):
        pytest.skip("no Spark Connect in this")
    path = tmp_path / "given.parquet"
    with duckdb.connect() as own:
        own.execute("CREATE TABLE given (tid BIGINT, item VARCHAR)")
        own.executemany("INSERT INTO given VALUES ($1, $2)", pairs())
        own.table("given").write_parquet(str(path))
    return f"parquet.`{path}`"


def test_a_spark_of_its_own(spark: Spark, file_in_spark: str, tmp_path: Path) -> None:
    words = ["itemsets", file_in_spark, "--min-support", "20", "--max-size", "1", "--threads", "1"]
    done = subprocess.run(
        command(spark, *words), capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("note: ") for line in done.stderr.splitlines()), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["given.parquet"]


def test_a_spark_of_its_own_that_is_stopped(
    spark: Spark, file_in_spark: str, tmp_path: Path
) -> None:
    words = ["partition", file_in_spark, "--k", "3", "--fanout", "2"]
    running = subprocess.Popen(
        command(spark, *words), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    while running.poll() is None and not list(tmp_path.glob("setveil-spill-*/setveil_*")):
        time.sleep(0.1)
    time.sleep(2)
    os.kill(running.pid, signal.SIGINT)
    _, said = running.communicate()
    assert running.returncode == 130, said
    assert len(said.splitlines()) == 1, said
    assert not list(tmp_path.glob("setveil-spill-*"))


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    pytest.importorskip("pyspark")
    start = time.monotonic()
    with pytest.raises(InputError, match="no Spark server answers at 127.0.0.1:1"):
        setveil.read("given", database="sc://127.0.0.1:1")
    assert time.monotonic() - start < 20
