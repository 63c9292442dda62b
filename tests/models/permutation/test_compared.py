"""Permutation beside other releases: what is measured, and what makes no sense there."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

import oracles_permutation as oracle
import setveil
from calls import shop
from setveil.cli.main import run

SENSITIVE = frozenset({"milk"})


@pytest.fixture
def releases(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = ["--sensitive", "private.txt"]
    made = ["permutation", "shop.parquet", *words, "--degree", "3", "--out", "groups"]
    assert run(made) == 0
    assert run(["uncertainty", "shop.parquet", *words, "--rho", "0.33", "--out", "u.parquet"]) == 0
    return words


def baskets(query):
    found: dict[str, set[str]] = {}
    for tid, item in duckdb.sql(query).fetchall():
        found.setdefault(str(tid), set()).add(item)
    return {tid: frozenset(held) for tid, held in found.items()}


def compared(capsys, *words):
    capsys.readouterr()
    code = run(["compare", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_pairs_are_measured_beside_another_release(releases, capsys):
    code, found = compared(
        capsys, "shop.parquet", "groups", "u.parquet", *releases, "--verify", "permutation",
        "--degree", "3",
    )  # fmt: skip
    assert code == 2, "uncertainty has no groups to judge"
    code, found = compared(capsys, "shop.parquet", "groups", "u.parquet", *releases)
    assert code == 0
    groups, other = (one["measures"] for one in found["metrics"]["releases"])
    before = baskets("SELECT tid, item FROM 'shop.parquet'")
    after = oracle.pairs(baskets("SELECT tid, item FROM 'u.parquet'"), SENSITIVE)
    rows = duckdb.sql("SELECT tid, item, \"group\" FROM 'groups/transactions.parquet'").fetchall()
    counts = duckdb.sql("FROM 'groups/sensitive.parquet'").fetchall()
    shown = baskets("SELECT tid, item FROM 'groups/transactions.parquet'")
    of = {group: frozenset(str(t) for t, _, g in rows if g == group) for _, _, group in rows}
    held = oracle.expected(shown, of, {(group, item): n for group, item, n in counts})
    real = oracle.pairs(before, SENSITIVE)
    assert groups["pair_divergence"] == pytest.approx(oracle.divergence(real, held), abs=1e-6)
    assert other["pair_divergence"] == pytest.approx(oracle.divergence(real, after), abs=1e-6)
    senseless = {"information_loss", "information_lost", "distortion", "kl", "symmetric_kl"}
    assert all(groups.get(one) is None and other[one] is not None for one in senseless)
    assert groups["transactions_lost"] == 0
    (first, _) = found["metrics"]["releases"]
    assert first["items_gone"] == 0 and first["items_lost_most"] == []
    assert first["side"]["confidence"] is None, "rules over one part would say that all is safe"


def test_the_measure_is_that_of_the_run(releases, capsys):
    _, found = compared(capsys, "shop.parquet", "groups", *releases)
    with setveil.read("shop.parquet") as read:
        release = setveil.permutation(read, sensitive=["milk"], degree=3)
        again = setveil.compare(read, release, sensitive=["milk"], verify="permutation", degree=3)
    (one,) = found["metrics"]["releases"]
    assert one["measures"]["pair_divergence"] == release.metrics.pair_divergence
    assert again.releases[0].measures["pair_divergence"] == release.metrics.pair_divergence
    assert again.releases[0].guarantee.holds


def test_the_checker_judges_releases_in_a_comparison(releases, capsys):
    for degree, code in (("3", 0), ("4", 1)):
        words = ["shop.parquet", "groups", *releases, "--verify", "permutation"]
        assert compared(capsys, *words, "--degree", degree)[0] == code


def test_tables_are_two_parts_too(releases, capsys):
    words = ["permutation", "shop", "--database", "shop.duckdb", *releases, "--degree", "3"]
    assert run([*words, "--into", "safe"]) == 0
    more = ["--database", "shop.duckdb", *releases, "--verify", "permutation", "--degree", "3"]
    assert compared(capsys, "shop", "safe", *more)[0] == 0
    with duckdb.connect("shop.duckdb") as there:
        there.execute("DROP TABLE safe_sensitive")
    assert compared(capsys, "shop", "safe", *more)[0] == 2


@pytest.mark.slow
def test_a_sweep_over_the_degree(releases, capsys):
    capsys.readouterr()
    words = ["sweep", "permutation", "shop.parquet", *releases, "--degree", "2,3,4", "--json"]
    assert run(words) == 0
    points = json.loads(capsys.readouterr().out)["metrics"]["points"]
    assert [one["parameters"]["degree"] for one in points] == [2, 3, 4]
    assert points[0]["metrics"]["groups"] > points[1]["metrics"]["groups"] > 0
    assert points[2]["metrics"] is None and "is held by 8 of the 24" in points[2]["refused"]
    assert not Path("safe").exists()
    assert run(words[:-1]) == 0
    assert "%" not in capsys.readouterr().out, "a divergence is no share"
