"""No output of a run replaces one of its inputs, under any name of either."""

from __future__ import annotations

import hashlib
import os
import shlex
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, suppress
from setveil.cli.main import run
from setveil.errors import InputError

ROWS = "SELECT range // 2 AS tid, range % 2 AS n, 'i' || range % 2 AS item FROM RANGE(40)"
COHERENCE = "coherence {} --k 2 --p 1 --force"
TABLE = "--database a.duckdb --out {}"


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Inputs of every kind, and other names for them."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "g/b/c").mkdir(parents=True)
    for name in ("a.parquet", "dq.parquet", "g/a.parquet", "g/b/c/d.parquet", "g/.hidden.parquet"):
        parquet(folder / name, ROWS)
    (folder / "sub").symlink_to("g")
    (folder / "soft.parquet").symlink_to("a.parquet")
    os.link(folder / "a.parquet", folder / "hard.parquet")
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        for name in ("t", "keep", "other"):
            connection.execute(f"CREATE TABLE {name} AS {ROWS}")
        connection.execute(f"CREATE VIEW seen AS FROM '{folder}/dq.parquet'")
        connection.execute("CREATE VIEW of_keep AS FROM keep")
        connection.execute("CREATE VIEW n_of_other AS SELECT tid FROM other")
        connection.execute("CREATE VIEW nested AS FROM of_keep WHERE tid IN (FROM n_of_other)")
        connection.execute("CREATE MACRO made(x) AS TABLE FROM query_table(x)")
        connection.execute(f"CREATE MACRO one(x) AS TABLE FROM read_parquet('{folder}/' || x)")
        connection.execute("CREATE TABLE tree AS SELECT DISTINCT item, 'top' AS level1 FROM t")
        connection.execute("CREATE SCHEMA sales; CREATE TABLE sales.t AS FROM t")
    parquet(folder / "tree.parquet", "SELECT 'i' || range AS item, 'top' AS level1 FROM RANGE(2)")
    parquet(folder / "list.parquet", "SELECT 'i0' AS item")
    parquet(folder / "loss.parquet", "SELECT 'i' || range AS item, 1 AS loss FROM RANGE(2)")
    parquet(folder / "patterns.parquet", "SELECT 1 AS pattern, 'i' || range AS item FROM RANGE(2)")
    (folder / "list.txt").write_text("i0\n")
    os.link(folder / "list.txt", folder / "list.copy.csv")
    (folder / "patterns.txt").write_text("i0,i1\n")
    os.link(folder / "patterns.txt", folder / "patterns.csv")
    (folder / "list.csv").write_text("item\ni0\n")
    os.link(folder / "a.duckdb", folder / "base.parquet")
    (folder / "base.csv").symlink_to("a.duckdb")
    with setveil.read(folder / "a.parquet") as baskets:
        setveil.rename(baskets, key=folder / "key.parquet", seed=1).write(folder / "coded.parquet")
        setveil.itemsets(baskets, min_support=1).write(folder / "sets.parquet")
    os.link(folder / "key.parquet", folder / "key.csv")
    for name in ("report.html", "plot.svg"):
        os.link(folder / "a.parquet", folder / name)
    os.link(folder / "list.txt", folder / "list.html")
    os.link(folder / "a.parquet", folder / "trail.sql")
    os.link(folder / "dq.parquet", folder / "seen.sql")
    (folder / "wordnet").mkdir()
    (folder / "wordnet/index.noun").write_text("rice n 1 0 1 0 00000001\n")
    (folder / "wordnet/data.noun").write_text("00000001 13 n 01 rice 0 000 | food\n")
    (folder / "words.csv").write_text("tid,item\n1,rice\n")
    os.link(folder / "wordnet/data.noun", folder / "nouns.csv")
    return folder


