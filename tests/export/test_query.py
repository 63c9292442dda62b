"""The checker as one query says what `verify` says, of any release.

tests/benchmarks/test_query_verdicts.py compares the answers on 1,000 releases of each model.
"""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import strategies as st

from examples import tried
from queried import asked, compared, compared_each, side_by_side
from setveil.models import REGISTRY

EVERY = [one.name for one in REGISTRY.values()]
JOINED = [one.name for one in REGISTRY.values() if one.joined is not None]


@tried(3, 40, seed=st.integers(0, 10**9))
def test_coherence_is_that_of_verify(connection, seed):
    compared(connection, asked("coherence", seed))


@tried(2, 40, seed=st.integers(0, 10**9))
def test_k_anonymity_is_that_of_verify(connection, seed):
    compared(connection, asked("k-anonymity", seed))


@tried(2, 40, seed=st.integers(0, 10**9))
def test_km_anonymity_is_that_of_verify(connection, seed):
    compared(connection, asked("km-anonymity", seed))


@tried(2, 40, seed=st.integers(0, 10**9))
def test_uncertainty_is_that_of_verify(connection, seed):
    compared(connection, asked("uncertainty", seed))


@tried(2, 40, seed=st.integers(0, 10**9))
def test_hiding_is_that_of_verify(connection, seed):
    compared(connection, asked("hiding", seed))


@tried(2, 40, seed=st.integers(0, 10**9))
def test_permutation_is_that_of_verify(connection, seed):
    compared(connection, asked("permutation", seed))


@pytest.mark.few(2)
@pytest.mark.parametrize("model", JOINED)
def test_slices_are_judged_as_by_verify(connection, model):
    """A generator of releases that all hold, or all do not, would compare nothing."""
    found = compared_each(connection, side_by_side(model, 0, 12))
    assert found[True] and found[False]


@pytest.mark.slow
@pytest.mark.parametrize("model", EVERY)
def test_the_releases_are_of_both_kinds(model):
    with duckdb.connect() as connection:
        found = [compared(connection, asked(model, seed)) for seed in range(16)]
    assert {True, False} <= set(found)
