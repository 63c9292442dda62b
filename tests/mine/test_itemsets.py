"""Frequent itemsets and rules: against their definition, another miner, and all that can happen."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from efficient_apriori import apriori
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

import oracles
import oracles_itemsets as oracle
import setveil
from examples import tried
from runs import rows_of
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.mine import search
from setveil.mine.itemsets import least_support
from setveil.mine.rules import association_rules
from setveil.mine.search import frequent_itemsets

PLANS = search.PLANS
NAMES = (2, 3, 5, 11, 30, 100)  # whose order as numbers is not that as text

small = st.lists(st.frozensets(st.sampled_from(NAMES)), max_size=9)
few = st.lists(st.frozensets(st.sampled_from(NAMES[1:5])), max_size=9)


def data(baskets):
    items = frozenset().union(*baskets)
    return oracles.Data(tuple(map(frozenset, baskets)), items, frozenset())


def mine(connection, baskets, least, **options):
    with oracles.read(connection, data(baskets)) as given:
        mined = setveil.itemsets(given, min_support=least, **options)
        return mined.metrics, mined.rows()


def seeded(seed, transactions, items=9):
    chance = random.Random(seed)
    shares = [chance.choice((0.1, 0.4, 0.7, 0.95)) for _ in range(items)]
    return [
        frozenset(n for n, share in enumerate(shares) if chance.random() < share)
        for _ in range(transactions)
    ]


# Itemsets


@pytest.mark.everywhere
@tried(4, 30, small, st.integers(1, 5), st.none() | st.integers(1, 4), st.sampled_from(PLANS))
def test_itemsets_are_those_of_the_definition(connection, baskets, least, max_size, plan):
    metrics, rows = mine(connection, baskets, least, max_size=max_size, plan=plan)
    expected = oracle.frequent(baskets, least, max_size)
    assert {tuple(items): support for items, support, _ in rows} == expected
    assert len(rows) == len(expected) == sum(metrics.itemsets)
    assert all(frequency == support / len(baskets) for _, support, frequency in rows)
    assert rows == sorted(rows, key=lambda row: (-row[1], len(row[0]), row[0]))
    sizes = [len(items) for items in expected]
    assert metrics.itemsets == tuple(sizes.count(n) for n in range(1, max(sizes, default=0) + 1))


@pytest.mark.few(3)
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("budget", [0, 2**28])
def test_long_itemsets_are_counted_from_any_number_of_parts(connection, monkeypatch, plan, budget):
    """With no room to keep itemsets as bits, they are counted item by item."""
    monkeypatch.setattr(search, "POSTED_BYTES", budget)
    baskets = seeded(3, 300)
    _, rows = mine(connection, baskets, 2, plan=plan)
    expected = oracle.frequent(baskets, 2)
    assert max(map(len, expected)) >= 6
    assert {tuple(items): support for items, support, _ in rows} == expected


@pytest.mark.few(1)
@pytest.mark.parametrize("width", [64, 126, 1008, 4096])
def test_transactions_of_several_blocks(connection, width):
    baskets = seeded(4, 700, items=6)
    with oracles.read(connection, data(baskets)) as given:
        keep_to_width(given, width)
        rows = setveil.itemsets(given, min_support=20, plan="bits").rows()
    found = {tuple(items): support for items, support, _ in rows}
    assert found == oracle.frequent(baskets, 20)


def keep_to_width(given, width):
    """Blocks of bits of this width alone, or of the widest that this database has."""
    backend = given.session.backend
    backend.can = replace(
        backend.can, posting_widths=(min(width, max(backend.can.posting_widths)),)
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("width", search.WIDTHS)
def test_occurrences_of_several_blocks(connection, monkeypatch, width):
    monkeypatch.setattr(search, "WIDTHS", (width,))
    baskets = seeded(9, 1_500, items=7)
    _, rows = mine(connection, baskets, 20, plan="words")
    assert {tuple(items): support for items, support, _ in rows} == oracle.frequent(baskets, 20)


@pytest.mark.parametrize("plan", PLANS)
def test_itemsets_whose_support_is_given_are_not_counted(connection, plan):
    """Whoever has 0 has 1, and whoever has 2 and 3 has 4."""
    baskets = [
        basket | ({1} if 0 in basket else set()) | ({4} if {2, 3} <= basket else set())
        for basket in seeded(10, 400)
    ]
    with oracles.read(connection, data(baskets)) as given:
        found = frequent_itemsets(
            given.session, exp.to_table("occurrence"), items=given.items,
            transactions=given.transactions, least=5, plan=plan,
        )  # fmt: skip
        expected = oracle.frequent(baskets, 5)
        assert supports(given, found) == expected
        names = [name for (name,) in given.session.backend.rows(
            "test", "SELECT name FROM item ORDER BY item"
        )]  # fmt: skip
        for size in range(2, len(found.counts) + 1):
            items = ", ".join(f"item_{n}" for n in range(1, size + 1))
            text = f"SELECT {items}, free FROM {found.relation(size).sql()}"  # noqa: S608
            for *numbers, free in given.session.backend.rows("test", text):
                itemset = tuple(names[n] for n in numbers)
                smaller = [itemset[:n] + itemset[n + 1 :] for n in range(size)]
                assert free == (expected[itemset] < min(expected[one] for one in smaller))


def test_lists_are_counted_in_parts(connection, monkeypatch):
    monkeypatch.setattr(search._Search, "_parts_of", lambda self, outlook: 3)
    baskets = seeded(5, 300)
    with oracles.read(connection, data(baskets)) as given:
        found = frequent_itemsets(
            given.session, exp.to_table("occurrence"), items=given.items,
            transactions=given.transactions, least=15, plan="lists",
        )  # fmt: skip
        assert [one.name for one in given.session.statements].count("frequent_met_2") == 3
        assert supports(given, found) == oracle.frequent(baskets, 15)


def test_lists_go_over_to_bits_on_the_way(connection):
    """After triples: whatever the lists left serves the bits."""
    baskets = seeded(5, 300)
    with oracles.read(connection, data(baskets)) as given:
        keep_to_width(given, 64)
        found = frequent_itemsets(
            given.session, exp.to_table("occurrence"), items=given.items,
            transactions=given.transactions, least=15, plan=4,
        )  # fmt: skip
        assert found.plans[:4] == ("items", "lists", "lists", "bits of 64")
        assert supports(given, found) == oracle.frequent(baskets, 15)


def supports(given, found):
    """What a search left, checked to be in the order of the items."""
    ask = given.session.backend.rows
    names = [name for (name,) in ask("test", "SELECT name FROM item ORDER BY item")]
    answer = {}
    for size in range(1, len(found.counts) + 1):
        items = ", ".join(f"item_{n}" for n in range(1, size + 1))
        text = f"SELECT {items}, support FROM {found.relation(size).sql()} ORDER BY id"  # noqa: S608
        rows = ask("test", text)
        assert rows == sorted(rows) and len(rows) == found.counts[size - 1]
        answer |= {tuple(names[n] for n in items): support for *items, support in rows}
    return answer


def test_the_same_as_another_miner(connection):
    """efficient-apriori knows nothing of SQL, and keeps its rules' confidences as floats."""
    chance = random.Random(7)
    favourites = [chance.sample(range(60), 5) for _ in range(12)]
    baskets = [
        frozenset(chance.choice(favourites)[: chance.randint(1, 5)] + chance.sample(range(60), 4))
        for _ in range(800)
    ]
    theirs, their_rules = apriori(
        [tuple(basket) for basket in baskets], min_support=0.01, min_confidence=0.3
    )
    expected = {items: n for level in theirs.values() for items, n in level.items()}
    _, rows = mine(connection, baskets, "1%")
    assert {tuple(items): support for items, support, _ in rows} == expected
    _, rows = mine(connection, baskets, 0.01, rules=True, min_confidence=0.3, max_consequent=9)
    assert {(tuple(left), tuple(right)) for left, right, *_ in rows} == {
        (rule.lhs, rule.rhs) for rule in their_rules
    }
    lifts = {(rule.lhs, rule.rhs): rule.lift for rule in their_rules}
    assert all(
        lift == pytest.approx(lifts[tuple(left), tuple(right)]) for left, right, *_, lift in rows
    )


