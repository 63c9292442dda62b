"""Releases over time by their definition: over every set of releases, from the text of the files.

For every non-empty set S of releases, J_S(t) is everything S shows of transaction t. J_S must keep
the promise within each group of transactions that are present in exactly the same releases of S.
Nothing here is fast or clever: the SQL is compared with it.
"""

from __future__ import annotations

import random
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb

import oracles_persons as persons
import oracles_uncertainty as rules

Names = frozenset[str]
Shown = dict[str, Names]  # the items that a release shows of each transaction
Group = tuple[frozenset[int], Names]  # the releases that show it, and its transactions
Twin = tuple[Names, ...]  # the items of a transaction in each release that shows it


def shown(path: Path, item: str = "items") -> Shown:
    """The transactions of a file in LIST form, as the text that a reader of it sees."""
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"SELECT tid::VARCHAR, list_transform({item}, one -> one::VARCHAR) "  # noqa: S608
            f"FROM '{path}'"
        ).fetchall()
    return {key: frozenset(items) for key, items in rows}


def groups(releases: Sequence[Shown]) -> Iterator[tuple[frozenset[int], list[str]]]:
    """For every set of releases, the transactions that are in exactly the same of them."""
    numbers = range(len(releases))
    for size in range(1, len(releases) + 1):
        for chosen in combinations(numbers, size):
            present: dict[frozenset[int], list[str]] = {}
            for key in sorted(set().union(*(releases[one] for one in chosen))):
                where = frozenset(one for one in chosen if key in releases[one])
                present.setdefault(where, []).append(key)
            yield from present.items()


def joint(releases: Sequence[Shown], where: frozenset[int], key: str) -> Names:
    """Everything that these releases show of a transaction."""
    return frozenset().union(*(releases[one][key] for one in where))


def twins(releases: Sequence[Shown], where: frozenset[int], key: str) -> Twin:
    return tuple(releases[one][key] for one in sorted(where))


@dataclass(frozen=True, slots=True)
class Promise:
    """A model with its parameters, as its oracle takes them."""

    model: str
    k: int = 2
    p: int = 2  # also m
    share: Fraction = Fraction(1)  # h or rho
    private: Names = frozenset()

    def kept(
        self,
        releases: Sequence[Shown],
        where: frozenset[int],
        keys: Sequence[str],
        whose: Mapping[str, int],
    ) -> bool:
        """Does J_S keep the promise among these transactions?"""
        return JUDGES[self.model](self, releases, where, keys, whose)


def _owned(
    releases: Sequence[Shown],
    where: frozenset[int],
    keys: Sequence[str],
    whose: Mapping[str, int],
) -> list[persons.Owned]:
    return [persons.Owned(joint(releases, where, key), whose[key]) for key in keys]


def _coherent(
    promise: Promise,
    releases: Sequence[Shown],
    where: frozenset[int],
    keys: Sequence[str],
    whose: Mapping[str, int],
) -> bool:
    held = _owned(releases, where, keys, whose)
    for known in persons.sets(held, promise.p, least=0, without=promise.private):
        cohort = persons.cohort(held, known)
        if persons.persons(cohort) < promise.k:
            return False
        for secret in promise.private:
            both = persons.cohort(cohort, frozenset([secret]))
            in_persons = Fraction(persons.persons(both), persons.persons(cohort))
            if max(Fraction(len(both), len(cohort)), in_persons) > promise.share:
                return False
    return True


def _km(
    promise: Promise,
    releases: Sequence[Shown],
    where: frozenset[int],
    keys: Sequence[str],
    whose: Mapping[str, int],
) -> bool:
    held = _owned(releases, where, keys, whose)
    return all(
        persons.persons(persons.cohort(held, one)) >= promise.k
        for one in persons.sets(held, promise.p)
    )


def _k(
    promise: Promise,
    releases: Sequence[Shown],
    where: frozenset[int],
    keys: Sequence[str],
    whose: Mapping[str, int],
) -> bool:
    """Twins agree in every release, on all but private items."""
    known = [{key: held - promise.private for key, held in one.items()} for one in releases]
    both = {(twins(known, where, key), whose[key]) for key in keys}
    return min(Counter(one for one, _ in both).values()) >= promise.k


def _certain(
    promise: Promise,
    releases: Sequence[Shown],
    where: frozenset[int],
    keys: Sequence[str],
    whose: Mapping[str, int],
) -> bool:
    names = sorted(set().union(*(joint(releases, where, key) for key in keys)))
    held = [frozenset(map(names.index, joint(releases, where, key))) for key in keys]
    secrets = [names.index(one) for one in promise.private & set(names)]
    return not rules.unsafe_rules(held, secrets, promise.share, owners=[whose[key] for key in keys])


Judge = Callable[[Promise, Sequence[Shown], frozenset[int], Sequence[str], Mapping[str, int]], bool]
JUDGES: dict[str, Judge] = {
    "coherence": _coherent,
    "km-anonymity": _km,
    "k-anonymity": _k,
    "uncertainty": _certain,
}


MODELS = list(JUDGES)
SHARES = [Fraction(1, 2), Fraction(3, 4), Fraction(1)]


def promise_of(model: str, seed: int) -> Promise:
    chance = random.Random(seed)
    k, p, share = chance.choice((2, 2, 3)), chance.choice((1, 2, 3)), chance.choice(SHARES)
    unlisted = model == "km-anonymity" or (model == "k-anonymity" and seed % 2)
    private = frozenset() if unlisted else frozenset("a")
    return Promise(model, k, p, share, private)


