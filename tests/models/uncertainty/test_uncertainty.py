"""rho-uncertainty by partial suppression: the paper's example, its lemma, and every subset."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import setveil
from oracles_uncertainty import Itemset, least_suppression, unsafe_rules
from runs import rows_of
from setveil.cli.main import run
from uncertain import TABLE_1, baskets_of, ran, seeded, shares, table, written

WAYS: tuple[dict[str, object], ...] = (
    {}, {"keep": "distribution"}, {"method": "global"}, {"parts": 2}, {"refine": True},
)  # fmt: skip


@settings(max_examples=3, deadline=None)
@given(held=baskets_of, rho=shares, way=st.sampled_from(WAYS))
def test_nothing_unsafe_is_left(
    connection: duckdb.DuckDBPyConnection,
    held: list[Itemset],
    rho: Fraction,
    way: dict[str, object],
) -> None:
    nothing_unsafe_is_left(connection, held, rho, way)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(held=baskets_of, rho=shares, way=st.sampled_from(WAYS))
def test_nothing_unsafe_is_left_of_many(
    connection: duckdb.DuckDBPyConnection,
    held: list[Itemset],
    rho: Fraction,
    way: dict[str, object],
) -> None:
    nothing_unsafe_is_left(connection, held, rho, way)


def nothing_unsafe_is_left(
    connection: duckdb.DuckDBPyConnection,
    held: list[Itemset],
    rho: Fraction,
    way: dict[str, object],
) -> None:
    sensitive = frozenset({0, 1, 5})
    left, metrics = ran(connection, held, sensitive, rho, **way)
    assert not unsafe_rules(left, sensitive, rho)
    assert all(after <= before for after, before in zip(left, held, strict=True))
    gone = sum(map(len, held)) - sum(map(len, left))
    assert metrics.suppressed_occurrences == gone
    if way != {"method": "global"}:
        assert all(left), "no transaction loses all it has"
    if not unsafe_rules(held, sensitive, rho) and "parts" not in way:
        assert gone == 0


@settings(max_examples=3, deadline=None)
@given(held=baskets_of, rho=shares, most=st.integers(1, 3))
def test_bounded_knowledge(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction, most: int
) -> None:
    sensitive = frozenset({0, 1, 5})
    left, metrics = ran(connection, held, sensitive, rho, max_knowledge=most)
    assert not unsafe_rules(left, sensitive, rho, most)
    assert metrics.max_knowledge == most


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "way",
    [*WAYS[:2], *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS[2:])],
    ids=str,
)
def test_transactions_too_long_to_list(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, way: dict[str, object]
) -> None:
    """Whatever is cut down at first, the rest is judged over every subset."""
    monkeypatch.setattr("setveil.models.uncertainty.anonymize.LONGEST", 4)
    held, sensitive = seeded(3, 90), frozenset({1, 2, 4, 7})
    left, _ = ran(connection, held, sensitive, Fraction("0.7"), **way)
    assert not unsafe_rules(left, sensitive, Fraction("0.7"))
    again, metrics = ran(connection, left, sensitive, Fraction("0.7"), **way)
    if "parts" not in way:
        assert (again, metrics.suppressed_occurrences) == (left, 0)


def test_table_1(connection: duckdb.DuckDBPyConnection) -> None:
    names = sorted({name for basket in TABLE_1 for name in basket})
    held = [frozenset(map(names.index, basket)) for basket in TABLE_1]
    secret, half = frozenset({names.index("condom")}), Fraction(1, 2)
    unsafe = {tuple(names[i] for i in sorted(r.known)) for r in unsafe_rules(held, secret, half)}
    assert {("beer",), ("flour",)} <= unsafe
    assert least_suppression(held, secret, half) == 2
    _, metrics = ran(connection, held, secret, half)
    assert metrics.suppressed_occurrences == 2
    assert sum(names.index("condom") in basket for basket in held) == 4  # as the paper goes on
    left, metrics = ran(connection, held, secret, half, method="global")
    assert metrics.suppressed_occurrences == 3  # beer and flour: less than the paper's four
    assert not unsafe_rules(left, secret, half)


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 10))]
)
def test_table_1_with_the_distribution_kept(
    connection: duckdb.DuckDBPyConnection, seed: int
) -> None:
    """Two deletions, and the shares of the items are not further off than the paper's."""
    names = sorted({name for basket in TABLE_1 for name in basket})
    held = [frozenset(map(names.index, basket)) for basket in TABLE_1]
    secret = frozenset({names.index("condom")})
    options: dict[str, object] = {"keep": "distribution", "seed": seed}
    left, metrics = ran(connection, held, secret, Fraction(1, 2), **options)
    assert metrics.suppressed_occurrences == 2
    papers = [*held]  # Table 1(c)
    papers[0] -= secret
    papers[4] -= {names.index("flour")}
    assert divergence(left, held) <= divergence(papers, held)


def divergence(after: list[Itemset], before: list[Itemset]) -> float:
    """KL of formula 3, of the shares of the items."""
    now, then = (Counter(i for basket in held for i in basket) for held in (after, before))
    shares = {item: (n / now.total(), then[item] / then.total()) for item, n in now.items()}
    return sum(p * log(p / q) for p, q in shares.values())