def test_two_searches_stand_side_by_side(connection):
    """The original's itemsets and a release's, in the same numbers."""
    baskets = seeded(6, 60, items=6)
    kept = [frozenset(basket - {0} if n % 2 else basket) for n, basket in enumerate(baskets)]
    with oracles.read(connection, data(baskets)) as given:
        session = given.session
        (zero,) = session.backend.rows("test", "SELECT item FROM item WHERE name = 0")[0]
        released = (
            exp.Select().select("o.tid AS tid", "o.item AS item").from_("occurrence AS o")
            .join("basket AS b", on="b.tid = o.tid").where(f"b.key % 2 = 0 OR o.item <> {zero}")
        )  # fmt: skip
        sizes = {"items": given.items, "transactions": given.transactions, "least": 6}
        whole = exp.to_table("occurrence")
        before = frequent_itemsets(session, whole, **sizes)
        rules = association_rules(session, before, confidence=Fraction(1, 2))
        after = frequent_itemsets(session, released.subquery(), found="frequent_after", **sizes)
        fewer = association_rules(session, after, confidence=Fraction(1, 2), rules="rules_after")
        assert supports(given, before) == oracle.frequent(baskets, 6)
        assert supports(given, after) == oracle.frequent(kept, 6)
        for counts, supported in ((rules, baskets), (fewer, kept)):
            expected = oracle.rules(oracle.frequent(supported, 6), Fraction(1, 2), 1)
            assert counts.total == len(expected)
        again = frequent_itemsets(session, whole, max_size=2, **sizes)
        assert supports(given, again) == oracle.frequent(baskets, 6, 2)
        left = [name for name in session.relations if name.startswith("frequent_")]
        assert "frequent_3" not in left and "frequent_after_3" in left


