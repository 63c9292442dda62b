"""Files of a server's run have the same bytes as DuckDB's files of the same data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import psycopg
import pytest

import servers
import setveil
from harness import read_as_it_is
from hostile_names import TEXTS
from setveil.cli.main import run
from setveil.errors import InputError

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

# Types that are copied unchanged: the names in PostgreSQL and DuckDB, and values.
TYPES = {
    "small": ("SMALLINT", "SMALLINT", ["-32768", None, "7"]),
    "big": ("BIGINT", "BIGINT", ["9223372036854775807", "-1", None]),
    "real": ("REAL", "FLOAT", ["0.1", "NaN", None]),
    "precise": ("DOUBLE PRECISION", "DOUBLE", ["0.1", "-Infinity", "1e-300"]),
    "price": ("NUMERIC(10, 2)", "DECIMAL(10, 2)", ["12.30", None, "-0.01"]),
    "flag": ("BOOLEAN", "BOOLEAN", ["true", "false", None]),
    "day": ("DATE", "DATE", ["2024-02-29", "infinity", None]),
    "moment": ("TIMESTAMP", "TIMESTAMP", ["2024-02-29 23:59:59.123456", None, "1969-12-31"]),
    "instant": ("TIMESTAMPTZ", "TIMESTAMPTZ", ["2024-02-29 23:59:59+02", None, "1969-12-31"]),
    "clock": ("TIME", "TIME", ["23:59:59.5", None, "00:00:00"]),
    "id": ("UUID", "UUID", ["00000000-0000-0000-0000-00000000000f", None, None]),
    "bytes": ("BYTEA", "BLOB", [None, "", "abc"]),
    "words": ("TEXT[]", "VARCHAR[]", ['{a,"b, c",NULL,"\\"","\\\\","null",""}', "{}", None]),
    "numbers": ("BIGINT[]", "BIGINT[]", ["{1,NULL,9223372036854775807}", "{}", None]),
    "prices": ("NUMERIC(6, 1)[]", "DECIMAL(6, 1)[]", ["{1.5,-2}", "{}", None]),
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with servers.postgres() as url:
        yield url


@pytest.fixture
def server(url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
        connection.execute("DROP TABLE IF EXISTS t")


def written(source: object, path: Path, **options: object) -> bytes:
    """The file of a release that suppresses nothing, or one item."""
    with read_as_it_is(source, carry="all", **options) as baskets:
        setveil.coherence(baskets, public=["rare"], k=2, p=1).write(path)
    return path.read_bytes()


def both(
    server: psycopg.Connection[tuple[object, ...]],
    url: str,
    folder: Path,
    columns: dict[str, tuple[str, str]],
    rows: list[tuple[object, ...]],
    suffix: str = "parquet",
) -> tuple[bytes, bytes]:
    """Release the same rows on DuckDB and on the server; return both files."""
    marks = ", ".join(["%s"] * len(columns))
    made = ", ".join(f"{name} {kind}" for name, (kind, _) in columns.items())
    server.execute(f"DROP TABLE IF EXISTS t; CREATE TABLE t ({made})")
    with server.cursor() as cursor:
        cursor.executemany(f"INSERT INTO t VALUES ({marks})", rows)  # noqa: S608
    with duckdb.connect() as local:
        made = ", ".join(f"{name} {kind}" for name, (_, kind) in columns.items())
        local.execute(f"CREATE TABLE t ({made})")
        holders = ", ".join("?" * len(columns))
        given = [[_local(value) for value in row] for row in rows]
        local.executemany(f"INSERT INTO t VALUES ({holders})", given)  # noqa: S608
        here = written(local, folder / f"here.{suffix}", table="t")
    return here, written("t", folder / f"there.{suffix}", database=url)


def _local(value: object) -> object:
    """An array in DuckDB's form."""
    listed = isinstance(value, str) and value.startswith("{") and value.endswith("}")
    if not listed or value == "{a}":
        return value
    return _LISTS[value]


