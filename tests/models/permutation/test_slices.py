"""Slices of permutation: two relations, groups that never collide, and histories by brute force."""

from __future__ import annotations

import random
import shutil
from collections import defaultdict
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import setveil
from examples import tried
from oracles_slices import History, Source, write
from oracles_slices_models import both, broken_groups
from runs import parquet
from setveil.errors import InputError

SECRETS = frozenset({"X", "d"})
DEGREE = 2
PROMISE = {"sensitive": sorted(SECRETS), "degree": DEGREE, "ignore_unknown": True}
ROWS = """
    SELECT t.range AS tid, i.item AS item, 'p' || t.range % 37 AS person
    FROM RANGE({n}) AS t, (VALUES ('a', 2), ('b', 3), ('e', 1), ('s', 6)) AS i(item, n)
    WHERE t.range % i.n = 0
"""
SMALL = {"sensitive": ["s"], "degree": 3}


def truthful(source: Source, target: Path, number: int) -> None:
    """The newest slice says what its transactions hold."""
    shown, counts = both(target)
    group_of = {tid: group for one, tid, _, group in shown if one == number}
    held = defaultdict(int)
    for tid, group in group_of.items():
        for item in source[tid].items & SECRETS:
            held[group, item] += 1
    assert {(group, item): n for one, group, item, n in counts if one == number} == held


@tried(1, 12, seed=st.integers(0, 10**9), persons=st.booleans(), renumber=st.booleans())
def test_every_union_of_slices_keeps_the_definition(tmp_path_factory, seed, persons, renumber):
    folder, owners = tmp_path_factory.mktemp("history"), {}
    options = PROMISE | ({"person": "person"} if persons else {}) | {"renumber": renumber}
    for source in History(seed).nights:
        write(folder / "source.parquet", source)
        target = folder / "safe"
        done = setveil.append(folder / "source.parquet", target, "permutation", **options)
        for number, tid, *_ in both(target)[0]:
            if number == done.slice and not renumber:
                owners[tid] = source[tid].person
        whose = owners if persons and not renumber else None
        assert not list(broken_groups(target, SECRETS, DEGREE, whose))
        if done.slice is not None and not renumber:
            truthful(source, target, done.slice)


def grown(folder: Path, number: int, **options: object) -> setveil.Appended:
    path = parquet(folder / "source.parquet", ROWS.format(n=number))
    return setveil.append(path, folder / "safe", "permutation", **SMALL, **options)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    for number in (30, 70):
        grown(folder, number, trail=folder / "{slice}.sql")
    return folder


@pytest.fixture
def folder(tmp_path, released):
    shutil.copytree(released, tmp_path, dirs_exist_ok=True, copy_function=shutil.copy2)
    return tmp_path


def verdict(folder: Path) -> setveil.verify.GroupsVerdict:
    with setveil.read(f"{folder}/safe/slice-*/transactions.parquet") as baskets:
        return setveil.verify.permutation(baskets, **SMALL)


def test_the_target_is_judged_whole_and_by_slice(folder):
    found = verdict(folder)
    assert found.holds and found.transactions == 70
    second = folder / "safe/slice-000002"
    for name in ("transactions", "sensitive"):  # the groups of the second slice are those of one
        path = second / f"{name}.parquet"
        old = path.rename(folder / "old.parquet")
        rows = f'SELECT * REPLACE (1 + "group" % 3 AS "group") FROM \'{old}\''  # noqa: S608
        parquet(path, rows)
    found = verdict(folder)
    assert not found.holds
    assert {one.slices for one in found.violations if one.slices is not None} == {2}
    assert any("is in 2 slices" in str(one) for one in found.violations)


def test_a_slice_is_replayed_from_its_trail(folder, released):
    found = setveil.replay(
        folder / "000002.sql", ledger=folder / "safe.ledger", source=folder / "source.parquet",
        release=folder / "safe/slice-000002",
    )  # fmt: skip
    assert found.same and found.holds


def test_what_is_erased_leaves_with_the_counts_of_its_group(folder):
    shown, counts = both(folder / "safe")
    assert grown(folder, 70, erase=[6, 50]).erased == 2
    after, left = both(folder / "safe")
    assert set(after) == {row for row in shown if row[1] not in (6, 50)}
    lost = {group for _, tid, _, group in shown if tid in (6, 50)}
    assert set(left) == {row for row in counts if row[1] not in lost}
    assert verdict(folder).holds
    assert grown(folder, 70).slice is None


def test_a_slice_that_a_killed_run_was_replacing_is_restored(folder):
    before = both(folder / "safe")
    (folder / "safe/slice-000001").rename(folder / "safe/.slice-000001.old")
    partial = folder / f"safe/.setveil-{'0' * 16}.partial"
    shutil.copytree(folder / "safe/slice-000002", partial)
    assert grown(folder, 70).slice is None
    assert both(folder / "safe") == before
    assert sorted(one.name for one in (folder / "safe").iterdir()) == [
        "slice-000001",
        "slice-000002",
    ]


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (lambda slice_of: (slice_of / "sensitive.parquet").unlink(), "is no slice"),
        (lambda slice_of: (slice_of / "more.txt").write_text("x"), "is no slice"),
        (
            lambda slice_of: shutil.copy(
                slice_of.parent / "slice-000001/sensitive.parquet", slice_of / "sensitive.parquet"
            ),
            "slice 2 of .* was changed",
        ),
    ],
    ids=["gone", "more", "other"],
)
def test_half_a_slice_is_refused(folder, deed, said):
    deed(folder / "safe/slice-000002")
    with pytest.raises(InputError, match=said):
        grown(folder, 90)


@pytest.mark.few(1)
@pytest.mark.parametrize("renumber", [False, True])
def test_two_tables_get_both_relations_together(tmp_path, renumber):
    options = {"database": tmp_path / "shop.duckdb", "renumber": renumber} | SMALL
    for number in (30, 70):
        with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
            connection.execute(f"CREATE OR REPLACE TABLE src AS {ROWS.format(n=number)}")
        done = setveil.append("src", "safe", "permutation", **options)
        assert done.slice == 1 + (number == 70)
    with setveil.read("safe", database=tmp_path / "shop.duckdb") as baskets:
        found = setveil.verify.permutation(baskets, **SMALL)
        assert found.holds and found.transactions == 70
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("DELETE FROM safe_sensitive WHERE slice = 2 AND count = 1")
    with pytest.raises(InputError, match="slice 2 of safe was changed"):
        setveil.append("src", "safe", "permutation", **options)


@pytest.mark.slow
def test_a_random_history_of_tables(tmp_path):
    """Groups of many slices stay apart, also after an erasure took the highest."""
    chance, options = random.Random(3), {"database": tmp_path / "shop.duckdb"} | SMALL
    for night in range(1, 6):
        with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
            connection.execute(f"CREATE OR REPLACE TABLE src AS {ROWS.format(n=40 * night)}")
        setveil.append("src", "safe", "permutation", **options)
        gone = sorted(chance.sample(range(40 * night), 9))
        known = [one for one in gone if one >= 40 * (night - 1)]
        if known:
            setveil.append("src", "safe", "permutation", erase=known, **options)
    with setveil.read("safe", database=tmp_path / "shop.duckdb") as baskets:
        assert setveil.verify.permutation(baskets, **SMALL).holds
