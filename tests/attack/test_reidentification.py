"""The attack against its definition, and what the paper says of it."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import stat
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import oracles_reidentification as oracle
import setveil
from examples import tried
from runs import parquet, read_parquet
from setveil.attack.program import METHODS, Pairs, drawn_matching
from setveil.attack.symmetry import find_ambiguity
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.sql.attack import candidates as matching

pytestmark = pytest.mark.only_on(
    "duckdb", reason="published itemsets cannot be taken to a server yet"
)


CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def examples(count):
    """So many, the same each time."""
    return settings(
        max_examples=count, deadline=None, derandomize=True, suppress_health_check=CHECKS
    )


def known_examples(few, many, *strategies):
    """The same each time."""
    return tried(few, many, *strategies, unchecked=CHECKS, derandomize=True)


NAMES = "abcdefg"


def read(connection, baskets):
    connection.execute("CREATE OR REPLACE TABLE coded (tid INTEGER, items INTEGER[])")
    connection.execute(
        "INSERT INTO coded SELECT UNNEST($1::INTEGER[]), UNNEST($2::INTEGER[][])",
        [list(range(len(baskets))), [sorted(basket) for basket in baskets]],
    )
    return setveil.read(connection, "coded", item="items")


@st.composite
def coded(draw, largest=5, baskets=8):
    """Baskets of codes, how often an itemset must be there, and a name for every code."""
    codes = range(10, 10 + draw(st.integers(1, largest)))
    held = draw(
        st.lists(st.frozensets(st.sampled_from(codes), min_size=1), min_size=1, max_size=baskets)
    )
    least = draw(st.integers(1, 2))
    names = draw(st.permutations(NAMES[: len(codes)]))
    return held, least, dict(zip(codes, names, strict=True))


def families(case):
    """What is published without noise, and what is mined, with frequencies in billionths."""
    baskets, least, naming = case
    mined = oracle.nano(oracle.frequent(baskets, least), len(baskets))
    assume(mined)
    return oracle.renamed(mined, naming), mined


def names_of(found):
    return {code: (name, weight) for code, name, weight, *_ in found.rows()}


# Without noise


@known_examples(3, 10, coded())
def test_every_item_is_named_as_far_as_anyone_can_tell(connection, tmp_path, case):
    """Integer and mixed find a naming that fits; a weight is the share of those that agree."""
    known, mined = families(case)
    _, fitting = oracle.best(known, mined, 0)
    path = oracle.publish(tmp_path / "known.parquet", known)
    with read(connection, case[0]) as baskets:
        for method in METHODS:
            found = setveil.reidentify(baskets, path, method=method)
            named = names_of(found)
            assert named.keys() == set(oracle.items_of(mined))
            if method != "linear":
                assert {code: name for code, (name, _) in named.items()} in fitting
            for code, (name, weight) in named.items():
                share = sum(one[code] == name for one in fitting) / len(fitting)
                if method != "linear":
                    assert weight == pytest.approx(share, abs=2e-6)
                else:  # what refinement tells apart it does, and it claims no more
                    assert weight == 1 or share < 1 or found.metrics.sure < len(named)
                    assert share == 1 or weight < 1
            if method == "linear":
                assert found.metrics.sure <= found.metrics.refinement_cells
            assert found.metrics.ambiguous_items == sum(
                len(one) for one in oracle.classes(mined) if len(one) > 1
            )


@examples(12)
@given(coded(largest=6))
def test_classes_are_the_orbits(case):
    mined = oracle.frequent(case[0], case[1])
    found = find_ambiguity({tuple(sorted(one)): n for one, n in mined.items()})
    groups = {}
    for item, leader in found.of.items():
        groups.setdefault(leader, set()).add(item)
    assert {frozenset(one) for one in groups.values()} == (
        oracle.classes(mined) if mined else set()
    )
    assert found.undecided == 0


def test_what_is_left_open_for_lack_of_work_is_said():
    cycle = {(n,): 2 for n in range(8)} | {tuple(sorted((n, (n + 1) % 8))): 1 for n in range(8)}
    assert find_ambiguity(cycle).items == 8
    found = find_ambiguity(cycle, work=0)
    assert (found.items, found.cells, found.undecided) == (0, 1, 8)


def test_what_refinement_cannot_tell_is_searched():
    """A cycle of six beside two triangles: one cell, and two classes, proven apart."""
    edges = [*CYCLE, *((a + 6, b + 6) for a, b in TRIANGLES)]
    supports = {(n,): 2 for n in range(12)} | {tuple(sorted(edge)): 1 for edge in edges}
    found = find_ambiguity(supports)
    assert (found.cells, found.classes, found.items, found.undecided) == (1, 2, 12, 0)


def test_many_twins_take_no_deep_search():
    supports = {(n,): 3 for n in range(120)} | {(n, n + 1): 2 for n in range(0, 120, 2)}
    found = find_ambiguity(supports)
    assert (found.classes, found.items, found.undecided) == (1, 120, 0)


@pytest.mark.slow
@examples(15)
@given(coded(largest=7, baskets=12))
def test_seven_items(connection, tmp_path, case):
    known, mined = families(case)
    _, fitting = oracle.best(known, mined, 0)
    path = oracle.publish(tmp_path / "known.parquet", known)
    with read(connection, case[0]) as baskets:
        named = names_of(setveil.reidentify(baskets, path))
    assert {code: name for code, (name, _) in named.items()} in fitting


# One round of pruning, rule by rule

TABLES = {
    "known_set": "id INT, size INT, nano BIGINT",
    "known_member": "id INT, item INT",
    "mined_set": "id INT, size INT, nano BIGINT",
    "mined_member": "id INT, item INT",
    "item_pair_0": "known INT, mined INT",
    "set_pair_0": "known INT, mined INT",
    "set_pair_1": "known INT, mined INT",
}


def only(pairs):
    """What is left when the only choice of one is no choice of another."""
    choices = [[sum(p[side] == n for p in pairs) for n in range(20)] for side in (0, 1)]

    def taken(pair, side):
        rivals = [p for p in pairs if p[1 - side] == pair[1 - side]]
        alone = min(choices[side][p[side]] for p in rivals) == 1
        return alone and choices[side][pair[side]] > 1

    return {pair for pair in pairs if not taken(pair, 0) and not taken(pair, 1)}


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(30))
def test_every_rule_of_pruning(seed):
    chance = random.Random(seed)
    sets = {n: frozenset(chance.sample(range(4), 2)) for n in range(4)}
    others = {n: frozenset(chance.sample(range(4), 2)) for n in range(4)}
    share = chance.choice([0.4, 0.6, 0.8])
    everything = [(a, b) for a in range(4) for b in range(4)]
    items, pairs = ({p for p in everything if chance.random() < share} for _ in range(2))
    held = {
        (x, y)
        for x, y in pairs
        if all(any((a, b) in items for b in others[y]) for a in sets[x])
        and all(any((a, b) in items for a in sets[x]) for b in others[y])
    }
    alive = {
        (a, b)
        for a, b in items
        if all(any(b in others[y] for x, y in pairs if x == n) for n in sets if a in sets[n])
        and all(any(a in sets[x] for x, y in pairs if y == n) for n in others if b in others[n])
    }
    present = {(a, b) for a, b in alive if a in set().union(*sets.values())}
    present = {(a, b) for a, b in present if b in set().union(*others.values())}
    with duckdb.connect() as connection:
        for name, columns in TABLES.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
        rows = {"item_pair_0": items, "set_pair_0": pairs, "set_pair_1": pairs}
        for side, members in (("known", sets), ("mined", others)):
            rows[f"{side}_set"] = {(n, 2, 0) for n in members}
            rows[f"{side}_member"] = {(n, item) for n in members for item in members[n]}
        for name, some in rows.items():
            for row in sorted(some):
                connection.execute(f"INSERT INTO {name} VALUES {row}")  # noqa: S608

        def made(step):
            return set(connection.execute(step.sql()).fetchall())

        assert made(matching.pruned_sets(1, all_matched=True)) == only(held)
        assert made(matching.pruned_sets(1, all_matched=False)) == held
        assert made(matching.pruned_items(1, "known_set", all_matched=True)) == only(present)
        assert made(matching.pruned_items(1, "known_set", all_matched=False)) == items


# With noise, and with itemsets that are missing or false


@known_examples(3, 8, coded(largest=4), st.data())
def test_the_cost_is_the_least_there_is(connection, tmp_path, case, data):
    known, mined = families(case)
    step = oracle.BILLION // len(case[0])
    tolerance = data.draw(st.sampled_from([step // 2, step, 2 * step]))
    noisy = {
        one: n + data.draw(st.integers(-3, 3)) * step // 4 for one, n in sorted(
            known.items(), key=lambda pair: sorted(pair[0])
        )
    }  # fmt: skip
    least, _ = oracle.best(noisy, mined, tolerance)
    path = oracle.publish(tmp_path / "known.parquet", noisy)
    allowed = Fraction(tolerance, oracle.BILLION)
    with read(connection, case[0]) as baskets:
        for method in ("integer", "mixed"):
            given_ = {"tolerance": str(float(allowed)), "min_support": case[1], "method": method}
            if least is None:
                with pytest.raises(UnreachableError):
                    setveil.reidentify(baskets, path, **given_)
                continue
            found = setveil.reidentify(baskets, path, **given_)
            assert found.metrics.cost == pytest.approx(float(least), abs=1e-4)
            assert found.metrics.gap == 0


def pairs_of(found):
    metrics = found.metrics
    return metrics.pairs_before, metrics.pairs_after, metrics.item_pairs_after


def test_pruning_goes_to_the_fixed_point(folder):
    """Noise enough to leave many pairs, as many as the definition of the rules leaves."""
    with duckdb.connect() as connection:
        rows = connection.execute("FROM 'known.parquet'").fetchall()
    chance = random.Random(8)
    known = {
        frozenset(items): round((share + chance.uniform(-0.02, 0.02)) * oracle.BILLION)
        for items, _, share in rows
    }
    oracle.publish(folder / "noisy.parquet", known)
    naming = {name: code for code, name in read_parquet(folder / "key.parquet")}
    true = {frozenset(items): round(share * oracle.BILLION) for items, _, share in rows}
    mined = oracle.renamed(true, naming)
    expected = oracle.pruned(known, mined, 60_000_000)
    with setveil.read("coded.parquet") as baskets:
        found = setveil.reidentify(baskets, "noisy.parquet", tolerance=0.06, min_support=60)
        assert found.metrics.rounds > 2 and pairs_of(found) == expected
        assert expected[0] > expected[1] >= len(known)


@known_examples(3, 8, coded(largest=4), st.data())
def test_missing_and_false_itemsets(connection, tmp_path, case, data):
    known, mined = families(case)
    published = {}
    for one, n in sorted(known.items(), key=lambda pair: sorted(pair[0])):
        if data.draw(st.integers(0, 4)):
            published[one] = n
    for false in data.draw(st.lists(st.sampled_from(["ab", "bc", "z", "az"]), max_size=2)):
        published[frozenset(false)] = data.draw(st.integers(1, 4)) * oracle.BILLION // 4
    assume(published)
    unmatched = data.draw(st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(3)]))
    tolerance = oracle.BILLION // 4
    sizes = {len(one) for one in published} | {1}
    there = {one: n for one, n in mined.items() if len(one) in sizes}
    own = {
        (side, one): data.draw(st.sampled_from([Fraction(1, 2), Fraction(2)]))
        for side, family in (("known", published), ("mined", there))
        for one in sorted(family, key=lambda held: sorted(map(str, held)))
        if data.draw(st.integers(0, 2)) == 0
    }

    def price(side, one):
        return own.get((side, one), unmatched)

    path = oracle.publish(tmp_path / "known.parquet", published)
    costs = {"costs": costs_of(tmp_path / "costs.parquet", own)} if own else {}
    with read(connection, case[0]) as baskets:
        for faithful, reach in ((False, None), (False, 2.5), (True, 1), (True, None)):
            furthest = oracle.BILLION if faithful and reach is None else tolerance * (reach or 1)
            found = setveil.reidentify(
                baskets, path, tolerance=0.25, unmatched=float(unmatched), min_support=case[1],
                faithful=faithful, reach=reach, **costs,
            )  # fmt: skip
            expected = oracle.cheapest(published, there, tolerance, price, int(furthest))
            assert found.metrics.cost == pytest.approx(float(expected), abs=1e-4)


def costs_of(path, own):
    """A file with the costs of these itemsets, published ones and mined ones."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (items VARCHAR[], cost DOUBLE, codes BOOLEAN)")
        connection.executemany(
            "INSERT INTO t VALUES ($1, $2, $3)",
            [[list(map(str, one)), float(n), side == "mined"] for (side, one), n in own.items()],
        )
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return path


