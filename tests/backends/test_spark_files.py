"""Files of a run on Spark have the same bytes as DuckDB's files of the same data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import setveil
from harness import read_as_it_is
from hostile_names import TEXTS
from setveil.cli.main import run
from setveil.errors import InputError

pytestmark = pytest.mark.only_on("spark", "connect", reason="a server's own")

# Types that are copied unchanged.
TYPES = {
    "tiny": ("TINYINT", ["-128", None, "7"]),
    "small": ("SMALLINT", ["-32768", None, "7"]),
    "big": ("BIGINT", ["9223372036854775807", "-1", None]),
    "real": ("FLOAT", ["0.1", "NaN", None]),
    "precise": ("DOUBLE", ["0.1", "-Infinity", "1e-300"]),
    "price": ("DECIMAL(10, 2)", ["12.30", None, "-0.01"]),
    "flag": ("BOOLEAN", ["true", "false", None]),
    "day": ("DATE", ["2024-02-29", "1582-10-01", None]),
    "moment": ("TIMESTAMP", ["2024-02-29 23:59:59.123456", None, "1969-12-31"]),
    "instant": ("TIMESTAMPTZ", ["2024-02-29 23:59:59+02", None, "1969-12-31"]),
    "bytes": ("BLOB", [None, "", "abc"]),
    "words": ("VARCHAR[]", [["a", None, "b, c", '"', "\\", ""], [], None]),
    "numbers": ("BIGINT[]", [[1, None, 9223372036854775807], [], None]),
    "prices": ("DECIMAL(6, 1)[]", [["1.5", "-2"], [], None]),
}
LONG = {"tid": "INTEGER", "item": "VARCHAR"}
Rows = list[tuple[object, ...]]


class Both:
    """Equal tables in Spark and in a DuckDB."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.local = duckdb.connect()

    def table(self, name: str, columns: dict[str, str], rows: Rows) -> str:
        """A file that Spark reads directly; return its name there."""
        declared = ", ".join(f"{title} {kind}" for title, kind in columns.items())
        self.local.execute(f"CREATE OR REPLACE TABLE {name} ({declared})")
        marks = ", ".join("?" * len(columns))
        if rows:
            self.local.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608
        path = self.folder / f"{name}.parquet"
        self.local.table(name).write_parquet(str(path))
        return f"parquet.`{path}`"

    def written(self, columns: dict[str, str], rows: Rows, suffix: str, **options: Any) -> bytes:
        """The files of both for a release that suppresses the rare item, or all items."""
        there = self.table("t", columns, rows)
        options = options or {"public": ["rare"]}
        made = []
        for name, source, where in (
            ("here", self.local, {"table": "t"}),
            ("there", there, {"database": self.url}),
        ):
            path = self.folder / f"{name}.{suffix}"
            with read_as_it_is(source, carry="all", **where) as baskets:
                setveil.coherence(baskets, k=2, p=1, **options).write(path, force=True)
            made.append(path.read_bytes())
        assert made[0] == made[1]
        return made[1]


