"""Uniform items with exponential lengths, least lengths, and query logs."""

from __future__ import annotations

import json
from collections import Counter
from math import exp

import duckdb
import pytest

from setveil.cli.main import run
from setveil.errors import InputError
from setveil.generator.generate import generate


def ask(query, path):
    with duckdb.connect() as connection:
        return connection.execute(query, [str(path)]).fetchall()


LENGTHS = "SELECT tid, COUNT(*) FROM read_parquet($1) GROUP BY tid"


def test_uniform_items_and_lengths_that_fall_exponentially(tmp_path):
    path = tmp_path / "syn.parquet"
    made = generate(path, shape="uniform", transactions=20_000, items=400, length=4, max_length=30)
    supports = [
        held for (held,) in ask("SELECT COUNT(*) FROM read_parquet($1) GROUP BY item", path)
    ]
    mean = made.occurrences / 400
    assert len(supports) == 400 and max(abs(one - mean) for one in supports) < 6 * mean**0.5
    lengths = Counter(length for _, length in ask(LENGTHS, path))
    assert made.mean_length == pytest.approx(4, rel=0.05) and max(lengths) <= 30
    # Each length is 3/4 as frequent as the one before: a mean of 4 from 1 on.
    for length in range(1, 12):
        assert lengths[length + 1] / lengths[length] == pytest.approx(0.75, abs=0.12)
    assert exp(-1) < lengths[4] / lengths[1] < 1


def test_a_least_length_is_kept(tmp_path):
    for number, more in enumerate(({}, {"shape": "uniform", "items": 5000})):
        path = tmp_path / f"{number}.parquet"
        given = {"transactions": 500, "length": 12.0, "min_length": 10, "max_length": 14} | more
        generate(path, **given)
        lengths = [length for _, length in ask(LENGTHS, path)]
        least = 10 if not number else 8  # two draws may be one item
        # Some baskets hold a prescription beyond their products.
        assert min(lengths) >= least and max(lengths) <= 17


def test_a_query_log(tmp_path):
    path = tmp_path / "log.parquet"
    made = generate(path, shape="queries", transactions=2000, items=3000, length=12)
    rows = ask("SELECT tid, session, item FROM read_parquet($1)", path)
    assert len({tid for tid, *_ in rows}) == made.transactions == 2000
    assert made.mean_length == pytest.approx(12, rel=0.25)
    words = Counter(query.split()[0] for *_, query in rows)
    (first, most), (_, second) = words.most_common(2)
    assert most / second == pytest.approx(2, rel=0.25)  # Zipf's law
    of_session = {}
    for tid, session, query in rows:
        of_session.setdefault((tid, session), set()).add(query.split()[0])
    assert all(len(one) == 1 for one in of_session.values())  # a session is about one word
    assert {len(query.split()) for *_, query in rows} == {1, 2, 3}
    assert all(query == query.lower() for *_, query in rows)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["uniform", "queries"])
def test_same_bytes_for_any_number_of_threads(tmp_path, shape):
    files = [tmp_path / f"{threads}.parquet" for threads in (1, 2, 4)]
    for threads, path in zip((1, 2, 4), files, strict=True):
        generate(path, shape=shape, transactions=150_000, items=3000, length=20, threads=threads)
    assert len({path.read_bytes() for path in files}) == 1


@pytest.mark.slow
def test_a_million_distinct_queries(tmp_path):
    path = tmp_path / "log.parquet"
    made = generate(path, shape="queries", transactions=110_000, items=30_000, length=24.7)
    assert made.items > 1_000_000


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"shape": "round"}, "no shape"),
        ({"shape": "uniform", "persons": 5}, "persons"),
        ({"shape": "queries", "hierarchy": "h.parquet"}, "hierarchy"),
        ({"min_length": 11}, "min length"),
        ({"min_length": 5, "max_length": 4}, "max length"),
    ],
)
def test_mistakes(tmp_path, monkeypatch, options, told):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=told):
        generate("a.parquet", transactions=50, **options)
    assert not [*tmp_path.iterdir()]


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = "generate a.parquet --shape uniform --transactions 100 --max-length 9 --length 3"
    assert run([*words.split(), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["parameters"]["shape"] == "uniform" and told["metrics"]["longest"] <= 9
