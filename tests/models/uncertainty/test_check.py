"""The checker of rho-uncertainty against the definition, written out over every subset."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection
from hypothesis import HealthCheck
from hypothesis import strategies as st
from sqlglot import exp

import harness
import oracles_uncertainty as oracle
import travelling
from examples import tried
from setveil.backends.duckdb.backend import DuckDB
from setveil.cli.main import run
from setveil.errors import InputError, TooLargeError
from setveil.models.uncertainty import check as checker
from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule, check_uncertainty
from setveil.run import cost
from setveil.run.session import Session, Statement
from setveil.sql.models.uncertainty import check as steps
from setveil.sql.step import Step

Baskets = list[frozenset[int]]
# The table 1 of the paper; 1 is condom, the sensitive item.
TABLE_1 = [{2, 3, 1}, {4, 5}, {3, 1}, {4, 5}, {6, 1}, {2, 4}, {5, 1}]
RHOS = st.sampled_from([Fraction(n, 10) for n in (0, 1, 2, 3, 4, 5, 5, 6, 7, 7, 8, 9, 10)])
# Whether transactions are met as a whole: never, always.
PROBES = pytest.mark.parametrize("probes", [0, 2**20])
# Names whose order as text is not that of the numbers, some of them hostile.
NAMES = ["", "10", "9", "b,c", "é", "x'); DROP", "a", "Z", "%", "'", "o'brien", '"']


@pytest.fixture(scope="module")
def session(connection: DuckDBPyConnection) -> Iterator[Session]:
    with harness.prepared(connection) as session:
        yield session


def fill(
    session: Session,
    baskets: Baskets,
    sensitive: frozenset[int],
    types: tuple[str, str] = ("INTEGER", "VARCHAR"),
) -> None:
    """The release as cells: every other basket marked by a NULL name, every third cell twice."""
    marks = [None]
    cells = [
        (key, name)
        for key, basket in enumerate(baskets)
        for name in [*map(named, sorted(basket)), *(marks if key % 2 or not basket else [])]
    ]
    cells += cells[::3]
    key, name = types
    harness.fill(session, "release_cell", f"key {key}, name {name}", cells)
    names = sorted(map(named, sensitive)) * 2 + ["never held"]
    harness.fill(session, "sensitive_name", "label VARCHAR", [[name] for name in names])


def named(item: int) -> str:
    return NAMES[item] if item < len(NAMES) else str(item)


def check(session: Session, rho: Fraction, **options: int) -> UncertaintyVerdict:
    cells, sensitive = exp.to_table("release_cell"), exp.to_table("sensitive_name")
    return check_uncertainty(session, cells, sensitive, rho=rho, **{"limit": 10_000} | options)


def expected(
    baskets: Baskets, sensitive: frozenset[int], rho: Fraction, most: int | None
) -> set[UnsafeRule]:
    """What the verdict promises to find: by one item, by whole transactions, or by the fewest.

    If no transaction is met as a whole, it is by the fewest.
    """
    unsafe = oracle.unsafe_rules(baskets, sensitive, rho, most)
    wholes = {basket - {e} for basket in baskets for e in basket & sensitive}
    single = [rule for rule in unsafe if len(rule.known) == 1]
    certain = [rule for rule in unsafe if rule.known in wholes and rule.confidence == 1]
    certain = certain if steps.PROBES else []
    fewest = [rule for rule in unsafe if len(rule.known) == min(len(r.known) for r in unsafe)]
    return {
        UnsafeRule(
            tuple(sorted(map(named, rule.known))),
            named(rule.secret),
            rule.support,
            rule.of,
            rule.support / rule.of,
        )
        for rule in single or certain or fewest
    }


def agree(
    session: Session,
    baskets: Baskets,
    sensitive: frozenset[int],
    rho: Fraction,
    most: int | None = None,
) -> UncertaintyVerdict:
    fill(session, baskets, sensitive)
    verdict = check(session, rho, **{} if most is None else {"max_knowledge": most})
    rules = expected(baskets, sensitive, rho, most)
    assert set(verdict.violations) == rules
    assert verdict.found == len(verdict.violations) == len(rules)
    assert verdict.holds == (not rules)
    assert verdict.transactions == len(baskets)
    order = [(len(one.known), -one.confidence, -one.support) for one in verdict.violations]
    assert order == sorted(order)
    return verdict


@st.composite
def judged(draw: st.DrawFn) -> tuple[Baskets, frozenset[int]]:
    """Baskets of up to 6 items, many of them again without one of theirs: covers are common."""
    sensitive = draw(st.frozensets(st.integers(0, 5), max_size=3))
    counted = draw(
        st.lists(
            st.tuples(
                st.frozensets(st.integers(0, 5), max_size=5),
                st.sampled_from([1, 1, 2, 3, 9]),
                st.sampled_from([0, 1, 1, 2, 4, 5, 10]),
            ),
            max_size=6,
        )
    )
    baskets = []
    for basket, times, covers in counted:
        baskets += [basket] * times
        for secret in sorted(basket & sensitive):
            baskets += [basket - {secret}] * covers
    return baskets, sensitive


@tried(
    3,
    15,
    unchecked=list(HealthCheck),
    data=judged(),
    rho=RHOS,
    most=st.sampled_from([None, None, None, 1, 2, 3]),
)
@PROBES
def test_tiny_databases(
    session: Session,
    data: tuple[Baskets, frozenset[int]],
    rho: Fraction,
    most: int | None,
    probes: int,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "PROBES", probes)
        agree(session, *data, rho, most)


def covered(seed: int) -> tuple[Baskets, frozenset[int]]:
    """Baskets that a cover stands beside, and some more: safe, or nearly so, at some rho."""
    chance = random.Random(seed)
    sensitive = frozenset(chance.sample(range(9), 3))
    often = [chance.choice([0.3, 0.5, 0.7]) for _ in range(9)]
    baskets = []
    for _ in range(chance.choice([8, 20, 40])):
        basket = frozenset(item for item in range(9) if chance.random() < often[item])
        times = chance.choice([1, 1, 2])
        baskets += [basket] * times
        for secret in sorted(basket & sensitive):
            for _ in range(times * chance.choice([1, 2, 2, 3])):
                more = frozenset(chance.sample(range(9), chance.choice([0, 0, 1, 2])))
                baskets.append((basket | more) - {secret})
    return baskets, sensitive


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
def test_larger_sets_count(session: Session, seed: int) -> None:
    """Just above and just below what is safe, the same is found as by the definition."""
    agree_at_shares_that_occur(session, seed)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
def test_larger_sets_count_where_holders_list_their_items(
    session: Session, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "PROBES", 0)
    monkeypatch.setattr(checker, "LARGE", 1)
    monkeypatch.setattr(checker, "TURN", (10**6, 400, 90)[seed % 3])
    ways = checker._ways
    monkeypatch.setattr(checker, "_ways", lambda *asked: (True, ways(*asked)[1]))
    agree_at_shares_that_occur(session, seed)


def agree_at_shares_that_occur(session: Session, seed: int) -> None:
    baskets, sensitive = covered(seed)
    rules = oracle.rules(baskets, sensitive)
    shares = sorted({rule.confidence for rule in rules})
    highest = shares[-1]
    larger = max((rule.confidence for rule in rules if len(rule.known) > 1), default=Fraction(1, 2))
    for rho in {highest, shares[len(shares) // 2], larger - Fraction(1, 10**6)}:
        agree(session, baskets, sensitive, rho)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
def test_larger_sets_count_where_some_covers_are_known(
    session: Session, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Covers are searched among one in so many transactions: fewer are found, none too many."""
    monkeypatch.setattr(steps, "PROBES", 0)
    monkeypatch.setattr(checker, "SOME", (4, 15, 60)[seed % 3])
    monkeypatch.setattr(steps, "FEW", (3, 1000)[seed % 2])
    agree_at_shares_that_occur(session, seed)