@pytest.mark.slow
def test_lemma_1(connection: duckdb.DuckDBPyConnection) -> None:
    """Parts that are safe by themselves are safe together, and the seed says which they are."""
    held, sensitive, rho = seeded(5, 40, longest=4), frozenset({0, 3, 6}), Fraction("0.6")
    first, metrics = ran(connection, held, sensitive, rho, parts=3, seed=7)
    assert metrics.parts == 3
    assert not unsafe_rules(first, sensitive, rho)
    assert ran(connection, held, sensitive, rho, parts=3, seed=7)[0] == first
    assert ran(connection, held, sensitive, rho, parts=3, seed=8)[0] != first


@pytest.mark.parametrize(
    "support, known, rho, of_secret, of_known",
    [(2, 2, "0.5", 1, 2), (9, 10, "0.7", 2, 7), (3, 4, "0.3", 2, 3)],
)
def test_definition_1(
    connection: duckdb.DuckDBPyConnection,
    support: int, known: int, rho: str, of_secret: int, of_known: int,
) -> None:  # fmt: skip
    """N_s, rounded up, of the one rule 1 -> 0."""
    held = [frozenset({0, 1})] * support + [frozenset({1})] * (known - support)
    table(connection, held)
    with setveil.read(connection, "held") as baskets:
        setveil.uncertainty(baskets, sensitive=[0], rho=rho)
        texts = [s.text for s in baskets.session.statements if s.name == "unsafe"]
        assert len(texts) > 1
        found = baskets.session.backend.rows("test", "SELECT COUNT(*) FROM suppressed")
        assert found == [(of_secret,)]
    exact = Fraction(rho)
    assert of_secret == -((support - known * exact) // -1)
    assert of_known == -((support - known * exact) / (1 - exact) // -1)


@pytest.mark.slow
def test_the_same_bytes_for_any_threads(tmp_path: Path) -> None:
    source = written(tmp_path, seeded(11, 400, longest=4))
    outs = []
    for n in (1, 2, 4):
        with setveil.read(source, threads=n) as baskets:
            out = tmp_path / f"{n}.parquet"
            release = setveil.uncertainty(baskets, sensitive=[1, 2], rho="0.5", parts=2)
            release.write(out, force=True)
            outs.append(out.read_bytes())
    assert outs[0] == outs[1] == outs[2]


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("layout", ["long", "list"])
def test_the_trail_replays(tmp_path: Path, layout: str) -> None:
    source = written(tmp_path, seeded(13, 200, longest=4))
    if layout == "list":
        listed = tmp_path / "listed.parquet"
        with duckdb.connect() as connection:
            text = "SELECT tid, LIST(item ORDER BY item) AS item FROM READ_PARQUET($1) GROUP BY tid"
            connection.sql(text, params=[str(source)]).write_parquet(str(listed))
        source = listed
    out, trail = tmp_path / "out.parquet", tmp_path / "trail.sql"
    with setveil.read(source) as baskets:
        release = setveil.uncertainty(baskets, sensitive=[1, 2, 5], rho="0.5")
        release.write(out, trail=trail)
        assert setveil.verify.uncertainty(release, sensitive=[1, 2, 5], rho="0.5").holds
    assert setveil.replay(trail, release=out).same
    assert rows_of("SELECT COUNT(*) FROM READ_PARQUET($1)", str(out)) != [(0,)]


def test_where_there_is_no_rule_to_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No transaction holds a sensitive item and another."""
    source = written(tmp_path, [frozenset({1}), frozenset({2, 3})])
    arguments = [str(source), "--sensitive", "where:name = 1", "--rho", "1"]
    assert run(["uncertainty", *arguments]) == 0
    said = "rho-uncertain: rho = 1.0, for attackers of any knowledge (no rule had to be counted)"
    assert said in capsys.readouterr().out
    assert run(["verify", "uncertainty", *arguments]) == 0
    assert "holds: 2 transactions; no rule had to be counted\n" in capsys.readouterr().out


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, seeded(17, 150, longest=4))
    arguments = ["uncertainty", str(source), "--sensitive", "where:name % 5 = 0", "--rho", "0.5"]
    assert run([*arguments, "--max-knowledge", "2"]) == 0
    assert "only for attackers who know at most 2 items" in capsys.readouterr().out
    assert run([*arguments, "--json", "--out", str(tmp_path / "out.csv")]) == 0
    assert '"max_knowledge": null' in capsys.readouterr().out
    assert run([*arguments, "--explain"]) == 0
    assert "CREATE TABLE unsafe" in capsys.readouterr().out
    assert run([*arguments, "--method", "global"]) == 0
    table = capsys.readouterr().out
    assert "parts" not in table and "occurrences returned" not in table
    for wrong in (["--keep", "all"], ["--parts", "0"], ["--method", "none"], ["--seed", "-1"]):
        assert run([*arguments, *wrong]) == 2
        capsys.readouterr()
