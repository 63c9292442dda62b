"""The minimal moles that SQL finds are those of the definition, in every plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import strategies as st
from sqlglot import exp

import harness
import oracles
import reference
import setveil
from examples import tried
from oracles import Data, Found
from setveil.models.coherence import choose as suppression
from setveil.models.coherence import search as moles
from setveil.models.coherence.promise import Level, Promise, promised
from setveil.models.coherence.search import find_moles
from setveil.sql import inverted
from setveil.sql.comparison import inspection
from setveil.sql.models.coherence import search as sql
from setveil.sql.step import Step

PLANS = pytest.mark.parametrize("plan", moles.PLANS)


@contextmanager
def searched(
    connection: duckdb.DuckDBPyConnection,
    data: Data,
    h: Fraction,
    k: int,
    p: int,
    widths: tuple[int, ...] = (),
) -> Iterator[tuple[setveil.Baskets, Promise]]:
    """Transactions that were read, and the promise to be kept."""
    with oracles.read(connection, data) as baskets:
        backend = baskets.session.backend
        if widths:
            most = max(backend.can.posting_widths)
            fitting = tuple(sorted({min(width, most) for width in widths}))
            backend.can = replace(backend.can, posting_widths=fitting)
        private, public = sorted(data.private), sorted(data.public)
        session = baskets.session
        yield baskets, promised(session, k, p, h, private, public, ignore_unknown=True)


def search(
    baskets: setveil.Baskets, promise: Promise, plan: str | int, **options: object
) -> list[Level]:
    sizes = {"items": baskets.items, "transactions": baskets.transactions}
    return find_moles(baskets.session, promise, plan=plan, **sizes, **options)


def as_found(data: Data, levels: list[Level], p: int) -> list[Found]:
    """Levels by the names of their items; where the search ended early, there is nothing more."""
    names = data.items
    assert [level.size for level in levels] == list(range(1, len(levels) + 1))
    found = [
        Found(
            level.present,
            [tuple(names[item] for item in mole) for mole in level.moles.tolist()],
            level.revealing,
        )
        for level in levels
    ]
    return found + [Found(0, [], 0)] * (p - len(levels))


def agree(
    connection: duckdb.DuckDBPyConnection,
    data: Data,
    h: Fraction,
    k: int,
    p: int,
    plans: tuple[str | int, ...] = moles.PLANS,
    widths: tuple[int, ...] = (),
) -> list[Found]:
    expected = oracles.by_definition(data, h, k, p)
    with searched(connection, data, h, k, p, widths) as (baskets, promise):
        for plan in plans:
            levels = search(baskets, promise, plan)
            assert as_found(data, levels, p) == expected, plan
            assert all(level.extendible == level.present - len(level.moles) for level in levels)
    return expected


@tried(4, 40, data=oracles.databases(), h=oracles.shares, k=st.integers(1, 4), p=st.integers(1, 4))
def test_tiny_databases(
    connection: duckdb.DuckDBPyConnection, data: Data, h: Fraction, k: int, p: int
) -> None:
    """Blocks of 3 transactions, so that even these need several."""
    agree(connection, data, h, k, p, widths=(3,))


SEEDS = {  # seed: transactions, h, k
    1: (200, "0.45", 6),
    4: (300, "0.45", 9),
    21: (200, "0.45", 6),
    22: (65, "0.5", 2),
    24: (200, "0.4", 5),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("widths", [(64,), (126,), (64, 1008, 4096)], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_several_blocks(
    connection: duckdb.DuckDBPyConnection, seed: int, widths: tuple[int, ...]
) -> None:
    transactions, h, k = SEEDS[seed]
    agree(connection, oracles.seeded(seed, transactions), Fraction(h), k, 4, widths=widths)


@pytest.mark.only_on("duckdb", "postgres", reason="words of integers are no longer than 63")
def test_blocks_of_4096(connection: duckdb.DuckDBPyConnection) -> None:
    """The same transactions 50 times over: every support is 50 times what it was."""
    once = oracles.seeded(22, 200)
    h, k, p = Fraction("0.45"), 6, 4
    expected = oracles.by_definition(once, h, k, p)
    with searched(connection, replace(once, baskets=once.baskets * 50), h, 50 * k, p) as searching:
        baskets, promise = searching
        assert baskets.transactions > 2 * 4096
        baskets.session.backend.can = replace(baskets.session.backend.can, posting_widths=(4096,))
        assert as_found(once, search(baskets, promise, "bits"), p) == expected


def test_seeded_data_is_worth_searching() -> None:
    """Rare and revealing moles of 2, 3 and 4 items occur, and sets of 4 that are neither."""
    found = [
        oracles.by_definition(oracles.seeded(seed, transactions), Fraction(h), k, 4)
        for seed, (transactions, h, k) in SEEDS.items()
    ]
    for size in (1, 2, 3):
        assert sum(one[size].revealing for one in found) >= 5
        assert sum(len(one[size].moles) - one[size].revealing for one in found) >= 5, size
    assert sum(one[3].present - len(one[3].moles) for one in found) >= 5


@pytest.mark.few(3)
@pytest.mark.parametrize("last", [1, 2, 3])
@pytest.mark.parametrize("seed", [1, 21])
def test_lists_that_become_bits(
    connection: duckdb.DuckDBPyConnection, seed: int, last: int
) -> None:
    """The switch changes no answer, whichever level it comes after."""
    transactions, h, k = SEEDS[seed]
    data = oracles.seeded(seed, transactions)
    agree(connection, data, Fraction(h), k, 4, plans=(last + 1,), widths=(64,))


@pytest.mark.few(2)
@pytest.mark.parametrize("few", [0, 10**9], ids=["all cohorts", "within bounds"])
@pytest.mark.parametrize("last", [2, 3, 4])
@pytest.mark.parametrize("seed", [4, 24])
def test_private_items_are_counted_either_way(
    connection: duckdb.DuckDBPyConnection,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    last: int,
    few: int,
) -> None:
    """In all cohorts, or where bounds leave them; in lists up to `last`, and then in bits."""
    transactions, h, k = SEEDS[seed]
    data = oracles.seeded(seed, transactions)
    monkeypatch.setattr(moles, "FEW_LINKS", few)
    agree(connection, data, Fraction(h), k, 4, plans=(last + 1,), widths=(64,))


@pytest.mark.few(5)
@PLANS
@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_every_power_of_the_attacker(
    connection: duckdb.DuckDBPyConnection, p: int, plan: str
) -> None:
    """What the last level leaves out (cohorts, bounds of supersets) changes no answer."""
    data = oracles.seeded(21, 200)
    agree(connection, data, Fraction("0.45"), 6, p, plans=(plan,), widths=(64,))


@pytest.mark.parametrize("p", [3, 4])
def test_the_last_level_in_parts(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, p: int
) -> None:
    """Itemsets are counted in parts by their first items, and none is lost or counted twice."""
    monkeypatch.setattr(moles._Search, "_parts_of", lambda search, outlook: 3)
    data = oracles.seeded(21, 200)
    agree(connection, data, Fraction("0.45"), 6, p, plans=("lists",))
    with searched(connection, data, Fraction("0.45"), 6, p) as (baskets, promise):
        search(baskets, promise, "lists")
        names = [statement.name for statement in baskets.session.statements]
        assert names.count(f"counted_{p}") == 3 + 1  # and it is dropped


@PLANS
def test_without_private_items(connection: duckdb.DuckDBPyConnection, plan: str) -> None:
    data = replace(oracles.seeded(2, 100), private=frozenset())
    found = agree(connection, data, Fraction(0), 6, 4, plans=(plan,), widths=(64,))
    assert sum(len(one.moles) for one in found) > 5
    with searched(connection, data, Fraction(0), 6, 4) as (baskets, promise):
        search(baskets, promise, plan)
        assert not any("link" in s.text or "secret" in s.text for s in baskets.session.statements)


@pytest.mark.few(6)
@PLANS
@pytest.mark.parametrize(
    "baskets, public, private",
    [
        ([], [], []),
        ([[]], [], []),
        ([[], [], []], [], []),
        ([[1, 2]] * 3, [], [1, 2]),
        ([[1]] * 3, [1], []),
        ([[1, 2, 3]] * 3, [1, 2], []),
    ],
    ids=["none", "one empty", "all empty", "all private", "one item", "one unjudged"],
)
def test_little_data(
    connection: duckdb.DuckDBPyConnection,
    baskets: list[list[int]],
    public: list[int],
    private: list[int],
    plan: str,
) -> None:
    data = Data(tuple(map(frozenset, baskets)), frozenset(public), frozenset(private))
    for k in (1, 4):
        agree(connection, data, Fraction(1), k, 3, plans=(plan,))


@pytest.mark.few(9)
@pytest.mark.parametrize(
    "h, hits, support, mole",
    [
        ("0.3", 3, 10, False),  # 0.1 * 3 > 0.3 in binary
        ("0.3", 4, 10, True),
        ("0.29", 29, 100, False),  # 0.29 * 100 < 29 in binary
        ("0.289999999", 29, 100, True),
        ("0", 0, 5, False),
        ("0", 1, 5, True),
        ("1", 5, 5, False),
        ("2/3", 2, 3, False),
        ("0.666666666", 2, 3, True),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_shares_are_compared_exactly_and_strictly(
    connection: duckdb.DuckDBPyConnection,
    size: int,
    h: str,
    hits: int,
    support: int,
    mole: bool,
) -> None:
    """One itemset of `size` meets the private item 99; its subsets have company."""
    whole = frozenset(range(1, size + 1))
    cohort = [whole | {99}] * hits + [whole] * (support - hits)
    company = [whole - {item} for item in whole] * 200 if size > 1 else []
    data = Data(tuple(cohort + company), whole, frozenset({99}))
    found = agree(connection, data, Fraction(h), 2, size, plans=("lists", "bits"), widths=(64,))
    if size == 1 or h != "0":
        assert found[-1].moles == ([tuple(whole)] if mole else [])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_share_of_nine_digits_fits_beside_a_large_k(
    connection: duckdb.DuckDBPyConnection, size: int
) -> None:
    """The product of h's numerator and k is more than an INTEGER of a database holds."""
    whole = frozenset(range(1, size + 1))
    company = [whole - {item} for item in whole] * 90 if size > 1 else []
    data = Data(tuple([whole | {99}] * 60 + company), whole, frozenset({99}))
    found = agree(connection, data, Fraction("0.999999999"), 50, size, plans=("lists", "bits"))
    assert found[-1].moles == [tuple(whole)]


