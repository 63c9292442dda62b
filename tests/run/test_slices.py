"""Appending slices: random histories, by brute force over every union of slices."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from examples import tried
from oracles_slices import History, faults, faults_of_many, night, published, together


def judged(folder, seed, *, persons, wait=None):
    """Run a history, and judge the target after each night."""
    judged_nights(folder, History(seed).nights, faults, persons=persons, wait=wait)


def judged_nights(folder, nights, faults, *, persons, wait=None):
    owners, before, notes = {}, {}, []
    options = {"person": "person"} if persons else {}
    if wait is not None:
        options |= {"renumber": True, "wait": wait}
    total = 0
    for source in nights:
        done = night(folder, source, note=notes.append, **options)
        total += done.released
        slices = published(folder / "safe")
        for number, held in slices.items():
            for key in held:
                if wait is None and number not in before:
                    owners[key] = source[key].person
        if wait is None:
            assert not list(faults(slices, owners if persons else None))
        else:
            assert not list(faults(slices))
        keys = [key for held in slices.values() for key in held]
        assert len(keys) == len(set(keys)) <= total
        assert all(slices[number] == held for number, held in before.items())
        before = slices


@tried(1, 20, seed=st.integers(0, 10**9), persons=st.booleans())
def test_every_union_of_slices_keeps_the_promise(tmp_path_factory, seed, persons):
    judged(tmp_path_factory.mktemp("history"), seed, persons=persons)


@tried(1, 8, seed=st.integers(0, 10**9), wait=st.integers(0, 2))
def test_transactions_that_waited_keep_the_promise(tmp_path_factory, seed, wait):
    judged(tmp_path_factory.mktemp("history"), seed, persons=False, wait=wait)


MANY, MODES = 25, 3


def many(folder, first):
    """Histories first, first + 1, … in one target: with persons, by transactions, or waiting."""
    mode = first // MANY % MODES
    wait = first % 3 if mode == 2 else None
    sources = together(range(first, first + MANY))
    judged_nights(folder, sources, faults_of_many, persons=mode == 0, wait=wait)


def test_many_histories_keep_the_promise(tmp_path):
    many(tmp_path, 0)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 3000, 500))
def test_many_histories_keep_the_promise_of_many(tmp_path_factory, first):
    for one in range(first, first + 500, MANY):
        many(tmp_path_factory.mktemp("histories"), one)