# Rules


@tried(3, 25, few, st.integers(1, 3), oracles.shares, st.integers(1, 3))
def test_rules_are_those_of_the_definition(connection, baskets, least, confidence, most):
    """Where the confidence is exactly what was asked for, the rule is there."""
    metrics, rows = mine(
        connection, baskets, least, rules=True, min_confidence=confidence, max_consequent=most
    )
    expected = oracle.rules(oracle.frequent(baskets, least), confidence, most)
    assert metrics.rules == len(rows)
    found = {(tuple(left), tuple(right)): rest for left, right, *rest in rows}
    assert len(found) == len(rows)
    assert found.keys() == expected.keys()
    for rule, (support, confident, lift) in found.items():
        whole, left, right = expected[rule]
        assert (support, confident) == (whole, whole / left)
        assert lift == pytest.approx(whole * len(baskets) / (left * right), rel=1e-14)
    assert rows == sorted(rows, key=lambda row: (-row[3], -row[2], row[0], row[1]))


def test_confidence_is_compared_exactly(connection):
    """3 of 10 is 0.3, though the nearest binary number is below, and 1 of 3 is below 0.34."""
    baskets = [{1, 2}] * 3 + [{1}] * 7
    exact = {"0.3": True, "30%": True, "3/10": True, Decimal("0.3"): True, "0.300000001": False}
    for asked, there in exact.items():
        _, rows = mine(connection, baskets, 1, rules=True, min_confidence=asked)
        assert (([1], [2]) in [(left, right) for left, right, *_ in rows]) is there
    with pytest.raises(InputError, match="digits"):
        mine(connection, baskets, 1, rules=True, min_confidence="0.30000000000000004")


# What is asked for


@given(st.fractions(Fraction(1, 1000), 1), st.integers(1, 300))
def test_a_share_is_rounded_up_exactly(share, transactions):
    least = oracle.share_to_least(share, transactions)
    assert least_support(share, transactions) == least
    percent = share * 100
    assert least_support(f"{percent.numerator}/{percent.denominator}%", transactions) == least


