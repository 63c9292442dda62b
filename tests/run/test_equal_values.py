"""Two values are the same item exactly if the release prints them alike; so are transactions."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, read_parquet, rows_of, suppress
from setveil import verify
from setveil.errors import InputError


def released(path: Path, target: Path) -> list[list[str]]:
    """The rows of the release without anything suppressed, as text."""
    with setveil.read(path) as baskets:
        suppress(baskets).write(target)
    return texts_in(target)


def texts_in(target: Path) -> list[list[str]]:
    if target.suffix in (".csv", ".tsv"):
        mark = "\t" if target.suffix == ".tsv" else ","
        with target.open(newline="", encoding="utf-8") as file:
            return list(csv.reader(file, delimiter=mark))[1:]
    return [[str(one) for one in row] for row in read_parquet(target)]


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", ["FLOAT", "DOUBLE"])
@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv"])
@pytest.mark.parametrize("twins", ["0.0 -0.0", "nan -nan"])
def test_floats_have_one_form(tmp_path, kind, suffix, twins):
    """From a table: Parquet's dictionaries know but one NaN."""
    plain, other = twins.split()
    with duckdb.connect() as connection:
        values = f"IF(range = 3, '{other}', '{plain}')::{kind} AS item"
        connection.execute(f"CREATE TABLE t AS SELECT range AS tid, {values} FROM RANGE(8)")  # noqa: S608
        with setveil.read(connection, "t") as baskets:
            suppress(baskets).write(tmp_path / f"out{suffix}")
    assert texts_in(tmp_path / f"out{suffix}") == [[str(n), plain] for n in range(8)]


@pytest.mark.parametrize("kind", ["FLOAT", "DOUBLE"])
def test_lists_of_floats_have_one_form(tmp_path, kind):
    query = (
        f"SELECT range AS tid, ['1.5', IF(range = 0, '-0.0', '0.0')]::{kind}[] AS item "  # noqa: S608
        "FROM RANGE(3)"
    )
    path = parquet(tmp_path / "a.parquet", query)
    assert released(path, tmp_path / "out.parquet") == [[str(n), "[0.0, 1.5]"] for n in range(3)]
    with setveil.read(path) as baskets:
        suppress(baskets).write(tmp_path / "out.basket")
    assert (tmp_path / "out.basket").read_text() == "0.0, 1.5\n" * 3


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_transaction_ids_have_one_form(tmp_path, suffix):
    """Three persons, of whom one is told apart by a sign that SQL does not see."""
    query = "FROM (VALUES (0.0, 'a'), (-0.0, 'b'), (1.0, 'a'), (1.0, 'b')) AS v(tid, item)"
    path = parquet(tmp_path / "a.parquet", f"SELECT tid::DOUBLE AS tid, item {query}")
    rows = released(path, tmp_path / f"out{suffix}")
    assert rows == [["0.0", "a"], ["0.0", "b"], ["1.0", "a"], ["1.0", "b"]]


@pytest.mark.everywhere
@pytest.mark.parametrize("lists", [False, True])
def test_zeros_have_one_form_everywhere(connection, lists):
    connection.execute(
        "CREATE OR REPLACE TABLE zeros AS SELECT tid::DOUBLE AS tid, item::DOUBLE AS item FROM "
        "(VALUES ('0.0', '0.0'), ('-0.0', '1.5'), ('2.0', '-0.0'), ('3.0', 'nan')) AS v(tid, item)"
    )
    if lists:
        connection.execute(
            "CREATE OR REPLACE TABLE zeros AS SELECT tid, [item, (-0.0)::DOUBLE] AS item FROM zeros"
        )
    with setveil.read(connection, "zeros") as baskets:
        rows = [(str(tid), str(item)) for tid, item in suppress(baskets).rows()]
        assert baskets.repeated == (1 if lists else 0)
    if lists:
        assert rows == [("0.0", "[0.0, 1.5]"), ("2.0", "[0.0]"), ("3.0", "[0.0, nan]")]
    else:
        assert rows == [("0.0", "0.0"), ("0.0", "1.5"), ("2.0", "0.0"), ("3.0", "nan")]


def test_equal_intervals_beside_items_have_one_order(tmp_path):
    for number, order in enumerate(("ASC", "DESC")):
        query = f"FROM (VALUES ('1 month'), ('30 days')) AS v(a) ORDER BY v.a {order}"
        query = f"SELECT 1 AS tid, 'x' AS item, a::INTERVAL AS a {query}"  # noqa: S608
        path = parquet(tmp_path / f"in{number}.parquet", query)
        with setveil.read(path, carry="all") as baskets:
            suppress(baskets).write(tmp_path / f"out{number}.csv")
    first, second = (tmp_path / f"out{number}.csv" for number in (0, 1))
    assert first.read_bytes() == second.read_bytes()


def test_the_reading_of_twins_is_told(tmp_path):
    said: list[str] = []
    query = "SELECT range AS tid, IF(range = 3, '-0.0', '0.0')::DOUBLE AS item FROM RANGE(8)"
    with setveil.read(parquet(tmp_path / "a.parquet", query), note=said.append):
        pass
    assert len(said) == 1 and "1 row with a value of 'item' that is equal" in said[0]