def of_files():
    """A command, and the input that its output names."""
    for source, out in (
        ("a.parquet", "a.parquet"), ("a.parquet", "./g/../a.parquet"),
        ("a.parquet", "soft.parquet"),
        ("a.parquet", "hard.parquet"), ("soft.parquet", "a.parquet"), ("hard.parquet", "a.parquet"),
        ("*q.parquet", "dq.parquet"), ("g/**/*.parquet", "g/b/c/d.parquet"),
        ("g/*.parquet", "g/.hidden.parquet"), ("sub/**/*.parquet", "g/b/c/d.parquet"),
        ("g/[a]*.parquet", "g/a.parquet"), ("g/**/d.parquet", "sub/b/c/d.parquet"),
        ("file://{folder}/g/*.parquet", "g/a.parquet"), ("{folder}/a.parquet", "a.parquet"),
        ("a.parquet", "{folder}/a.parquet"), ("?.parquet", "a.parquet"),
    ):  # fmt: skip
        yield f"{COHERENCE.format(shlex.quote(source))} --out {out}"
    for source in (
        "FROM 'dq.parquet'", "seen", "FROM read_parquet('d' || 'q.parquet')",
        "FROM one('dq.parquet')", "FROM '*q.parquet'", "SELECT * FROM seen UNION ALL FROM t",
        "FROM t WHERE tid IN (SELECT tid FROM seen)", "FROM query_table('seen')",
        "FROM query('FROM seen')", "FROM 'file://{folder}/dq.parquet'",
        "FROM t WHERE tid > (SELECT MIN(tid) FROM seen) OR TRUE",
    ):  # fmt: skip
        yield f"{COHERENCE.format(shlex.quote(source))} {TABLE.format('dq.parquet')}"
    for out in ("base.parquet", "base.csv"):
        yield f"{COHERENCE.format('t')} {TABLE.format(out)}"
    for name in ("list.txt", "list.parquet", "list.csv"):
        for option in ("--private", "--private list.txt --public"):
            out = name.replace(".txt", ".copy.csv")
            yield f"{COHERENCE.format('a.parquet')} --h 1 {option} {name} --out {out}"
    for text in (
        "coherence a.parquet --k 2 --p 1 --loss loss.parquet --out loss.parquet",
        "coherence a.parquet --k 2 --p 1 --out n.parquet --trail trail.sql",
        "coherence seen --database a.duckdb --k 2 --p 1 --out n.parquet --trail seen.sql",
        "coherence seen --database a.duckdb --k 2 --p 1 --into n --trail seen.sql",
        "k-anonymity a.parquet --k 2 --hierarchy tree.parquet --out tree.parquet",
        "km-anonymity a.parquet --k 2 --m 1 --hierarchy tree.parquet --out tree.parquet",
        "uncertainty a.parquet --rho 0.6 --sensitive list.parquet --out list.parquet",
        "hiding a.parquet --patterns patterns.parquet --psi 0.5 --out patterns.parquet",
        "hiding a.parquet --patterns patterns.txt --psi 0.5 --out patterns.csv",
        "hierarchy a.parquet --hierarchy tree.parquet --out tree.parquet",
        "hierarchy a.parquet --fanout 2 --out a.parquet",
        "hierarchy a.parquet --hierarchy tree.parquet --out hard.parquet",
        "hierarchy words.csv --wordnet --wordnet-path wordnet --out nouns.csv",
        "itemsets a.parquet --min-support 1 --out hard.parquet",
        "rename coded.parquet --undo --key key.parquet --out key.parquet",
        "rename coded.parquet --undo --key key.parquet --out key.csv",
        "rename coded.parquet --undo --key key.parquet --out coded.parquet",
        "rename a.parquet --key n.parquet --out a.parquet",
        "rename a.parquet --key n.parquet --out n.parquet",
        "rename a.parquet --key ./n.parquet --out g/../n.parquet",
        "reidentify coded.parquet --itemsets sets.parquet --out sets.parquet",
        "reidentify coded.parquet --itemsets sets.parquet --key key.parquet --out key.parquet",
        "reidentify coded.parquet --itemsets sets.parquet --out coded.parquet",
        "inspect a.parquet --report report.html",
        "inspect a.parquet --h 0.5 --private list.txt --report list.html",
        "compare dq.parquet a.parquet --report report.html",
        "compare a.parquet dq.parquet --report report.html",
        "compare a.parquet dq.parquet --private list.txt --h 0.5 --report list.html",
        "sweep coherence a.parquet --k 2,3 --p 1 --report report.html",
        "sweep coherence a.parquet --k 2,3 --p 1 --plot plot.svg",
        "sweep coherence a.parquet --k 2,3 --p 1 --plot n.svg --report report.html",
    ):
        yield f"{text} --force"