@pytest.mark.parametrize(
    "given, least",
    [(20, 20), ("20", 20), (0.01, 10), ("1%", 10), ("0.1 %", 1), ("100%", 1000), (1.0, 1000),
     (Fraction(1), 1000), ("0.0101", 11), (1, 1), (5000, 5000), ("0.00001", 1)],
)  # fmt: skip
def test_minimum_support(given, least):
    assert least_support(given, 1000) == least


@pytest.mark.parametrize("given", [0, -1, "0", "0%", 0.0, 1.5, "101%", "", "x", "1/0", True, "nan"])
def test_no_minimum_support(given):
    with pytest.raises(InputError, match="min support"):
        least_support(given, 1000)


@pytest.mark.parametrize(
    "options, message",
    [({"max_size": 0}, "max_size"), ({"rules": True}, "min_confidence="),
     ({"plan": "x"}, "no plan"),
     ({"min_confidence": 1}, "is for rules: add rules=True"),
     ({"rules": True, "min_confidence": 2}, "confidence"),
     ({"limit": 0}, "limit"), ({"max_consequent": 2}, "is for rules: add rules=True"),
     ({"rules": True, "min_confidence": "x"}, "confidence"),
     ({"rules": True, "min_confidence": 1, "max_consequent": 0}, "max_consequent")],
)  # fmt: skip
def test_options_that_make_no_sense(connection, options, message):
    with pytest.raises(InputError, match=message):
        mine(connection, [{1}], 1, **options)


@pytest.mark.parametrize("rules", [{}, {"rules": True, "min_confidence": 0}])
@pytest.mark.parametrize("baskets", [[], [set(), set()], [{1}, {2}]])
def test_nothing_is_found_in_nothing(connection, baskets, rules):
    least = 2 if baskets else "1%"
    metrics, rows = mine(connection, baskets, least, **rules)
    assert rows == [] and metrics.itemsets == () and metrics.rules == (0 if rules else None)


# What would be too much


@pytest.mark.parametrize("plan", PLANS)
def test_too_many_itemsets_are_refused_before_they_are_made(connection, plan):
    """2^18 itemsets of 18 items: their number is known a level before."""
    baskets = [set(range(18))] * 4
    with oracles.read(connection, data(baskets)) as given:
        with pytest.raises(UnreachableError, match="8,568 frequent itemsets of 5 items") as error:
            setveil.itemsets(given, min_support=2, limit=10_000, plan=plan)
        assert "set max_size= to 4" in str(error.value)
        assert not [one for one in given.session.statements if one.name == "frequent_5"]
        assert not [name for name in given.session.relations if name.startswith("frequent")]
        mined = setveil.itemsets(given, min_support=2, limit=10_000, plan=plan, max_size=4)
        assert mined.metrics.itemsets == (18, 153, 816, 3060)


def test_a_closer_look_before_a_refusal(connection):
    """Pairs that share an item, but hardly ever a third pair: few triples are possible."""
    baskets = [{0, n} for n in range(1, 60)] * 2
    metrics, _ = mine(connection, baskets, 2, limit=200)
    assert metrics.itemsets == (60, 59)


def test_too_many_rules_are_refused(connection):
    """6 items that are always together: every way to part an itemset in two is a rule."""
    baskets = [set(range(6))] * 2
    options = {"rules": True, "min_confidence": 1}
    metrics, _ = mine(connection, baskets, 2, **options, limit=200)
    assert metrics.rules == 6 * 2**5 - 6
    all_of_them = 3**6 - 2 * 2**6 + 1
    metrics, _ = mine(connection, baskets, 2, **options, max_consequent=5, limit=all_of_them)
    assert metrics.rules == all_of_them
    with pytest.raises(UnreachableError, match="more rules"):
        mine(connection, baskets, 2, **options, max_consequent=5, limit=all_of_them - 1)