@pytest.mark.parametrize("column", ["item", "tid"])
def test_a_release_with_twins_is_no_release(tmp_path, column):
    other = {"item": "tid", "tid": "item"}[column]
    query = f"SELECT range AS {other}, IF(range = 3, '-0.0', '0.0')::DOUBLE AS {column}"
    path = parquet(tmp_path / "a.parquet", f"{query} FROM RANGE(8)")
    with setveil.read(path) as baskets, pytest.raises(InputError, match=f"'{column}' .* equal"):
        verify.coherence(baskets, k=3, p=2)


@pytest.mark.parametrize("item", ["INTERVAL '1 month'", "[INTERVAL '1 month']"])
def test_intervals_are_refused(tmp_path, item):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS SELECT 1 AS tid, {item} AS item")  # noqa: S608
        with pytest.raises(InputError, match="column 'item' holds intervals"):
            setveil.read(connection, "t")
        connection.execute("ALTER TABLE t RENAME item TO a; ALTER TABLE t RENAME tid TO item")
        if not item.startswith("["):
            with pytest.raises(InputError, match="column 'a' holds intervals"):
                setveil.read(connection, "t", tid="a")


def test_a_collation_of_the_connection_is_refused():
    with duckdb.connect() as connection:
        connection.execute("SET default_collation = 'nocase'; CREATE TYPE e AS ENUM ('a', 'A')")
        connection.execute("CREATE TABLE t AS SELECT 1 AS tid, 'a'::e AS item")
        with pytest.raises(InputError, match="sets default_collation = nocase"):
            setveil.read(connection, "t")


# Types that Parquet lacks

LARGE = 2**53


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("HUGEINT", [str(LARGE), str(LARGE + 1), str(-(2**127)), str(1 - 2**127)]),
        ("UHUGEINT", [str(LARGE), str(LARGE + 1), str(2**128 - 1)]),
        ("TIMETZ", ["10:00:00+00", "11:00:00+01"]),
        ("TIME_NS", ["10:00:00", "10:00:00.000000001"]),
    ],
)
@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("column", ["item", "tid"])
def test_a_file_holds_every_value_exactly(tmp_path, kind, values, lists, column):
    """Parquet has no such types: DuckDB would write two values as one."""
    with duckdb.connect() as connection:
        shown = {column: f"UNNEST($1::VARCHAR[])::{kind}"}
        shown.setdefault("tid", "1")
        shown.setdefault("item", "'a'")
        item = f"[{shown['item']}]" if lists else shown["item"]
        query = f"CREATE TABLE t AS SELECT {shown['tid']} AS tid, {item} AS item"
        if lists and column == "item":
            query = f"CREATE TABLE t AS SELECT 1 AS tid, $1::VARCHAR[]::{kind}[] AS item"
        connection.execute(query, [values])
        with setveil.read(connection, "t") as baskets:
            suppress(baskets).write(tmp_path / "a.parquet")
    query = "SELECT tid, UNNEST(item) AS item FROM READ_PARQUET($1)"
    query = query if lists else "FROM READ_PARQUET($1)"
    query = f"SELECT COUNT(DISTINCT (tid, item)) FROM ({query})"  # noqa: S608
    assert rows_of(query, str(tmp_path / "a.parquet")) == [(len(values),)]


def test_a_key_holds_every_name_exactly(tmp_path):
    names = [2**53, 2**53 + 1]
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT 1 AS tid, UNNEST($1)::HUGEINT AS item", [names]
        )
        with setveil.read(connection, "t") as baskets:
            renamed = setveil.rename(baskets, key=tmp_path / "key.parquet", seed=1)
            renamed.write(tmp_path / "renamed.parquet")
    with setveil.read(tmp_path / "renamed.parquet") as baskets:
        undone = setveil.rename(baskets, key=tmp_path / "key.parquet", undo=True)
        assert sorted(int(name) for _, name in undone.rows()) == names