@pytest.mark.parametrize("turn", [5, 10**6])
@pytest.mark.parametrize("short", [0, 60])
def test_holders_list_their_items_where_that_is_less(
    session: Session, monkeypatch: pytest.MonkeyPatch, short: int, turn: int
) -> None:
    """Short transactions make the lists short on average."""
    monkeypatch.setattr(checker, "LARGE", 1)
    monkeypatch.setattr(checker, "TURN", turn)
    chosen, asked = [], steps.reached

    def reached(size: int, *, within: bool, turn: range | None, **options: Any) -> Step:
        chosen.extend([] if turn and turn.start else [within])
        return asked(size, within=within, turn=turn, **options)

    monkeypatch.setattr(steps, "reached", reached)
    known = frozenset({2, 3, 4, 5})
    baskets = [known | {last, *secret} for last in (6, 7, 8) for secret in ([], [1])]
    few = [frozenset({9})] * short
    assert agree(session, [*baskets, *few], frozenset({1}), Fraction(1, 2), 2).holds
    assert chosen == [short > 0]


def test_the_corpus_reaches_every_end() -> None:
    """Some are safe below 1, some unsafe by one item, some by more only: else nothing is tested."""
    ends = set()
    for seed in range(12):
        baskets, sensitive = covered(seed)
        rules = oracle.rules(baskets, sensitive)
        highest = max(rule.confidence for rule in rules)
        ends.add(min(len(rule.known) for rule in rules if rule.confidence == highest))
        ends.add("safe" if highest < 1 else "certain")
    assert {2, "safe", "certain"} <= ends


