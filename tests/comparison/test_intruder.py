"""A motivated intruder and the measures for evidence, against brute force on small data."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

import oracles_comparison
import oracles_intruder as oracle
import oracles_persons as owned
import setveil
from comparisons import compared, original_of, pairs, release_of, releases
from examples import tried
from setveil.comparison import risk
from setveil.errors import InputError

FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
EVIDENCE = [name for name, one in risk.MEASURES.items() if one.evidence]
P = 3


def check(side, table, public, draws, seed, k, owners=None):
    """All measures for evidence of a side."""
    expected: dict[str, list[float]] = {}
    for known in range(1, P + 1):
        told = oracle.intruder(
            table, public, draws=draws, known=known, seed=seed, k=k, owners=owners
        )
        for name, value in told.items():
            expected.setdefault(name, []).append(value)
    groups = [oracle.smallest_groups(table, public, n, owners) for n in range(1, P + 1)]
    risky = [[key for key, size in found if size < 12] for found in groups]
    expected["above_bound"] = [len(found) / max(1, len(table)) for found in risky]
    if owners is not None:
        everyone = max(1, len(set(owners.values())))
        persons = [len({owners[key] for key in found}) / everyone for found in risky]
        expected["above_bound_persons"] = persons
    largest = side.risk["largest_risk"]
    assert largest == max((1 / size for _, size in groups[-1]), default=None)
    shown = {name: side.risk[name] for name in EVIDENCE if name != "largest_risk"}
    assert {name: list(one) for name, one in shown.items() if one is not None} == expected


asked = (pairs(), st.integers(1, 9), st.integers(0, 3), st.integers(1, 4), st.booleans())


@tried(3, 100, *asked, unchecked=FIXTURES)
def test_an_intruder_finds_what_brute_force_finds(connection, pair, draws, seed, k, lists):
    """Of the original and of a release, each among its own transactions."""
    if not lists:
        pair = [{key: held for key, held in one.items() if held} for one in pair]
    original, release = pair
    private = {"b", "B"} & oracles_comparison.items_of(original)
    found = compared(
        connection, original, release, lists=lists, k=k, p=P, h="0.5", private=sorted(private),
        verify="coherence", evidence=True, draws=draws, seed=seed,
    )  # fmt: skip
    for side, data in ((found.original, original), (found.releases[0].side, release)):
        table = {str(key): frozenset(held) for key, held in data.items()}
        check(side, table, oracles_comparison.items_of(data) - private, draws, seed, k)


@tried(3, 100, owned.databases(), st.integers(1, 9), st.integers(1, 4), unchecked=FIXTURES)
def test_an_intruder_counts_persons(connection, held, draws, k):
    with owned.read(connection, held) as baskets:
        found = setveil.compare(
            baskets, "owned", k=k, p=P, verify="coherence", evidence=True, draws=draws
        )
    table = {str(n): one.items for n, one in enumerate(held)}
    owners = {str(n): one.person for n, one in enumerate(held)}
    public = frozenset("").union(*table.values())
    for side in (found.original, found.releases[0].side):
        check(side, table, public, draws, 1, k, owners)


@tried(3, 100, releases, st.integers(1, 5), st.booleans(), unchecked=FIXTURES)
def test_an_intruder_knows_nodes_of_a_generalized_release(connection, sets, draws, lists):
    made = release_of(connection, sets, lists=lists)
    with setveil.read(connection, original_of(connection, len(sets), lists=lists)) as baskets:
        [one] = setveil.compare(
            baskets,
            made,
            k=3,
            p=P,
            m=1,
            item="item",
            verify="km-anonymity",
            evidence=True,
            draws=draws,
        ).releases
    assert one.generalized
    table = {
        str(key): frozenset(f"{level} {label}" for level, label in held)
        for key, held in enumerate(sets)
    }
    check(one.side, table, oracles_comparison.items_of(table), draws, 1, 3)


def test_without_evidence_nothing_is_drawn(connection):
    data = {n: frozenset("ab") for n in range(3)}
    found = compared(connection, data, data)
    assert {found.original.risk[name] for name in EVIDENCE} == {None}
    names = {one.name for many in found.sql.values() for one in many}
    assert not names & {"drawn", "revealed"}


def test_draws_are_seeded_and_each_item_is_as_likely(connection):
    """Of 900 transactions of two items, an intruder learns each first in about one half."""
    data = {n: frozenset({"all", f"own {n}"}) for n in range(900)}
    how = {"p": 2, "verify": "coherence", "evidence": True}
    shares = {}
    for seed in (1, 2):
        found = compared(connection, data, data, **how, draws=900, seed=seed)
        shares[seed] = found.original.risk["intruder_unique"]
    for first, both in shares.values():
        assert 0.45 < first < 0.55 and both == 1.0
    assert shares[1] != shares[2]
    again = compared(connection, data, data, **how, draws=900, seed=1)
    assert again.original.risk["intruder_unique"] == shares[1]
    assert json.dumps(again.original.risk) == json.dumps(again.releases[0].side.risk)


def test_no_draw_is_refused(connection):
    with pytest.raises(InputError, match="draws is a whole number of at least 1"):
        compared(connection, {1: frozenset("a")}, {1: frozenset("a")}, draws=0)


def test_the_largest_risk_is_looked_for_above_the_promise(tmp_path, monkeypatch):
    """A release has a group of about k: smaller ones were looked for already."""
    setveil.generate(tmp_path / "a.parquet", transactions=600, items=40, length=6, seed=2)
    with setveil.read(tmp_path / "a.parquet") as baskets:
        setveil.coherence(baskets, k=15, p=2).write(tmp_path / "b.parquet")
    searched: list[int] = []

    def find_moles(session, promise, **how):
        searched.append(promise.k)
        return found(session, promise, **how)

    found = risk.find_moles
    monkeypatch.setattr(risk, "find_moles", find_moles)
    with setveil.read(tmp_path / "a.parquet") as baskets:
        made = setveil.compare(
            baskets, tmp_path / "b.parquet", k=15, p=2, verify="coherence", evidence=True, draws=5
        )
    smallest = 18  # transactions that hold some pair of the release
    assert made.releases[0].side.risk["largest_risk"] == 1 / smallest
    assert searched == [2, 15, 12] * 2 + [16, 18, 22, 20, 19]
