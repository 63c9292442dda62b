"""The paper's own algorithms: Table 1, every subset, buffers and parts of any size."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings

import setveil
from oracles_uncertainty import Itemset, unsafe_rules
from setveil.cli.main import run
from uncertain import TABLE_1, baskets_of, ran, released, seeded, shares, table, written

PAPER: dict[str, object] = {"method": "paper"}
SECRET = frozenset({0, 1, 5})
NAMES = sorted({name for basket in TABLE_1 for name in basket})

slow = pytest.mark.slow


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", [0, 3, *(pytest.param(n, marks=slow) for n in (1, 2, 4, 5, 6))])
@pytest.mark.parametrize(
    ("keep", "gone"),
    [
        ("distribution", [(0, "condom"), (4, "flour")]),  # Table 1(c)
        ("rules", [(0, "condom"), (4, "condom")]),  # Table 1(d)
    ],
)
def test_table_1(
    connection: duckdb.DuckDBPyConnection, keep: str, gone: list[tuple[int, str]], seed: int
) -> None:
    held = [frozenset(map(NAMES.index, basket)) for basket in TABLE_1]
    secret = frozenset({NAMES.index("condom")})
    left, metrics = ran(connection, held, secret, Fraction(1, 2), keep=keep, seed=seed, **PAPER)
    lost = [
        (tid, NAMES[item])
        for tid, (before, after) in enumerate(zip(held, left, strict=True))
        for item in before - after
    ]
    assert lost == gone
    assert metrics.parts == 1


@pytest.mark.few(1)
@settings(max_examples=3, deadline=None)
@given(held=baskets_of, rho=shares)
@pytest.mark.parametrize("keep", ["rules", "distribution"])
def test_nothing_unsafe_is_left(
    connection: duckdb.DuckDBPyConnection, keep: str, held: list[Itemset], rho: Fraction
) -> None:
    nothing_unsafe_is_left(connection, held, rho, keep=keep)


@slow
@settings(max_examples=80, deadline=None)
@given(held=baskets_of, rho=shares)
@pytest.mark.parametrize(
    "options",
    [{"keep": "distribution"}, {"b_max": 1}, {"b_max": 7, "keep": "distribution"}, {"t_max": 2}],
    ids=str,
)
def test_nothing_unsafe_is_left_of_many(
    connection: duckdb.DuckDBPyConnection,
    options: dict[str, object],
    held: list[Itemset],
    rho: Fraction,
) -> None:
    nothing_unsafe_is_left(connection, held, rho, **options)


def nothing_unsafe_is_left(
    connection: duckdb.DuckDBPyConnection, held: list[Itemset], rho: Fraction, **options: object
) -> None:
    left, metrics = ran(connection, held, SECRET, rho, **PAPER, **options)
    assert not unsafe_rules(left, SECRET, rho)
    assert all(after <= before for after, before in zip(left, held, strict=True))
    assert metrics.suppressed_occurrences == sum(map(len, held)) - sum(map(len, left))
    if not unsafe_rules(held, SECRET, rho) and metrics.parts == 1:
        assert metrics.suppressed_occurrences == 0


@pytest.mark.parametrize("keep", ["rules", "distribution"])
def test_each_round_is_a_step_of_algorithm_2(
    connection: duckdb.DuckDBPyConnection, keep: str
) -> None:
    """A suppressed item is one of a rule that is unsafe before the round, in a witness of it."""
    held, rho = seeded(19, 60, items=9, longest=5), Fraction(3, 5)
    table(connection, held)
    with setveil.read(connection, "held") as baskets:
        options: dict[str, object] = {"sensitive": sorted(SECRET), "rho": rho, "keep": keep}
        left = released(setveil.uncertainty(baskets, **options, **PAPER), len(held))
        rows = baskets.session.backend.rows(
            "test",
            "SELECT s.round, CAST(b.key AS INT), CAST(i.name AS INT) FROM suppressed AS s "
            "JOIN basket AS b ON b.tid = s.tid JOIN item AS i ON i.item = s.item",
        )
    now = [set(basket) for basket in held]
    for number in sorted({row[0] for row in rows}):
        before = [frozenset(basket) for basket in now]
        rules = unsafe_rules(before, SECRET, rho)
        of_item: Counter[int] = Counter()
        for round_, tid, item in rows:
            if round_ == number:
                whole = [one.known | {one.secret} for one in rules]
                assert any(item in one and one <= before[tid] for one in whole)
                now[tid].remove(item)
                of_item[item] += 1
        assert of_item, "a round without a suppression"
    assert [frozenset(basket) for basket in now] == left


def test_formula_8_counts_the_items_of_the_part(connection: duckdb.DuckDBPyConnection) -> None:
    """Every part costs at most t_max, with its own items; parts are halves of halves."""
    dice = random.Random(31)
    held = [frozenset(dice.sample(range(40), dice.randint(1, 4))) for _ in range(64)]
    table(connection, held)
    with setveil.read(connection, "held") as baskets:
        options: dict[str, object] = {"sensitive": [1], "rho": "0.9", "t_max": 5}
        release = setveil.uncertainty(baskets, **options, **PAPER)
        texts = [one for one in baskets.session.relations if one.startswith("record_")]
        rows = baskets.session.backend.rows(
            "test",
            "SELECT r.part, COUNT(DISTINCT r.tid), COUNT(*), COUNT(DISTINCT o.code) "  # noqa: S608
            f"FROM {texts[-1]} AS r JOIN original AS o ON o.tid = r.tid GROUP BY r.part",
        )
    assert release.metrics.parts == len(rows) > 1
    assert sum(row[1] for row in rows) == len(held)
    for _, transactions, occurrences, items in rows:
        assert transactions * 2 ** (occurrences / transactions) / items <= 5
        assert 64 % transactions == 0


def test_persons_are_judged_though_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of two transactions infers the secret, but so does the only person: exit 3."""
    path, out = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("tid,item,who\n1,x,a\n1,s,a\n2,x,a\n3,y,b\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("s\n", encoding="utf-8")
    told = ["uncertainty", str(path), "--sensitive", str(tmp_path / "s.txt"), "--rho", "0.5"]
    told += ["--tid", "tid", "--item", "item", "--method", "paper", "--out", str(out)]
    assert run([*told, "--person", "who"]) == 3
    assert "x -> s" in capsys.readouterr().err
    assert not out.exists()
    assert run(told) == 0


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, seeded(17, 60, longest=4))
    told = ["uncertainty", str(source), "--sensitive", "where:name % 5 = 0", "--rho", "0.5"]
    told += ["--method", "paper"]
    assert run([*told, "--explain"]) == 0
    assert "CREATE TABLE first_choice" in capsys.readouterr().out
    out, trail = tmp_path / "b.parquet", tmp_path / "b.sql"
    assert run([*told, "--json", "--out", str(out), "--trail", str(trail)]) == 0
    assert '"t_max": 500' in capsys.readouterr().out
    assert setveil.replay(trail, release=out).same
    for wrong in (["--parts", "2"], ["--refine"], ["--b-max", "0"], ["--t-max", "0"]):
        assert run([*told, *wrong]) == 2
        capsys.readouterr()