def test_table_1(session: Session) -> None:
    """The paper's original data: beer and flour tell of condom with certainty."""
    baskets = [frozenset(basket) for basket in TABLE_1]
    verdict = agree(session, baskets, frozenset({1}), Fraction("0.5"))
    assert UnsafeRule((named(3),), named(1), 2, 2, 1.0) in verdict.violations
    assert UnsafeRule((named(6),), named(1), 1, 1, 1.0) in verdict.violations
    assert verdict.violations[0].support == 2


@pytest.mark.parametrize(
    "suppressed",
    [pytest.param([(0, 1), (4, 6)], marks=pytest.mark.everywhere), [(0, 1), (4, 1)]],
    ids=["approach 1", "approach 2"],
)
def test_table_1_released(session: Session, suppressed: list[tuple[int, int]]) -> None:
    """Two occurrences are enough, as the paper says: of condom and flour, or both of condom."""
    baskets = [
        frozenset(i for i in basket if (t, i) not in suppressed) for t, basket in enumerate(TABLE_1)
    ]
    assert agree(session, baskets, frozenset({1}), Fraction("0.5")).holds


@pytest.mark.parametrize("rho, holds", [("0.5", True), ("0.499999999", False)])
def test_share_is_compared_strictly_and_exactly(session: Session, rho: str, holds: bool) -> None:
    baskets = [frozenset({1, 2, 3}), frozenset({2, 3})] * 50
    assert agree(session, baskets, frozenset({1}), Fraction(rho)).holds is holds


def test_what_is_certain_may_be_told_at_one(session: Session) -> None:
    baskets = [frozenset({1, 2, 3})] * 2 + [frozenset({2})]
    assert agree(session, baskets, frozenset({1}), Fraction(1)).holds


def test_a_secret_alone_in_its_transaction_is_told_by_nothing(session: Session) -> None:
    verdict = agree(session, [frozenset({1})] * 5, frozenset({1}), Fraction(0))
    assert (verdict.holds, verdict.checked) == (True, 0)


def test_sensitive_items_tell_of_each_other(session: Session) -> None:
    verdict = agree(
        session, [frozenset({1, 2}), frozenset({2})], frozenset({1, 2}), Fraction("0.6")
    )
    assert [(one.known, one.secret) for one in verdict.violations] == [((named(1),), named(2))]


