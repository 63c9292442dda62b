"""Both parts of a release on PostgreSQL: two tables, or a folder, and the trail of either."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import servers
import setveil
from runs import read_parquet
from setveil.cli.main import run
from setveil.errors import InputError

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

ROWS = """
    CREATE TABLE t AS
    SELECT n / 3 AS tid, n / 9 AS person,
        CASE WHEN n % 17 = 3 THEN 'Rx o''Hara' ELSE 'i' || (n * 7919 % 11) END AS item
    FROM GENERATE_SERIES(0, 299) AS n
"""
OPTIONS = {"sensitive": ["Rx o'Hara"], "degree": 4}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ROWS)
        yield url


@pytest.fixture
def tables(url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
        connection.execute("DROP TABLE IF EXISTS safe; DROP TABLE IF EXISTS safe_sensitive")


@contextlib.contextmanager
def made(url: str, engine: str = "in-place") -> Iterator[setveil.PartedRelease]:
    with setveil.read("t", database=url, engine=engine, person="person") as baskets:
        yield setveil.permutation(baskets, **OPTIONS)


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_two_tables_are_verified_where_they_are(url, tables, tmp_path, engine):
    with made(url, engine) as release:
        expected = release.rows(), release.sensitive_rows()
        release.write_table("safe", trail=tmp_path / "t.sql")
    for table, rows in zip(("safe", "safe_sensitive"), expected, strict=True):
        found = tables.execute(f'SELECT * FROM {table} ORDER BY "group", 1, 2').fetchall()  # noqa: S608
        assert sorted(found) == sorted(rows)
    with setveil.read("safe", database=url) as baskets:
        persons = setveil.verify.PersonsOf("t", "person")
        assert setveil.verify.permutation(baskets, **OPTIONS, persons=persons).holds
    if engine == "in-place":
        replayed = setveil.replay(tmp_path / "t.sql", database=url)
        assert replayed.same and replayed.holds


def test_no_table_stays_if_the_second_cannot_be_made(url, tables):
    tables.execute("CREATE TABLE safe_sensitive (a INT)")
    with made(url) as release:
        with pytest.raises(InputError, match="safe_sensitive"):
            release.write_table("safe")
        assert tables.execute("SELECT TO_REGCLASS('safe')").fetchall() == [(None,)]
        release.write_table("safe", force=True)
    assert tables.execute("SELECT COUNT(*) > 0 FROM safe_sensitive").fetchall() == [(True,)]


def test_a_changed_count_is_found_by_replay(url, tables, tmp_path):
    with made(url) as release:
        release.write_table("safe", trail=tmp_path / "t.sql")
    tables.execute("UPDATE safe_sensitive SET count = 9")
    replayed = setveil.replay(tmp_path / "t.sql", database=url)
    assert not replayed.same and not replayed.holds


def test_a_folder_of_a_server(url, tmp_path: Path):
    with made(url) as release:
        expected = release.rows(), release.sensitive_rows()
        release.write(tmp_path / "safe", trail=tmp_path / "t.sql")
    found = [
        read_parquet(tmp_path / "safe" / name)
        for name in ("transactions.parquet", "sensitive.parquet")
    ]
    assert [sorted(one) for one in found] == [sorted(one) for one in expected]
    (tmp_path / "s.txt").write_text("Rx o'Hara\n")
    words = ["--sensitive", str(tmp_path / "s.txt"), "--degree", "4"]
    assert run(["verify", "permutation", str(tmp_path / "safe"), *words]) == 0
    text = (tmp_path / "t.sql").read_text()
    assert "-- release: the rows that it sends" in text
    assert "-- sensitive: the rows that it sends" in text
