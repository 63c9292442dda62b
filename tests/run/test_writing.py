"""A release is the source without what was suppressed, in the form in which the data came."""

from __future__ import annotations

import os
import random
import stat
from itertools import product

import duckdb
import pytest

import setveil
from runs import columns_of, parquet, read_parquet, rows_of, suppress
from setveil.errors import InputError

chance = random.Random(11)
NAMES = ["0012", "a,b", "é", 'q"q', "c", "d e", "z"]
ROWS = [(t, chance.choice(NAMES)) for t in range(40) for _ in range(chance.randint(1, 6))]
GONE = ["c", "a,b"]
KEPT = sorted({row for row in ROWS if row[1] not in GONE})


def long_table(connection, name="t"):
    connection.execute(f"CREATE TABLE {name} (tid INTEGER, item VARCHAR)")
    connection.executemany(f"INSERT INTO {name} VALUES ($1, $2)", ROWS)  # noqa: S608


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same transactions in every form."""
    folder = tmp_path_factory.mktemp("forms")
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        long_table(connection)
        connection.execute("CREATE VIEW v AS SELECT tid, LIST(item) AS item FROM t GROUP BY tid")
        for query, name in (
            ("FROM t", "long.parquet"),
            ("FROM t", "long.csv"),
            ("SELECT tid, item, tid * 1.5 AS x, NULLIF(item, 'z') AS y FROM t", "extra.parquet"),
            ("FROM v", "keyed.parquet"),
            ("SELECT item FROM v ORDER BY tid", "lists.parquet"),
        ):
            connection.execute(f"COPY ({query}) TO '{folder / name}'")
    baskets = [sorted({i for t, i in ROWS if t == key}) for key in range(40)]
    lines = [[name for name in basket if not set(name) & set(", ")] for basket in baskets]
    (folder / "a.dat").write_text("".join(" ".join(line) + "\n" for line in lines))
    (folder / "a.basket").write_text("".join(",".join(line) + "\n" for line in lines))
    return folder


def lists_kept(rows):
    return [sorted({i for t, i in rows if t == key and i not in GONE}) for key in range(40)]


# The release equals its definition


def test_long(folder, tmp_path):
    with setveil.read(folder / "long.parquet") as baskets:
        suppress(baskets, GONE).write(tmp_path / "b.parquet")
    assert read_parquet(tmp_path / "b.parquet") == KEPT
    assert columns_of(tmp_path / "b.parquet") == columns_of(folder / "long.parquet")


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_csv(folder, tmp_path, suffix):
    """Codes come out as they went in; what needs quotes gets them."""
    out = tmp_path / f"b.{suffix}"
    with setveil.read(folder / "long.csv") as baskets:
        suppress(baskets, GONE).write(out)
    wanted = sorted((str(tid), item) for tid, item in KEPT)
    mark = "\t" if suffix == "tsv" else ","
    found = rows_of(
        f"FROM READ_CSV($1, header = TRUE, all_varchar = TRUE, delim = '{mark}', quote = '\"')",
        str(out),
    )
    assert found == wanted
    assert b'"q""q"' in out.read_bytes()


def test_csv_keeps_its_delimiter(tmp_path):
    for given, name, mark in ((";", "b.csv", ";"), ("\t", "c.csv", ","), (";", "d.tsv", "\t")):
        (tmp_path / "a.csv").write_text(f"tid{given}item\n1{given}a\n")
        with setveil.read(tmp_path / "a.csv") as baskets:
            suppress(baskets).write(tmp_path / name)
        assert (tmp_path / name).read_text() == f"tid{mark}item\n1{mark}a\n"


def test_csv_tells_what_is_empty_from_what_is_missing(tmp_path):
    text = 'tid,item,x,y\n1,"",,""\n1,"two\nlines","a,b",#\n2,"q""q",, z\n'
    (tmp_path / "a.csv").write_text(text)
    with setveil.read(tmp_path / "a.csv", carry="all") as baskets:
        suppress(baskets).write(tmp_path / "b.csv")
    with setveil.read(tmp_path / "b.csv", carry="all") as again:
        rows = suppress(again).rows()
    assert rows == [
        ("1", "", None, ""),
        ("1", "two\nlines", "a,b", "#"),
        ("2", 'q"q', None, " z"),
    ]


def test_long_with_extras_keeps_every_row(folder, tmp_path):
    with setveil.read(folder / "extra.parquet", carry="all") as baskets:
        suppress(baskets, GONE).write(tmp_path / "b.parquet")
    rows = [row for row in read_parquet(folder / "extra.parquet") if row[1] not in GONE]
    assert read_parquet(tmp_path / "b.parquet") == sorted(rows, key=lambda row: row[:2])
    assert columns_of(tmp_path / "b.parquet") == columns_of(folder / "extra.parquet")


def test_lists_with_key(folder, tmp_path):
    """Transactions that lose all they had stay, with an empty list."""
    with setveil.read(folder / "keyed.parquet") as baskets:
        suppress(baskets, GONE).write(tmp_path / "b.parquet")
    assert dict(read_parquet(tmp_path / "b.parquet")) == dict(enumerate(lists_kept(ROWS)))
    assert columns_of(tmp_path / "b.parquet") == columns_of(folder / "keyed.parquet")


def test_lists_without_key_stay_in_their_order(folder, tmp_path):
    with setveil.read(folder / "lists.parquet") as baskets:
        suppress(baskets, GONE).write(tmp_path / "b.parquet")
    assert [items for (items,) in read_parquet(tmp_path / "b.parquet")] == lists_kept(ROWS)
    assert columns_of(tmp_path / "b.parquet") == columns_of(folder / "lists.parquet")


@pytest.mark.parametrize(("given", "out"), [*product(["a.dat", "a.basket"], ["b.dat", "b.basket"])])
def test_basket_files(folder, tmp_path, given, out):
    with setveil.read(folder / given) as baskets:
        suppress(baskets, ["c"]).write(tmp_path / out)
    mark = " " if out.endswith(".dat") else ", "
    names = [[name for name in line if not set(name) & set(", ")] for line in lists_kept(ROWS)]
    assert (tmp_path / out).read_text() == "".join(mark.join(line) + "\n" for line in names)


def test_a_basket_file_becomes_lists(folder, tmp_path):
    with setveil.read(folder / "a.dat") as baskets:
        suppress(baskets, ["c"]).write(tmp_path / "b.parquet")
    assert columns_of(tmp_path / "b.parquet") == [("items", "VARCHAR[]")]


def test_lists_become_a_basket_file_and_say_what_is_lost(folder, tmp_path):
    notes, chat = [], []
    with setveil.read(folder / "keyed.parquet", note=notes.append, chat=chat.append) as baskets:
        suppress(baskets, [*GONE, "d e"]).write(tmp_path / "b.dat")
    assert len((tmp_path / "b.dat").read_text().split("\n")) == 41
    assert len(chat) == 1 and "without 'tid'" in chat[0]
    assert len(notes) == 1 and "order of the transactions comes from the source" in notes[0]


# Names that a basket file cannot hold


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("name", "suffix", "fine"),
    [
        ("a b", "dat", False),
        ("a b", "basket", True),
        ("a,b", "dat", True),
        ("a,b", "basket", False),
        (" a", "basket", False),
        ("a\t", "basket", False),
        ("a\nb", "basket", False),
        ("a\x1fb", "basket", False),
        ("a\x1fb", "dat", False),
        ("", "dat", False),
        ("", "basket", False),
        ("\xa0a", "basket", False),
        ("a\xa0b", "basket", True),
        ("a\xa0b", "dat", False),
        ("\ufeffa", "basket", False),
        ('12"', "dat", True),
        ('"', "basket", True),
        ("😀", "dat", True),
    ],
)
def test_names_in_basket_files(tmp_path, name, suffix, fine):
    """Those that are written are read back; the others are refused by name, unless they go."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT [$1, 'x'] AS item UNION ALL SELECT []", [name])
        out = tmp_path / f"b.{suffix}"
        with setveil.read(connection, "t") as baskets:
            release = suppress(baskets)
            if not fine:
                with pytest.raises(InputError) as failed:
                    release.write(out)
                assert repr(name) in str(failed.value)
                assert not list(tmp_path.iterdir())
            else:
                release.write(out)
                with setveil.read(out) as again:
                    rows = suppress(again).rows()
                assert rows == [(sorted([name, "x"]),), ([],)]
        with setveil.read(connection, "t") as baskets:
            suppress(baskets, [name]).write(out, force=True)
        assert out.read_text() == "x\n\n"


