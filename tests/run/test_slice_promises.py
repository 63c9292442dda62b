"""The promise of a target: it stays, no item changes its role, and transactions can wait."""

from __future__ import annotations

import contextlib
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, rows_of
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.run.slices import selecting
from setveil.run.slices.lock import Lock

ITEMS = "(VALUES ('beer', 2), ('bread', 1), ('milk', 3)) AS i(item, n)"
WORDS = ["coherence", "source.parquet", "--h", "0.6", "--k", "3", "--p", "2", "--append", "safe"]
HIERARCHY = """
    SELECT *
    FROM (VALUES ('beer', 'drink'), ('milk', 'drink'), ('bread', 'food')) AS h(item, level1)
"""


def source(folder: Path, first: int, number: int, more: str = "SELECT 0, 'x', 'p' WHERE FALSE"):
    """Transactions first, first + 1, … with other rows; the person p has them all."""
    query = f"""
        SELECT t.range AS tid, i.item AS item, 'p' || t.range % 9 AS person
        FROM RANGE({first}, {first + number}) AS t, {ITEMS} WHERE t.range % i.n = 0
        UNION ALL {more}
    """  # noqa: S608
    return parquet(folder / "source.parquet", query)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A target with one slice of 24 transactions, and a list of its private items."""
    folder = tmp_path_factory.mktemp("released")
    (folder / "private.txt").write_text("milk\n")
    setveil.append(
        source(folder, 0, 24), folder / "safe", "coherence", k=3, p=2, h="0.6",
        private=folder / "private.txt", trail=folder / "{slice}.sql",
    )  # fmt: skip
    return folder


@pytest.fixture
def folder(tmp_path, released, monkeypatch):
    shutil.copytree(released, tmp_path, dirs_exist_ok=True, copy_function=shutil.copy2)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def again(folder: Path, **options: object) -> setveil.Appended:
    options = {"k": 3, "p": 2, "h": "0.6", "private": folder / "private.txt"} | options
    return setveil.append(folder / "source.parquet", folder / "safe", "coherence", **options)


def keys(folder: Path) -> list[int]:
    rows = rows_of(
        "SELECT DISTINCT tid FROM READ_PARQUET($1) ORDER BY 1", f"{folder}/safe/*.parquet"
    )
    return [key for (key,) in rows]


def test_a_slice_has_only_new_transactions_and_its_number(folder):
    assert again(folder) == again(folder)
    assert again(folder).slice is None
    source(folder, 0, 48)
    done = again(folder)
    assert (done.slice, done.released, done.fresh) == (2, 24, 24)
    assert keys(folder) == list(range(48))
    found = rows_of(
        "SELECT slice, MIN(tid), MAX(tid) FROM READ_PARQUET($1) GROUP BY 1 ORDER BY 1",
        f"{folder}/safe/*.parquet",
    )
    assert found == [(1, 0, 23), (2, 24, 47)]


@pytest.mark.few(1)
@pytest.mark.parametrize("renumber", [False, True])
def test_ids_of_two_columns_are_one_transaction_each(tmp_path, renumber):
    """The receipts of both stores have equal numbers."""
    notes: list[str] = []
    options = {"k": 3, "p": 2, "h": "0.6", "private": "where:name = 'milk'", "renumber": renumber}
    for number in (24, 24, 48):
        rows = f"""
            SELECT CASE WHEN t.range % 2 = 0 THEN 'a/b' ELSE 'a' END AS store,
                t.range // 2 AS receipt, i.item AS item, 'p' || t.range % 9 AS person
            FROM RANGE({number}) AS t, {ITEMS} WHERE t.range % i.n = 0
        """  # noqa: S608
        done = setveil.append(
            parquet(tmp_path / "source.parquet", rows), tmp_path / "safe", "coherence",
            tid=["store", "receipt"], person="person", note=notes.append, **options,
        )  # fmt: skip
    assert (done.slice, done.released) == (2, 24)
    ids = "tid" if renumber else "store, receipt"
    found = rows_of(
        f"SELECT DISTINCT slice, {ids} FROM READ_PARQUET($1)",  # noqa: S608
        f"{tmp_path}/safe/*.parquet",
    )
    assert len(found) == len({row[1:] for row in found}) == 48
    (tmp_path / "keys.csv").write_text("receipt,store\n3,a/b\n")
    for keys in ([("a", 3)], ["a%2Fb/4"], tmp_path / "keys.csv"):
        done = setveil.append(
            tmp_path / "source.parquet", tmp_path / "safe", "coherence", tid=["store", "receipt"],
            person="person", erase=keys, **options,
        )  # fmt: skip
        assert done.erased == 1
    left = rows_of(
        f"SELECT DISTINCT slice, {ids} FROM READ_PARQUET($1)",  # noqa: S608
        f"{tmp_path}/safe/*.parquet",
    )
    assert len(left) == 45 and set(left) < set(found)
    assert renumber or set(found) - set(left) == {(1, "a", 3), (1, "a/b", 3), (1, "a/b", 4)}


@pytest.mark.parametrize("model", ["uncertainty", "coherence"])
def test_a_slice_has_a_lower_bound_where_persons_return(tmp_path, model):
    """Each night two of four persons hold milk; of the five of both nights, four do."""
    promise = {
        "uncertainty": {"sensitive": ["milk"], "rho": "0.5"},
        "coherence": {"private": ["milk"], "h": "0.5", "k": 2, "p": 1},
    }[model]
    nights = [[("p1", 1), ("p2", 1), ("p3", 0), ("p4", 0)],
              [("p3", 1), ("p5", 1), ("p1", 0), ("p2", 0)]]  # fmt: skip
    held, notes = [], []
    for number in (1, 2):
        held += nights[number - 1]
        rows = [(n, "bread", one) for n, (one, _) in enumerate(held)]
        rows += [(n, "milk", one) for n, (one, milk) in enumerate(held) if milk]
        shown = ", ".join(map(str, rows))
        path = parquet(tmp_path / "s.parquet", f"FROM (VALUES {shown}) AS t(tid, item, person)")
        done = setveil.append(
            path, tmp_path / "safe", model, person="person", trail=tmp_path / "{slice}.sql",
            ignore_unknown=True, note=notes.append, **promise,
        )  # fmt: skip
        assert (done.slice is None) == (model == "coherence" and number == 2)
        with setveil.read(f"{tmp_path}/safe/*.parquet") as baskets:
            persons = setveil.verify.PersonsOf(path, "person")
            assert getattr(setveil.verify, model)(baskets, persons=persons, **promise).holds
    if done.slice is None:
        assert "shares of persons" in done.why
    else:
        assert any("slice 2 of" in one and "keeps rho = " in one for one in notes)
        again = setveil.replay(tmp_path / "000002.sql", ledger=tmp_path / "safe.ledger")
        assert again.same and again.holds


def test_late_and_lost_transactions_are_counted_and_never_released_again(folder):
    source(folder, 2, 46, "SELECT 5, 'beer', 'p5'")  # 0 and 1 are lost, 5 has one item more
    notes: list[str] = []
    done = again(folder, note=notes.append)
    assert (done.late, done.lost, done.released) == (1, 2, 24)
    assert any("1 transaction changed" in one for one in notes)
    assert any("2 transactions of" in one and "no longer in the source" in one for one in notes)
    assert keys(folder) == list(range(48))


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"k": 4}, "k was '3', now '4'"), ({"h": "0.5"}, "h was '3/5', now '1/2'"),
     ({"renumber": True}, "renumber was False, now True"), ({"person": "person"}, "persons was"),
     ({"private": "where:name = 'milk'"}, "private was 'a list'")],
    ids=lambda one: next(iter(one)) if isinstance(one, dict) else "",
)  # fmt: skip
def test_another_promise_is_refused(folder, changed, said):
    source(folder, 0, 48)
    with pytest.raises(InputError, match="keeps another promise") as error:
        again(folder, **changed)
    assert said in str(error.value)
    assert keys(folder) == list(range(24))


def test_a_first_run_that_failed_binds_nobody(tmp_path):
    path, wrong = source(tmp_path, 0, 24), {"k": 3, "p": 2, "private": ["mlik"], "h": "0.6"}
    with pytest.raises(InputError, match="'mlik'"):
        setveil.append(path, tmp_path / "safe", "coherence", **wrong)
    done = setveil.append(path, tmp_path / "safe", "coherence", k=4, p=2)
    assert (done.slice, done.released) == (1, 24)


def test_no_item_changes_its_role(folder):
    source(folder, 0, 48)
    (folder / "private.txt").write_text("milk\nbeer\n")
    with pytest.raises(InputError, match="'beer'; no item changes its role"):
        again(folder)
    (folder / "private.txt").write_text("bread\n")
    with pytest.raises(InputError, match="2 items changed the role"):
        again(folder)
    assert keys(folder) == list(range(24))


NEW = "SELECT 24 + n.range, 'tempeh', 'p' FROM RANGE(9) AS n"


@pytest.mark.slow
def test_transactions_with_an_item_that_no_list_has_wait(folder):
    source(folder, 0, 48, NEW)
    notes: list[str] = []
    done = again(folder, note=notes.append)
    assert (done.released, done.waiting, done.unlisted) == (15, 9, 9)
    assert any("9 transactions wait, since an item is in no list" in one for one in notes)
    assert keys(folder) == [*range(24), *range(33, 48)]
    (folder / "private.txt").write_text("milk\ntempeh\n")
    source(folder, 0, 72, NEW)
    done = again(folder)
    assert (done.released, done.waiting) == (33, 0)
    assert keys(folder) == list(range(72))


@pytest.mark.slow
def test_new_items_can_be_accepted(folder):
    source(folder, 0, 48, NEW)
    assert again(folder, accept_new=True).released == 24


def test_a_quiet_night_waits_and_can_be_too_long(folder, monkeypatch):
    source(folder, 0, 26)
    notes: list[str] = []
    done = again(folder, note=notes.append)
    assert (done.slice, done.waiting, done.days) == (None, 2, 0)
    assert any("2 transactions wait, the first for 0 days" in one for one in notes)

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            real = datetime.now(tz)
            return real.replace(year=real.year + 1, day=1)

    monkeypatch.setattr(selecting, "datetime", Later)
    with pytest.raises(UnreachableError, match="2 transactions wait") as error:
        again(folder, max_age=30)
    assert error.value.exit_code == 3
    source(folder, 0, 48)
    assert again(folder, max_age=30).released == 24
    assert UTC


@pytest.mark.parametrize(
    ("model", "options", "said"),
    [
        ("coherence", {"k": 3, "p": 2, "h": 1, "private": "where:support < 3"}, "on support"),
        ("km-anonymity", {"k": 3, "m": 2, "fanout": 2}, "frozen"),
        ("hiding", {"patterns": [["a"]], "min_support": 3}, "min_support"),
        ("permutation", {"sensitive": ["a"], "degree": 2, "wait": 1}, "loses none"),
        ("coherence", {"k": 3, "p": 2, "wait": 2}, "renumber"),
        ("coherence", {"k": 3, "p": 2, "wait": 2, "renumber": True, "carry": ["person"]}, "carr"),
        ("nothing", {}, "no model"),
    ],
)
def test_promises_that_slices_cannot_keep_are_refused(tmp_path, model, options, said):
    with pytest.raises(InputError, match=said):
        setveil.append(source(tmp_path, 0, 24), tmp_path / "new", model, **options)
    assert not (tmp_path / "new").exists() and not (tmp_path / "new.ledger").exists()


def test_an_open_connection_is_refused(tmp_path):
    with duckdb.connect() as connection, pytest.raises(InputError, match="read the ledger"):
        setveil.append(connection, tmp_path / "new", "coherence", k=3, p=2)


@pytest.mark.slow
def test_every_other_model_appends(tmp_path):
    parquet(tmp_path / "tree.parquet", HIERARCHY)
    (tmp_path / "patterns.txt").write_text("bread,milk\n")
    calls = {
        "k-anonymity": {"k": 3, "hierarchy": tmp_path / "tree.parquet"},
        "km-anonymity": {"k": 3, "m": 2, "hierarchy": tmp_path / "tree.parquet"},
        "uncertainty": {"sensitive": "where:name = 'milk'", "rho": "0.4"},
        "hiding": {"patterns": tmp_path / "patterns.txt", "psi": "0.2"},
    }
    for number in (24, 48):
        path = source(tmp_path, 0, number)
        for model, promise in calls.items():
            done = setveil.append(path, tmp_path / model, model, **promise)
            assert (done.slice, done.released) == (number // 24, 24), model


def test_waiting_loses_less_and_ids_stay_distinct(tmp_path):
    """Alone a night of four has items that two hold; after two nights four hold them."""
    promise = {"k": 4, "p": 1, "renumber": True}
    for target, wait in (("now", None), ("later", 1)):
        for nights in (1, 2):
            path = source(tmp_path, 0, 4 * nights)
            done = setveil.append(path, tmp_path / target, "coherence", wait=wait, **promise)
            assert (done.slice is None) == (wait == 1 and nights == 1)
    counts = {}
    for target in ("now", "later"):
        rows = rows_of("SELECT tid, item FROM READ_PARQUET($1)", f"{tmp_path}/{target}/*.parquet")
        counts[target] = len(rows)
        assert sorted({key for key, _ in rows}) == list(range(1, 9))
    assert counts["now"] < counts["later"]


@pytest.mark.slow
def test_a_cut_is_only_coarsened(tmp_path):
    parquet(tmp_path / "tree.parquet", HIERARCHY)
    few = "SELECT 100, 'milk', 'p' UNION ALL SELECT 101, 'bread', 'p'"
    notes: list[str] = []
    for number, more in ((9, few), (60, "SELECT 0, 'bread', 'p'")):
        done = setveil.append(
            source(tmp_path, 0 if number == 9 else 1000, number, more), tmp_path / "safe",
            "km-anonymity", k=4, m=2, hierarchy=tmp_path / "tree.parquet", note=notes.append,
        )  # fmt: skip
        assert done.slice
    first, second = (
        {
            tuple(one)
            for one in rows_of("SELECT DISTINCT level, item FROM READ_PARQUET($1)", str(path))
        }
        for path in sorted((tmp_path / "safe").glob("*"))
    )
    assert {one for one in first if one[0] > 0} and not {one for one in second if one[0] == 0} & {
        (0, "milk"),
        (0, "beer"),
    }
    assert any("are not split: this slice loses" in one for one in notes)


@pytest.mark.slow
def test_a_hierarchy_may_grow_but_no_item_moves(tmp_path):
    def append(number, tree, more="SELECT 0, 'bread', 'p'"):
        parquet(tmp_path / "tree.parquet", f"{HIERARCHY} UNION ALL VALUES {tree}")
        return setveil.append(
            source(tmp_path, 0, number, more), tmp_path / "safe", "km-anonymity", k=3, m=2,
            hierarchy=tmp_path / "tree.parquet",
        )  # fmt: skip

    assert append(24, "('wine', 'drink')").slice == 1
    new = "SELECT n.range, 'tempeh', 'p' FROM RANGE(24, 33) AS n"
    with pytest.raises(InputError, match="lacks 1 item"):
        append(48, "('wine', 'drink')", new)
    assert append(48, "('tempeh', 'food')", new).slice == 2
    with pytest.raises(InputError, match="1 item had another place in earlier slices: 'tempeh'"):
        append(72, "('tempeh', 'drink')", "SELECT n.range, 'tempeh', 'p' FROM RANGE(48, 60) AS n")
    assert append(72, "('tempeh', 'food')").slice == 3


def test_the_command_prints_one_object_and_notes(folder, capsys):
    source(folder, 0, 48)
    assert run([*WORDS, "--private", "private.txt", "--json", "--trail", "{slice}.sql"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["append"]["slice"] == 2 and told["append"]["released"] == 24
    assert told["guarantee"]["holds"] is True
    assert any("within a slice" in one for one in told["notes"])
    assert run([*WORDS, "--private", "private.txt"]) == 0
    assert "nothing is new for safe" in capsys.readouterr().err
    assert run(["replay", "000002.sql", "--ledger", "safe.ledger"]) == 0
    assert (
        run(["verify", "coherence", "safe/*.parquet", *WORDS[2:8], "--private", "private.txt"]) == 0
    )


@pytest.mark.parametrize(
    "words",
    [["--out", "x.parquet"], ["--into", "t"], ["--explain", "--erase", "keys.txt"],
     ["--key", "k.csv", "--renumber"]],
    ids=lambda one: one[0],
)  # fmt: skip
def test_options_that_name_another_place_are_refused(folder, words, capsys):
    assert run([*WORDS, "--private", "private.txt", *words]) == 2
    assert "leave" in capsys.readouterr().err
    assert run([*WORDS[:-2], "--wait", "2"]) == 2


def test_a_run_is_explained_and_nothing_is_read_or_written(folder, capsys, monkeypatch):
    """Neither a lock nor an altered ledger stops it: it opens none of them."""
    (folder / "safe.ledger").write_bytes(b"altered")
    before = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    with contextlib.closing(Lock(f"{folder}/safe.ledger.lock", "safe")):
        assert run([*WORDS, "--private", "private.txt", "--person", "person", "--explain"]) == 0
    shown = capsys.readouterr().out
    for name in ("released", "waiting", "unlisted", "slice_key", "release", "ledger_new_1"):
        assert shown.count(f"CREATE TABLE {name} AS") == 1, name
    assert shown.index("TABLE slice_key") < shown.index("TABLE occurrence")
    assert {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()} == before


@pytest.mark.slow
def test_a_release_beside_a_target_is_noted(folder):
    notes: list[str] = []
    source(folder, 0, 48)
    again(folder)
    with setveil.read(folder / "source.parquet", note=notes.append) as baskets:
        setveil.coherence(baskets, k=3, p=2).write(folder / "whole.parquet")
    assert [one for one in notes if "safe.ledger is of a target with slices" in one]
    notes.clear()
    other = parquet(
        folder / "other.parquet", "SELECT t.range AS tid, 'a' AS item FROM RANGE(9) AS t"
    )
    with setveil.read(other, note=notes.append) as baskets:
        setveil.coherence(baskets, k=3, p=2).write(folder / "another.parquet")
    assert not [one for one in notes if "ledger" in one]


@pytest.mark.slow
def test_a_release_of_a_slice_is_only_appended(folder):
    from setveil.models import REGISTRY
    from setveil.slices import appending

    wanted = appending(
        REGISTRY["coherence"], str(folder / "new"), {"k": 3, "p": 2}, renumber=False,
        accept_new=False, wait=None, max_age=None, persons=(False, None), carry=(),
    )  # fmt: skip
    with setveil.read(source(folder, 0, 48), append=wanted) as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        with pytest.raises(InputError, match="are a slice of a target"):
            release.write(folder / "out.parquet")
    assert not (folder / "new").exists()
