"""Information lost: of written releases, by brute force over their text, for every model."""

from __future__ import annotations

import csv
import json
from math import log2
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_comparison as oracle
from calls import CALLS, shop
from examples import tried
from setveil.cli.main import run
from setveil.hierarchy.information import information_lost
from setveil.models import REGISTRY

TREE = {"beer": ["drinks"], "bread": ["food"], "milk": ["drinks"], "tempeh": ["food"]}
PATHS = {
    item: ((0, item), *((n, label) for n, label in enumerate(path, 1)), (2, "*"))
    for item, path in TREE.items()
}


def rows_of(path):
    """The nodes of each transaction, as the text of the file has them."""
    nodes = {}
    with Path(path).open(newline="") as file:
        for row in csv.DictReader(file):
            node = (int(row.get("level", 0)), row["item"])
            nodes.setdefault(row["tid"], set()).add(node)
    return {key: frozenset(held) for key, held in nodes.items()}


def plain(nodes):
    return {key: frozenset(label for _, label in held) for key, held in nodes.items()}


# Permutation parts items from transactions: how many bits that leaves untold is not defined.
DEFINED = [name for name in REGISTRY if name != "permutation"]


@pytest.mark.few(2)
@pytest.mark.parametrize("model", DEFINED)
def test_every_model_says_it_of_what_it_wrote(tmp_path, monkeypatch, capsys, model):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    Path("tree.csv").write_text(
        "item,level1\n" + "".join(f"{item},{path[0]}\n" for item, path in TREE.items())
    )
    call = CALLS[model]
    words = call.words
    if "--fanout" in words:
        words = [*call.promise.split(), "--hierarchy", "tree.csv"]
    line = [model, "shop.parquet", "--tid", "tid", "--item", "item", *words]
    assert run([*line, "--out", "r.csv", "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert run([*line, "--out", "r.parquet"]) == 0
    assert "information lost (bits)" in capsys.readouterr().out
    duckdb.sql("COPY (SELECT tid, item FROM 'shop.parquet') TO 'shop.csv'")
    original, nodes = plain(rows_of("shop.csv")), rows_of("r.csv")
    lost = oracle.information_lost(original, nodes, PATHS)
    if not any(level for held in nodes.values() for level, _ in held):
        lost = oracle.suppression_lost(original, plain(nodes))
    assert 0 < metrics["information_lost"] == pytest.approx(lost, abs=1e-12)
    assert run(["compare", "shop.parquet", "r.parquet", "--tid", "tid", "--item", "item", "--json",
                "--hierarchy", "tree.csv"]) == 0  # fmt: skip
    [one] = json.loads(capsys.readouterr().out)["metrics"]["releases"]
    assert one["information_lost"] == metrics["information_lost"]
    assert run(["sweep", *line, "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["metrics"]["points"]
    assert points[0]["metrics"]["information_lost"] == metrics["information_lost"]
    assert run(["sweep", *line]) == 0
    assert "information lost" in capsys.readouterr().out


@tried(5, 100, st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=6))
def test_bounds(counts):
    """Nothing is lost of what is published, all of what is suppressed, and 0 where H is 0."""
    assert information_lost((own, own, own) for own, _ in counts) == 0
    every = sum(own for own, _ in counts)
    lost = information_lost((own, None, own) for own, _ in counts)
    assert lost == (1 if any(own < every for own, _ in counts) else 0)
    root = information_lost((own, every, own) for own, _ in counts)
    assert root == lost


def test_by_hand():
    """4 of 8 are bread, which tells 1 bit; a pair of two items tells 2 bits, and 1 as one node."""
    rows = [(4, 4, 4), (2, 4, 4)]
    assert information_lost(rows) == 4 * 1 / (4 * 1 + 4 * 2)
    rows = [(4, None, 1), (4, 4, 3), (2, 2, 4)]
    assert information_lost(rows) == log2(8 / 4) / 12
