"""Replay a release that counts persons: its source tells them, and a key matches its ids."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

import setveil

# Only Ann holds `b`; of the four transactions with `a` two are hers.
ROWS = (
    "(1, 'a', 'Ann'), (1, 'b', 'Ann'), (2, 'a', 'Ann'), (2, 'b', 'Ann'), (3, 'a', 'Bob'), "
    "(4, 'a', NULL)"
)


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    """The trail of a release for k = 2 persons, read from a table, with random ids."""
    database = tmp_path / "t.duckdb"
    with duckdb.connect(str(database)) as duck:
        duck.execute(f"CREATE TABLE t AS FROM (VALUES {ROWS}) AS t (tid, item, who)")  # noqa: S608
    with setveil.read("t", database=database, person="who", guests="own") as baskets:
        release = setveil.coherence(baskets, k=2, p=2)
        out, key = tmp_path / "safe.parquet", tmp_path / "key.csv"
        release.write(out, trail=tmp_path / "t.sql", renumber=True, key=key)
    return tmp_path / "t.sql"


def forged(trail: Path, old: str, new: str) -> Path:
    text = trail.read_text()
    assert old in text
    trail.write_text(text.replace(old, new))
    return trail


def test_a_replay_counts_the_persons_of_the_source(trail: Path) -> None:
    found = setveil.replay(trail, key=trail.parent / "key.csv")
    assert (found.same, found.holds) == (True, True)
    assert found.promise[-1] == (
        "  in persons, by the column 'who' of the source, each guest a person"
    )


def test_random_ids_need_their_key(trail: Path) -> None:
    with pytest.raises(setveil.InputError, match="name the key of its ids with key="):
        setveil.replay(trail)


def test_too_few_persons_are_found(trail: Path) -> None:
    """The head promises more than the run did: three persons hold `a`, not four."""
    forged(trail, '"k": 2, "p"', '"k": 4, "p"')
    found = setveil.replay(trail, key=trail.parent / "key.csv")
    assert (found.same, found.holds) == (True, False)
    assert "the 4 transactions of 3 persons are left, fewer than k" in found.refusal


def test_the_head_names_no_source_of_its_own(trail: Path) -> None:
    """A query in a forged head is not run: each transaction would be of a person of its own."""
    query = "SELECT tid, item, tid AS who FROM t"
    forged(trail, f"of {json.dumps('t')}", f"of {json.dumps(query)}")
    forged(trail, '"k": 2, "p"', '"k": 4, "p"')
    assert setveil.replay(trail, key=trail.parent / "key.csv").holds is False


def test_another_key_would_make_other_persons(trail: Path) -> None:
    """The numbers of two transactions change places: each set seems to be of more persons."""
    key = trail.parent / "key.csv"
    assert "input: key" in setveil.replay(trail, key=key).inputs[-1]
    rows = dict(line.split(",") for line in key.read_text().splitlines()[1:])
    rows["1"], rows["4"] = rows["4"], rows["1"]
    other = trail.parent / "other.csv"
    other.write_text("id,number\n" + "".join(f"{one},{n}\n" for one, n in rows.items()))
    with pytest.raises(setveil.InputError, match="this key is not the one that the run wrote"):
        setveil.replay(trail, key=other)
    with pytest.raises(setveil.InputError, match="no such file"):
        setveil.replay(trail, key=trail.parent / "gone.csv")


def test_a_head_without_the_digest_of_its_key_says_so(trail: Path) -> None:
    key = trail.parent / "key.csv"
    head = re.sub(r', "key_sha256": "[0-9a-f]+"', "", trail.read_text())
    assert head != trail.read_text()
    trail.write_text(head)
    found = setveil.replay(trail, key=key)
    assert found.holds and "the head has no digest of it" in found.inputs[-1]


def test_hiding_with_random_ids_is_matched_by_the_key(tmp_path: Path) -> None:
    with duckdb.connect() as duck:
        rows = f"FROM (VALUES {ROWS}) AS t (tid, item, who)"
        duck.execute(f"COPY (SELECT tid, item {rows}) TO '{tmp_path}/t.csv'")  # noqa: S608
    with setveil.read(tmp_path / "t.csv") as baskets:
        release = setveil.hiding(baskets, patterns=[("a", "b")])
        key = tmp_path / "key.csv"
        release.write(tmp_path / "h.csv", trail=tmp_path / "h.sql", renumber=True, key=key)
    with pytest.raises(setveil.InputError, match="name the key of its ids"):
        setveil.replay(tmp_path / "h.sql")
    found = setveil.replay(tmp_path / "h.sql", key=key)
    assert (found.same, found.holds) == (True, True)