_LISTS = {
    '{a,"b, c",NULL,"\\"","\\\\","null",""}': ["a", "b, c", None, '"', "\\", "null", ""],
    "{}": [],
    "{1,NULL,9223372036854775807}": [1, None, 9223372036854775807],
    "{1.5,-2}": ["1.5", "-2"],
}
LONG = {"tid": ("INT", "INTEGER"), "item": ("TEXT", "VARCHAR")}


def test_every_type_arrives_as_it_is(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path
) -> None:
    columns = LONG | {name: (there, here) for name, (there, here, _) in TYPES.items()}
    rows = [
        (tid, item, *(values[tid] for _, _, values in TYPES.values()))
        for tid in range(3)
        for item in ("common", "other")
    ]
    here, there = both(server, url, tmp_path, columns, [*rows, (0, "rare", *rows[0][2:])])
    assert here == there


@pytest.mark.parametrize("text", ["a\rb", "\r", "a\r\nb", "a\nb\r"])
def test_lines_end_as_we_said_whatever_comes_first(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path, text: str
) -> None:
    columns = LONG | {"note": ("TEXT", "VARCHAR")}
    rows = [*((tid, item, text) for tid in range(2) for item in "ab"), (0, "rare", text)]
    here, there = both(server, url, tmp_path, columns, rows)
    pulled = written("t", tmp_path / "pulled.parquet", database=url, engine="duckdb")
    assert here == there == pulled


def test_names_of_a_fixed_length_are_without_the_blanks_that_fill_them(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path
) -> None:
    columns = {"tid": ("CHAR(5)", "VARCHAR"), "item": ("CHAR(9)", "VARCHAR")}
    rows = [*((f"t{n}", item) for n in range(2) for item in "ab"), ("t0", "rare")]
    here, there = both(server, url, tmp_path, columns, rows)
    pulled = written("t", tmp_path / "pulled.parquet", database=url, engine="duckdb")
    assert here == there == pulled


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_numbers_of_any_scale_are_compared_as_numbers(
    server: psycopg.Connection[tuple[object, ...]], url: str, engine: str
) -> None:
    """The text 12 is less than the text 4, so other private items would be protected."""
    server.execute("DROP TABLE IF EXISTS t; CREATE TABLE t (tid NUMERIC, item NUMERIC)")
    server.execute(
        """
        INSERT INTO t
        SELECT n, UNNEST(CASE WHEN n < 20 THEN '{4.0, 12}' ELSE '{5.00}' END::NUMERIC[])
        FROM GENERATE_SERIES(0, 99) AS g (n)
        """
    )
    with read_as_it_is("t", database=url, engine=engine) as baskets:
        asked = {"h": "0.9", "k": 5, "p": 1, "private": "where:name > '4'"}
        if engine == "in-place":  # no release: a reader of the table sees 4.0 and 5.00
            with pytest.raises(InputError, match="equal values in two forms"):
                setveil.verify.coherence(baskets, **asked)
        else:
            assert not setveil.verify.coherence(baskets, **asked).holds
        with read_as_it_is("t", database=url, engine=engine) as others:
            release = setveil.coherence(others, h="0.9", k=5, p=1, private="where:name > '4'")
            assert sorted({str(item) for _, item in release.rows()}) == ["12", "5"]


@pytest.mark.parametrize("column", ["tid", "item"])
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("NUMERIC", "0.5"), ("NUMERIC", "NaN"), ("NUMERIC", "1e38"), ("NUMERIC(50, 1)", "0.5"),
        ("JSONB", "1"),
    ],
)  # fmt: skip
def test_values_that_duckdb_does_not_have_are_refused(
    server: psycopg.Connection[tuple[object, ...]], url: str, column: str, kind: str, value: str
) -> None:
    kinds = {"tid": "INT", "item": "INT", "note": "NUMERIC"} | {column: kind}
    made = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    server.execute(f"DROP TABLE IF EXISTS t; CREATE TABLE t ({made})")
    server.execute(
        "INSERT INTO t VALUES (%s, %s, 1.5)",
        [value if name == column else 1 for name in ("tid", "item")],
    )
    with pytest.raises(InputError, match=f"column '{column}' has values that"):
        read_as_it_is("t", database=url, engine="duckdb")


