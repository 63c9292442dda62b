"""Tables of any database are judged together as files are."""

from __future__ import annotations

import random
from collections.abc import Sequence

import duckdb
import pytest

import oracles_history as oracle
import setveil
from oracles_history import MODELS, Group, History, Shown, promise_of, terms_of
from setveil.history.told import Broken


def put(connection: duckdb.DuckDBPyConnection, history: History) -> list[str]:
    """Tables in LIST form with the persons of their transactions; return their names."""
    made = []
    for number, held in enumerate(history.releases, 1):
        name = f"released_{number}"
        connection.execute(
            f'CREATE OR REPLACE TABLE "{name}" (tid VARCHAR, items VARCHAR[], who INTEGER)'
        )
        rows = [(key, sorted(items), history.whose[key]) for key, items in held.items()]
        if rows:
            connection.executemany(f'INSERT INTO "{name}" VALUES (?, ?, ?)', rows)  # noqa: S608
        made.append(name)
    return made


def group(releases: Sequence[Shown], names: Sequence[str], broken: Broken) -> Group:
    shown, lacking = ([names.index(one) for one in part] for part in (broken.shown, broken.lacking))
    keys = frozenset(releases[shown[0]]).intersection(*(releases[one] for one in shown))
    return frozenset(shown), keys.difference(*(releases[one] for one in lacking))


@pytest.mark.everywhere
@pytest.mark.few(1)
@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_tables_are_judged_by_the_definition(
    connection: duckdb.DuckDBPyConnection, model: str, persons: bool
) -> None:
    """Histories of which some set of releases breaks the promise, and one that keeps it."""
    tried = {True: 0, False: 0}
    for seed in range(200):
        history = oracle.random_history(random.Random(seed))
        promise = promise_of(model, seed)
        whose = history.whose if persons else None
        expected = oracle.failing(history.releases, promise, whose)
        holds = not expected
        if tried[holds] or not all(history.releases):
            continue
        tried[holds] += 1
        names = put(connection, history)
        person = "who" if persons else None
        with setveil.read(connection, names[0], item="items", person=person, tid="tid") as first:
            verdict = setveil.verify.history(model, first, *names[1:], **terms_of(promise))
        named = verdict.releases
        assert {group(history.releases, named, one) for one in verdict.broken} == expected
    assert tried == {True: 1, False: 1}