# Theorem 1: graphs as transactions


def graph(edges, vertices):
    """A transaction per edge, and single ones until every vertex is as frequent."""
    degree = {one: sum(one in edge for edge in edges) for one in vertices}
    most = max(degree.values())
    alone = [frozenset([one]) for one in vertices for _ in range(most - degree[one])]
    return [frozenset(edge) for edge in edges] + alone


def isomorphic(connection, tmp_path, one, other, vertices, **options):
    """Can the itemsets of one graph be matched with those of the other?"""
    baskets = graph(one, vertices)
    known = oracle.nano(oracle.frequent(baskets, 1), len(baskets))
    naming = {vertex: f"v{vertex}" for vertex in vertices}
    path = oracle.publish(tmp_path / "g.parquet", oracle.renamed(known, naming))
    with read(connection, graph(other, vertices)) as given_:
        try:
            setveil.reidentify(given_, path, **options)
        except UnreachableError:
            return False
    return True


CYCLE = [(n, (n + 1) % 6) for n in range(6)]
TRIANGLES = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]


@pytest.mark.parametrize("method", ["integer", "mixed"])
def test_theorem_1(connection, tmp_path, method):
    chance = random.Random(5)
    vertices = list(range(6))
    shuffled = chance.sample(vertices, 6)
    again = [(shuffled[a], shuffled[b]) for a, b in CYCLE]
    assert isomorphic(connection, tmp_path, CYCLE, again, vertices, method=method)
    assert not isomorphic(connection, tmp_path, CYCLE, TRIANGLES, vertices, method=method)