def test_only_all_of_a_long_transaction_tells(session: Session) -> None:
    """Every 39 of its 40 other items are held without the secret: no subset short of all tells."""
    known = frozenset(range(20, 60))
    baskets = [known | {1}] + [known - {item} for item in sorted(known)] * 2
    fill(session, baskets, frozenset({1}))
    verdict = check(session, Fraction("0.9"))
    (rule,) = verdict.violations
    assert (rule.known, rule.secret) == (tuple(sorted(map(str, known))), named(1))
    assert check(session, Fraction("0.9"), max_knowledge=3).holds


def test_long_transactions_that_are_covered_need_no_walk(session: Session) -> None:
    known = frozenset(range(20, 80))
    baskets = [known | {1}] * 3 + [known] * 2
    fill(session, baskets, frozenset({1}))
    verdict = check(session, Fraction("0.6"))
    assert (verdict.holds, verdict.checked) == (True, len(known))
    assert not check(session, Fraction("0.599")).holds


def test_a_cover_vouches_for_no_more_than_it_can(session: Session) -> None:
    """One transaction covers both witnesses, and is all that speaks against 2, 3 -> 1."""
    witnesses = [frozenset({1, 2, 3, 4}), frozenset({1, 2, 3, 5})]
    baskets = [*witnesses, frozenset({2, 3, 4, 5}), *[frozenset({2}), frozenset({3})] * 2]
    (rule,) = agree(session, baskets, frozenset({1}), Fraction("0.5")).violations
    assert (rule.known, rule.support, rule.of) == (tuple(sorted(map(named, (2, 3)))), 2, 3)


def test_many_covers_vouch_for_witnesses_with_fewer(session: Session) -> None:
    """Five covers of one are enough for both: only the four rules of one item are counted."""
    known = frozenset({2, 3})
    baskets = [known | {4, 1}, known | {4}, known | {5, 1}, *[known | {5}] * 5]
    baskets += [frozenset({2}), frozenset({3})]
    assert agree(session, baskets, frozenset({1}), Fraction("0.5")).checked == 4


def test_a_limit_keeps_the_worst(session: Session) -> None:
    baskets = [frozenset({1, item}) for item in (2, 3, 3, 4)] + [frozenset({4})]
    fill(session, baskets, frozenset({1}))
    verdict = check(session, Fraction("0.4"), limit=2)
    assert verdict.found == 3
    assert [one.known for one in verdict.violations] == [(named(3),), (named(2),)]


