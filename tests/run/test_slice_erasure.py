"""Erasing transactions: they leave the target with what too few would hold, and stay away."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, read_parquet, rows_of
from setveil.errors import InputError

TREE = """
    SELECT *
    FROM (VALUES ('beer', 'drink'), ('milk', 'drink'), ('bread', 'food')) AS h(item, level1)
"""
ROWS = """
    SELECT t.range AS tid, i.item AS item, 'p' || t.range % 19 AS person
    FROM RANGE($1) AS t, (VALUES ('beer', 4), ('bread', 1), ('milk', 3)) AS i(item, n)
    WHERE t.range % i.n = 0
"""
# Promises that hold in slices of 12, and that the loss of one transaction breaks.
CALLS = {
    "coherence": {"k": 3, "p": 1},
    "coherence-persons": {"k": 3, "p": 2, "private": "where:name = 'milk'", "h": "0.7"},
    "uncertainty": {"sensitive": "where:name = 'milk'", "rho": "0.5"},
    "km-anonymity": {"k": 3, "m": 2},
    "k-anonymity": {"k": 3},
    "hiding": {"patterns": [["beer", "bread"]], "psi": "0.7"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("erasure")
    parquet(folder / "tree.parquet", TREE)
    for number in (12, 24):
        with duckdb.connect() as connection:
            connection.sql(ROWS, params=[number]).write_parquet(f"{folder}/{number}.parquet")
    return folder


def options(folder: Path, call: str) -> dict[str, object]:
    tree = {"hierarchy": folder / "tree.parquet"} if "anonymity" in call else {}
    persons = {"person": "person"} if "persons" in call else {}
    return CALLS[call] | tree | persons


def rows(target: Path) -> list[tuple[object, ...]]:
    return rows_of("SELECT slice, tid, item FROM READ_PARQUET($1) ORDER BY ALL", f"{target}/*")


def pairs(found: list[tuple[object, ...]], pattern: list[str]) -> list[object]:
    """The transactions with all items of a pattern."""
    held = [{tid for _, tid, item in found if item == one} for one in pattern]
    return sorted(set.intersection(*held))


@pytest.mark.parametrize(
    "call",
    [one if one == "coherence" else pytest.param(one, marks=pytest.mark.slow) for one in CALLS],
)
def test_what_is_erased_leaves_with_what_too_few_hold(tmp_path, folder, call):
    model, target, given = call.removesuffix("-persons"), tmp_path / "safe", options(folder, call)
    for number in (12, 24):
        setveil.append(folder / f"{number}.parquet", target, model, **given)
    before, notes = rows(target), []
    (tmp_path / "keys.txt").write_text("4\n16\n")
    done = setveil.append(
        folder / "24.parquet",
        target,
        model,
        erase=tmp_path / "keys.txt",
        note=notes.append,
        **given,
    )
    after = rows(target)
    assert done.erased == 2 and done.slice is None
    assert not [one for one in after if one[1] in (4, 16)]
    assert set(after) < set(before) and len(after) > 0.5 * len(before)
    assert any("that were made before still show" in one for one in notes)
    promise, persons = dict(CALLS[call]), {}
    if call == "hiding":  # no pattern is left, whatever share of it the source had
        (pattern,) = promise["patterns"]
        assert pairs(before, pattern) and not pairs(after, pattern)
    if "persons" in call:
        source = setveil.verify.PersonsOf(folder / "24.parquet", "person")
        persons = {"persons": source}
    for path in sorted(target.iterdir()) if call != "hiding" else []:
        with setveil.read(path) as baskets:
            check = getattr(setveil.verify, model.replace("-", "_"))
            assert check(baskets, **promise, **persons).holds
    again = setveil.append(folder / "24.parquet", target, model, **given)
    assert (again.slice, again.waiting, rows(target)) == (None, 0, after)


def test_persons_are_counted_though_no_transaction_is_new(tmp_path):
    """Three transactions are left with beer, of two persons: of k = 3 persons it must go."""
    held = [(1, "Ann"), (2, "Ann"), (3, "Bob"), (4, "Cid"), (5, "Dan"), (6, "Eve"), (7, "Fay")]
    rows = [(tid, item, who) for tid, who in held for item in ["bread", "beer"][: 1 + (tid < 5)]]
    source = tmp_path / "s.parquet"
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE s (tid INT, item VARCHAR, who VARCHAR)")
        connection.executemany("INSERT INTO s VALUES (?, ?, ?)", rows)
        connection.execute(f"COPY s TO '{source}' (FORMAT parquet)")
    given, notes = {"person": "who", "k": 3, "p": 1}, []
    target = tmp_path / "safe"
    setveil.append(source, target, "coherence", **given)
    assert {row[1] for row in read_parquet(f"{target}/*.parquet")} == {"bread", "beer"}
    setveil.append(source, target, "coherence", erase=[4], note=notes.append, **given)
    assert {row[1] for row in read_parquet(f"{target}/*.parquet")} == {"bread"}
    assert not [one for one in notes if "transactions are counted" in one]
    with setveil.read(f"{target}/*.parquet") as baskets:
        persons = setveil.verify.PersonsOf(source, "who")
        assert setveil.verify.coherence(baskets, k=3, p=1, persons=persons).holds


@pytest.mark.slow
def test_a_table_and_numbers_in_the_place_of_ids(tmp_path):
    given = {"database": tmp_path / "shop.duckdb", "k": 3, "p": 1, "renumber": True}
    for number in (12, 24):
        with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
            connection.execute(f"CREATE OR REPLACE TABLE src AS {ROWS}", [number])
        setveil.append("src", "safe", "coherence", **given)
    assert setveil.append("src", "safe", "coherence", erase=[4, 5], **given).erased == 2
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        found = connection.execute("SELECT COUNT(DISTINCT tid) FROM safe").fetchone()
        beer = "SELECT DISTINCT slice FROM safe WHERE item = 'beer'"
        assert connection.execute(beer).fetchall() == [(2,)]  # two transactions of slice 1 had it
    assert found == (22,)
    assert setveil.append("src", "safe", "coherence", **given).slice is None


@pytest.mark.slow
def test_keys_that_nobody_knows_are_refused(tmp_path, folder):
    given = {"k": 3, "p": 1}
    setveil.append(folder / "12.parquet", tmp_path / "safe", "coherence", **given)
    before = rows(tmp_path / "safe")
    for keys, said in (([99], "1 key of 1"), ([], "no transaction"), ("nowhere", "no such file")):
        with pytest.raises(InputError, match=said):
            setveil.append(
                folder / "12.parquet", tmp_path / "safe", "coherence", erase=keys, **given
            )
    assert rows(tmp_path / "safe") == before
