"""A table is made in the place that its name says; the name is read like a source's."""

from __future__ import annotations

import duckdb
import pytest

import setveil
from runs import suppress
from setveil.cli.main import run
from setveil.errors import InputError

WHERE = "SELECT schema_name || '|' || table_name FROM duckdb_tables() WHERE NOT internal ORDER BY 1"
NAMES = [
    ("safe", "main|safe"), ("sales.safe", "sales|safe"), ('"sales"."safe"', "sales|safe"),
    ('"a.b".safe', "a.b|safe"), ('sales."x.y"', "sales|x.y"), ("SALES.safe", "sales|safe"),
    ("main.safe", "main|safe"), ('sales."o""b"', 'sales|o"b'), ("odd name", "main|odd name"),
]  # fmt: skip
REFUSED = [
    ("gone.safe", "there is no schema 'gone'; the schemas are: 'a.b', 'main', 'sales'"),
    ('"gone"."safe"', "there is no schema 'gone'"),
    ("information_schema.safe", "there is no schema 'information_schema'"),
    ("pg_catalog.safe", "there is no schema 'pg_catalog'"),
    ("elsewhere.main.safe", "a release goes to the database of the source"),
    ("temp.main.safe", "a release goes to the database of the source"),
    ("", "is no name for a table"),
]


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("a.duckdb") as connection:
        connection.execute('CREATE SCHEMA sales; CREATE SCHEMA "a.b"')
        connection.execute("CREATE TABLE sales.t AS SELECT range AS tid, 'a' AS item FROM RANGE(9)")
    return tmp_path


def tables():
    with duckdb.connect("a.duckdb") as connection:
        return [name for (name,) in connection.execute(WHERE).fetchall()]


def words(into, *more):
    return [
        "coherence", "sales.t", "--database", "a.duckdb", "--k", "2", "--p", "1",
        "--into", into, *more,
    ]  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "place"), NAMES)
def test_a_name_with_its_schema(shop, capsys, name, place):
    assert run(words(name, "--trail", "t.sql")) == 0
    assert tables() == sorted(["sales|t", place])
    assert run(["replay", "t.sql"]) == 0
    assert run(["verify", "coherence", name, "--database", "a.duckdb", "--k", "2", "--p", "1"]) == 0
    assert run(["compare", "sales.t", name, "--database", "a.duckdb"]) == 0
    assert run(words(name)) == 2
    assert "exists: choose another name" in capsys.readouterr().err
    assert run(words(name, "--force")) == 0
    assert tables() == sorted(["sales|t", place])


@pytest.mark.parametrize(("name", "said"), REFUSED)
def test_a_place_that_is_not_there(shop, capsys, name, said):
    with duckdb.connect("elsewhere.duckdb"):
        pass
    assert run(words(name, "--force")) == 2
    assert said in capsys.readouterr().err
    assert tables() == ["sales|t"]
    with duckdb.connect("a.duckdb") as connection:
        connection.execute("ATTACH 'elsewhere.duckdb' AS elsewhere")
        with setveil.read(connection, "sales.t") as baskets:
            with pytest.raises(InputError, match=said.partition(";")[0]):
                suppress(baskets).write_table(name, force=True)


def test_beside_a_connection(shop):
    """A bare name is in the connection's schema; its database can be named too."""
    with duckdb.connect("a.duckdb") as connection:
        connection.execute("USE sales")
        with setveil.read(connection, "t") as baskets:
            release = suppress(baskets)
            for name in ("safe", "main.safe", 'a."a.b".safe'):
                release.write_table(name)
                with pytest.raises(InputError, match="exists"):
                    release.write_table(name)
            for name in ("t", "sales.t", "a.sales.t", '"a"."sales"."T"'):
                with pytest.raises(InputError, match="was read from"):
                    release.write_table(name, force=True)
    assert tables() == ["a.b|safe", "main|safe", "sales|safe", "sales|t"]


def test_a_table_of_exactly_that_name(shop, capsys):
    """The exact name counts first, as for a source."""
    with duckdb.connect("a.duckdb") as connection:
        connection.execute('CREATE TABLE "sales.safe" (x INTEGER)')
    assert run(words("sales.safe")) == 2
    assert "'sales.safe' exists" in capsys.readouterr().err
    assert run(words("sales.safe", "--force")) == 0
    assert tables() == ["main|sales.safe", "sales|t"]


def test_explaining_names_the_place(shop):
    with setveil.read("sales.t", database="a.duckdb", explain=True) as baskets:
        suppress(baskets).write_table("sales.safe")
        text = baskets.session.statements[-1].text
    assert text.startswith('CREATE TABLE "target"."sales"."safe"')
