"""Attackers single out persons: the figures of inspect and compare against the definition."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

import oracles_persons as oracle
import setveil
from examples import tried
from oracles_persons import Held
from setveil.cli.main import run

FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def exposed(held: Held, k: int, n: int) -> list[oracle.Owned]:
    """The transactions with a set of up to n items that fewer than k persons hold."""
    rare = [one for one in oracle.sets(held, n) if oracle.persons(oracle.cohort(held, one)) < k]
    return [one for one in held if any(one.items >= some for some in rare)]


def largest_share(held: Held, k: int, p: int) -> float:
    """The largest share that one person has of the transactions of a set that k persons hold."""
    shares = [0.0]
    for one in oracle.sets(held, p):
        known = oracle.cohort(held, one)
        if oracle.persons(known) >= k:
            own = [sum(other.person == some.person for other in known) for some in known]
            shares.append(max(own) / len(known))
    return max(shares)


@pytest.mark.everywhere
@tried(
    3,
    300,
    st.sampled_from(["auto", "bits"]),
    oracle.databases(),
    st.integers(1, 4),
    st.integers(1, 3),
    unchecked=FIXTURES,
)
def test_inspect_counts_the_persons_whom_attackers_find(
    connection: duckdb.DuckDBPyConnection, plan: str, held: Held, k: int, p: int
) -> None:
    with oracle.read(connection, held) as baskets:
        found = setveil.inspect(baskets, k=k, p=p, plan=plan)
    marked = [exposed(held, k, n) for n in range(1, p + 1)]
    everyone = max(1, oracle.persons(held))
    assert found.persons == oracle.persons(held)
    assert found.singled_out == tuple(len(one) / max(1, len(held)) for one in marked)
    assert found.singled_out_persons == tuple(oracle.persons(one) / everyone for one in marked)
    assert found.largest_share == largest_share(held, k, p)


def breach(held: Held, private: frozenset[str], p: int) -> float:
    """The highest share, of transactions or persons, that any set of p public items gives."""
    known = oracle.sets(held, p, least=0, without=private)
    return float(
        max((max(oracle.shares(held, one, item)) for one in known for item in private), default=0)
    )


@tried(2, 200, oracle.databases(), st.integers(1, 4), unchecked=FIXTURES)
def test_compare_counts_persons_on_both_sides(
    connection: duckdb.DuckDBPyConnection, held: Held, k: int
) -> None:
    """The release has no column of persons: they are those of the original's transactions."""
    private = frozenset(oracle.SECRETS)
    present = private & frozenset("").union(*(one.items for one in held))
    with oracle.read(connection, held) as baskets:
        try:
            release = setveil.coherence(baskets, k=k, p=1)
        except setveil.UnreachableError:
            return
        after = oracle.released(release.rows(), held)
        found = setveil.compare(
            baskets, release, k=k, p=2, private=sorted(private), h=1, ignore_unknown=True,
            verify="coherence",
        )  # fmt: skip
    for side, data in ((found.original, held), (found.releases[0].side, after)):
        public = [oracle.Owned(one.items - private, one.person) for one in data]
        assert side.persons == oracle.persons(data)
        everyone = max(1, oracle.persons(data))
        for name, few in (("unique", 2), ("singled_out", k)):
            marked = [exposed(public, few, n) for n in (1, 2)]
            assert side.risk[name] == tuple(len(one) / max(1, len(data)) for one in marked)
            persons = tuple(oracle.persons(one) / everyone for one in marked)
            assert side.risk[f"{name}_persons"] == persons
        assert side.risk["largest_share"] == largest_share(public, k, 2)
        assert side.risk["breach"] == (breach(data, present, 2) if present else None)
    guarantee = found.releases[0].guarantee
    assert guarantee is not None
    assert guarantee.holds == oracle.coherent(after, private, oracle.Fraction(1), k, 2)


@tried(2, 100, oracle.databases(), unchecked=FIXTURES)
def test_the_surest_rule_counts_persons_too(
    connection: duckdb.DuckDBPyConnection, held: Held
) -> None:
    """The higher of both shares, of any rule that tells a secret, before and after."""
    with oracle.read(connection, held) as baskets:
        release = setveil.uncertainty(baskets, sensitive=["X"], rho="0.5", ignore_unknown=True)
        after = oracle.released(release.rows(), held)
        found = setveil.compare(baskets, release, sensitive=["X"], ignore_unknown=True)
    for side, data in ((found.original, held), (found.releases[0].side, after)):
        known = {x for one in oracle.sets(data, 9) for x in [one - {"X"}] if x}
        surest = max((max(oracle.shares(data, one, "X")) for one in known), default=0)
        assert side.confidence == float(surest)
        if rule := side.surest_rule:
            of = oracle.cohort(data, frozenset(rule.known))
            both = oracle.cohort(of, frozenset("X"))
            assert (rule.support, rule.of) == (len(both), len(of))
            assert (rule.persons, rule.of_persons) == (oracle.persons(both), oracle.persons(of))


def test_a_secret_of_every_person_is_sure(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of the transactions with `a` tell it, and each of their persons has one."""
    held = [oracle.Owned(frozenset(items), n) for n in range(3) for items in ("a", "aX")]
    with oracle.read(connection, held) as baskets:
        release = setveil.coherence(baskets, k=1, p=1)
        found = setveil.compare(baskets, release, sensitive=["X"])
    assert found.original.confidence == 1.0
    rule = found.original.surest_rule
    assert rule and (rule.support, rule.of, rule.persons, rule.of_persons) == (3, 6, 3, 3)
    source = str(tmp_path / "a.parquet")
    connection.execute(f"COPY owned TO '{source}'")
    (tmp_path / "x.txt").write_text("X")
    words = ["--item", "items", "--person", "who", "--sensitive", str(tmp_path / "x.txt")]
    assert run(["compare", source, source, *words]) == 0
    assert re.search(r"100.*a → X +3 +6 +3 +3", capsys.readouterr().out)


def test_a_generalized_release_has_the_persons_of_its_original(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    held = oracle.seeded(3, 60, 7, secrets="")
    with oracle.read(connection, held) as baskets:
        release = setveil.k_anonymity(baskets, k=3, fanout=2)
        found = setveil.compare(baskets, release, k=3, verify="k-anonymity")
    assert found.releases[0].generalized
    assert found.releases[0].side.persons == oracle.persons(held)
    assert found.releases[0].guarantee is not None and found.releases[0].guarantee.holds