@pytest.fixture(scope="module")
def both(backend: Any, tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(backend.url, tmp_path_factory.mktemp("spark"))


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send only a few rows per part."""
    monkeypatch.setattr("setveil.backends.spark.rows.BLOCK", 16)


def test_every_type_and_text_arrives_as_it_is(both: Both, in_parts: None) -> None:
    columns = LONG | {name: kind for name, (kind, _) in TYPES.items()} | {"more": "VARCHAR"}
    values = [values for _, values in TYPES.values()]
    rows: Rows = [
        (n % 6, f"{n % 2}{text}", *(one[n % 3] for one in values), text)
        for n, text in enumerate(TEXTS)
    ]
    written = both.written(columns, [*rows, (0, "rare", *rows[0][2:])], "parquet")
    assert b"rare" not in written


def test_text_arrives_in_csv(both: Both) -> None:
    rows: Rows = [(n % 5, text) for n, text in enumerate(TEXTS)]
    both.written(LONG, [*rows, (0, "rare")], "csv")


@pytest.mark.parametrize("suffix", ["parquet", "basket"])
def test_lists_arrive_as_they_are(both: Both, suffix: str) -> None:
    kinds = {"tid": "INTEGER", "item": "VARCHAR[]"}
    plain = ["a", "żółw", "👨‍👩‍👧", "NULL", '"', "\\"]
    texts = TEXTS if suffix == "parquet" else plain
    rows: Rows = [(n, texts[n % 3 :: 3]) for n in range(6)]
    both.written(kinds, [*rows, (9, ["rare", "a"]), (10, [])], suffix)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_release_of_which_nothing_is_left(both: Both, suffix: str) -> None:
    rows: Rows = [(n, f"i{n}") for n in range(4)]
    both.written(LONG, rows, suffix, public=[f"i{n}" for n in range(4)])


def test_what_comes_with_the_data_and_what_is_found(both: Both) -> None:
    """Keys, published itemsets and hierarchies in files give the same results."""
    rows: Rows = [(n // 5, f"i{n * 7919 % (1 + n % 11)}") for n in range(400)]
    there = both.table("t", LONG, rows)
    names = sorted({str(row[1]) for row in rows})
    tree = both.folder / "h.csv"
    tree.write_text("item,level1\n" + "".join(f"{one},{one[:2]}\n" for one in names))
    made = []
    for place, source, options in (
        ("here", both.local, {"table": "t"}),
        ("there", there, {"database": both.url}),
    ):
        folder = both.folder / place
        folder.mkdir()
        with read_as_it_is(source, **options) as baskets:
            mined = setveil.itemsets(baskets, min_support=5, rules=True, min_confidence="0.2")
            mined.write(folder / "rules.json")
            setveil.itemsets(baskets, min_support=5).write(folder / "known.parquet")
            renamed = setveil.rename(baskets, key=folder / "key.parquet", seed=1)
            renamed.write(folder / "renamed.parquet")
            setveil.km_anonymity(baskets, hierarchy=tree, k=5, m=2).write(folder / "km.parquet")
        both.local.execute(f"CREATE OR REPLACE TABLE coded AS FROM '{folder}/renamed.parquet'")
        coded = "coded" if place == "here" else f"parquet.`{folder}/renamed.parquet`"
        where = {"table": coded} if place == "here" else options
        with read_as_it_is(both.local if place == "here" else coded, **where) as baskets:
            setveil.reidentify(
                baskets, itemsets=folder / "known.parquet", key=folder / "key.parquet",
                min_support=5, method="linear",
            ).write(folder / "named.csv")  # fmt: skip
            setveil.rename(baskets, key=folder / "key.parquet", undo=True).write(
                folder / "undone.parquet"
            )
        made.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert made[0] == made[1]


@pytest.mark.only_on("connect", reason="the tables of a Spark in this process end with it")
def test_what_is_pulled_and_pushed_back_is_the_same(both: Both) -> None:
    """Types stay the same, and a source is never replaced."""
    columns = LONG | {name: kind for name, (kind, _) in TYPES.items()}
    values = [values for _, values in TYPES.values()]
    rows: Rows = [(n % 6, f"i{n % 4}", *(one[n % 3] for one in values)) for n in range(30)]
    there = both.table("t", columns, rows)
    for table, engine in (("kept", "in-place"), ("sent", "duckdb")):
        with read_as_it_is(there, database=both.url, engine=engine) as baskets:
            setveil.coherence(baskets, public=["i3"], k=4, p=1).write_table(table)
    with read_as_it_is("kept", database=both.url, engine="duckdb") as baskets:
        release = setveil.coherence(baskets, public=["i0"], k=2, p=1)
        with pytest.raises(InputError, match="exists"):
            release.write_table("sent")
        with pytest.raises(InputError, match="what the data was read from"):
            release.write_table("kept", force=True)
        release.write_table("sent", force=True)
    with read_as_it_is("kept", database=both.url) as baskets:
        server = baskets.session.backend
        described = [
            server.rows("test", f"DESCRIBE TABLE default.{one}") for one in ("kept", "sent")
        ]
        assert described[0] == described[1]
        text = "SELECT COUNT(*) FROM (SELECT * FROM {} EXCEPT ALL SELECT * FROM {}) AS d"  # noqa: S608
        tables = ("default.kept", "default.sent")
        assert server.rows("test", text.format(*tables)) == [(0,)]
        assert server.rows("test", text.format(*reversed(tables))) == [(0,)]


@pytest.mark.only_on("connect", reason="the tables of a Spark in this process end with it")
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_a_table_that_cannot_be_made_is_refused_before_the_work(
    both: Both, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    there = both.table("t", LONG, [(1, "a")])
    with read_as_it_is(there, database=both.url) as baskets:
        release = setveil.coherence(baskets, k=1, p=1)
        for table in ("old", "kept"):
            release.write_table(table, force=True)
    monkeypatch.setattr("setveil.models.coherence.anonymize.coherence", None)  # the work
    line = ["coherence", "old", "--k", "1", "--p", "1", "--database", both.url, "--engine", engine]
    for into, told in (
        (["old"], "is what the data was read from"),
        (["kept"], "'kept' exists"),
        (["default.old", "--force"], "is what the data was read from"),
        (["nowhere.old"], "'nowhere.old' cannot be made"),
    ):
        assert run([*line, "--into", *into]) == 2
        assert told in capsys.readouterr().err