def terms_of(promise: Promise) -> dict[str, Any]:
    k, p, share, secret = promise.k, promise.p, str(promise.share), sorted(promise.private)
    return {
        "coherence": {"k": k, "p": p, "h": share, "private": secret, "ignore_unknown": True},
        "km-anonymity": {"k": k, "m": p},
        "k-anonymity": {"k": k, "private": secret or None, "ignore_unknown": True},
        "uncertainty": {"sensitive": secret, "rho": share, "ignore_unknown": True},
    }[promise.model]


def failing(
    releases: Sequence[Shown], promise: Promise, whose: Mapping[str, int] | None = None
) -> set[Group]:
    """The groups in which a set of releases breaks the promise."""
    keys = sorted(set().union(*releases))
    owners = {key: place for place, key in enumerate(keys)} if whose is None else whose
    return {
        (where, frozenset(group))
        for where, group in groups(releases)
        if not promise.kept(releases, where, group, owners)
    }


# Histories


@dataclass(frozen=True, slots=True)
class History:
    """Releases of growing data, and the person of each transaction."""

    releases: tuple[Shown, ...]
    whose: dict[str, int] = field(default_factory=dict)


def random_history(
    chance: random.Random,
    *,
    releases: int = 3,
    names: str = "abc",
    mark: str = "",
    always: str = "",
) -> History:
    """Releases of data that grows, with late rows, deletions, and suppressed occurrences.

    Transactions come in kinds, mostly of two that arrive and go together: else no release would
    keep a promise. A release may also take rows at random, as those of a query do. Every release
    shows the item `always` of all transactions. All names begin with the mark.
    """
    odd = chance.choice((0.0, 0.0, 0.1))
    data: dict[str, Names] = {}
    span: dict[str, tuple[int, int]] = {}
    lost: dict[tuple[str, int], Names] = {}
    for kind in range(chance.randint(1, 3)):
        items = frozenset(f"{mark}{one}" for one in names if chance.random() < 0.6)
        when = chance.choice((0, 0, 0, 1, 1, 2)), chance.choice((9, 9, 9, 9, 1, 2))
        less = [_some(chance, items, chance.choice((0, 0, 0.4))) for _ in range(releases)]
        for copy in range(chance.choice((1, 2, 2, 2, 2, 3))):
            key = f"{mark}{kind}{copy}"
            late = chance.random() < odd
            data[key], span[key] = items, (chance.randrange(releases) if late else when[0], when[1])
            for n in range(releases):
                lost[key, n] = less[n] | _some(chance, items, odd)
    made = []
    for n in range(releases):
        anyhow = chance.random() < odd
        made.append({
            key: (items - lost[key, n]) | {f"{mark}{one}" for one in always}
            for key, items in data.items()
            if (chance.random() < 0.6 if anyhow else span[key][0] <= n < span[key][1])
        })  # fmt: skip
    whose = {key: int(key[-1]) if chance.random() < 0.8 else chance.randrange(3) for key in data}
    return History(tuple(made), whose)


def _some(chance: random.Random, items: Names, share: float) -> Names:
    return frozenset(one for one in sorted(items) if chance.random() < share)


def merged(histories: Sequence[History]) -> History:
    """Several histories as one: their names differ, so no itemset spans two of them."""
    releases = zip(*(one.releases for one in histories), strict=True)
    whose = {
        key: 100 * number + person
        for number, one in enumerate(histories)
        for key, person in one.whose.items()
    }
    return History(tuple(dict(ChainMap(*same)) for same in releases), whose)


def write_persons(whose: Mapping[str, int], folder: Path) -> str:
    """Write the person of each transaction, as the source of the releases has them."""
    return write_owned(dict.fromkeys(whose, frozenset()), whose, folder, "persons")


def write_owned(
    held: Mapping[str, Names], whose: Mapping[str, int], folder: Path, name: str = "original"
) -> str:
    """Write transactions with their persons; return the name of the file."""
    path = folder / f"{name}.parquet"
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE w (tid VARCHAR, who INTEGER, items VARCHAR[])")
        rows = [[*held], [whose[key] for key in held], [sorted(items) for items in held.values()]]
        connection.execute(
            "INSERT INTO w SELECT UNNEST($1::VARCHAR[]), UNNEST($2::INTEGER[]), "
            "UNNEST($3::VARCHAR[][])",
            rows,
        )
        connection.execute(f"COPY w TO '{path}' (FORMAT parquet)")
    return str(path)


def write(releases: Sequence[Shown], folder: Path) -> list[str]:
    """Write each release in LIST form; return the names of the files."""
    paths = []
    with duckdb.connect() as connection:
        for number, held in enumerate(releases, 1):
            path = folder / f"r{number}.parquet"
            connection.execute("CREATE OR REPLACE TABLE r (tid VARCHAR, items VARCHAR[])")
            connection.execute(
                "INSERT INTO r SELECT UNNEST($1::VARCHAR[]), UNNEST($2::VARCHAR[][])",
                [list(held), [sorted(items) for items in held.values()]],
            )
            connection.execute(f"COPY r TO '{path}' (FORMAT parquet)")
            paths.append(str(path))
    return paths
