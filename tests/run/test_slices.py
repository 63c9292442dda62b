"""Appending slices: random histories, by brute force over every union of slices."""

from __future__ import annotations

from hypothesis import strategies as st

from examples import tried
from oracles_slices import History, faults, night, published

ARE_PERSONS = st.booleans()


def judged(folder, seed, *, persons, wait=None):
    """Run a history, and judge the target after each night."""
    history, owners, before, notes = History(seed), {}, {}, []
    options = {"person": "person"} if persons else {}
    if wait is not None:
        options |= {"renumber": True, "wait": wait}
    total = 0
    for source in history.nights:
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
