"""Partition against the paper's method in plain Python, and whole runs by the definition."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_partition as oracle
import setveil
from examples import tried
from partitions import prepared, run, seeded
from runs import parquet, read_parquet
from setveil.errors import InputError, UnreachableError
from setveil.models.k_anonymity.anonymize import k_anonymity
from setveil.models.k_anonymity.partition import recode


@tried(3, 15, oracle.data(), st.integers(1, 4))
def test_greedy_is_algorithm_1(
    connection: duckdb.DuckDBPyConnection,
    data: tuple[oracle.Tree, list[oracle.Basket]],
    k: int,
) -> None:
    tree, baskets = data
    assert run(connection, tree, baskets, k) == oracle.recoding(tree, baskets, k)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 6))]
)
def test_greedy_is_algorithm_1_on_more(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Enough transactions for leftovers that must be filled, from several buckets."""
    tree, baskets = seeded(seed, 60 + 20 * seed)
    for k in (2 + seed % 3, 7):
        assert run(connection, tree, baskets, k) == oracle.recoding(tree, baskets, k)


@tried(3, 15, oracle.data(), st.integers(1, 4))
def test_refined_keeps_the_promise_and_loses_no_more(
    connection: duckdb.DuckDBPyConnection,
    data: tuple[oracle.Tree, list[oracle.Basket]],
    k: int,
) -> None:
    tree, baskets = data
    full = [basket for basket in baskets if basket]
    found = run(connection, tree, full, k, refine=True)
    assert found.keys() == oracle.recoding(tree, full, k).keys()
    assert all(node in tree.paths[item] for (_, item), node in found.items())
    if len(full) >= k:
        assert oracle.k_anonymous(oracle.published(found, len(full)), k)
    assert oracle.ncp(tree, found) <= oracle.ncp(tree, oracle.recoding(tree, full, k))


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4))]
)
def test_refined_loses_less_on_more(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    tree, baskets = seeded(seed, 150)
    greedy, refined = (run(connection, tree, baskets, 5, refine=one) for one in (False, True))
    assert oracle.k_anonymous(oracle.published(refined, len(baskets)), 5)
    assert oracle.ncp(tree, refined) <= oracle.ncp(tree, greedy)


def test_many_children_are_told_apart(connection: duckdb.DuckDBPyConnection) -> None:
    """More than a BIGINT has bits."""
    tree = oracle.tree([["a"] for _ in range(70)] + [["b"]])
    baskets = [frozenset({n % 3, 60 + n % 5}) for n in range(40)] + [frozenset({70, 69})] * 2
    assert run(connection, tree, baskets, 3) == oracle.recoding(tree, baskets, 3)


# Whole runs

HIERARCHY = (
    "SELECT * FROM (VALUES ('Beer', 'Alcohol'), ('Wine', 'Alcohol'), ('Diapers', 'Health Care'), "
    "('Pregnancy Test', 'Health Care')) AS v(item, level1)"
)
LONG = """
    SELECT tid, UNNEST(items) AS item FROM (VALUES
        (1, ['Beer', 'Diapers']), (2, ['Wine', 'Diapers', 'Pregnancy Test']),
        (3, ['Beer', 'Wine', 'Pregnancy Test']),
        (4, ['Beer', 'Wine', 'Diapers', 'Pregnancy Test'])
    ) AS v(tid, items)
"""
NOTHING = " UNION ALL SELECT 5 + i, [] FROM RANGE(2) t(i)"
LISTS = f"SELECT tid, LIST(item ORDER BY item) AS item FROM ({LONG}) GROUP BY tid"  # noqa: S608


@pytest.fixture
def hierarchy(tmp_path: Path) -> Path:
    return parquet(tmp_path / "hierarchy.parquet", HIERARCHY)


def test_a_release_in_long_form(tmp_path: Path, hierarchy: Path) -> None:
    path = parquet(tmp_path / "a.parquet", LONG)
    with setveil.read(path) as baskets:
        release = k_anonymity(baskets, k=2, hierarchy=hierarchy)
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
    rows = read_parquet(tmp_path / "b.parquet")
    assert rows == [
        (1, "Alcohol", 1), (1, "Health Care", 1), (2, "Alcohol", 1), (2, "Health Care", 1),
        (3, "Beer", 0), (3, "Wine", 0), (3, "Health Care", 1),
        (4, "Beer", 0), (4, "Wine", 0), (4, "Health Care", 1),
    ]  # fmt: skip
    assert release.metrics.ncp == pytest.approx(1 / 3, abs=1e-12)
    assert (release.metrics.partitions, release.metrics.discernibility) == (2, 8)
    assert setveil.replay(tmp_path / "b.sql").same


def test_a_release_in_list_form(tmp_path: Path, hierarchy: Path) -> None:
    path = parquet(tmp_path / "a.parquet", LISTS + NOTHING)
    with setveil.read(path) as baskets:
        release = k_anonymity(baskets, k=2, hierarchy=hierarchy)
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
    rows = read_parquet(tmp_path / "b.parquet")
    assert rows[0] == (1, ["Alcohol", "Health Care"], [1, 1])
    assert rows[2] == (3, ["Beer", "Wine", "Health Care"], [0, 0, 1])
    assert rows[4:] == [(5, [], []), (6, [], [])]
    assert release.metrics.partitions == 3
    assert setveil.replay(tmp_path / "b.sql").same


@pytest.mark.few(2)
@pytest.mark.parametrize("query", [LONG, LISTS], ids=["long", "lists"])
@pytest.mark.parametrize("refine", [False, True])
def test_a_release_fed_back_stays(
    tmp_path: Path, hierarchy: Path, query: str, refine: bool
) -> None:
    path = parquet(tmp_path / "a.parquet", query)
    first, second = tmp_path / "b.parquet", tmp_path / "c.parquet"
    with setveil.read(path) as baskets:
        k_anonymity(baskets, k=2, hierarchy=hierarchy, refine=refine).write(first)
    with setveil.read(first) as baskets:
        release = k_anonymity(baskets, k=2, hierarchy=hierarchy)
        release.write(second, trail=tmp_path / "c.sql")
        assert release.metrics.unchanged and release.metrics.ncp == 0
        with pytest.raises(InputError, match="start from the original data"):
            k_anonymity(baskets, k=3, hierarchy=hierarchy)
    assert first.read_bytes() == second.read_bytes()
    assert setveil.replay(tmp_path / "c.sql").same


def test_what_is_k_anonymous_stays_as_it_is(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "a.parquet", "SELECT i % 6 AS tid, i // 6 AS item FROM RANGE(18) t(i)"
    )
    with setveil.read(path) as baskets:
        release = k_anonymity(baskets, k=3, fanout=2)
        assert release.metrics.ncp == 0 and release.metrics.generalized_occurrences == 0


@pytest.mark.parametrize(
    ("query", "k", "told"),
    [
        (LISTS, 5, "4 transactions, fewer than k = 5: .*; lower k$"),
        (LISTS + " UNION ALL SELECT 5, []", 2, "1 transaction without items, fewer than k = 2"),
        (
            LISTS + NOTHING.replace("RANGE(2)", "RANGE(9)"),
            5,
            "4 transactions with items, fewer than k = 5",
        ),
    ],
)
def test_what_cannot_be_reached(tmp_path: Path, query: str, k: int, told: str) -> None:
    path = parquet(tmp_path / "a.parquet", query)
    with setveil.read(path) as baskets, pytest.raises(UnreachableError, match=told):
        k_anonymity(baskets, k=k, fanout=2)


def test_k_below_one_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", LONG)
    with setveil.read(path) as baskets, pytest.raises(InputError, match="k is a whole number"):
        k_anonymity(baskets, k=0, fanout=2)


def test_nothing_at_all(tmp_path: Path, hierarchy: Path) -> None:
    path = parquet(tmp_path / "a.parquet", f"SELECT * FROM ({LONG}) WHERE false")  # noqa: S608
    with setveil.read(path) as baskets:
        assert k_anonymity(baskets, k=2, hierarchy=hierarchy).metrics.partitions == 0


@pytest.mark.slow
@pytest.mark.parametrize("refine", [False, True])
def test_the_same_bytes_for_any_threads(tmp_path: Path, refine: bool) -> None:
    path = parquet(
        tmp_path / "a.parquet",
        "SELECT DISTINCT i // 5 AS tid, 'item ' || (i * i * 7919 % 41) AS item "
        "FROM RANGE(3000) t(i) ORDER BY ALL",
    )
    made = set()
    for threads in (1, 2, 4):
        out = tmp_path / f"{threads}.parquet"
        with setveil.read(path, threads=threads) as baskets:
            k_anonymity(baskets, k=4, fanout=3, refine=refine).write(out)
        made.add(out.read_bytes())
    assert len(made) == 1


def test_statements_per_round_do_not_grow(tmp_path: Path) -> None:
    query = "SELECT DISTINCT i // 5 AS tid, i * i * 7919 % 41 AS item FROM RANGE({}) t(i)"
    counts = []
    for rows in (500, 1500):
        path = parquet(tmp_path / f"{rows}.parquet", query.format(rows))
        with setveil.read(path) as baskets:
            rounds = k_anonymity(baskets, k=4, fanout=3).metrics.rounds
            counts.append((len(baskets.session.statements), rounds))
    (few, rounds), (many, more) = counts
    assert many - few == 7 * (more - rounds)


def test_gains_of_the_paper(connection: duckdb.DuckDBPyConnection) -> None:
    """Example 2, step by step: partitions, nodes picked, gains, and the leftover."""
    tree, baskets = example_2()
    a, b, root = 4, 5, 6
    with prepared(connection, tree, baskets) as session:
        recode(session, 2, refine=False)
        ask = session.backend.rows
        nodes = dict(ask("branch", "SELECT branch, node FROM branch"))
        assert nodes == {0: a, 1: b, 2: root}
        picked = "SELECT branch, gain FROM picked_{} ORDER BY branch, gain"
        assert [(nodes[n], gain) for n, gain in ask("picked", picked.format(1))] == [(root, 34)]
        sizes = "SELECT COUNT(DISTINCT tid) FROM open_2 GROUP BY part ORDER BY 1"
        assert ask("open", sizes) == [(2,), (2,), (3,)]
        # P{A}: A; P{B}: B; P{A, B} has three, fewer than 2k: both are tried, and do not meddle
        second = "SELECT branch, gain, whole FROM picked_2 ORDER BY branch, gain"
        found = [(nodes[n], gain, whole) for n, gain, whole in ask("picked", second)]
        assert found == [(a, 6, 1), (a, 12, 1), (b, 8, 1), (b, 8, 1)]
        closed = ask("closed", "SELECT tid, branch, round FROM closed ORDER BY tid, branch, round")
        assert [(tid + 1, nodes[n], number) for tid, n, number in closed] == [
            (1, a, 2), (2, a, 2), (5, b, 2), (6, b, 2), (7, b, 2),
        ]  # fmt: skip
        rows = ask("recoded", "SELECT tid, item, node FROM recoded")
    published = oracle.published({(tid, item): node for tid, item, node in rows}, 7)
    assert published == [{a}, {a}, {2, 3}, {2, 3}, {0, 1, b}, {0, 1, b}, {0, 1, b}]


def test_gains_of_the_paper_in_the_algorithm() -> None:
    """The figures of Example 2: 3/17 for A and 2/17 for B, once the divisor is the paper's."""
    tree, baskets = example_2()
    cut = {(tid, item): 4 if item < 2 else 5 for tid in (4, 5, 6) for item in baskets[tid]}
    partition_ab = oracle.Partition([4, 5, 6], cut)
    assert partition_ab.gain(tree, 4) / 17 == Fraction(3, 17)
    assert partition_ab.gain(tree, 5) / 17 == Fraction(2, 17)


def example_2() -> tuple[oracle.Tree, list[oracle.Basket]]:
    tree = oracle.tree([["A"], ["A"], ["B"], ["B"]])
    sets = [{0}, {0, 1}, {2, 3}, {2, 3}, {0, 1, 3}, {0, 1, 3}, {0, 1, 2, 3}]
    return tree, [frozenset(one) for one in sets]


def test_proposition_1() -> None:
    """k-anonymity is k^m-anonymity for all m; Example 1 with T5 is 2^m- but not 2-anonymous."""
    beer, wine, diapers, test = range(4)
    table_1 = [{beer, diapers}, {wine, diapers, test}, {beer, wine, test}, {0, 1, 2, 3}]
    sets = [frozenset(one) for one in table_1]
    assert oracle.km_anonymous(sets, 2, 2) and not oracle.k_anonymous(sets, 2)
    assert not oracle.km_anonymous(sets, 2, 3)
    longer = [*sets, sets[3]]
    assert oracle.km_anonymous(longer, 2, 4) and not oracle.k_anonymous(longer, 2)
    twins = sets * 2
    assert oracle.k_anonymous(twins, 2) and oracle.km_anonymous(twins, 2, 4)
