"""Appending slices: random histories, by brute force over every union of slices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import setveil
from oracles_slices import History, Row, Source, mark, together, write
from oracles_slices_models import (
    DEGREE,
    PROMISES,
    broken_groups,
    faults,
    promise_of,
    published,
    secrets_of,
)

MODELS = list(PROMISES)
WITHOUT_PERSONS, LOSES_NONE = ("hiding",), ("permutation",)
ALONE = ("km-anonymity",)  # a cut of many histories would be as coarse as the smallest needs


def run(
    folder: Path,
    model: str,
    nights: Sequence[Source],
    marks: Sequence[str] = ("",),
    *,
    persons: bool = False,
    wait: int | None = None,
    least: int = 1,
) -> int:
    """Release the source of each night, and judge all slices; return their number."""
    options = promise_of(model, marks, folder) | ({"person": "person"} if persons else {})
    if wait is not None:
        options |= {"renumber": True, "wait": wait}
    target, before = folder / "safe", {}
    rows: dict[int, dict[object, Row]] = {}
    for source in nights:
        path = write(folder / "source.parquet", source)
        done = setveil.append(path, target, model, **options)
        if done.slice is not None:
            known = {key for held in rows.values() for key in held}
            rows[done.slice] = {key: row for key, row in source.items() if key not in known}
            assert len(rows[done.slice]) == done.released
        files = {one: one.read_bytes() for one in sorted(target.rglob("*.parquet"))}
        assert {one: files[one] for one in before} == before
        before = files
    if model == "permutation":
        owners = {key: row.person for held in rows.values() for key, row in held.items()}
        found = broken_groups(target, secrets_of(marks), DEGREE, owners if persons else None)
    else:
        slices = published(target)
        keys = [key for held in slices.values() for key in held]
        assert len(keys) == len(set(keys)) <= sum(map(len, rows.values()))
        given = rows if wait is None else None
        found = faults(model, slices, given, persons=persons, least=least)
    assert not list(found)
    return len(rows)


def many(folder: Path, model: str, first: int, number: int) -> int:
    """Histories first, first + 1, … in one target: with persons, by transactions, or waiting."""
    mode = random.Random(first).choice(("persons", "transactions", "waiting"))
    persons = mode == "persons" and model not in WITHOUT_PERSONS
    waits = mode == "waiting" and model not in (*LOSES_NONE, *WITHOUT_PERSONS)
    sources = together(range(first, first + number)) if number > 1 else History(first).nights
    marks = [mark(one) for one in range(number)] if number > 1 else [""]
    least = int(number > 1 or model != "coherence")
    return run(
        folder,
        model,
        sources,
        marks,
        persons=persons,
        wait=first % 3 if waits else None,
        least=least,
    )


MANY = 50  # histories of one target


@pytest.mark.few(2)
@pytest.mark.parametrize("model", MODELS)
def test_every_union_of_slices_keeps_the_promise(tmp_path, model):
    assert many(tmp_path, model, 3, 1 if model in ALONE else 6) > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", [1000, 1050, 1100])
@pytest.mark.parametrize("model", MODELS)
def test_every_union_of_slices_keeps_the_promise_of_many(tmp_path_factory, model, first):
    """Some 800 histories: one target for all, or one for each."""
    size = 1 if model in ALONE else MANY
    firsts = range(first, first + (5 if size == 1 else MANY), size)
    found = [many(tmp_path_factory.mktemp("histories"), model, one, size) for one in firsts]
    assert sum(found) > 1