# What is written


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(11)
    rows = [(tid, f"i{n}") for tid in range(400) for n in range(9) if chance.random() < n / 9]
    with duckdb.connect("shop.duckdb") as connection:
        columns = [list(column) for column in zip(*rows, strict=True)]
        connection.execute(
            "CREATE TABLE t AS SELECT UNNEST($1::INT[]) AS tid, UNNEST($2::TEXT[]) AS item", columns
        )
        connection.execute("COPY t TO 'shop.parquet'")
        connection.execute("COPY t TO 'shop.csv'")
        connection.execute("COPY (SELECT LIST(item) AS items FROM t GROUP BY tid) TO 'l.parquet'")
    baskets = {tid: {item for one, item in rows if one == tid} for tid, _ in rows}
    return oracle.frequent(baskets.values(), 30)


RULES = ["--rules", "--min-confidence", "0.5", "--max-consequent", "2"]


@pytest.mark.slow
@pytest.mark.few(3)
@pytest.mark.parametrize(
    "suffix, more",
    [("parquet", []), ("csv", []), ("json", []), ("parquet", RULES), ("tsv", RULES),
     ("jsonl", RULES)],
    ids=["parquet", "csv", "json", "parquet-rules", "tsv-rules", "jsonl-rules"],
)  # fmt: skip
def test_files_and_trails(shop, capsys, suffix, more):
    out = f"out.{suffix}"
    arguments = [
        "itemsets",
        "shop.parquet",
        "--min-support",
        "30",
        "--out",
        out,
        "--trail",
        "t.sql",
    ]
    assert run([*arguments, *more, "--threads", "1"]) == 0
    first = Path(out).read_bytes()
    assert Path(out).stat().st_mode & 0o777 == 0o600
    assert capsys.readouterr().err == ""
    assert run(["replay", "t.sql"]) == 0
    assert run([*arguments, *more, "--threads", "4", "--force"]) == 0
    assert Path(out).read_bytes() == first
    assert run([*arguments, *more]) == 2  # it exists
    assert Path("t.sql").read_text().startswith("-- CONFIDENTIAL")
    rows = rows_of(f"FROM '{out}'")
    lists = rows if suffix not in ("csv", "tsv") else [(json.loads(one), *r) for one, *r in rows]
    if more:
        assert len(rows) == len(oracle.rules(shop, Fraction(1, 2), 2))
    else:
        assert {tuple(items): support for items, support, _ in lists} == shop


def test_both_shapes_and_all_formats_are_the_same(shop, capsys):
    found = set()
    for source in (["shop.parquet"], ["shop.csv"], ["l.parquet", "--item", "items"],
                   ["t", "--database", "shop.duckdb"]):  # fmt: skip
        arguments = ["itemsets", *source, "--min-support", "30", "--out", "o.parquet", "--force"]
        assert run(arguments) == 0
        found.add(Path("o.parquet").read_bytes())
    assert len(found) == 1


def test_into_a_table_and_again(shop, capsys):
    arguments = ["itemsets", "t", "--database", "shop.duckdb", "--min-support", "30"]
    assert run([*arguments, "--into", "found", "--trail", "t.sql"]) == 0
    assert run(["replay", "t.sql"]) == 0
    with duckdb.connect("shop.duckdb") as connection:
        rows = connection.execute("FROM found").fetchall()
    assert {tuple(items): support for items, support, _ in rows} == shop
    assert run([*arguments, "--into", "found"]) == 2
    # Its own output is transactions again: one per row.
    again = ["itemsets", "found", "--database", "shop.duckdb", "--item", "items"]
    assert run([*again, "--min-support", "1%", "--quiet"]) == 0


