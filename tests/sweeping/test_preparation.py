"""Prepared data: what the papers leave of theirs before they measure, judged by its definition."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import setveil
from runs import parquet, rows_of
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.preparing.prepare import Preparation, drawn_patterns, drawn_roles, number_of, prepared
from setveil.sql.preparing.prepare import marked_names
from setveil.sql.step import Step, duck

ROWS = Step(
    "rows", "for the test", duck("SELECT s.tid, s.item FROM source AS s ORDER BY s.tid, s.item")
)


def left(baskets, how, seed):
    """The transactions that are left, by their ids; empty ones too where lists are read."""
    with prepared(baskets, how, seed) as found:
        rows = found.session.look_up(ROWS)
        if found.shape.lists:
            return {tid: frozenset(map(int, items)) for tid, items in rows}
        return {tid: frozenset(int(item) for one, item in rows if one == tid) for tid, _ in rows}


@pytest.mark.few(1)
@pytest.mark.parametrize("persons", [False, True])
def test_nothing_asked_leaves_the_data_alone(connection, persons):
    with oracles.read(connection, oracles.seeded(5, 20)) as baskets:
        with prepared(baskets, Preparation(), 1) as found:
            assert found is baskets


@settings(max_examples=15, deadline=None)
@given(
    data=oracles.databases(),
    least=st.sampled_from(["1", "2", "0.3", "0.5"]),
    cutoff=st.sampled_from([None, 1, 2]),
    seed=st.integers(0, 9),
)
def test_items_of_least_support_and_short_transactions(connection, data, least, cutoff, seed):
    with oracles.read(connection, data) as baskets:
        if not any(data.baskets):
            return
        bound = int(least) if least.isdigit() else ceil(Fraction(least) * len(data.baskets))
        often = {item for item in data.items if data.support({item}) >= bound}
        how = Preparation(min_item_support=least, cutoff=cutoff)
        if not often:
            with pytest.raises(InputError, match="leaves no occurrence"):
                left(baskets, how, seed)
            return
        found = left(baskets, how, seed)
        again = left(baskets, how, seed)
    assert found == again and found.keys() == {*range(len(data.baskets))}
    for tid, basket in enumerate(data.baskets):
        kept = basket & often
        assert found[tid] <= kept
        assert len(found[tid]) == (len(kept) if cutoff is None else min(cutoff, len(kept)))


def test_samples_are_of_their_size_and_hold_the_smaller_ones(connection):
    data = oracles.seeded(6, 60)
    with oracles.read(connection, data) as baskets:
        sizes = {}
        for sample in ("6", "0.5", "1"):
            sizes[sample] = left(baskets, Preparation(sample=sample, min_item_support=1), 3)
        other = left(baskets, Preparation(sample="6", min_item_support=1), 4)
    assert [len(one) for one in sizes.values()] == [6, 30, 60]
    assert sizes["6"].keys() < sizes["0.5"].keys() < sizes["1"].keys()
    assert other.keys() != sizes["6"].keys()
    assert all(items == data.baskets[tid] for one in sizes.values() for tid, items in one.items())


def test_a_sample_of_persons_has_all_their_transactions(connection):
    connection.execute(
        "CREATE OR REPLACE TABLE bought AS SELECT t AS tid, t % 3 AS item, t % 10 AS person "
        "FROM RANGE(100) AS r (t)"
    )
    with setveil.read(connection, "bought", person="person") as baskets:
        with prepared(baskets, Preparation(sample="4"), 1) as found:
            assert (found.transactions, found.persons) == (40, 4)


@settings(max_examples=15, deadline=None)
@given(data=oracles.databases(), part=st.sampled_from(["0.2", "0.5", "1"]), seed=st.integers(0, 9))
def test_private_is_the_most_frequent_other_item_of_a_transaction(connection, data, part, seed):
    """Section 4.1 of Xu et al., by brute force."""
    with oracles.read(connection, data) as baskets:
        if not data.items:
            return
        found = drawn_roles(baskets, part, seed, "public_share")
    public = {int(one) for one in found.drawn}
    assert len(public) == max(1, int(Fraction(part) * len(data.items) + Fraction(1, 2)))
    supports = Counter(item for basket in data.baskets for item in basket)
    surest = set()
    for others in (basket - public for basket in data.baskets):
        if others:
            surest.add(min(others, key=lambda item: (-supports[item], data.items.index(item))))
    assert {int(one) for one in found.private} == surest


def test_other_seeds_draw_other_items(connection):
    with oracles.read(connection, oracles.seeded(5, 20)) as baskets:
        drawn = {drawn_roles(baskets, "0.5", seed, "public_share").drawn for seed in range(5)}
        assert len(drawn) > 2
        assert marked_names().name not in baskets.session.relations


@pytest.mark.parametrize("amount", ["0", "-1", "1.5", "x", ""])
def test_amounts_that_mean_nothing(amount):
    with pytest.raises(InputError, match="sample"):
        number_of(amount, 10, "sample")


def test_patterns_are_drawn_by_size_and_support(connection):
    data = oracles.seeded(9, 80)
    with oracles.read(connection, data) as baskets:
        found = drawn_patterns(baskets, 8, "0.15", "0.45", 2)
        assert found == drawn_patterns(baskets, 8, "0.15", "0.45", 2)
        assert found != drawn_patterns(baskets, 8, "0.15", "0.45", 3)
        with pytest.raises(InputError, match="have such a support"):
            drawn_patterns(baskets, 100_000, "0.15", "0.45", 2)
        with pytest.raises(InputError, match="no pair"):
            drawn_patterns(baskets, 1, "0.999", "1", 2)
    assert len(set(found)) == 8 and {len(one) for one in found} <= {2, 3, 4, 5}
    assert [len(one) for one in found][:3] == [2, 3, 4]
    for one in found:
        assert 0.15 * 80 <= data.support(frozenset(map(int, one))) <= 0.45 * 80


def test_a_part_is_written_to_a_file(tmp_path, monkeypatch, capsys):
    """Items of least support as lists, so that emptied transactions stay; else a row each."""
    monkeypatch.chdir(tmp_path)
    rows = "SELECT t AS tid, i AS item FROM RANGE(40) AS r(t), RANGE(5) AS s(i) WHERE t % (i+1) = i"
    parquet(tmp_path / "a.parquet", f"{rows} UNION ALL SELECT 40 AS tid, 99 AS item")
    line = "generate b.parquet --of a.parquet --min-item-support 0.2"
    assert run([*line.split(), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["metrics"]
    found = rows_of("SELECT tid, item FROM 'b.parquet' ORDER BY tid")
    assert len(found) == told["transactions"] == 41 and found[-1] == (40, [])
    assert {int(one) for _, items in found for one in items} == {0, 1, 2, 3}
    assert run("generate c.csv --of a.parquet --cutoff 1 --sample 0.5 --seed 3".split()) == 0
    lengths = rows_of("SELECT COUNT(*) FROM 'c.csv' GROUP BY tid")
    assert lengths and {one for (one,) in lengths} == {1}
    for words, wrong in (
        ("a.parquet --of a.parquet --sample 0.5 --force", "was read from"),
        ("b.parquet --of a.parquet --sample 0.5", "exists"),
        ("d.csv --of a.parquet --min-item-support 2", ".parquet"),
        ("d.parquet --sample 0.5", "need --of"),
    ):
        assert run(["generate", *words.split()]) == 2
        assert wrong in capsys.readouterr().err
    assert len(rows_of("FROM 'a.parquet'")) > 40 and not (tmp_path / "d.csv").exists()