# The same bytes, and nothing left to do


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("given", "out"),
    [
        ("long.parquet", "b.parquet"),
        ("long.csv", "b.csv"),
        ("extra.parquet", "b.parquet"),
        ("keyed.parquet", "b.parquet"),
        ("lists.parquet", "b.parquet"),
        ("a.dat", "b.dat"),
    ],
)
def test_the_same_bytes_and_running_again_changes_nothing(folder, tmp_path, given, out):
    made = []
    for run, threads in enumerate((1, 1, 2, 4)):
        (tmp_path / str(run)).mkdir()
        with setveil.read(folder / given, threads=threads) as baskets:
            setveil.coherence(baskets, k=5, p=2).write(tmp_path / str(run) / out)
        made.append((tmp_path / str(run) / out).read_bytes())
    with setveil.read(tmp_path / "0" / out) as baskets:
        release = setveil.coherence(baskets, k=5, p=2)
        assert release.metrics.suppressed_items == 0
        release.write(tmp_path / out)
    assert {*made} == {(tmp_path / out).read_bytes()}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["long", "lists", "database"])
def test_the_same_bytes_from_several_row_groups(tmp_path, form):
    query = "SELECT range // 7 AS tid, range * 7919 % 1000 AS item, range AS n FROM RANGE(1500000)"
    if form != "long":
        query = f"SELECT LIST(item) AS item FROM ({query}) GROUP BY tid ORDER BY tid"  # noqa: S608
    options = {}
    if form == "database":
        options["database"] = tmp_path / "a.duckdb"
        with duckdb.connect(str(options["database"])) as connection:
            connection.execute(f"CREATE TABLE t AS {query}")
    source = "t" if options else parquet(tmp_path / "a.parquet", query)
    made = set()
    for threads in (1, 2, 4):
        out = tmp_path / f"{threads}.parquet"
        with setveil.read(source, threads=threads, **options) as baskets:
            suppress(baskets, range(0, 1000, 3)).write(out)
        made.add(out.read_bytes())
    assert len(made) == 1


