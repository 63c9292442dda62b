"""Whatever goes wrong, and whenever: a release is there whole, or not at all."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet, suppress
from setveil.backends.duckdb.statements import one_line
from setveil.backends.spilling import SPILL_PREFIX
from setveil.cli.main import run
from setveil.errors import InputError, QueryError, SetveilError

ROWS = 400_000
QUERY = f"SELECT range // 8 AS tid, range * 7919 % 997 AS item FROM RANGE({ROWS})"  # noqa: S608
RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import setveil
from runs import suppress
folder, forced, writes = sys.argv[2], sys.argv[3] == "force", sys.argv[4]
options = {"database": f"{folder}/a.duckdb"} if writes == "table" else {}
print("ready", flush=True)
with setveil.read("t" if options else f"{folder}/a.parquet", **options) as baskets:
    release = suppress(baskets, range(10))
    print("writing", flush=True)
    trail = f"{folder}/b.sql"
    if options:
        release.write_table("safe", trail=trail, force=forced)
    else:
        release.write(f"{folder}/b.parquet", trail=trail, force=forced)
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return parquet(tmp_path_factory.mktemp("source") / "a.parquet", QUERY)


@pytest.fixture
def folder(tmp_path, source):
    (tmp_path / "a.parquet").symlink_to(source)
    (tmp_path / "spill").mkdir()
    return tmp_path


def start(folder, *, forced=False, writes="file", **options):
    """The run in a process of its own, which has read setveil and is about to begin."""
    tests = str(Path(__file__).parents[1] / "helpers")
    force = "force" if forced else "refuse"
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, tests, str(folder), force, writes],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(folder / "spill")}, **options,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    return process


def finish(process):
    out, error = process.communicate()
    return process.returncode, out, error


def length_of(path):
    return duckdb.execute("SELECT COUNT(*) FROM READ_PARQUET($1)", [str(path)]).fetchall()[0][0]


def is_whole(folder):
    """The release is readable with all its rows, or absent; nothing else was left."""
    left = {path.name for path in folder.iterdir()} - {"a.parquet", "spill"}
    assert left <= {"b.parquet", "b.sql"}
    if "b.parquet" in left:
        assert length_of(folder / "b.parquet") == wanted()
        assert "b.sql" in left
    return "b.parquet" in left


def wanted():
    kept = f"SELECT COUNT(*) FROM (SELECT DISTINCT * FROM ({QUERY})) WHERE item >= 10"  # noqa: S608
    return duckdb.execute(kept).fetchall()[0][0]


# Killed


@pytest.fixture(scope="module")
def lasts(source, tmp_path_factory):
    """How long a run takes here, to spread the kills over it."""
    folder = tmp_path_factory.mktemp("timed")
    (folder / "a.parquet").symlink_to(source)
    (folder / "spill").mkdir()
    process, begin = start(folder), time.perf_counter()
    assert finish(process)[0] == 0
    assert is_whole(folder)
    return time.perf_counter() - begin


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(16))
@pytest.mark.parametrize("forced", [False, True], ids=["new", "force"])
def test_killed_at_any_moment(folder, lasts, moment, forced):
    process = start(folder, forced=forced)
    time.sleep(lasts * moment / 14)
    process.kill()
    finish(process)
    is_whole(folder)


@pytest.mark.few(2)
@pytest.mark.parametrize("delay", [0, 0.002, 0.01, 0.03, 0.1])
def test_killed_while_it_writes(folder, delay):
    process = start(folder)
    process.stdout.readline()
    time.sleep(delay)
    process.kill()
    finish(process)
    is_whole(folder)


@pytest.mark.slow
@pytest.mark.few(2)
@pytest.mark.parametrize("delay", [0, 0.01, 0.05])
def test_killed_while_it_replaces(folder, delay):
    """The old release stays until the new one takes its place."""
    parquet(folder / "b.parquet", "SELECT 1 AS old")
    process = start(folder, forced=True)
    process.stdout.readline()
    time.sleep(delay)
    process.kill()
    finish(process)
    assert length_of(folder / "b.parquet") in (1, wanted())
    assert {path.name for path in folder.iterdir()} <= {"a.parquet", "spill", "b.parquet", "b.sql"}


@pytest.mark.few(2)
@pytest.mark.parametrize("delay", [0, 0.01, 0.05])
def test_killed_while_it_makes_a_table(folder, delay):
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute(f"CREATE TABLE t AS {QUERY}; CREATE TABLE safe AS SELECT 1 AS old")
    process = start(folder, forced=True, writes="table")
    process.stdout.readline()
    time.sleep(delay)
    process.kill()
    finish(process)
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        (count,) = connection.execute("SELECT COUNT(*) FROM safe").fetchall()[0]
        assert count in (1, wanted())
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(ROWS,)]


def test_what_a_killed_run_spilled_is_removed_by_the_next(folder, monkeypatch):
    process = start(folder)
    process.stdout.readline()
    process.kill()
    finish(process)
    spill = folder / "spill"
    left = [path for path in spill.iterdir() if path.name.startswith(SPILL_PREFIX)]
    assert len(left) == 1 and left[0].stat().st_mode & 0o777 == 0o700
    (spill / f"{SPILL_PREFIX}{os.getpid()}-mine").mkdir()
    (spill / f"{SPILL_PREFIX}1-running").mkdir()
    (spill / f"{SPILL_PREFIX}odd").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spill))
    with setveil.read(folder / "a.parquet"):
        names = sorted(path.name for path in spill.iterdir())
        assert left[0].name not in names and len(names) == 4
    assert len(list(spill.iterdir())) == 3


def test_a_run_that_nobody_closed_leaves_no_spill(folder):
    text = (
        f"import setveil; b = setveil.read({str(folder / 'a.parquet')!r}); b.session.backend.x = b"
    )
    environment = {**os.environ, "TMPDIR": str(folder / "spill")}
    subprocess.run([sys.executable, "-c", text], check=True, env=environment)
    assert not list((folder / "spill").iterdir())


# Interrupted


@pytest.mark.parametrize("target", ["--out", "--into"])
def test_what_gets_a_name_gets_it_with_the_rest(folder, monkeypatch, capsys, target):
    """Ctrl-C comes when the trail has its name already, and the release has none yet."""
    link = os.link

    def named(source, target, **options):
        link(source, target, **options)
        if target.endswith(".sql"):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "link", named)
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS tid, 2 AS item")
    out = str(folder / "b.parquet") if target == "--out" else "safe"
    (folder / "patterns").write_text("2\n")
    command = ["hiding", "t", "--patterns", str(folder / "patterns"), "--psi", "1"]
    command += ["--database", str(folder / "a.duckdb"), "--trail", str(folder / "b.sql")]
    assert run([*command, target, out]) == 130
    said = f"setveil: error: interrupted; written before that: {folder / 'b.sql'}, {out}\n"
    assert capsys.readouterr().err.endswith(said)
    assert (folder / "b.sql").exists()
    if target == "--out":
        assert length_of(folder / "b.parquet") == 1
    else:
        with duckdb.connect(str(folder / "a.duckdb")) as connection:
            assert connection.sql("FROM safe").fetchall() == [(1, 2)]


@pytest.mark.parametrize("moment", ["reading", "writing"])
def test_interrupted(folder, moment):
    process = start(folder)
    if moment == "writing":
        process.stdout.readline()
    else:
        time.sleep(0.03)
    process.send_signal(signal.SIGINT)
    code, _, error = finish(process)
    assert "KeyboardInterrupt" in error or code <= 0  # below: when Python was leaving already
    assert is_whole(folder) or code
    assert not list((folder / "spill").iterdir())


# No room


@pytest.fixture
def small(tmp_path):
    """A file system of 64 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small file system here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("name", ["b.parquet", "b.csv"])
