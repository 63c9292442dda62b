"""k-anonymity counts persons: the search, the checker, whole runs, and the commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from sqlglot import exp

import harness
import oracles_partition as oracle
import oracles_persons as owned
import setveil
from examples import tried
from partitions import refined, seeded
from partitions import run as searched
from setveil.cli.main import run
from setveil.errors import UnreachableError
from setveil.models.k_anonymity.check import Verdict, check_k_anonymity

WHOSE = st.lists(st.integers(0, 4), min_size=14, max_size=14)


# The search


@pytest.mark.everywhere
@tried(2, 40, oracle.data(), WHOSE, st.integers(1, 4))
def test_greedy_is_algorithm_1_in_persons(
    connection: duckdb.DuckDBPyConnection,
    data: tuple[oracle.Tree, list[oracle.Basket]],
    whose: list[int],
    k: int,
) -> None:
    tree, baskets = data
    whose = whose[: len(baskets)]
    found = searched(connection, tree, baskets, k, whose=whose)
    assert found == oracle.recoding(tree, baskets, k, whose)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 8))]
)
def test_greedy_is_algorithm_1_in_persons_on_more(
    connection: duckdb.DuckDBPyConnection, seed: int
) -> None:
    """Enough transactions for leftovers that must be filled, from several buckets."""
    tree, baskets = seeded(seed, 60 + 20 * seed)
    whose = [(tid * 7 + tid // 11) % (15 + 4 * seed) for tid in range(len(baskets))]
    for k in (2 + seed % 3, 7):
        expected = oracle.recoding(tree, baskets, k, whose)
        assert searched(connection, tree, baskets, k, whose=whose) == expected
        published = oracle.published(expected, len(baskets))
        assert all(len(one) >= k for one in oracle.persons_of(published, whose).values())


@pytest.mark.everywhere
@tried(2, 40, oracle.data(), WHOSE, st.integers(1, 4))
def test_refined_keeps_persons_and_loses_no_more(
    connection: duckdb.DuckDBPyConnection,
    data: tuple[oracle.Tree, list[oracle.Basket]],
    whose: list[int],
    k: int,
) -> None:
    tree, baskets = data
    full = [basket for basket in baskets if basket]
    whose = whose[: len(full)]
    greedy = oracle.recoding(tree, full, k, whose)
    found = refined(connection, tree, full, k, whose)
    assert found.keys() == greedy.keys()
    if len(set(whose)) >= k:
        assert holds(oracle.published(found, len(full)), whose, k)
    best = searched(connection, tree, full, k, refine=True, whose=whose)
    assert oracle.ncp(tree, best) == min(oracle.ncp(tree, one) for one in (found, greedy))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 8))]
)
@pytest.mark.parametrize("persons", [25, 60])
def test_refined_keeps_persons_on_more(
    connection: duckdb.DuckDBPyConnection, seed: int, persons: int
) -> None:
    tree, baskets = seeded(seed, 150)
    whose = [(tid * 13 + tid // 7) % persons for tid in range(len(baskets))]
    found = refined(connection, tree, baskets, 5, whose)
    assert holds(oracle.published(found, len(baskets)), whose, 5)
    greedy = oracle.recoding(tree, baskets, 5, whose)
    best = searched(connection, tree, baskets, 5, refine=True, whose=whose)
    assert oracle.ncp(tree, best) == min(oracle.ncp(tree, one) for one in (found, greedy))


@pytest.mark.few(1)
@pytest.mark.parametrize("refine", [False, True])
def test_one_transaction_per_person_is_the_search_of_transactions(
    connection: duckdb.DuckDBPyConnection, refine: bool
) -> None:
    for seed in range(3):
        tree, baskets = seeded(seed, 90)
        whose = [89 - tid for tid in range(90)]
        search = refined if refine else searched
        counted = search(connection, tree, baskets, 4, whose=whose)
        assert counted == search(connection, tree, baskets, 4)


def holds(sets: Sequence[frozenset[Any]], whose: Sequence[int], k: int) -> bool:
    return all(len(one) >= k for one in oracle.persons_of(sets, whose).values())


# The checker


def judge(
    connection: duckdb.DuckDBPyConnection,
    sets: list[frozenset[tuple[int, str]]],
    whose: Sequence[int],
    k: int,
    prime: int = 2,
) -> Verdict:
    rows = [(key, label, level) for key, held in enumerate(sets) for level, label in held] * 2
    rows += [(key, None, None) for key, held in enumerate(sets) if not held]
    with harness.prepared(
        connection,
        cells=("key INT, name VARCHAR, level INT", rows),
        owner=("key INT, person INT", list(enumerate(whose))),
    ) as session:
        cells, owners = exp.to_table("cells"), exp.to_table("owner")
        return check_k_anonymity(session, cells, owners=owners, k=k, levels=True, prime=prime)


@pytest.mark.everywhere
@tried(
    4,
    2000,
    st.lists(st.frozensets(st.tuples(st.integers(0, 1), st.sampled_from("ab"))), max_size=9),
    st.lists(st.integers(0, 3), min_size=9, max_size=9),
    st.integers(1, 4),
    st.sampled_from([2, 2_147_483_647]),
    unchecked=[HealthCheck.function_scoped_fixture],
)
def test_the_checker_counts_persons(
    connection: duckdb.DuckDBPyConnection,
    sets: list[frozenset[tuple[int, str]]],
    whose: list[int],
    k: int,
    prime: int,
) -> None:
    whose = whose[: len(sets)]
    found = judge(connection, sets, whose, k, prime)
    expected: dict[frozenset[tuple[int, str]], list[int]] = {}
    for held, person in zip(sets, whose, strict=True):
        expected.setdefault(held, []).append(person)
    small = {held: (len(p), len(set(p))) for held, p in expected.items() if len(set(p)) < k}
    assert (found.holds, found.found) == (not small, len(small))
    assert (found.persons, found.transactions) == (len(set(whose)), len(sets))
    assert found.fewest == min((len(set(p)) for p in expected.values()), default=0)
    shown = {frozenset(one.nodes): (one.transactions, one.persons) for one in found.violations}
    assert shown == small


def test_receipts_of_one_person_are_no_twins(connection: duckdb.DuckDBPyConnection) -> None:
    sets = [frozenset({(0, "a")})] * 5
    assert judge(connection, sets, [0, 1, 2, 3, 4], 5).holds
    verdict = judge(connection, sets, [0, 0, 0, 0, 1], 5)
    assert not verdict.holds
    assert "a class of 5 transactions of 2 persons" in str(verdict.refusal())


# Whole runs

Row = tuple[int, str, str]
PEOPLE = [
    (tid, f"i{(tid * 5 + n * n) % 7}", f"p{tid // 3 % 9}") for tid in range(40) for n in (0, 1, 2)
]


def written(path: Path, rows: Sequence[Row], *, lists: bool = False) -> Path:
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid INT, item VARCHAR, who VARCHAR)")
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", sorted(set(rows)))
        long = "SELECT tid, item, who FROM t"
        listed = "SELECT tid, LIST(item ORDER BY item) AS item, MIN(who) AS who FROM t GROUP BY tid"
        duck.execute(f"COPY ({listed if lists else long}) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.few(2)
@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("refine", [False, True])
def test_a_release_has_classes_of_k_persons(tmp_path: Path, lists: bool, refine: bool) -> None:
    path = written(tmp_path / "a.parquet", PEOPLE, lists=lists)
    with setveil.read(path, person="who") as baskets:
        release = setveil.k_anonymity(baskets, k=5, fanout=2, refine=refine)
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
        assert setveil.verify.k_anonymity(release, k=5).holds
        rows = release.rows()
    assert release.metrics.persons == 9 and release.metrics.fewest_persons >= 5
    whose = {tid: who for tid, _, who in PEOPLE}
    assert all(len(people) >= 5 for people in classes(rows, whose))
    with setveil.read(path) as baskets:
        alone = setveil.k_anonymity(baskets, k=5, fanout=2, refine=refine)
    assert alone.metrics.persons is None and alone.metrics.fewest_persons is None


def classes(rows: Sequence[tuple[object, ...]], whose: dict[int, str]) -> list[set[str]]:
    """The persons of each class of the rows, in long or LIST form."""
    held: dict[int, set[object]] = {}
    for tid, item, level in rows:
        nodes = zip(item, level, strict=True) if isinstance(item, list) else [(item, level)]
        held.setdefault(tid, set()).update(nodes)
    found: dict[frozenset[object], set[str]] = {}
    for tid, nodes in held.items():
        found.setdefault(frozenset(nodes), set()).add(whose[tid])
    return list(found.values())


@pytest.mark.everywhere
@tried(
    2,
    2000,
    owned.databases(),
    st.integers(1, 4),
    st.booleans(),
    unchecked=[HealthCheck.function_scoped_fixture],
)
def test_every_release_keeps_persons(
    connection: duckdb.DuckDBPyConnection, held: owned.Held, k: int, refine: bool
) -> None:
    """Both directions: a release has classes of k persons; a refusal has too few of a kind."""
    kinds = ([one for one in held if bool(one.items) == full] for full in (False, True))
    reachable = all(owned.persons(one) >= k for one in kinds if one)
    with owned.read(connection, held) as baskets:
        if not reachable:
            with pytest.raises(UnreachableError, match="person"):
                setveil.k_anonymity(baskets, k=k, fanout=2, refine=refine)
            return
        release = setveil.k_anonymity(baskets, k=k, fanout=2, refine=refine)
        rows = [(tid, items, levels) for tid, items, levels in release.rows()]
        given = [frozenset((0, name) for name in one.items) for one in held]
        verdict = setveil.verify.k_anonymity(baskets, k=k)
    whose = {tid: f"p{one.person}" for tid, one in enumerate(held)}
    assert all(len(people) >= k for people in classes(rows, whose))
    assert verdict.holds == holds(given, [one.person for one in held], k)


@pytest.mark.slow
def test_the_bytes_are_those_of_transactions_if_each_has_a_person(tmp_path: Path) -> None:
    rows = [(tid, item, f"p{99 - tid}") for tid, item, _ in PEOPLE]
    path = written(tmp_path / "a.parquet", rows)
    for refine in (False, True):
        made = []
        for person in (None, "who"):
            with setveil.read(path, person=person) as baskets:
                release = setveil.k_anonymity(baskets, k=5, fanout=2, refine=refine)
                made.append(tmp_path / f"{person}{refine}.parquet")
                release.write(made[-1])
        assert made[0].read_bytes() == made[1].read_bytes()


def test_too_few_persons_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", PEOPLE)
    with setveil.read(path, person="who") as baskets:
        with pytest.raises(UnreachableError, match="has 9 persons, fewer than k = 10"):
            setveil.k_anonymity(baskets, k=10, fanout=2)
    lists = tmp_path / "lists.parquet"
    duckdb.sql(
        "SELECT r.range AS tid, CASE WHEN r.range < 3 THEN [] ELSE ['a'] END AS item, "
        "CASE WHEN r.range < 3 THEN 'empty' ELSE 'p' || r.range END AS who FROM RANGE(9) AS r"
    ).write_parquet(str(lists))
    with setveil.read(lists, person="who") as baskets:
        with pytest.raises(UnreachableError, match="1 person of transactions without items"):
            setveil.k_anonymity(baskets, k=2, fanout=2)
    with setveil.read(lists) as baskets:
        assert setveil.k_anonymity(baskets, k=2, fanout=2).verdict.holds


def test_a_release_that_holds_in_persons_stays(tmp_path: Path) -> None:
    """A column `level` makes a source a release, which then is published with no person."""
    rows = [(tid, "a", 0, f"p{tid % 4}") for tid in range(8)]
    path = tmp_path / "a.parquet"
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid INT, item VARCHAR, level INT, who VARCHAR)")
        duck.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
        duck.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    with setveil.read(path, person="who") as baskets:
        release = setveil.k_anonymity(baskets, k=4, fanout=2)
        assert release.metrics.unchanged and release.metrics.fewest_persons == 4
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
        columns = duckdb.sql(f"FROM '{tmp_path / 'b.parquet'}'").columns  # noqa: S608
        assert columns == ["tid", "item", "level"]
        with pytest.raises(setveil.InputError, match="not 5-anonymous in persons"):
            setveil.k_anonymity(baskets, k=5, fanout=2)


# The commands


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, made = str(written(tmp_path / "a.parquet", PEOPLE)), str(tmp_path / "b.parquet")
    options = ["--k", "5", "--fanout", "2", "--person", "who"]
    assert run(["k-anonymity", source, *options, "--out", made, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["metrics"]["persons"] == 9 and told["metrics"]["fewest_persons"] >= 5
    assert run(["k-anonymity", source, *options]) == 0
    printed = capsys.readouterr().out
    assert "persons" in printed and "k = 5 persons" in printed
    of_source = ["--persons-of", source, "--person", "who"]
    assert run(["verify", "k-anonymity", made, "--k", "5", *of_source, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["persons"] == 9
    assert run(["verify", "k-anonymity", made, "--k", "9", *of_source]) == 1
    assert "persons" in capsys.readouterr().out
    with setveil.read(source) as baskets:
        setveil.k_anonymity(baskets, k=5, fanout=2).write(tmp_path / "c.parquet")
    assert run(["verify", "k-anonymity", str(tmp_path / "c.parquet"), "--k", "5"]) == 0
    assert run(["verify", "k-anonymity", str(tmp_path / "c.parquet"), "--k", "5", *of_source]) == 1
    assert "persons" in capsys.readouterr().out
    assert run(["k-anonymity", source, "--k", "10", "--fanout", "2", "--person", "who"]) == 3
    for refine in ([], ["--refine"]):
        assert run(["k-anonymity", source, *options, *refine, "--explain"]) == 0
        assert "COUNT(*) AS persons" in capsys.readouterr().out