@pytest.mark.few(5)
@pytest.mark.parametrize("support, mole", [(3, True), (4, False), (5, False)])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_k_is_enough(
    connection: duckdb.DuckDBPyConnection, size: int, support: int, mole: bool
) -> None:
    whole = frozenset(range(1, size + 1))
    company = tuple(whole - {item} for item in whole) * 9 if size > 1 else ()
    data = Data((whole,) * support + company, whole, frozenset())
    found = agree(connection, data, Fraction(1), 4, size, plans=("lists", "bits"))
    assert found[-1].moles == ([tuple(whole)] if mole else [])


@pytest.mark.gap("spark", reason="Spark does not tell what is large: all of it goes with the run")
def test_verdicts_are_left_and_cohorts_are_not(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they are large: small ones go with the run."""
    monkeypatch.setattr("setveil.run.session.LARGE", 1)
    data = oracles.seeded(0, 100)
    for plan in moles.PLANS:
        with searched(connection, data, Fraction("0.4"), 4, 4) as (baskets, promise):
            search(baskets, promise, plan)
            left = harness.current.relations(baskets.session.backend)
            assert {f"judged_{size}" for size in range(1, 5)} <= left
            assert not [name for name in left if "cohort" in name or "posting" in name]


def test_the_choice_of_a_plan_is_told(connection: duckdb.DuckDBPyConnection) -> None:
    data = oracles.seeded(0, 200)
    with searched(connection, data, Fraction("0.4"), 4, 3) as (baskets, promise):
        levels = search(baskets, promise, "auto")
        remarks = [s.why for s in baskets.session.statements if s.name == "remark"]
    assert remarks and all("chosen: " in remark for remark in remarks)
    assert levels[1].plan.partition(" ")[0] == remarks[0].rpartition(" ")[2]


def test_progress_sees_every_level(connection: duckdb.DuckDBPyConnection) -> None:
    seen: list[Level] = []
    with searched(connection, oracles.seeded(0, 100), Fraction("0.4"), 4, 3) as (baskets, promise):
        levels = search(baskets, promise, "auto", progress=seen.append)
    assert [level.size for level in seen] == [level.size for level in levels] == [1, 2, 3]


def exposed(data: Data, k: int, size: int, sets: list[Found]) -> int:
    """The transactions that hold a rare minimal mole of at most `size` items."""
    rare = [
        frozenset(mole) for found in sets[:size] for mole in found.moles if data.support(mole) < k
    ]
    return sum(any(mole <= basket for mole in rare) for basket in data.baskets)


@pytest.mark.parametrize("plan", [*moles.PLANS, 3])
def test_exposed_transactions(connection: duckdb.DuckDBPyConnection, plan: str | int) -> None:
    """An attacker of power n singles out whoever holds a rare minimal mole of up to n items."""
    h, k = Fraction("0.4"), 6
    data = oracles.seeded(4, 200, often=(0.02, 0.2, 0.5, 0.7))
    sets = oracles.by_definition(data, h, k, 4)
    with searched(connection, data, h, k, 4, (64,)) as (baskets, promise):
        levels = search(baskets, promise, plan, exposed=True)
        session = baskets.session
        counts = [session.one(inspection.exposure(level.size))[0] for level in levels]
    assert counts == [exposed(data, k, level.size, sets) for level in levels]
    assert len(levels) == 4 and counts[0] < counts[-1] < 200


# Steps one by one: where a step only saves work, no answer shows what it does


HALF, K = Fraction(1, 2), 4
COUNTED = ("id", "parent", "sibling", "item_1", "item_2", "item_3", "support")
LINK = ("id", "item", "hits")

Row = tuple[int | str, ...]


def rows_of(
    connection: duckdb.DuckDBPyConnection, step: Step, **given: Sequence[Row]
) -> list[tuple[int, ...]]:
    """What a step answers where these relations are; the first row of each names its columns."""
    relations = {
        name: (", ".join(f"{column} BIGINT" for column in columns), rows)
        for name, (columns, *rows) in given.items()
    }
    with harness.prepared(connection, **relations) as session:
        return sorted(session.ask(step))


@pytest.mark.parametrize("last", [False, True])
def test_bounds_are_as_tight_as_two_subsets_make_them(
    connection: duckdb.DuckDBPyConnection, last: bool
) -> None:
    """The least of both; more than h·k, at the last level more than h of the support."""
    found = rows_of(
        connection,
        sql.bounds(3, HALF, K, last=last),
        counted_3=[
            COUNTED,
            (1, 10, 11, 1, 2, 3, 8),
            (2, 10, 12, 1, 2, 4, 3),  # rare
            (3, 12, 10, 1, 4, 5, 4),
        ],
        link_2=[
            LINK,
            *[(10, 50, 7), (11, 50, 5), (12, 50, 9)],
            *[(10, 51, 9), (11, 51, 4)],  # as many as half of 8, and more than half of k
            *[(10, 52, 9), (11, 52, 2)],  # as many as half of k
            *[(10, 53, 9), (11, 54, 9)],  # in one subset only
        ],
    )
    expected = [(1, 8, 10, 3, 50, 5), (3, 4, 12, 5, 50, 7)]
    assert found == (expected if last else sorted([*expected, (1, 8, 10, 3, 51, 4)]))


def test_lists_link_what_is_in_more_than_h_of_k(connection: duckdb.DuckDBPyConnection) -> None:
    secrets = {1: [50, 51, 52], 2: [50, 51], 3: [50], 4: [53], 5: [50]}
    found = rows_of(
        connection,
        sql.links_in_lists(3, sql.table("cohort", 3), 100, HALF, K),
        cohort_3=[("id", "tid"), *[(7, tid) for tid in (1, 2, 3, 4)], (8, 5), (8, 3)],
        secret=[("tid", "item"), *[(tid, item) for tid, held in secrets.items() for item in held]],
    )
    assert found == [(7, 50, 3)]


def test_lists_link_within_bounds(connection: duckdb.DuckDBPyConnection) -> None:
    """Only what the bounds name, counted: nothing else of the same cohort or private item."""
    found = rows_of(
        connection,
        sql.links_within_bounds(3, sql.table("cohort", 3), 100),
        cohort_3=[("id", "tid"), (7, 1), (7, 2), (7, 3), (8, 1), (8, 2), (9, 3)],
        secret=[("tid", "item"), (1, 50), (2, 50), (3, 50), (1, 51), (2, 52), (3, 51)],
        bound_3=[LINK, (7, 50, 9), (8, 51, 9), (9, 50, 9)],
    )
    assert found == [(7, 50, 3), (8, 51, 1), (9, 50, 1)]


def test_links_in_bits_are_exact_where_counted(connection: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(
        connection,
        sql.links_in_bits(3),
        bound_3=[LINK, (7, 50, 9), (7, 51, 8), (8, 50, 7)],
        exact_3=[LINK, (7, 50, 5), (8, 50, 0)],
    )
    assert found == [(7, 50, 5), (7, 51, 8), (8, 50, 0)]


@pytest.mark.parametrize(
    "level, holders",
    [
        (1, inverted.holders(K)),
        (3, sql.holders(3, K).subquery()),
        (3, sql.cohorts(3, K, ordered=True).query.subquery()),
    ],
    ids=["items", "itemsets", "kept"],
)
def test_holders_of_what_is_not_rare(
    connection: duckdb.DuckDBPyConnection, level: int, holders: exp.Subquery
) -> None:
    """k is enough; who holds the prefix must hold the last item as well."""
    found = rows_of(
        connection,
        Step("holder", "who holds them", holders.this),
        counted_1=[("id", "support"), (3, K), (4, K - 1), (5, K + 1)],
        occurrence=[("tid", "item"), (1, 3), (2, 3), (1, 4), (2, 5), (2, 6)],
        counted_3=[COUNTED, (30, 12, 13, 1, 2, 3, K), (40, 12, 14, 1, 2, 4, K - 1),
                   (50, 12, 15, 1, 2, 5, K + 1), (51, 13, 15, 1, 3, 5, K + 1)],
        cohort_2=[("id", "tid"), (12, 1), (12, 2), (12, 3), (14, 1)],
        extension=[("tid", "item"), (1, 3), (2, 3), (1, 4), (2, 5), (4, 3)],
    )  # fmt: skip
    scale = 1 if level == 1 else 10
    assert found == [(3 * scale, 1), (3 * scale, 2), (5 * scale, 2)]


def test_prefixes_are_met_with_later_items_only(connection: duckdb.DuckDBPyConnection) -> None:
    """Each itemset comes up once, items ascending, even if {2, 3} and {2} were there twice over."""
    found = rows_of(
        connection,
        sql.counted_in_lists(3, 100),
        judged_2=[
            ("id", "item_1", "item_2", "verdict"),
            *[(10, 1, 2, 0), (11, 1, 3, 0), (12, 2, 3, 0), (13, 1, 4, 1), (14, 2, 4, 0)],
            *[(15, 3, 2, 0), (16, 2, 2, 0), (17, 3, 3, 0)],
        ],
        cohort_2=[("id", "tid"), (10, 1), (10, 2), (11, 1), (11, 2), (11, 3), (12, 1), (12, 2)],
        extension=[("tid", "item"), *[(tid, item) for tid in (1, 2) for item in (1, 2, 3, 4)]],
    )
    assert found == [(1, 10, 11, 2, 1, 2, 3)]


def test_itemsets_know_the_two_that_they_are_made_of(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """The itemset without its last item, and the one without the last but one."""
    judged = [("id", "item_1", "item_2", "verdict")]
    judged += [(10, 1, 2, 0), (11, 1, 3, 0), (12, 2, 3, 0), (13, 1, 4, 1), (14, 2, 4, 0)]
    found = rows_of(connection, sql.candidates(3), judged_2=judged)
    assert found == [(1, 10, 11, 1, 2, 3)]
    held = [("tid", "item"), (1, 3), (1, 5), (2, 3), (2, 5), (2, 7)]
    found = rows_of(connection, sql.counted_pairs(100), extension=held)
    assert found == [(1, 3, 5, 3, 5, 2), (2, 3, 7, 3, 7, 1), (3, 5, 7, 5, 7, 1)]


def on_numbers(step: Step) -> Step:
    """The step, for relations that hold their bits as numbers."""

    def cast(node: exp.Expr) -> exp.Expr:
        is_bits = isinstance(node, exp.Column) and node.name == "bits"
        return exp.cast(node, "BIT") if is_bits else node

    return Step(step.name, step.why, step.query.transform(cast))


@pytest.mark.only_on("duckdb", reason="its relations hold numbers that are cast to its bits")
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("every", [False, True])
def test_only_bounds_that_could_be_a_breach_are_counted(
    connection: duckdb.DuckDBPyConnection, kept: bool, every: bool
) -> None:
    """More than half of the support, strictly; unless every one is wanted."""
    found = rows_of(
        connection,
        on_numbers(sql.exact_hits(3, HALF, inverted.Blocks(64), kept=kept, every=every)),
        bound_3=[
            ("id", "support", "parent", "last", "item", "hits"),
            (7, 8, 70, 3, 50, 5),
            (8, 8, 80, 3, 50, 4),  # half
        ],
        posting_3=[("id", "block", "bits"), (7, 0, 7), (7, 1, 1), (8, 0, 3), (7, 2, 1)],
        posting_2=[("id", "block", "bits"), (70, 0, 15), (70, 1, 1), (80, 0, 19), (70, 2, 1)],
        posting_1=[("id", "block", "bits"), (3, 0, 7), (3, 1, 1), (3, 2, 1), (4, 0, 31)],
        secret_posting=[("id", "block", "bits"), (50, 0, 6), (50, 1, 1), (51, 0, 31)],
    )
    assert found == ([(7, 50, 3), (8, 50, 1)] if every else [(7, 50, 3)])


def left(baskets: setveil.Baskets, name: str, condition: str = "TRUE") -> int:
    """How many rows of a relation a search left behind."""
    query = f"SELECT COUNT(*) AS n FROM {name} WHERE {condition}"  # noqa: S608
    return baskets.session.backend.rows("left", query)[0][0]


@pytest.mark.parametrize("plan", ["lists", "bits"])
@pytest.mark.parametrize("p", [2, 3])
def test_the_last_level_does_no_more_than_it_must(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, p: int, plan: str
) -> None:
    """Its cohorts are not kept, its bounds look no further, and only what could breach is counted.

    At the level before, bounds look further: some of them are no breach yet.
    """
    monkeypatch.setattr(moles, "FEW_LINKS", 10**9)
    h, k = Fraction("0.45"), 6
    quiet = f"hits * {h.denominator} <= {h.numerator} * support"
    with searched(connection, oracles.seeded(21, 200), h, k, p, (64,)) as (baskets, promise):
        search(baskets, promise, plan)
        names = {statement.name for statement in baskets.session.statements}
        assert not {f"cohort_{p}", f"posting_{p}"} & names
        assert left(baskets, f"bound_{p}") > 0 == left(baskets, f"bound_{p}", quiet)
        if p > 2:
            assert left(baskets, f"bound_{p - 1}", quiet) > 0


def test_in_bits_pairs_are_counted_and_larger_itemsets_where_they_must(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Exact pairs make good bounds for all that follows, if anything does."""
    h = Fraction("0.45")
    with searched(connection, oracles.seeded(21, 200), h, 6, 4, (64,)) as (baskets, promise):
        search(baskets, promise, "bits")
        assert left(baskets, "exact_2") == left(baskets, "bound_2")
        assert left(baskets, "exact_3") < left(baskets, "bound_3")


@pytest.mark.gap("spark", reason="a mask is a number there, 4 for 001")
def test_single_items_expose_whom_they_are_too_rare_for(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Not those who hold an item that reveals a secret, or none at all."""
    found = rows_of(
        connection,
        inspection.exposed_by_items(3),
        judged_1=[("id", "verdict"), (5, 0), (6, 1), (7, 2), (8, 1)],
        occurrence=[("tid", "item"), (0, 5), (1, 7), (2, 6), (2, 8), (3, 7), (7, 8)],
    )
    assert found == [(0, "001"), (2, "010")]


@pytest.mark.only_on("duckdb", reason="its relations hold numbers that are cast to its bits")
def test_itemsets_expose_whom_they_are_too_rare_for(connection: duckdb.DuckDBPyConnection) -> None:
    """Rare itemsets single out; those that reveal an item have company."""
    pairs = ("id", "parent", "sibling", "item_1", "item_2")
    counted = [pairs, (1, 5, 6, 5, 6), (2, 5, 7, 5, 7), (3, 6, 7, 6, 7)]
    judged = [("id", "verdict"), (1, 0), (2, 1), (3, 2)]
    held = {0: [5, 6], 1: [5, 7], 2: [5, 6, 7], 3: [6, 7], 7: [5, 7]}
    found = rows_of(
        connection,
        inspection.exposed_in_lists(2, 3, 8),
        counted_2=counted,
        judged_2=judged,
        extension=[("tid", "item"), *[(tid, item) for tid in held for item in held[tid]]],
    )
    assert found == [(0, "011"), (2, "010")]
    found = rows_of(
        connection,
        on_numbers(inspection.exposed_in_bits(2)),
        counted_2=counted,
        judged_2=judged,
        posting_1=[("id", "block", "bits"), (5, 0, 0b111), (6, 0, 0b101), (6, 1, 0b100),
                   (7, 0, 0b011), (7, 1, 0b100), (5, 2, 0b010), (7, 2, 0b110)],
    )  # fmt: skip
    assert [(block, int(bits, 2)) for block, bits in found] == [(0, 0b011), (2, 0b010)]


# Against the independent reference


REFERENCE = {  # seed: transactions, public, private, often, h, k, p
    0: (3000, 40, 15, (0.02, 0.05, 0.1, 0.3), "0.25", 5, 4),
    1: (2000, 30, 10, (0.05, 0.2, 0.4, 0.6), "0.375", 10, 4),
    2: (5000, 25, 8, (0.1, 0.3, 0.5, 0.8), "0.5", 40, 5),
    3: (1000, 60, 20, (0.01, 0.03, 0.1, 0.2), "0.25", 2, 3),
    4: (4500, 20, 6, (0.3, 0.6, 0.8, 0.9), "0.4375", 100, 6),
}


def write_for_reference(data: Data, folder: Path) -> tuple[Path, Path, Path]:
    lines = [f"{tid} {item}" for tid, basket in enumerate(data.baskets) for item in sorted(basket)]
    paths = (folder / "data.occ", folder / "public.txt", folder / "private.txt")
    for path, rows in zip(paths, (lines, sorted(data.public), sorted(data.private)), strict=True):
        path.write_text("".join(f"{row}\n" for row in rows))
    return paths


@pytest.mark.slow
@pytest.mark.parametrize("seed", REFERENCE)
@PLANS
def test_the_reference_finds_the_same(
    connection: duckdb.DuckDBPyConnection, moles_cpp: Path, tmp_path: Path, seed: int, plan: str
) -> None:
    """Itemsets by their checksum, and what each method suppresses, in its order."""
    transactions, public, private, often, h, k, p = REFERENCE[seed]
    data = oracles.seeded(seed, transactions, public, private, often, (0.02, 0.05, 0.1))
    data = replace(data, baskets=tuple(basket for basket in data.baskets if basket))
    files = write_for_reference(data, tmp_path)
    with searched(connection, data, Fraction(h), k, p) as (baskets, promise):
        levels = search(baskets, promise, plan)
    found = as_found(data, levels, p)
    losses = np.array([data.support([item]) for item in data.items])
    larger = suppression.Moles([level.moles for level in levels[1:]], len(data.items))
    for method in suppression.SCORES:
        expected = reference.answer(moles_cpp, *files, k, Fraction(h), p, method)
        assert tuple(len(one.moles) for one in found) == expected.moles
        assert tuple(one.present - len(one.moles) for one in found) == expected.extendible
        assert reference.checksum([mole for one in found[1:] for mole in one.moles]) == (
            expected.checksum
        )
        chosen = suppression.greedy(larger, losses, suppression.SCORES[method])
        assert len(chosen) == expected.suppressed
        assert tuple(data.items[item] for item in chosen[:30]) == expected.first
    assert sum(expected.moles) > 20