def test_no_room_for_the_release(source, small, name):
    with setveil.read(source) as baskets:
        release = suppress(baskets)
        with pytest.raises(SetveilError) as failed:
            release.write(small / name)
    assert failed.value.exit_code in (2, 4)
    assert "\n" not in str(failed.value)
    assert not list(small.iterdir())


def test_no_room_for_the_trail(tmp_path, small):
    path = parquet(tmp_path / "a.parquet", "SELECT range AS tid, 'a' AS item FROM RANGE(9)")
    (small / "filler").write_bytes(bytes(2**16 - 2**13))
    with setveil.read(path) as baskets:
        release = suppress(baskets)
        baskets.session.remark("x" * 2**16)
        with pytest.raises(InputError, match="No space left"):
            release.write(tmp_path / "b.parquet", trail=small / "b.sql")
    assert not (tmp_path / "b.parquet").exists()
    assert [path.name for path in small.iterdir()] == ["filler"]


def test_no_room_for_the_trail_of_a_table(tmp_path, small):
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS tid, 'a' AS item FROM RANGE(9)")
    with setveil.read("t", database=tmp_path / "a.duckdb") as baskets:
        release = suppress(baskets)
        baskets.session.remark("x" * 2**17)
        with pytest.raises(InputError, match="No space left"):
            release.write_table("safe", trail=small / "b.sql")
        with pytest.raises(InputError, match="does not exist"):
            release.write_table("safe", trail=tmp_path / "no" / "b.sql")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]
    assert not list(small.iterdir())