def state(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.few(22)
@pytest.mark.parametrize("words", list(of_files()))
def test_no_input_is_lost(original, monkeypatch, capsys, words):
    monkeypatch.chdir(original)
    before = state(original)
    assert run(shlex.split(words.replace("{folder}", str(original)))) == 2
    said = capsys.readouterr().err
    assert state(original) == before
    assert "was read from: choose another name" in said or "both name" in said, said


TABLES = [
    ("keep", "keep"), ("of_keep", "keep"), ("nested", "keep"), ("nested", "OTHER"),
    ("FROM query_table('keep')", "keep"), ("FROM made('keep')", "keep"), ("keep", "main.keep"),
    ("main.keep", "keep"), ("FROM keep WHERE false", "keep"), ("sales.t", "sales.t"),
    ("FROM query('FROM keep')", '"main"."keep"'), ("sales.t", "SALES.T"), ("sales.t", '"sales".t'),
    ("WITH k AS (FROM t) FROM k WHERE EXISTS (FROM keep)", "keep"), ("of_keep", "of_keep"),
    ("SELECT *, (SELECT MAX(tid) FROM keep) AS most FROM t", "keep"),
    ("FROM t LEFT JOIN keep USING (tid, n, item) ORDER BY ALL LIMIT 0", "keep"),
]  # fmt: skip


@pytest.mark.few(6)
@pytest.mark.parametrize(("source", "into"), TABLES)
def test_no_table_that_is_read_is_replaced(original, tmp_path, capsys, source, into):
    database = tmp_path / "a.duckdb"
    database.write_bytes((original / "a.duckdb").read_bytes())
    words = COHERENCE.format(shlex.quote(source)) + f" --database {database} --into '{into}'"
    before = database.read_bytes()
    assert run(shlex.split(words)) == 2
    said = capsys.readouterr().err
    assert "what the data was read from" in said or "cannot be made" in said or "holds no" in said
    assert database.read_bytes() == before
    with duckdb.connect(str(database)) as connection, setveil.read(connection, source) as baskets:
        with pytest.raises(InputError, match="was read from|cannot be made"):
            suppress(baskets).write_table(into, force=True)
        assert len(connection.execute("FROM keep").fetchall()) == 40


def test_a_hierarchy_that_is_a_table_is_not_replaced(original, tmp_path, capsys):
    database = tmp_path / "a.duckdb"
    database.write_bytes((original / "a.duckdb").read_bytes())
    words = f"k-anonymity t --k 2 --hierarchy tree --database {database} --into tree --force"
    assert run(shlex.split(words)) == 2
    assert "was read from" in capsys.readouterr().err
    with duckdb.connect(str(database)) as connection:
        assert len(connection.execute("FROM tree").fetchall()) == 2


def test_other_names_are_free(original, tmp_path):
    """An equal name elsewhere, a file that is not read, and an earlier output may be replaced."""
    database = tmp_path / "a.duckdb"
    database.write_bytes((original / "a.duckdb").read_bytes())
    with setveil.read("sales.t", database=database) as baskets:
        suppress(baskets).write_table("t", force=True)
    out = tmp_path / "dq.parquet"
    for _ in range(2):
        with setveil.read("seen", database=database) as baskets:
            suppress(baskets).write(out, force=True)
    with duckdb.connect() as connection:
        with setveil.read(connection, f"FROM '{out}'") as baskets:
            suppress(baskets).write(tmp_path / "next.parquet", force=True)
            with pytest.raises(InputError, match="was read from"):
                suppress(baskets).write(out, force=True)


def test_a_connection_is_left_as_it_was(original, tmp_path):
    settings = "SELECT name, value FROM duckdb_settings() WHERE name ~ 'log|explain' ORDER BY ALL"
    with duckdb.connect() as connection:
        before = connection.execute(settings).fetchall()
        with setveil.read(connection, f"FROM '{original}/dq.parquet'") as baskets:
            suppress(baskets)
        assert connection.execute(settings).fetchall() == before


@pytest.mark.parametrize("text", ["CALL enable_logging()", "SET lock_configuration = true"])
def test_where_files_cannot_be_told_none_is_overwritten(original, tmp_path, text):
    out = tmp_path / "b.csv"
    with duckdb.connect() as connection:
        connection.execute(text)
        with setveil.read(connection, f"FROM '{original}/dq.parquet'") as baskets:
            suppress(baskets).write(out)
            with pytest.raises(InputError, match="cannot be known which files"):
                suppress(baskets).write(out, force=True)


def test_a_key_is_not_its_release(original, tmp_path):
    with setveil.read(original / "a.parquet") as baskets:
        release = setveil.rename(baskets, key=tmp_path / "k.parquet", seed=1)
        with pytest.raises(InputError, match="both name"):
            release.write(tmp_path / "k.parquet", force=True)
    assert not list(Path(tmp_path).iterdir())


# PostgreSQL

ON_POSTGRES = pytest.mark.only_on("postgres", reason="is about what PostgreSQL reads")
READS = {
    "keep": "keep", "main view": "keep", "nested": "keep", "SELECT * FROM by_function()": "keep",
    "SELECT t.* FROM t, LATERAL (SELECT counted()) AS c": "keep",
    "SELECT t.* FROM t WHERE tid IN (SELECT tid FROM nested)": "keep", "parts": "part",
    "part": "parts", "SELECT * FROM parts WHERE tid < 5": "part", "stored": "stored",
    "SELECT * FROM keep WHERE FALSE UNION ALL SELECT * FROM t": "public.keep",
    "WITH k AS (SELECT * FROM t) SELECT * FROM k WHERE EXISTS (TABLE keep)": '"public"."keep"',
    "heir": "heir", "SELECT * FROM ancestor": "heir",
}  # fmt: skip


@pytest.fixture
def tables_of_postgres(server):
    server.table("keep", rows=[(n // 2, f"i{n % 2}") for n in range(40)])
    server.connection.execute(
        """
        CREATE TABLE t AS TABLE keep;
        CREATE VIEW "main view" AS TABLE keep;
        CREATE VIEW nested AS SELECT * FROM "main view" WHERE tid >= 0;
        CREATE FUNCTION by_function() RETURNS SETOF keep LANGUAGE plpgsql AS
            'BEGIN RETURN QUERY EXECUTE ''TABLE ke'' || ''ep''; END';
        CREATE FUNCTION counted() RETURNS BIGINT LANGUAGE plpgsql AS
            'BEGIN RETURN (SELECT COUNT(*) FROM keep); END';
        CREATE TABLE parts (tid INT, item TEXT) PARTITION BY RANGE (tid);
        CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (100);
        INSERT INTO parts TABLE keep;
        CREATE MATERIALIZED VIEW stored AS TABLE keep;
        CREATE TABLE ancestor (tid INT, item TEXT);
        CREATE TABLE heir () INHERITS (ancestor);
        INSERT INTO heir TABLE keep
        """
    )
    return server


@ON_POSTGRES
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
@pytest.mark.parametrize("source", READS)
def test_no_table_that_postgres_reads_is_replaced(tables_of_postgres, capsys, source, engine):
    server, into = tables_of_postgres, READS[source]
    words = ["coherence", source, "--database", server.url, "--k", "2", "--p", "1", "--force"]
    assert run([*words, "--engine", engine, "--into", into]) == 2
    assert "is what the data was read from" in capsys.readouterr().err
    with setveil.read(source, database=server.url, engine=engine) as baskets:
        with pytest.raises(InputError, match="was read from"):
            suppress(baskets).write_table(into, force=True)
    for name in ("keep", "parts", "part", "stored", "heir"):
        ((rows,),) = server.connection.execute(f"SELECT COUNT(*) FROM {name}").fetchall()  # noqa: S608
        assert rows == 40


@ON_POSTGRES
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_another_table_of_postgres_is_replaced(tables_of_postgres, engine):
    server = tables_of_postgres
    words = ["coherence", "nested", "--database", server.url, "--k", "2", "--p", "1", "--force"]
    for _ in range(2):
        assert run([*words, "--engine", engine, "--into", "t"]) == 0


# Spark


@pytest.mark.only_on("spark", "connect", reason="is about what Spark reads")
@pytest.mark.everywhere
def test_no_table_that_spark_reads_is_replaced(server, capsys):
    for text in (
        "CREATE TABLE keep AS SELECT id AS tid, 'a' AS item FROM RANGE(9)",
        "CREATE TABLE t AS SELECT * FROM keep", "CREATE VIEW seen AS SELECT * FROM keep",
        "CREATE VIEW nested AS SELECT * FROM t WHERE tid IN (SELECT tid FROM seen)",
    ):  # fmt: skip
        server.sql(text)
    for source in ("seen", "nested", "SELECT * FROM keep WHERE FALSE", "SELECT * FROM `seen`"):
        with setveil.read(source, database=server.url) as baskets:
            release = suppress(baskets)
            for into in ("keep", "KEEP", "default.keep"):
                with pytest.raises(InputError, match="was read from"):
                    release.write_table(into, force=True)
    assert len(server.sql("SELECT * FROM keep")) == 9
    with setveil.read("seen", database=server.url) as baskets:
        suppress(baskets).write_table("t", force=True)