# Tables


def test_a_table_in_the_database_that_was_read(folder, tmp_path):
    database = tmp_path / "a.duckdb"
    database.write_bytes((folder / "a.duckdb").read_bytes())
    with setveil.read("t", database=database) as baskets:
        release = suppress(baskets, GONE)
        release.write_table("safe")
        for taken in ("safe", "v", "SAFE"):
            with pytest.raises(InputError, match="exists: choose another name, or force=True"):
                release.write_table(taken)
        release.write_table("o'br\"ien; DROP TABLE t; --")
        release.write(tmp_path / "b.parquet")
        release.write_table("safe", force=True)
    assert read_parquet(tmp_path / "b.parquet") == KEPT
    with duckdb.connect(str(database)) as connection:
        assert connection.execute("FROM safe").fetchall() == KEPT
        assert connection.execute('FROM "o\'br""ien; DROP TABLE t; --"').fetchall() == KEPT
        assert len(connection.execute("FROM t").fetchall()) == len(ROWS)
        assert connection.execute("SELECT COUNT(*) FROM duckdb_tables()").fetchall() == [(3,)]


def test_force_replaces_a_table(folder, tmp_path):
    database = tmp_path / "a.duckdb"
    database.write_bytes((folder / "a.duckdb").read_bytes())
    for gone in (["z"], GONE):
        with setveil.read("t", database=database) as baskets:
            suppress(baskets, gone).write_table("safe", force=True)
    with duckdb.connect(str(database)) as connection:
        assert connection.execute("FROM safe").fetchall() == KEPT


