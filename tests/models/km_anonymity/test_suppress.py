"""k^m-anonymity with suppressed items, against its definition over every choice of nodes."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_generalize as choices
import oracles_km as oracle
import setveil
from examples import tried
from setveil import verify
from setveil.cli.main import run
from setveil.errors import UnreachableError

asked = (
    oracle.cases(),
    st.integers(1, 4),
    st.sampled_from([1, 2, 3, "max"]),
    st.none() | st.lists(st.integers(0, 3), min_size=9, max_size=9),
)


@tried(2, 60, *asked)
def test_no_choice_loses_less(connection, case, k, m, whose):
    judge(connection, case, k, m, whose)


@pytest.mark.everywhere
def test_an_outlier_goes_in_every_database(connection):
    """The item f is in one transaction: without it, all others are published as they are."""
    ways = {item: ((0, item), (1, "a" if item in "abc" else "o'brien"), (oracle.TOP, "*"))
            for item in oracle.ITEMS}  # fmt: skip
    case = oracle.Case(tuple(map(frozenset, ["ab", "ab", "de", "de", "abf", "ab"])), ways)
    held = judge(connection, case, 2, 2, None)
    assert {node for nodes in held for node in nodes} == {(0, item) for item in "abde"}
    judge(connection, case, 2, "max", [0, 1, 2, 3, 0, 2])


def judge(connection, case, k, m, whose):
    """No set of nodes is held by too few, and no choice of nodes and items loses less."""
    size = len(oracle.ITEMS) if m == "max" else m
    known, persons = frozenset(case.items), range(len(case.baskets))
    if whose is not None:
        persons = whose[: len(case.baskets)]
    alone = oracle.least(case, k, size, persons)
    with oracle.make(connection, case, whose) as baskets:
        ask = {"k": k, "m": m, "hierarchy": "tree"}
        if alone is None:
            with pytest.raises(UnreachableError):
                setveil.km_anonymity(baskets, suppress=True, **ask)
            return None
        release = setveil.km_anonymity(baskets, suppress=True, **ask)
        held = [frozenset(zip(levels, items, strict=True)) for _, items, levels in release.rows()]
        again = verify.km_anonymity(release, k=k, m=m)
    metrics, choice = release.metrics, frozenset().union(*held)
    assert again.holds and not oracle.violations(held, k, size, persons)
    assert held == choices.published(case, choice, known)
    least = choices.least(case, known, frozenset(), Fraction(1), k, size, persons, "ncp")
    assert least <= metrics.ncp + 1e-9 and metrics.ncp <= alone + 1e-9
    assert metrics.bound <= least + 1e-9
    if choice:  # else one node is published that loses as much
        assert metrics.ncp == pytest.approx(least, abs=1e-9) and metrics.gap == 0
        assert metrics.ncp == pytest.approx(choices.losses(case, choice, known)["ncp"], abs=1e-9)
    paths = [[node for node in case.ways[item] if node in choice] for item in case.items]
    assert all(len(path) <= 1 for path in paths)
    assert metrics.suppressed_items == sum(not path for path in paths)
    emptied = [n for n, nodes in enumerate(held) if case.baskets[n] and not nodes]
    assert metrics.emptied_transactions == len(emptied)
    return held


def test_the_command(tmp_path, monkeypatch, capsys):
    """The output names suppressed items, and the original agrees; an item beside its node fails."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as local:
        local.execute("CREATE TABLE t (tid INTEGER, item VARCHAR)")
        held = [(tid, item) for tid in range(6) for item in ("tea" if tid % 2 else "rum", "ale")]
        local.executemany("INSERT INTO t VALUES (?, ?)", [*held, (6, "ale"), (6, "gin")])
        local.sql("FROM t").write_parquet("t.parquet")
    Path("tree.csv").write_text("item,level1\ntea,dry\nrum,wet\nale,wet\ngin,dry\n")
    line = "km-anonymity t.parquet --k 3 --m 2 --hierarchy tree.csv --out r.parquet".split()
    assert run(line) == 0
    alone = capsys.readouterr().out
    assert run([*line, "--suppress", "--force"]) == 0
    told = capsys.readouterr().out
    assert "  suppressed  " in told and "  suppressed  " not in alone
    assert "no other choice of nodes and items loses less" in told
    verify_line = "verify km-anonymity r.parquet --k 3 --m 2 --original t.parquet --json".split()
    assert run([*verify_line, "--hierarchy", "tree.csv"]) == 0
    assert json.loads(capsys.readouterr().out)["cover"]["holds"]
    with duckdb.connect() as local:  # `gin` of one transaction goes, the node above it stays
        local.sql(
            "SELECT tid, CASE WHEN item IN ('tea', 'gin') THEN 'dry' ELSE item END AS item, "
            "CASE WHEN item IN ('tea', 'gin') THEN 1 ELSE 0 END AS level "
            "FROM 't.parquet' WHERE item <> 'gin'"
        ).write_parquet("r.parquet")
    assert run([*verify_line, "--hierarchy", "tree.csv"]) == 1
    assert json.loads(capsys.readouterr().out)["cover"]["uncovered"] == 1
