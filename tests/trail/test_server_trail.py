"""The trail of a server's run: psql makes the same release of it, and `replay` compares."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb
import psycopg
import pytest

import servers
import setveil
from setveil.errors import InputError, UnkeptError
from setveil.trail.render import CONFIDENTIAL

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

SECRET = "Rx Hepatitis o'Hara"
Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            """
            CREATE TABLE t AS
            SELECT n / 5 AS tid, CASE WHEN n % 17 = 3 THEN 'Rx Hepatitis o''Hara'
                ELSE 'i' || (n * 7919 % 23) END AS item
            FROM GENERATE_SERIES(0, 399) AS n
            """
        )
        yield url


@pytest.fixture
def server(url: str) -> Iterator[Connection]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
        connection.execute("DROP TABLE IF EXISTS safe")


def published(url: str, trail: Path, **options: object) -> str:
    """The trail of a run that publishes a table."""
    with setveil.read("t", database=url) as baskets:
        setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2).write_table(
            "safe", trail=trail, **options
        )
    return trail.read_text()


def rows(server: Connection) -> list[tuple[object, ...]]:
    return server.execute("SELECT * FROM safe ORDER BY tid, item").fetchall()


@pytest.fixture
def guest(server: Connection, url: str) -> Iterator[str]:
    """The URL of a role that may make no schema: its runs are in temporary tables."""
    user = psycopg.conninfo.conninfo_to_dict(url)["user"]
    server.execute("CREATE ROLE guest LOGIN; CREATE SCHEMA theirs AUTHORIZATION guest")
    server.execute("GRANT SELECT ON t TO guest")
    yield url.replace(f"//{user}@", "//guest@")
    server.execute("DROP OWNED BY guest; DROP ROLE guest")


def test_numbers_come_back_with_the_same_trail(
    server: Connection, url: str, tmp_path: Path
) -> None:
    trail, key = tmp_path / "t.sql", tmp_path / "key.csv"
    published(url, trail, renumber=True, key=key)
    assert setveil.replay(trail, database=url).same
    made = rows(server)
    server.execute("DROP TABLE safe")
    psql(url, trail)
    assert rows(server) == made and key.read_text().startswith("id,number\n")


def psql(url: str, trail: Path) -> subprocess.CompletedProcess[str]:
    if shutil.which("psql") is None:
        pytest.skip("psql is not installed")
    return subprocess.run(
        ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", url, "-f", str(trail)],
        capture_output=True, text=True, check=True, cwd=trail.parent,
    )  # fmt: skip


def test_psql_makes_the_same_table(server: Connection, url: str, tmp_path: Path) -> None:
    published(url, tmp_path / "t.sql")
    before = rows(server)
    server.execute("DROP TABLE safe")
    psql(url, tmp_path / "t.sql")
    assert rows(server) == before
    left = server.execute("SELECT COUNT(*) FROM pg_namespace WHERE nspname LIKE 'setveil%'")
    assert left.fetchone() == (0,)


def test_psql_makes_no_table_of_other_rows(server: Connection, url: str, tmp_path: Path) -> None:
    """Names that come before all others: every decision in the trail would be about another."""
    published(url, tmp_path / "t.sql")
    server.execute("DROP TABLE safe")
    server.execute("INSERT INTO t VALUES (0, 'Aa'), (1, 'Ab')")
    try:
        with pytest.raises(subprocess.CalledProcessError) as caught:
            psql(url, tmp_path / "t.sql")
        assert "faults: the release does not keep its promise" in caught.value.stderr
        left = server.execute("SELECT TO_REGCLASS('safe'), COUNT(*) FROM pg_namespace "
                              "WHERE nspname LIKE 'setveil%'")  # fmt: skip
        assert left.fetchone() == (None, 0)
        server.execute("CREATE TABLE safe AS SELECT * FROM t")
        with pytest.raises(UnkeptError, match="faults: the release does not keep its promise"):
            setveil.replay(tmp_path / "t.sql", database=url)
    finally:
        server.execute("DELETE FROM t WHERE item IN ('Aa', 'Ab')")


def test_it_says_the_engine_and_neither_names_nor_where_it_was(
    server: Connection, url: str, tmp_path: Path
) -> None:
    text = published(url, tmp_path / "t.sql")
    assert text.startswith(CONFIDENTIAL)
    assert 'coherence of "t" in PostgreSQL' in text
    assert text.rstrip().endswith("COMMIT;")
    assert all(one not in text for one in ("o''Hara", "host=", "postgres@", "setveil-tests"))
    assert text.count(SECRET) == 1 and f'"names": ["{SECRET}"]' in text.partition("\n\n")[0]


def test_replay_compares_the_rows_and_changes_none(
    server: Connection, url: str, tmp_path: Path
) -> None:
    published(url, tmp_path / "t.sql")
    before = rows(server)
    found = setveil.replay(tmp_path / "t.sql", database=url)
    assert found.same and found.release == '"public"."safe"'
    assert rows(server) == before
    server.execute("DELETE FROM safe WHERE ctid = (SELECT MIN(ctid) FROM safe)")
    assert not setveil.replay(tmp_path / "t.sql", database=url).same
    server.execute("DROP TABLE safe")
    with pytest.raises(InputError, match='its release "public"."safe" is not there'):
        setveil.replay(tmp_path / "t.sql", database=url)


def test_replay_of_a_run_in_temporary_tables(guest: str, tmp_path: Path) -> None:
    with setveil.read("t", database=guest) as baskets:
        setveil.coherence(baskets, k=3, p=2).write_table("theirs.safe", trail=tmp_path / "t.sql")
    assert "DISCARD TEMP" in (tmp_path / "t.sql").read_text()
    assert setveil.replay(tmp_path / "t.sql", database=guest).same


def test_replay_takes_no_copies_of_what_is_on_a_server(
    server: Connection, url: str, tmp_path: Path
) -> None:
    published(url, tmp_path / "t.sql")
    for name in ("release", "itemsets", "hierarchy", "out"):
        with pytest.raises(InputError, match=f"leave {name}=|leave write\\(\\) out"):
            setveil.replay(tmp_path / "t.sql", database=url, **{name: tmp_path / "x"})
    with pytest.raises(InputError, match='reads "public"."t", and source= names'):
        setveil.replay(tmp_path / "t.sql", database=url, source=tmp_path / "x")
    for name in ("t", "public.t"):
        assert setveil.replay(tmp_path / "t.sql", database=url, source=name).same


@pytest.mark.parametrize("source", ["SELECT * FROM t", "v"])
def test_what_others_wrote_is_run_only_if_it_is_named_again(
    server: Connection, url: str, tmp_path: Path, source: str
) -> None:
    server.execute("CREATE OR REPLACE VIEW v AS SELECT * FROM t")
    with setveil.read(source, database=url) as baskets:
        setveil.coherence(baskets, k=3, p=2).write_table("safe", trail=tmp_path / "t.sql")
    with pytest.raises(InputError, match="can do anything"):
        setveil.replay(tmp_path / "t.sql", database=url)
    found = setveil.replay(tmp_path / "t.sql", database=url, source=source)
    assert found.same and found.holds
    server.execute("DROP VIEW v")


def test_a_table_with_policies_is_none_that_is_read(
    server: Connection, url: str, tmp_path: Path
) -> None:
    """A policy is a condition that its author wrote: it can call anything."""
    server.execute("CREATE TABLE guarded AS SELECT * FROM t")
    with setveil.read("guarded", database=url) as baskets:
        setveil.coherence(baskets, k=3, p=2).write_table("safe", trail=tmp_path / "t.sql")
    assert setveil.replay(tmp_path / "t.sql", database=url).same
    server.execute("ALTER TABLE guarded ENABLE ROW LEVEL SECURITY")
    with pytest.raises(InputError, match="which is no table"):
        setveil.replay(tmp_path / "t.sql", database=url)
    server.execute("DROP TABLE guarded")


def test_replay_says_how_what_was_pushed_is_made_again(
    server: Connection, url: str, tmp_path: Path
) -> None:
    with setveil.read("t", database=url, engine="duckdb") as baskets:
        setveil.coherence(baskets, k=3, p=2).write_table("safe", trail=tmp_path / "t.sql")
    with pytest.raises(InputError, match="beside the same rows as source.parquet; `published`"):
        setveil.replay(tmp_path / "t.sql")
    with psycopg.connect(url) as connection, duckdb.connect() as local:
        read = connection.execute("SELECT tid, item FROM t").fetchall()
        local.execute("CREATE TABLE t (tid INT, item TEXT)")
        local.executemany("INSERT INTO t VALUES ($1, $2)", read)
        local.table("t").write_parquet(str(tmp_path / "source.parquet"))
        text = (tmp_path / "t.sql").read_text()
        local.execute(text.replace("'source.parquet'", f"'{tmp_path}/source.parquet'"))
        assert sorted(local.table("published").fetchall()) == rows(server)


@pytest.mark.parametrize("out", [True, False], ids=["file", "table"])
def test_what_was_pulled_says_how_it_is_run_again(
    server: Connection, url: str, tmp_path: Path, out: bool
) -> None:
    trail = tmp_path / "t.sql"
    with setveil.read("t", database=url, engine="duckdb") as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        if out:
            release.write(tmp_path / "t.csv", trail=trail)
        else:
            release.write_table("safe", trail=trail)
    head = trail.read_text().partition("\n\n")[0]
    assert "beside the same rows as source.parquet" in head
    assert ("setveil replay --source" in head) == out and ("`published` is" in head) != out
    if out:
        with psycopg.connect(url) as connection, duckdb.connect() as local:
            local.execute("CREATE TABLE t (tid INT, item TEXT)")
            read = connection.execute("SELECT tid, item FROM t").fetchall()
            local.executemany("INSERT INTO t VALUES ($1, $2)", read)
            local.table("t").write_parquet(str(tmp_path / "copy.parquet"))
        assert setveil.replay(trail, source=tmp_path / "copy.parquet").same


def test_replay_refuses_what_is_no_part_of_a_run(
    server: Connection, url: str, tmp_path: Path
) -> None:
    text = published(url, tmp_path / "t.sql")
    (tmp_path / "u.sql").write_text(text.replace("COMMIT;", "COPY t TO '/tmp/t';\nCOMMIT;"))
    with pytest.raises(InputError, match="it has \"COPY t TO '/tmp/t'\""):
        setveil.replay(tmp_path / "u.sql", database=url)
    with pytest.raises(InputError, match="name it with database="):
        setveil.replay(tmp_path / "t.sql")


def test_a_trail_of_a_file_prints_its_rows(server: Connection, url: str, tmp_path: Path) -> None:
    with setveil.read("t", database=url) as baskets:
        release = setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2)
        release.write(tmp_path / "t.csv", trail=tmp_path / "t.sql")
    assert f'the rows that it sends, as "{tmp_path}/t.csv"' in (tmp_path / "t.sql").read_text()
    lines = psql(url, tmp_path / "t.sql").stdout.replace('"', "").splitlines()
    assert lines == (tmp_path / "t.csv").read_text().splitlines()[1:]
    with pytest.raises(InputError, match="run it with psql"):
        setveil.replay(tmp_path / "t.sql", database=url)


def test_the_rows_of_a_hierarchy_are_read_from_its_file(
    server: Connection, url: str, tmp_path: Path
) -> None:
    items = [str(item) for (item,) in server.execute("SELECT DISTINCT item FROM t").fetchall()]
    tree = tmp_path / "h.csv"
    tree.write_text("item,level1\n" + "".join(f"{item},{item[:2]}\n" for item in items))
    with setveil.read("t", database=url) as baskets:
        made = setveil.km_anonymity(baskets, hierarchy=tree, k=20, m=2)
        made.write_table("safe", trail=tmp_path / "t.sql")
    before = server.execute("SELECT * FROM safe ORDER BY safe::TEXT").fetchall()
    server.execute("DROP TABLE safe")
    assert SECRET not in (tmp_path / "t.sql").read_text()
    psql(url, tmp_path / "t.sql")
    assert server.execute("SELECT * FROM safe ORDER BY safe::TEXT").fetchall() == before
    with pytest.raises(InputError, match="reads a file: run it with psql"):
        setveil.replay(tmp_path / "t.sql", database=url)


@pytest.mark.parametrize("out", [True, False], ids=["file", "table"])
def test_a_key_is_not_printed(server: Connection, url: str, tmp_path: Path, out: bool) -> None:
    """Whatever else is: the rows of the release, if they went to a file."""
    trail = tmp_path / "t.sql"
    with setveil.read("t", database=url) as baskets:
        renamed = setveil.rename(baskets, key=tmp_path / "k.parquet", seed=1)
        if out:
            renamed.write(tmp_path / "t.csv", trail=trail)
        else:
            renamed.write_table("safe", trail=trail)
            server.execute("DROP TABLE safe")
    rows = (tmp_path / "t.csv").read_text().splitlines()[1:] if out else []
    assert psql(url, trail).stdout.replace('"', "").splitlines() == rows


def test_a_trail_says_which_files_it_needs(server: Connection, url: str, tmp_path: Path) -> None:
    """As it says in its head: with these, psql prints what was written."""
    key, known, trail = (tmp_path / name for name in ("k.parquet", "i.parquet", "t.sql"))
    with setveil.read("t", database=url) as baskets:
        setveil.itemsets(baskets, min_support=4).write(known)
        setveil.rename(baskets, key=key, seed=1).write_table("safe")
    with setveil.read("safe", database=url) as baskets:
        setveil.reidentify(baskets, known, key=key).write(tmp_path / "t.csv", trail=trail)
    head = trail.read_text().partition("\n\n")[0]
    first = "-- Make its file first: "
    assert f'{first}"{tmp_path}/k.csv" has the rows of "{key}" as CSV' in head
    assert f'{first}"{tmp_path}/i.csv" has the rows of "{known}" as CSV' in head
    assert 'the first line "code","name"\n' in head and 'lists as {"a","b"}' in head
    with duckdb.connect() as local:
        local.read_parquet(str(key)).write_csv(str(tmp_path / "k.csv"), header=True)
        local.execute(
            f"""
            COPY (SELECT '{{"' || ARRAY_TO_STRING(items, '","') || '"}}' AS items, frequency
            FROM '{known}') TO '{tmp_path}/i.csv' (HEADER)
            """  # noqa: S608
        )
    printed = psql(url, trail).stdout.replace('"', "").splitlines()
    written = (tmp_path / "t.csv").read_text().splitlines()[1:]
    assert len(written) > 1 and len(printed) == len(written)
    assert [line.split(",")[:2] for line in printed] == [line.split(",")[:2] for line in written]


def test_ids_of_several_columns_keep_their_types(
    server: Connection, url: str, tmp_path: Path
) -> None:
    """A date, a uuid and a number together are an id: the table and its trail have all three."""
    server.execute(
        """
        CREATE TABLE u AS
        SELECT DATE '2026-01-01' + tid / 20 AS day, MD5('s' || tid % 4)::uuid AS store,
            (tid / 4 % 5)::numeric(8, 2) AS till, item
        FROM t
        """
    )
    trail, key = tmp_path / "t.sql", tmp_path / "key.csv"
    columns = ["day", "store", "till"]
    with setveil.read("u", database=url, tid=columns) as baskets:
        assert baskets.transactions == 80
        release = setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2)
        with setveil.read("u", database=url, tid=columns) as again:
            other = setveil.coherence(again, private=[SECRET], h="0.6", k=3, p=2)
            other.write(tmp_path / "numbered.parquet", renumber=True, key=key)
        release.write_table("safe", trail=trail)
    kinds = server.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'safe'"
        " ORDER BY ordinal_position"
    ).fetchall()
    assert kinds == [("day", "date"), ("store", "uuid"), ("till", "numeric"), ("item", "text")]
    assert setveil.replay(trail, database=url).same
    [(kept,)] = server.execute(
        "SELECT COUNT(*) FROM safe AS s WHERE NOT EXISTS (SELECT FROM u WHERE u.day = s.day"
        " AND u.store = s.store AND u.till = s.till AND u.item = s.item)"
    ).fetchall()
    assert kept == 0
    told = duckdb.read_csv(str(key)).fetchall()
    assert str(told[0][0]).count("/") == 2
    server.execute("DROP TABLE u")
