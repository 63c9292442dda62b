"""Lists of items, as files, sequences and conditions; tables of losses."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import duckdb
import pytest

import setveil
from runs import parquet
from setveil.cli.main import run
from setveil.cli.running import ALONE
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.coherence.losses import MILLIONTHS, item_losses
from setveil.run.notes import NOT_JUDGED
from setveil.run.persons import TRANSACTIONS as PERSONS
from setveil.run.roles.lists import item_numbers
from setveil.sql.run import lists

NAMES = ["0012", "A, B", "Rx 1", "Rx 2", "o'brien", "x\u2028y", "é"]


def filled(connection, names, kind="VARCHAR"):
    """Item n is in n + 1 transactions."""
    connection.execute(f"CREATE OR REPLACE TABLE t (tid INT, item {kind})")
    for number, name in enumerate(names):
        connection.execute("INSERT INTO t SELECT range, $1 FROM RANGE($2)", [name, number + 1])
    return setveil.read(connection, "t")


@pytest.fixture
def session(connection):
    with filled(connection, NAMES) as baskets:
        yield baskets.session


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "Rx 1\n\n0012\nA, B\n0012\n"),
        ("a.txt", "\ufeffRx 1\r\n0012\r\nA, B"),
        ("a", "0012\nA, B\nRx 1"),
        ("a.csv", 'item\nRx 1\n"A, B"\n0012\n'),
        ("a.csv", "x;item\n1;Rx 1\n2;A, B\n3;0012\n4;\n"),
        ("a.tsv", "item\tx\nRx 1\t\nA, B\t\n0012\t\n"),
    ],
)
def test_files(session, tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode())
    assert item_numbers(session, tmp_path / name, "private") == [0, 1, 2]
    assert item_numbers(session, str(tmp_path / name), "private") == [0, 1, 2]


def test_a_parquet_file(session, tmp_path):
    path = parquet(tmp_path / "a[1].parquet", "SELECT UNNEST(['Rx 2', '0012', NULL]) AS item")
    assert item_numbers(session, path, "private") == [0, 3]


def test_a_line_of_a_text_file_ends_at_its_end(session, tmp_path):
    (tmp_path / "a.txt").write_text("x\u2028y\n", encoding="utf-8")
    assert item_numbers(session, tmp_path / "a.txt", "private") == [5]


@pytest.mark.parametrize(
    ("kind", "names", "asked"),
    [
        ("INTEGER", [1, 5, 30], [30, "1"]),
        pytest.param(
            "DOUBLE", [0.5, 2.0, 1e300], [1e300, 0.5],
            marks=pytest.mark.gap("spark", reason="Spark writes 1e+300 as 1.0E300"),
        ),
        ("BOOLEAN", [False, True], [True, False]),
        ("DATE", [date(2020, 1, 1), date(2021, 1, 1)], [date(2021, 1, 1), "2020-01-01"]),
        ("UUID", [UUID(int=1), UUID(int=2)], [UUID(int=2), UUID(int=1)]),
        ("DECIMAL(9, 2)", [Decimal("0.50"), Decimal("7.00")], [Decimal("7.00"), "0.50"]),
    ],
)  # fmt: skip
def test_values_of_other_types(connection, kind, names, asked, tmp_path):
    with filled(connection, names, kind) as baskets:
        wanted = [0, len(names) - 1]
        assert item_numbers(baskets.session, asked, "private") == wanted
        texts = [str(one).lower() if isinstance(one, bool) else str(one) for one in asked]
        path = parquet(tmp_path / "a.parquet", f"SELECT UNNEST({texts}) AS item")
        assert item_numbers(baskets.session, path, "private") == wanted


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("name LIKE 'Rx %'", [2, 3]),
        ("support <= 2", [0, 1]),
        ("NAME = 'o''brien' OR Support = 7", [4, 6]),
        ("name IN ('0012', 'nobody')", [0]),
        ("LENGTH(name) > 6 AND UPPER(name) < 'p'", [4]),
        ("REGEXP_MATCHES(name, '^[0-9]+$')", [0]),
        ("support > 1 AND NOT name = 'é'", [1, 2, 3, 4, 5]),
    ],
)
def test_conditions(session, condition, wanted):
    assert item_numbers(session, f"where:{condition}", "private") == wanted


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("", "is no SQL condition"),
        ("name =", "is no SQL condition"),
        ("name = 'x", "is no SQL condition"),
        ("TRUE; DROP TABLE item", "is no SQL condition"),
        ("TRUE) OR (TRUE", "is no SQL condition"),
        ("item = 1", "item is neither name nor support"),
        ("i.name = 'x'", "i.name is neither name nor support"),
        ("name IN (SELECT name FROM item)", "must be a condition, not a query"),
        ("EXISTS (FROM occurrence)", "must be a condition, not a query"),
        ("COUNT(*) > 1", "is not allowed in a condition"),
        ("NO_SUCH_FUNCTION(name)", "is not allowed in a condition"),
        ("CAST(name AS INT) > 1", "fails"),
        ("name = $1", "is not allowed in a condition"),
    ],
)
def test_bad_conditions(session, condition, said):
    with pytest.raises(InputError) as failed:
        item_numbers(session, f"where:{condition}", "private")
    assert said in str(failed.value) and str(failed.value).startswith("private: ")
    assert "\n" not in str(failed.value) and "sqlglot" not in str(failed.value)


def write_bad(folder: Path) -> None:
    (folder / "latin.txt").write_bytes(b"caf\xe9")
    (folder / "a.csv").write_text("name\nRx 1\n")
    (folder / "a.parquet").write_text("no")
    (folder / "a.dat").write_text("a")
    (folder / "loss.csv").write_text("item,loss\nRx 1,a\n")


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (["nobody", "0012", "no'one"], "does not hold \"no'one\", 'nobody'; correct the list"),
        ([str(n) for n in range(9)], "'4' and 4 more; correct"),
        (["a", None], "None is no item"),
        ("{}/missing.txt", "no such file"),
        ("{}", "no such file"),
        ("nobody", "(a condition starts with where:)"),
        ("x" * 5000, "no such file"),
        ("{}/latin.txt", "is not UTF-8"),
        ("{}/a.csv", "has no column 'item'; it has 'name'"),
        ("{}/a.parquet", "not a Parquet file"),
    ],
)
def test_bad_lists(session, tmp_path, items, said):
    write_bad(tmp_path)
    items = items.format(tmp_path) if isinstance(items, str) else items
    with pytest.raises(InputError) as failed:
        item_numbers(session, items, "private")
    assert said in str(failed.value) and "\n" not in str(failed.value)


def test_unknown_names_can_be_passed_over(session):
    assert item_numbers(session, ["nobody", "é"], "private", ignore_unknown=True) == [6]


# Losses


@pytest.fixture
def judged(session):
    session.decide("private_item", "test", [6])
    session.create(lists.all_but_private())
    return session


TABLE = {name: Decimal(number) / 10 for number, name in enumerate(NAMES)}


def test_losses(judged):
    supports = [1, 2, 3, 4, 5, 6, 7]
    for loss, wanted, unit in (("support", supports, 1), ("unit", [1] * 7, 1)):
        found = item_losses(judged, loss)
        assert (found.of.tolist(), found.unit) == (wanted, unit)
    found = item_losses(judged, TABLE)
    assert found.of.tolist() == [100_000 * number for number in range(7)]
    assert found.unit == MILLIONTHS


def test_a_table_of_losses(judged, tmp_path):
    """A private item needs none, and one that the data lacks does no harm."""
    lines = [f'"{name}",{loss}' for name, loss in TABLE.items() if name != "é"]
    (tmp_path / "a.csv").write_text("item,loss\n" + "\n".join([*lines, "nobody,3"]) + "\n")
    assert item_losses(judged, tmp_path / "a.csv").of.tolist()[:6] == [
        100_000 * number for number in range(6)
    ]


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        ("nothing", "loss= is support, unit or a file; there is no file 'nothing'"),
        ("{}/loss.csv", "'a' is not a number"),
        ("{}/a.csv", "has no column 'item'"),
        ("{}/a.dat", "must be a CSV or Parquet file"),
        ("{}/twice.csv", "has 1 and 2 for 'Rx 1': keep one"),
        ({}, "6 public items have no loss, among them '0012'"),
        (TABLE | {"é": "x"}, "'x' is not a number"),
        (TABLE | {"é": -1}, "-1 is not between"),
        (TABLE | {"é": float("nan")}, "nan is not between"),
        (TABLE | {"é": float("inf")}, "inf is not between"),
        (TABLE | {"é": 10**10}, "10000000000 is not between"),
        (TABLE | {"é": None}, "None is not a number"),
    ],
)
def test_bad_losses(judged, tmp_path, loss, said):
    write_bad(tmp_path)
    (tmp_path / "twice.csv").write_text("item,loss\nRx 1,1\nRx 1,2\n")
    loss = loss.format(tmp_path) if isinstance(loss, str) else loss
    with pytest.raises(InputError) as failed:
        item_losses(judged, loss)
    assert said in str(failed.value) and "\n" not in str(failed.value)


def test_a_list_that_comes_to_nothing_is_a_mistake(tmp_path):
    duckdb.sql(f"COPY (SELECT 1 AS tid, 'a' AS item) TO '{tmp_path}/one.parquet'")
    said = []
    with setveil.read(tmp_path / "one.parquet", note=said.append) as baskets:
        promise = {"k": 1, "p": 1, "h": 0.5, "private": "where:name = 'b'"}
        with pytest.raises(setveil.InputError, match="no item of the data satisfies"):
            setveil.coherence(baskets, **promise)
        assert setveil.coherence(baskets, **promise, ignore_unknown=True).metrics.private_items == 0
    assert said == [
        PERSONS,
        "private: the data holds none of the listed items, so the promise covers no item",
    ]


@pytest.mark.parametrize("model", ["coherence", "uncertainty"])
def test_what_a_release_lost_is_passed_over_and_named(tmp_path, monkeypatch, capsys, model):
    monkeypatch.chdir(tmp_path)
    duckdb.sql(f"COPY (SELECT 1 AS tid, UNNEST(['a', 'b']) AS item) TO '{tmp_path}/one.csv'")
    listed = {"coherence": "--private", "uncertainty": "--sensitive"}[model]
    promise = {"coherence": "--k 1 --p 1 --h 1", "uncertainty": "--rho 1"}[model]

    def verify(*more):
        line = ["verify", model, "one.csv", *promise.split(), listed, "list.txt", *more]
        return run(line), capsys.readouterr().err

    (tmp_path / "list.txt").write_text("b\nc\n")
    code, said = verify()
    assert code == 0 and "skipped, since the release lacks them: 'c'" in said
    alone = [ALONE] if "--k 1" in promise else []
    notes = (*alone, PERSONS, REGISTRY[model].readable, NOT_JUDGED)
    assert verify("--ignore-unknown") == (0, "".join(f"note: {one}\n" for one in notes))
    (tmp_path / "list.txt").write_text("c\n")
    code, said = verify()
    assert code == 2 and f"{listed}: the release holds none of the items" in said
    assert verify("--ignore-unknown")[0] == 0


def test_a_condition_chooses_the_same_items_each_time(tmp_path):
    duckdb.sql(f"COPY (SELECT 1 AS tid, 'a' AS item) TO '{tmp_path}/one.parquet'")
    with setveil.read(tmp_path / "one.parquet") as baskets:
        for condition in ("random() < 0.5", "uuid() < name"):
            with pytest.raises(setveil.InputError, match="the same items each time"):
                setveil.coherence(baskets, k=1, p=1, h=1, private=f"where:{condition}")


@pytest.mark.only_on("duckdb", reason="its text")
def test_a_decision_is_a_row_per_number(session):
    session.decide("chosen", "by the test", [3, 1, 2])
    assert session.statements[-1].text == (
        "CREATE TABLE chosen AS\nSELECT\n  CAST(v.item AS INT) AS item\n"
        "FROM (VALUES\n  (3),\n  (1),\n  (2)) AS v(item)"
    )
    rows = session.backend.rows("test", "SELECT item, TYPEOF(item) FROM chosen ORDER BY item")
    assert rows == [(1, "INTEGER"), (2, "INTEGER"), (3, "INTEGER")]
    session.decide("nothing", "by the test", [])
    assert session.backend.rows("test", "SELECT COUNT(*) FROM nothing") == [(0,)]


def test_a_name_that_is_ignored_is_noted(connection):
    """A misspelt name leaves the item that was meant without protection."""
    rows = [(tid, item) for tid in range(4) for item in ("white wine", "beer")]
    connection.execute("CREATE TABLE wines AS SELECT * FROM (VALUES (0, 'x')) AS t(tid, item)")
    connection.execute("DELETE FROM wines")
    connection.executemany("INSERT INTO wines VALUES ($1, $2)", rows)
    said = []
    with setveil.read(connection, "wines", note=said.append) as baskets:
        private = ["beer", "white wyne"]
        setveil.coherence(baskets, private=private, h=1, k=2, p=1, ignore_unknown=True)
    assert [one for one in said if "wyne" in one] == [
        "private: the data does not hold 'white wyne': an item with another spelling is not covered"
    ]