def test_midnight_at_the_end_of_a_day(tmp_path):
    """DuckDB tells 24:00:00 from 00:00:00 in a Parquet file; other readers do not."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT 1 AS tid, UNNEST(['00:00', '24:00'])::TIME AS item"
        )
        with setveil.read(connection, "t") as baskets:
            release = suppress(baskets)
            with pytest.raises(InputError, match="'item' holds 24:00:00"):
                release.write(tmp_path / "a.parquet")
            release.write(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "tid,item\n1,00:00:00\n1,24:00:00\n"


@pytest.mark.few(4)
@pytest.mark.parametrize("suffix", [".dat", ".basket"])
@pytest.mark.parametrize("name", ["a\u00a0", "\u2003a", "\ufeffa", "\x0ba", "a\x85", "a\x1c"])
def test_names_that_readers_of_a_basket_file_would_change(tmp_path, suffix, name):
    path = parquet(tmp_path / "a.parquet", f"SELECT 1 AS tid, ['{name}'] AS item")
    with setveil.read(path) as baskets, pytest.raises(InputError, match="write .parquet"):
        suppress(baskets).write(tmp_path / f"out{suffix}")


# PostgreSQL

on_postgres = pytest.mark.only_on("postgres", reason="its own types")


def written(server, table: str, tmp_path: Path, suffix: str = ".csv") -> list[list[str]]:
    """The text of the rows of a release in which nothing is suppressed."""
    with setveil.read(table, database=server.url) as baskets:
        suppress(baskets).write(tmp_path / f"out{suffix}")
    with (tmp_path / f"out{suffix}").open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


@on_postgres
@pytest.mark.parametrize(
    ("kind", "values", "text"),
    [
        ("float8", ("0", "-0"), "0.0"),
        ("float4", ("0", "-0"), "0.0"),
        ("numeric", ("1.5", "1.50"), "1.5"),
        ("bpchar", ("a", "a  "), "a"),
        ("char(3)", ("a", "a  "), "a"),
    ],
)
@pytest.mark.parametrize("column", ["tid", "item"])
def test_equal_values_of_a_server(server, tmp_path, kind, values, text, column):
    """In a file, and in a table, as text."""
    other = {"tid": "item", "item": "tid"}[column]
    shown = f"'{values[0]}'::{kind}), ('x', '{values[1]}'::{kind}"
    table = f"CREATE TABLE t AS SELECT * FROM (VALUES ('x', {shown})) AS v ({other}, {column})"  # noqa: S608
    server.connection.execute(table)
    rows = written(server, "t", tmp_path)
    assert rows == [["x", text]]
    with setveil.read("t", database=server.url) as baskets:
        suppress(baskets).write_table("out")
    texts = f"SELECT COUNT(*), COUNT(DISTINCT FORMAT('%s', {column})) FROM out"  # noqa: S608
    assert server.connection.execute(texts).fetchall() == [(1, 1)]


@on_postgres
@pytest.mark.parametrize(
    ("kind", "values", "wanted"),
    [
        ("float8", "{-0,NULL}", [0.0]),
        ("numeric", "{1.50,1.500}", [1.5]),
        ("bpchar", '{"a  ","a "}', ["a"]),
    ],
)
def test_equal_values_in_lists_of_a_server(server, kind, values, wanted):
    make = f"CREATE TABLE t AS SELECT 1 AS tid, '{values}'::{kind}[] AS item"
    server.connection.execute(f"{make} UNION ALL SELECT 2, '{{}}' UNION ALL SELECT 3, NULL")
    with setveil.read("t", database=server.url, drop_nulls=True) as baskets:
        suppress(baskets).write_table("out")
    found = server.connection.execute("SELECT item, item::text FROM out ORDER BY tid").fetchall()
    assert [items for items, _ in found] == [wanted, []]
    assert found[0][1].strip("{}") == str(wanted[0]).removesuffix(".0")


@on_postgres
@pytest.mark.parametrize("column", ["tid", "item", "items"])
def test_a_collation_that_is_not_deterministic_is_refused(server, column):
    # The server of the tests has no ICU: one of libc is taken for such a collation.
    server.connection.execute(
        'CREATE COLLATION loose FROM "C";'
        "UPDATE pg_collation SET collisdeterministic = FALSE WHERE collname = 'loose'"
    )
    server.connection.execute(
        "CREATE TABLE t (tid TEXT COLLATE loose, item TEXT COLLATE loose, n INT,"
        " items TEXT[] COLLATE loose)"
    )
    server.connection.execute("INSERT INTO t VALUES ('a', 'b', 1, '{c,C}')")
    names = {"tid": "n", "item": "n"} | ({"tid": "tid"} if column == "tid" else {"item": column})
    with pytest.raises(InputError, match=f"column '{column}' has a collation"):
        setveil.read("t", database=server.url, **names).close()
    query = 'SELECT n AS tid, item COLLATE "C" AS item FROM t'
    setveil.read(query, database=server.url).close()


@on_postgres
@pytest.mark.parametrize("kind", ["interval", "timetz", "jsonb", "citext"])
def test_types_with_equal_values_that_look_different_are_refused(server, kind):
    if kind == "citext":
        kind = "int4range"  # as citext, a type whose equality is its own
    server.connection.execute(f"CREATE TABLE t (tid INT, item {kind}, items {kind}[])")
    for name in ("item", "items"):
        with pytest.raises(InputError, match="cast it to text"):
            setveil.read("t", item=name, database=server.url)
    with pytest.raises(InputError, match="more than one value"):
        setveil.read("t", tid="item", item="tid", database=server.url)


@on_postgres
def test_a_release_with_twins_on_a_server(server):
    server.connection.execute(
        "CREATE TABLE t AS SELECT 1 AS tid, UNNEST('{0,-0}'::float8[]) AS item"
    )
    with setveil.read("t", database=server.url) as baskets:
        with pytest.raises(InputError, match="'item' has equal values in two forms"):
            verify.k_anonymity(baskets, k=1)