@pytest.mark.slow
def test_what_relaxations_cannot_tell(connection, tmp_path):
    """Regular graphs: no linear program sees a difference, nor the paper's mixed one."""
    vertices = list(range(6))
    assert isomorphic(connection, tmp_path, CYCLE, TRIANGLES, vertices, method="linear")
    loose = {"method": "mixed", "faithful": True}
    assert isomorphic(connection, tmp_path, CYCLE, TRIANGLES, vertices, **loose)
    strict = {"method": "integer", "faithful": True}
    assert not isomorphic(connection, tmp_path, CYCLE, TRIANGLES, vertices, **strict)


def test_random_graphs(connection, tmp_path):
    """Isomorphic or not, by trying every bijection."""
    chance = random.Random(9)
    vertices = list(range(5))
    seen = set()
    for _ in range(8):
        one, other = (chance.sample(list(combinations(vertices, 2)), 6) for _ in range(2))
        supports = [oracle.frequent(graph(edges, vertices), 1) for edges in (one, other)]
        same = any(
            oracle.renamed(supports[0], naming) == supports[1]
            for naming in oracle.namings(supports[1], supports[0])
        )
        assert isomorphic(connection, tmp_path, one, other, vertices) == same
        seen.add(same)
    assert seen == {True, False}


# One renamed database, made for all that follows


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """Baskets, renamed, with their key and the itemsets that were published of the original."""
    folder = tmp_path_factory.mktemp("attacked")
    chance = random.Random(3)
    names = [f"item {n}" for n in range(14)]
    often = [0.1 + 0.05 * n for n in range(14)]
    baskets = [
        frozenset(name for name, share in zip(names, often, strict=True) if chance.random() < share)
        for _ in range(300)
    ]
    rows = [(tid, name) for tid, basket in enumerate(baskets) for name in sorted(basket)]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item VARCHAR)")
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        connection.execute(f"COPY t TO '{folder}/original.parquet'")
    found = oracle.frequent(baskets, 60, largest=3)
    oracle.publish(folder / "known.parquet", oracle.nano(found, len(baskets)))
    with setveil.read(folder / "original.parquet") as original:
        setveil.rename(original, key=folder / "key.parquet", seed=1).write(folder / "coded.parquet")
    return folder