def test_what_is_taken_as_text_is_told(
    server: psycopg.Connection[tuple[object, ...]], url: str
) -> None:
    server.execute("DROP TABLE IF EXISTS t; DROP TYPE IF EXISTS mood")
    server.execute("CREATE TYPE mood AS ENUM ('low', 'high')")
    server.execute(
        "CREATE TABLE t AS SELECT 1 AS tid, 'low'::mood AS item, 'a' AS note, '1 day'::INTERVAL"
        " AS length, 1.5::NUMERIC AS price, 2.0::NUMERIC AS number"
    )
    said: list[str] = []
    with read_as_it_is("t", database=url, engine="duckdb", note=said.append):
        assert len(said) == 1 and said[0].endswith("reads them as text: item, length, price")


def test_what_is_pulled_and_pushed_back_is_the_same(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path
) -> None:
    """The file and the table equal those of a run on the server, with the same types."""
    columns = LONG | {name: (there, here) for name, (there, here, _) in TYPES.items()}
    columns |= {"text": ("TEXT", "VARCHAR")}
    rows = [
        (tid, item, *(values[tid] for _, _, values in TYPES.values()), TEXTS[n % len(TEXTS)])
        for tid in range(3)
        for n, item in enumerate([f"i{n}" for n in range(2)] * 20)
    ]
    rows = [*dict.fromkeys(rows), (0, "rare", *rows[0][2:])]
    _, there = both(server, url, tmp_path, columns, rows)
    assert written("t", tmp_path / "pulled.parquet", database=url, engine="duckdb") == there
    for table, engine in (("kept", "in-place"), ("sent", "duckdb")):
        with read_as_it_is("t", database=url, engine=engine) as baskets:
            setveil.coherence(baskets, public=["rare"], k=2, p=1).write_table(table)
    with read_as_it_is("t", database=url, engine="duckdb") as baskets:
        release = setveil.coherence(baskets, public=["rare"], k=2, p=1)
        with pytest.raises(InputError, match="exists"):
            release.write_table("sent")
        release.write_table("sent", force=True)
    query = "SELECT COUNT(*) FROM (SELECT k::TEXT FROM kept AS k EXCEPT ALL SELECT s::TEXT FROM sent AS s) AS d"  # noqa: E501
    assert server.execute(query).fetchall() == [(0,)]
    query = (
        "SELECT attname, atttypid FROM pg_attribute WHERE attrelid = %s::REGCLASS AND attnum > 0"
    )
    kinds = [server.execute(query, [table]).fetchall() for table in ("kept", "sent")]
    assert kinds[0] == kinds[1]
    server.execute("DROP TABLE kept, sent")


