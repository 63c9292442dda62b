"""Apriori anonymization against a plain search over every set of nodes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

import oracles_apriori as oracle
import oracles_km
import setveil
from calls import shop
from examples import tried
from setveil import verify
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError

WHOSE = st.none() | st.lists(st.integers(0, 3), min_size=9, max_size=9)
WAYS = {"a": "xu", "b": "xu", "c": "yu", "d": " v", "e": "zv", "f": "zv"}
WIDE = {
    item: ((0, item), *((n, label) for n, label in enumerate(way, 1) if label != " "), (4, "*"))
    for item, way in WAYS.items()
}


@tried(3, 60, oracles_km.cases(), st.integers(1, 4), st.integers(1, 3), WHOSE)
def test_step_by_step(connection, case, k, m, owners):
    check(connection, case, k, m, owners)


@tried(1, 30, st.randoms(use_true_random=False), st.integers(2, 4), st.integers(2, 3))
def test_longer_transactions(connection, random, k, m):
    """Many sets are rare, so that the order and the least loss decide."""
    sets = [
        frozenset(item for item in oracles_km.ITEMS if random.random() < 0.5) for _ in range(14)
    ]
    check(connection, oracles_km.Case(tuple(sets), WIDE), k, m, None)


@pytest.mark.everywhere
def test_transactions_and_persons(connection):
    """One example of all that the queries tell apart, in every database."""
    sets = ["abd", "abd", "acd", "bcde", "abde", "cdf", "ef", "ade", "bdf"]
    case = oracles_km.Case(tuple(map(frozenset, sets)), WIDE)
    check(connection, case, 2, 3, None)
    check(connection, case, 2, 2, [0, 1, 2, 0, 1, 2, 3, 3, 2])


def check(connection, case, k, m, owners):
    """Each item is published as the node of the plain search, and the release is k^m-anonymous."""
    whose = range(len(case.baskets)) if owners is None else owners
    expected = oracle.apriori(case, k, m, whose)
    with oracles_km.make(connection, case, owners) as baskets:
        if expected is None:
            with pytest.raises(UnreachableError):
                setveil.km_anonymity(baskets, k=k, m=m, method="apriori", hierarchy="tree")
            return
        release = setveil.km_anonymity(baskets, k=k, m=m, method="apriori", hierarchy="tree")
        held = [frozenset(zip(levels, items, strict=True)) for _, items, levels in release.rows()]
        assert verify.km_anonymity(release, k=k, m=m).holds
        least = setveil.km_anonymity(baskets, k=k, m=m, hierarchy="tree").metrics.ncp
    assert held == [frozenset(expected[item] for item in basket) for basket in case.baskets]
    assert not oracles_km.violations(held, k, m, whose)
    assert release.metrics.ncp >= least - 1e-12
    if case.items:
        assert release.metrics.bound is None and release.metrics.gap is None


def test_any_size_is_every_size(connection):
    """With m = max, sets of up to the longest transaction are repaired."""
    sets = ["abcdef", "abcde", "abcdf", "abef", "abcdef", "ad"]
    case = oracles_km.Case(tuple(map(frozenset, sets)), WIDE)
    expected = oracle.apriori(case, 2, 6, range(6))
    with oracles_km.make(connection, case) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m="max", method="apriori", hierarchy="tree")
        held = [frozenset(zip(levels, items, strict=True)) for _, items, levels in release.rows()]
    assert held == [frozenset(expected[item] for item in basket) for basket in case.baskets]


def test_the_command(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = ["km-anonymity", "shop.parquet", "--k", "3", "--m", "2", "--fanout", "2"]
    more = ["--method", "apriori", "--out", "b.parquet", "--trail", "b.sql"]
    assert run([*words, "--method", "apriori", "--explain"]) == 0
    assert "rare_2: each row is a set of 2 nodes" in capsys.readouterr().out
    assert run([*words, *more]) == 0
    assert "--method optimal finds it" in capsys.readouterr().out
    assert run(["verify", "km-anonymity", "b.parquet", "--k", "3", "--m", "2"]) == 0
    replayed = setveil.replay("b.sql")
    assert replayed.same and replayed.holds
    with setveil.read("shop.parquet") as baskets, pytest.raises(InputError, match="no method"):
        setveil.km_anonymity(baskets, k=3, m=2, method="best", fanout=2)
    with setveil.read("shop.parquet") as baskets, pytest.raises(InputError, match="for the method"):
        setveil.km_anonymity(baskets, k=3, m=2, method="apriori", suppress=True, fanout=2)