@pytest.fixture
def folder(attacked, tmp_path, monkeypatch):
    for path in attacked.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


ATTACK = ["reidentify", "coded.parquet", "--itemsets", "known.parquet"]


def test_the_command(folder, capsys):
    assert run([*ATTACK, "--key", "key.parquet", "--out", "names.csv", "--trail", "t.sql"]) == 0
    shown = capsys.readouterr().out
    assert "named: " in shown and "right" in shown
    lines = (folder / "names.csv").read_text().splitlines()
    assert lines[0] == "code,name,weight,correct"
    assert stat.S_IMODE((folder / "names.csv").stat().st_mode) == 0o600
    assert setveil.replay("t.sql").same
    truth = dict(read_parquet(folder / "key.parquet"))
    for line in lines[1:]:
        code, name, _, correct = line.split(",")
        assert (truth[int(code)] == name) == (correct == "true")


def test_wrong_names_are_told(folder):
    """Whoever looks at nothing names nearly all codes wrongly."""
    truth = dict(read_parquet(folder / "key.parquet"))
    with setveil.read("coded.parquet") as baskets:
        found = setveil.reidentify(
            baskets, "known.parquet", method="uniform", tolerance=0.5, min_support=60,
            key="key.parquet",
        )  # fmt: skip
        rows = found.rows()
    right = [truth[code] == name for code, name, *_ in rows]
    assert [correct for *_, correct in rows] == right
    assert not all(right) and found.metrics.correct == sum(right)


