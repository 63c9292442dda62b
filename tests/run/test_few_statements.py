"""Where every statement takes long, few are sent; and the release stays what it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

import oracles
import setveil
from large_runs import LARGE
from reference import SHARED
from setveil.backends.duckdb.backend import DuckDB
from setveil.trail.replay import replay

pytestmark = pytest.mark.only_on("duckdb", reason="its statements are counted as on Spark")

GROCERIES = SHARED / "data" / "groceries.parquet"
# Statements that Spark runs for a model, the reading of the data included.
BUDGETS = {"coherence": 38, "km-anonymity": 40, "k-anonymity": 65, "uncertainty": 156}
SMALL: dict[str, dict[str, Any]] = {
    "coherence": {"h": "0.45", "k": 6, "p": 4},
    "km-anonymity": {"fanout": 2, "k": 12, "m": 3},
    "k-anonymity": {"fanout": 2, "k": 3},
    "uncertainty": {"rho": "0.4", "seed": 3},
}


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB that reports no numbers of rows, and whose statements are said to be dear."""
    run = DuckDB.execute

    def execute(self: DuckDB, name: str, statement: str) -> None:
        run(self, name, statement)

    monkeypatch.setattr(DuckDB, "execute", execute)
    monkeypatch.setattr(DuckDB, "can", replace(DuckDB.can, dear=True, widest=40))


def made(baskets: setveil.Baskets, model: str, options: dict[str, Any]) -> tuple[object, object]:
    release = getattr(setveil, model.replace("-", "_"))(baskets, **options)
    return release.metrics, release.rows()


def of(data: oracles.Data, model: str) -> dict[str, Any]:
    roles = {"coherence": "private", "uncertainty": "sensitive"}
    return SMALL[model] | ({roles[model]: sorted(data.private)} if model in roles else {})


def both(connection: duckdb.DuckDBPyConnection, seed: int, model: str) -> tuple[object, object]:
    data = oracles.seeded(seed, 120)
    with oracles.read(connection, data) as baskets:
        return made(baskets, model, of(data, model))


@pytest.mark.parametrize("model", SMALL)
def test_the_release_stays_what_it_is(
    connection: duckdb.DuckDBPyConnection, request: pytest.FixtureRequest, model: str
) -> None:
    expected = [both(connection, seed, model) for seed in (21, 22)]
    request.getfixturevalue("dear")
    assert [both(connection, seed, model) for seed in (21, 22)] == expected


@pytest.mark.parametrize("model", SMALL)
def test_large_data_is_numbered_span_by_span(
    connection: duckdb.DuckDBPyConnection,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
) -> None:
    """The numbers stay what they are, and large relations are dropped."""
    expected = both(connection, 21, model)
    request.getfixturevalue("dear")
    monkeypatch.setattr("setveil.run.session.LARGE", 100)
    assert both(connection, 21, model) == expected


@pytest.mark.usefixtures("dear")
def test_releases_of_one_reading_stay_apart(connection: duckdb.DuckDBPyConnection) -> None:
    """An earlier release is written after a later run used its names for other relations."""
    data = oracles.seeded(21, 120)
    with oracles.read(connection, data) as baskets:
        first = setveil.k_anonymity(baskets, fanout=2, k=3)
        rows = first.rows()
        second = setveil.k_anonymity(baskets, fanout=3, k=5)
        third = setveil.uncertainty(baskets, **of(data, "uncertainty"))
        others = second.rows(), third.rows()
        assert first.rows() == rows
        assert (second.rows(), third.rows()) == others


@pytest.mark.usefixtures("dear")
@pytest.mark.parametrize("model", BUDGETS)
def test_budget(model: str) -> None:
    if not GROCERIES.exists():
        pytest.skip(f"{GROCERIES} is not there")
    with setveil.read(GROCERIES, once=True) as baskets:
        made(baskets, model, LARGE["groceries"][model])
        found = sum(bool(one.text) for one in baskets.session.statements)
    print(f"{model} on groceries: {found} statements")  # noqa: T201
    assert found <= BUDGETS[model]


@pytest.mark.usefixtures("dear")
def test_the_trail_names_a_relation_that_is_a_with(tmp_path: Path) -> None:
    if not GROCERIES.exists():
        pytest.skip(f"{GROCERIES} is not there")
    with setveil.read(GROCERIES) as baskets:
        release = setveil.km_anonymity(baskets, fanout=20, k=5, m=1)
        release.write(tmp_path / "safe.parquet", trail=tmp_path / "trail.sql")
    told = (tmp_path / "trail.sql").read_text()
    assert "-- recoded_item: each row is an item and its published node" in told
    assert "recoded_item AS (" in told
    replay(tmp_path / "trail.sql", out=tmp_path / "again.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "safe.parquet").read_bytes()
