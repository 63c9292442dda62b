"""Coherence by generalization, against its definition over every choice of nodes."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import duckdb
import numpy as np
import pytest
from hypothesis import strategies as st

import comparisons
import oracles_generalize as oracle
import oracles_km
import setveil
from calls import shop
from examples import tried
from hostile_names import ALL
from setveil import verify
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.models.coherence.cutting.cut import Forest, Graph, best_choice
from setveil.models.coherence.cutting.program import Program

SHARES = ["1/2", "0.4", "1"]


def nodes_of(release):
    return [frozenset(zip(levels, items, strict=True)) for _, items, levels in release.rows()]


def made(connection, case, owners):
    """The baskets, with a person for each transaction if `owners` are given."""
    if owners is None:
        return oracles_km.make(connection, case)
    oracles_km.make(connection, case).close()
    connection.execute("CREATE OR REPLACE TABLE whose (tid INTEGER, who INTEGER)")
    rows = [[n, owner] for n, owner in enumerate(owners)]
    connection.executemany("INSERT INTO whose VALUES ($1, $2)", rows or [[-1, -1]])
    connection.execute(
        "CREATE OR REPLACE TABLE owned_lists AS "
        "SELECT g.tid, w.who, g.items FROM given_lists AS g JOIN whose AS w ON w.tid = g.tid"
    )
    return setveil.read(connection, "owned_lists", item="items", person="who")


asked = (
    oracles_km.cases(),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from(SHARES),
    st.sampled_from(["", "a", "ab"]),
    st.booleans(),
    st.sampled_from(["information", "ncp"]),
    st.none() | st.lists(st.integers(0, 3), min_size=9, max_size=9),
)


@tried(3, 150, *asked)
def test_no_choice_loses_less(connection, case, k, p, h, secrets, unknown, loss, owners):
    check(connection, case, k, p, h, secrets, unknown, loss, owners)


@tried(1, 40, oracles_km.cases(), st.randoms(use_true_random=False), st.integers(2, 4))
def test_larger_moles(connection, case, random, k):
    """Long transactions have moles of three nodes where all pairs are held often enough."""
    sets = [
        frozenset(item for item in oracles_km.ITEMS if random.random() < 0.75) for _ in range(14)
    ]
    check(connection, replace(case, baskets=tuple(sets)), k, 3, "1", "", False, "information", None)


@pytest.mark.everywhere
def test_private_items_persons_and_larger_moles(connection):
    """One example of all that the queries tell apart, in every database."""
    ways = {item: ((0, item), (1, "a" if item in "abc" else "o'brien"), (4, "*"))
            for item in oracles_km.ITEMS}  # fmt: skip
    sets = ["abd", "abd", "acd", "bcde", "abde", "cdf", "ef", "ade", "bdf"]
    case = oracles_km.Case(tuple(map(frozenset, sets)), ways)
    check(connection, case, 2, 3, "0.8", "a", True, "information", [0, 1, 2, 0, 1, 2, 3, 3, 2])
    check(connection, case, 2, 3, "1", "", False, "ncp", None)


def check(connection, case, k, p, h, secrets, unknown, loss, owners):
    """The release is coherent, it publishes the nodes of a choice, and it loses least."""
    private = frozenset(secrets) & set(case.items)
    public = frozenset(case.items) - private
    if unknown:  # nobody knows the item f, which is not private
        public -= {"f"}
    persons = range(len(case.baskets)) if owners is None else owners[: len(case.baskets)]
    share = Fraction(h)
    with made(connection, case, None if owners is None else persons) as baskets:
        ask = {"k": k, "p": p, "private": sorted(private), "h": h if private else None}
        ask |= {"public": sorted(public)} if unknown and public else {}
        if unknown and not public:
            public = frozenset(case.items) - private
        bare = [frozenset((0, item) for item in basket) for basket in case.baskets]
        if oracle.moles(bare, frozenset(), private, share, k, 0, persons):
            with pytest.raises(UnreachableError):
                setveil.coherence(baskets, method="generalize", hierarchy="tree", loss=loss, **ask)
            return
        release = setveil.coherence(
            baskets, method="generalize", hierarchy="tree", loss=loss, **ask
        )
        held, metrics = nodes_of(release), release.metrics
        again = verify.coherence(release, **ask)
    given = frozenset((0, item) for item in case.items if item not in public)
    choice = frozenset().union(*held) - given
    assert held == oracle.published(case, choice, public)
    assert not oracle.moles(held, choice, private, share, k, p, persons)
    assert again.holds and again.transactions == len(case.baskets)
    paths = [[node for node in case.ways[item] if node in choice] for item in public]
    assert all(len(path) <= 1 for path in paths)
    assert metrics.suppressed_items == sum(not path for path in paths)
    found = oracle.losses(case, choice, public)
    assert metrics.information_lost == pytest.approx(found["information"], abs=1e-9)
    assert metrics.ncp == pytest.approx(found["ncp"], abs=1e-9)
    least = oracle.least(case, public, private, share, k, p, persons, loss)
    assert metrics.loss == pytest.approx(least, abs=1e-6)
    assert metrics.bound <= metrics.loss + 1e-9 and metrics.gap == pytest.approx(0, abs=1e-6)


@tried(3, 150, comparisons.releases, st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_the_checker_of_nodes(connection, sets, k, p, lists):
    """Any nodes at all, in both directions: a level and a label are one node."""
    name = comparisons.release_of(connection, sets, lists=lists)
    private = {"a"} if any((0, "a") in held for held in sets) else set()
    known = frozenset(
        node for held in sets for node in held if node not in {(0, one) for one in private}
    )
    persons = range(len(sets))
    expected = oracle.moles(sets, known, frozenset(private), Fraction(1, 2), k, p, persons)
    with setveil.read(connection, name, item="item") as baskets:
        verdict = verify.coherence(
            baskets, k=k, p=p, h="1/2" if private else None, private=sorted(private) or None,
            level="level",
        )  # fmt: skip
    assert verdict.holds == (not expected)
    smallest = [one for one in expected if not any(other < one for other in expected)]
    assert verdict.found == len(smallest)


def test_a_column_that_may_be_no_level_is_refused(connection):
    """By it the private item would be a node that attackers know, and no share would bound it."""
    name = f"carried_{next(comparisons.NUMBERS)}"
    connection.execute(
        f"CREATE TABLE {name} AS SELECT range AS tid, 'HIV' AS item, 2 AS level FROM RANGE(9)"  # noqa: S608
    )
    ask = {"k": 2, "p": 1, "h": 0.5, "private": ["HIV"]}
    with setveil.read(connection, name) as baskets:
        with pytest.raises(InputError, match="'HIV' would be a node"):
            verify.coherence(baskets, **ask)
        assert verify.coherence(baskets, level="level", **ask).holds


def test_a_node_without_a_level_is_refused(connection):
    name = f"carried_{next(comparisons.NUMBERS)}"
    connection.execute(
        f"CREATE TABLE {name} AS SELECT range AS tid, 'a' AS item, NULLIF(range, 3) AS level "  # noqa: S608
        "FROM RANGE(9)"
    )
    with setveil.read(connection, name) as baskets:
        with pytest.raises(InputError, match="no level"):
            verify.coherence(baskets, k=2, p=1)


@pytest.mark.parametrize("lists", [False, True])
def test_hostile_labels(connection, lists):
    """Names and labels are data: each comes out as it went in."""
    items = {f"it'em {n}\";": label for n, label in enumerate(ALL)}
    rows = [(tid, item) for n, item in enumerate(items) for tid in range(2 * n, 2 * n + 2)]
    connection.execute("CREATE OR REPLACE TABLE hostile (tid INTEGER, item VARCHAR)")
    connection.executemany("INSERT INTO hostile VALUES ($1, $2)", rows)
    connection.execute("CREATE OR REPLACE TABLE hostile_tree (item VARCHAR, level1 VARCHAR)")
    tree = [*items.items(), *((f"more {label}", label) for label in ALL)]
    more = [(1000 + 4 * n + i, f"more {label}") for n, label in enumerate(ALL) for i in range(4)]
    connection.executemany("INSERT INTO hostile_tree VALUES ($1, $2)", tree)
    connection.executemany("INSERT INTO hostile VALUES ($1, $2)", more)
    source = "hostile"
    if lists:
        source = "SELECT tid, LIST(item) AS item FROM hostile GROUP BY tid"
    with setveil.read(connection, source) as baskets:
        release = setveil.coherence(
            baskets, k=3, p=1, method="generalize", hierarchy="hostile_tree"
        )
        labels = {
            (label, level)
            for row in release.rows()
            for label, level in (zip(*row[1:], strict=True) if lists else [row[1:]])
        }
    assert labels == {(label, 1) for label in ALL}


# The choice


@tried(3, 300, st.integers(0, 10**6))
def test_the_choice_is_the_heaviest(seed):
    """Random trees, pairs and larger moles, against all choices."""
    random = np.random.default_rng(seed)
    nodes = int(random.integers(1, 11))
    parent = np.array([int(random.integers(n + 1, nodes + 1)) for n in range(nodes)])
    parent[parent == nodes] = -1
    fit, gain = random.random(nodes) < 0.8, random.integers(0, 20, nodes)
    forest = Forest(parent, fit, gain)
    lines = {(int(low), int(high)) for path in forest.paths() for low in path for high in path}
    pairs = [
        (low, high)
        for low in range(nodes)
        for high in range(low + 1, nodes)
        if fit[low] and fit[high] and (low, high) not in lines and random.random() < 0.3
    ]
    threes = {tuple(sorted(random.choice(nodes, 3, replace=False))) for _ in range(4) if nodes > 3}
    threes = [one for one in threes if not any((a, b) in lines for a in one for b in one if a < b)]
    graph = Graph(forest, np.array(pairs, dtype=np.int64).reshape(-1, 2),
                  [np.array(threes, dtype=np.int64).reshape(-1, 3)])  # fmt: skip
    start = best_choice(graph, forest.levels())
    found = Program(forest, graph).bounded(start, 1000)
    assert graph.is_free(start) and graph.is_free(found.chosen)

    def is_free(some):
        return not any(a in some and b in some for a, b in [*lines, *pairs] if a != b) and not any(
            set(one) <= some for one in threes
        )

    known = [n for n in range(nodes) if fit[n] and gain[n] > 0]
    most = 0
    for mask in range(2 ** len(known)):
        some = {n for place, n in enumerate(known) if mask >> place & 1}
        if is_free(some):
            most = max(most, sum(int(gain[n]) for n in some))
    assert gain[found.chosen].sum() == most == found.bound


# Commands


@pytest.fixture
def groceries(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    Path("tree.csv").write_text(
        "item,level1\nbeer,treats\nbread,food\nmilk,drinks\ntempeh,treats\n"
    )
    line = "coherence shop.parquet --tid tid --item item --k 3 --p 2 --private private.txt --h 0.6"
    return [*line.split(), "--method", "generalize", "--hierarchy", "tree.csv"]


def test_the_commands(groceries, capsys):
    assert run([*groceries, "--out", "r.parquet", "--trail", "r.sql"]) == 0
    printed = capsys.readouterr().out
    assert "no cut loses less than" in printed and "(gap 0.00%)" in printed
    assert "nodes published" in printed
    rows = duckdb.sql("FROM 'r.parquet'").fetchall()
    assert ("treats", 1) in {row[1:] for row in rows} and ("milk", 0) in {row[1:] for row in rows}
    promise = "--k 3 --p 2 --private private.txt --h 0.6".split()
    assert run(["verify", "coherence", "r.parquet", *promise]) == 0
    beside = ["--original", "shop.parquet", "--hierarchy", "tree.csv", "--json"]
    assert run(["verify", "coherence", "r.parquet", *promise, *beside]) == 0
    cover = json.loads(capsys.readouterr().out.splitlines()[-1])["cover"]
    assert cover["holds"] and cover["suppressed"] == 0
    assert run(["replay", "r.sql"]) == 0
    assert run([*groceries, "--explain"]) == 0
    assert "conflict_2" in capsys.readouterr().out


def test_a_release_that_lacks_a_node_does_not_cover(groceries, capsys):
    """An item is suppressed everywhere, or nowhere."""
    assert run([*groceries, "--out", "r.parquet"]) == 0
    duckdb.sql(
        "COPY (SELECT * FROM 'r.parquet' WHERE tid <> 100 OR item <> 'treats') TO 'less.parquet'"
    )
    ask = "--k 3 --p 2 --original shop.parquet --hierarchy tree.csv".split()
    assert run(["verify", "coherence", "less.parquet", *ask]) == 1
    assert "without a node" in capsys.readouterr().out
    duckdb.sql("COPY (SELECT * FROM 'r.parquet' WHERE item <> 'treats') TO 'none.parquet'")
    assert run(["verify", "coherence", "none.parquet", *ask]) == 0
    told = "but for 2 items that it suppresses, every item has a node"
    assert told in capsys.readouterr().out


def test_mistakes_are_told(groceries, capsys):
    plain = [one for one in groceries if one not in ("--method", "generalize")]
    for line, told in (
        (plain, "a hierarchy is for --method generalize"),
        (groceries[:-2], "name a hierarchy"),
        ([*groceries, "--loss", "unit"], "information or ncp"),
        ([*groceries[:-4], "--loss", "ncp"], "--loss ncp is for --method generalize"),
    ):
        assert run(line) == 2
        assert told in capsys.readouterr().err


def test_the_sweep(groceries, capsys):
    line = ["sweep", *groceries, "--json"]
    line[line.index("generalize")] = "mm-il,generalize"
    assert run(line) == 0
    points = json.loads(capsys.readouterr().out)["metrics"]["points"]
    lost = [SimpleNamespace(**one["metrics"]).information_lost for one in points]
    assert [one["parameters"]["method"] for one in points] == ["mm-il", "generalize"]
    assert lost[1] < lost[0]
