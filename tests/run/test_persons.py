"""Read persons: each transaction has one; faults are refused; the column is never published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.cli.main import run
from setveil.run.notes import NOT_JUDGED
from setveil.run.persons import TRANSACTIONS

Capture = pytest.CaptureFixture[str]
Row = tuple[object, object, object]


def written(path: Path, rows: Sequence[Row]) -> Path:
    """A Parquet file with rows (tid, item, who)."""
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid VARCHAR, item VARCHAR, who VARCHAR)")
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        duck.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return path


ROWS = [("1", "a", "Ann"), ("1", "b", "Ann"), ("2", "a", "Ann"), ("3", "a", "Bob")]


def read(tmp_path: Path, rows: Sequence[Row], **how: object) -> setveil.Baskets:
    return setveil.read(written(tmp_path / "t.parquet", rows), person="who", **how)  # type: ignore[arg-type]


def owned(baskets: setveil.Baskets) -> list[tuple[object, ...]]:
    rows = baskets.session.backend.rows("t", "SELECT key, person FROM basket ORDER BY key")
    return [tuple(row) for row in rows]


def test_each_transaction_has_the_number_of_its_person(tmp_path: Path) -> None:
    with read(tmp_path, ROWS) as baskets:
        assert (baskets.persons, baskets.most, baskets.transactions) == (2, 2, 3)
        assert owned(baskets) == [("1", 0), ("2", 0), ("3", 1)]
        items = baskets.session.backend.rows("t", "SELECT name, persons, most FROM item ORDER BY 1")
        assert [tuple(row) for row in items] == [("a", 2, 2), ("b", 1, 1)]


def test_two_persons_of_a_transaction_are_named(tmp_path: Path) -> None:
    with pytest.raises(setveil.InputError, match="'who' names two persons in 1 transaction.*'3'"):
        read(tmp_path, [*ROWS, ("3", "b", "Carl")])


def test_a_person_beside_null_is_refused_even_where_nulls_are_dropped(tmp_path: Path) -> None:
    rows = [*ROWS, ("3", "b", None)]
    for how in ({}, {"drop_nulls": True}, {"guests": "own"}):
        with pytest.raises(setveil.InputError, match="in some rows of 1 transaction only.*'3'"):
            read(tmp_path, rows, **how)


def test_transactions_without_a_person_are_counted(tmp_path: Path) -> None:
    rows = [*ROWS, ("4", "a", None), ("4", "b", None), ("5", "a", None)]
    with pytest.raises(setveil.InputError, match=r"no person \(NULL\) in 2 transactions"):
        read(tmp_path, rows)


def test_transactions_without_a_person_are_dropped_as_a_whole(tmp_path: Path) -> None:
    said: list[str] = []
    rows = [*ROWS, ("4", "a", None), ("4", "z", None)]
    with read(tmp_path, rows, drop_nulls=True, note=said.append) as baskets:
        assert (baskets.transactions, baskets.persons, baskets.items) == (3, 2, 2)
        release = setveil.coherence(baskets, k=1, p=1)
        assert release.rows() == [("1", "a"), ("1", "b"), ("2", "a"), ("3", "a")]
    assert any("1 transaction without a person: left out" in one for one in said)


def test_each_guest_is_a_person(tmp_path: Path) -> None:
    said: list[str] = []
    rows = [*ROWS, ("4", "a", None), ("5", "a", None)]
    with read(tmp_path, rows, guests="own", note=said.append) as baskets:
        assert baskets.persons == 4
        assert owned(baskets) == [("1", 0), ("2", 0), ("3", 1), ("4", 2), ("5", 3)]
    assert any("2 transactions without a person: each counts as" in one for one in said)


def test_a_row_without_an_item_makes_no_person(tmp_path: Path) -> None:
    """Neither a guest nor a person whom nothing is known of makes others harder to find."""
    rows = [*ROWS, ("4", None, None), ("5", None, "Eve"), ("6", "a", None)]
    with read(tmp_path, rows, guests="own", drop_nulls=True) as baskets:
        assert (baskets.transactions, baskets.persons, baskets.dropped) == (4, 3, 2)
        assert owned(baskets) == [("1", 0), ("2", 0), ("3", 1), ("6", 2)]


def test_guests_are_told_with_the_words_of_the_promise(tmp_path: Path, capsys: Capture) -> None:
    rows = [*ROWS, ("4", "a", None)]
    path = written(tmp_path / "t.parquet", rows)
    with duckdb.connect() as duck:
        duck.execute(
            f"COPY (SELECT tid, item FROM '{path}' WHERE item = 'a') TO '{tmp_path}/r.csv'"  # noqa: S608
        )
    words = ["verify", "coherence", str(tmp_path / "r.csv"), "--k", "3", "--p", "1"]
    persons = ["--person", "who", "--persons-of", str(path)]
    assert run([*words, *persons, "--guests", "own"]) == 0
    said = capsys.readouterr()
    assert "and each transaction without one counts as a person of its own" in said.out
    assert "1 transaction without a person: each counts as a person of its own" in said.err
    assert run([*words, *persons, "--drop-nulls", "--k", "2"]) == 2  # it is in the release
    query = ["verify", "coherence", "r", "--k", "3", "--p", "1", "--person", "who", "--guests"]
    assert run([*query, "own", "--persons-table", "t", "--query"]) == 0
    assert "counts as a person of its own" in " ".join(
        one.removeprefix("-- ") for one in capsys.readouterr().out.splitlines()
    )


def test_lists_have_persons(tmp_path: Path) -> None:
    path = tmp_path / "lists.parquet"
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid INT, item VARCHAR[], who VARCHAR)")
        rows = [(1, ["a", "b"], "Ann"), (2, ["a"], "Ann"), (3, [], "Bob"), (1, ["c"], "Ann")]
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", [*rows, (4, ["a"], None)])
        duck.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    with setveil.read(path, person="who", drop_nulls=True) as baskets:
        assert (baskets.transactions, baskets.persons, baskets.items) == (3, 2, 3)


def test_persons_are_never_published(tmp_path: Path) -> None:
    with pytest.raises(setveil.InputError, match="'who' names persons and is never published"):
        read(tmp_path, ROWS, carry=["who"])
    with read(tmp_path, ROWS, carry="all") as baskets:
        assert baskets.shape.columns == ("tid", "item")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"person": "whom"}, "no column 'whom'"),
        ({"person": "tid"}, "both name 'tid'"),
        ({"person": "item"}, "both name 'item'"),
        ({"guests": "own"}, "name person= too"),
        ({"person": "who", "guests": "all"}, "is own, not 'all'"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, how: dict[str, str], said: str) -> None:
    path = written(tmp_path / "t.parquet", ROWS)
    with pytest.raises(setveil.InputError, match=said):
        setveil.read(path, **how)  # type: ignore[arg-type]


def test_a_column_that_looks_like_persons_is_named(tmp_path: Path) -> None:
    said: list[str] = []
    rows = [(str(n), f"i{n % 3}", f"p{n // 4}") for n in range(40)]
    with setveil.read(written(tmp_path / "t.parquet", rows), note=said.append) as baskets:
        setveil.coherence(baskets, k=2, p=1)
    assert said[0] == TRANSACTIONS
    assert said[1].startswith("'who' may name persons")


def test_a_column_with_a_value_per_transaction_names_no_person(tmp_path: Path) -> None:
    said: list[str] = []
    rows = [(str(n), "a", f"p{n}") for n in range(40)]
    with setveil.read(written(tmp_path / "t.parquet", rows), note=said.append) as baskets:
        setveil.coherence(baskets, k=2, p=1)
    assert said == [TRANSACTIONS]


def test_a_verdict_names_no_column_of_persons(tmp_path: Path) -> None:
    said: list[str] = []
    with read(tmp_path, ROWS, note=said.append) as baskets:
        setveil.verify.coherence(baskets, k=1, p=1)
    assert said == [NOT_JUDGED]


def test_hiding_has_no_persons(tmp_path: Path) -> None:
    with read(tmp_path, ROWS) as baskets:
        with pytest.raises(setveil.InputError, match="hiding is about patterns"):
            setveil.hiding(baskets, patterns=[("a", "b")])
