"""Every form in which data comes, read into the same relations; and what cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, read_parquet, suppress, transactions
from setveil.errors import InputError

LONG = "FROM (VALUES (1, '0012'), (1, 'a,b'), (2, 'c'), (2, 'c'), (10, 'é')) AS v(tid, item)"
READ = [("1", ["0012", "a,b"]), ("2", ["c"]), ("10", ["é"])]


def as_text(found):
    return sorted(((str(key), names or []) for key, names in found), key=lambda one: int(one[0]))


def check(source, *args, **options):
    with setveil.read(source, *args, **options) as baskets:
        assert as_text(transactions(baskets)) == READ
        counts = baskets.transactions, baskets.items, baskets.occurrences, baskets.duplicates
        assert counts == (3, 4, 4, 1)


# Files


def test_parquet(tmp_path):
    check(parquet(tmp_path / "a.parquet", f"FROM ({LONG})"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_with_any_delimiter(tmp_path, delimiter):
    path = tmp_path / "a.csv"
    lines = ["tid,item", "1,0012", '1,"a,b"', "2,c", '2,"c"', "10,é"]
    lines = [line.replace(",", delimiter, 1) for line in lines]
    path.write_text("\n".join(lines) + "\n")
    check(path)


def test_tsv_with_crlf_and_bom(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes("\ufefftid\titem\r\n1\t0012\r\n1\ta,b\r\n2\tc\r\n2\tc\r\n10\té\r\n".encode())
    check(path)


def test_csv_takes_values_as_they_stand(tmp_path):
    """No comment, no line skipped, no empty quoted value taken for missing."""
    path = tmp_path / "a.csv"
    path.write_text('tid,item\n#1,"x""y"\n#1,""\n#2,"two\nlines"\n#2,1e5\n#2, a \n#2,NULL\n')
    with setveil.read(path) as baskets:
        assert transactions(baskets) == [
            ("#1", ["", 'x"y']),
            ("#2", [" a ", "1e5", "NULL", "two\nlines"]),
        ]


def test_csv_whose_quotes_come_late(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("tid,item\n" + "".join(f"{n},x\n" for n in range(30_000)) + '7,"a,b"\n')
    with setveil.read(path) as baskets:
        assert (baskets.items, baskets.transactions) == (2, 30_000)


def test_csv_delimiter_is_the_one_of_the_header(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("tid,item\n1,a;b|c\n2,d;e|f\n")
    with setveil.read(path) as baskets:
        assert transactions(baskets) == [("1", ["a;b|c"]), ("2", ["d;e|f"])]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_glob(tmp_path, suffix):
    with duckdb.connect() as connection:
        for number in range(4):
            rows = connection.sql(f"SELECT item, tid FROM ({LONG}) WHERE tid % 4 = {number}")  # noqa: S608
            path = str(tmp_path / f"part{number}.{suffix}")
            rows.write_csv(path) if suffix == "csv" else rows.write_parquet(path)
    check(tmp_path / f"part*.{suffix}")


@pytest.mark.parametrize("name", ["a[1].csv", "a*.csv", "what?.csv", "o'brien;\n--.csv", "[[].csv"])
def test_a_file_is_not_mistaken_for_a_glob(tmp_path, name):
    for one, item in ((name, "right"), ("a1.csv", "wrong"), ("whats.csv", "wrong")):
        (tmp_path / one).write_text(f"tid,item\n1,{item}\n")
    with setveil.read(tmp_path / name) as baskets:
        assert transactions(baskets) == [("1", ["right"])]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.dat", "1 2\n\n 3  2\t1 \n\n"),
        ("a.dat", "1 2\r\n\r\n3 2 1\r\n\r\n"),
        ("a.dat", "\ufeff1 2\n\n3 2 1 1\n\n"),
        ("a.basket", "1, 2\n\n3,2 ,1,\n\n"),
        ("a.basket", "1, 2\r\n\r\n3,2 ,1,\r\n\r\n"),
    ],
)
def test_basket_files(tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode())
    with setveil.read(tmp_path / name) as baskets:
        assert [names for _, names in transactions(baskets)] == [
            ["1", "2"],
            None,
            ["1", "2", "3"],
            None,
        ]


def test_basket_names_hold_quotes_and_blanks(tmp_path):
    path = tmp_path / "a.basket"
    path.write_text('o\'brien, 12" pipe, two words\n"x, y\n')
    with setveil.read(path) as baskets:
        assert [names for _, names in transactions(baskets)] == [
            ['12" pipe', "o'brien", "two words"],
            ['"x', "y"],
        ]


def test_lists_without_a_transaction_column(tmp_path):
    path = parquet(
        tmp_path / "a.parquet", "FROM (VALUES (['b', 'a', 'b']), ([]::TEXT[]), (['c'])) AS v(item)"
    )
    with setveil.read(path) as baskets:
        assert [names for _, names in transactions(baskets)] == [["a", "b"], None, ["c"]]
        assert (baskets.shape.key, baskets.duplicates, baskets.transactions) == (None, 1, 3)


def test_lists_with_a_transaction_column(tmp_path):
    """Rows of one transaction are one transaction."""
    query = "FROM (VALUES ('x', [3, 1]), ('y', []::INT[]), ('x', [1, 2])) AS v(tid, item)"
    with setveil.read(parquet(tmp_path / "a.parquet", query)) as baskets:
        assert transactions(baskets) == [("x", ["1", "2", "3"]), ("y", None)]
        assert (baskets.occurrences, baskets.duplicates) == (3, 1)


def test_arrays_of_fixed_length(tmp_path):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS tid, [7, 8]::INT[2] AS item")
        with setveil.read(connection, "t") as baskets:
            assert transactions(baskets) == [(1, ["7", "8"])]


# Databases


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "o'brien;.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE sales AS FROM ({LONG})")
        connection.execute("CREATE VIEW seen AS FROM sales")
        connection.execute("CREATE SCHEMA shop; CREATE TABLE shop.till AS FROM sales")
        connection.execute("CREATE TABLE shop.sales AS SELECT 1 AS tid, 'wrong' AS item")
    return path


@pytest.mark.parametrize(
    "name",
    [
        "sales",
        "SALES",
        "seen",
        "till",
        "shop.till",
        "main.sales",
        "SELECT * FROM sales",
        "FROM sales;",
        "-- why\nWITH x AS (FROM sales) SELECT * FROM x -- done",
        "SELECT tid, item FROM sales WHERE item <> '\n  -- \"$1'",
        "(FROM sales) UNION ALL FROM sales LIMIT 5",
    ],
)
def test_database_file(database, name):
    before = database.read_bytes()
    check(name, database=database)
    assert database.read_bytes() == before
    assert not database.with_suffix(".duckdb.wal").exists()


@pytest.mark.parametrize("name", ["sales", "main.sales", "FROM sales", "seen"])
def test_connection(name):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE sales AS FROM ({LONG}); CREATE VIEW seen AS FROM sales")
        check(connection, name)


def state(connection):
    queries = (
        "SELECT CURRENT_SETTING('search_path'), CURRENT_DATABASE(), CURRENT_SCHEMA()",
        "SELECT name, value FROM duckdb_settings() ORDER BY ALL",
        "SELECT database_name FROM duckdb_databases() ORDER BY ALL",
        "SELECT database_name, schema_name, table_name FROM duckdb_tables() ORDER BY ALL",
        "SELECT * FROM duckdb_variables() ORDER BY ALL",
    )
    return [connection.execute(query).fetchall() for query in queries]


def test_a_connection_stays_as_it_was(tmp_path):
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute(
            f'CREATE SCHEMA "we,i""rd"; USE "we,i""rd"; CREATE TABLE t AS FROM ({LONG})'
        )
        connection.execute("CREATE TABLE main.t AS SELECT 1 AS tid, 'wrong' AS item")
        connection.execute("SET threads = 2; SET VARIABLE source = 'mine'")
        before = state(connection)
        check(connection, "t")
        assert state(connection) == before
        with setveil.read(connection, "t") as baskets:
            release = suppress(baskets, ["c"])
            release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
            release.write(tmp_path / "b.csv")
        assert state(connection) == before
        with pytest.raises(InputError):
            setveil.read(connection, "t", item="nothing")
        assert state(connection) == before


def test_a_connection_with_rows_to_fetch():
    """DuckDB tells nobody its search path then: a name in one place only is safe all the same."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM ({LONG})")
        connection.execute("CREATE SCHEMA s; CREATE TABLE s.u AS FROM t; CREATE TABLE u AS FROM t")
        connection.execute("FROM RANGE(100000)").fetchone()
        check(connection, "t")
        for ambiguous, said in (("u", "several places"), ("FROM t", "rows to fetch")):
            with pytest.raises(InputError, match=said):
                setveil.read(connection, ambiguous)
        assert len(connection.fetchall()) == 99_999


