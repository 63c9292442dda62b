"""Statements shown for databases that they were never run on: whole, and in their own words."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.run.session import Statement
from setveil.sql.dialects import EXPORTS
from setveil.sql.step import Step, duck

OURS = re.compile(r"\b(PACK|ONES|BITSTRING_AGG|LIST_COUNT|READ_PARQUET|GETVARIABLE)\b")
COUNTS = {
    "bigquery": r"BIT_COUNT\(\w+\.bits & \w+\.bits\)",
    "clickhouse": r"bitCount\(bitAnd\(\w+\.bits, \w+\.bits\)\)",
    "databricks": r"BIT_COUNT\(\w+\.bits & \w+\.bits\)",
    "redshift": r"TO_HEX\(CAST\(\w+\.bits & \w+\.bits AS BIGINT\)\)",
    "snowflake": r"TO_CHAR\(CAST\(BITAND\(\w+\.bits, \w+\.bits\) AS BIGINT\), 'X{16}'\)",
    "trino": r"BIT_COUNT\(BITWISE_AND\(\w+\.bits, \w+\.bits\), 64\)",
}


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exports") / "sales.parquet"
    duckdb.sql("SELECT 1 AS tid, 'a' AS item").write_parquet(str(path))
    return path


@cache
def explained(sales: Path, dialect: str) -> list[Statement]:
    """What every model would run."""
    statements = []
    models = [
        lambda b: setveil.coherence(b, k=2, p=3, h="0.5", private=["a"], plan="bits"),
        lambda b: setveil.hiding(b, patterns=[("a", "b")], psi="0.5"),
        lambda b: setveil.itemsets(b, min_support=2),
        lambda b: setveil.km_anonymity(b, k=2, m=2, fanout=2),
        lambda b: setveil.k_anonymity(b, k=2, fanout=2),
        lambda b: setveil.uncertainty(b, sensitive=["a"], rho="0.5"),
    ]
    for model in models:
        with setveil.read(sales, explain=True, dialect=dialect) as baskets:
            model(baskets)
            statements += baskets.session.statements
    return [one for one in statements if one.text and one.name not in ("input", "settings", "run")]


@pytest.mark.few(2)
@pytest.mark.parametrize("dialect", EXPORTS)
def test_statements_are_of_the_dialect(sales: Path, dialect: str) -> None:
    statements = explained(sales, dialect)
    assert len(statements) > 200
    for one in statements:
        assert not OURS.search(one.text), one
        (tree,) = sqlglot.parse(one.text, dialect=dialect)
        assert isinstance(tree, exp.Query | exp.Create | exp.Insert | exp.Drop), one
    shown = "\n".join(one.text for one in statements)
    assert re.search(COUNTS[dialect], shown)
    assert ("MergeTree" in shown) == (dialect == "clickhouse")


@pytest.mark.few(2)
@pytest.mark.parametrize("dialect", EXPORTS)
def test_the_source_is_the_table_of_that_name(sales: Path, dialect: str) -> None:
    (source,) = {one.text for one in explained(sales, dialect) if one.name == "source"}
    (tree,) = sqlglot.parse(source, dialect=dialect)
    assert tree is not None
    assert [table.name for table in tree.find_all(exp.Table)] == ["source", "sales"]


@pytest.mark.parametrize("dialect", ["redshift", "snowflake"])
def test_the_bits_that_are_counted_by_digits(dialect: str) -> None:
    """The text for a database without a function, with its words taught to DuckDB."""
    step = Step("bits", "counts bits", duck("SELECT ONES(w.word) AS n FROM w"))
    text = step.sql(dialect).replace("TO_CHAR", "AS_HEX").replace("TO_HEX(", "AS_HEX(16, ")
    text = text.replace("VARCHAR(MAX)", "VARCHAR")
    text = re.sub(r"AS_HEX\((CAST\(w.word AS BIGINT\)), 'X+'\)", r"AS_HEX(16, \1)", text)
    chance = random.Random(5)
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO AS_HEX(width, a) AS LPAD(HEX(a), width, ' ')")
        for word in (0, 1, 2**62, 2**63 - 1, *(chance.getrandbits(63) for _ in range(50))):
            connection.execute(
                "CREATE OR REPLACE TABLE w AS SELECT CAST(? AS BIGINT) AS word", [word]
            )
            assert connection.execute(text).fetchall() == [(word.bit_count(),)]


def test_other_dialects_are_refused(sales: Path) -> None:
    with pytest.raises(InputError, match="none of bigquery"):
        setveil.read(sales, explain=True, dialect="oracle")
    with pytest.raises(InputError, match="add explain=True"):
        setveil.read(sales, dialect="trino")


def test_the_command_shows_them(sales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--k", "2", "--m", "2", "--fanout", "2", "--explain", "--dialect"]
    assert run(["km-anonymity", str(sales), *options, "snowflake"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("-- Untested: ")
    assert 'FROM "sales"' in shown
    assert "SET VARIABLE" not in shown and "USE run" not in shown
    assert run(["km-anonymity", str(sales), *options, "oracle"]) == 2
