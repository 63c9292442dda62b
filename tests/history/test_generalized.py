"""Generalized releases are joined by their hierarchy: the tuple of an item's nodes is one node."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pytest

import oracles_history as oracle
import setveil
from oracles_history import Promise, Shown
from runs import parquet
from setveil.cli.main import run

# Paths from a leaf upwards; a level repeats a label of another.
PATHS = {
    "a": ("x", "top"),
    "b": ("x", "top"),
    "c": ("a", "top"),
    "d": ("z", "rest"),
    "e": ("y", "rest"),
}
Node = tuple[int, str]
Cut = Mapping[str, Node | None]  # the node of each item; None if it is suppressed


def ways(item: str) -> list[Node]:
    return [(0, item), *((level, label) for level, label in enumerate(PATHS[item], 1))]


def random_cut(chance: random.Random) -> Cut:
    """Nodes without a node above another, each with all leaves below it."""
    cut: dict[str, Node | None] = {}
    for item in PATHS:
        if item not in cut:
            node = chance.choice(ways(item))
            below = [one for one in PATHS if node in ways(one)]
            if any(one in cut for one in below):  # a cousin is published below this node
                node, below = (0, item), [item]
            cut |= dict.fromkeys(below, node)
    return cut


def generalized(data: Mapping[str, frozenset[str]], cut: Cut) -> dict[str, frozenset[Node]]:
    return {
        key: frozenset(node for item in items if (node := cut[item]) is not None)
        for key, items in data.items()
    }


def tuples(
    data: Mapping[str, frozenset[str]], cuts: list[Cut], where: frozenset[int]
) -> dict[str, frozenset[str]]:
    """By the definition: the tuple of the nodes of each item in the releases that hold it."""
    return {
        key: frozenset(str([cuts[one][item] for one in sorted(where)]) for item in items)
        for key, items in data.items()
    }


def write(path: Path, held: Mapping[str, frozenset[Node]]) -> str:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid VARCHAR, item VARCHAR, level INTEGER)")
        rows = [(key, label, level) for key, nodes in held.items() for level, label in nodes]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        connection.execute(f"COPY t TO '{path}'")
    return str(path)


def write_hierarchy(path: Path, paths: Mapping[str, tuple[str, str]] = PATHS) -> str:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (item VARCHAR, level1 VARCHAR, level2 VARCHAR)")
        rows = [(item, *above) for item, above in paths.items()]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        connection.execute(f"COPY t TO '{path}'")
    return str(path)


def histories(seed: int) -> tuple[list[Shown], list[Cut]]:
    """Releases of growing data: which transactions they hold, and their cuts."""
    chance = random.Random(seed)
    history = oracle.random_history(chance, names="abcde", always="a")
    data = {key: items for held in history.releases for key, items in held.items()}
    return (
        [{key: data[key] for key in held} for held in history.releases],
        [random_cut(chance) for _ in history.releases],
    )


def failing(data: list[Shown], cuts: list[Cut], promise: Promise) -> set[oracle.Group]:
    """The groups whose joint nodes, taken from the items themselves, break the promise."""
    found = set()
    for where, keys in oracle.groups(data):
        some = {key: data[min(where)][key] for key in keys}
        joint: list[Shown] = [tuples(some, cuts, where)]
        owners = {key: place for place, key in enumerate(keys)}
        if not promise.kept(joint, frozenset([0]), keys, owners):
            found.add((where, frozenset(keys)))
    return found


def judged(
    folder: Path, data: list[Shown], cuts: list[Cut], model: str, **terms: Any
) -> setveil.verify.HistoryVerdict:
    paths = [
        write(folder / f"r{number}.parquet", generalized(held, cut))
        for number, (held, cut) in enumerate(zip(data, cuts, strict=True), 1)
    ]
    tree = write_hierarchy(folder / "tree.parquet")
    with setveil.read(paths[0]) as first:
        return setveil.verify.history(model, first, *paths[1:], hierarchy=tree, **terms)


def groups_of(verdict: Any, data: list[Shown]) -> Iterator[tuple[frozenset[int], frozenset[str]]]:
    for one in verdict.broken:
        shown, lacking = (
            [int(Path(name).stem[1:]) - 1 for name in names] for names in (one.shown, one.lacking)
        )
        keys = frozenset(data[shown[0]]).intersection(*(data[n] for n in shown))
        yield frozenset(shown), keys.difference(*(data[n] for n in lacking))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("model", ["km-anonymity", "coherence"])
def test_joint_nodes_are_the_tuples_of_the_items(tmp_path: Path, model: str, seed: int) -> None:
    data, cuts = histories(seed)
    if not all(data):
        return
    promise = Promise(model, k=2, p=2)
    terms = {"k": 2, "m": 2} if model == "km-anonymity" else {"k": 2, "p": 2}
    verdict = judged(tmp_path, data, cuts, model, **terms)
    assert set(groups_of(verdict, data)) == failing(data, cuts, promise)


def singled_out(data: list[Shown], cuts: list[Cut], k: int, most: int) -> float:
    """The share of transactions with a set of joint nodes that fewer than k in their group hold."""
    keys, found = set().union(*data), set()
    present = {key: frozenset(n for n, held in enumerate(data) if key in held) for key in keys}
    items = {key: next(held[key] for held in data if key in held) for key in keys}
    for where in set(present.values()):
        group = {key: items[key] for key in keys if present[key] == where}
        joint = tuples(group, [*cuts], where)
        nothing = str([None for _ in where])
        held = {key: nodes - {nothing} for key, nodes in joint.items()}
        for key, nodes in held.items():
            for size in range(1, most + 1):
                for chosen in map(frozenset, combinations(sorted(nodes), size)):
                    if sum(chosen <= other for other in held.values()) < k:
                        found.add(key)
    return len(found) / len(keys)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
def test_each_generalized_release_adds_what_the_definition_says(tmp_path: Path, seed: int) -> None:
    data, cuts = histories(seed)
    if not all(data):
        return
    paths = [
        write(tmp_path / f"r{number}.parquet", generalized(held, cut))
        for number, (held, cut) in enumerate(zip(data, cuts, strict=True), 1)
    ]
    everything = {key: items for held in data for key, items in held.items()}
    plain = {key: frozenset((0, one) for one in items) for key, items in everything.items()}
    write(tmp_path / "leaves.parquet", plain)
    leaves = f"SELECT tid, item FROM '{tmp_path}/leaves.parquet'"  # noqa: S608
    parquet(tmp_path / "original.parquet", leaves)
    tree = write_hierarchy(tmp_path / "tree.parquet")
    with setveil.read(tmp_path / "original.parquet") as baskets:
        found = setveil.compare(
            baskets, *paths, k=3, p=2, history=True, hierarchy=tree, ignore_unknown=True
        ).history
    assert found is not None
    for size, one in enumerate(found.added, 1):
        for k, shares in ((2, one.unique), (3, one.singled_out)):
            wanted = [singled_out(data[:size], cuts[:size], k, most) for most in (1, 2)]
            assert list(shares) == pytest.approx(wanted), (size, k)


X, Y, A, C = (1, "x"), (1, "y"), (0, "a"), (0, "c")
Nodes = dict[str, list[Node]]


def verified(
    capsys: pytest.CaptureFixture[str], folder: Path, first: Nodes, second: Nodes, *words: str
) -> tuple[int, dict[str, Any]]:
    """The exit code and JSON of `verify … --history` of two releases in long form."""
    paths = [
        write(folder / f"r{n}.parquet", {key: frozenset(nodes) for key, nodes in held.items()})
        for n, held in enumerate((first, second), 1)
    ]
    code = run(["verify", *words, "--history", *paths, "--k", "2", "--json", "--quiet"])
    return code, json.loads(capsys.readouterr().out)


KM = ["km-anonymity", "--m", "1"]


def test_a_set_is_told_by_the_nodes_of_each_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first release shows x of all, the second a of two and x of the third alone."""
    first: Nodes = {"t1": [X], "t2": [X], "t3": [X], "t4": [X]}
    tree = write_hierarchy(tmp_path / "tree.parquet")
    both = {"t1": [A], "t2": [A], "t3": [X], "t4": [X]}
    words = [*KM, "--hierarchy", tree]
    assert verified(capsys, tmp_path, first, both, *words)[0] == 0
    mixed = {"t1": [A], "t2": [X], "t3": [X], "t4": [A]}
    code, content = verified(capsys, tmp_path, mixed, both, *words)
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert (broken["transactions"], broken["exposed"], broken["found"]) == (4, 4, 4)
    place = tmp_path / "r1.parquet"
    assert {"label": f"a, as x (level 1) in {place}", "level": 0} in [
        one["nodes"][0] for one in broken["violations"]
    ]