def test_a_connection_that_only_reads(database):
    with duckdb.connect(str(database), read_only=True) as connection:
        check(connection, "sales")


def test_a_connection_closed_first():
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t AS FROM ({LONG})")
    baskets = setveil.read(connection, "t")
    connection.close()
    baskets.close()
    baskets.close()
    with pytest.raises(InputError, match="cannot be used"):
        setveil.read(connection, "t")


def test_two_runs_on_one_connection():
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM ({LONG})")
        with setveil.read(connection, "t") as one, setveil.read(connection, "t") as other:
            assert transactions(one) == transactions(other)


def test_collations_are_refused():
    """They make names equal in the database that differ for a reader of the release."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INT, item TEXT COLLATE nocase, other TEXT)")
        connection.execute("INSERT INTO t VALUES (1, 'a', 'x'), (1, 'A', 'y')")
        for name in ("t", "SELECT tid, [item] AS item FROM t"):
            with pytest.raises(InputError, match="collation"):
                setveil.read(connection, name)
        query = 'SELECT tid, item COLLATE "binary" AS item FROM t'
        with setveil.read(connection, query) as baskets:
            assert baskets.items == 2
        with setveil.read(connection, "t", item="other") as baskets:
            assert baskets.items == 2
        connection.execute("SET default_collation = 'nocase'")
        with pytest.raises(InputError, match="collation"):
            setveil.read(connection, "t", item="other")


@pytest.mark.parametrize(
    "setting",
    ["default_order = 'desc'", "integer_division = true", "preserve_insertion_order = false"],
)
def test_settings_that_change_the_meaning_of_sql_are_refused(setting):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM ({LONG})")
        connection.execute(f"SET GLOBAL {setting}")
        with pytest.raises(InputError, match=setting.split(" ")[0]):
            setveil.read(connection, "t")


# Types, extras, NULL, nothing


TYPES = {
    "INTEGER": [-5, 3, 20],
    "BIGINT": [-(2**62), 3, 2**62],
    "HUGEINT": [1, 2, 2**100],
    "VARCHAR": ["0012", "10", "9"],
    "UUID": [f"0000000{n}-0000-0000-0000-000000000000" for n in (1, 2, 3)],
    "DATE": ["1999-12-31", "2000-01-01", "2020-02-29"],
    "TIMESTAMP": ["1999-12-31 00:00:00", "2000-01-01 12:00:00", "2020-02-29 23:59:59"],
    "DOUBLE": ["-1.5", "0.1", "inf"],
    "DECIMAL(10,2)": ["-1.50", "0.10", "99.00"],
    "BOOLEAN": ["false", "true"],
    "BLOB": ["\\x00a", "b", "c"],
    "ENUM('z', 'a', 'm')": ["a", "m", "z"],
}


@pytest.mark.few(6)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("lists", [False, True], ids=["long", "list"])
def test_types_survive(kind, lists):
    """As item, as list element and as key; items are numbered by value."""
    names = TYPES[kind]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t (tid {kind}, item {kind})")
        released = "VARCHAR" if kind.startswith("ENUM") else kind
        for key in names:
            for name in names:
                connection.execute("INSERT INTO t VALUES ($1, $2)", [key, name])
        wanted = "SELECT tid, item FROM t" if not lists else (
            "SELECT tid, LIST(item ORDER BY item) AS item FROM t GROUP BY tid"
        )  # fmt: skip
        with setveil.read(connection, wanted) as baskets:
            numbered = baskets.session.backend.rows(
                "test", "SELECT CAST(name AS TEXT) FROM item ORDER BY item"
            )
            assert [name for (name,) in numbered] == [str(name) for name in names]
            relation = suppress(baskets, names[:1]).relation()
            connection.execute(
                f"ALTER TABLE t ALTER tid TYPE {released}; ALTER TABLE t ALTER item TYPE {released}"
            )
            kept = connection.sql(f"FROM ({wanted}) LIMIT 0")
            assert (relation.columns, relation.types) == (kept.columns, kept.types)
            gone = f"WHERE item <> CAST(${1} AS {kind})"
            left = wanted.replace("FROM t", f"FROM t {gone}") + " ORDER BY ALL"
            assert relation.fetchall() == connection.execute(left, [names[0]]).fetchall()


def test_extra_columns_are_carried_along(tmp_path):
    query = """
        SELECT tid, item, [tid, NULL] AS bag, {'a': item} AS pair, DATE '2020-01-01' + tid AS day,
            MAP {item: tid} AS map, CASE WHEN tid > 1 THEN 1.5::DECIMAL(4, 2) END AS price
        FROM (VALUES (1, 'a'), (1, 'b'), (1, 'b'), (2, 'a')) AS v(tid, item)
    """
    path = parquet(tmp_path / "a.parquet", query)
    with setveil.read(path, carry="all") as baskets:
        assert baskets.shape.others == ("bag", "pair", "day", "map", "price")
        assert (baskets.occurrences, baskets.duplicates) == (3, 1)
        suppress(baskets, ["a"]).write(tmp_path / "b.parquet")
    kept = [row for row in read_parquet(path) if row[1] != "a"]
    assert read_parquet(tmp_path / "b.parquet") == kept


NULLS = """
    FROM (VALUES (1, 'a'), (NULL, 'b'), (2, NULL), (NULL, NULL), (1, 'a'), (3, 'c')) AS v(tid, item)
