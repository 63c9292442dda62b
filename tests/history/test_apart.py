"""Promises of one release: several are judged one by one, unless they share a transaction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import setveil
from runs import parquet
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.history.told import HistoryVerdict

ROWS = """
    SELECT t.range AS tid, i.item AS item
    FROM RANGE({first}, {last}) AS t, (VALUES ('a', 2), ('b', 3), ('e', 1), ('s', 6)) AS i(item, n)
    WHERE t.range % i.n = 0
"""
GROUPS = {"sensitive": ["s"], "degree": 3}
HIDDEN = {"patterns": [["a", "b"]], "psi": "0.25"}
SPANS = {"one": (0, 30), "two": (30, 70), "both": (20, 50), "all": (0, 70)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("apart")
    for name, (first, last) in SPANS.items():
        path = parquet(folder / f"{name}.parquet", ROWS.format(first=first, last=last))
        with setveil.read(path) as baskets:
            setveil.permutation(baskets, **GROUPS).write(folder / f"p_{name}")
            setveil.hiding(baskets, **HIDDEN).write(folder / f"h_{name}.parquet")
    return folder


def groups(folder: Path, *names: str, **promise: object) -> HistoryVerdict:
    first, *others = (str(folder / f"p_{one}") for one in names)
    with setveil.read(f"{first}/transactions.parquet") as baskets:
        return setveil.verify.history("permutation", baskets, *others, **(GROUPS | promise))


def hidden(folder: Path, *names: str, **promise: object) -> HistoryVerdict:
    first, *others = (str(folder / f"h_{one}.parquet") for one in names)
    original = folder / "all.parquet"
    with setveil.read(first) as baskets:
        given = HIDDEN | promise
        return setveil.verify.history("hiding", baskets, *others, original=original, **given)


@pytest.mark.parametrize("judge", [groups, hidden])
def test_releases_without_common_transactions_are_judged_one_by_one(folder, judge):
    found = judge(folder, "one", "two")
    assert found.holds and found.judged == 2 and found.transactions == 70


@pytest.mark.parametrize("judge", [groups, hidden])
def test_releases_with_a_common_transaction_are_refused(folder, judge):
    with pytest.raises(InputError, match="two of these share transactions"):
        judge(folder, "one", "both")


def test_the_release_at_fault_is_named(folder, capsys):
    found = groups(folder, "one", "two", degree=4)
    assert not found.holds and {one.shown[0].split("/")[-2] for one in found.broken} == {
        "p_one", "p_two"
    }  # fmt: skip
    weaker = hidden(folder, "one", "two", psi="0.1")
    assert not weaker.holds and weaker.broken[0].violations[0].items == ("a", "b")
    words = ["verify", "permutation", "--history", f"{folder}/p_one", f"{folder}/p_two"]
    more = ["--sensitive", "where:name = 's'", "--degree"]
    assert run([*words, *more, "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["guarantee"]["holds"] is True
    assert run([*words, *more, "4"]) == 1
    assert "transactions has 's'" in capsys.readouterr().out
