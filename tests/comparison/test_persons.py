"""What attackers learn about persons, against the definition."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

import oracles_persons as oracle
import setveil
from examples import tried
from oracles_persons import Held

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
@pytest.mark.parametrize("plan", ["auto", "bits"])
@tried(25, 1000, oracle.databases(), st.integers(1, 4), st.integers(1, 3), unchecked=FIXTURES)
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
