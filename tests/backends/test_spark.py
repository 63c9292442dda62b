"""Properties of Spark alone: its runs and their leftovers, its refusals, and how it publishes."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import harness
import setveil
from relay import Line
from runs import suppress
from setveil.backends import Backend
from setveil.errors import DatabaseError, InputError, QueryError
from setveil.run.session import Session, Statement

pytestmark = pytest.mark.only_on("spark", "connect", reason="a server's own")

CHOSEN = ["i01"]


def pairs() -> list[tuple[int, str]]:
    chance = random.Random(5)
    often = (0.15, 0.4, 0.6, 0.1, 0.3)
    return [
        (tid, f"i{item:02d}")
        for tid in range(60)
        for item in range(11)
        if chance.random() < often[item % 5]
    ]


PAIRS = pairs()


@pytest.fixture
def spark(server: Any) -> Any:
    """A Spark with the table `given`."""
    server.put("given", {"tid": "BIGINT", "item": "VARCHAR"}, PAIRS)
    return server


def read(spark: Any, name: str = "given", **options: Any) -> setveil.Baskets:
    return setveil.read(name, database=spark.url, **options)


# Sources


KINDS = {
    "whole": "INTEGER", "wide": "HUGEINT", "exact": "DECIMAL(9, 2)", "rough": "DOUBLE",
    "true_": "BOOLEAN", "day": "DATE", "moment": "TIMESTAMP", "bytes": "BLOB", "text": "VARCHAR",
}  # fmt: skip
VALUES = {
    "whole": "1 - n", "wide": "-n", "exact": "n / 4", "rough": "n / 8", "true_": "n = 1",
    "day": "DATE '2020-01-01' + CAST(n AS INTEGER)",
    "moment": "TIMESTAMP '2020-01-01 00:00:00.5' - TO_DAYS(n)",
    "bytes": "CAST('a' || n AS BLOB)", "text": "['B', 'a', 'é', ''][n + 1]",
}  # fmt: skip
MOST = ("whole", "exact", "moment", "text")


@pytest.mark.parametrize(
    "kind",
    [pytest.param(one, marks=[pytest.mark.everywhere] * (one in MOST)) for one in KINDS],
)
def test_values_come_out_as_they_went_in(connection: duckdb.DuckDBPyConnection, kind: str) -> None:
    """Some rows are repeated, and some have no key or item."""
    value = f"CAST({VALUES[kind]} AS {KINDS[kind]})"
    connection.execute(
        f"""
        CREATE OR REPLACE TABLE kinds AS
        SELECT n % 3 AS tid, {value} AS item, {value} AS other FROM (SELECT UNNEST(RANGE(4)) AS n)
        UNION ALL SELECT 0, {value}, {value} FROM (SELECT 0 AS n)
        UNION ALL SELECT 7, NULL, NULL UNION ALL SELECT NULL, {value}, {value} FROM (SELECT 1 AS n)
        """  # noqa: S608
    )
    found = []
    for read in (harness.read_as_it_is, setveil.read):
        with read(connection, "kinds", drop_nulls=True) as baskets:
            found.append((suppress(baskets).rows(), baskets.transactions, baskets.items))
    assert found[0] == found[1]


# Refusals, in one line


@pytest.mark.parametrize(
    "name, message",
    [
        pytest.param(
            "nowhere", "neither a table or view nor one query", marks=pytest.mark.everywhere
        ),
        ("SELECT 1 AS tid; DROP TABLE given", "neither a table or view nor one query"),
        ("default.nowhere", "nowhere"),
        ("parquet.`/nowhere.parquet`", "nowhere"),
        ("SELECT tid, item COLLATE UTF8_LCASE AS item FROM given", "has a collation"),
        ("SELECT tid, MAP(item, 1) AS item FROM given", "holds more than an item"),
    ],
)
def test_sources_that_are_refused(spark: Any, name: str, message: str) -> None:
    with pytest.raises((InputError, QueryError)) as caught, read(spark, name):
        pass
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert spark.runs() == []


@pytest.mark.everywhere
def test_a_query_is_a_source(spark: Any) -> None:
    query = "SELECT tid, item AS `o'b\"r``i` FROM given -- all of it\nWHERE tid < 10"
    with read(spark, query, item="o'b\"r`i") as baskets:
        assert baskets.transactions == len({tid for tid, _ in PAIRS if tid < 10})


UNSORTED = {
    "a map": ("MAP('k', {n})", [("k", 1)], [("k", 2)]),
    "in a list": ("ARRAY(MAP('k', {n}))", [[("k", 1)]], [[("k", 2)]]),
    "in a struct": ("STRUCT(MAP('k', {n}) AS m)", {"m": [("k", 1)]}, {"m": [("k", 2)]}),
}


@pytest.mark.everywhere
@pytest.mark.parametrize("name", UNSORTED)
def test_what_has_no_order_is_carried_along(spark: Any, tmp_path: Path, name: str) -> None:
    made, *expected = UNSORTED[name]
    row = f"SELECT 1 AS tid, 'a' AS item, {made} AS x"
    with read(spark, f"{row.format(n=2)} UNION ALL {row.format(n=1)}", carry=["x"]) as baskets:
        release = suppress(baskets)
        assert release.rows() == [(1, "a", one) for one in expected]
        release.write(tmp_path / "safe.parquet")
    with duckdb.connect() as local:
        found = local.read_parquet(str(tmp_path / "safe.parquet"))
        assert "MAP(" in str(found.types[2])
        assert found.project("tid, item").fetchall() == [(1, "a")] * 2


def test_a_variant_is_carried_along(spark: Any) -> None:
    row = "SELECT 1 AS tid, 'a' AS item, PARSE_JSON('{\"k\": 1}') AS x"
    with read(spark, f"{row} UNION ALL {row}", carry="all") as baskets:
        assert [row[:2] for row in suppress(baskets).rows()] == [(1, "a")] * 2


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    start = time.monotonic()
    with pytest.raises(DatabaseError, match="no Spark server answers at 127.0.0.1:1"):
        setveil.read("given", database="sc://127.0.0.1:1")
    assert time.monotonic() - start < 20


def test_what_is_no_spark_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from setveil.backends.spark import session as spark_session

    monkeypatch.setattr(spark_session, "PATIENCE", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"sc://127.0.0.1:{silent.getsockname()[1]}"
        for parameters in ("", "/;use_ssl=true"):
            with pytest.raises(InputError, match="does not answer as a Spark Connect server"):
                setveil.read("given", database=url + parameters)


# Publishing


def name_of_a_dead_run() -> str:
    from setveil.backends.spark import runs as spark_runs

    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return f"setveil_{spark_runs.new_name().split('_')[1]}_{child.pid}_1_1"


@pytest.mark.everywhere
def test_a_release_is_published_once_it_is_whole_and_verified_where_it_is(
    spark: Any, tmp_path: Path
) -> None:
    spark.sql(f"CREATE TABLE {name_of_a_dead_run()} AS SELECT 1 AS x")
    with read(spark) as baskets:
        release = suppress(baskets, CHOSEN)
        expected = release.rows()
        release.write_table("published")
        with pytest.raises(InputError, match="not in one step"):
            release.write_table("published")
        release.write_table("default.published", force=True)
        taken = tmp_path / "no" / "trail.sql"
        with pytest.raises(InputError):
            release.write_table("unwritten", trail=taken)
    assert spark.sql("SELECT * FROM published ORDER BY tid, item") == expected
    assert spark.tables() == ["given", "published"]
    with read(spark, "published") as baskets:
        assert setveil.verify.coherence(baskets, k=1, p=1, h=1, private=[]).holds
    assert spark.runs() == []


SPELLED = ["given", "default.given", "spark_catalog.default.given", "Default.GIVEN"]
QUERY = "SELECT * FROM `Given` WHERE tid >= 0"


@pytest.mark.parametrize(
    "name", [pytest.param(SPELLED[0], marks=pytest.mark.everywhere), *SPELLED[1:], QUERY]
)
def test_what_was_read_is_never_replaced(spark: Any, name: str) -> None:
    with read(spark, name) as baskets:
        release = suppress(baskets, CHOSEN)
        for other in (*SPELLED, "GIVEN", "`default`.`given`"):
            with pytest.raises(InputError, match="is what the data was read from"):
                release.write_table(other, force=True)
    assert spark.tables() == ["given"]
    assert len(spark.sql("SELECT tid FROM given")) == len(PAIRS)


def test_what_the_trail_cannot_say_is_not_published(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with read(spark) as baskets:
        release = suppress(baskets, CHOSEN)
        monkeypatch.setattr(
            "setveil.run.writing.keep_trail",
            lambda *_, **__: (_ for _ in ()).throw(OSError("full")),
        )
        with pytest.raises(OSError, match="full"):
            release.write_table("unwritten")
    assert spark.tables() == ["given"]
    assert spark.runs() == []


# Interrupted runs, and leftovers of killed ones


@pytest.mark.everywhere
def test_the_next_run_drops_what_a_killed_one_left(spark: Any) -> None:
    dead = name_of_a_dead_run()
    place, process = dead.split("_")[1:3]
    alive, elsewhere = f"setveil_{place}_{os.getpid()}_1_1", f"setveil_{'0' * 12}_{process}_1_1"
    for name in (dead, alive, elsewhere):
        spark.sql(f"CREATE SCHEMA {name}")
    notes: list[str] = []
    with read(spark, note=notes.append):
        assert sorted(set(spark.runs()) & {dead, alive, elsewhere}) == sorted([alive, elsewhere])
    assert any(elsewhere in note for note in notes)


def command(spark: Any, *words: str) -> list[str]:
    return [sys.executable, "-m", "setveil", *words, "--database", spark.url]


@pytest.mark.only_on("connect", reason="another process has no tables of this one")
def test_the_command_says_what_it_has_to_say_and_no_more(spark: Any) -> None:
    words = ["itemsets", "given", "--min-support", "20"]
    done = subprocess.run(command(spark, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("note: ") for line in done.stderr.splitlines()), done.stderr
    words = ["itemsets", "nowhere", "--min-support", "20"]
    done = subprocess.run(command(spark, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.everywhere
@pytest.mark.only_on("connect", reason="another process has no tables of this one")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped(spark: Any, how: signal.Signals) -> None:
    words = ["k-anonymity", "given", "--k", "3", "--fanout", "2", "--into", "unwritten"]
    running = subprocess.Popen(
        command(spark, *words), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while running.poll() is None and not spark.runs():
        time.sleep(0.1)
    os.kill(running.pid, how)
    _, said = running.communicate()
    if how == signal.SIGINT:
        assert running.returncode == 130, said
        assert len(said.splitlines()) == 1, said
    else:
        with read(spark):
            assert len(spark.runs()) == 1
    assert spark.runs() == []
    assert spark.tables() == ["given"]


HURRIED = """
from setveil.backends.spark import session as spark_session
spark_session.TRIES = spark_session.LAST_TRIES = 2
from setveil.cli.main import main
main()
"""


@pytest.mark.everywhere
@pytest.mark.only_on("connect", reason="there is a line to a server")
def test_a_lost_line(spark: Any) -> None:
    line = Line(int(spark.url.rpartition(":")[2]))
    words = ["k-anonymity", "given", "--k", "3", "--fanout", "2", "--into", "unwritten"]
    words += ["--database", f"sc://127.0.0.1:{line.port}"]
    running = subprocess.Popen(
        [sys.executable, "-c", HURRIED, *words], stderr=subprocess.PIPE, text=True
    )
    while running.poll() is None and not spark.runs():
        time.sleep(0.1)
    line.cut()
    _, said = running.communicate()
    assert running.returncode == 4, said
    left, failed = said.splitlines()
    assert re.fullmatch(r"note: .*setveil_\w+` stays until the next run.*", left), said
    assert re.fullmatch(r"setveil: error: step '\w+' failed: .*connect.*", failed), said
    with read(spark):
        assert len(spark.runs()) == 1
    assert spark.runs() == []
    assert spark.tables() == ["given"]


# Parts

# Relations that one worker finishes: counts, figures for Python, and rows of items, nodes, lengths
# or spans of workers, of which there are few.
OF_ALL = {
    "mask", "coded", "totals", "sizes", "leftover", "losses", "label", "nulls", "leaf", "node",
    "strays", "faults", "path", "ncp_by_level", "widest", "leftovers", "empty", "descent", "held",
    "recoded", "release", "general", "unbearable", "basket", "counted", "check_key",
    "check_transaction", "check_set", "check_held", "check_name", "check_item", "check_unkeyed",
    "check_sizes", "check_counted", "check_nothing", "check_certain", "check_growth", "check_whole",
    "check_judged", "check_verdict", "summary",
}  # fmt: skip
# One worker numbers all rows of these: they are items, nodes or items' places in words.
NUMBERED = {
    "label", "coded", "leaf", "node", "path", "descent", "held", "recoded", "release", "general",
    "check_item", "check_held", "check_name", "sizes", "facet", "mask",
}  # fmt: skip
BUCKETS = {"moved"}  # in k-anonymity, one worker numbers the buckets of a round
OVER_ALL = re.compile(r"(ROW_NUMBER|RANK)\(\) OVER \(\s*ORDER BY")
GATHERED: dict[str, dict[str, Any]] = {
    "uncertainty": {"sensitive": CHOSEN, "rho": "0.4", "parts": 3},
    "coherence": {"k": 3, "p": 2, "private": CHOSEN, "h": "0.8"},
    "km_anonymity": {"k": 3, "m": 2, "fanout": 3},
    "k_anonymity": {"k": 3, "fanout": 3},
}


@pytest.mark.everywhere
@pytest.mark.parametrize("model", GATHERED)
def test_no_worker_must_have_all_rows(
    spark: Any, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """Spark distributes the sorts, joins and counts of large data among its workers."""
    names, gathered, numbered = set(), set(), set()
    backends: list[Backend] = []

    def look(one: Statement) -> None:
        made, _, query = one.text.partition(" AS\n")
        makes = made.startswith("CREATE TABLE")
        if makes or one.question:
            explained = f"EXPLAIN {query if makes else one.text}"
            ((plan,),) = backends[0].rows("plan", explained) if backends else (("",),)
            name = re.sub(r"(_\d+)+$", "", one.name)
            names.add(name)
            if "SinglePartition" in plan:
                gathered.add(name)
            if OVER_ALL.search(one.text):
                numbered.add(name)

    monkeypatch.setattr("setveil.run.session.LARGE", 10)
    opened = Session.__init__

    def keep(self: Session, backend: Backend, **options: Any) -> None:
        opened(self, backend, **options)
        backends.append(backend)

    monkeypatch.setattr(Session, "__init__", keep)
    with read(spark, trace=look) as baskets:
        made = getattr(setveil, model)(baskets, **GATHERED[model]).rows()
    assert "basket" in names
    assert gathered <= OF_ALL | BUCKETS
    assert numbered <= NUMBERED | BUCKETS
    with duckdb.connect() as own:
        own.execute("CREATE TABLE given (tid BIGINT, item VARCHAR)")
        own.executemany("INSERT INTO given VALUES ($1, $2)", PAIRS)
        with setveil.read(own, "given") as baskets:
            assert getattr(setveil, model)(baskets, **GATHERED[model]).rows() == made


# A Spark of its own


@pytest.fixture
def file_in_spark(tmp_path: Path) -> Iterator[str]:
    """The data as a file that a Spark of its own process can read."""
    path = tmp_path / "given.parquet"
    with duckdb.connect() as own:
        own.execute("CREATE TABLE given (tid BIGINT, item VARCHAR)")
        own.executemany("INSERT INTO given VALUES ($1, $2)", PAIRS)
        own.table("given").write_parquet(str(path))
    yield f"parquet.`{path}`"
    assert not list(tmp_path.glob("setveil-spill-*"))


@pytest.mark.only_on("spark", reason="no Spark Connect in this")
def test_a_spark_of_its_own(spark: Any, file_in_spark: str, tmp_path: Path) -> None:
    words = ["itemsets", file_in_spark, "--min-support", "20", "--max-size", "1", "--threads", "1"]
    done = subprocess.run(
        command(spark, *words), capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("note: ") for line in done.stderr.splitlines()), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["given.parquet"]


@pytest.mark.only_on("spark", reason="no Spark Connect in this")
def test_a_spark_of_its_own_that_is_stopped(spark: Any, file_in_spark: str, tmp_path: Path) -> None:
    words = ["k-anonymity", file_in_spark, "--k", "3", "--fanout", "2"]
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