def test_a_hierarchy_is_a_file_where_the_data_is_pulled(
    server: psycopg.Connection[tuple[object, ...]],
    url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    both(server, url, tmp_path, LONG, [(1, "a"), (2, "a"), (2, "rare")])
    command = [
        "km-anonymity",
        "t",
        "--k",
        "1",
        "--m",
        "1",
        "--hierarchy",
        "tree",
        "--engine",
        "duckdb",
    ]
    assert run([*command, "--database", url]) == 2
    assert capsys.readouterr().err.endswith(
        "setveil: error: --hierarchy 'tree' is no file, and --engine duckdb copies only the data "
        "from the server: name a .csv or .parquet file with --hierarchy\n"
    )


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_results_in_a_table_get_their_names_back(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path, engine: str
) -> None:
    """Results in a table need no key, as in a file: they have no transactions."""
    rows = [(tid, item) for tid in range(4) for item in "abcd"[: tid + 1]]
    both(server, url, tmp_path, LONG, [*rows, (9, "rare")])
    key, undone = f"{tmp_path}/key.parquet", tmp_path / "undone.json"
    on = ["--database", url]
    assert run(["rename", "t", *on, "--key", key, "--into", "coded"]) == 0
    assert run(["itemsets", "coded", *on, "--min-support", "2", "--into", "mined"]) == 0
    undo = ["rename", "mined", "--item", "items", "--undo", "--key", key, "--engine", engine]
    assert run([*undo, *on, "--into", "named"]) == 0
    named = server.execute("SELECT items, support FROM named").fetchall()
    assert run(["itemsets", "t", *on, "--min-support", "2", "--out", str(undone)]) == 0
    wanted = json.loads(undone.read_text())
    assert sorted((sorted(items), n) for items, n in named) == sorted(
        (one["items"], one["support"]) for one in wanted
    )
    assert run(["coherence", "mined", "--item", "items", *on, "--k", "2", "--p", "1"]) == 2
    server.execute("DROP TABLE coded, mined, named")


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
@pytest.mark.parametrize(("source", "target"), [("public.t", "t"), ("t", "public.t"), ("t", "t")])
def test_what_was_read_is_never_replaced(
    server: psycopg.Connection[tuple[object, ...]], url: str, engine: str, source: str, target: str
) -> None:
    server.execute("DROP TABLE IF EXISTS t")
    server.execute("CREATE TABLE t AS SELECT 1 AS tid, 'a' AS item")
    with read_as_it_is(source, database=url, engine=engine) as baskets:
        release = setveil.coherence(baskets, k=1, p=1)
        with pytest.raises(InputError, match="what the data was read from"):
            release.write_table(target, force=True)
    assert server.execute("SELECT tid, item FROM t").fetchall() == [(1, "a")]


def test_a_file_is_judged_beside_what_was_pulled(
    server: psycopg.Connection[tuple[object, ...]],
    url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.execute("DROP TABLE IF EXISTS t")
    server.execute(
        "CREATE TABLE t AS SELECT x / 2 AS tid, x % 3 AS item FROM GENERATE_SERIES(1, 9) t (x)"
    )
    path = tmp_path / "release.parquet"
    with read_as_it_is("t", database=url) as baskets:
        setveil.coherence(baskets, k=1, p=1).write(path)
    beside = ["compare", "t", str(path), "--database", url, "--json"]
    assert run(beside) == 2
    assert "take the data here with --engine duckdb" in capsys.readouterr().err
    assert run([*beside, "--engine", "duckdb"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["metrics"]["releases"]
    assert found["occurrences_kept"] == 9
    judged = ["verify", "k-anonymity", "t", "--database", url, "--engine", "duckdb", "--k", "2"]
    assert run(judged) == 1


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_text_arrives_as_it_is(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path, suffix: str
) -> None:
    columns = LONG | {"more": ("VARCHAR(99999)", "VARCHAR")}
    rows: list[tuple[object, ...]] = [(n % 5, text, text) for n, text in enumerate(TEXTS)]
    rows += [(6, text, None) for text in TEXTS]
    here, there = both(server, url, tmp_path, columns, [*rows, (0, "rare", None)], suffix)
    assert here == there
    assert here.count(b"rare") == 0


@pytest.mark.parametrize("suffix", ["parquet", "basket"])
def test_lists_arrive_as_they_are(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path, suffix: str
) -> None:
    kinds = {"tid": ("INT", "INTEGER"), "item": ("TEXT[]", "VARCHAR[]")}
    plain = ["a", "żółw", "👨‍👩‍👧", "NULL", '"', "\\"]
    rows = [(n, (TEXTS if suffix == "parquet" else plain)[n % 3 :: 3]) for n in range(6)]
    here, there = both(server, url, tmp_path, kinds, [*rows, (9, ["rare", "a"]), (10, [])], suffix)
    assert here == there


def test_what_no_type_holds_is_refused_in_a_line(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path
) -> None:
    server.execute("CREATE TABLE t (tid, item, price) AS SELECT 1, 'a', 'NaN'::NUMERIC(5, 1)")
    server.execute("INSERT INTO t VALUES (1, 'rare', 0), (2, 'a', 1)")
    with pytest.raises(InputError, match="the rows of 'release' from the server.*NaN"):
        written("t", tmp_path / "there.parquet", database=url)
    assert not list(tmp_path.iterdir())


def test_what_comes_with_the_data_goes_to_the_server(
    server: psycopg.Connection[tuple[object, ...]], url: str, tmp_path: Path
) -> None:
    """Keys, published itemsets and hierarchies in files give the same results."""
    server.execute(
        "CREATE TABLE t AS SELECT n / 5 AS tid, 'i' || n * 7919 % (1 + n % 11) AS item "
        "FROM GENERATE_SERIES(0, 399) AS n"
    )
    rows = server.execute("SELECT tid, item FROM t").fetchall()
    names = sorted({str(item) for _, item in rows})
    (tmp_path / "h.csv").write_text("item,level1\n" + "".join(f"{n},{n[:2]}\n" for n in names))
    made = []
    with duckdb.connect() as local:
        local.execute("CREATE TABLE t (tid INTEGER, item VARCHAR)")
        local.executemany("INSERT INTO t VALUES (?, ?)", rows)
        for place, source, options in (
            ("here", local, {"table": "t"}),
            ("there", "t", {"database": url}),
        ):
            folder = tmp_path / place
            folder.mkdir()
            with read_as_it_is(source, **options) as baskets:
                setveil.itemsets(baskets, min_support=5).write(folder / "known.parquet")
                setveil.rename(baskets, key=folder / "key.parquet", seed=1).write(
                    folder / "renamed.parquet"
                )
                setveil.km_anonymity(baskets, hierarchy=tmp_path / "h.csv", k=5, m=2).write(
                    folder / "km.parquet"
                )
            if place == "there":
                with read_as_it_is("t", database=url) as baskets:
                    renamed = setveil.rename(baskets, key=folder / "again.parquet", seed=1)
                    renamed.write_table("coded")
            else:
                local.execute(f"CREATE TABLE coded AS FROM '{folder}/renamed.parquet'")
            coded = {"table": "coded"} if place == "here" else options
            with read_as_it_is(local if place == "here" else "coded", **coded) as baskets:
                setveil.reidentify(
                    baskets, itemsets=folder / "known.parquet", key=folder / "key.parquet",
                    min_support=5, method="linear",
                ).write(folder / "named.csv")  # fmt: skip
                setveil.rename(baskets, key=folder / "key.parquet", undo=True).write(
                    folder / "undone.parquet"
                )
            made.append({path.name: path.read_bytes() for path in folder.iterdir()})
    again = made[1].pop("again.parquet")
    assert made[0] == made[1] and made[1]["key.parquet"] == again
    server.execute("DROP TABLE coded")


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
@pytest.mark.parametrize(
    ("work", "check"),
    [
        ("hiding t --patterns p.txt --min-support 3", "hiding --patterns p.txt --min-support 3"),
        ("k-anonymity t --k 2 --hierarchy h.csv", "k-anonymity --k 2 --hierarchy h.csv"),
        (
            "km-anonymity t --k 2 --m 2 --hierarchy h.csv",
            "km-anonymity --k 2 --m 2 --hierarchy h.csv",
        ),
    ],
)
def test_a_release_is_judged_beside_its_original(
    server: psycopg.Connection[tuple[object, ...]],
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    engine: str,
    work: str,
    check: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    server.execute("DROP TABLE IF EXISTS t, safe")
    server.execute(
        "CREATE TABLE t AS SELECT x / 3 AS tid, 'i' || x % 4 AS item"
        " FROM GENERATE_SERIES(0, 29) AS g (x)"
    )
    Path("p.txt").write_text("i0,i1\ni2,i3\n")
    Path("h.csv").write_text("item,level1\ni0,a\ni1,a\ni2,b\ni3,b\n")
    where = ["--database", url, "--engine", engine]
    assert run([*work.split(), *where, "--into", "safe"]) == 0
    name, *promise = check.split()
    assert run(["verify", name, "safe", "--original", "t", *promise, *where]) == 0, (
        capsys.readouterr().err
    )
    server.execute("UPDATE t SET item = 'i3' WHERE tid = 0")
    assert run(["verify", name, "safe", "--original", "t", *promise, *where]) == 1
