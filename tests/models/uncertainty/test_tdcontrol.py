"""Generalization with suppression: the rules over published nodes, every subset of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings

import setveil
from oracles_uncertainty import Itemset, unsafe_rules
from setveil.cli.main import run
from uncertain import baskets_of, seeded, shares, table, written

SECRET = frozenset({0, 1, 5})


def tree(connection: duckdb.DuckDBPyConnection, held: list[Itemset]) -> None:
    """Items 2 to 6 below two groups; sensitive ones among them."""
    items = sorted(frozenset().union(*held))
    connection.execute("CREATE OR REPLACE TABLE tree (item INTEGER, level1 VARCHAR)")
    rows = [(item, "low" if item < 4 else "high") for item in items]
    if rows:
        connection.executemany("INSERT INTO tree VALUES ($1, $2)", rows)


def published(
    connection: duckdb.DuckDBPyConnection,
    held: list[Itemset],
    rho: Fraction,
    **options: object,
) -> tuple[list[frozenset[tuple[int, str]]], setveil.NodesMetrics]:
    """The nodes (level, label) of each transaction."""
    table(connection, held)
    tree(connection, held)
    with setveil.read(connection, "held") as baskets:
        given = {"sensitive": sorted(SECRET), "rho": rho, "ignore_unknown": True} | options
        release = setveil.uncertainty(baskets, method="tdcontrol", hierarchy="tree", **given)
        left: list[set[tuple[int, str]]] = [set() for _ in held]
        for tid, label, level in release.rows():
            left[tid].add((int(level), str(label)))
        return [frozenset(one) for one in left], release.metrics


@settings(max_examples=3, deadline=None)
@given(held=baskets_of.filter(len), rho=shares)
def test_no_rule_over_nodes_is_unsafe(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction
) -> None:
    no_rule_over_nodes_is_unsafe(connection, held, rho)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(held=baskets_of.filter(len), rho=shares)
def test_no_rule_over_nodes_is_unsafe_of_many(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction
) -> None:
    no_rule_over_nodes_is_unsafe(connection, held, rho)


def no_rule_over_nodes_is_unsafe(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction
) -> None:
    """Sensitive items are as they are or gone everywhere; all others are under one node each."""
    left, metrics = published(connection, held, rho)
    nodes = sorted(frozenset().union(*left))
    numbered = [frozenset(map(nodes.index, one)) for one in left]
    secrets = [n for n, node in enumerate(nodes) if node in {(0, str(one)) for one in SECRET}]
    assert not unsafe_rules(numbered, secrets, rho)
    for item in frozenset().union(*held):
        above = {(0, str(item)), (1, "low" if item < 4 else "high"), (2, "*")}
        under = [one & above for one, basket in zip(left, held, strict=True) if item in basket]
        if item in SECRET:
            kept = [(0, str(item)) in one for one in under]
            assert all(kept) or not any(kept)
        else:
            assert all(under), "an item that is not sensitive is never suppressed"
    if not unsafe_rules(held, SECRET, rho):
        assert metrics.suppressed_items == metrics.generalized_items == 0


def test_a_node_is_closed_where_that_costs_less(connection: duckdb.DuckDBPyConnection) -> None:
    """Two rare items that give the secret away stay under their node; the frequent ones too."""
    held = [frozenset({0, 2}), frozenset({3})]
    held += [frozenset({0, 4}), frozenset({4}), frozenset({4})] * 20
    left, metrics = published(connection, held, Fraction(1, 2))
    assert metrics.suppressed_items == 0
    assert left[0] == {(0, "0"), (1, "low")}
    assert left[1] == {(1, "low")}
    assert left[2] == {(0, "0"), (0, "4")}


@pytest.mark.everywhere
def test_persons(connection: duckdb.DuckDBPyConnection) -> None:
    """The one person with a secret beside item 2 has another transaction with it."""
    rows = "(0, 2, 0), (0, 0, 0), (1, 2, 0), (2, 4, 1), (3, 4, 2), (3, 0, 2)"
    connection.execute(
        f"CREATE OR REPLACE TABLE held AS SELECT * FROM (VALUES {rows}) AS t (tid, item, who)"  # noqa: S608
    )
    tree(connection, [frozenset({0, 2, 4})])
    gone = {}
    for person in (None, "who"):
        with setveil.read(connection, "held", person=person) as baskets:
            options: dict[str, object] = {"sensitive": [0], "rho": "0.5", "hierarchy": "tree"}
            release = setveil.uncertainty(baskets, method="tdcontrol", **options)
            gone[person] = (release.metrics.suppressed_items, release.metrics.generalized_items)
    assert gone[None] == (0, 0)
    assert gone["who"] != (0, 0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, seeded(17, 60, longest=4))
    told = ["--sensitive", "where:name % 5 = 0", "--rho", "0.5"]
    how = ["--method", "tdcontrol", "--fanout", "3"]
    assert run(["uncertainty", str(source), *told, *how, "--explain"]) == 0
    assert "CREATE TABLE recoded_item" in capsys.readouterr().out
    out, trail = tmp_path / "b.parquet", tmp_path / "b.sql"
    made = [*told, *how, "--json", "--out", str(out), "--trail", str(trail)]
    assert run(["uncertainty", str(source), *made]) == 0
    assert '"ncp"' in capsys.readouterr().out
    assert setveil.replay(trail, release=out).same
    (tmp_path / "s.txt").write_text("0\n5\n10\n", encoding="utf-8")
    secret = ["--sensitive", str(tmp_path / "s.txt"), "--rho", "0.5", "--ignore-unknown"]
    assert run(["verify", "uncertainty", str(out), "--level", "level", *secret]) == 0
    capsys.readouterr()
    assert run(["uncertainty", str(source), *told, "--method", "tdcontrol"]) == 2
    assert run(["uncertainty", str(source), *told, "--fanout", "3"]) == 2
    assert "tdcontrol" in capsys.readouterr().err


def test_the_checker_judges_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A node that gives a secret away is found; a node called as a secret is no secret."""
    path, secret = tmp_path / "a.csv", tmp_path / "s.txt"
    secret.write_text("s\n", encoding="utf-8")
    path.write_text("tid,item,level\n1,s,0\n1,drink,1\n2,t,0\n2,drink,1\n3,s,2\n", encoding="utf-8")
    told = ["--sensitive", str(secret), "--level", "level", "--rho"]
    assert run(["verify", "uncertainty", str(path), *told, "0.5"]) == 0
    capsys.readouterr()
    assert run(["verify", "uncertainty", str(path), *told, "0.4"]) == 1
    assert "drink (level 1) -> s" in capsys.readouterr().out


def test_a_sweep_of_methods_uses_the_tree_where_there_are_nodes(tmp_path: Path) -> None:
    source = written(tmp_path, seeded(17, 40, longest=3))
    grid: dict[str, list[object]] = {"method": ["partial", "tdcontrol"], "rho": ["0.5"]}
    with setveil.read(source) as baskets:
        found = setveil.sweep(baskets, "uncertainty", grid, sensitive=[0, 5], fanout=3)
    assert [one.refused for one in found.points] == [None, None]
