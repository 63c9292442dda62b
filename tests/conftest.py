"""What the tests share: one open connection, and the flag that writes golden files anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import reference


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden anew, to be read in the diff",
    )
    parser.addoption(
        "--spark",
        choices=("classic", "connect"),
        default="classic",
        help="for -m spark: in this process, or on a Spark Connect server",
    )


@pytest.fixture(scope="session")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Opening DuckDB costs more than a small run: many runs share one connection."""
    with duckdb.connect(config={"threads": 2}) as opened:
        yield opened


@pytest.fixture(scope="session")
def moles_cpp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The independent reference, compiled."""
    return reference.compiled(tmp_path_factory.mktemp("reference"))
