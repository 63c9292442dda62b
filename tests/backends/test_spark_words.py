"""Statements for Spark, and its errors and silences; no Spark is needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from fractions import Fraction

import duckdb
import pytest
from sqlglot import exp

import oracles
import setveil
import steps
from setveil.backends import opening
from setveil.backends.addresses import refuse_secrets
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.spark import runs as spark_runs
from setveil.errors import InputError
from setveil.sql.step import Step, duck, duck_union, render

QUESTIONS = 12  # of a coherence run with three levels, for numbers of rows


@pytest.mark.parametrize(
    "query, text",
    [
        ("SELECT PACK(t % 63, 63) AS b FROM x",
         "SELECT BIT_OR(SHIFTLEFT(CAST(1 AS BIGINT), CAST(t % 63 AS INT))) AS b FROM x"),
        ("SELECT ONES(x) AS n", "SELECT BIT_COUNT(x) AS n"),
        ("SELECT (a - a % 2) / 2 AS b", "SELECT ( a - a % 2 ) DIV 2 AS b"),
        ("SELECT CAST(a AS DOUBLE) * 5 / b / c AS d",
         "SELECT CAST(a AS DOUBLE) * 5 / b / c AS d"),
        ("SELECT CAST(CAST(a AS DOUBLE) AS BIGINT) / 3 AS d",
         "SELECT CAST(CAST(a AS DOUBLE) AS BIGINT) DIV 3 AS d"),
        ("SELECT LIST(a ORDER BY a) AS b", "SELECT SORT_ARRAY(COLLECT_LIST(a)) AS b"),
        ("SELECT LIST(a ORDER BY b) AS c",
         "SELECT TRANSFORM(SORT_ARRAY(COLLECT_LIST(STRUCT(b AS place, a AS kept))), "
         "pair -> pair.kept) AS c"),
        ("SELECT k, UNNEST(a) AS b FROM t", "SELECT k, EXPLODE(a) AS b FROM t"),
        ("SELECT k, UNNEST(a) AS b, UNNEST(c) AS d FROM t",
         "SELECT k, INLINE(ARRAYS_ZIP(a, c)) AS (b, d) FROM t"),
        ("SELECT LEN(a) - LIST_COUNT(a) AS n",
         "SELECT SIZE(a) - SIZE(ARRAY_COMPACT(a)) AS n"),
        ("SELECT LIST_TRANSFORM(LIST_ZIP(a, b), x -> x[1] + x[2]) AS c",
         "SELECT ZIP_WITH(a, b, (x0, x1) -> x0 + x1) AS c"),
        ("SELECT COALESCE(a, []) AS b", "SELECT COALESCE(a, ARRAY()) AS b"),
        ("SELECT ROW_NUMBER() OVER () AS n", "SELECT MONOTONICALLY_INCREASING_ID() + 1 AS n"),
        ("SELECT ROW_NUMBER() OVER (ORDER BY a) AS n FROM t",
         "SELECT ROW_NUMBER() OVER (ORDER BY a NULLS LAST) AS n FROM t"),
    ],
)  # fmt: skip
def test_what_spark_understands(query: str, text: str) -> None:
    assert " ".join(render(duck(query), "spark").split()) == text


def test_nothing_is_ordered_by_an_order() -> None:
    """DuckDB and PostgreSQL flatten a nested ordering; Spark does not."""
    made = [step for one in steps.TRAVELLING for _, step in steps.SOURCES[one]()]
    for step in made:
        query = step.query if isinstance(step, Step) else step
        assert not any(isinstance(one.this, exp.Ordered) for one in query.find_all(exp.Ordered))


def test_a_table_that_is_made_has_no_order() -> None:
    for query in (
        duck("SELECT a.x AS x FROM a ORDER BY x"),
        duck_union("SELECT a.x AS x FROM a UNION ALL SELECT b.x AS x FROM b ORDER BY x"),
    ):
        assert "ORDER" not in Step("made", "", query).create("spark")
        assert "ORDER" in Step("made", "", query).sql("spark")
        assert "ORDER" in Step("made", "", query).create("duckdb")
    first = duck("SELECT a.x AS x FROM a ORDER BY x LIMIT 3")
    assert "ORDER" in Step("made", "", first).create("spark")


@pytest.mark.only_on("duckdb", reason="DuckDB is made not to tell")
def test_numbers_of_rows_that_are_not_told_are_asked_for(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = oracles.seeded(21, 200)
    promise = {"private": sorted(data.private), "h": Fraction("0.45"), "k": 6, "p": 3}

    def run() -> tuple[object, list[tuple[object, ...]], int]:
        with oracles.read(connection, data) as baskets:
            release = setveil.coherence(baskets, **promise)
            rows = release.relation().fetchall()
            return release.metrics, rows, sum(bool(s.text) for s in baskets.session.statements)

    told = run()
    execute = DuckDB.execute

    def silent(self: DuckDB, name: str, statement: str) -> None:
        execute(self, name, statement)

    monkeypatch.setattr(DuckDB, "execute", silent)
    asked = run()
    assert asked[:2] == told[:2]
    assert told[2] < asked[2] <= told[2] + QUESTIONS


# The process of a run


def test_a_run_is_abandoned_once_its_process_is_no_more() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    place = spark_runs.new_name().split("_")[1]
    dead = f"setveil_{place}_{child.pid}_1_1"
    mine, strange = spark_runs.new_name(), f"setveil_{'0' * 12}_{child.pid}_1_1"
    young = f"setveil_{'0' * 12}_{child.pid}_{time.time_ns() // 1000}_1"
    others = ["setveil_", "setveil_release", f"setveil_{place}_{child.pid}", "default"]
    names = [dead, mine, strange, young, *others]
    assert spark_runs.abandoned(names) == [dead]
    assert spark_runs.forgotten(names) == [strange]


def test_no_two_runs_have_one_name() -> None:
    names = {spark_runs.new_name() for _ in range(100)}
    assert len(names) == 100
    assert all(f"_{os.getpid()}_" in name for name in names)


# Addresses


@pytest.mark.parametrize(
    "url", ["sc://host:15002", "sc://", "spark://local[2]", "spark://local[*]"]
)
def test_urls_without_secrets(url: str) -> None:
    refuse_secrets(url)


@pytest.mark.parametrize("url", ["sc://host:443/;token=abc", "sc://me:abc@host", "spark://a:b@c"])
def test_secrets_are_left_to_the_environment(url: str) -> None:
    with pytest.raises(InputError, match="SPARK_REMOTE"):
        refuse_secrets(url)


def test_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyspark", "pyspark.errors", "pyspark.sql", "setveil.backends.spark.backend"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delattr("setveil.backends.spark.backend", raising=False)
    said = re.escape(f"{sys.executable} -m pip install pyspark-client")
    with pytest.raises(InputError, match=said):
        opening.open_server("sc://host", threads=None, memory_limit=None, note=lambda text: None)


def test_counts_are_asked_in_one_question() -> None:
    from setveil.sql.step import counts

    tree = counts(["a", "b"]).query
    assert isinstance(tree, exp.Select)
    assert tree.named_selects == ["a", "b"]