def test_json(folder, capsys):
    assert run([*ATTACK, "--json", "--quiet", "--key", "key.parquet"]) == 0
    found = json.loads(capsys.readouterr().out)
    metrics = found["metrics"]
    assert metrics["named"] == metrics["codes"] == metrics["names"]
    assert metrics["correct"] >= metrics["sure"] == metrics["codes"] - metrics["ambiguous_items"]
    assert metrics["expected"] >= metrics["uniform"] > 0
    assert metrics["pairs_after"] <= metrics["pairs_before"]
    assert metrics["status"] == "optimal" and metrics["gap"] == 0


def test_explain_reads_nothing(folder, capsys):
    assert run([*ATTACK, "--explain"]) == 0
    shown = capsys.readouterr().out
    assert "item_pair_1" in shown and "CREATE TABLE assigned" in shown


def test_a_table_of_the_database(folder):
    with duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE coded AS FROM 'coded.parquet'")
    command = ["reidentify", "coded", "--database", "d.duckdb", "--itemsets", "known.parquet"]
    assert run([*command, "--into", "names", "--trail", "t.sql"]) == 0
    assert setveil.replay("t.sql").same


@pytest.mark.few(1)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_same_bytes_for_any_threads(folder, suffix):
    made = []
    for threads in (1, 2, 4):
        out = f"n{threads}.{suffix}"
        assert run([*ATTACK, "--method", "linear", "--threads", str(threads), "--out", out]) == 0
        made.append((folder / out).read_bytes())
    assert len(set(made)) == 1


def test_statements_stay_within_their_budget(folder):
    with setveil.read("coded.parquet") as baskets:
        found = setveil.reidentify(baskets, "known.parquet")
        statements = sum(bool(one.text) for one in baskets.session.statements)
        assert statements <= 60 and found.metrics.rounds > 1


@pytest.mark.slow
def test_noise_as_in_the_paper(folder):
    """Integer is best, whatever the noise."""
    with setveil.read("coded.parquet") as baskets:
        for faithful in (False, True):
            points = setveil.sweep_reidentification(
                baskets, "known.parquet", key="key.parquet", noise=[0, 0.03], runs=2,
                faithful=faithful,
            )  # fmt: skip
            share = {(one.noise, one.method): one.correct for one in points}
            for noise in (0, 0.03):
                for method in ("mixed", "linear"):
                    assert share[noise, "integer"] >= share[noise, method] - 1e-9
                assert share[noise, "integer"] >= share[noise, "uniform"]
            assert share[0.03, "uniform"] < share[0.03, "integer"] <= share[0, "integer"]


