"""Rules, patterns, the surest inference, the penalty: against their formulas and the papers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_comparison as oracle
import setveil
from comparisons import NUMBERS, compared, pairs, release_of, table
from examples import tried
from printed import (
    APPROACH_1,
    APPROACH_2,
    FIGURE_3,
    GLOBAL,
    GROUPS,
    PAPER,
    RESTRICTED,
    TABLE_1,
    TABLE_1B,
)
from setveil.errors import InputError

asked = given(
    pairs(),
    st.integers(1, 3),
    st.sampled_from(["0.5", "2/3", "100%"]),
    st.lists(st.sampled_from([("a",), ("b",), ("a", "b"), ("2", "é"), ("11", "a", "B")]),
             min_size=1, max_size=2, unique=True),
)  # fmt: skip


@settings(max_examples=4, deadline=None)
@asked
def test_each_is_its_formula(connection, pair, least, sure, patterns):
    check(connection, pair, least, sure, patterns)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@asked
def test_each_is_its_formula_on_many(connection, pair, least, sure, patterns):
    check(connection, pair, least, sure, patterns)


def check(connection, pair, least, sure, patterns):
    original, release = pair
    known = oracle.items_of(original)
    patterns = [one for one in patterns if set(one) <= known]
    sensitive = {"b", "é"} & known
    [one] = (
        found := compared(
            connection,
            original,
            release,
            lists=True,
            min_support=least,
            min_confidence=sure,
            patterns=patterns or None,
            sensitive=sensitive or None,
            p=1,
        )  # fmt: skip
    ).releases
    confidence = Fraction(sure) if "%" not in sure else Fraction(1)
    before, after = (oracle.rules(data, least, confidence) for data in (original, release))
    assert one.rules is not None
    counts = (len(before), len(after), len(before & after))
    assert (one.rules.before, one.rules.after, one.rules.kept) == counts
    assert (one.rules.lost, one.rules.new) == (len(before - after), len(after - before))
    common = oracle.rules_jaccard(before, after)
    assert one.measures["rules_jaccard"] == float(common)
    if common and oracle.is_suppression(original, release):
        objective = oracle.information_loss(original, release) / common
        assert one.measures["mining_objective"] == pytest.approx(float(objective))
    else:
        assert "mining_objective" not in one.measures
    expected = oracle.patterns_found(original, release, patterns, least) if patterns else {}
    if patterns and (distance := oracle.dissimilarity(original, release)) is not None:
        expected["dissimilarity"] = distance
    names = ("hiding_failure", "misses_cost", "artifactual_patterns", "dissimilarity")
    taken = {name: value for name, value in one.measures.items() if name in names}
    assert taken == {name: float(value) for name, value in expected.items()}
    for side, data in ((found.original, original), (one.side, release)):
        if not sensitive:
            assert side.confidence is side.surest_rule is None
            continue
        highest = oracle.highest_confidence(data, sensitive)
        assert side.confidence == float(highest)
        assert (side.surest_rule is None) == (highest == 0)
        if rule := side.surest_rule:
            assert oracle.support(data, rule.known) == rule.of
            assert oracle.support(data, (*rule.known, rule.secret)) == rule.support
            assert Fraction(rule.support, rule.of) == highest and rule.secret in sensitive


# Partial suppression, Table 1


def table_1(gone):
    return {key: held - {item for tid, item in gone if tid == key}
            for key, held in enumerate(TABLE_1)}  # fmt: skip


def test_table_1_of_partial_suppression(connection):
    """Two deletions against four; condom is certain of beer and of flour, and then of nothing."""
    releases = [table_1(gone) for gone in (GLOBAL, APPROACH_1, APPROACH_2)]
    found = compared(
        connection, table_1([]), *releases, lists=True, sensitive=["condom"], min_support=2,
        min_confidence="0.5", verify="uncertainty", rho=0.5,
    )  # fmt: skip
    assert [one.measures["information_loss"] for one in found.releases] == [4 / 15, 2 / 15, 2 / 15]
    surest = found.original.surest_rule
    assert surest and (surest.known, surest.secret) == (("beer",), "condom")
    assert (surest.support, surest.of, found.original.confidence) == (2, 2, 1.0)
    assert [one.side.confidence for one in found.releases] == [0.0, 0.5, 0.5]
    assert all(one.guarantee and one.guarantee.holds for one in found.releases)
    assert found.parameters["sensitive_items"] == 1 and found.parameters["patterns"] is None
    [suppressed, *_] = found.releases
    assert suppressed.rules and suppressed.rules.kept == 2  # coffee and fruits, either way
    assert suppressed.measures["rules_jaccard"] == 0.5
    assert suppressed.measures["mining_objective"] == pytest.approx((4 / 15) / 0.5)  # formula 1


@pytest.mark.parametrize(("more", "support", "of"), [((), 2, 2), (("abc",), 2, 3)])
def test_who_knows_more_infers_more(connection, more, support, of):
    """One item tells e in half of the cases at most, two in two thirds, three more surely."""
    data = dict(enumerate(map(frozenset, ["abce", "abce", "ab", "ac", "bc", *more])))
    found = compared(connection, data, data, sensitive=["e"])
    surest = found.original.surest_rule
    assert surest and surest == found.releases[0].side.surest_rule
    assert (surest.known, surest.support, surest.of) == (("a", "b", "c"), support, of)
    assert found.original.confidence == float(oracle.highest_confidence(data, {"e"}))


# Hiding patterns, Figure 3


def test_figure_3_of_hiding(connection):
    """As the run itself measured it: 7 of 11 legitimate itemsets stay, D went from three."""
    given = table(connection, FIGURE_3, lists=True)
    patterns = [list(one) for one in RESTRICTED]
    with setveil.read(connection, given) as baskets:
        release = setveil.hiding(baskets, patterns=patterns, method="iga", mining_support=2)
        mined, lost = release.metrics.mined, release.metrics.dissimilarity
        [one] = setveil.compare(
            baskets, release, patterns=iter(patterns), min_support=2, verify="hiding"
        ).releases
    assert one.patterns == mined
    assert one.measures["misses_cost"] == 4 / 11
    assert one.measures["hiding_failure"] == one.measures["artifactual_patterns"] == 0
    assert one.measures["dissimilarity"] == lost == 3 / 18
    assert one.guarantee and one.guarantee.holds


def test_what_was_added_does_not_make_up_for_what_was_lost(connection):
    original = dict.fromkeys(range(3), frozenset("abc"))
    release = dict.fromkeys(range(3), frozenset("abz"))
    [one] = compared(connection, original, release, patterns=[["a", "c"]], min_support=2).releases
    assert one.patterns and (one.patterns.legitimate, one.patterns.found) == (5, 3)
    assert (one.patterns.restrictive, one.patterns.disclosed) == (2, 0)
    assert one.measures["artifactual_patterns"] == 4 / 7
    assert "dissimilarity" not in one.measures


def test_patterns_without_mining_say_what_they_lack(connection):
    said = []
    data = {1: frozenset("ab")}
    given = table(connection, data)
    with setveil.read(connection, given, note=said.append) as baskets:
        [one] = setveil.compare(baskets, given, patterns=[["a", "b"]]).releases
    assert one.measures["dissimilarity"] == 0 and one.patterns is None
    assert len(said) == 2 and "min_support=" in said[1]


# Local generalization, Table 1


def hierarchy_of(connection, groups):
    name = f"tree_{next(NUMBERS)}"
    levels = max(len(path) for path in groups.values())
    columns = ", ".join(f"level{n} VARCHAR" for n in range(1, levels + 1))
    connection.execute(f"CREATE TABLE {name} (item VARCHAR, {columns})")
    for item, path in groups.items():
        marks = ", ".join("?" * (levels + 1))
        connection.execute(f"INSERT INTO {name} VALUES ({marks})", [item, *path])  # noqa: S608
    return name


@pytest.mark.parametrize("lists", [False, True])
def test_table_1_of_local_generalization(connection, lists):
    """ "So the total information loss of the database is (8/2)/12 = 1/3"."""
    original = table(connection, PAPER, lists=lists)
    nodes = {key: {(level, label) for label, level in held} for key, held in TABLE_1B.items()}
    made = release_of(connection, nodes, lists=lists)
    tree = hierarchy_of(connection, {item: [group] for item, group in GROUPS.items()})
    with setveil.read(connection, original) as baskets:
        found = setveil.compare(baskets, made, made, hierarchy=tree, verify="k-anonymity")
    for one in found.releases:
        assert one.measures["ncp"] == 1 / 3
        assert one.measures["discernibility"] == 8
        levels = [(it.level, it.nodes, it.occurrences, it.ncp) for it in one.ncp_by_level]
        assert levels == [(0, 2, 4, 0), (1, 2, 8, 1 / 3)]
        assert one.guarantee and one.guarantee.holds


TREE = {  # labels repeat, and z is in no transaction
    "a": ["u", "v"], "b": ["u", "v"], "c": ["v", "v"], "d": ["a", "w"], "z": ["a", "w"],
}  # fmt: skip
PATHS = {
    item: ((0, item), *((n, label) for n, label in enumerate(path, 1)), (3, "*"))
    for item, path in TREE.items()
}


@st.composite
def recodings(draw):
    """A small original, and nodes that mostly stand for what is in it."""
    original, nodes = {}, {}
    for key in range(draw(st.integers(1, 5))):
        held = draw(st.frozensets(st.sampled_from("abcd"), min_size=1))
        above = [draw(st.sampled_from(PATHS[item])) for item in sorted(held)]
        more = draw(st.lists(st.sampled_from(sorted({n for p in PATHS.values() for n in p})),
                             max_size=1))  # fmt: skip
        original[key] = held
        nodes[key] = frozenset([*above, *more][draw(st.integers(0, 9)) == 0 :])
    return original, {key: held for key, held in nodes.items() if held}


@tried(2, 10, recodings(), st.booleans())
def test_the_penalty_is_its_formula(connection, recoding, lists):
    original, nodes = recoding
    if not nodes:
        return
    made = release_of(connection, nodes, lists=lists)
    tree = hierarchy_of(connection, TREE)
    with setveil.read(connection, table(connection, original, lists=lists)) as baskets:
        [one] = setveil.compare(baskets, made, hierarchy=tree).releases
    expected = oracle.ncp(original, nodes, PATHS)
    penalty = None if expected is None else pytest.approx(float(expected), abs=1e-12)
    assert one.measures.get("ncp") == one.content()["ncp"] == penalty
    lost = oracle.information_lost(original, nodes, PATHS)
    lost = None if expected is None or lost is None else pytest.approx(lost, abs=1e-12)
    assert one.measures.get("information_lost") == one.content()["information_lost"] == lost
    plain = {key: {label for n, label in held if n == 0} for key, held in nodes.items()}
    assert one.measures["as_they_were"] == float(oracle.as_they_were(original, plain))


@pytest.mark.few(1)
@pytest.mark.parametrize("model", ["k-anonymity", "refined", "km-anonymity"])
def test_the_penalty_is_what_the_model_says(tmp_path, model):
    setveil.generate(tmp_path / "a.parquet", transactions=100, items=20, length=4, seed=4)
    make = {
        "k-anonymity": lambda it: setveil.k_anonymity(it, k=3, fanout=3),
        "refined": lambda it: setveil.k_anonymity(it, k=3, fanout=3, refine=True),
        "km-anonymity": lambda it: setveil.km_anonymity(it, k=3, m=2, fanout=3),
    }[model]
    with setveil.read(tmp_path / "a.parquet") as baskets:
        release = make(baskets)
        ncp = release.metrics.ncp
        [one] = setveil.compare(baskets, release, fanout=3).releases
    assert one.measures["ncp"] == pytest.approx(ncp, abs=1e-12) and ncp > 0


def test_the_wrong_hierarchy_is_told(connection):
    said = []
    original = table(connection, {0: frozenset("ab")})
    made = release_of(connection, {0: {(1, "u")}}, lists=False)
    strange = release_of(connection, {0: {(1, "v")}}, lists=False)
    wrong = hierarchy_of(connection, {"a": ["u"], "b": ["t"]})
    with setveil.read(connection, original, note=said.append) as baskets:
        [one] = setveil.compare(baskets, made, hierarchy=wrong).releases
        assert one.measures["ncp"] == 0.5  # u stands for a alone, and b was suppressed
        assert "1 of 2" in said[1] and "hierarchy" in said[1] and "as suppressed" in said[1]
        [one] = setveil.compare(baskets, strange, hierarchy=wrong).releases
        assert "ncp" not in one.measures and "left out" in said[2]
        del said[2]
        setveil.compare(baskets, original, fanout=2)
        assert "no release is generalized" in said[2]
        with pytest.raises(InputError, match="fanout="):
            setveil.compare(baskets, made, hierarchy=wrong, fanout=2)


def band_of(length: int) -> str:
    """The band of a length, one after the other."""
    bands = [(n, n) for n in range(21)] + [(n, n + 9) for n in range(21, 100, 10)]
    bands += [(n, n + 99) for n in range(101, 1000, 100)]
    for low, high in bands:
        if low <= length <= high:
            return f"{low:,}" if low == high else f"{low:,}–{high:,}"
    return "1,001 or more"


@pytest.mark.everywhere
def test_transactions_are_counted_by_length(connection):
    lengths = [0, 0, 1, 3, 3, 20, 21, 30, 31, 100, 101, 200, 201, 1000, 1001, 1200]
    connection.execute(
        "CREATE OR REPLACE TABLE lengths AS SELECT tid, RANGE(n) AS items FROM "
        "(SELECT UNNEST($1::INTEGER[]) AS n, UNNEST(RANGE(LEN($1))) AS tid)",
        [lengths],
    )
    with setveil.read(connection, "lengths", item="items") as baskets:
        found = setveil.inspect(baskets, k=1, p=1)
    expected = Counter(map(band_of, lengths))
    assert {one.range: one.transactions for one in found.lengths} == expected
    assert [one.at_least for one in found.lengths] == sorted(one.at_least for one in found.lengths)
    assert found.longest == 1200
