"""`verify --history` against brute force over every set of releases, both ways."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import oracles_history as oracle
import setveil
from oracles_history import MODELS, Group, History, Promise, Shown, promise_of, terms_of
from setveil.history.told import Broken, HistoryVerdict

ALL_SIZES = ("coherence", "k-anonymity")  # their checkers find violations of every size


def judged(folder: Path, history: History, promise: Promise, *, persons: bool) -> HistoryVerdict:
    paths = oracle.write(history.releases, folder)
    more: dict[str, Any] = {}
    if persons:
        whose = oracle.write_persons(history.whose, folder)
        more["persons"] = setveil.verify.PersonsOf(whose, "who")
    with setveil.read(paths[0], item="items") as first:
        terms = terms_of(promise)
        return setveil.verify.history(
            promise.model, first, *paths[1:], limit=100_000, **more, **terms
        )


def group(releases: Sequence[Shown], broken: Broken) -> Group:
    """The releases and the transactions of a group, from the releases that it names."""
    shown, lacking = (
        [int(Path(name).stem[1:]) - 1 for name in names] for names in (broken.shown, broken.lacking)
    )
    keys = frozenset(releases[shown[0]]).intersection(*(releases[one] for one in shown))
    return frozenset(shown), keys.difference(*(releases[one] for one in lacking))


def whose(history: History, *, persons: bool) -> dict[str, int] | None:
    return history.whose if persons else None


# One history at a time, with transactions without items


def one_history(folder: Path, model: str, seed: int, *, persons: bool) -> None:
    history = oracle.random_history(
        random.Random(seed), releases=random.Random(seed).choice((2, 3))
    )
    if not any(history.releases):
        return
    promise = promise_of(model, seed)
    verdict = judged(folder, history, promise, persons=persons)
    expected = oracle.failing(history.releases, promise, whose(history, persons=persons))
    assert {group(history.releases, one) for one in verdict.broken} == expected
    assert verdict.holds == (not expected)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_groups_that_fail_are_those_of_the_definition(
    tmp_path: Path, model: str, persons: bool, seed: int
) -> None:
    one_history(tmp_path, model, seed, persons=persons)


# Many histories at a time, each with items of its own


def mark(seed: int) -> str:
    return f"h{seed}_"


def histories(seeds: Sequence[int]) -> dict[str, History]:
    made = {}
    for seed in seeds:
        chance = random.Random(seed)
        made[mark(seed)] = oracle.random_history(chance, mark=mark(seed), always="z")
    return {name: one for name, one in made.items() if any(one.releases)}


def marked(promise: Promise, names: Sequence[str]) -> Promise:
    private = frozenset(f"{name}{one}" for name in names for one in promise.private)
    return Promise(promise.model, promise.k, promise.p, promise.share, private)


def told_of(violation: Any) -> str:
    """The mark of the history whose items a violation names.

    If it names none, the share of a private item in all histories is too high. Then so is that in
    its own history, whose transactions have an item of their own in common.
    """
    if hasattr(violation, "nodes"):
        first = violation.nodes[0]
        name = first.label if hasattr(first, "label") else first[1]
    else:
        items = violation.items if hasattr(violation, "items") else violation.known
        name = items[0] if items else violation.reveals
    return f"{name.partition('_')[0]}_"


def failing(
    folder: Path, chosen: dict[str, History], promise: Promise, *, persons: bool
) -> dict[str, set[Group]]:
    """The groups that fail, by the history of their violations."""
    together = oracle.merged(list(chosen.values()))
    verdict = judged(folder, together, marked(promise, list(chosen)), persons=persons)
    found: dict[str, set[Group]] = {}
    for one in verdict.broken:
        where, keys = group(together.releases, one)
        for name in {told_of(violation) for violation in one.violations}:
            own = frozenset(key for key in keys if key.startswith(name))
            found.setdefault(name, set()).add((where, own))
    return found


def many_histories(folder: Path, seeds: Sequence[int], model: str, *, persons: bool) -> int:
    """Compare the verdict on each of many histories with brute force; return their number.

    A checker that stops at the least size may hide one history behind another: those that fail are
    left out, and the others are judged again.
    """
    left = chosen = histories(seeds)
    promise = promise_of(model, seeds[0])
    expected = {
        name: oracle.failing(one.releases, marked(promise, [name]), whose(one, persons=persons))
        for name, one in chosen.items()
    }
    assert any(expected.values()) and not all(expected.values())
    while left:
        found = failing(folder, left, promise, persons=persons)
        for name, some in found.items():
            assert some <= expected[name], (name, some - expected[name])
            if model in ALL_SIZES:
                assert some == expected[name], (name, expected[name] - some)
        if not found:
            break
        left = {name: one for name, one in left.items() if name not in found}
    assert set(left) == {name for name, groups in expected.items() if not groups}
    return len(chosen)


@pytest.mark.few(2)
@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_histories_hold_where_the_definition_holds(
    tmp_path: Path, model: str, persons: bool
) -> None:
    assert many_histories(tmp_path, range(40), model, persons=persons) > 20


@pytest.mark.slow
@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_histories_hold_where_the_definition_holds_of_many(
    tmp_path: Path, model: str, persons: bool
) -> None:
    """Some 2,300 histories in all."""
    assert many_histories(tmp_path, range(1000, 1300), model, persons=persons) > 270