def test_what_no_disk_can_hold_is_refused(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five known items there are twice as many pairs."""
    known = frozenset({2, 3, 4, 5})
    baskets = [known | {last, *secret} for last in (6, 7, 8) for secret in ([], [1])]
    assert agree(session, baskets, frozenset({1}), Fraction("0.5")).holds
    monkeypatch.setattr(cost, "MOST_ROWS", 3 * 5)
    with pytest.raises(TooLargeError, match="rules of 2 known items: .*max_knowledge=1"):
        check(session, Fraction("0.5"))
    assert check(session, Fraction("0.5"), max_knowledge=1).holds


@pytest.mark.parametrize("rho", [Fraction(-1, 10), Fraction(11, 10), Fraction(1, 10**10)])
def test_nonsense_is_refused(session: Session, rho: Fraction) -> None:
    fill(session, [frozenset({1, 2})], frozenset({1}))
    with pytest.raises(InputError, match="rho"):
        check(session, rho)
    with pytest.raises(InputError, match="max_knowledge"):
        check(session, Fraction(1, 2), max_knowledge=0)


@pytest.mark.parametrize("baskets", [[], [frozenset[int]()] * 3], ids=["nothing", "empty"])
def test_no_items_tell_nothing(session: Session, baskets: Baskets) -> None:
    assert agree(session, baskets, frozenset({1}), Fraction(0)).holds


def test_a_refusal_names_the_worst_rule(session: Session) -> None:
    fill(session, [frozenset({8, 6})] * 3 + [frozenset({6})], frozenset({8}))
    refusal = check(session, Fraction("0.7")).refusal()
    assert "% is in 3 of the 4 transactions with a;" in str(refusal)


@pytest.mark.only_on("duckdb", reason="its own setting")
def test_the_same_whatever_the_threads(connection: DuckDBPyConnection, session: Session) -> None:
    baskets, sensitive = covered(3)
    fill(session, baskets * 50, sensitive)
    verdicts = []
    for threads in (1, 2, 4):
        connection.execute(f"SET threads = {threads}")
        verdicts.append(check(session, Fraction("0.4"), limit=5))
    connection.execute("SET threads = 2")
    assert verdicts[0] == verdicts[1] == verdicts[2]


def test_a_dry_session_shows_the_steps_and_runs_none() -> None:
    kept: list[Statement] = []
    backend = DuckDB()
    session = Session(backend, trace=kept.append, dry=True)
    cells, sensitive = exp.to_table("release_cell"), exp.to_table("sensitive_name")
    assert check_uncertainty(session, cells, sensitive, rho=Fraction("0.7")).holds
    names = [one.name for one in kept]
    backend.close()
    assert {"check_cover", "check_growing_2", "check_set_3", "check_judged_3"} <= set(names)


def test_sql_travels() -> None:
    kept: list[Statement] = []
    telling = [frozenset({2, 3, last, 1}) for last in (4, 5, 6)]
    with harness.prepared(trace=kept.append) as session:
        fill(session, [*telling, *(one - {1} for one in telling)], frozenset({1}))
        assert check(session, Fraction("0.5")).holds  # by a walk
        assert check(session, Fraction("0.4")).violations  # of one item
    names = {one.name for one in kept}
    assert {"check_cover", "check_set_2", "check_judged_2", "check_unsafe_1"} <= names
    for statement in kept:
        for rule in travelling.RULES:
            assert not list(map(str, rule(travelling.parsed(statement.text)))), statement


# The command


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The paper's table 1, as it was and as it may be published."""
    monkeypatch.chdir(tmp_path)
    for name, out in (("shop.basket", ()), ("safe.basket", (0, 4))):
        lines = [sorted(basket - ({1} if t in out else set())) for t, basket in enumerate(TABLE_1)]
        (tmp_path / name).write_text("".join(", ".join(map(str, one)) + "\n" for one in lines))
    (tmp_path / "sensitive.txt").write_text("1\nnever held\n")
    return tmp_path


def verify(source: str, *more: str) -> int:
    options = ["--sensitive", "sensitive.txt", "--rho", "0.5"]
    return run(["verify", "uncertainty", source, *options, *more])


def test_verify_names_the_worst_rule(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("shop.basket") == 1
    first, worst, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("does not hold: 2 unsafe rules of least knowledge")
    assert worst.split() == ["3", "->", "1", "in", "2", "of", "2", "100.0%"]
    assert verify("safe.basket") == 0
    assert capsys.readouterr().out.startswith("holds: 7 transactions, ")


def test_verify_as_json(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("shop.basket", "--json", "--max-knowledge", "1") == 1
    content = json.loads(capsys.readouterr().out)
    assert content["command"] == "verify uncertainty"
    assert content["guarantee"] == {"model": "uncertainty", "holds": False}
    assert content["parameters"] == {"rho": 0.5, "max_knowledge": 1}
    assert content["metrics"]["violations"][1] == {
        "known": ["6"], "secret": "1", "support": 1, "of": 1, "confidence": 1.0,
        "persons": None, "of_persons": None, "confidence_in_persons": None,
    }  # fmt: skip


def test_verify_explains_and_runs_nothing(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("shop.basket", "--explain") == 0
    assert "CREATE TABLE check_witness_3 AS" in capsys.readouterr().out


def test_verify_refuses_what_is_no_share(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("shop.basket", "--rho", "70") == 2
    assert "rho is a share between 0 and 1" in capsys.readouterr().err
