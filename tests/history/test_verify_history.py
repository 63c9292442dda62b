"""`setveil verify MODEL --history`: worked cases, what it prints, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

import oracles_history as oracle
from hostile_names import NAMES
from oracles_history import Shown
from setveil.cli.main import run
from setveil.history.groups import MOST

KM = ["verify", "km-anonymity", "--history", "--item", "items", "--k", "2"]
AB, A, B, NONE = (frozenset(one) for one in ("ab", "a", "b", ""))
# Found by search: all groups of the three releases together hold.
ONLY_A_SUBSET: list[Shown] = [
    {"t1": AB, "t2": AB},
    {"t0": A, "t3": NONE, "t4": A},
    {"t0": AB, "t1": A, "t2": B, "t3": AB, "t4": B},
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(releases: Sequence[Shown]) -> list[str]:
    """Write the releases to the current folder."""
    return [Path(one).name for one in oracle.write(releases, Path.cwd())]


def verified(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = run([*words, "--json", "--quiet"])
    content = json.loads(capsys.readouterr().out)
    return code, content


def test_a_release_that_grows_shows_who_is_new(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each release keeps k = 2 by itself; the one new transaction is found by its absence."""
    old = {"t1": A, "t2": A}
    code, content = verified(capsys, *KM, "--m", "1", *names([old, old | {"t3": A}]))
    assert code == 1 and content["guarantee"] == {"model": "km-anonymity", "holds": False}
    (broken,) = content["metrics"]["broken"]
    assert broken["shown"] == ["r2.parquet"] and broken["lacking"] == ["r1.parquet"]
    assert (broken["transactions"], broken["exposed"], broken["found"]) == (1, 1, 1)
    assert broken["violations"] == [
        {"nodes": [{"label": "a", "level": 0}], "support": 1, "persons": None}
    ]
    assert content["metrics"]["judged"] == 4


