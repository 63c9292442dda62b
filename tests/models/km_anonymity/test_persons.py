"""k^m-anonymity counts persons: releases, the checker, and the commands, by the definition."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

import oracles_km as oracle
import setveil
from examples import tried
from oracles_km import Case
from setveil import verify
from setveil.cli.main import run
from setveil.errors import TooLargeError, UnreachableError
from setveil.run import cost
from setveil.sql.models.km_anonymity import check_persons, persons

FIXTURES = [HealthCheck.function_scoped_fixture]
WHOSE = st.lists(st.integers(0, 3), min_size=9, max_size=9)
PROMISES = {"k": st.integers(1, 3), "m": st.sampled_from([1, 2, 3, "max"])}
LABELS = st.tuples(st.integers(0, 2), st.sampled_from(["a", "b", "it's"]))


@pytest.mark.everywhere
@tried(3, 2000, unchecked=FIXTURES, case=oracle.cases(), whose=WHOSE, **PROMISES)
def test_no_cut_of_k_persons_loses_less(
    connection: duckdb.DuckDBPyConnection, case: Case, whose: list[int], k: int, m: int | str
) -> None:
    """Equality with the best of all cuts, whose sets are held by k persons."""
    size = len(oracle.ITEMS) if m == "max" else int(m)
    least = oracle.least(case, k, size, whose)
    with oracle.make(connection, case, whose) as baskets:
        if least is None:
            with pytest.raises(UnreachableError, match=f"person.* fewer than k = {k}"):
                setveil.km_anonymity(baskets, k=k, m=m, hierarchy="tree")
            return
        release = setveil.km_anonymity(baskets, k=k, m=m, hierarchy="tree")
        lists = [
            frozenset(zip(levels, labels, strict=True)) for _, labels, levels in release.rows()
        ]
        assert not oracle.violations(lists, k, size, whose)
        assert release.metrics.ncp == pytest.approx(float(least)) and release.metrics.gap == 0
        assert release.metrics.persons == len(set(whose[: len(case.baskets)]))
        assert verify.km_anonymity(release, k=k, m=m).holds


@pytest.mark.everywhere
@tried(
    3,
    2000,
    unchecked=FIXTURES,
    lists=st.lists(st.frozensets(LABELS), max_size=8),
    whose=WHOSE,
    **PROMISES,
)
def test_the_checker_agrees_with_the_definition(
    connection: duckdb.DuckDBPyConnection,
    lists: list[frozenset[tuple[int, str]]],
    whose: list[int],
    k: int,
    m: int | str,
) -> None:
    connection.execute(
        "CREATE OR REPLACE TABLE released "
        "(tid INTEGER, item VARCHAR[], level INTEGER[], who INTEGER)"
    )
    rows = [
        [tid, [label for _, label in sorted(one)], [level for level, _ in sorted(one)], who]
        for tid, (one, who) in enumerate(zip(lists, whose, strict=False))
    ]
    if rows:
        connection.executemany("INSERT INTO released VALUES (?, ?, ?, ?)", rows)
    found = oracle.violations(lists, k, 9 if m == "max" else int(m), whose)
    with setveil.read(connection, "released", person="who") as baskets:
        verdict = verify.km_anonymity(baskets, k=k, m=m, limit=10_000)
    assert verdict.holds == (not found)
    assert (verdict.transactions, verdict.persons) == (
        len(lists),
        len(set(whose[: len(lists)])),
    )
    shown = {tuple((one.level, one.label) for one in v.nodes): v for v in verdict.violations}
    assert set(shown) <= set(found)
    for nodes, one in shown.items():
        holders = [who for who, held in zip(whose, lists, strict=False) if held >= set(nodes)]
        assert (one.support, one.persons) == (len(holders), len(set(holders)))
    longest = max(map(len, lists), default=0)
    if m != "max" and int(m) < longest:
        smallest = [one for one in found if len(one) == min(map(len, found))]
        assert sorted(shown) == smallest and verdict.found == len(smallest)


@pytest.mark.parametrize("k", [5, 25, 70, 600])
@pytest.mark.parametrize("m", [2, 3, "max"])
@pytest.mark.few(1)
def test_words_of_bits_decide_nothing(
    connection: duckdb.DuckDBPyConnection, k: int, m: int | str
) -> None:
    """One word, several, and more persons than all words can tell apart."""
    people = 2 * k
    connection.execute(
        "CREATE OR REPLACE TABLE t AS SELECT b.range AS tid, i.range AS item, "  # noqa: S608
        f"b.range % {people} AS who FROM RANGE({people * 3}) AS b, RANGE(8) AS i "
        "WHERE (b.range * 7 + i.range * i.range * 5) % 11 < 4"
    )
    rows = connection.execute("SELECT tid, item, who FROM t").fetchall()
    held: dict[int, set[int]] = {}
    for tid, item, _ in rows:
        held.setdefault(tid, set()).add(item)
    keys = sorted(held)
    lists = [frozenset((0, str(item)) for item in held[tid]) for tid in keys]
    whose = [tid % people for tid in keys]
    size = 8 if m == "max" else int(m)
    with setveil.read(connection, "t", person="who") as baskets:
        release = setveil.km_anonymity(baskets, k=k, m=m, fanout=2)
        published: dict[int, set[tuple[int, str]]] = {}
        for tid, label, level in release.rows():
            published.setdefault(tid, set()).add((level, label))
    with setveil.read(connection, "t", person="who") as baskets:
        verdict = verify.km_anonymity(baskets, k=k, m=m)
    made = [frozenset(published[tid]) for tid in keys]
    assert not oracle.violations(made, k, size, whose)
    assert verdict.holds == (not oracle.violations(lists, k, size, whose))
    assert check_persons.words(k) == persons.words(k) == min(8, 1 + k // 20)


ROWS = [
    (tid, f"i{item}", f"p{tid % 20}")
    for tid in range(60)
    for item in range(12)
    if (tid * 7 + item * 5) % 11 < 3
]


def written(path: Path, rows: Sequence[tuple[object, ...]], *, lists: bool = False) -> Path:
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid INT, item VARCHAR, who VARCHAR)")
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        listed = "SELECT tid, LIST(item ORDER BY item) AS item, MIN(who) AS who FROM t GROUP BY tid"
        duck.execute(f"COPY ({listed if lists else 'FROM t'}) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.few(2)
@pytest.mark.parametrize("m", [1, 2, "max"])
@pytest.mark.parametrize("lists", [False, True])
def test_the_bytes_are_those_of_transactions_if_each_has_a_person(
    tmp_path: Path, m: int | str, lists: bool
) -> None:
    rows = [(tid, item, f"p{99 - tid}") for tid, item, _ in ROWS]
    path = written(tmp_path / "a.parquet", rows, lists=lists)
    made = []
    for person in (None, "who"):
        with setveil.read(path, person=person) as baskets:
            release = setveil.km_anonymity(baskets, k=6, m=m, fanout=2)
            made.append(tmp_path / f"{person}.parquet")
            release.write(made[-1], trail=tmp_path / f"{person}.sql")
    assert made[0].read_bytes() == made[1].read_bytes()
    assert setveil.replay(tmp_path / "who.sql").same


def test_five_receipts_of_one_person_are_no_five(tmp_path: Path) -> None:
    """The pair (a, b) is in five transactions of one person; each item is of five persons."""
    rows = [(tid, item, "p0") for tid in range(5) for item in "ab"]
    rows += [(10 + n, "a", f"p{n}") for n in range(5)] + [(20 + n, "b", f"p{n}") for n in range(5)]
    path = written(tmp_path / "a.parquet", rows)
    with setveil.read(path) as baskets:
        assert setveil.km_anonymity(baskets, k=5, m=2, fanout=2).metrics.ncp == 0
    with setveil.read(path, person="who") as baskets:
        assert setveil.km_anonymity(baskets, k=5, m=1, fanout=2).metrics.ncp == 0
        assert setveil.km_anonymity(baskets, k=5, m=2, fanout=2).metrics.ncp == 1
        for m in (2, "max"):
            (worst,) = verify.km_anonymity(baskets, k=5, m=m).violations
            assert [one.label for one in worst.nodes] == ["a", "b"]
            assert worst.held == "5 transactions of 1 person"


def test_too_many_sets_in_doubt_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal transactions are one kind, but each is read again where their persons are counted."""
    rows = [(tid, item, "p0") for tid in range(300) for item in "ab"]
    rows += [(900 + n, item, f"p{n}") for n in range(3) for item in "ac"]
    rows += [(950 + n, "b", f"p{n}") for n in range(3)]
    path = written(tmp_path / "a.parquet", rows)
    monkeypatch.setattr(cost, "MOST_ROWS", 100)
    with setveil.read(path, person="who") as baskets:
        with pytest.raises(TooLargeError, match="sets of 2 nodes whose persons are counted"):
            setveil.km_anonymity(baskets, k=2, m=2, fanout=3)
    with setveil.read(path, person="who", force_large=True) as baskets:
        assert setveil.km_anonymity(baskets, k=2, m=2, fanout=3).verdict.holds


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, made = str(written(tmp_path / "a.parquet", ROWS)), str(tmp_path / "b.parquet")
    options = ["--k", "6", "--m", "2"]
    of_run = [*options, "--fanout", "2", "--person", "who"]
    assert run(["km-anonymity", source, *of_run, "--out", made, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["persons"] == 20
    assert run(["km-anonymity", source, *of_run]) == 0
    assert "k = 6 persons" in capsys.readouterr().out
    of_source = ["--persons-of", source, "--person", "who"]
    assert run(["verify", "km-anonymity", made, *options, *of_source, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["persons"] == 20
    assert run(["verify", "km-anonymity", source, "--k", "6", "--m", "2", "--person", "who"]) == 1
    told = capsys.readouterr().out
    assert "of too few persons" in told and " persons" in told
    few = ["--k", "21", "--m", "2", "--fanout", "2", "--person", "who"]
    assert run(["km-anonymity", source, *few]) == 3
    assert "20 persons of transactions with items, fewer than k = 21" in capsys.readouterr().err
    for m in ("1", "3", "max"):
        explained = ["--k", "6", "--m", m, "--fanout", "2", "--person", "who", "--explain"]
        assert run(["km-anonymity", source, *explained]) == 0
        assert "check_owner" in capsys.readouterr().out