def test_a_table_beside_that_of_a_connection(tmp_path):
    """In the schema that the connection is in; an ENUM, which lists what is gone, is text."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA s; USE s")
        long_table(connection)
        connection.execute(
            "ALTER TABLE t ALTER item TYPE ENUM('0012','a,b','é','q\"q','c','d e','z')"
        )
        with setveil.read(connection, "t") as baskets:
            release = suppress(baskets, GONE)
            release.write_table("safe")
            with pytest.raises(InputError, match="exists"):
                release.write_table("safe")
            release.write_table("safe", force=True)
        found = connection.execute("FROM s.safe ORDER BY tid, CAST(item AS TEXT)").fetchall()
        assert found == KEPT
        kinds = "SELECT data_type FROM duckdb_columns() WHERE column_name = 'item' ORDER BY ALL"
        assert connection.execute(kinds).fetchall()[1:] == [("VARCHAR",)]
        databases = connection.execute("SELECT database_name FROM duckdb_databases()").fetchall()
        assert sorted(databases) == [("memory",), ("system",), ("temp",)]


QUERY = "WITH w AS (SELECT * FROM T) SELECT * FROM w WHERE item <> 'none'"


@pytest.mark.parametrize("read", ["t", "main.t", "memory.main.t", QUERY])
def test_a_table_never_replaces_what_was_read(read):
    with duckdb.connect() as connection:
        long_table(connection)
        with setveil.read(connection, read) as baskets:
            release = suppress(baskets)
            for name in ("t", "T"):
                with pytest.raises(InputError, match="is what the data was read from"):
                    release.write_table(name, force=True)
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(len(ROWS),)]


def test_a_table_that_cannot_be_made(folder, tmp_path):
    with setveil.read(folder / "long.parquet") as baskets:
        with pytest.raises(InputError, match="needs a database"):
            suppress(baskets).write_table("safe")
    with duckdb.connect(str(folder / "a.duckdb"), read_only=True) as connection:
        with setveil.read(connection, "t") as baskets:
            with pytest.raises(InputError, match="cannot be made"):
                suppress(baskets).write_table("safe")


def test_a_table_of_a_database_that_is_open_elsewhere(folder, tmp_path):
    database = tmp_path / "a.duckdb"
    database.write_bytes((folder / "a.duckdb").read_bytes())
    with setveil.read("t", database=database) as baskets:
        release = suppress(baskets, GONE)
        with duckdb.connect(str(database), read_only=True):
            with pytest.raises(InputError) as failed:
                release.write_table("safe")
        assert "\n" not in str(failed.value)
        release.write_table("safe")


# Where a release can go


BAD = [
    ({"path": "b.parquet"}, "b.parquet exists: choose another name, or force=True"),
    ({"path": "no/b.parquet"}, "the folder 'no' does not exist"),
    ({"path": "b.parquet/c.parquet"}, "the folder 'b.parquet' does not exist"),
    ({"path": "."}, "the suffix '' is none of"),
    ({"path": "d.parquet"}, "d.parquet is a folder"),
    ({"path": "x" * 300 + ".parquet"}, "is no name for a file"),
    ({"path": "x\0.parquet"}, "is no name for a file"),
    ({"path": "b.xlsx"}, "suffix '.xlsx' is none of"),
    ({"path": "b.dat"}, "a basket file holds one transaction per line"),
    ({"path": "/proc/b.parquet"}, "cannot be written"),
    ({"path": "c.sql", "trail": "c.sql"}, "suffix '.sql' is none of"),
    ({"path": "c.parquet", "trail": "c.parquet"}, "both name"),
    ({"path": "c.parquet", "trail": "./d.parquet/../c.parquet"}, "both name"),
    ({"path": "c.parquet", "trail": "c.txt"}, "name it with .sql"),
    ({"path": "c.parquet", "trail": "no/c.sql"}, "the folder 'no' does not exist"),
    ({"path": "c.parquet", "trail": "/proc/c.sql"}, "cannot be written"),
    ({"path": "c.parquet", "trail": "old.sql"}, "old.sql exists"),
    ({"path": "in.parquet", "force": True}, "is what the data was read from"),
    ({"path": "link.parquet", "force": True}, "is what the data was read from"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory, folder):
    place = tmp_path_factory.mktemp("place")
    (place / "b.parquet").touch()
    (place / "old.sql").touch()
    (place / "d.parquet").mkdir()
    (place / "in.parquet").write_bytes((folder / "long.parquet").read_bytes())
    (place / "link.parquet").symlink_to("in.parquet")
    return place


@pytest.mark.parametrize(("options", "said"), BAD, ids=[said[:20] for _, said in BAD])
def test_bad_targets(place, monkeypatch, options, said):
    monkeypatch.chdir(place)
    before = sorted(place.iterdir())
    with setveil.read("in.parquet") as baskets:
        with pytest.raises(InputError) as failed:
            suppress(baskets).write(**options)
    assert said in str(failed.value)
    assert "\n" not in str(failed.value)
    assert sorted(place.iterdir()) == before


def test_csv_cannot_hold_lists(folder, tmp_path):
    with setveil.read(folder / "keyed.parquet") as baskets:
        with pytest.raises(InputError, match="CSV cannot hold lists"):
            suppress(baskets).write(tmp_path / "b.csv")


def test_force_replaces_a_file_and_its_trail(folder, tmp_path):
    out, trail = tmp_path / "b.parquet", tmp_path / "b.sql"
    out.write_text("old")
    trail.write_text("old")
    trail.chmod(0o644)
    with setveil.read(folder / "long.parquet") as baskets:
        suppress(baskets, GONE).write(out, trail=trail, force=True)
    assert read_parquet(out) == KEPT
    assert stat.S_IMODE(trail.stat().st_mode) == 0o600
    assert sorted(tmp_path.iterdir()) == [out, trail]


def test_the_release_has_the_usual_mode(folder, tmp_path):
    usual = os.umask(0o027)
    try:
        with setveil.read(folder / "long.parquet") as baskets:
            suppress(baskets).write(tmp_path / "b.parquet")
    finally:
        os.umask(usual)
    assert stat.S_IMODE((tmp_path / "b.parquet").stat().st_mode) == 0o640


def test_where_files_must_have_names_they_are_hidden_until_whole(folder, tmp_path, monkeypatch):
    """As on systems without O_TMPFILE."""
    monkeypatch.delattr(os, "O_TMPFILE")
    for force in (False, True):
        with setveil.read(folder / "long.parquet") as baskets:
            suppress(baskets, GONE).write(tmp_path / "b.parquet", force=force)
        assert read_parquet(tmp_path / "b.parquet") == KEPT
        assert [path.name for path in tmp_path.iterdir()] == ["b.parquet"]


def test_a_file_that_came_into_being_meanwhile_is_left_alone(folder, tmp_path):
    out = tmp_path / "b.parquet"
    with setveil.read(folder / "long.parquet") as baskets:
        release = suppress(baskets)
        baskets.session._trace = lambda one: one.name == "publish" and out.write_text("theirs")
        with pytest.raises(InputError, match="came into being"):
            release.write(out)
    assert out.read_text() == "theirs"


def test_explaining_writes_nothing(folder, tmp_path):
    with setveil.read(folder / "long.parquet", explain=True) as baskets:
        release = suppress(baskets)
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
        assert baskets.session.statements[-1].name == "publish"
    assert not list(tmp_path.iterdir())


def test_explaining_makes_no_table(folder):
    before = (folder / "a.duckdb").read_bytes()
    with setveil.read("t", database=folder / "a.duckdb", explain=True) as baskets:
        suppress(baskets).write_table("safe")
        assert baskets.session.statements[-1].name == "publish"
    assert (folder / "a.duckdb").read_bytes() == before


def test_what_the_checker_did_not_pass_is_no_release(tmp_path):
    duckdb.sql(f"COPY (SELECT 1 AS tid, 'a' AS item) TO '{tmp_path}/one.parquet'")
    failed = setveil.Verdict(holds=False, violations=(), found=1, checked=1, transactions=1)
    with setveil.read(tmp_path / "one.parquet") as baskets:
        with pytest.raises(setveil.CheckError):
            setveil.Release(baskets, "test", {}, failed, None, baskets.session.runs)
