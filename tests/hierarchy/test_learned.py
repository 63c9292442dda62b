"""A hierarchy that is learned from transactions: by hand, and what its labels may say."""

from __future__ import annotations

import json
import random
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.hierarchy import learned
from setveil.sql.hierarchy import learned as sql


def rows(seed=0, *, names=lambda n: f"i{n:02}"):
    """Two kinds of transactions, with frequent items, and one item that is in a single one."""
    chance = random.Random(seed)
    held = []
    for tid in range(300):
        low = 0 if tid % 2 else 20
        items = {low + min(int(chance.expovariate(0.3)), 11) for _ in range(6)}
        held += [(tid, names(n)) for n in sorted(items)]
    return [*held, (1, names(99))]


def read(connection, given):
    connection.execute("CREATE OR REPLACE TABLE bought (tid INTEGER, item VARCHAR)")
    connection.executemany("INSERT INTO bought VALUES ($1, $2)", given)
    return setveil.read(connection, "bought")


def tree_of(baskets):
    columns = "name", "level1", "level2", "level3"
    query = f"SELECT {', '.join(columns)} FROM given_hierarchy ORDER BY name"  # noqa: S608
    found = baskets.session.backend.rows("tree", query)
    return {str(name): tuple(map(str, labels)) for name, *labels in found}


@pytest.mark.everywhere
def test_items_that_are_bought_together_share_a_node(connection, monkeypatch):
    monkeypatch.setattr(sql, "ANCHORS", 2)
    given = rows()
    support = {item: sum(one == item for _, one in given) for _, item in given}
    with read(connection, given) as baskets:
        found = learned.learned_hierarchy(baskets, "baskets", k=5, private=["i01"])
        tree = tree_of(baskets)
    assert found.leaves == len(support) and set(tree) == set(support)
    low = {labels[2] for item, labels in tree.items() if item < "i20" and item != "i01"}
    high = {labels[2] for item, labels in tree.items() if "i20" <= item < "i99"}
    assert len(low) == len(high) == 1 and low != high
    assert tree["i01"][2] not in low | high, "a private item has no part in it"
    labels = {label for each in tree.values() for label in each}
    for item, number in support.items():
        if number < 5 or item == "i01":
            assert not any(item in label for label in labels)
    eights = sorted(
        (item for item in tree if tree[item][2] in low), key=lambda one: (-support[one], one)
    )
    assert len({tree[item][0] for item in eights[:8]}) == 1 == len({tree[i][1] for i in eights})
    assert tree[eights[8]][0] != tree[eights[7]][0]
    assert tree[eights[0]][0].startswith(f"{eights[0]}, {eights[1]} …")


def test_no_label_is_an_item(connection):
    given = rows()
    with read(connection, given) as baskets:
        learned.learned_hierarchy(baskets, "baskets", k=5)
        label = tree_of(baskets)["i00"][0]
    with read(connection, [*given, (0, label)]) as baskets:
        learned.learned_hierarchy(baskets, "baskets", k=5)
        tree = tree_of(baskets)
    assert label in tree and label not in {one for labels in tree.values() for one in labels}


def test_mistakes_are_told(connection):
    with read(connection, rows()) as baskets:
        with pytest.raises(InputError, match="baskets"):
            learned.learned_hierarchy(baskets, "stars", k=5)
        with pytest.raises(InputError, match="at least 1"):
            learned.learned_hierarchy(baskets, "baskets", k=0)


def test_the_command(tmp_path, monkeypatch, capsys):
    """The tree is written, is the same for every run, and a release is made with it."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as local:
        local.execute("CREATE TABLE t (tid INTEGER, item VARCHAR)")
        local.executemany("INSERT INTO t VALUES (?, ?)", rows())
        local.sql("FROM t").write_parquet("t.parquet")
    line = ["hierarchy", "t.parquet", "--learn", "baskets", "--k", "5"]
    for name, threads in (("a.csv", "1"), ("b.csv", "2")):
        assert run([*line, "--out", name, "--threads", threads, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["parameters"]["learn"] == "baskets"
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    ask = "coherence t.parquet --k 5 --p 2 --method generalize --hierarchy a.csv".split()
    assert run([*ask, "--out", "r.parquet"]) == 0
    assert run(line[:4]) == 2
    assert "--learn and --k go together" in capsys.readouterr().err
