"""Queries are given names, lists, persons and originals of any characters and in any place."""

from __future__ import annotations

import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from calls import call_of, shop
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.sql.dialects import EXPORTS, TESTED
from setveil.verify import query

GOLDEN = Path(__file__).parents[1] / "golden" / "query"
PROMISES = {
    "coherence": {"k": 3, "p": 2, "h": "0.6", "private": ["milk"]},
    "k-anonymity": {"k": 3},
    "km-anonymity": {"k": 3, "m": 2},
    "uncertainty": {"sensitive": ["milk"], "rho": "0.4", "max_knowledge": 2},
    "hiding": {"patterns": [["bread", "milk"]], "psi": "0.2"},
    "permutation": {"sensitive": ["milk"], "degree": 3},
}
HOSTILE = ["it's", 'quo"te', "back\\slash", "new\nline", "semi;--", "É", "$$", "{{ x }}", "/* */"]


@pytest.fixture
def rows():
    """A release in which every item is frequent, and an empty connection for it."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE safe AS SELECT range AS tid, 'a' AS item FROM RANGE(5)")
        yield connection


def asked(model: str, **more: object) -> str:
    original = {"original_table": "source"} if model == "hiding" else {}
    return query(model, "shop", **{**PROMISES[model], **original, **more})


def kept(path: Path, text: str, request: pytest.FixtureRequest) -> None:
    text = text.replace(version("setveil"), "VERSION") + "\n"
    if request.config.getoption("--update-golden"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("model", REGISTRY)
def test_the_query_is_as_it_was(model, request):
    kept(GOLDEN / f"{model}.sql", asked(model), request)


@pytest.mark.parametrize("dialect", [*TESTED[1:], *EXPORTS])
def test_the_query_of_a_dialect_is_as_it_was(dialect, request):
    text = asked("coherence", p=1, person="store", dialect=dialect)
    kept(GOLDEN / f"coherence.{dialect}.sql", text, request)


def test_no_query_is_left_over():
    files = {path.stem for path in GOLDEN.glob("*.sql")}
    assert files == {*REGISTRY, *(f"coherence.{one}" for one in (*TESTED[1:], *EXPORTS))}


@pytest.mark.few(1)
@pytest.mark.parametrize("dialect", EXPORTS)
def test_a_query_that_was_not_run_is_one_select_that_says_so(dialect):
    for model in REGISTRY:
        text = asked(model, dialect=dialect)
        (tree,) = sqlglot.parse(text, dialect=dialect)
        assert isinstance(tree, exp.Select)
        assert f"-- Not run: no query of this form was run on {dialect}.\n" in text
        assert not [one for one in ("ONES(", "HIGH(", "LOW(", "PACK(") if f" {one}" in text]
    assert "-- Not run" not in asked("k-anonymity", dialect="postgres")


def test_clickhouse_is_told_that_no_match_is_null():
    assert asked("k-anonymity", dialect="clickhouse").endswith("\nSETTINGS join_use_nulls = 1")


def test_snowflake_is_told_names_as_it_stores_them():
    text = asked("k-anonymity", tid="basket", item="Sku", dialect="snowflake")
    assert 'r."BASKET"' in text and 'r."Sku"' in text and 'FROM "SHOP"' in text


@pytest.mark.few(4)
@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_their_characters(rows, name):
    """In a list, in the data, and as a column and a table."""
    quoted = '"' + name.replace('"', '""') + '"'
    rows.execute(f"CREATE TABLE {quoted} AS SELECT tid AS {quoted}, item FROM safe")  # noqa: S608
    rows.execute(f"INSERT INTO {quoted} VALUES (1, ?), (2, ?)", [name, name])  # noqa: S608
    promise = {"k": 1, "p": 1, "h": "0.3", "private": [name]}
    found = rows.execute(query("coherence", quoted, tid=name, **promise)).fetchall()
    assert [(row[4], row[5]) for row in found] == [(name, 2)]
    kept = {**promise, "h": "0.4"}
    assert not rows.execute(query("coherence", quoted, tid=name, **kept)).fetchall()


@pytest.mark.parametrize("name", ["back\\slash", "new\nline", "É", "\x7f"])
def test_names_that_a_dialect_could_read_otherwise_are_refused(name):
    for dialect, given in zip(
        EXPORTS,
        (
            {"private": [name], "h": "0.5", "k": 2, "p": 1},
            {"k": 2, "p": 1, "tid": name},
            {"k": 2, "p": 1, "item": name},
            {"k": 2, "p": 1, "person": name},
            {"k": 2, "p": 1, "list_table": name, "h": "1"},
            {"k": 2, "p": 1, "public": [name]},
        ),
        strict=True,
    ):
        with pytest.raises(InputError, match=f"not written for {dialect}"):
            query("coherence", "shop", dialect=dialect, **given)


@pytest.mark.parametrize("table", ["", "a b", "a;b", "SELECT 1", "a.b.c.d", "a.", 'a"b', '"a'])
def test_texts_that_are_no_tables_are_refused(table):
    with pytest.raises(InputError, match="no name of a table"):
        query("k-anonymity", table, k=2)


def test_tables_are_named_with_their_schemas(rows):
    rows.execute('CREATE SCHEMA "my shop"; CREATE TABLE "my shop".safe AS FROM safe')
    assert not rows.execute(query("k-anonymity", '"my shop".safe', k=5)).fetchall()
    assert rows.execute(query("k-anonymity", 'memory."my shop".safe', k=6)).fetchall()


def test_the_relations_of_the_query_are_no_tables_of_the_caller(rows):
    with pytest.raises(InputError, match="name the schema"):
        query("k-anonymity", "check_key", k=2)
    rows.execute("CREATE TABLE check_key AS FROM safe")
    assert not rows.execute(query("k-anonymity", "main.check_key", k=5)).fetchall()


@pytest.mark.parametrize("model", REGISTRY)
def test_an_empty_release_is_a_row(rows, model):
    rows.execute("CREATE TABLE source AS SELECT 1 AS tid, 'milk' AS item, 1 AS \"group\"")
    rows.execute("CREATE TABLE shop AS FROM source WHERE FALSE")
    rows.execute("CREATE TABLE shop_sensitive AS SELECT 1 AS \"group\", 'milk' AS item, 1 AS count")
    found = rows.execute(asked(model)).fetchall()
    assert "the release is empty" in {row[0] for row in found}


def test_rows_that_no_promise_covers_are_violations(rows):
    rows.execute("INSERT INTO safe VALUES (NULL, 'a'), (9, NULL), (9, NULL)")
    found = rows.execute(query("k-anonymity", "safe", k=1)).fetchall()
    assert [(row[0], row[2]) for row in found] == [
        ("rows without item", 2),
        ("rows without transaction id", 1),
    ]


def test_persons_are_found_in_another_table(rows):
    rows.execute("CREATE TABLE buyers AS SELECT tid, tid % 2 AS who FROM safe")
    given = {"person": "who", "persons_table": "buyers"}
    assert not rows.execute(query("k-anonymity", "safe", k=2, **given)).fetchall()
    ((_, items, transactions, persons, *_),) = rows.execute(
        query("k-anonymity", "safe", k=3, **given)
    ).fetchall()
    assert (items, transactions, persons) == ("a", 5, 2)
    rows.execute("INSERT INTO buyers VALUES (1, 0); DELETE FROM buyers WHERE tid IN (2, 3)")
    found = rows.execute(query("k-anonymity", "safe", k=2, **given)).fetchall()
    assert [(row[0], row[2]) for row in found] == [
        ("transactions with rows of several persons", 1),
        ("transactions without a person", 2),
    ]


def test_a_list_can_be_a_table(rows):
    rows.execute("INSERT INTO safe VALUES (1, 'b'); CREATE TABLE listed AS SELECT 'b' AS item")
    given = {"k": 1, "p": 1, "list_table": "listed"}
    found = rows.execute(query("coherence", "safe", h="0.1", **given)).fetchall()
    assert [row[4] for row in found] == ["b"]
    assert not rows.execute(query("coherence", "safe", h="0.2", **given)).fetchall()
    rows.execute("UPDATE listed SET item = 'c'")
    found = rows.execute(query("coherence", "safe", h="0.2", **given)).fetchall()
    assert [row[0] for row in found] == ["the release holds no item of the list private"]
    allowed = query("coherence", "safe", h="0.2", ignore_unknown=True, **given)
    assert not rows.execute(allowed).fetchall()


def test_lists_are_read_with_their_empty_ones(rows):
    rows.execute("CREATE TABLE listed AS SELECT 1 AS tid, ['a', 'a', 'b'] AS item")
    rows.execute("INSERT INTO listed VALUES (2, ['b', 'a']), (3, []), (4, [])")
    given = {"lists": True}
    assert not rows.execute(query("k-anonymity", "listed", k=2, **given)).fetchall()
    found = rows.execute(query("k-anonymity", "listed", k=3, **given)).fetchall()
    assert [row[1:3] for row in found] == [("a, b", 2), (None, 2)]
    rows.execute("INSERT INTO listed VALUES (NULL, ['a']), (5, [NULL]), (6, NULL), (1, ['c'])")
    found = rows.execute(query("k-anonymity", "listed", k=1, **given)).fetchall()
    assert [(row[0], row[2]) for row in found] == [
        ("rows with the transaction id of another row", 1),
        ("rows without item", 2),
        ("rows without transaction id", 1),
    ]


def test_lists_are_not_read_as_items(rows):
    """Else each list would be an item, and a release could pass."""
    rows.execute("CREATE TABLE listed AS SELECT 1 AS tid, ['a', 'b'] AS item")
    found = rows.execute(query("k-anonymity", "listed", k=1)).fetchall()
    assert [row[0] for row in found] == [
        "the column of items holds lists: ask for the query with --lists"
    ]


def test_rows_of_a_list_table_without_ids_are_transactions(rows):
    rows.execute("CREATE TABLE listed AS SELECT ['a', 'b'] AS item FROM RANGE(3)")
    given = {"lists": True, "tid": "rowid"}
    assert not rows.execute(query("k-anonymity", "listed", k=3, **given)).fetchall()
    assert rows.execute(query("k-anonymity", "listed", k=4, **given)).fetchall()


def test_a_condition_chooses_items_of_the_release(rows):
    """Names have the type of their column: numbers are compared as numbers."""
    rows.execute("CREATE TABLE codes AS SELECT tid, 9 AS item FROM safe")
    rows.execute("INSERT INTO codes VALUES (1, 10), (2, 10)")
    for condition, secret in (("name > 9", "10"), ("support < 3", "10"), ("NAME < 10", "9")):
        text = query("coherence", "codes", k=1, p=1, private=f"where:{condition}", h="0.1")
        assert {row[4] for row in rows.execute(text).fetchall()} == {secret}
    nothing = {"k": 1, "p": 1, "private": "where:support > 9", "h": "0.1"}
    found = rows.execute(query("coherence", "codes", **nothing)).fetchall()
    assert [row[0] for row in found] == ["the release holds no item of the list private"]
    assert not rows.execute(query("coherence", "codes", ignore_unknown=True, **nothing)).fetchall()


def test_each_slice_is_judged(rows):
    """Two of five transactions hold `b`: together they are enough, but not in the second slice."""
    rows.execute("CREATE TABLE target AS SELECT tid, item, 1 AS slice FROM safe")
    rows.execute("INSERT INTO target SELECT tid + 5, item, tid FROM safe WHERE tid IN (1, 2)")
    assert not rows.execute(query("k-anonymity", "target", k=2)).fetchall()
    found = rows.execute(query("k-anonymity", "target", k=2, slices=True)).fetchall()
    assert [row[:4] for row in found] == [("a class has fewer than k", "2", "a", 1)]
    found = rows.execute(query("coherence", "target", k=2, p=1, slices=True)).fetchall()
    assert [row[:4] for row in found] == [
        ("a slice, or all of them, has fewer than k", "2", None, 1),
        ("fewer than k hold these items", "2", "a", 1),
    ]
    rows.execute("UPDATE target SET slice = 3 WHERE tid = 1; INSERT INTO target VALUES (1, 'a', 4)")
    found = rows.execute(query("k-anonymity", "target", k=1, slices=True)).fetchall()
    assert [(row[0], row[3]) for row in found] == [("transactions in two slices", 1)]


def test_a_limit_leaves_the_total(rows):
    rows.execute("INSERT INTO safe VALUES (1, 'b'), (2, 'c'), (2, 'd'), (3, 'd')")
    text = query("coherence", "safe", k=4, p=1, limit=2)
    assert "-- It returns a row per violation, 2 at most." in text
    assert [(row[1], row[-1]) for row in rows.execute(text).fetchall()] == [("b", 3), ("c", 3)]


def test_each_guest_is_a_person(rows):
    rows.execute("CREATE TABLE visits AS SELECT tid, item, NULLIF(tid, 1) // 3 AS who FROM safe")
    given = {"person": "who", "guests": "own"}
    assert not rows.execute(query("k-anonymity", "visits", k=3, **given)).fetchall()
    ((*_, persons, _, _, _, _),) = rows.execute(
        query("k-anonymity", "visits", k=4, **given)
    ).fetchall()
    assert persons == 3  # 0, 1, and the guest
    rows.execute("CREATE TABLE buyers AS SELECT tid, who FROM visits WHERE tid <> 4")
    given["persons_table"] = "buyers"
    found = rows.execute(query("k-anonymity", "visits", k=2, **given)).fetchall()
    assert [(row[0], row[2]) for row in found] == [("transactions without a person", 1)]


def test_patterns_can_be_a_table(rows):
    rows.execute("INSERT INTO safe VALUES (1, 'b')")
    rows.execute("CREATE TABLE hidden AS SELECT 7 AS pattern, UNNEST(['a', 'b']) AS item")
    given = {"original_table": "safe", "list_table": "hidden"}
    found = rows.execute(query("hiding", "safe", psi=0, **given)).fetchall()
    assert [row[:3] for row in found] == [("too many hold the pattern", "a, b", 1)]
    assert not rows.execute(query("hiding", "safe", psi=1, **given)).fetchall()
    rows.execute("INSERT INTO hidden VALUES (8, 'b'), (8, 'unknown')")
    found = rows.execute(query("hiding", "safe", psi=1, **given)).fetchall()
    assert [row[:2] for row in found] == [
        ("neither side holds all items of the pattern", "b, unknown")
    ]


@pytest.mark.parametrize(
    ("model", "given", "said"),
    [
        ("uncertainty", {"sensitive": ["a"], "rho": "0.5"}, "max_knowledge"),
        ("uncertainty", {"rho": "0.5", "max_knowledge": 1}, "needs sensitive="),
        ("hiding", {"patterns": [["a"]]}, "original_table="),
        ("hiding", {"patterns": [["a"]], "original_table": "s", "person": "x"}, "persons"),
        ("coherence", {"k": 2, "p": 1, "private": ["a"]}, "needs h="),
        (
            "coherence",
            {"k": 2, "p": 1, "private": "where:support < 2", "h": "1", "dialect": "trino"},
            "a condition is not written for trino",
        ),
        ("coherence", {"k": 2, "p": 1, "private": "where:tid = 2", "h": "1"}, "neither name nor"),
        ("k-anonymity", {"k": 2, "lists": True, "dialect": "snowflake"}, "view with one item per"),
        ("permutation", {"sensitive": ["a"], "degree": 2, "lists": True}, "one item per row"),
        ("hiding", {"patterns": [["a"]], "original_table": "s", "slices": True}, "leave slices="),
        ("k-anonymity", {"k": 2, "guests": "own"}, "name person= too"),
        ("k-anonymity", {"k": 2, "limit": 0}, "limit= is at least 1"),
        ("k-anonymity", {"k": 2, "guests": "all", "person": "who"}, "guests= is own"),
        ("coherence", {"k": 2, "p": 1, "private": ["a"], "list_table": "t"}, "both name"),
        ("km-anonymity", {"k": 2, "m": 1, "list_table": "t"}, "no list"),
        ("k-anonymity", {"k": 2, "persons_table": "t"}, "needs person="),
        ("k-anonymity", {"k": 2, "original_table": "t"}, "no original"),
        ("k-anonymity", {"k": 0}, "k is a whole number"),
        ("k-anonymity", {"k": 2, "typo": 1}, "no parameter 'typo'"),
        ("k-anonymity", {"k": 2, "dialect": "oracle"}, "none of bigquery"),
        ("hiding", {"patterns": [["a"]], "original_table": "s", "level": "l"}, "level"),
    ],
)
def test_promises_that_a_query_cannot_check_are_refused(model, given, said):
    with pytest.raises(InputError, match=said):
        query(model, "t", **given)


def test_the_command_prints_a_query_that_duckdb_runs(tmp_path, monkeypatch, capsys):
    """An auditor has the release, the list, and a shell of the database."""
    shop(tmp_path)
    monkeypatch.chdir(tmp_path)
    for model in ("coherence", "k-anonymity", "km-anonymity"):
        words = ["verify", model, "shop.parquet", *call_of(model).promise.split()]
        code = run(words)
        capsys.readouterr()
        assert run([*words, "--query"]) == 0
        said = capsys.readouterr()
        assert "note: the query counts transactions, not persons" in said.err
        assert ("misspelt" in said.err) == ("--private" in words)
        rows = duckdb.sql(said.out).fetchall()
        assert bool(rows) == (code == 1)


@pytest.mark.only_on("postgres", reason="psql is a shell of PostgreSQL")
def test_an_auditor_needs_psql_alone(server, tmp_path, capsys):
    """The release, the list, one query: no row of a release that holds, else its violations."""
    if shutil.which("psql") is None:
        pytest.skip("psql is not installed")
    columns = {"basket": "INTEGER", "product": "VARCHAR"}
    good = [(tid, item) for tid in range(5) for item in ("bread", "it's")]
    server.put("good", columns, good)
    server.put("Bad one", columns, [*good, (1, "rx"), (2, "rare")])
    (tmp_path / "rx.txt").write_text("rx\n")
    words = ["--tid", "basket", "--item", "product", "--k", "5", "--p", "2", "--h", "0.3"]
    words += ["--private", str(tmp_path / "rx.txt"), "--ignore-unknown", "--query"]
    found = []
    for table in ("good", '"Bad one"'):
        assert run(["verify", "coherence", table, *words, "--dialect", "postgres"]) == 0
        said = capsys.readouterr()
        assert "a misspelt name is not covered" in said.err
        (tmp_path / "check.sql").write_text(said.out)
        shell = ["psql", server.url, "-X", "-A", "-t", "-F", ",", "-f", str(tmp_path / "check.sql")]
        done = subprocess.run(shell, capture_output=True, text=True, check=True)
        assert not done.stderr
        found.append(done.stdout.splitlines())
    assert found == [[], ["fewer than k hold these items,rare,1,,,,,1"]]


def test_the_database_of_the_command_names_the_dialect(capsys):
    words = "verify k-anonymity sales --k 2 --query --database postgres://nowhere/shop".split()
    assert run(words) == 0
    assert 'COLLATE "C"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "more",
    ["--explain", "--json", "--drop-nulls", "--persons-of s --person p", "--key k", "--dialect no"],
)
def test_options_that_a_query_cannot_obey_are_refused(more, capsys):
    assert run(f"verify k-anonymity sales --k 2 --query {more}".split()) == 2
    assert capsys.readouterr().out.count("WITH") == 0


def test_options_of_a_query_need_it(tmp_path, capsys):
    shop(tmp_path)
    words = f"verify uncertainty {tmp_path}/shop.parquet --rho 0.5 --list-table t".split()
    assert run(words) == 2
    assert "add --query" in capsys.readouterr().err
    assert run(words[:-2]) == 2
    assert "needs --sensitive" in capsys.readouterr().err
