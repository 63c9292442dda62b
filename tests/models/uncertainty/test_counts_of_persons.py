"""The persons that the search counts are those of the definition, at the end of its last pass."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest

import setveil
from setveil.sql.models.uncertainty import effects, exchanges
from setveil.sql.step import render
from setveil.sql.subsets import Frame

Codes = frozenset[int]


@dataclass(frozen=True)
class Left:
    """The remaining transactions of a run as codes, each with its person."""

    guarded: dict[int, tuple[int, Codes]]
    others: list[tuple[int, Codes]]
    counted: dict[Codes, int]
    cohorts: set[Codes]  # harmless sets that are counted in all transactions
    elsewhere: dict[Codes, int]
    gained: list[dict[str, Any]]
    changed: dict[int, int]  # changes, each with its transaction

    def persons(self, codes: Codes) -> set[int]:
        """Persons of guarded transactions; of others, where the search counts the itemset."""
        found = {who for who, held in self.guarded.values() if codes <= held}
        if codes in self.cohorts:
            found |= {who for who, held in self.others if codes <= held}
        return found


def seeded(seed: int) -> list[tuple[int, int, int]]:
    """Rows (tid, item, person): the transactions of a person are alike."""
    dice, rows = random.Random(seed), []
    own = [dice.sample(range(9), 5) for _ in range(14)]
    for tid in range(70):
        who = dice.randrange(14)
        some = {dice.choice([*own[who], 6, 7, 8]) for _ in range(dice.randint(1, 6))}
        rows += [(tid, item, who) for item in sorted(some)]
    return rows


def ran(connection: duckdb.DuckDBPyConnection, seed: int, patch: pytest.MonkeyPatch) -> Left:
    patch.setattr("setveil.models.uncertainty.anonymize.LONGEST", 4)
    patch.setattr("setveil.models.uncertainty.cohorts.TURN", 400 if seed % 2 else 10**6)
    frames: list[Frame] = []
    moved = exchanges.moved
    patch.setattr(exchanges, "moved", lambda frame: (frames.append(frame), moved(frame))[1])
    connection.execute("CREATE OR REPLACE TABLE owned (tid INTEGER, item INTEGER, who INTEGER)")
    connection.executemany("INSERT INTO owned VALUES ($1, $2, $3)", seeded(seed))
    with setveil.read(connection, "owned", person="who") as baskets:
        setveil.uncertainty(baskets, sensitive=[0, 1, 5], rho="0.6")
        return left(baskets.session.backend, frames[-1])


def left(backend: Any, frame: Frame) -> Left:
    assert frame.keys == range(1)  # a set of codes is one number: its digits are the codes

    def rows(text: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in backend.rows("test", text)]

    def codes(key: int) -> Codes:
        digits = []
        while key:
            key, digit = divmod(key, frame.radix)
            digits.append(digit)
        return frozenset(digits)

    places = ", ".join(f"p_{n}" for n in frame.columns)
    arranged = rows(f"SELECT tid, person, {places} FROM arranged")  # noqa: S608
    apart = rows(
        "SELECT tid, ANY_VALUE(person), LIST(code) FROM apart JOIN basket USING (tid) GROUP BY tid"
    )
    names = ("number", "secret", "own", "persons", "known_persons", "fresh", "own_person", "q_0")
    gained = f"SELECT {', '.join(names)} FROM ({render(effects.gained_rules(frame, 'promising'))})"  # noqa: S608
    return Left(
        guarded={tid: (who, frozenset(held) - {0}) for tid, who, *held in arranged},
        others=[(who, frozenset(held)) for _, who, held in apart],
        counted={codes(key): n for key, n in rows("SELECT k_0, persons FROM counted")},
        cohorts={codes(key) for (key,) in rows("SELECT k_0 FROM cohort")},
        elsewhere={codes(key): n for key, n in rows("SELECT k_0, persons FROM elsewhere")},
        gained=[
            dict(zip(names, row, strict=True)) | {"known": codes(row[-1])} for row in rows(gained)
        ],
        changed=dict(rows("SELECT number, tid FROM promising")),
    )


@pytest.mark.only_on("duckdb", reason="the search is read in the middle of a run")
def test_persons_are_counted_once(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person of guarded and of other transactions is one person."""
    both = 0
    for seed in range(2):
        found = ran(connection, seed, monkeypatch)
        for codes, persons in found.counted.items():
            assert persons == len(found.persons(codes))
        for codes, persons in found.elsewhere.items():
            others = {who for who, held in found.others if codes <= held}
            assert persons == len(others)
            guarded = {who for who, held in found.guarded.values() if codes <= held}
            both += len(others & guarded)
    assert both > 10


@pytest.mark.only_on("duckdb", reason="the search is read in the middle of a run")
def test_a_change_says_whether_its_person_is_new(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_before = held_before = 0
    for seed in range(3):
        found = ran(connection, seed, monkeypatch)
        for rule in found.gained:
            who, _ = found.guarded[found.changed[rule["number"]]]
            known, whole = rule["known"], rule["known"] | {rule["secret"]}
            assert rule["persons"] == len(found.persons(whole))
            assert rule["fresh"] == (who not in found.persons(whole))
            if known not in found.counted:  # at most this transaction holds it: not counted
                assert found.persons(known) <= {who}
                continue
            assert rule["known_persons"] == len(found.persons(known))
            assert rule["own_person"] == (who not in found.persons(known))
            held_before += not rule["fresh"]
            known_before += rule["own"] and not rule["own_person"]
    assert known_before > 5 and held_before > 5
