"""Coherence where persons are counted: both directions against the definition."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

import oracles_persons as oracle
import setveil
from examples import tried
from oracles_persons import Held, Owned
from setveil.errors import UnreachableError
from setveil.verify import PersonsOf

PRIVATE = frozenset(oracle.SECRETS)
SHARES = st.integers(0, 10).map(lambda tenths: Fraction(tenths, 10))
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
# Five baskets of one customer are not five people.
ONE_CUSTOMER = [Owned(frozenset("ab"), 0)] * 5 + [Owned(frozenset("cd"), n) for n in range(1, 6)]


def check(
    connection: duckdb.DuckDBPyConnection, held: Held, h: Fraction, k: int, p: int, **how: object
) -> None:
    """The verdict on the data, and the release that is made of it."""
    with oracle.read(connection, held) as baskets:
        check_verdict(baskets, held, h, k, p)
        check_release(baskets, held, h, k, p, **how)


def check_release(
    baskets: setveil.Baskets, held: Held, h: Fraction, k: int, p: int, **how: object
) -> None:
    """The release keeps the promise, and its moles are those of the definition."""
    promise = {"private": sorted(PRIVATE), "h": h, "k": k, "p": p, "ignore_unknown": True}
    try:
        release = setveil.coherence(baskets, **promise, **how)  # type: ignore[arg-type]
    except UnreachableError:
        assert oracle.is_mole(held, frozenset(), PRIVATE, h, k)
        return
    after = oracle.released(release.rows(), held)
    moles = oracle.minimal_moles(held, PRIVATE, h, k, p)
    assert oracle.coherent(after, PRIVATE, h, k, p)
    assert release.metrics.moles == tuple(
        sum(len(mole) == size for mole in moles) for size in range(1, p + 1)
    )
    assert release.metrics.persons == oracle.persons(held)
    gone = frozenset("").union(*(one.items for one in held)) - frozenset("").union(
        *(one.items for one in after)
    )
    assert [one.items for one in after] == [one.items - gone for one in held]


def check_verdict(baskets: setveil.Baskets, held: Held, h: Fraction, k: int, p: int) -> None:
    """The checker finds every minimal mole, and only those, with true numbers."""
    verdict = setveil.verify.coherence(
        baskets, private=sorted(PRIVATE), h=h, k=k, p=p, ignore_unknown=True, limit=1000
    )
    expected = oracle.minimal_moles(held, PRIVATE, h, k, p, least=0)
    assert verdict.holds == (not expected) == oracle.coherent(held, PRIVATE, h, k, p)
    assert {frozenset(one.items) for one in verdict.violations} == set(expected)
    assert (verdict.transactions, verdict.persons) == (len(held), oracle.persons(held))
    for one in verdict.violations:
        known = oracle.cohort(held, frozenset(one.items))
        assert (one.support, one.persons) == (len(known), oracle.persons(known))
        most = max(max(oracle.shares(held, frozenset(one.items), secret)) for secret in PRIVATE)
        assert one.share == float(most)
        assert (one.reveals is not None) == (most > h)
        if one.reveals:
            assert max(oracle.shares(held, frozenset(one.items), one.reveals)) == most


@pytest.mark.everywhere
@tried(
    3, 2000, oracle.databases(), SHARES, st.integers(1, 4), st.integers(1, 3), unchecked=FIXTURES
)
def test_releases_and_verdicts_count_persons(
    connection: duckdb.DuckDBPyConnection, held: Held, h: Fraction, k: int, p: int
) -> None:
    check(connection, held, h, k, p)


@pytest.mark.parametrize("plan", ["lists", "bits"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.few(2)
def test_persons_with_many_transactions(
    connection: duckdb.DuckDBPyConnection, seed: int, plan: str
) -> None:
    """A person with more than 63 transactions has several words in the checker."""
    held = oracle.seeded(seed, 400, 12)
    assert max(sum(one.person == n for one in held) for n in range(12)) > 63
    h, k, p = Fraction(6 + seed % 3, 10), 2 + seed, 3
    check(connection, held, h, k, p, plan=plan)


def test_five_baskets_of_one_customer_are_one_person(connection: duckdb.DuckDBPyConnection) -> None:
    with oracle.read(connection, ONE_CUSTOMER) as baskets:
        assert setveil.coherence(baskets, k=5, p=2).metrics.moles == (2, 0)
        found = setveil.verify.coherence(baskets, k=5, p=2)
    assert [(one.items, one.support, one.persons) for one in found.violations] == [
        (("a",), 5, 1),
        (("b",), 5, 1),
    ]


def test_a_share_of_persons_can_reveal_where_that_of_transactions_does_not(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Of 10 baskets with `a` 3 hold the disease, but these are of 3 of the 4 persons."""
    held = [Owned(frozenset("aX"), n) for n in range(3)] + [Owned(frozenset("a"), 3)] * 7
    held += [Owned(frozenset("b"), n) for n in range(4, 12)]
    with oracle.read(connection, held) as baskets:
        release = setveil.coherence(baskets, private=["X"], h=0.5, k=2, p=1)
        assert (release.metrics.moles, release.metrics.revealing) == ((1,), (1,))
        (worst,) = setveil.verify.coherence(baskets, private=["X"], h=0.5, k=2, p=1).violations
    assert (worst.items, worst.reveals, worst.share) == (("a",), "X", 0.75)


