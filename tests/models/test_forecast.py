"""Forecasts: told after reading, of large data alone, and refused where a run has no room."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace

import duckdb
import pytest

import oracles
import setveil
from setveil.backends import registry
from setveil.backends.duckdb.backend import DuckDB
from setveil.cli.progress import left_of
from setveil.errors import TooLargeError
from setveil.models import REGISTRY
from setveil.models.forecast import Sizes, Work, forecast
from setveil.run.cost import Lengths
from setveil.trail.course import Course

SIZES = Sizes(1_000, 20, 5_000, Lengths([(5, 1_000)]))


def rated(monkeypatch, **rates):
    """DuckDB with other rates."""
    can = replace(DuckDB.can, rates=replace(DuckDB.can.rates, **rates))
    monkeypatch.setattr(DuckDB, "can", can)


@pytest.fixture
def baskets(tmp_path, monkeypatch):
    rated(monkeypatch, least=100)
    data = tmp_path / "data.parquet"
    duckdb.sql("SELECT r // 5 AS tid, r % 5 AS item FROM range(1000) AS t(r)").write_parquet(
        str(data)
    )
    with setveil.read(data) as read:
        yield read


def test_every_model_tells_its_work():
    given = {"k": 5, "p": 3, "m": "2", "fanout": 4}
    for model in REGISTRY.values():
        assert model.forecast is not None
        work = model.forecast(SIZES, **given)
        assert work.passes > 0


def test_sets_are_bounded_by_what_transactions_hold_and_by_the_items():
    assert SIZES.sets(2) == 190
    assert Sizes(3, 20, 15, Lengths([(5, 3)])).sets(2) == 30


def test_candidates_are_bounded_by_the_sets_that_enough_transactions_can_hold():
    # 10,000 pairs in all transactions: at most 10 are held by 1,000, and these hold 11 triples.
    assert SIZES.candidates(3, 1_000) <= 15
    assert SIZES.candidates(3, 1) == SIZES.sets(3)


def test_seconds_are_in_proportion_to_reading(baskets):
    read = baskets.session.seconds_of_reading
    twice = forecast(baskets, lambda sizes: Work(passes=1))
    thrice = forecast(baskets, lambda sizes: Work(passes=2))
    assert twice is not None and thrice is not None
    assert twice.seconds == pytest.approx(2 * read)
    assert thrice.rows == 3 * baskets.occurrences


def test_a_statement_takes_time_however_little_it_does(baskets, monkeypatch):
    read, number = baskets.session.seconds_of_reading, baskets.session.statements_of_reading
    rated(monkeypatch, least=100, statement=baskets.occurrences / number, passed=0.5)
    told = forecast(baskets, lambda sizes: Work(passes=2, statements=3 * number))
    assert told is not None
    # Half of the time of reading are statements: of the other half, later passes take as much.
    assert told.seconds == pytest.approx(read * (1 + 3 / 2 + 2 * 0.5 / 2))


def test_the_engine_is_named_and_its_room(baskets, monkeypatch):
    told = forecast(baskets, lambda sizes: Work(1))
    assert told is not None and told.engine == "DuckDB"
    assert told.room == baskets.session.backend.room
    assert "on DuckDB, as with two cores" in str(told) and "room" not in str(told)
    monkeypatch.setattr(DuckDB, "room", None)
    unknown = str(forecast(baskets, lambda sizes: Work(1)))
    assert unknown.endswith("how much room it has is not known")


@pytest.mark.parametrize("kind", registry.REGISTRY, ids=lambda kind: kind.name)
def test_every_engine_has_rates(kind):
    for package in kind.needs:
        pytest.importorskip(package)
    made = vars(importlib.import_module(f"{kind.folder}.backend")).values()
    classes = [one for one in made if isinstance(one, type)]
    (found,) = [one for one in classes if vars(one).get("engine") == kind.engine]
    assert found.can.rates is not None


@pytest.mark.everywhere
def test_a_run_on_any_engine_is_foretold_and_refused_without_room(connection, monkeypatch):
    with oracles.read(connection, oracles.seeded(21, 120)) as baskets:
        backend = baskets.session.backend
        backend.can = replace(backend.can, rates=replace(backend.can.rates, least=0))
        told = forecast(baskets, lambda sizes: Work(1, statements=3))
        assert told is not None and told.engine == backend.engine
        assert told.seconds > baskets.session.seconds_of_reading
        assert (told.room is None) == (backend.disk is None)
        monkeypatch.setattr(type(backend), "disk", 10**9)
        with pytest.raises(TooLargeError, match="needs about .* of disk"):
            forecast(baskets, lambda sizes: Work(1, memory=10**15))


def test_little_data_has_no_forecast(baskets, monkeypatch):
    rated(monkeypatch, least=baskets.occurrences + 1)
    assert forecast(baskets, lambda sizes: Work(1)) is None


def test_a_run_without_room_is_refused(baskets, monkeypatch):
    monkeypatch.setattr(DuckDB, "disk", 10**9)
    with pytest.raises(TooLargeError, match="needs about .* of disk"):
        forecast(baskets, lambda sizes: Work(1, memory=10**15))


def test_what_is_left_of_the_run_is_shown_until_it_takes_longer():
    course = Course()
    course.expect_end(90)
    assert left_of(course).endswith("left in all")
    course.expect_end(-1)
    assert left_of(course) == ""


@pytest.mark.slow
def test_a_large_run_prints_its_forecast(tmp_path):
    data = tmp_path / "data.parquet"
    setveil.generate(data, transactions=60_000)
    ran = subprocess.run(
        [sys.executable, "-m", "setveil", "hiding", str(data), "--patterns",
         str(_patterns(data, tmp_path)), "--psi", "0.5", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout)["forecast"]["seconds"] > 0


def _patterns(data, folder):
    (pair,) = duckdb.execute(
        "SELECT a.item, b.item FROM read_parquet($1) AS a JOIN read_parquet($1) AS b "
        "ON a.tid = b.tid AND a.item < b.item GROUP BY ALL ORDER BY COUNT(*) DESC LIMIT 1",
        [str(data)],
    ).fetchall()
    listed = folder / "patterns.txt"
    listed.write_text(",".join(pair) + "\n")
    return listed
