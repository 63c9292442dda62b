"""The key of another release, or another source, is refused: it finds the persons of others."""

from __future__ import annotations

import json
import random

import duckdb
import pytest

import setveil
from runs import read_parquet
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.run.roles import matching
from setveil.verify import PersonsOf

COUNT = ["--k", "2", "--p", "1"]
PERSONS = ["--person", "who", "--persons-of", "long.parquet"]


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Transactions of two persons each, in both layouts, and a file of the persons alone."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(1)
    rows = [
        (f"T{tid:03}", item, f"p{tid // 2}")
        for tid in range(60)
        for item in ["all", *(["rare"] if tid < 2 else []), *chance.sample("abcdefgh", 3)]
    ]
    with duckdb.connect() as duck:
        duck.execute("CREATE TABLE t (tid VARCHAR, item VARCHAR, who VARCHAR)")
        duck.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        duck.execute("COPY t TO 'long.parquet'")
        duck.execute("COPY (SELECT DISTINCT tid, who FROM t) TO 'persons.parquet'")
        duck.execute(
            "COPY (SELECT tid, LIST(item) AS item, MIN(who) AS who FROM t GROUP BY tid) "
            "TO 'lists.parquet'"
        )
        duck.execute("COPY (SELECT tid, 'other ' || item AS item, who FROM t) TO 'renamed.parquet'")
        duck.execute(
            "COPY (SELECT 'T' || LPAD(((SUBSTR(tid, 2)::INT + 1) % 60)::TEXT, 3, '0') AS tid, "
            "item, who FROM t) TO 'next.parquet'"
        )
    return tmp_path


def released(source, name, *words):
    made = [*words] or ["coherence", *COUNT]
    out = ["--out", f"{name}.parquet", "--renumber", "--key", f"{name}-key.parquet", "--quiet"]
    assert run([made[0], source, *made[1:], "--person", "who", *out]) == 0


@pytest.mark.parametrize("source", ["long", "lists"])
def test_the_key_of_another_release_is_refused(shop, capsys, source):
    whole = f"{source}.parquet"
    for name in ("one", "two"):
        released(whole, name)
    persons = ["--person", "who", "--persons-of", whole]
    verify = ["verify", "coherence", "one.parquet", *COUNT, *persons, "--key"]
    compare = ["compare", whole, "one.parquet", "--key"]
    for command in (verify, compare):
        assert run([*command, "one-key.parquet"]) == 0
        assert "trust" not in capsys.readouterr().err
        assert run([*command, "two-key.parquet"]) == 2
        said = capsys.readouterr()
        assert "are not in their transaction of" in said.err
        assert "holds" not in said.out
    history = ["verify", "coherence", "one.parquet", "two.parquet", "--history", *COUNT, *persons]
    right = ["--key", "one-key.parquet", "--key", "two-key.parquet"]
    assert run([*history, *right]) == 0
    assert run([*history, *right[:3], "one-key.parquet"]) == 2
    assert "two.parquet: " in capsys.readouterr().err


def test_without_its_source_a_key_is_trusted_and_that_is_said(shop, capsys):
    for name in ("one", "two"):
        released("long.parquet", name)
    history = ["verify", "coherence", "one.parquet", "two.parquet", "--history", *COUNT]
    assert run([*history, "--key", "one-key.parquet", "--key", "two-key.parquet"]) == 0
    assert f"note: {matching.TRUSTED}" in capsys.readouterr().err


def test_another_source_is_refused(shop, capsys):
    """Ids that were kept, or forgotten to be restored, can name transactions of other data."""
    released = ["coherence", "long.parquet", *COUNT, "--person", "who", "--out", "safe.parquet"]
    assert run([*released, "--quiet"]) == 0
    command = ["verify", "coherence", "safe.parquet", *COUNT, "--person", "who", "--persons-of"]
    for source, code, told in (
        ("long", 0, "note: no verdict covers"),
        ("next", 2, "are not in their transaction of next.parquet"),
        ("renamed", 0, matching.UNMATCHED),
        ("persons", 0, matching.UNMATCHED),
    ):
        assert run([*command, f"{source}.parquet"]) == code
        said = capsys.readouterr().err
        assert told in said
        assert (matching.UNMATCHED in said) == (told == matching.UNMATCHED)


