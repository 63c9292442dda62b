"""A trail that is run on other data, by a shell that knows nothing of it, releases nothing."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import duckdb
import pytest

import harness
import setveil
from harness import Rows
from setveil.errors import InputError, QueryError, SetveilError, UnkeptError
from setveil.sql.run.reading import published
from setveil.sql.step import duck
from setveil.trail.seal import sealed

GIVEN: Rows = [(1, "a"), (2, "b"), (2, "c")]
OTHERS: list[Rows] = [
    [],
    GIVEN[:2],
    [*GIVEN, GIVEN[0]],
    [(2, "a"), (1, "b"), (2, "c")],
    [(1, "a"), (2, "b"), (2, None)],
    [(1, "a"), (2, "b"), (2, "-")],
    [(1, "a"), (2, "b"), (None, "2c")],
    [(1, "a"), (2, "b"), (2, "C")],
]
DECLARED = "tid INT, item VARCHAR"


def marks(connection: duckdb.DuckDBPyConnection, rows: Rows) -> tuple[str, str]:
    """What a seal says of rows."""
    with harness.prepared(connection, release=(DECLARED, rows)) as session:
        sealed(session, duck("SELECT 1 AS one FROM release"), ["tid", "item"])
        (seal,) = [one for one in session.statements if one.name == "seal"]
        told = session.backend.rows("seal", "SELECT intact FROM seal")
        assert told == [(1,)]
        return seal.text.partition("f.held = ")[2].partition("\n")[0], seal.text


def test_other_rows_have_another_seal(connection: duckdb.DuckDBPyConnection) -> None:
    found = [marks(connection, rows)[0] for rows in (GIVEN, *OTHERS)]
    assert all(one != other for one, other in combinations(found, 2))
    assert marks(connection, GIVEN[::-1])[0] == found[0]


@pytest.mark.parametrize("rows", OTHERS, ids=str)
def test_the_seal_breaks_on_other_rows(connection: duckdb.DuckDBPyConnection, rows: Rows) -> None:
    """However many they are."""
    _, text = marks(connection, GIVEN)
    with harness.prepared(connection, release=(DECLARED, rows)) as session:
        sealed(session, duck("SELECT 1 AS one FROM release"), ["tid", "item"])
        session.drop("seal")
        with pytest.raises(QueryError, match=f"{len(rows)} rows are not those that were checked"):
            session.backend.execute("seal", text)


def test_nothing_is_sealed_where_nothing_runs(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE OR REPLACE TABLE t AS SELECT 1 AS tid, 'a' AS item")
    with setveil.read(connection, "t", explain=True) as baskets:
        query = published(("tid",), ("tid",))
        assert sealed(baskets.session, query, ["tid"]) is query


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database whose table has changed since the release was made of it."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute(
            "CREATE TABLE sales AS SELECT n // 3 AS tid, n % 7 AS item FROM RANGE(90) t(n)"
        )
        shop.execute("COPY sales TO 'sales.parquet'")
    for source, database, out in (("sales.parquet", None, "safe.parquet"),
                                  ("sales", "shop.duckdb", None)):  # fmt: skip
        with setveil.read(source, database=database) as baskets:
            release = setveil.coherence(baskets, k=13, p=1)
            assert release.metrics.information_loss
            if out:
                release.write(out, trail="file.sql")
            else:
                release.write_table("safe", trail="table.sql")
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute("DROP TABLE safe")
        shop.execute("INSERT INTO sales VALUES (99, -1)")  # takes the first number
        shop.execute("COPY sales TO 'sales.parquet'")
    return tmp_path


@pytest.mark.parametrize("kind", ["file", "table"])
def test_a_shell_that_goes_on_after_errors(made: Path, kind: str) -> None:
    (made / "safe.parquet").unlink()
    refused = []
    with duckdb.connect() as shell:
        for statement in duckdb.extract_statements((made / f"{kind}.sql").read_text()):
            try:
                shell.execute(statement.query)
            except duckdb.Error as error:
                refused.append(str(error))
    assert "faults: the release does not keep its promise" in refused[0]
    assert len(refused) > 2 and "check_verdict does not exist" in refused[1]
    assert not (made / "safe.parquet").exists()
    with duckdb.connect("shop.duckdb") as shop:
        assert shop.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("sales",)]


SAID: dict[str, tuple[type[SetveilError], str]] = {
    "file": (InputError, "this source is not the input of the run"),
    "table": (UnkeptError, "present input.*faults: the release does not keep"),
}


@pytest.mark.parametrize("kind", SAID)
def test_a_replay_says_why(made: Path, kind: str) -> None:
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute("CREATE TABLE safe AS FROM sales")
    error, said = SAID[kind]
    with pytest.raises(error, match=said):
        setveil.replay(made / f"{kind}.sql")


def test_a_second_copy_has_the_same_seal(made: Path) -> None:
    with setveil.read("sales.parquet") as baskets:
        release = setveil.coherence(baskets, k=13, p=1)
        for name in ("first", "second"):
            release.write(f"{name}.parquet", trail=f"{name}.sql")
    assert (made / "first.parquet").read_bytes() == (made / "second.parquet").read_bytes()
    for name in ("first", "second"):
        assert (made / f"{name}.sql").read_text().count("CREATE TABLE seal AS") == 1
        assert setveil.replay(f"{name}.sql").same