def test_fewer_names_come_back_if_itemsets_are_missing_or_false(folder):
    with setveil.read("coded.parquet") as baskets:
        points = setveil.sweep_reidentification(
            baskets, "known.parquet", key="key.parquet", missing=[0, 0.4], false=[0, 0.4], runs=2,
            methods=["integer", "uniform"],
        )  # fmt: skip
        again = setveil.sweep_reidentification(
            baskets, "known.parquet", key="key.parquet", missing=[0.4], false=[0.4], runs=2,
            methods=["integer", "uniform"],
        )  # fmt: skip
    share = {(one.missing, one.false): one for one in points if one.method == "integer"}
    assert share[0, 0].runs == 1 and share[0.4, 0].runs == share[0, 0.4].runs == 2
    assert share[0, 0].correct >= share[0.4, 0].correct > 0
    assert share[0, 0].correct >= share[0.4, 0.4].correct
    assert not any(one.failed for one in points)  # an itemset may stay without a match
    assert again == points[-2:]


def test_the_relaxation_is_rounded_by_lot(folder):
    """The paper's procedure: every code and every name at most once, and equal for equal seeds."""
    pairs = Pairs(*(np.array(one) for one in ([0, 1, 2, 0, 1, 2], [5, 5, 5, 6, 6, 7], [0] * 6)))
    weights = np.array([0.25, 0.5, 0.25, 0.5, 0.5, 0.0])
    drawn = Counter(tuple(drawn_matching(pairs, weights, seed)) for seed in range(2000))
    for chosen in drawn:
        assert len({int(pairs.mined[one]) for one in chosen}) == len(chosen)
        assert len({int(pairs.known[one]) for one in chosen}) == len(chosen)
        assert 5 not in chosen  # its weight is 0
    # Code 5 draws name 1 by its weights if it comes before code 6, or after 6 took name 0.
    share = sum(n for chosen, n in drawn.items() if 1 in chosen) / 2000
    assert share == pytest.approx(1 / 2 * 1 / 2 + 1 / 2 * (1 / 2 * 2 / 3), abs=0.05)
    assert drawn_matching(pairs, weights, 7) == drawn_matching(pairs, weights, 7)
    with setveil.read("coded.parquet") as baskets:
        rows = [
            setveil.reidentify(
                baskets, "known.parquet", method="linear", faithful=True, seed=n
            ).rows()
            for n in (1, 1, 2)
        ]
    assert rows[0] == rows[1]


@pytest.mark.slow
def test_the_sweep_as_a_command(folder, capsys):
    swept = [*ATTACK, "--key", "key.parquet", "--runs", "2", "--sweep", "noise=0,0.01"]
    swept += ["--sweep", "min-frequency=0.3,0.5", "--sweep", "method=linear,uniform"]
    assert run([*swept, "--out", "s.csv"]) == 0
    shown = capsys.readouterr().out
    assert len(re.findall(r"\d%", shown)) == 8
    assert re.findall(r"^  ([\d.]+) +(\d) ", shown, flags=re.M) == 2 * [("0", "1"), ("0.01", "2")]
    lines = (folder / "s.csv").read_text().splitlines()
    assert len(lines) == 9 and lines[0].startswith("min_frequency,noise,method,runs")
    assert run([*swept, "--json", "--report", "s.html"]) == 0
    points = json.loads(capsys.readouterr().out)["sweep"]
    assert len(points) == 8
    page = (folder / "s.html").read_text()
    shown = re.findall(r'value="([^"]*)" data-path="sweep.(\d+).(\w+)"', page)
    assert len(shown) == 8 + 2 * 2 + 2 * 2 and page.count("<svg") == 2 * 2
    assert all(float(value) == points[int(n)][name] for value, n, name in shown)