def test_items_of_a_generalized_release_are_compared(shop, capsys):
    for name in ("one", "two"):
        released("long.parquet", name, "km-anonymity", "--k", "4", "--m", "1", "--fanout", "3")
    assert {row[2] for row in read_parquet("one.parquet")} == {0, 1}
    command = ["verify", "km-anonymity", "one.parquet", "--k", "4", "--m", "1", *PERSONS, "--key"]
    assert run([*command, "one-key.parquet"]) == 0
    assert run([*command, "two-key.parquet"]) == 2


@pytest.mark.everywhere
def test_each_occurrence_is_looked_up_in_its_transaction(connection):
    """By brute force: what is published, minus what the source has."""
    chance = random.Random(7)
    for round_ in range(4):
        source = {(t, i) for t in range(30) for i in chance.sample("abcdef", 3)}
        shown = {one for one in source if chance.random() < 0.8}
        wrong = set()
        if round_:
            wrong = {(chance.randrange(30), chance.choice("abcdefx")) for _ in range(round_)}
        connection.execute("CREATE OR REPLACE TABLE whole (tid INTEGER, item VARCHAR, who VARCHAR)")
        connection.executemany(
            "INSERT INTO whole VALUES ($1, $2, $3)", [(t, i, f"p{t}") for t, i in sorted(source)]
        )
        connection.execute("CREATE OR REPLACE TABLE part (tid INTEGER, item VARCHAR)")
        connection.executemany("INSERT INTO part VALUES ($1, $2)", sorted(shown | wrong))
        strange = {one for one in wrong - source if one[1] != "x"}
        with setveil.read(connection, "part") as baskets:
            persons = PersonsOf("whole", "who")
            if strange:
                with pytest.raises(InputError, match=f": {len(strange)} occurrence"):
                    setveil.verify.coherence(baskets, k=1, p=1, persons=persons)
            else:
                setveil.verify.coherence(baskets, k=1, p=1, persons=persons)


def test_a_ledger_is_a_key_though_transactions_lost_all_items(shop, tmp_path, capsys):
    """They are in no slice, and so they have no number."""
    with duckdb.connect() as duck:
        duck.execute(
            "COPY (FROM 'long.parquet' UNION ALL SELECT 'L' || range, 'rare ' || range, 'p1' "
            "FROM RANGE(3)) TO 'more.parquet'"
        )
    made = ["coherence", "more.parquet", *COUNT, "--person", "who", "--append", "safe"]
    assert run([*made, "--renumber", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["emptied_transactions"] == 3
    verify = ["verify", "coherence", "safe", *COUNT, "--person", "who"]
    persons = ["--persons-of", "more.parquet", "--key", "safe.ledger"]
    assert run([*verify, *persons]) == 0
    assert "60 transactions of 30 persons" in capsys.readouterr().out
    assert run(["compare", "more.parquet", "safe/*.parquet", "--key", "safe.ledger"]) == 0


def test_of_many_transactions_a_part_is_compared(shop, monkeypatch):
    for name in ("one", "two"):
        released("long.parquet", name)
    monkeypatch.setattr(matching, "MOST", 9)  # every seventh of 60
    persons = PersonsOf("long.parquet", "who")
    with setveil.read("one.parquet", key="one-key.parquet") as baskets:
        assert setveil.verify.coherence(baskets, k=2, p=1, persons=persons).holds
    with setveil.read("one.parquet", key="two-key.parquet") as baskets:
        with pytest.raises(InputError, match=r"of (2\d|3\d) compared"):
            setveil.verify.coherence(baskets, k=2, p=1, persons=persons)
