"""How long commands take to end once a signal asks them to, in seconds. Run with `-m benchmark -s`.

Each command is run once to its end; then signals reach it at random moments of that time, on every
engine that is installed. A command may take two seconds, and it leaves nothing behind.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import duckdb
import psycopg
import pytest

import servers
import setveil
import spark_server

pytestmark = pytest.mark.benchmark

LONGEST = 2.0  # seconds that a command may take to end
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
COMMANDS = {
    "coherence": ["--private", "where:support < 5", "--h", "0.8", "--k", "20", "--p", "4"],
    "uncertainty": ["--sensitive", "where:support < 10", "--rho", "0.6"],
    "k-anonymity": ["--k", "10", "--fanout", "5"],
    "km-anonymity": ["--k", "10", "--m", "2", "--fanout", "5"],
    "itemsets": ["--min-support", "0.2%", "--rules", "--min-confidence", "0.3"],
}
LEFT = """
    SELECT nspname FROM pg_namespace WHERE nspname LIKE 'setveil%'
    UNION ALL
    SELECT query FROM pg_stat_activity WHERE application_name = 'setveil'
"""
Source = list[str]  # the arguments that name it
Left = Callable[[], list[str]]  # what a run left on the server


@contextmanager
def on_duckdb(path: Path) -> Iterator[tuple[Source, Left]]:
    yield [str(path)], list


@contextmanager
def on_postgres(path: Path) -> Iterator[tuple[Source, Left]]:
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE baskets (tid INT, item TEXT)")
        rows = duckdb.read_parquet(str(path)).fetchall()
        with connection.cursor().copy("COPY baskets FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

        def left() -> list[str]:
            found = connection.execute(LEFT)
            return [text for (text,) in found]

        yield ["baskets", "--database", url], left


@contextmanager
def on_spark(path: Path) -> Iterator[tuple[Source, Left]]:
    with spark_server.running("connect") as url:
        yield [f"SELECT tid, item FROM parquet.`{path}`", "--database", url], list  # noqa: S608


ENGINES: dict[str, Callable[[Path], AbstractContextManager[tuple[Source, Left]]]] = {
    "duckdb": on_duckdb,
    "postgres": on_postgres,
    "spark": on_spark,
}
TRIES = {"duckdb": 6, "postgres": 6, "spark": 2}  # signals for each command


@pytest.fixture(scope="module")
def baskets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("baskets") / "baskets.parquet"
    options = {"transactions": 15_000, "items": 2_000, "seed": 3}
    setveil.generate(path, **options)
    return path


def started(name: str, source: Source, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "setveil", name, *source, *COMMANDS[name]]
    return subprocess.Popen(
        [*command, "--out", str(folder / "safe.parquet"), "--quiet", "--force"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def obeyed(process: subprocess.Popen[str], number: signal.Signals, after: float) -> float | None:
    """Seconds from the signal to the end, unless the command was done before."""
    with process:
        time.sleep(after)
        if process.poll() is not None:
            return None
        process.send_signal(number)
        begun = time.monotonic()
        assert process.stderr
        error = process.stderr.read()
    assert process.returncode == 128 + number, (process.returncode, error)
    return time.monotonic() - begun


@pytest.mark.parametrize("engine", ENGINES)
def test_signals_are_obeyed(engine: str, baskets: Path, tmp_path: Path) -> None:
    if engine == "spark" and (why := spark_server.missing()):
        pytest.skip(why)
    chance, taken = random.Random(7), []
    with ENGINES[engine](baskets) as (source, left):
        for name in COMMANDS:
            begun = time.monotonic()
            with started(name, source, tmp_path) as process:
                assert process.wait() == 0
            (tmp_path / "safe.parquet").unlink()
            whole = time.monotonic() - begun
            for _ in range(TRIES[engine]):
                number, after = chance.choice(SIGNALS), chance.uniform(0.6, whole)
                seconds = obeyed(started(name, source, tmp_path), number, after)
                if seconds is None:
                    (tmp_path / "safe.parquet").unlink()
                    continue
                assert not list(tmp_path.iterdir())
                taken.append(seconds)
                moment = f"at {after:.1f} of {whole:.1f} s"
                print(f"{engine} {name} {number.name} {moment}: {seconds:.2f}")
            time.sleep(1)
            assert not left()
    taken.sort()
    print(f"{engine}: {len(taken)} signals, middle {taken[len(taken) // 2]:.2f} s", end=", ")
    print(f"95 % {taken[int(len(taken) * 0.95)]:.2f} s, worst {taken[-1]:.2f} s")
    assert taken[-1] <= LONGEST
