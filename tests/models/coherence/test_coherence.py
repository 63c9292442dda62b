"""What must hold of every release: no mole, nothing added, and nothing else gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, assume
from hypothesis import strategies as st

import oracles
import reference
import setveil
from examples import tried
from oracles import Data
from setveil.arguments.shares import share
from setveil.errors import InputError, UnreachableError
from setveil.models.coherence.anonymize import STRATEGIES

Release = setveil.Release[setveil.CoherenceMetrics]

GREEDY = ("mm-il", "mm", "1-il")
OF_ITEMS = tuple(one for one in STRATEGIES if one != "generalize")  # it needs a hierarchy


@contextmanager
def anonymized(
    connection: duckdb.DuckDBPyConnection, data: Data, **options: object
) -> Iterator[Release]:
    with oracles.read(connection, data) as baskets:
        roles = {"private": sorted(data.private), "public": sorted(data.public)}
        yield setveil.coherence(baskets, ignore_unknown=True, **(roles | options))


def run(
    connection: duckdb.DuckDBPyConnection, data: Data, **options: object
) -> tuple[Data, setveil.CoherenceMetrics]:
    with anonymized(connection, data, **options) as release:
        return oracles.released(release, data), release.metrics


def supports(data: Data) -> dict[int, int]:
    return {item: data.support([item]) for item in data.items}


def gone(data: Data, after: Data) -> list[int]:
    return sorted(set(data.items) - set(after.items))


def check(data: Data, after: Data, h: Fraction, k: int, p: int) -> None:
    """Definition 1, and the requirements R1, R2 and R3 of section 2.2."""
    suppressed = gone(data, after)
    assert oracles.coherent(after, h, k, p)
    assert after.baskets == data.without(suppressed).baskets  # whole items, nothing else, no more
    assert data.public.issuperset(suppressed)
    for size in (1, 2, 3):
        for items in combinations(after.items, size):
            assert after.support(items) in (0, data.support(items))


def account(data: Data, after: Data, metrics: setveil.CoherenceMetrics) -> None:
    """Kept and suppressed make up what there was."""
    before = sum(map(len, data.baskets))
    kept = sum(map(len, after.baskets))
    assert metrics.transactions == len(data.baskets) == len(after.baskets)
    assert metrics.items == len(data.items)
    assert metrics.occurrences == before == kept + metrics.suppressed_occurrences
    assert metrics.suppressed_items == len(gone(data, after))
    assert metrics.information_loss == (before - kept) / max(1, before)
    assert metrics.private_items == len(data.private.intersection(data.items))
    assert metrics.public_items == len(data.public.intersection(data.items))
    assert metrics.duplicates == 0
    assert metrics.emptied_transactions == sum(
        bool(old) and not new for old, new in zip(data.baskets, after.baskets, strict=True)
    )


@tried(
    3,
    20,
    unchecked=[HealthCheck.filter_too_much],
    data=oracles.databases(),
    h=oracles.shares,
    k=st.integers(1, 4),
    p=st.integers(1, 4),
    method=st.sampled_from(OF_ITEMS),
)
def test_tiny_databases(
    connection: duckdb.DuckDBPyConnection, data: Data, h: Fraction, k: int, p: int, method: str
) -> None:
    """Refused exactly when the empty itemset is a mole (Theorem 1); else all holds that must."""
    options = {"h": h, "k": k, "p": p, "method": method}
    if oracles.is_mole(data, (), h, k):
        with pytest.raises(UnreachableError):
            run(connection, data, **options)
        return
    after, metrics = run(connection, data, **options)
    check(data, after, h, k, p)
    account(data, after, metrics)
    found = oracles.by_definition(data, h, k, p)
    assert metrics.moles == tuple(len(one.moles) for one in found)
    assert metrics.revealing == tuple(one.revealing for one in found)
    again, more = run(connection, after, **options)
    if method != "rm-all":
        assert again.baskets == after.baskets
        assert (more.suppressed_items, more.information_loss, sum(more.moles)) == (0, 0, 0)


def suppressed_by_definition(
    data: Data, h: Fraction, k: int, p: int, method: str, loss: dict[int, int], faithful: bool
) -> tuple[list[int], int]:
    """What Figure 6 suppresses, and how many items return."""
    moles = oracles.minimal_moles(data, h, k, p)
    alone = [mole[0] for mole in moles if len(mole) == 1]
    larger = [mole for mole in moles if len(mole) > 1]
    chosen = oracles.figure_6(larger, loss, method)
    back = [] if faithful else oracles.restored(larger, loss, chosen)
    return sorted({*alone, *chosen} - set(back)), len(back)


@tried(
    3,
    20,
    unchecked=[HealthCheck.filter_too_much],
    data=oracles.databases(),
    h=oracles.shares,
    k=st.integers(1, 4),
    p=st.integers(1, 3),
    method=st.sampled_from(GREEDY),
    loss=st.sampled_from(["support", "unit"]),
    faithful=st.booleans(),
)
def test_the_greedy_choice_is_that_of_figure_6(
    connection: duckdb.DuckDBPyConnection,
    data: Data,
    h: Fraction,
    k: int,
    p: int,
    method: str,
    loss: str,
    faithful: bool,
) -> None:
    assume(not oracles.is_mole(data, (), h, k))
    losses = supports(data) if loss == "support" else dict.fromkeys(data.items, 1)
    options = {"method": method, "loss": loss, "faithful": faithful}
    after, metrics = run(connection, data, h=h, k=k, p=p, **options)
    expected, back = suppressed_by_definition(data, h, k, p, method, losses, faithful)
    assert gone(data, after) == expected
    assert metrics.restored_items == back
    assert metrics.loss == sum(losses[item] for item in expected)
    assert (metrics.bound, metrics.gap) == (None, None)


SEEDED = {"h": Fraction("0.45"), "k": 6, "p": 4}
SEEDS = (1, 21)


@pytest.fixture(scope="module", params=SEEDS)
def data(request: pytest.FixtureRequest) -> Data:
    """200 transactions with moles of every size that can be mended."""
    seeded = oracles.seeded(request.param, 200)
    assert not oracles.is_mole(seeded, (), SEEDED["h"], SEEDED["k"])
    return seeded


@pytest.mark.few(2)
@pytest.mark.parametrize("method", OF_ITEMS)
def test_every_strategy_on_more_data(
    connection: duckdb.DuckDBPyConnection, data: Data, method: str
) -> None:
    after, metrics = run(connection, data, method=method, **SEEDED)
    check(data, after, **SEEDED)
    account(data, after, metrics)
    moles = oracles.minimal_moles(data, **SEEDED)
    if method == "rm-all":
        assert gone(data, after) == sorted(data.public)
    else:
        assert not oracles.returnable(moles, gone(data, after))
    if method in GREEDY:
        expected = suppressed_by_definition(data, *SEEDED.values(), method, supports(data), False)
        assert (gone(data, after), metrics.restored_items) == expected


@pytest.mark.few(2)
@pytest.mark.parametrize("method", ["mm-il", "1-il"])
def test_restoring_never_loses_more_than_faithful(
    connection: duckdb.DuckDBPyConnection, data: Data, method: str
) -> None:
    after, metrics = run(connection, data, method=method, **SEEDED)
    faithful, more = run(connection, data, method=method, faithful=True, **SEEDED)
    assert set(gone(data, after)) <= set(gone(data, faithful))
    assert metrics.loss <= more.loss
    assert metrics.suppressed_items == more.suppressed_items - metrics.restored_items
    assert more.restored_items == 0
    check(data, faithful, **SEEDED)


@pytest.mark.few(2)
@pytest.mark.parametrize("loss", ["support", "unit"])
def test_optimal_is_least(connection: duckdb.DuckDBPyConnection, data: Data, loss: str) -> None:
    losses = supports(data) if loss == "support" else dict.fromkeys(data.items, 1)
    after, metrics = run(connection, data, method="optimal", loss=loss, nodes=1000, **SEEDED)
    check(data, after, **SEEDED)
    least = oracles.least_loss(oracles.minimal_moles(data, **SEEDED), losses)
    assert metrics.loss == sum(losses[item] for item in gone(data, after)) == least
    assert (metrics.bound, metrics.gap, metrics.restored_items) == (least, 0, 0)
    assert run(connection, data, loss=loss, **SEEDED)[1].loss >= least


def test_optimal_within_limits_bounds_what_it_loses(connection: duckdb.DuckDBPyConnection) -> None:
    data = oracles.seeded(13, 300, public=13)
    settings = {"h": Fraction("0.6"), "k": 25, "p": 3, "method": "optimal"}
    best = run(connection, data, nodes=1000, **settings)[1]
    greedy = run(connection, data, **settings | {"method": "mm-il"})[1]
    cut = run(connection, data, nodes=0, time_limit=60, **settings)[1]
    assert best.bound == best.loss and best.gap == 0
    assert cut.bound <= best.loss <= cut.loss <= greedy.loss
    assert cut.gap == pytest.approx((cut.loss - cut.bound) / cut.loss)


@pytest.mark.few(1)
def test_plans_and_threads_make_the_same_release(
    connection: duckdb.DuckDBPyConnection, data: Data
) -> None:
    expected = run(connection, data, **SEEDED)
    assert run(connection, data, plan="lists", **SEEDED) == expected
    assert run(connection, data, plan="bits", **SEEDED) == expected
    connection.execute("SET threads = 1")
    try:
        assert run(connection, data, **SEEDED) == expected
    finally:
        connection.execute("SET threads = 2")


@pytest.mark.few(1)
def test_the_same_file_whatever_the_threads(tmp_path: Path, data: Data) -> None:
    """Byte for byte, in long form, and for a second run with as many threads."""
    rows = [(tid, item) for tid, basket in enumerate(data.baskets) for item in sorted(basket)]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE long (tid INTEGER, item INTEGER)")
        connection.execute(
            "INSERT INTO long SELECT UNNEST($1::INTEGER[]), UNNEST($2::INTEGER[])",
            [[tid for tid, _ in rows], [item for _, item in rows]],
        )
        connection.execute("COPY long TO $1", [str(tmp_path / "data.parquet")])
    texts = []
    for count in (1, 2, 2):
        out = tmp_path / f"{count}.csv"
        with setveil.read(tmp_path / "data.parquet", threads=count) as baskets:
            release = setveil.coherence(
                baskets, private=sorted(data.private), public=sorted(data.public), **SEEDED
            )
            release.write(out, force=True)
        texts.append(out.read_bytes())
    assert texts[0] == texts[1] == texts[2]
    kept = [line.split(",") for line in texts[0].decode().splitlines()[1:]]
    after = run_long(data, [(int(tid), int(item)) for tid, item in kept])
    check(data, after, **SEEDED)


def run_long(data: Data, rows: list[tuple[int, int]]) -> Data:
    baskets = [{item for tid, item in rows if tid == number} for number in range(len(data.baskets))]
    return replace(data, baskets=tuple(map(frozenset, baskets)))


# Loss


def test_a_table_of_losses(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """The same from a mapping, a CSV file and a Parquet file; private items need no loss."""
    data = oracles.seeded(1, 200)
    table = {item: (item % 7) / 2 + 0.25 for item in sorted(data.public)}
    millionths = {item: round(loss * 10**6) for item, loss in table.items()}
    expected, _ = suppressed_by_definition(data, *SEEDED.values(), "mm-il", millionths, False)
    lines = ["item,loss", *(f"{item},{loss}" for item, loss in table.items())]
    (tmp_path / "loss.csv").write_text("\n".join(lines) + "\n")
    connection.execute(
        "COPY (SELECT * FROM READ_CSV($1)) TO $2",
        [str(tmp_path / "loss.csv"), str(tmp_path / "loss.parquet")],
    )
    for loss in (table, tmp_path / "loss.csv", str(tmp_path / "loss.parquet")):
        after, metrics = run(connection, data, loss=loss, **SEEDED)
        assert gone(data, after) == expected
        assert metrics.loss == pytest.approx(sum(table[item] for item in expected))
    best = run(connection, data, loss=table, method="optimal", nodes=1000, **SEEDED)[1]
    least = oracles.least_loss(oracles.minimal_moles(data, **SEEDED), millionths)
    assert best.loss == best.bound == least / 10**6


def test_losses_decide(connection: duckdb.DuckDBPyConnection) -> None:
    """1 and 2 must not both stay: what is dearer does."""
    data = Data(
        (frozenset({1, 2}),) + (frozenset({1}), frozenset({2})) * 3, frozenset({1, 2}), frozenset()
    )
    for loss, kept in (({1: 1, 2: 0.999999}, 1), ({1: 0.999999, 2: 1}, 2), ({1: 3, 2: 3}, 2)):
        after, metrics = run(connection, data, k=2, p=2, loss=loss)
        assert after.items == [kept]
        assert metrics.loss == loss[3 - kept]


@pytest.mark.parametrize(
    "loss, message",
    [
        ({1: 1}, "1 public items have no loss, among them '2'"),
        ({}, "2 public items have no loss, among them '1', '2'"),
        ({1: 1, 2: -1}, "between 0 and"),
        ({1: 1, 2: 10**10}, "between 0 and"),
        ({1: 1, 2: "much"}, "not a number"),
        ({1: 1, 2: float("nan")}, "nan"),
        ("nowhere.csv", "no file 'nowhere.csv'"),
        ("entropy", "no file 'entropy'"),
    ],
    ids=str,
)
def test_losses_that_are_none(
    connection: duckdb.DuckDBPyConnection, loss: object, message: str
) -> None:
    data = Data((frozenset({1, 2}),) * 4, frozenset({1, 2}), frozenset())
    with pytest.raises(InputError, match=message):
        run(connection, data, k=2, p=2, loss=loss)


# Roles and options


def test_items_in_neither_role_stay_unjudged(connection: duckdb.DuckDBPyConnection) -> None:
    """9 is rare and tells of 7, and nobody minds."""
    baskets = (frozenset({1, 7, 9}), frozenset({1}), frozenset({1}), frozenset({2}))
    data = Data(baskets, frozenset({1, 2}), frozenset({7}))
    after, metrics = run(connection, data, h="0.4", k=2, p=2)
    assert gone(data, after) == [2]
    assert (metrics.private_items, metrics.public_items, metrics.items) == (1, 2, 4)
    after, _ = run(connection, data, h="0.4", k=2, p=2, public=None)
    assert gone(data, after) == [2, 9]


def test_the_last_items_of_transactions_can_go(connection: duckdb.DuckDBPyConnection) -> None:
    """Empty transactions stay, where the layout can show them."""
    data = Data((frozenset({1}), frozenset({2}), frozenset({3})), frozenset({1, 2, 3}), frozenset())
    after, metrics = run(connection, data, k=2, p=1)
    assert after.baskets == (frozenset(),) * 3
    assert (metrics.emptied_transactions, metrics.information_loss) == (3, 1.0)


def test_no_data_at_all(connection: duckdb.DuckDBPyConnection) -> None:
    data = Data((), frozenset(), frozenset())
    after, metrics = run(connection, data, k=2, p=3)
    assert after == data
    assert (metrics.moles, metrics.information_loss, metrics.loss) == ((0, 0, 0), 0, 0)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"method": "best"}, "there is no method 'best'; choose one of mm-il"),
        ({"plan": "tree"}, "there is no plan 'tree'; choose one of auto, lists, bits"),
        ({"nodes": -1}, "nodes"),
        ({"k": 0}, "k is a whole number"),
        ({"p": 0}, "p is a whole number"),
        ({"h": 1.5}, "write 40 % as 0.4"),
        ({"h": "-0.1"}, "between 0 and 1"),
        ({"h": "many"}, "not 'many'"),
        ({"h": "1/0"}, "not '1/0'"),
        ({"h": "0.1234567891"}, "too many digits"),
        ({"h": float("nan")}, "between 0 and 1"),
        ({"private": [5], "public": [5, 6]}, "items are both private and public, among them .?5"),
        ({"private": [77], "ignore_unknown": False}, "private: the data does not hold '77'"),
        ({"public": [77], "ignore_unknown": False}, "public: the data does not hold '77'"),
    ],
    ids=str,
)
def test_options_that_make_no_sense(
    connection: duckdb.DuckDBPyConnection, options: dict[str, object], message: str
) -> None:
    data = Data((frozenset({5, 6}),) * 3, frozenset({5}), frozenset({6}))
    given = {"h": 1, "k": 2, "p": 2, "ignore_unknown": True, "private": [6], "public": [5]}
    with oracles.read(connection, data) as baskets, pytest.raises(InputError, match=message):
        setveil.coherence(baskets, **(given | options))


@pytest.mark.parametrize(
    "written, exact",
    [
        (0.4, Fraction(2, 5)),
        (0.1 + 0.2, None),  # 0.30000000000000004 is not what anybody means
        ("0.4", Fraction(2, 5)),
        (Decimal("0.125"), Fraction(1, 8)),
        (Fraction(1, 3), Fraction(1, 3)),
        (1, Fraction(1)),
        (0, Fraction(0)),
        ("2/3", Fraction(2, 3)),
        ("12.5 %", Fraction(1, 8)),
        (1e-9, Fraction(1, 10**9)),
    ],
    ids=str,
)
def test_a_share_is_what_was_written(written: object, exact: Fraction | None) -> None:
    if exact is None:
        with pytest.raises(InputError, match="too many digits"):
            share(written)
    else:
        assert share(written) == exact


def test_two_releases_of_the_same_baskets(connection: duckdb.DuckDBPyConnection) -> None:
    """To try another k needs no second reading."""
    data = oracles.seeded(1, 200)
    roles = {"private": sorted(data.private), "public": sorted(data.public)}
    with oracles.read(connection, data) as baskets:
        first = setveil.coherence(baskets, **roles, **SEEDED)
        kept = oracles.released(first, data)
        second = setveil.coherence(baskets, **roles, **SEEDED | {"k": 3})
        assert second.metrics.loss <= first.metrics.loss
        assert oracles.released(first, data) == kept
        check(data, oracles.released(second, data), **SEEDED | {"k": 3})
    assert kept == run(connection, data, **SEEDED)[0]


def test_what_a_release_says_of_itself(connection: duckdb.DuckDBPyConnection) -> None:
    data = oracles.seeded(21, 200)
    with anonymized(connection, data, **SEEDED) as release:
        assert release.model == "coherence"
        assert release.verdict.holds and not release.verdict.violations
        assert release.verdict.transactions == 200
        assert release.parameters == {
            "h": 0.45, "k": 6, "p": 4, "method": "mm-il", "loss": "support", "faithful": False,
        }  # fmt: skip


# Real data


@pytest.mark.slow
@pytest.mark.parametrize("name", reference.SETTINGS)
def test_real_data(name: str, tmp_path: Path) -> None:
    """The counts and the distortion that are known of it; restoring and optimal lose no more."""
    prepared = reference.prepared(name, tmp_path)
    known = prepared.setting
    losses = {}
    for kind, options in {
        "faithful": {"faithful": True},
        "restored": {},
        "optimal": {"method": "optimal", "time_limit": 10},
    }.items():
        with setveil.read(prepared.data) as baskets:
            metrics = prepared.release(baskets, **options).metrics
        assert metrics.moles == known.moles
        losses[kind] = metrics.loss
        assert metrics.loss == metrics.suppressed_occurrences
        if kind == "faithful":
            assert round(metrics.information_loss, 6) == known.distortion
        if kind == "optimal":
            assert metrics.bound <= metrics.loss
    assert losses["optimal"] <= losses["restored"] <= losses["faithful"]


@pytest.mark.slow
@pytest.mark.parametrize("plan", ["lists", "bits"])
@pytest.mark.parametrize("name", ["retail", "accidents_first15k"])
def test_real_data_in_either_plan(name: str, plan: str, tmp_path: Path) -> None:
    prepared = reference.prepared(name, tmp_path)
    with setveil.read(prepared.data) as baskets:
        metrics = prepared.release(baskets, faithful=True, plan=plan).metrics
    assert metrics.moles == prepared.setting.moles
    assert round(metrics.information_loss, 6) == prepared.setting.distortion