def test_what_is_printed(shop, capsys):
    arguments = ["itemsets", "shop.parquet", "--min-support", "30"]
    assert run(arguments) == 0
    printed = capsys.readouterr()
    assert "nothing was written" in printed.err
    assert f"{len(shop):,}" in printed.out and "i8" in printed.out
    assert run([*arguments, *RULES, "--quiet"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "" and " -> " in printed.out and "lift" in printed.out
    assert run([*arguments, "--json", "--out", "o.parquet"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["command"] == "itemsets" and "guarantee" not in content
    assert sum(content["metrics"]["itemsets"]) == len(shop)
    assert content["metrics"]["least"] == 30 and content["out"] == "o.parquet"


def test_what_is_refused_leaves_nothing(shop, tmp_path, capsys):
    there = {path.name for path in tmp_path.iterdir()}
    arguments = ["itemsets", "shop.parquet", "--min-support", "1"]
    assert run([*arguments, "--limit", "20", "--out", "o.parquet", "--trail", "t.sql"]) == 3
    assert "raise --min-support" in capsys.readouterr().err
    for wrong in (["--out", "o.dat"], ["--into", "x"], ["--trail", "t.sql"], ["--out", "no/o.csv"],
                  ["--out", "o.csv", "--trail", "o.csv"], ["--rules"]):  # fmt: skip
        assert run([*arguments, *wrong]) == 2
    assert run([*arguments, "--out", "shop.parquet", "--force"]) == 2
    assert {path.name for path in tmp_path.iterdir()} == there


@pytest.mark.parametrize("more", [[], RULES], ids=["itemsets", "rules"])
def test_explain_runs_nothing(shop, tmp_path, capsys, more):
    there = {path.name for path in tmp_path.iterdir()}
    arguments = ["itemsets", "shop.parquet", "--min-support", "1%", "--out", "o.parquet"]
    assert run([*arguments, *more, "--explain"]) == 0
    printed = capsys.readouterr().out
    assert "CREATE TABLE frequent_3 AS" in printed
    assert ("CREATE TABLE rules_2_1 AS" in printed) is bool(more)
    assert {path.name for path in tmp_path.iterdir()} == there


def test_the_trail_says_which_plan_and_why(connection):
    with oracles.read(connection, data(seeded(8, 100))) as given:
        setveil.itemsets(given, min_support=5)
        remarks = [one.why for one in given.session.statements if one.name == "remark"]
    assert remarks[0].startswith("itemsets of 2: lists would take about")


def test_few_statements(connection):
    """Each costs 0.2 s on Spark."""
    for plan in ("lists", "bits", "words"):
        with oracles.read(connection, data(seeded(3, 300))) as given:
            before = len(given.session.statements)
            mined = setveil.itemsets(given, min_support=8, plan=plan)
            statements = len([one for one in given.session.statements[before:] if one.text])
        assert statements <= 5 * len(mined.metrics.itemsets) + 3


HOSTILE = [
    "o'brien", 'a"b', "x); DROP TABLE item; --", " ", "\n", "[1, 2]", "a,b", "\\", "\U0001f600",
    "NULL", "\xe4", "\u202e",
]  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("suffix", ["parquet", "csv", "json", "jsonl"])
def test_hostile_names(tmp_path, monkeypatch, suffix):
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE t ("t\'id" INT, "it""em" VARCHAR)')
        rows = [(tid, name) for tid in range(2) for name in HOSTILE[tid:]]
        connection.executemany("INSERT INTO t VALUES ($1, $2)", rows)
        with setveil.read(connection, "t", tid="t'id", item='it"em') as baskets:
            mined = setveil.itemsets(baskets, min_support=2, max_size=3)
            expected = mined.rows()
            mined.write(f"o'ut.{suffix}", trail="t.sql")
    assert sorted(items[0] for items, *_ in expected if len(items) == 1) == sorted(HOSTILE[1:])
    text = Path("t.sql").read_text()
    assert not [name for name in HOSTILE[:3] if name in text]
    source = (
        f"read_csv('o''ut.{suffix}', header = true)" if suffix == "csv" else f"'o''ut.{suffix}'"
    )
    rows = rows_of(f"FROM {source}")
    if suffix == "csv":
        rows = [(json.loads(items), *rest) for items, *rest in rows]
    assert rows == expected
