"""The same release, row for row, and the same metrics, in DuckDB and on a server.

The server is PostgreSQL, or what `--backend` names.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import harness
import reference
import setveil
from hostile_names import NAMES
from large_runs import LARGE, LARGER

pytestmark = pytest.mark.only_on("duckdb", "spark", "connect", reason="it makes both")

# Items whose order as numbers is not that as text; and names whose order in a dictionary is none of
# code points, some of them hostile.
NUMBERS = [*range(8, 13), 99, 100, 101, 1000]
WORDS = ["", "A b", "B", "Z", "_x", "a", "ab", "a-b", "z", "Ä", "é", "ß", "E\u0301", *NAMES]

MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    f"coherence, {method}, in {plan}": (
        "coherence",
        {"h": "0.7", "k": 4, "p": 3, "private": ..., "method": method, "plan": plan},
    )
    for method in ("mm-il", "mm", "1-il", "optimal")
    for plan in ("lists", "bits")
}
MODELS |= {
    "coherence, rm-all": ("coherence", {"k": 5, "p": 1, "method": "rm-all"}),
    "coherence, faithful": ("coherence", {"k": 4, "p": 2, "faithful": True}),
    "k-anonymity": ("k-anonymity", {"fanout": 2, "k": 3}),
    "k-anonymity, refined": ("k-anonymity", {"fanout": 3, "k": 2, "refine": True}),
    "km-anonymity, 1": ("km-anonymity", {"fanout": 2, "k": 5, "m": 1}),
    "km-anonymity, 2": ("km-anonymity", {"fanout": 3, "k": 4, "m": 2}),
    "km-anonymity, max": ("km-anonymity", {"fanout": 2, "k": 2, "m": "max"}),
    "itemsets": ("itemsets", {"min_support": 6}),
    "rules": ("itemsets", {"min_support": 6, "rules": True, "min_confidence": "0.4"}),
}
MODELS |= {
    f"hiding, {method}": (
        "hiding", {"patterns": ..., "min_support": 4, "method": method},
    )
    for method in ("naive", "minfia", "maxfia", "iga", "border")
}  # fmt: skip
MODELS |= {
    f"uncertainty, {name}": ("uncertainty", {"sensitive": ..., "rho": "0.4", "seed": 3} | options)
    for name, options in {
        "rules": {"keep": "rules"},
        "distribution": {"keep": "distribution"},
        "global": {"method": "global"},
        "parts": {"parts": 3},
        "refined": {"refine": True},
    }.items()
}


@pytest.fixture(scope="module")
def server(backend: harness.Harness) -> Iterator[harness.OnServer]:
    if isinstance(backend, harness.OnServer):
        yield backend
        return
    pytest.importorskip("psycopg", reason="PostgreSQL is not installed: pip install -e '.[dev]'")
    from harness_postgres import OnPostgres

    opened = OnPostgres()
    yield opened
    opened.close()


def made(model: str, baskets: setveil.Baskets, chosen: list[Any]) -> tuple[Any, list[Any]]:
    """The metrics and the rows; `chosen` are a few items that stand for private ones and so on."""
    function, options = MODELS[model]
    stands = {"patterns": [frozenset(chosen[:2]), frozenset(chosen[1:3])]}
    filled = {
        name: stands.get(name, chosen[:2]) if value is ... else value
        for name, value in options.items()
    }
    with baskets:
        result = getattr(setveil, function.replace("-", "_"))(baskets, **filled)
        return result.metrics, result.rows()


def agree(
    connection: duckdb.DuckDBPyConnection,
    server: harness.OnServer,
    model: str,
    chosen: list[Any],
) -> None:
    metrics, rows = made(model, harness.read_as_it_is(connection, "given"), chosen)
    theirs, found = made(model, server.read(connection, "given"), chosen)
    assert found == rows
    assert theirs == metrics
    assert rows or "rm-all" in model


SOURCES = [
    "words",
    pytest.param("lists of numbers", marks=pytest.mark.slow),
    pytest.param("numbers", marks=pytest.mark.slow),
    pytest.param("lists of words", marks=pytest.mark.slow),
]


@pytest.fixture(scope="module", params=SOURCES)
def given(request: pytest.FixtureRequest) -> Iterator[tuple[duckdb.DuckDBPyConnection, list[Any]]]:
    """Long form with some rows twice, and lists with empty ones among them."""
    chance = random.Random(7)
    names = NUMBERS if "numbers" in request.param else WORDS
    weights = {name: chance.choice([0.1, 0.3, 0.5]) for name in names[::-1]}
    held = [[name for name in weights if chance.random() < weights[name]] for _ in range(60)]
    held += [[], [], []]
    kind = "INTEGER" if "numbers" in request.param else "VARCHAR"
    with duckdb.connect(config={"threads": 2}) as connection:
        if "lists" in request.param:
            connection.execute(f"CREATE TABLE given (tid VARCHAR, item {kind}[])")
            rows = [[f"{tid} é", items] for tid, items in enumerate(held)]
        else:
            connection.execute(f"CREATE TABLE given (tid INTEGER, item {kind})")
            rows = [[tid, name] for tid, items in enumerate(held) for name in items]
            rows += rows[::9]
        connection.executemany("INSERT INTO given VALUES ($1, $2)", rows)
        yield connection, sorted(names, key=lambda name: -weights[name])


ONE_OF_EACH = (
    "coherence, mm-il, in lists", "coherence, mm-il, in bits", "k-anonymity", "km-anonymity, 2",
    "rules", "hiding, iga", "hiding, border", "uncertainty, parts",
)  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "model",
    [
        pytest.param(one, marks=pytest.mark.everywhere if one in ONE_OF_EACH else pytest.mark.slow)
        for one in MODELS
    ],
)
def test_on_small_data(
    given: tuple[duckdb.DuckDBPyConnection, list[Any]], server: harness.OnServer, model: str
) -> None:
    connection, chosen = given
    agree(connection, server, model, chosen)


def test_renaming(
    given: tuple[duckdb.DuckDBPyConnection, list[Any]], server: harness.OnServer, tmp_path: Path
) -> None:
    connection, _ = given
    rows = []
    for read in (harness.read_as_it_is, server.read):
        with read(connection, "given") as baskets:
            rows.append(setveil.rename(baskets, key=tmp_path / "key.parquet", seed=5).rows())
    assert rows[0] == rows[1]


@pytest.mark.everywhere
def test_inspection(
    given: tuple[duckdb.DuckDBPyConnection, list[Any]], server: harness.OnServer
) -> None:
    connection, chosen = given
    found = []
    for read in (harness.read_as_it_is, server.read):
        with read(connection, "given") as baskets:
            found.append(setveil.inspect(baskets, k=3, p=2, h="0.7", private=chosen[:2]))
    assert found[0] == found[1]


# Larger data, of which not every model asks everything


def named(runs: dict[str, dict[str, dict[str, Any]]], mark: pytest.MarkDecorator) -> list[Any]:
    return [pytest.param(d, m, marks=mark) for d, some in runs.items() for m in some]


@pytest.mark.parametrize(
    ("data", "model"), named(LARGE, pytest.mark.slow) + named(LARGER, pytest.mark.benchmark)
)
def test_on_larger_data(server: harness.OnServer, data: str, model: str) -> None:
    path = reference.SHARED / "data" / f"{data}.parquet"
    if not path.exists():
        pytest.skip(f"no data here: {path}")
    options = (LARGE if model in LARGE[data] else LARGER)[data][model]
    function = getattr(setveil, model.partition(",")[0].replace("-", "_"))
    found = []
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE given AS FROM '{path}'")
        for read in (harness.read_as_it_is, server.read):
            with read(connection, "given") as baskets:
                made = function(baskets, **options)
                found.append((made.metrics, made.rows()))
    assert found[0] == found[1] and found[0][1]