@pytest.mark.slow
def test_an_item_suppressed_in_one_release_and_shown_in_another_is_shown(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only t1 has a in the first and b in the second: together they show a and b of it."""
    first: Shown = {"t1": A, "t2": A, "t3": NONE}
    second: Shown = {"t1": B, "t2": NONE, "t3": B}
    code, content = verified(capsys, *KM, "--m", "2", *names([first, second]))
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert broken["shown"] == ["r1.parquet", "r2.parquet"] and not broken["lacking"]
    assert [one["label"] for one in broken["violations"][0]["nodes"]] == ["a", "b"]
    assert verified(capsys, *KM, "--m", "1", "r1.parquet", "r2.parquet")[0] == 0


def test_a_subset_can_break_what_all_releases_together_keep(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, content = verified(capsys, *KM, "--m", "2", *names(ONLY_A_SUBSET))
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert (broken["shown"], broken["lacking"]) == (["r3.parquet"], ["r2.parquet"])
    assert (broken["transactions"], broken["exposed"]) == (2, 2)
    assert verified(capsys, *KM, "--m", "2", "r1.parquet", "r2.parquet")[0] == 0


def test_twins_agree_in_every_release(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The union of items is equal; the releases by themselves tell one transaction from another."""
    paths = names(
        [{"t1": A, "t2": A, "t3": AB, "t4": AB}, {"t1": AB, "t3": AB, "t2": AB, "t4": AB}]
    )
    words = ["verify", "k-anonymity", "--history", "--item", "items", *paths]
    assert verified(capsys, *words, "--k", "2")[0] == 0
    code, content = verified(capsys, *words, "--k", "3")
    assert code == 1
    both = [one for one in content["metrics"]["broken"] if len(one["shown"]) == 2]
    assert [one["transactions"] for one in both] == [4] and both[0]["exposed"] == 4
    nodes = [label for one in both[0]["violations"] for _, label in one["nodes"]]
    assert nodes == [
        "a in r1.parquet", "a in r2.parquet", "b in r2.parquet",
        "a in r1.parquet", "a in r2.parquet", "b in r1.parquet", "b in r2.parquet",
    ]  # fmt: skip


@pytest.mark.slow
def test_releases_that_share_no_transaction_are_judged_alone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = [{f"t{n}1": A, f"t{n}2": A} for n in range(MOST + 2)]
    code, content = verified(capsys, *KM, "--m", "1", *names(many))
    assert code == 0 and content["metrics"]["judged"] == len(many)


def test_every_broken_group_is_named_though_checkers_stop_at_the_least_size(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first release breaks the promise by one item, the second only by a pair."""
    pairs = {f"t{n}": frozenset(one) for n, one in enumerate(("abc", "abc", "ad", "d"), 2)}
    code, content = verified(capsys, *KM, "--m", "2", *names([{"t1": A}, pairs]))
    assert code == 1
    found = {one["shown"][0]: one for one in content["metrics"]["broken"]}
    assert set(found) == {"r1.parquet", "r2.parquet"}
    assert [len(one["violations"][0]["nodes"]) for one in found.values()] == [1, 2]


def test_groups_of_too_few_transactions_are_each_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All transactions of all groups are fewer than k: each group breaks the promise by itself."""
    paths = names([{"t1": A, "t2": NONE}, {"t3": A}])
    words = ["verify", "coherence", "--history", "--item", "items", "--k", "4", "--p", "1"]
    code, content = verified(capsys, *words, *paths)
    assert code == 1
    told = [
        (one["transactions"], one["exposed"], [v["items"] for v in one["violations"]])
        for one in content["metrics"]["broken"]
    ]
    assert sorted(told) == [(1, 1, [[]]), (2, 2, [[]])]


@pytest.mark.slow
def test_more_than_six_overlapping_releases_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, content = verified(capsys, *KM, "--m", "1", *names([{"t1": A, "t2": A}] * (MOST + 1)))
    assert code == 2
    assert "7 releases overlap" in content["error"]["message"]
    assert verified(capsys, *KM, "--m", "1", *names([{"t1": A, "t2": A}] * MOST))[0] == 0


def test_it_prints_the_releases_the_sets_and_who_is_exposed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*KM, "--m", "2", *names(ONLY_A_SUBSET)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == (
        "does not hold: 1 of 7 groups of transactions of 3 releases break the promise"
    )
    assert printed[1] == (
        "r3.parquet, of transactions that r2.parquet lacks: at least 2 of 2 transactions exposed "
        "by at least 2 violations"
    )
    assert printed[2].split() == ["a", "in", "1", "transaction"]
    assert run([*KM, "--m", "1", "r1.parquet", "r2.parquet"]) == 0
    assert capsys.readouterr().out == (
        "holds: 2 releases, 5 transactions, in 2 groups of transactions by the releases that hold "
        "them\n"
    )


def test_persons_are_those_of_the_source(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The two new transactions are of one person."""
    old = {"t1": A, "t2": A}
    paths = names([old, old | {"t3": A, "t4": A}])
    oracle.write_persons({"t1": 1, "t2": 2, "t3": 3, "t4": 3}, here)
    words = [*KM, "--m", "1", *paths]
    assert verified(capsys, *words)[0] == 0
    persons = ["--persons-of", "persons.parquet", "--person", "who"]
    code, content = verified(capsys, *words, *persons)
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert (broken["transactions"], broken["persons"]) == (2, 1)
    assert (broken["exposed"], broken["exposed_persons"]) == (2, 1)
    assert run([*words, *persons]) == 1
    assert "2 of 2 transactions, 1 of 1 person exposed" in capsys.readouterr().out


def long(path: str, rows: Sequence[tuple[Any, ...]], columns: str) -> None:
    marks = ", ".join("?" for _ in columns.split(","))
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.executemany(f"INSERT INTO t VALUES ({marks})", rows)  # noqa: S608
        connection.execute(f"COPY t TO '{path}'")


PERSONS = "tid INTEGER, item VARCHAR, who VARCHAR"


def test_persons_in_a_column_of_every_release(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each release numbers its persons by itself: they are the same by their values."""
    long("r1.parquet", [(1, "a", "Zoe"), (2, "a", "Yan")], PERSONS)
    long("r2.parquet", [(1, "a", "Zoe"), (2, "a", "Yan"), (3, "a", "Ann"), (4, "a", "Bo")], PERSONS)
    words = ["verify", "km-anonymity", "--history", "r1.parquet", "--k", "2", "--m", "1"]
    assert verified(capsys, *words, "r2.parquet", "--person", "who")[0] == 0
    long("r3.parquet", [(1, "a", "Zoe"), (2, "a", "Ann"), (5, "a", None)], PERSONS)
    code, content = verified(capsys, *words, "r3.parquet", "--person", "who", "--guests", "own")
    assert code == 2
    assert "1 transaction with another person" in content["error"]["message"]


SLICES = "tid INTEGER, item VARCHAR, slice INTEGER"


def test_each_slice_of_a_release_is_judged_by_itself(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole holds; the second slice has one transaction."""
    long("r.parquet", [(1, "a", 1), (2, "a", 1), (3, "a", 2)], SLICES)
    words = ["verify", "coherence", "r.parquet", "--k", "2", "--p", "1"]
    code, content = verified(capsys, *words)
    assert code == 1 and content["guarantee"]["holds"] is False
    assert content["metrics"]["holds"] is True
    (broken,) = content["slices"]["broken"]
    assert (broken["slices"], broken["transactions"]) == ("2", 1)
    assert not [note for note in content["notes"] if "slice" in note]
    assert run(words) == 1
    printed = capsys.readouterr().out
    assert "does not hold in each slice by itself: 1 of 2 slices break the promise" in printed
    assert "r.parquet, slice 2: 1 of 1 transaction exposed" in printed
    long("r.parquet", [(1, "a", 1), (2, "a", 1), (3, "a", 2), (4, "a", 2)], SLICES)
    assert verified(capsys, *words)[0] == 0


def test_each_slice_is_judged_with_the_persons_of_the_source(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both transactions of the second slice are of one person."""
    long("r.parquet", [(n, "a", 1 + n // 2) for n in range(4)], SLICES)
    long("s.parquet", [(n, "a", f"p{min(n, 2)}") for n in range(4)], PERSONS)
    words = ["verify", "coherence", "r.parquet", "--k", "2", "--p", "1"]
    assert verified(capsys, *words)[0] == 0
    code, content = verified(capsys, *words, "--persons-of", "s.parquet", "--person", "who")
    assert code == 1 and content["metrics"]["holds"] is True
    (broken,) = content["slices"]["broken"]
    assert (broken["slices"], broken["exposed_persons"]) == ("2", 1)


@pytest.mark.slow
def test_slices_of_two_copies_of_a_target_are_joined(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One transaction of the second slice was erased, after a copy was taken."""
    rows = [(1, "a", 1), (2, "a", 1), (3, "b", 2), (4, "b", 2), (5, "b", 2)]
    long("old.parquet", rows, SLICES)
    long("new.parquet", rows[:4], SLICES)
    words = ["verify", "km-anonymity", "--history", "old.parquet", "--k", "2", "--m", "1"]
    code, content = verified(capsys, *words, "new.parquet")
    assert code == 1
    assert {(one["slices"], *one["lacking"]) for one in content["metrics"]["broken"]} == {
        (None, "new.parquet"), ("2", "new.parquet"),
    }  # fmt: skip
    long("new.parquet", rows[:2], SLICES)
    assert verified(capsys, *words, "new.parquet")[0] == 0


def test_a_transaction_in_two_slices_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long("r.parquet", [(1, "a", 1), (1, "b", 2)], SLICES)
    code, content = verified(capsys, "verify", "k-anonymity", "r.parquet", "--k", "1")
    assert code == 2 and "1 transaction in two slices" in content["error"]["message"]


@pytest.mark.slow
def test_a_folder_of_slices_is_one_release(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "target").mkdir()
    long("target/1.parquet", [(1, "a", 1), (2, "a", 1)], SLICES)
    long("target/2.parquet", [(3, "a", 2)], SLICES)
    words = ["verify", "coherence", "--k", "2", "--p", "1", "target"]
    code, content = verified(capsys, *words)
    assert code == 1 and content["slices"]["broken"][0]["slices"] == "2"
    assert verified(capsys, *words, "--history")[0] == 1


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [*NAMES, "history_cell", "item"], ids=ascii)
def test_hostile_names_change_nothing(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """In a release, its items and keys, and its columns."""
    old = [(name, "x"), (name, f"y{name}")]
    path = "r 2'.parquet"
    for target, rows in (("r1.parquet", old), (path, [*old, (name, "new")])):
        with duckdb.connect() as connection:
            column = '"' + name.replace('"', '""') + '"'
            connection.execute(f"CREATE TABLE t ({column} VARCHAR, other VARCHAR)")
            connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
            connection.sql("FROM t").write_parquet(target)
    words = ["verify", "coherence", "--history", "r1.parquet", path, "--k", "2", "--p", "1"]
    code, content = verified(capsys, *words, "--item", name, "--tid", "other")
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert broken["violations"] == [
        {"items": [], "support": 1, "reveals": None, "share": 0.0, "persons": None},
    ]  # fmt: skip
    assert broken["lacking"] == ["r1.parquet"]


@pytest.mark.slow
def test_ids_are_matched_as_they_are_printed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file can hold ids and items in another type."""
    long("r1.parquet", [(1, 5), (2, 5)], "tid INTEGER, item INTEGER")
    long("r2.csv", [("1", "5"), ("2", "5")], "tid VARCHAR, item VARCHAR")
    words = ["verify", "uncertainty", "--history", "r1.parquet", "r2.csv", "--rho", "1"]
    code, content = verified(capsys, *words, "--sensitive", "where:name = '5'")
    assert code == 0
    assert (content["metrics"]["transactions"], content["metrics"]["judged"]) == (2, 3)


REFUSED = {
    "several releases without --history": (
        ["verify", "coherence", "r1.parquet", "r2.parquet", "--k", "2", "--p", "1"],
        "add --history",
    ),
    "two keys of one release": (
        ["verify", "coherence", "r1.parquet", "--k", "2", "--p", "1", "--key", "a", "--key", "b"],
        "one release has one --key",
    ),
    "keys for some": ([*KM, "--m", "1", "r1.parquet", "r2.parquet", "--key", "none"], "1 key for"),
    "an original": ([*KM, "--m", "1", "r1.parquet", "--original", "r2.parquet"], "--original"),
    "hiding": (
        [
            *["verify", "hiding", "r1.parquet", "r2.parquet", "--history", "--item", "items"],
            *["--patterns", "p.txt", "--psi", "0.5"],
        ],
        "two of these share transactions",
    ),
    "a level that none has": (
        [*KM, "--m", "1", "r1.parquet", "r2.parquet", "--level", "x"],
        "no release has a column 'x'",
    ),
    "a release that is missing": ([*KM, "--m", "1", "r1.parquet", "r9.parquet"], "r9.parquet"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    names([{"t1": A, "t2": A}] * 2)
    Path("p.txt").write_text("a,b\n")
    words, said = REFUSED[name]
    code, content = verified(capsys, *words)
    assert code == 2 and said in content["error"]["message"]


def test_releases_without_ids_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with duckdb.connect() as connection:
        connection.execute("COPY (SELECT ['a'] AS items FROM RANGE(2)) TO 'r.parquet'")
    code, content = verified(capsys, *KM, "--m", "1", "r.parquet", "r.parquet")
    assert code == 2 and "no transaction ids" in content["error"]["message"]


@pytest.mark.slow
def test_the_same_release_twice_shows_nothing_new(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = names([{"t1": AB, "t2": AB}])
    assert verified(capsys, *KM, "--m", "2", path, path)[0] == 0


@pytest.mark.slow
def test_renumbered_releases_are_joined_by_their_keys(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ids of each release are its own; the keys tell which transactions are one."""
    rows = [(n, item) for n in range(4) for item in "ab"]
    long("data.parquet", rows, "tid INTEGER, item VARCHAR")
    long("more.parquet", [*rows, (4, "a"), (5, "a")], "tid INTEGER, item VARCHAR")
    for source, target in (("data", "r1"), ("more", "r2")):
        made = ["coherence", f"{source}.parquet", "--k", "2", "--p", "1", "--renumber", "--quiet"]
        assert run([*made, "--key", f"{target}.key.csv", "--out", f"{target}.parquet"]) == 0
    capsys.readouterr()
    words = ["verify", "coherence", "r1.parquet", "r2.parquet", "--history", "--k", "2"]
    keys = ["--key", "r1.key.csv", "--key", "r2.key.csv"]
    code, content = verified(capsys, *words, "--p", "2", *keys)
    assert code == 0
    assert (content["metrics"]["transactions"], content["metrics"]["judged"]) == (6, 4)
    code, content = verified(capsys, *words, "--p", "2", "--key", "none", "--key", "r2.key.csv")
    assert content["metrics"]["transactions"] == 6 + len(
        set(ids("r1.parquet")) - set(map(str, range(6)))
    )


def ids(path: str) -> list[str]:
    with duckdb.connect() as connection:
        rows = connection.read_parquet(path).fetchall()
    return [str(key) for key, *_ in rows]


def test_explain_prints_the_statements_of_all_releases(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = names([{"t1": A, "t2": A}] * 2)
    assert run([*KM, "--m", "1", *paths, "--explain"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("-- source: the data of the source, read once") == 2
    assert "-- history_cell:" in printed and "-- check_set_1:" in printed
