"""What the tests share: the backend they run on, one open connection, and the flag that writes
golden files anew."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import settings
from sqlglot import exp

import harness
import outputs
import reference
from setveil.sql import text
from setveil.sql.shared import Values


def _postgres() -> harness.Harness:
    from harness_postgres import OnPostgres

    return OnPostgres()


def _spark() -> harness.Harness:
    from harness_spark import OnSpark

    return OnSpark()


def _connect() -> harness.Harness:
    from harness_spark import OnConnect

    return OnConnect()


BACKENDS: dict[str, Callable[[], harness.Harness]] = {
    "duckdb": harness.OnDuckDB,
    "postgres": _postgres,
    "spark": _spark,
    "connect": _connect,
}
KNOWN_AS = {"connect": "spark"}  # what it lacks, the other lacks

EXAMPLES = {"postgres": 6, "spark": 2, "connect": 2}  # of a property


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden anew, to be read in the diff",
    )
    parser.addoption(
        "--backend",
        choices=BACKENDS,
        default="duckdb",
        help="where runs take place; on a server, only tests that can take place there are run",
    )
    parser.addoption(
        "--examples",
        type=int,
        help="try at most so many examples of a property (as a rule: all of them)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """A shell's script has what it starts in the background ignore Ctrl-C: tests need it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _keep_bytecode(config)
    _keep_to_one_core()
    gc.disable()  # until all tests are found


def pytest_collection_finish() -> None:
    """Tests and modules stay to the end: to look through them for waste takes a sixth of a run."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_unconfigure() -> None:
    """Python clears frozen objects again at its end; DuckDB would report them as leaks."""
    gc.unfreeze()


def _keep_bytecode(config: pytest.Config) -> None:
    """Commands of the tests start as installed ones do, which are compiled once.

    Where nothing may be written beside the sources, it is kept with what pytest remembers.
    """
    if sys.dont_write_bytecode and not sys.pycache_prefix:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(config.rootpath / ".pytest_cache" / "bytecode")


def _keep_to_one_core() -> None:
    """Of several workers: each DuckDB would else start a thread for every core."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker.removeprefix("gw")) % len(cores)]})


@pytest.hookimpl(tryfirst=True)  # before those that are slow are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On a server: what reads from a connection, unless it is about DuckDB; and its own tests."""
    backend = config.getoption("--backend")
    most = config.getoption("--examples") or EXAMPLES.get(backend)
    kept, others = [], []
    _leave_most_to_the_slow_run(items)
    for item in items:
        assert isinstance(item, pytest.Function)
        own = item.get_closest_marker("only_on")
        runs = (
            backend in own.args if own else backend == "duckdb" or "connection" in item.fixturenames
        )
        (kept if runs else others).append(item)
        if most:
            _fewer_examples(item, most)
        for gap in item.iter_markers("gap"):
            if gap.args[0] in (backend, KNOWN_AS.get(backend)):
                item.add_marker(pytest.mark.xfail(strict=True, reason=gap.kwargs["reason"]))
    config.hook.pytest_deselected(items=others)
    items[:] = kept


def _leave_most_to_the_slow_run(items: list[pytest.Item]) -> None:
    """Of a test with `few(n)`, n of its parameters are tried by default, evenly spread."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in tests.values():
        (number,) = same[0].get_closest_marker("few").args  # type: ignore[union-attr]
        default = {n * len(same) // number for n in range(number)}
        for place, item in enumerate(same):
            if place not in default:
                item.add_marker(pytest.mark.slow)


def _fewer_examples(item: pytest.Function, most: int) -> None:
    """PostgreSQL takes some ten times as long for a run on small data, Spark some thousand."""
    given = "_hypothesis_internal_use_settings"
    if has := getattr(item.obj, given, None):
        setattr(item.obj, given, settings(has, max_examples=min(has.max_examples, most)))


@pytest.fixture(scope="session", autouse=True)
def every_output_fits_its_schema() -> Iterator[None]:
    """Commands that run in the process of the tests are watched; see helpers/outputs.py."""
    from setveil.cli import output

    with pytest.MonkeyPatch.context() as patch:
        printed = output.say_object

        def checked(text: str) -> None:
            outputs.check(json.loads(text))
            printed(text)

        patch.setattr(output, "say_object", checked)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_stage_is_told_of_what_a_slow_machine_runs() -> Iterator[None]:
    """Lines on stages come after some seconds, so that a busy machine would print more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("setveil.cli.progress.LONG", 3600.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_shared_query_is_changed() -> Iterator[None]:
    """Queries that are made once serve all runs: at the end they are compared with new ones."""
    made: dict[tuple[str, Values], exp.Expr] = {}
    once = text._once

    def kept(query: str, given: Values) -> exp.Expr:
        made[query, given] = tree = once(query, given)
        if len(made) > 500:
            made.pop(next(iter(made)))
        return tree

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "_once", kept)
        yield
    for (query, given), tree in made.items():
        assert tree.sql() == once.__wrapped__(query, given).sql(), query


@pytest.fixture(scope="session")
def backend(pytestconfig: pytest.Config) -> Iterator[harness.Harness]:
    """Made when a test first asks for it."""
    chosen = BACKENDS[pytestconfig.getoption("--backend")]()
    harness.use(chosen)
    yield chosen
    chosen.close()


@pytest.fixture
def server(backend: harness.Harness) -> Iterator[Any]:
    """A server's database for the test alone."""
    assert isinstance(backend, harness.OnServer)
    backend.cleared()
    yield backend
    backend.cleared()


@pytest.fixture(scope="session")
def connection(backend: harness.Harness) -> Iterator[duckdb.DuckDBPyConnection]:
    """Opening DuckDB costs more than a small run: many runs share one connection."""
    with duckdb.connect(config={"threads": 2}) as opened:
        yield opened


@pytest.fixture(scope="session")
def moles_cpp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The independent reference, compiled."""
    return reference.compiled(tmp_path_factory.mktemp("reference"))
