"""The checkers of all models, as a comparison asks them: each against its definition."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_comparison as oracle
import setveil
from comparisons import compared, original_of, pairs, release_of, releases, table
from examples import tried
from setveil.cli.main import run
from setveil.errors import InputError

PATTERN = ("a", "b")
SECRETS = ("b", "B")


def k_anonymous(data, k):
    sets = list(data.values())
    return all(sets.count(one) >= k for one in sets)


def km_anonymous(data, k, m):
    return all(
        oracle.support(data, chosen) >= k
        for held in data.values()
        for size in range(1, m + 1)
        for chosen in combinations(sorted(held), size)
    )


def uncertain(data, secrets, rho):
    """No rule q -> e, for q within a transaction, is surer than rho."""
    return all(
        Fraction(oracle.support(data, (*chosen, secret)), oracle.support(data, chosen)) <= rho
        for held in data.values()
        for secret in secrets
        for size in range(1, len(held) + 1)
        for chosen in combinations(sorted(held - {secret}), size)
    )


def hidden(original, release, pattern, psi):
    """Little is left of the pattern, and all that is gone was an item of one that was whole."""
    was, left = oracle.support(original, pattern), oracle.support(release, pattern)
    kept = all(
        release.get(key, frozenset()) <= held
        and (
            held.issuperset(pattern)
            and held - release.get(key, frozenset()) <= set(pattern)
            or held == release.get(key, frozenset())
        )
        for key, held in original.items()
    )
    return left <= int(psi * was) and kept and release.keys() <= original.keys()


@tried(3, 10, pairs(), st.integers(2, 3), st.sampled_from(["0.4", "0.7"]))
def test_every_checker_is_its_definition(connection, pair, k, share):
    original, release = pair
    secrets = sorted(oracle.items_of(original) & set(SECRETS))
    expected = {
        "k-anonymity": k_anonymous(release, k),
        "km-anonymity": km_anonymous(release, k, 2),
        "uncertainty": uncertain(release, secrets, Fraction(share)),
    }
    if PATTERN[0] in oracle.items_of(original) and PATTERN[1] in oracle.items_of(original):
        expected["hiding"] = hidden(original, release, PATTERN, Fraction(share))
    for model, holds in expected.items():
        [one] = compared(
            connection, original, release, lists=True, k=k, p=1, m=2, rho=share, psi=share,
            sensitive=secrets, patterns=[PATTERN] if model == "hiding" else None, verify=model,
        ).releases  # fmt: skip
        assert (one.guarantee.model, one.guarantee.holds) == (model, holds)


@tried(2, 10, releases, st.integers(1, 2), st.booleans())
def test_nodes_are_judged_as_nodes(connection, sets, m, lists):
    data = {key: frozenset(map(str, held)) for key, held in enumerate(sets)}
    made = release_of(connection, sets, lists=lists)
    with setveil.read(connection, original_of(connection, len(sets), lists=lists)) as baskets:
        for model, holds in (
            ("k-anonymity", k_anonymous(data, 2)),
            ("km-anonymity", km_anonymous(data, 2, m)),
        ):
            [one] = setveil.compare(baskets, made, k=2, m=m, verify=model).releases
            assert one.guarantee.holds == holds


def test_mistakes_are_told(connection):
    data = {1: frozenset("ab"), 2: frozenset("a")}
    for options, told in (
        ({"verify": "km-anonymity"}, "needs m="),
        ({"verify": "uncertainty", "rho": 0.5}, "needs sensitive="),
        ({"verify": "hiding"}, "needs patterns="),
        ({"verify": "magic"}, "coherence, k-anonymity, km-anonymity, uncertainty, hiding"),
    ):
        with pytest.raises(InputError, match=told):
            compared(connection, data, data, **options)


def test_models_of_items_do_not_judge_nodes(connection):
    made = release_of(connection, [{(0, "a")}], lists=False)
    with (
        setveil.read(connection, original_of(connection, 1, lists=False)) as baskets,
        pytest.raises(InputError, match="is a generalized release, and hiding speaks of items"),
    ):
        setveil.compare(baskets, made, verify="hiding", patterns=[["a"]], psi=0)


def test_a_condition_speaks_of_the_original(connection):
    """b is rare in the release only: it was not what the condition meant."""
    original = {1: frozenset("ab"), 2: frozenset("ab"), 3: frozenset("ac")}
    release = {1: frozenset("ab"), 2: frozenset("a"), 3: frozenset("a")}
    given, published = table(connection, original), table(connection, release)
    with setveil.read(connection, given) as baskets:
        found = setveil.compare(
            baskets, published, verify="uncertainty", rho=0.3, sensitive="where:support < 2"
        )
    assert found.releases[0].guarantee.holds


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("model", "terms"),
    [
        ("coherence", "--k 3 --p 2"),
        ("k-anonymity", "--k 1"),
        ("km-anonymity", "--k 1 --m max"),
        ("uncertainty", "--rho 1 --sensitive where:support<5"),
        ("hiding", "--patterns patterns.txt --psi 1"),
    ],
)
def test_the_command(tmp_path, monkeypatch, capsys, model, terms):
    monkeypatch.chdir(tmp_path)
    setveil.generate("a.parquet", transactions=60, items=10, length=3, seed=1)
    names = duckdb.sql("SELECT MIN(item), MAX(item) FROM 'a.parquet'")
    (tmp_path / "patterns.txt").write_text("{},{}\n".format(*names.fetchall()[0]))
    line = ["compare", "a.parquet", "a.parquet", "--verify", model, *terms.split(), "--json"]
    code = run(line)
    [one] = json.loads(capsys.readouterr().out)["metrics"]["releases"]
    assert one["guarantee"]["model"] == model
    assert one["guarantee"]["holds"] == (model != "coherence")
    assert code == (0 if one["guarantee"]["holds"] else 1)
    assert run([*line[:-1], "--explain"]) == 0
