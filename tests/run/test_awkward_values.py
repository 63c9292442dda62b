"""Releases of awkward values keep their promise for whoever reads the file that was written.

The definitions are tried on the file's text, by brute force and without any of setveil's code.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import setveil
from awkward import Data, Transaction, as_given, drawn, put, reader, seen
from oracles_files import certain, coherent, hidden, k_anonymous, km_anonymous, within
from setveil.errors import InputError, UnreachableError

pytestmark = pytest.mark.only_on("duckdb", reason="its own types")

CHUNK, FEW, MANY = 30, 60, 3_000

Texts = dict[str, Transaction]
Judge = Callable[[list[Transaction]], bool]
Made = tuple[setveil.Release[object], Judge]


class Try:
    """One database, released by one model."""

    def __init__(self, seed: int, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.data: Data = drawn(self.chance)
        self.connection = connection
        put(connection, self.data)
        self.given = as_given(connection, self.data)
        self.items = sorted(frozenset().union(*self.given.values()))
        self.path = folder / f"{seed}{self.data.suffix}"
        self.key = folder / f"{seed}.key.parquet"
        self.k = self.chance.choice((2, 2, 3))
        self.size = self.chance.choice((1, 2, 2))
        self.share = Fraction(self.chance.choice((1, 2, 3)), 4)
        self.some = frozenset(self.chance.sample(self.items, min(len(self.items), 1)))

    def coherence(self, baskets: setveil.Baskets) -> tuple[object, Judge]:
        private = self.some if self.chance.random() < 0.5 else frozenset()
        made = setveil.coherence(
            baskets, k=self.k, p=self.size, h=self.share, private=sorted(private)
        )
        return made, lambda held: coherent(held, private, self.share, self.k, self.size)

    def k_anonymity(self, baskets: setveil.Baskets) -> tuple[object, Judge]:
        made = setveil.k_anonymity(baskets, k=self.k, fanout=2)
        return made, lambda held: k_anonymous(held, self.k)

    def km_anonymity(self, baskets: setveil.Baskets) -> tuple[object, Judge]:
        made = setveil.km_anonymity(baskets, k=self.k, m=self.size, fanout=2)
        return made, lambda held: km_anonymous(held, self.k, self.size)

    def uncertainty(self, baskets: setveil.Baskets) -> tuple[object, Judge]:
        made = setveil.uncertainty(baskets, sensitive=sorted(self.some), rho=self.share)
        return made, lambda held: certain(held, self.some, self.share)

    def hiding(self, baskets: setveil.Baskets) -> tuple[object, Judge]:
        pattern = frozenset(self.chance.sample(self.items, min(len(self.items), self.size)))
        made = setveil.hiding(baskets, patterns=[sorted(pattern)], psi=self.share)
        before = list(self.given.values())
        return made, lambda held: hidden(before, held, pattern, self.share)

    def rename(self, baskets: setveil.Baskets) -> tuple[object, Judge]:
        made = setveil.rename(baskets, key=self.key, seed=1)
        return made, self.is_renamed

    def is_renamed(self, held: list[Transaction]) -> bool:
        """By the key, the transactions are those that were there."""
        rows = reader().read_parquet(str(self.key))
        names = dict(rows.project("CAST(code AS VARCHAR), CAST(name AS VARCHAR)").fetchall())
        back = Counter(frozenset(names[code] for code in one) for one in held)
        return back == Counter(one for one in self.given.values() if one or self.data.lists)

    def run(self, model: str) -> str:
        """What came of it; an error where the file does not keep the promise."""
        try:
            with setveil.read(self.connection, "given") as baskets:
                made, judge = getattr(self, model.replace("-", "_"))(baskets)
                made.write(self.path)
        except UnreachableError:
            return "unreachable"
        except InputError as error:
            assert self.may_refuse(model), f"{self.data}: {model}: {error}"
            return "refused"
        assert not self.data.refused, self.data
        found = seen(self.path, self.data)
        assert judge([frozenset(names) for _, names in found]), (model, self.data, found)
        self.check_what_is_left(model, found)
        return "released"

    def may_refuse(self, model: str) -> bool:
        """Has the type equal values that look different, or the format no place for a name?"""
        if self.data.refused or not self.some:
            return True
        if self.path.suffix in (".dat", ".basket"):
            if model in ("k-anonymity", "km-anonymity"):
                return True
            return any(_is_unwritable(name) for name in self.items)
        whole = {self.data.key: self.given, self.data.item: self.items}
        return self.path.suffix == ".parquet" and "24:00:00" in whole.get("TIME", ())

    def check_what_is_left(self, model: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
        """Every id and item once, and nothing that was not there."""
        for _, names in found:
            assert len(set(names)) == len(names), (model, self.data, found)
        if self.data.lists:
            assert len(found) == len(self.given), (model, self.data, found)
        if self.data.key and self.path.suffix not in (".dat", ".basket"):
            after = {key: frozenset(names) for key, names in found}
            assert len(after) == len(found) and after.keys() <= self.given.keys(), self.data
            if model in ("coherence", "uncertainty", "hiding"):
                assert within(self.given, after), (model, self.data, found)


def _is_unwritable(name: str) -> bool:
    """Would a reader of lines and words find anything else?"""
    return (
        not name
        or "," in name
        or name[0] == "\ufeff"
        or any(one.isspace() or not one.isprintable() for one in name)
    )


# The dear ones are tried less often.
MODELS = (
    ("coherence",) * 8
    + ("rename",) * 5
    + ("hiding",) * 3
    + ("km-anonymity", "k-anonymity", "uncertainty")
)


def tried(first: int, number: int, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """So many databases; each model has releases among them."""
    came: Counter[tuple[str, str]] = Counter()
    for seed in range(first, first + number):
        model = MODELS[seed % len(MODELS)]
        came[model, Try(seed, connection, folder).run(model)] += 1
    released = sum(count for (_, what), count in came.items() if what == "released")
    assert released > number / 3, came


@pytest.mark.few(1)
@pytest.mark.parametrize("first", range(0, FEW, CHUNK))
def test_what_is_written_keeps_the_promise(connection, tmp_path, first):
    tried(first, CHUNK, connection, tmp_path)


def chunks():
    """The first four for CI, too."""
    firsts = range(FEW, FEW + MANY, 10 * CHUNK)
    return [*firsts[:4], *(pytest.param(first, marks=pytest.mark.long) for first in firsts[4:])]


@pytest.mark.slow
@pytest.mark.parametrize("first", chunks())
def test_what_is_written_keeps_the_promise_of_many(connection, tmp_path, first):
    tried(first, 10 * CHUNK, connection, tmp_path)
