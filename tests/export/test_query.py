"""The checker as one query says what `verify` says, of any release."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest
from hypothesis import strategies as st

import harness
from examples import tried
from queried import Asked, answered, asked, tables, text_of, verified
from setveil.errors import InputError
from setveil.models import REGISTRY

EVERY = [one.name for one in REGISTRY.values()]
DETAILS = ("coherence", "k-anonymity", "uncertainty")  # their verdicts list what the query lists


def small(given: Asked) -> Asked:
    """The release with a promise of one known item: Spark computes each WITH again at each place,
    and would take minutes for two."""
    sizes = {name: 1 for name in ("p", "max_knowledge") if name in given.promise}
    return replace(given, promise=given.promise | sizes)


def compared(connection: duckdb.DuckDBPyConnection, given: Asked) -> bool | None:
    """Compare the answers; return whether the release holds, None if `verify` refuses it."""
    if harness.current.dialect == "spark":
        given = small(given)
    names = tables(connection, given, 1)
    verdict = verified(connection, given, names)
    rows = answered(connection, text_of(given, names, harness.current.dialect))
    if isinstance(verdict, InputError):
        assert rows, verdict
        return None
    assert (not rows) == verdict.holds, (given, verdict, rows)
    assert all(row[-1] == len(rows) for row in rows)
    if given.model in DETAILS and not verdict.holds and not given.slices:
        shown = sorted(row[2] for row in rows)
        assert given.model == "uncertainty" or len(rows) == verdict.found
        if given.model == "coherence":
            assert shown == sorted(one.support for one in verdict.violations)
        if given.model == "k-anonymity":
            assert shown == sorted(one.transactions for one in verdict.violations)
    return bool(verdict.holds)


@tried(3, 300, seed=st.integers(0, 10**9))
def test_coherence_is_that_of_verify(connection, seed):
    compared(connection, asked("coherence", seed))


@tried(2, 300, seed=st.integers(0, 10**9))
def test_k_anonymity_is_that_of_verify(connection, seed):
    compared(connection, asked("k-anonymity", seed))


@tried(2, 300, seed=st.integers(0, 10**9))
def test_km_anonymity_is_that_of_verify(connection, seed):
    compared(connection, asked("km-anonymity", seed))


@tried(2, 300, seed=st.integers(0, 10**9))
def test_uncertainty_is_that_of_verify(connection, seed):
    compared(connection, asked("uncertainty", seed))


@tried(2, 300, seed=st.integers(0, 10**9))
def test_hiding_is_that_of_verify(connection, seed):
    compared(connection, asked("hiding", seed))


@tried(2, 300, seed=st.integers(0, 10**9))
def test_permutation_is_that_of_verify(connection, seed):
    compared(connection, asked("permutation", seed))


@pytest.mark.slow
@pytest.mark.parametrize("model", EVERY)
def test_the_releases_are_of_both_kinds(model):
    """A generator of releases that all hold, or all do not, would compare nothing."""
    with duckdb.connect() as connection:
        found = [compared(connection, asked(model, seed)) for seed in range(16)]
    assert {True, False} <= set(found)