def test_a_file_size_limit(folder):
    """As a quota does: the write fails in the middle."""
    limit = (100_000, 100_000)
    process = start(folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
    code, _, error = finish(process)
    assert code == 1
    assert "QueryError" in error or "InputError" in error
    assert not is_whole(folder)


def test_no_room_to_spill(folder, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "spill"))
    notes = []
    with setveil.read(folder / "a.parquet", memory_limit="90MB", chat=notes.append) as baskets:
        run = baskets.session
        run.backend.connection.execute("SET max_temp_directory_size = '1MB'")
        text = (
            "CREATE TABLE big AS SELECT a.range + b.range AS n "
            "FROM RANGE(9000) AS a, RANGE(9000) AS b ORDER BY n"
        )
        with pytest.raises(
            QueryError, match="step 'big' failed: out of memory: .*free space for temporary"
        ) as failed:
            run.run("big", "more than fits", text)
        assert failed.value.exit_code == 4
        suppress(baskets).write(folder / "b.parquet")
    assert not list((folder / "spill").iterdir())
    assert [note.partition(":")[0] for note in notes] in ([], ["out of memory in step 'big'"])


def test_a_little_memory_is_enough(folder, tmp_path):
    with setveil.read(folder / "a.parquet", memory_limit="128MB", threads=2) as baskets:
        suppress(baskets, range(10)).write(tmp_path / "b.parquet")
    assert length_of(tmp_path / "b.parquet") == wanted()


# Refused at the last moment


def test_a_failing_trail_leaves_no_release(folder, monkeypatch):
    with setveil.read(folder / "a.parquet") as baskets:
        release = suppress(baskets)
        monkeypatch.setattr("setveil.trail.render.render", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            release.write(folder / "b.parquet", trail=folder / "b.sql")
    assert not is_whole(folder) and not (folder / "b.sql").exists()


def test_a_release_that_its_checker_refuses_is_no_release(folder):
    from setveil.run.release import kept, make_release
    from setveil.sql.run import reading as sql
    from setveil.sql.step import Step, duck

    refused = setveil.Violation(("1",), 1, None, 0.0)
    verdict = setveil.Verdict(False, (refused,), 1, 1, 1)
    with setveil.read(folder / "a.parquet") as baskets:
        nothing = duck("SELECT item FROM item WHERE FALSE")
        for name in ("private_item", "public_item", "gone"):
            baskets.session.create(Step(name, "none", nothing))
        baskets.session.create(sql.suppressed_items(sql.exp.to_table("gone")))
        with pytest.raises(setveil.CheckError, match="nothing was written"):
            make_release(baskets, kept(baskets), lambda cells: verdict)


def test_a_fault_of_duckdb_is_told_as_one():
    error = duckdb.InternalException("INTERNAL Error: a join\n\nStack Trace:\n/lib/duckdb.so")
    told = "INTERNAL Error: a join (a fault of DuckDB itself: run it again, or with --threads 1)"
    assert one_line(error) == told
