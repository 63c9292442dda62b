"""The trail of a run in Spark: spark-sql makes the same release of it, and `replay` compares."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import setveil
import spark_server
from setveil.errors import InputError, UnkeptError
from setveil.trail.render import CONFIDENTIAL

pytestmark = pytest.mark.only_on("connect", reason="its tables outlive a process")

SECRET = "Rx Hepatitis o'Hara"
ROWS = """
    SELECT n // 5 AS tid, CASE WHEN n % 17 = 3 THEN 'Rx Hepatitis o''Hara'
        ELSE 'i' || (n * 7919 % 23) END AS item
    FROM RANGE(400) AS r (n)
"""
Sql = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def url(server: Any) -> str:
    return str(server.url)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("source") / "t.parquet"
    with duckdb.connect() as local:
        local.sql(ROWS).write_parquet(str(path))
    return f"parquet.`{path}`"


@pytest.fixture
def sql(server: Any) -> Sql:
    """Looks at it from outside."""
    asked: Sql = server.sql
    return asked


@pytest.fixture
def published(url: str, source: str, sql: Sql, tmp_path: Path) -> Iterator[Path]:
    """The trail of a run that made the table `safe`."""
    trail = tmp_path / "t.sql"
    with setveil.read(source, database=url) as baskets:
        release = setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2)
        release.write_table("safe", trail=trail)
    yield trail
    sql("DROP TABLE safe")


def lines(shell: str, trail: Path) -> list[str]:
    """What spark-sql prints."""
    import pyspark

    home = Path(pyspark.__file__).parent
    settings = spark_server.SETTINGS | {
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": str(trail.parent / "warehouse"),
    }
    words = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"}
    done = subprocess.run(
        [str(home / "bin" / shell), "--master", "local[2]", *words, "-S", "-f", str(trail)],
        capture_output=True, text=True, check=False, cwd=trail.parent,
        env=environment | {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_replay_compares_the_rows_and_changes_none(
    published: Path, url: str, source: str, sql: Sql
) -> None:
    text = published.read_text()
    assert text.startswith(CONFIDENTIAL)
    assert " in Spark\n" in text and text.rstrip().endswith("CASCADE;")
    assert all(one not in text for one in ("o''Hara", "127.0.0.1", "psql"))
    assert text.count("Rx") == 1 and f'"names": ["{SECRET}"]' in text.partition("\n\n")[0]
    before = sql("SELECT * FROM safe ORDER BY tid, item")
    with pytest.raises(InputError, match="which is no table"):
        setveil.replay(published, database=url)
    found = setveil.replay(published, database=url, source=source)
    assert (
        found.same
        and found.holds
        and found.release == "`spark_catalog`.`default`.`safe`"
        and found.checks
    )
    assert sql("SELECT * FROM safe ORDER BY tid, item") == before
    assert sql("SHOW SCHEMAS LIKE 'setveil_*'") == []
    sql("INSERT INTO safe SELECT * FROM safe LIMIT 1")
    assert not setveil.replay(published, database=url, source=source).same
    assert sql("SELECT COUNT(*) FROM safe") == [(len(before) + 1,)]


def test_replay_refuses_what_is_no_part_of_a_run(published: Path) -> None:
    """Before it is connected to anything: Spark takes nothing back."""
    text = published.read_text()
    for before, foreign in (
        ("USE `spark_catalog`.`setveil", "DROP TABLE safe"),
        ("DROP SCHEMA `spark", "USE `spark_catalog`.`default`;\nINSERT INTO safe\nSELECT 1, 'x'"),
        ("DROP SCHEMA `spark", "INSERT OVERWRITE safe SELECT 1"),
        ("DROP SCHEMA `spark", "DROP SCHEMA `spark_catalog`.`default` CASCADE"),
        ("DROP SCHEMA `spark", "SET spark.sql.catalog.x = y z"),
    ):
        changed = published.with_name("u.sql")
        changed.write_text(text.replace(f"\n{before}", f"\n{foreign};\n{before}"))
        shown = foreign.splitlines()[-2 if "INTO" in foreign else -1]
        with pytest.raises(InputError, match=re.escape(f"it has {shown!r}")):
            setveil.replay(changed, database="sc://127.0.0.1:1")


def test_spark_sql_makes_the_same_table(published: Path, sql: Sql) -> None:
    expected = [f"{tid}\t{item}" for tid, item in sql("SELECT * FROM safe ORDER BY tid, item")]
    show = "\nSELECT 'the release' AS x;\nSELECT * FROM default.safe ORDER BY tid, item;\n"
    published.write_text(published.read_text() + show)
    printed = lines("spark-sql", published)
    assert printed[printed.index("the release") + 1 :] == expected


def test_spark_makes_no_table_of_other_rows(
    published: Path, url: str, source: str, sql: Sql
) -> None:
    """A decision that is another: so would all be, were there a name more."""
    text = published.read_text()
    kept, made, tail = text.partition("CREATE TABLE suppressed_item AS")
    assert made
    first = tail.index("(", tail.index("VALUES") + 8)
    published.write_text(f"{kept}{made}{tail[:first]}(99999{tail[tail.index(')', first) :]}")
    with pytest.raises(UnkeptError, match="faults: the release does not keep its promise"):
        setveil.replay(published, database=url, source=source)
    assert sql("SHOW SCHEMAS LIKE 'setveil_*'") == []


def test_a_trail_is_replayed_where_it_was_made(published: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name it with database=, or use spark-sql"):
        setveil.replay(published)
    with pytest.raises(InputError, match="is of a run in Spark"):
        setveil.replay(published, database="postgres://nowhere")


def test_a_trail_of_a_file_prints_its_rows(url: str, source: str, tmp_path: Path) -> None:
    """And what came with the data is read from a file."""
    tree, trail = tmp_path / "h.csv", tmp_path / "t.sql"
    items = [SECRET, *(f"i{n}" for n in range(23))]
    tree.write_text("item,level1\n" + "".join(f"{item},{item[:2]}\n" for item in items))
    with setveil.read(source, database=url) as baskets:
        release = setveil.km_anonymity(baskets, hierarchy=tree, k=20, m=2)
        release.write(tmp_path / "t.csv", trail=trail)
        rows = len(release.rows())
    assert SECRET not in trail.read_text()
    assert f'the rows that it sends, as "{tmp_path}/t.csv"' in trail.read_text()
    with pytest.raises(InputError, match="reads a file: run it with spark-sql -f"):
        setveil.replay(trail, database=url)
    printed = [line.split("\t") for line in lines("spark-sql", trail)[-rows:]]
    with duckdb.connect() as local:
        written = local.read_csv(str(tmp_path / "t.csv"), all_varchar=True)
        assert [tuple(line) for line in printed] == written.fetchall()


def test_both_parts_of_a_release_are_replayed(
    url: str, source: str, sql: Sql, tmp_path: Path
) -> None:
    trail = tmp_path / "parts.sql"
    with setveil.read(source, database=url) as baskets:
        release = setveil.permutation(baskets, sensitive=[SECRET], degree=3)
        expected = release.rows(), release.sensitive_rows()
        release.write_table("parts", trail=trail)
    try:
        for table, rows in zip(("parts", "parts_sensitive"), expected, strict=True):
            assert sorted(map(tuple, sql(f"SELECT * FROM {table}"))) == sorted(rows)  # noqa: S608
        with setveil.read("parts", database=url) as baskets:
            assert setveil.verify.permutation(baskets, sensitive=[SECRET], degree=3).holds
        replayed = setveil.replay(trail, database=url, source=source)
        assert replayed.same and replayed.holds
    finally:
        sql("DROP TABLE IF EXISTS parts")
        sql("DROP TABLE IF EXISTS parts_sensitive")