@pytest.mark.slow
def test_an_item_suppressed_in_a_release_is_told_by_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first: Nodes = {"t1": [X, Y], "t2": [X, Y], "t3": [X, Y]}
    second: Nodes = {"t1": [A, Y], "t2": [A, Y], "t3": [Y]}
    tree = write_hierarchy(tmp_path / "tree.parquet")
    code, content = verified(capsys, tmp_path, first, second, *KM, "--hierarchy", tree)
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert [one["nodes"] for one in broken["violations"]] == [[{"label": "x", "level": 1}]]
    assert broken["exposed"] == 1


def test_private_items_are_revealed_by_joint_nodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the two with x, which the second release calls a, both have c; of all, half have c."""
    first: Nodes = {"t1": [X, C], "t2": [X, C], "t3": [X], "t4": [X]}
    second: Nodes = {"t1": [A, C], "t2": [A, C], "t3": [Y], "t4": [Y]}
    tree = write_hierarchy(tmp_path / "tree.parquet")
    words = ["coherence", "--p", "1", "--private", "where:name = 'c'", "--h", "0.5"]
    code, content = verified(capsys, tmp_path, first, first, *words, "--hierarchy", tree)
    assert code == 0
    code, content = verified(capsys, tmp_path, first, second, *words, "--hierarchy", tree)
    assert code == 1
    broken = content["metrics"]["broken"][-1]
    assert len(broken["shown"]) == 2 and broken["violations"][0]["reveals"] == "c"


def test_sensitive_items_are_found_among_joint_nodes(tmp_path: Path) -> None:
    """Only those that the releases together call a and x all have c. A node called c is no item."""
    first: Nodes = {
        "t1": [X, C],
        "t2": [X, C],
        "t3": [A],
        "t4": [A],
        "t5": [X],
        "t6": [X, (1, "c")],
    }
    second: Nodes = {"t1": [A, C], "t2": [A, C], "t3": [A], "t4": [A], "t5": [Y], "t6": [Y]}
    first_path, second_path = (
        write(tmp_path / f"r{n}.parquet", {key: frozenset(nodes) for key, nodes in held.items()})
        for n, held in enumerate((first, second), 1)
    )
    paths = {**PATHS, "d": ("c", "rest")}
    tree = write_hierarchy(tmp_path / "tree.parquet", paths)
    promise = {"sensitive": ["c"], "rho": "0.6", "hierarchy": tree}
    with setveil.read(first_path) as baskets:
        verdict = setveil.verify.history("uncertainty", baskets, second_path, **promise)
    (broken,) = verdict.broken
    assert len(broken.shown) == 2 and {one.secret for one in broken.violations} == {"c"}


@pytest.mark.slow
def test_twins_of_generalized_releases_need_no_hierarchy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first: Nodes = {"t1": [X], "t2": [X], "t3": [X], "t4": [X]}
    second: Nodes = {"t1": [A], "t2": [A], "t3": [X], "t4": [X]}
    assert verified(capsys, tmp_path, first, second, "k-anonymity")[0] == 0
    third: Nodes = {"t1": [A], "t2": [X], "t3": [X], "t4": [A]}
    code, content = verified(capsys, tmp_path, second, third, "k-anonymity")
    assert code == 1
    (broken,) = content["metrics"]["broken"]
    assert broken["exposed"] == 4 and broken["found"] == 4


REFUSED: dict[str, tuple[Nodes, Nodes, bool, str]] = {
    "no hierarchy": ({"t": [X]}, {"t": [A]}, False, "name its file with --hierarchy"),
    "another hierarchy": ({"t": [(1, "w")]}, {"t": [A]}, True, "lacks 1 node of the releases"),
    "a node below another": ({"t": [X, A]}, {"t": [A]}, True, "1 node beside a node above"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    first, second, named, said = REFUSED[name]
    tree = ["--hierarchy", write_hierarchy(tmp_path / "tree.parquet")] if named else []
    code, content = verified(capsys, tmp_path, first, second, *KM, *tree)
    assert code == 2 and said in content["error"]["message"]


@pytest.mark.slow
def test_releases_that_share_no_transaction_need_no_hierarchy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first: Nodes = {"t1": [X], "t2": [X]}
    second: Nodes = {"t3": [A], "t4": [A]}
    assert verified(capsys, tmp_path, first, second, *KM)[0] == 0
