"""The checker of k-anonymity against definition 2, and `verify k-anonymity` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

import harness
import oracles_partition as oracle
import setveil
from runs import parquet
from setveil.cli.main import run
from setveil.errors import CheckError, InputError, UnreachableError
from setveil.models.k_anonymity.check import Verdict, check_k_anonymity

Node = tuple[int, str]
NODES = st.tuples(st.integers(0, 2), st.sampled_from("abc"))
QUICK = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def judge(
    connection: duckdb.DuckDBPyConnection,
    sets: list[frozenset[Node]],
    k: int,
    *,
    levels: bool = True,
    **options: int,
) -> Verdict:
    rows = [(key, label, level) for key, held in enumerate(sets) for level, label in held] * 2
    rows += [(key, None, None) for key, held in enumerate(sets) if not held]
    cells = ("key INT, name VARCHAR, level INT", rows)
    with harness.prepared(connection, cells=cells) as session:
        return check_k_anonymity(session, exp.to_table("cells"), k=k, levels=levels, **options)


@QUICK
@given(
    st.lists(st.frozensets(NODES, max_size=4), max_size=9),
    st.integers(1, 4),
    st.sampled_from([1, 2, 3, 2_147_483_647]),
    st.booleans(),
)
def test_definition_2(
    connection: duckdb.DuckDBPyConnection,
    sets: list[frozenset[Node]],
    k: int,
    prime: int,
    levels: bool,
) -> None:
    """Whatever the sums say: with a small prime they say the same of nearly all."""
    found = judge(connection, sets, k, levels=levels, prime=prime)
    if not levels:
        sets = [frozenset((0, label) for _, label in held) for held in sets]
    expected = oracle.classes(sets)
    small = {held: size for held, size in expected.items() if size < k}
    assert found.holds == (not small) and found.found == len(small)
    assert (found.checked, found.transactions) == (len(expected), len(sets))
    assert found.smallest == min(expected.values(), default=0)
    assert found.discernibility == sum(size**2 for size in expected.values())
    shown = {frozenset(one.nodes): one.transactions for one in found.violations}
    assert shown == small and len(found.violations) == len(small)


@pytest.mark.everywhere
def test_table_1(connection: duckdb.DuckDBPyConnection) -> None:
    """As it is, it is not 2-anonymous; generalized, it is."""
    table_1 = [["Beer", "Diapers"], ["Wine", "Diapers", "Test"], ["Beer", "Wine", "Test"]]
    table_1.append(["Beer", "Wine", "Diapers", "Test"])
    given = [frozenset((0, item) for item in items) for items in table_1]
    assert judge(connection, given, 2).found == 4
    above, care = {(1, "Alcohol"), (1, "Care")}, {(0, "Beer"), (0, "Wine"), (1, "Care")}
    assert judge(connection, [frozenset(one) for one in (above, above, care, care)], 2).holds


def test_labels_repeat_on_other_levels(connection: duckdb.DuckDBPyConnection) -> None:
    sets = [frozenset({(0, "Bread")}), frozenset({(1, "Bread")})]
    assert not judge(connection, sets, 2).holds
    assert judge(connection, sets, 2, levels=False).holds


def test_those_who_have_nothing_are_a_class(connection: duckdb.DuckDBPyConnection) -> None:
    sets = [frozenset({(0, "a")})] * 2 + [frozenset()]
    verdict = judge(connection, sets, 2)
    assert [(one.nodes, one.transactions) for one in verdict.violations] == [((), 1)]
    assert isinstance(verdict.refusal(), UnreachableError)
    assert judge(connection, [*sets, frozenset()], 2).holds


def test_a_refused_release_is_a_defect(connection: duckdb.DuckDBPyConnection) -> None:
    verdict = judge(connection, [frozenset({(0, "a")})], 2)
    assert isinstance(verdict.refusal(), CheckError)


def test_k_below_one_is_no_promise(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(InputError, match="at least 1"):
        judge(connection, [], 0)


# The command


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rows = "SELECT i % 8 AS tid, 'x' || (i * 5 % 8 // (1 + i % 3)) AS item FROM RANGE(24) t(i)"
    parquet(tmp_path / "a.parquet", f"SELECT DISTINCT * FROM ({rows})")  # noqa: S608
    return tmp_path


@pytest.mark.few(1)
@pytest.mark.parametrize("refine", [[], ["--refine"]], ids=["greedy", "refined"])
def test_partition_and_verify(
    files: Path, capsys: pytest.CaptureFixture[str], refine: list[str]
) -> None:
    source, made = str(files / "a.parquet"), str(files / "b.parquet")
    options = ["--k", "4", "--fanout", "2"]
    trail = str(files / "b.sql")
    assert (
        run(["k-anonymity", source, *options, "--out", made, "--json", "--trail", trail, *refine])
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["guarantee"] == {"model": "k-anonymity", "holds": True}
    assert 0 < told["metrics"]["ncp"] <= 1 and told["metrics"]["smallest_partition"] >= 4
    against = ["--original", source, "--fanout", "2"]
    assert run(["verify", "k-anonymity", made, "--k", "4", *against]) == 0
    assert "every node stands for items of the original" in capsys.readouterr().out
    assert run(["verify", "k-anonymity", source, "--k", "4"]) == 1
    assert "does not hold" in capsys.readouterr().out
    assert run(["verify", "k-anonymity", made, "--k", "9"]) == 1  # of 8 transactions
    assert run(["k-anonymity", source, "--k", "9", "--fanout", "2", "--out", made, "--force"]) == 3
    assert run(["replay", trail]) == 0


def test_explained_and_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(files / "a.parquet")
    for refine in ([], ["--refine"]):
        assert run(["k-anonymity", source, "--k", "4", "--fanout", "2", "--explain", *refine]) == 0
        assert "CREATE TABLE recoded AS" in capsys.readouterr().out
        assert run(["k-anonymity", source, "--k", "4", "--fanout", "2", *refine]) == 0
        assert "penalty of generalization (NCP)" in capsys.readouterr().out
    assert run(["verify", "k-anonymity", source, "--k", "4", "--explain"]) == 0
    assert "CREATE TABLE check_class AS" in capsys.readouterr().out


def test_a_hostile_name_is_a_name(tmp_path: Path) -> None:
    names = ["o'brien", 'a"b', "x); DROP TABLE t; --", " ", "😀", "two\nlines", "$1", "*", "NULL"]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INT, item VARCHAR)")
        rows = [(tid, names[(tid // 2 + n) % 9]) for tid in range(18) for n in range(1 + tid % 3)]
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        with setveil.read(connection, "t") as baskets:
            release = setveil.k_anonymity(baskets, k=3, fanout=3, refine=True)
            assert setveil.verify.k_anonymity(release, k=3).holds
            with setveil.read(connection, "t") as before:
                assert setveil.verify.cover(release, before, fanout=3).holds
            kept = {name for _, name, level in release.rows() if level == 0}
    assert kept <= set(names)