"""
LISTED = """
    FROM (VALUES (1, ['a', NULL, 'a']), (NULL, ['x', 'y']), (2, NULL), (3, []::TEXT[]), (4, [NULL]))
    AS v(tid, item)
"""


@pytest.mark.parametrize(
    ("query", "said"),
    [(NULLS, "2 rows without 'tid' and 2 rows"), (LISTED, "1 row without 'tid' and 3 rows")],
)
def test_nulls_are_refused_with_their_number(tmp_path, query, said):
    with pytest.raises(InputError, match=said):
        setveil.read(parquet(tmp_path / "a.parquet", query))


def test_nulls_can_be_dropped(tmp_path):
    path = parquet(tmp_path / "a.parquet", NULLS)
    with setveil.read(path, drop_nulls=True) as baskets:
        assert (baskets.dropped, baskets.duplicates, baskets.occurrences) == (3, 1, 2)
        assert baskets.transactions == 2  # one without any item is no row of a release
        assert suppress(baskets).rows() == [(1, "a"), (3, "c")]


def test_nulls_in_lists_can_be_dropped(tmp_path):
    """A list that is missing goes with its row; one that is empty stays, and may be left empty."""
    path = parquet(tmp_path / "a.parquet", LISTED)
    with setveil.read(path, drop_nulls=True) as baskets:
        assert (baskets.dropped, baskets.duplicates, baskets.occurrences) == (4, 1, 1)
        assert baskets.transactions == 3
        assert suppress(baskets).rows() == [(1, ["a"]), (3, []), (4, [])]


@pytest.mark.parametrize("suffix", ["parquet", "csv", "dat"])
def test_zero_rows_are_a_release_of_nothing(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    if suffix == "parquet":
        parquet(path, f"FROM ({LONG}) LIMIT 0")
    else:
        path.write_text("tid,item\n" if suffix == "csv" else "")
    with setveil.read(path) as baskets:
        assert (baskets.transactions, baskets.items, baskets.occurrences) == (0, 0, 0)
        release = setveil.coherence(baskets, k=2, p=2)
        release.write(tmp_path / f"b.{suffix}")
    with setveil.read(tmp_path / f"b.{suffix}") as again:
        assert again.transactions == 0


# What cannot be read


def write_bad(folder: Path) -> None:
    (folder / "empty.csv").touch()
    (folder / "empty.parquet").touch()
    (folder / "corrupt.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    (folder / "text.parquet").write_text("tid,item\n1,a\n")
    whole = parquet(folder / "whole.parquet", "SELECT range AS tid, 'a' AS item FROM RANGE(10000)")
    (folder / "cut.parquet").write_bytes(whole.read_bytes()[:-20])
    (folder / "latin.csv").write_bytes(b"tid,item\n1,caf\xe9\n")
    (folder / "latin.dat").write_bytes(b"caf\xe9 b\n")
    (folder / "ragged.csv").write_text("tid,item\n1,a\n2\n3,c,d\n")
    (folder / "quote.csv").write_text('tid,item\n1,"a\n2,b\n')
    (folder / "mixed.dat").write_bytes(b" \n\n \r\nz\n")
    (folder / "a.csv").write_text("tid,item\n1,a\n")
    (folder / "a.xlsx").touch()
    (folder / "zipped.csv").write_bytes(gzip.compress(b"tid,item\n1,a\n"))
    (folder / "a.duckdb").write_text("no database at all")
    (folder / "folder.csv").mkdir()
    parquet(folder / "struct.parquet", "SELECT 1 AS tid, {'a': 1} AS item, [[1]] AS nest")


BAD = [
    ("missing.parquet", {}, "no such file"),
    ("a\ud800.csv", {}, "not UTF-8"),
    ("a\0.csv", {}, "NUL"),
    ("x" * 5000 + ".csv", {}, "no such file"),
    ("none*.csv", {}, "no file matches"),
    ("folder.csv", {}, "is a folder"),
    ("a.xlsx", {}, "suffix '.xlsx' is none of"),
    ("empty.csv", {}, "is empty"),
    ("empty.parquet", {}, "is empty"),
    ("corrupt.parquet", {}, "corrupt.parquet: "),
    ("text.parquet", {}, "not a Parquet file"),
    ("cut.parquet", {}, "not a Parquet file, or was cut off"),
    ("latin.csv", {}, "line 2: it is not UTF-8"),
    ("latin.dat", {}, "line 1: it is not UTF-8"),
    ("zipped.csv", {}, "zipped.csv: "),
    ("ragged.csv", {}, "rows do not have the columns of its header"),
    ("quote.csv", {}, "quote"),
    ("mixed.dat", {}, "lines end in different ways"),
    ("a.csv", {"item": "sku"}, "no column 'sku'; it has 'tid', 'item': name one with item="),
    ("a.csv", {"tid": "Tid"}, "no column 'Tid' (did you mean 'tid'?); it has"),
    (
        "a.csv",
        {"tid": "basket", "item": "itm", "person": "who"},
        "lacks columns: tid='basket', item='itm' (did you mean 'item'?), person='who'; it has",
    ),
    ("a.csv", {"tid": "basket"}, "no column 'basket'; it has 'tid', 'item': name one with tid="),
    ("a.csv", {"tid": "item"}, "tid= and item= both name"),
    ("struct.parquet", {}, "'item' holds more than an item"),
    ("struct.parquet", {"item": "nest"}, "'nest' holds more than an item"),
    ("struct.parquet", {"tid": "nest", "item": "tid"}, "'nest' holds more than one value"),
]


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    write_bad(folder)
    return folder


@pytest.mark.parametrize(("name", "options", "said"), BAD, ids=[one[0][:20] for one in BAD])
def test_bad_files(bad, name, options, said):
    with pytest.raises(InputError) as failed:
        setveil.read(f"{bad}/{name}", **options)
    message = str(failed.value)
    assert said in message
    assert "\n" not in message.replace(str(bad), "")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "nothing",
            "'nothing' is neither a table or view nor one query; the tables are: 'main.sale",
        ),
        ("shop.nothing", "shop.nothing: "),
        ("DROP TABLE sales", "neither a table"),
        ("FROM sales; DROP TABLE sales", "neither a table"),
        ("sales; DROP TABLE sales", "neither a table"),
        ("SELECT 1) AS a, (SELECT 2", "neither a table"),
        ("SELECT nothing FROM sales", "nothing"),
        ("SELECT * FROM sales WHERE tid = $1", "SELECT"),
        ("READ_CSV('/etc/passwd')", "neither a table"),
        ("", "neither a table"),
        ("'", "neither a table"),
    ],
)
def test_bad_names_in_a_database(database, name, said):
    with pytest.raises(InputError) as failed:
        setveil.read(name, database=database)
    assert said in str(failed.value)
    assert "\n" not in str(failed.value).replace(name, "")
    check("sales", database=database)


def test_bad_databases(bad):
    for name, said in (("a.duckdb", "not a DuckDB database"), ("no.duckdb", "no such database")):
        with pytest.raises(InputError, match=said):
            setveil.read("t", database=bad / name)


def test_a_database_that_is_open_elsewhere(database):
    with duckdb.connect(str(database)), pytest.raises(InputError) as failed:
        setveil.read("sales", database=database)
    assert "\n" not in str(failed.value)


def test_what_a_connection_cannot_show_is_said():
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TEMP TABLE t AS FROM ({LONG})")
        with pytest.raises(InputError, match="temporary and uncommitted tables cannot be seen"):
            setveil.read(connection, "t")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threads": 0}, "threads"),
        ({"memory_limit": "much"}, "is no size"),
        ({"memory_limit": "1KB"}, "below 64MiB"),
        ({"table": "t"}, "needs a connection"),
    ],
)
def test_bad_options(bad, options, said):
    with pytest.raises(InputError, match=said):
        setveil.read(bad / "a.csv", **options)


def test_a_closed_run_says_so(bad, tmp_path):
    with setveil.read(bad / "a.csv") as baskets:
        release = suppress(baskets)
    with pytest.raises(InputError, match="closed"):
        release.write(tmp_path / "b.csv")
    assert not list(tmp_path.iterdir())


def test_a_source_with_nothing_in_it_is_told(connection):
    connection.execute("CREATE OR REPLACE TABLE hollow (tid INTEGER, item VARCHAR)")
    said = []
    with setveil.read(connection, "hollow", note=said.append) as baskets:
        assert baskets.transactions == 0
    assert len(said) == 1 and said[0].endswith("hollow holds no transactions")
