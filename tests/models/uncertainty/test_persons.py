"""Rules are safe in transactions and in persons, by the definition over every subset."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import setveil
from examples import tried
from oracles_uncertainty import Itemset, unsafe_rules
from setveil.cli.main import run

SENSITIVE = frozenset({0, 1, 5})
WAYS: tuple[dict[str, object], ...] = (
    {}, {"keep": "distribution"}, {"method": "global"}, {"parts": 2}, {"refine": True},
    {"max_knowledge": 2},
)  # fmt: skip

Owned = list[tuple[Itemset, int]]  # transactions, each with its person
owned_baskets = st.lists(
    st.tuples(st.frozensets(st.integers(0, 6), min_size=1, max_size=6), st.integers(0, 4)),
    max_size=12,
)
shares = st.sampled_from(
    [Fraction(n, d) for n, d in ((0, 1), (3, 10), (1, 2), (1, 2), (7, 10), (9, 10), (1, 1))]
)


def table(connection: duckdb.DuckDBPyConnection, held: Owned, lists: bool = False) -> None:
    """The relation `owned`, in long form or in LIST form."""
    connection.execute("CREATE OR REPLACE TABLE owned (tid INTEGER, item INTEGER, who VARCHAR)")
    rows = [(t, i, f"p{who}") for t, (basket, who) in enumerate(held) for i in sorted(basket)]
    if rows:
        connection.executemany("INSERT INTO owned VALUES ($1, $2, $3)", rows)
    if lists:
        connection.execute(
            "CREATE OR REPLACE TABLE owned AS SELECT tid, LIST(item ORDER BY item) AS item, "
            "MIN(who) AS who FROM owned GROUP BY tid"
        )


Made = tuple[list[Itemset], setveil.UncertaintyMetrics]


def ran(
    connection: duckdb.DuckDBPyConnection,
    held: Owned,
    rho: Fraction,
    *,
    person: str | None = "who",
    lists: bool = False,
    sensitive: frozenset[int] = SENSITIVE,
    **options: object,
) -> Made:
    table(connection, held, lists)
    with setveil.read(connection, "owned", person=person) as baskets:
        release = setveil.uncertainty(
            baskets, sensitive=sorted(sensitive), rho=rho, ignore_unknown=True, **options
        )
        left: list[set[int]] = [set() for _ in held]
        for tid, items in release.rows():
            left[tid] |= set(items) if lists else {items}
        assert not release.verdict.violations
        return [frozenset(one) for one in left], release.metrics


def safe_for_persons(
    connection: duckdb.DuckDBPyConnection, held: Owned, rho: Fraction, way: dict[str, object]
) -> None:
    left, metrics = ran(connection, held, rho, **way)
    owners = [who for _, who in held]
    most = metrics.max_knowledge
    assert not unsafe_rules(left, SENSITIVE, rho, most, owners)
    assert all(after <= before for after, (before, _) in zip(left, held, strict=True))
    gone = sum(len(basket) for basket, _ in held) - sum(map(len, left))
    assert metrics.suppressed_occurrences == gone
    assert metrics.persons == len({who for _, who in held})
    before = [basket for basket, _ in held]
    if not unsafe_rules(before, SENSITIVE, rho, most, owners) and "parts" not in way:
        assert gone == 0


@tried(2, 160, held=owned_baskets, rho=shares, way=st.sampled_from(WAYS))
def test_nothing_unsafe_is_left(
    connection: duckdb.DuckDBPyConnection, held: Owned, rho: Fraction, way: dict[str, object]
) -> None:
    safe_for_persons(connection, held, rho, way)


ASIDE = 8  # databases side by side


@tried(
    1,
    230,
    parts=st.lists(owned_baskets, min_size=ASIDE, max_size=ASIDE),
    rho=shares,
    way=st.sampled_from(WAYS),
)
def test_nothing_unsafe_is_left_side_by_side(
    connection: duckdb.DuckDBPyConnection, parts: list[Owned], rho: Fraction, way: dict[str, object]
) -> None:
    """Databases that share no item and no person are judged one by one; one run makes them all.

    No transaction holds items of two, so no rule is of two. A run for each would take eight times
    as long.
    """
    held = [
        (frozenset(item + 7 * n for item in basket), who + 5 * n)
        for n, part in enumerate(parts)
        for basket, who in part
    ]
    sensitive = frozenset(item + 7 * n for item in SENSITIVE for n in range(ASIDE))
    left, metrics = ran(connection, held, rho, sensitive=sensitive, **way)
    gone, rest = 0, iter(left)
    for n, part in enumerate(parts):
        kept = [frozenset(item - 7 * n for item in next(rest)) for _ in part]
        owners = [who for _, who in part]
        assert not unsafe_rules(kept, SENSITIVE, rho, metrics.max_knowledge, owners)
        assert all(after <= before for after, (before, _) in zip(kept, part, strict=True))
        lost = sum(len(basket) for basket, _ in part) - sum(map(len, kept))
        before = [basket for basket, _ in part]
        unsafe = unsafe_rules(before, SENSITIVE, rho, metrics.max_knowledge, owners)
        if "parts" not in way:
            assert (lost > 0) == bool(unsafe)
        gone += lost
    assert metrics.suppressed_occurrences == gone


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_many_transactions_of_few_persons(
    connection: duckdb.DuckDBPyConnection, seed: int, way: dict[str, object]
) -> None:
    """Several transactions of a person change in one pass, and rules bear some of the changes."""
    held = seeded(seed)
    left, metrics = ran(connection, held, Fraction(3, 5), **way)
    owners = [who for _, who in held]
    assert not unsafe_rules(left, SENSITIVE, Fraction(3, 5), metrics.max_knowledge, owners)
    given = [items for items, _ in held]
    unsafe = unsafe_rules(given, SENSITIVE, Fraction(3, 5), metrics.max_knowledge, owners)
    assert (metrics.suppressed_occurrences > 0) == bool(unsafe)


def seeded(seed: int, transactions: int = 70, persons: int = 20) -> Owned:
    """A person's transactions are alike: items are drawn from a few of the person's own."""
    dice = random.Random(seed)
    own = [dice.sample(range(9), 5) for _ in range(persons)]
    held = []
    for _ in range(transactions):
        who = dice.randrange(persons)
        some = [dice.choice([*own[who], 6, 7, 8]) for _ in range(dice.randint(1, 6))]
        held.append((frozenset(some), who))
    return held


@pytest.mark.few(1)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_transactions_too_long_to_list(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, way: dict[str, object]
) -> None:
    """Persons of transactions whose subsets are not listed count, but not twice."""
    monkeypatch.setattr("setveil.models.uncertainty.anonymize.LONGEST", 3)
    for seed in range(1):
        held = seeded(seed, transactions=60)
        left, metrics = ran(connection, held, Fraction(7, 10), **way)
        owners = [who for _, who in held]
        most = metrics.max_knowledge
        assert not unsafe_rules(left, SENSITIVE, Fraction(7, 10), most, owners)


def test_shares_of_persons_cost_more(connection: duckdb.DuckDBPyConnection) -> None:
    """Four of nine transactions with 2 have the secret, but both persons who hold 2."""
    held: Owned = [(frozenset({2, 0}), 1), (frozenset({2, 0}), 1), (frozenset({2, 0}), 2)]
    held += [(frozenset({2, 0}), 2), *[(frozenset({2}), 1)] * 5]
    assert ran(connection, held, Fraction(1, 2), person=None)[1].suppressed_occurrences == 0
    left, metrics = ran(connection, held, Fraction(1, 2))
    assert metrics.suppressed_occurrences == 2
    assert not unsafe_rules(left, SENSITIVE, Fraction(1, 2), None, [who for _, who in held])


@pytest.mark.few(1)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_person_for_each_transaction_changes_nothing(
    tmp_path: Path, way: dict[str, object]
) -> None:
    """The bytes of the release are those without persons."""
    source = tmp_path / "a.parquet"
    with duckdb.connect() as connection:
        table(connection, [(basket, tid) for tid, (basket, _) in enumerate(seeded(5))])
        connection.table("owned").write_parquet(str(source))
    made = []
    for person in (None, "who"):
        out = tmp_path / f"{person}.parquet"
        with setveil.read(source, person=person) as baskets:
            release = setveil.uncertainty(baskets, sensitive=[0, 1, 5], rho="0.6", **way)
            assert release.metrics.suppressed_occurrences > 0
            release.write(out)
        made.append(out.read_bytes())
    assert made[0] == made[1]


def test_parts_divide_persons(connection: duckdb.DuckDBPyConnection) -> None:
    """All transactions of a person are in one part: shares of persons add up only then."""
    table(connection, seeded(2))
    with setveil.read(connection, "owned", person="who") as baskets:
        setveil.uncertainty(baskets, sensitive=[0, 1, 5], rho="0.6", parts=4, seed=3)
        query = """
            SELECT COUNT(DISTINCT part), COUNT(DISTINCT (part, person)), COUNT(DISTINCT person)
            FROM original JOIN basket USING (tid)
        """
        ((parts, both, persons),) = baskets.session.backend.rows("test", query)
    assert parts == 4
    assert both == persons


@pytest.mark.everywhere
def test_a_release_on_every_database(connection: duckdb.DuckDBPyConnection) -> None:
    held = seeded(4, transactions=40, persons=12)
    for lists in (False, True):
        left, metrics = ran(connection, held, Fraction(3, 5), lists=lists)
        assert not unsafe_rules(left, SENSITIVE, Fraction(3, 5), None, [who for _, who in held])
        assert metrics.suppressed_occurrences == gone_on_duckdb()


def gone_on_duckdb() -> int:
    with duckdb.connect() as connection:
        return ran(connection, seeded(4, transactions=40, persons=12), Fraction(3, 5))[
            1
        ].suppressed_occurrences


@pytest.mark.slow
def test_lists(connection: duckdb.DuckDBPyConnection) -> None:
    held = seeded(6)
    assert (
        ran(connection, held, Fraction(1, 2), lists=True)[0]
        == ran(connection, held, Fraction(1, 2))[0]
    )


def test_guests(connection: duckdb.DuckDBPyConnection) -> None:
    """Each transaction without a person is a person of its own."""
    held = [(basket, 100 + t if who < 5 else who) for t, (basket, who) in enumerate(seeded(8))]
    expected = ran(connection, held, Fraction(1, 2))
    table(connection, held)
    connection.execute("UPDATE owned SET who = NULL WHERE LENGTH(who) > 3")
    with setveil.read(connection, "owned", person="who", guests="own") as baskets:
        release = setveil.uncertainty(baskets, sensitive=sorted(SENSITIVE), rho="0.5")
        assert release.metrics.persons == expected[1].persons
        assert release.metrics.suppressed_occurrences == expected[1].suppressed_occurrences


# The commands


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        table(connection, seeded(1))
        connection.table("owned").write_parquet(str(tmp_path / "a.parquet"))
    (tmp_path / "s.txt").write_text("0\n1\n5\n")
    return tmp_path


PROMISE = ("--sensitive", "s.txt", "--rho", "0.6")


def verified(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    code = run(["verify", "uncertainty", *arguments, *PROMISE, "--json"])
    metrics: dict[str, object] = json.loads(capsys.readouterr().out)["metrics"]
    return code, metrics


def test_the_release_is_verified_with_the_persons_of_its_source(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["uncertainty", "a.parquet", *PROMISE, "--person", "who", "--json"]
    assert run([*made, "--out", "b.parquet", "--renumber", "--key", "key.csv"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["persons"] == 20
    persons = ("--persons-of", "a.parquet", "--person", "who")
    code, metrics = verified("b.parquet", *persons, "--key", "key.csv", capsys=capsys)
    assert (code, metrics["persons"], metrics["violations"]) == (0, 20, [])


def test_a_release_that_counts_transactions_fails_persons(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["uncertainty", "a.parquet", *PROMISE, "--out", "b.parquet", "--quiet"]) == 0
    capsys.readouterr()
    assert verified("b.parquet", capsys=capsys)[0] == 0
    persons = ("--persons-of", "a.parquet", "--person", "who")
    code, metrics = verified("b.parquet", *persons, capsys=capsys)
    assert code == 1
    (first, *_) = metrics["violations"]
    assert first["confidence"] <= 0.6 < first["confidence_in_persons"]
    assert first["persons"] / first["of_persons"] == first["confidence_in_persons"]
    assert run(["verify", "uncertainty", "b.parquet", *persons, *PROMISE]) == 1
    assert " persons " in capsys.readouterr().out


@pytest.mark.slow
def test_the_text_says_that_persons_are_counted(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["uncertainty", "a.parquet", *PROMISE, "--person", "who"]) == 0
    shown, notes = capsys.readouterr()
    assert shown.startswith("rho-uncertain: rho = 0.6 in transactions and in persons, for attack")
    assert "persons" in shown.splitlines()[2]
    assert "not persons" not in notes


def test_explaining_shows_how_persons_are_counted(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["uncertainty", "a.parquet", *PROMISE, "--person", "who", "--explain"]) == 0
    shown = capsys.readouterr().out
    for relation in ("own_holder", "outer_holder", "repeated", "check_person"):
        assert f"CREATE TABLE {relation}" in shown


@pytest.mark.slow
def test_the_trail_replays(shop: Path) -> None:
    """Its verdict in a DuckDB without setveil includes every transaction with its person."""
    with setveil.read("a.parquet", person="who") as baskets:
        release = setveil.uncertainty(baskets, sensitive=[0, 1, 5], rho="0.6")
        release.write("b.parquet", trail="b.sql")
        assert setveil.verify.uncertainty(release, sensitive=[0, 1, 5], rho="0.6").persons == 20
    text = Path("b.sql").read_text()
    assert "check_person" in text[text.index("check_verdict") :]
    assert setveil.replay("b.sql", release="b.parquet").same