def test_one_person_per_transaction_gives_the_bytes_of_transactions(tmp_path: Path) -> None:
    held = oracle.seeded(7, 300, 5)
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid INTEGER, who INTEGER, item VARCHAR)")
        rows = [(n, -n, name) for n, one in enumerate(held) for name in sorted(one.items)]
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        duck.execute(f"COPY t TO '{tmp_path}/t.parquet' (FORMAT parquet)")
    written = []
    for person in ("who", None):
        with setveil.read(tmp_path / "t.parquet", person=person) as baskets:
            release = setveil.coherence(baskets, private=["X"], h=0.5, k=9, p=3)
            release.write(tmp_path / f"{person}.parquet")
            written.append((tmp_path / f"{person}.parquet").read_bytes())
    assert written[0] == written[1]


def test_a_release_without_persons_is_judged_by_those_of_its_source(tmp_path: Path) -> None:
    rows = [("1", "a", "Ann"), ("2", "a", "Ann"), ("3", "a", "Bob"), ("4", "a", None)]
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid VARCHAR, item VARCHAR, who VARCHAR)")
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        duck.execute(f"COPY t TO '{tmp_path}/t.parquet' (FORMAT parquet)")
        for name, tids in (("all", "TRUE"), ("known", "tid <> '4'"), ("ann", "who = 'Ann'")):
            duck.execute(
                f"COPY (SELECT tid, item FROM t WHERE {tids}) TO '{tmp_path}/{name}.csv'"  # noqa: S608
            )

    def holds(name: str, k: int, guests: str | None = None) -> bool:
        with setveil.read(tmp_path / f"{name}.csv") as baskets:
            persons = PersonsOf(tmp_path / "t.parquet", "who", guests)
            return setveil.verify.coherence(baskets, k=k, p=1, persons=persons).holds

    assert (holds("known", 2), holds("known", 3)) == (True, False)
    assert (holds("ann", 1), holds("ann", 2)) == (True, False)
    assert (holds("all", 3, "own"), holds("all", 4, "own")) == (True, False)
    with pytest.raises(
        setveil.InputError,
        match="1 transaction of the release without a person",
    ):
        holds("all", 2)


@pytest.mark.parametrize(
    ("k", "h", "said"),
    [(4, 1, "3 persons, fewer than k = 4"), (2, 0.5, "of 2 of 3 persons, a share of 0.6667")],
)
def test_too_few_persons_are_refused(
    connection: duckdb.DuckDBPyConnection, k: int, h: float, said: str
) -> None:
    held = [Owned(frozenset("aX"), 0), Owned(frozenset("aX"), 1)]
    held += [Owned(frozenset("a"), 2)] * 4
    with oracle.read(connection, held) as baskets:
        with pytest.raises(UnreachableError, match=said):
            setveil.coherence(baskets, private=["X"], h=h, k=k, p=1)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_sweep_counts_persons(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    held = oracle.seeded(seed, 60, 8)
    with oracle.read(connection, held) as baskets:
        grid = {"k": [2, 4], "p": [1, 2]}
        for point in setveil.sweep(baskets, "coherence", grid).points:
            once = setveil.coherence(baskets, **point.parameters)
            assert point.metrics == once.metrics