@pytest.mark.parametrize(
    "options, told",
    [
        (["--method", "guess"], "no method 'guess'"),
        (["--tolerance", "2"], "from 0 to 1"),
        (["--tolerance", "x"], "not a number"),
        (["--unmatched", "0"], "is a cost above 0"),
        (["--reach", "0"], "--reach is a number above 0"),
        (["--costs", "known.parquet"], "add --unmatched"),
        (["--costs", "known.parquet", "--unmatched", "1"], "no column 'cost'"),
        (["--nodes", "-1"], "nodes"),
        (["--min-support", "x"], "support"),
        (["--out", "n.dat"], "the suffix '.dat'"),
        (["--key", "known.parquet"], "no column 'code'"),
        (["--sweep", "noise=1"], "needs --key"),
        (["--sweep", "noise=x", "--key", "key.parquet"], "no numbers"),
        (["--sweep", "depth=1", "--key", "key.parquet"], "--sweep depth=1"),
        (["--report", "r.html"], "draws a sweep"),
        (["--report", "r.svg", "--sweep", "noise=0", "--key", "key.parquet"], "name it with .html"),
        (["--trail", "t.sql"], "--trail needs"),
    ],
)
def test_refused(folder, capsys, options, told):
    assert run([*ATTACK, *options]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "query, told",
    [
        ("SELECT ['a'] AS sets, 0.5 AS frequency", "no column 'items'"),
        ("SELECT 'a' AS items, 0.5 AS frequency", "column 'items'"),
        ("SELECT ['a'] AS items, NULL::DOUBLE AS frequency", "1 itemsets lack"),
        ("SELECT UNNEST([['a'], ['a']]) AS items, 0.5 AS frequency", "1 are there more than once"),
    ],
)
def test_files_that_are_no_itemsets(folder, query, told):
    parquet(folder / "x.parquet", query)
    with setveil.read("coded.parquet") as baskets, pytest.raises(InputError, match=told):
        setveil.reidentify(baskets, "x.parquet")


def test_itemsets_of_other_data(folder, capsys):
    parquet(folder / "x.parquet", "SELECT ['a'] AS items, 0.999 AS frequency")
    assert run(["reidentify", "coded.parquet", "--itemsets", "x.parquet", "--out", "n.csv"]) == 3
    assert not (folder / "n.csv").exists()
    parquet(folder / "x.parquet", "SELECT ['a'] AS items, 0.3001 AS frequency")
    assert run(["reidentify", "coded.parquet", "--itemsets", "x.parquet"]) == 3
    assert "--unmatched" in capsys.readouterr().err


HOSTILE = ["o'brien", 'a"b', "x); DROP TABLE t; --", " ", "", "😀", "two\nlines", "$1", "NULL"]


def test_hostile_names(tmp_path):
    """Names and files are data, and come out as they went in."""
    source, key, known = (tmp_path / f"o'b;{n}.parquet" for n in ("s", "k", "i"))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item VARCHAR)")
        rows = [(tid, name) for n, name in enumerate(HOSTILE) for tid in range(n + 1)]
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        place = str(source).replace("'", "''")
        connection.execute(f"COPY t TO '{place}'")
    baskets = [frozenset(name for t, name in rows if t == tid) for tid in range(len(HOSTILE))]
    oracle.publish(known, oracle.nano(oracle.frequent(baskets, 1, 2), len(HOSTILE)))
    with setveil.read(source) as original:
        setveil.rename(original, key=key).write(tmp_path / "c.parquet")
    with setveil.read(tmp_path / "c.parquet") as coded_:
        found = setveil.reidentify(coded_, known, key=key)
        found.write(tmp_path / "n.parquet", trail=tmp_path / "t.sql")
    assert found.metrics.correct == found.metrics.sure == len(HOSTILE)
    assert setveil.replay(tmp_path / "t.sql").same
    assert sorted(name for _, name, *_ in read_parquet(tmp_path / "n.parquet")) == sorted(HOSTILE)


def test_interrupted(folder):
    command = [sys.executable, "-m", "setveil", *ATTACK, "--out", "n.csv"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        _, error = process.communicate(timeout=0.6)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    told = process.returncode == 0 or b"written before that" in error
    assert told == os.path.exists("n.csv")
