"""A recipient learns pairs and rules of items and nodes; both are held to their definition."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import strategies as st

import oracles_km as oracle
import setveil
from examples import tried
from setveil.cli.main import run
from setveil.errors import UnreachableError

ROOT = (oracle.TOP, "*")


def spread(case, held):
    """Each transaction with all nodes above those that it holds, but the root."""
    ways = case.ways.values()
    above = {node: set(way[place:]) for way in ways for place, node in enumerate(way)}
    return [frozenset().union(*(above[node] for node in nodes)) - {ROOT} for nodes in held]


def learned(case, held, least, confidence):
    """The frequent pairs of which neither is above the other, and the rules between them."""
    sets = spread(case, held)
    related = {frozenset(two) for way in case.ways.values() for two in combinations(way, 2)}
    nodes = sorted(frozenset().union(*sets))

    def support(*some):
        return sum(set(some) <= one for one in sets)

    pairs = {
        frozenset(two)
        for two in combinations(nodes, 2)
        if support(*two) >= least and frozenset(two) not in related
    }
    rules = {
        (one, other)
        for one, other in permutations(nodes, 2)
        if {one, other} in pairs and support(one, other) >= confidence * support(one)
    }
    return pairs, rules


def specialized(case, rules, theirs, published):
    """The rules of items, and those of items in the data that published nodes stand for."""
    items = frozenset().union(*case.baskets)
    below = {node: {i for i in items if node in case.ways[i]} for node in published}
    ours = {(one[1], other[1]) for one, other in rules if one[0] == other[0] == 0}
    stood = {
        (str(item), str(last))
        for one, other in theirs
        if {one, other} <= published
        for item in below[one]
        for last in below[other]
        if item != last
    }
    return {(str(one), str(other)) for one, other in ours}, stood


@tried(3, 60, oracle.cases(), st.integers(1, 3), st.sampled_from(["1/3", "3/4", "1"]))
def test_pairs_and_rules_are_those_of_the_definition(connection, case, least, confidence):
    judge(connection, case, least, confidence)


def test_a_rule_of_nodes_stands_for_items_of_the_data(connection):
    """The hierarchy has an item e beside c and d that nobody bought: no rule is about it."""
    ways = {item: ((0, item), (1, "x" if item in "ab" else "a"), ROOT) for item in oracle.ITEMS}
    sets = tuple(map(frozenset, ["ac", "ac", "ad"]))
    found = judge(connection, oracle.Case(sets, ways), 1, "1/3")
    assert found["generalize"]["specialized_rules_jaccard"] == 1


def test_suppressing_and_generalizing_side_by_side(connection):
    """No item of drinks is frequent enough alone; the pair of drinks and bread still is."""
    ways = {item: ((0, item), (1, "x" if item in "abc" else "a"), ROOT) for item in oracle.ITEMS}
    sets = ["ad", "ad", "bd", "bd", "cd", "cd", "d", "e"]
    found = judge(connection, oracle.Case(tuple(map(frozenset, sets)), ways), 3, "1/2")
    assert found["generalize"]["node_pairs_kept"] > found["mm-il"]["node_pairs_kept"]


def judge(connection, case, least, confidence):
    """All measures of two releases, one with nodes and one of items."""
    share, found = Fraction(confidence), {}
    with oracle.make(connection, case) as baskets:
        for method in ("generalize", "mm-il"):
            tree = {"hierarchy": "tree"} if method == "generalize" else {}
            try:
                release = setveil.coherence(baskets, k=3, p=2, method=method, **tree)
            except UnreachableError:
                return found
            held = [
                frozenset(zip(row[2] if tree else [0] * len(row[1]), row[1], strict=True))
                for row in release.rows()
            ]
            compared = setveil.compare(
                baskets, release, hierarchy="tree", min_support=least, min_confidence=confidence
            )
            [one] = compared.releases
            before = [frozenset((0, item) for item in basket) for basket in case.baskets]
            (had, rules), (has, theirs) = (
                learned(case, some, least, share) for some in (before, held)
            )
            measures = found[method] = dict(one.measures)
            assert ("node_pairs_kept" in measures) == bool(had)
            if had:
                kept = Fraction(len(had & has), len(had))
                assert measures["node_pairs_kept"] == pytest.approx(float(kept))
                union = len(rules | theirs)
                jaccard = Fraction(len(rules & theirs), union) if union else 1
                assert measures["node_rules_jaccard"] == pytest.approx(float(jaccard))
                ours, stood = specialized(case, rules, theirs, frozenset().union(*held))
                union = len(ours | stood)
                jaccard = Fraction(len(ours & stood), union) if union else 1
                assert ("specialized_rules_jaccard" in measures) == (method == "generalize")
                if tree:
                    assert measures["specialized_rules_jaccard"] == pytest.approx(float(jaccard))
    return found


def test_a_sweep_sets_both_ways_side_by_side(tmp_path, monkeypatch, capsys):
    """The hierarchy is for the releases with nodes, and measures those without."""
    monkeypatch.chdir(tmp_path)
    sets = ["ad", "ad", "bd", "bd", "cd", "cd", "d", "e"]
    rows = [f"{tid},{item}" for tid, items in enumerate(sets) for item in items]
    Path("t.csv").write_text("\n".join(["tid,item", *rows]))
    Path("tree.csv").write_text("item,level1\na,x\nb,x\nc,x\nd,y\ne,y\n")
    line = (
        "sweep coherence t.csv --k 3 --p 2 --method mm-il,generalize --hierarchy tree.csv".split()
    )
    line += "--measures information_lost,node_pairs_kept,node_rules_jaccard --json".split()
    line += "--measure-support 3 --measure-confidence 0.5".split()
    assert run(line) == 0
    items, nodes = json.loads(capsys.readouterr().out)["metrics"]["points"]
    for name in ("node_pairs_kept", "node_rules_jaccard"):
        assert items["measures"][name]["mean"] < nodes["measures"][name]["mean"] == 1
    lost = [one["metrics"]["information_lost"] for one in (items, nodes)]
    assert lost[0] > lost[1]
    at = line.index("--measures") + 1  # it is taken of nodes though it is asked alone
    assert run([*line[:at], "specialized_rules_jaccard", *line[at + 1 :]]) == 0
    items, nodes = json.loads(capsys.readouterr().out)["metrics"]["points"]
    assert "specialized_rules_jaccard" in nodes["measures"]
    assert "specialized_rules_jaccard" not in items["measures"]
