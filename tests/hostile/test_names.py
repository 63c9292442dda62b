"""Hostile names of columns, tables, files and items are data: they leave a run unchanged."""

from __future__ import annotations

import duckdb
import pytest

import setveil
from hostile_names import ALL, NAMES, quoted
from runs import parquet, read_parquet, suppress
from setveil.errors import InputError


def shown(names):
    return [name.encode("unicode_escape").decode() for name in names]


PARTS = [(name, "item") for name in ALL]
PARTS += [(name, part) for name in (*NAMES[1:6:2], "key", "name") for part in ("key", "other")]


@pytest.mark.few(5)
@pytest.mark.parametrize(("name", "part"), PARTS, ids=ascii)
def test_columns(tmp_path, name, part):
    """Long form through Parquet, with this name in each role, and a similar name beside it."""
    key, item, other = (
        name if part == one else f"{name}_{one}" for one in ("key", "item", "other")
    )
    query = (
        f"SELECT range AS {quoted(key)}, 'a' AS {quoted(item)}, 7 AS {quoted(other)} FROM RANGE(3)"  # noqa: S608
    )
    path = parquet(tmp_path / "a.parquet", query)
    with setveil.read(path, tid=key, item=item, carry=[other]) as baskets:
        suppress(baskets).write(tmp_path / "b.parquet")
    assert read_parquet(tmp_path / "b.parquet") == [(n, "a", 7) for n in range(3)]
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "b.parquet"))
        assert found.columns == [key, item, other]


@pytest.mark.few(4)
@pytest.mark.parametrize("name", ALL, ids=shown(ALL))
def test_columns_of_lists_and_tables(tmp_path, name):
    with duckdb.connect() as connection:
        text = f"CREATE TABLE {quoted(name)} ({quoted(name)} TEXT[], tid_ INT, setveil_line INT"
        connection.execute(f"{text}, SETVEIL_LINE_ INT)")
        rows = [(["b", "a"], 1, 2, 3), (["c"], 2, 2, 3)]
        connection.executemany(f"INSERT INTO {quoted(name)} VALUES ($1, $2, $3, $4)", rows)  # noqa: S608
        tid = "tid_" if name == "tid" else None
        with setveil.read(connection, name, tid=tid, item=name, carry="all") as baskets:
            release = suppress(baskets, ["b"])
            release.write_table(f"{name} safe")
        safe = connection.table(quoted(f"{name} safe"))
        assert safe.columns == [name, "tid_", "setveil_line", "SETVEIL_LINE_"]
        assert safe.fetchall() == [(["a"], 1, 2, 3), (["c"], 2, 2, 3)]
        assert connection.execute("SELECT COUNT(*) FROM duckdb_tables()").fetchall() == [(2,)]


# DuckDB renames a blank column of a CSV file, and takes a return in its header for a line's end.
HEADERS = [name for name in NAMES if name.strip() and "\r" not in name]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", HEADERS, ids=shown(HEADERS))
def test_csv_headers(tmp_path, name):
    rows = [("tid", name), ("1", "a"), ("2", name)]
    text = "".join(f"{quoted(one)},{quoted(two)}\n" for one, two in rows)
    (tmp_path / "a.csv").write_text(text, newline="")
    with setveil.read(tmp_path / "a.csv", item=name) as baskets:
        suppress(baskets).write(tmp_path / "b.csv")
    with setveil.read(tmp_path / "b.csv", item=name) as again:
        assert suppress(again).rows() == rows[1:]


@pytest.mark.parametrize("name", sorted({*NAMES} - {*HEADERS}), ids=ascii)
def test_csv_headers_that_cannot_be_told_are_refused(tmp_path, name):
    (tmp_path / "a.csv").write_text(f'tid,"{name}"\n1,a\n', newline="")
    with pytest.raises(InputError):
        setveil.read(tmp_path / "a.csv", item=name)


# For DuckDB a backslash parts folders, on every system.
FILES = [name.replace("\\", "") for name in NAMES]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", FILES, ids=shown(FILES))
def test_files_databases_and_trails(tmp_path, monkeypatch, name):
    """A file's name in every place; the trail is replayed."""
    monkeypatch.chdir(tmp_path)
    plain = name.replace("/", "")  # which no name of a file can hold
    with duckdb.connect(f"{plain}.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS tid, 'a' AS item FROM RANGE(3)")
        connection.execute("COPY t TO 'a.parquet'")
    (tmp_path / f"{plain}.parquet").write_bytes((tmp_path / "a.parquet").read_bytes())
    for source, options in ((f"{plain}.parquet", {}), ("t", {"database": f"{plain}.duckdb"})):
        out, trail = f"{plain} out.parquet", f"{plain}.sql"
        with setveil.read(source, **options) as baskets:
            suppress(baskets).write(out, trail=trail, force=True)
        assert setveil.replay(trail).same
    with setveil.read("t", database=f"{plain}.duckdb") as baskets:
        suppress(baskets).write_table(name, trail=trail, force=True)
    assert setveil.replay(trail).same


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_items_and_keys(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid VARCHAR, item VARCHAR)")
        connection.executemany("INSERT INTO t VALUES ($1, $1)", [[name] for name in ["", *NAMES]])
        connection.execute(f"COPY t TO '{path}'")
    out, trail = tmp_path / f"b.{suffix}", tmp_path / "b.sql"
    with setveil.read(path) as baskets:
        suppress(baskets, NAMES[::2]).write(out, trail=trail)
    assert setveil.replay(trail).same
    with setveil.read(out) as again:
        kept = sorted(["", *NAMES[1::2]])
        assert suppress(again).rows() == [(name, name) for name in kept]
    text = trail.read_text()
    assert not [name for name in NAMES[:4] if len(name) > 1 and name in text]


def test_items_that_are_compared(connection):
    """Hostile names as sensitive items, in patterns, and as labels of a hierarchy."""
    connection.execute("CREATE OR REPLACE TABLE hostile (tid VARCHAR, item VARCHAR)")
    rows = [(tid, name) for tid in ("1", "2") for name in NAMES]
    connection.executemany("INSERT INTO hostile VALUES ($1, $2)", rows)
    connection.execute(
        "CREATE OR REPLACE TABLE tree AS SELECT DISTINCT item, item AS level1 FROM hostile"
    )
    connection.execute("CREATE OR REPLACE TABLE nodes AS SELECT *, 1 AS level FROM hostile")
    with setveil.read(connection, "hostile") as baskets:
        found = setveil.compare(
            baskets, "hostile", "nodes", p=1, hierarchy="tree", sensitive=NAMES,
            patterns=[NAMES[:3]], min_support=2, max_size=4, min_confidence=1,
        )  # fmt: skip
    items, nodes = found.releases
    assert items.side.confidence == items.measures["hiding_failure"] == 1
    assert items.side.surest_rule and items.side.surest_rule.secret in NAMES
    assert items.rules and items.rules.lost == 0 < items.rules.kept
    assert items.patterns and items.patterns.restrictive == 1 + len(NAMES) - 3
    assert nodes.measures["ncp"] == 0


@pytest.mark.few(6)
@pytest.mark.parametrize("name", NAMES, ids=shown(NAMES))
def test_queries_keep_every_character(name):
    value = name.replace("'", "''")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS tid")
        comment = name.splitlines()[0]
        query = f"SELECT tid AS {quoted(name)},\n    '{value}' AS item -- {comment}\nFROM t"
        with setveil.read(connection, query, tid=name) as baskets:
            release = suppress(baskets)
            assert release.rows() == [(1, name)]
            assert release.relation().columns == [name, "item"]
