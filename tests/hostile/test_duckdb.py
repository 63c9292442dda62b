"""DuckDB: macros and views with our names in a caller's database do not change a run."""

from __future__ import annotations

import duckdb
import pytest

import setveil
from setveil.cli.main import run

MACROS = (
    "sum(x) AS 0", "count(x) AS 0", "min(x) AS NULL", "max(x) AS NULL", "bit_count(x) AS 0",
    "bitstring_agg(x, y, z) AS NULL", "lower(x) AS 'm'", "len(x) AS 0", "length(x) AS 0",
    "list_count(x) AS 0", "row_number() AS 7", "md5(x) AS 'm'", "md5_number_lower(x) AS 0",
    "sha256(x) AS 'm'", "abs(x) AS 0", "current_database() AS 'm'", "current_schema() AS 'm'",
    "current_setting(x) AS 'm'", "getvariable(x) AS 'm'", "list_transform(x, y) AS NULL",
    "list_extract(x, y) AS 'a'", "list_zip(x, y) AS NULL", "array_to_string(x, y) AS 'm'",
    "bit_or(x) AS 0", "ln(x) AS 0", "log(x) AS 0", "string_agg(x, y) AS 'm'",
    "group_concat(x, y) AS 'm'", "to_json(x) AS 'm'", "regexp_matches(x, y) AS FALSE",
    "json_serialize_plan(x) AS 'm'", "glob(x) AS TABLE SELECT 'm' AS file",
    "duckdb_databases() AS TABLE SELECT 'm' AS path, 'm' AS database_name",
    "duckdb_tables() AS TABLE SELECT 'm' AS table_name",
)  # fmt: skip
VIEWS = ("item", "basket", "label", "occurrence", "release", "suppressed", "source", "named",
         "posting", "seal", "suppressed_item", "duckdb_tables", "duckdb_views")  # fmt: skip
SALES = "SELECT r // 3 AS tid, 'i' || (r * 7919 % 5) AS item FROM RANGE(60) AS t (r)"
TREE = "SELECT 'i' || r AS item, 'l' || (r // 2) AS level1 FROM RANGE(5) AS t (r)"
COHERENT = {"private": "where:name = 'i4'", "h": 0.9, "k": 3, "p": 2}


def filled(connection, *, hostile):
    connection.execute(f"CREATE TABLE sales AS {SALES}; CREATE TABLE tree AS {TREE}")
    if hostile:
        for macro in MACROS:
            name, _, rest = macro.partition("(")
            connection.execute(f'CREATE MACRO "{name}"({rest}')
        for view in VIEWS:
            connection.execute(f"CREATE VIEW {view} AS SELECT 1 AS tid, 'm' AS item, 'm' AS name")


def released(source, table=None, **options):
    with setveil.read(source, table, **options) as baskets:
        found = [setveil.coherence(baskets, **COHERENT).rows()]
        found.append(setveil.uncertainty(baskets, sensitive=["i4"], rho=0.2).rows())
        found.append(setveil.km_anonymity(baskets, hierarchy="tree", k=3, m=2).rows())
        found.append(setveil.inspect(baskets, k=3, p=2))
    return found[:-1], found[-1].transactions


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("as_file", [True, False], ids=["file", "connection"])
def test_macros_and_views_of_the_callers_database(tmp_path, as_file):
    made = []
    for hostile in (False, True):
        path = str(tmp_path / f"{hostile}.duckdb")
        with duckdb.connect(path) as connection:
            filled(connection, hostile=hostile)
            if not as_file:
                made.append(released(connection, "sales"))
        if as_file:
            made.append(released("sales", database=path))
    assert made[0] == made[1]


@pytest.mark.parametrize("command", ["verify coherence", "compare", "itemsets", "coherence"])
def test_commands(tmp_path, command, capsys):
    made = []
    for hostile in (False, True):
        path = str(tmp_path / f"{hostile}.duckdb")
        with duckdb.connect(path) as connection:
            filled(connection, hostile=hostile)
        options = {
            "verify coherence": ["--k", "30", "--p", "2"],
            "compare": ["sales", "--k", "3", "--p", "2"],
            "itemsets": ["--min-support", "2", "--into", "kept", "--force"],
            "coherence": ["--k", "3", "--p", "2", "--private", "where:name = 'i4'", "--h", "0.9",
                          "--into", "kept", "--force"],
        }[command]  # fmt: skip
        code = run([*command.split(), "sales", *options, "--database", path, "--quiet"])
        told = capsys.readouterr()
        with duckdb.connect(path) as connection:
            rows = connection.sql("FROM kept").fetchall() if "kept" in options else []
        made.append((code, told.err, rows))
    assert made[0] == made[1]
