"""DuckDB: no macro of a caller's database runs in place of a function of any name.

The databases have macros with the names of all functions and operators of DuckDB. A macro raises an
error or returns its argument, which keeps -0.0.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

import setveil
from setveil.backends import names
from setveil.cli.main import run
from setveil.sql.step import duck, render

ITEMS = "CASE r % 7 WHEN 0 THEN '-0.0' WHEN 1 THEN '0.0' ELSE (r % 4) || '.5' END"
ROWS = f"SELECT r // 3 AS tid, {ITEMS} AS item FROM RANGE(90) AS t (r)"  # noqa: S608
LISTED = f"SELECT tid, LIST(item::FLOAT) AS item FROM ({ROWS}) GROUP BY tid ORDER BY tid"  # noqa: S608
SOURCES = {
    "text": ROWS,
    "floats": f"SELECT tid::DOUBLE * -1 AS tid, item::DOUBLE AS item FROM ({ROWS})",  # noqa: S608
    "lists": LISTED,
    "keyless": f"SELECT item FROM ({LISTED})",  # noqa: S608
}
TREE = f"SELECT DISTINCT item, 'l' || item[1] AS level1 FROM ({ROWS})"  # noqa: S608
# The results of macros; `a` is their first argument.
BODIES = {"error": "CAST('planted' AS INTEGER)", "given": "a"}
TABLE = "TABLE (SELECT 'planted' AS file, 'planted' AS path, 'planted' AS item)"
COHERENT = {"private": ["3.5"], "h": 0.9, "k": 2, "p": 2}
PATTERNS = [["1.5", "2.5"]]


def functions():
    """The names under which DuckDB looks up functions and operators."""
    with duckdb.connect() as connection:
        found = connection.sql("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
    return sorted({name for (name,) in found} | {"row_number", "array_extract"})


def plant(connection, body):
    """Make macros with all these names, except for the few that DuckDB reserves."""
    scalar = [f"({given}) AS {body}" for given in ("a", "a, b", "a, b, c")]
    scalar.append(f"() AS {'7' if body == 'a' else body}")
    table = [f"({given}) AS {TABLE}" for given in ("", "a", "a, b")]
    planted = 0
    for name, forms in itertools.product(functions(), (scalar, table)):
        quoted = exp.to_identifier(name, quoted=True).sql("duckdb")
        with contextlib.suppress(duckdb.CatalogException, duckdb.BinderException):
            connection.execute(f"CREATE MACRO {quoted}{', '.join(forms)}")
            planted += 1
    assert planted > 1500


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    folder, found = tmp_path_factory.mktemp("macros"), {}
    for kind in ("none", *BODIES):
        found[kind] = str(folder / f"{kind}.duckdb")
        with duckdb.connect() as connection:
            for name, query in {**SOURCES, "tree": TREE}.items():
                connection.execute(f"CREATE TABLE {name} AS {query}")
            if kind in BODIES:
                plant(connection, BODIES[kind])
            connection.execute(f"ATTACH '{found[kind]}' AS kept; COPY FROM DATABASE memory TO kept")
    with setveil.read("text", database=found["none"]) as baskets:
        setveil.coherence(baskets, **COHERENT).write(folder / "release.parquet")
    return found


@contextlib.contextmanager
def reading(path, name, *, opened):
    tid = None if name == "keyless" else "tid"
    if not opened:
        with setveil.read(name, database=path, tid=tid) as baskets:
            yield baskets
        return
    with duckdb.connect(path) as connection, setveil.read(connection, name, tid=tid) as baskets:
        yield baskets


def answers(baskets, name, release, key):
    """The results of all commands on a source, as text, which distinguishes -0.0 from 0.0."""
    yield setveil.inspect(baskets, k=2, p=2)
    yield setveil.coherence(baskets, **COHERENT).rows()
    yield setveil.uncertainty(baskets, sensitive=["3.5"], rho=0.4).rows()
    yield setveil.hiding(baskets, patterns=PATTERNS, psi=0.1).rows()
    yield setveil.itemsets(baskets, min_support=3).rows()
    yield setveil.rename(baskets, seed=1, key=key).rows()
    if name in ("text", "floats"):
        yield setveil.km_anonymity(baskets, fanout=2, k=2, m=2).rows()
    if name == "text":
        yield setveil.km_anonymity(baskets, hierarchy="tree", k=2, m=2).rows()
        yield setveil.k_anonymity(baskets, hierarchy="tree", k=2).rows()
        yield setveil.compare(baskets, name, release, k=2, p=2, min_support=3).releases
    yield said(lambda: setveil.verify.coherence(baskets, **COHERENT))
    yield said(lambda: setveil.verify.hiding(baskets, patterns=PATTERNS, psi=0.1, original=name))


def said(verify):
    """The verdict; or that the file is no release, since it has values equal to others."""
    try:
        return verify()
    except setveil.InputError as error:
        return str(error)


@pytest.fixture(scope="module")
def usual():
    """The answers without any macro, for each source."""
    return {}


@pytest.mark.few(1)
@pytest.mark.parametrize("opened", [False, True], ids=["file", "connection"])
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", BODIES)
def test_macros_of_every_name(databases, usual, tmp_path, kind, name, opened):
    def answered(kind):
        path, key = databases[kind], tmp_path / f"{kind}.parquet"
        with reading(path, name, opened=opened) as baskets:
            release = str(Path(path).with_name("release.parquet"))
            return [repr(one) for one in answers(baskets, name, release, key)]

    if (name, opened) not in usual:
        usual[name, opened] = answered("none")
    assert answered(kind) == usual[name, opened]
    assert "-0.0" not in usual[name, opened][1] or name == "text"


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", BODIES)
def test_release_into_the_database_and_its_replay(databases, tmp_path, kind, name, capsys):
    made = []
    for one in ("none", kind):
        out, trail = (str(tmp_path / f"{one}.{end}") for end in ("parquet", "sql"))
        given = [name, "--database", databases[one], "--k", "2", "--p", "2", "--force"]
        given += ["--tid", "tid"] if name != "keyless" else []
        assert run(["coherence", *given, "--out", out, "--trail", trail]) == 0
        assert run(["coherence", *given, "--into", "made"]) == 0
        assert run(["replay", trail]) == 0, capsys.readouterr().err
        with duckdb.connect(databases[one]) as connection:
            made.append((connection.sql("FROM made").fetchall(), Path(out).read_bytes()))
            connection.execute("DROP TABLE made")
    assert repr(made[0]) == repr(made[1])


def looked_up(statement):
    """The functions and operators without a full name in a statement, as DuckDB parses it."""
    query = sqlglot.parse_one(statement, dialect="duckdb")
    text = render(query.expression if isinstance(query, exp.Create) else query)
    with duckdb.connect() as connection:
        tree = connection.execute("SELECT json_serialize_sql($1)", [text]).fetchall()[0][0]
    found = []

    def walk(node):
        if isinstance(node, dict):
            if "function_name" in node and node.get("catalog") != "system":
                found.append(node["function_name"])
            walk(list(node.values()))
        elif isinstance(node, list):
            for one in node:
                walk(one)

    walk(json.loads(tree))
    return found


@pytest.mark.parametrize("name", SOURCES)
def test_what_runs_among_the_callers_names_has_whole_names(databases, name):
    told, tid = [], None if name == "keyless" else "tid"
    with setveil.read(name, database=databases["none"], tid=tid, trace=told.append):
        texts = [one.text for one in told]
    among = texts[texts.index("USE original") + 1 : texts.index("USE run")]
    among = [one for one in among if not one.startswith("SET ")]
    assert any(one.startswith("CREATE TABLE") for one in among)
    assert [looked_up(one) for one in among] == [[] for _ in among]
    assert looked_up("SELECT ABS(x), x || 'a', COUNT(*) OVER () FROM t") != []


@pytest.mark.parametrize("text", ["x + 1", "x || 'a'", "-x", "x LIKE 'a'", "[x]", "{'a': x}"])
def test_operators_without_a_full_name_are_refused(text):
    with pytest.raises(TypeError, match="no full name"):
        names.with_full_names(duck(f"SELECT {text} AS y FROM t"))  # noqa: S608


def test_a_database_has_no_extension_loaded(databases):
    remote = "SELECT 1 AS tid, item FROM READ_PARQUET('s3://nowhere/of.parquet')"
    with pytest.raises(setveil.InputError, match="requires the extension httpfs to be loaded"):
        setveil.read(remote, database=databases["none"])
