"""PostgreSQL: however a run ends, there is a whole release or none, and no other trace."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

import setveil
from harness_postgres import ROWS
from runs import suppress
from setveil.cli.main import run
from setveil.errors import InputError, QueryError
from setveil.run import writing
from setveil.run.files.into import check_table

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

OLD = [(0, "old")]
SLOW = "SELECT t.tid, t.item FROM t CROSS JOIN PG_SLEEP(60)"
COMMAND = ["uncertainty", "--sensitive", "where:name = 'c'", "--rho", "0.9", "--into", "safe"]
# A run that has made its table and is about to commit.
RUN = """
import sys, time
sys.path.insert(0, sys.argv[1])
import setveil, setveil.run.writing
from runs import suppress
def made(*_, **__):
    print("made", flush=True)
    time.sleep(float(sys.argv[3]))
setveil.run.writing.keep_trail = made
with setveil.read("t", database=sys.argv[2]) as baskets:
    suppress(baskets, ["a"]).write_table("safe", force=True)
"""


@pytest.fixture
def shop(server):
    """A source and an old release."""
    server.table()
    server.table("safe", OLD)
    return server


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def reading(server, engine="in-place"):
    """The command, which will wait for its source."""
    command = [*COMMAND, "--force", "--engine", engine, "--database", server.url, SLOW]
    process = started("-m", "setveil", *command)
    pid = wait_for(server, "PgSleep")
    return process, pid


def publishing(server, seconds=60):
    process = started(
        "-c", RUN, str(Path(__file__).parents[1] / "helpers"), server.url, str(seconds)
    )
    assert process.stdout.readline() == "made\n"
    return process, wait_for(server, "")


def sessions(server, holding):
    """The connections of runs whose last statement, or the lock they wait for, has this text."""
    return server.connection.execute(
        """
        SELECT pid FROM pg_stat_activity
        WHERE application_name = 'setveil' AND datname = CURRENT_DATABASE()
            AND POSITION(%s IN CONCAT(wait_event, query)) > 0
        """,
        [holding],
    ).fetchall()


def wait_for(server, holding, *, gone=False, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = sessions(server, holding)
        if bool(found) != gone:
            return found[0][0] if found else None
        time.sleep(0.02)
    raise AssertionError("the run is still there" if gone else "no run came")


def is_untouched(server):
    """Only the source and the old release exist, and a new run succeeds."""
    wait_for(server, "", gone=True)
    assert server.left() == {"public", "public.t", "public.safe"}
    assert server.connection.execute("SELECT * FROM safe").fetchall() == OLD
    with setveil.read("t", database=server.url) as baskets:
        suppress(baskets, ["a"]).write_table("safe", force=True)
    assert server.left() == {"public", "public.t", "public.safe"}
    assert server.connection.execute("SELECT * FROM safe ORDER BY 1").fetchall() == [
        (1, "b"), (3, "c"),
    ]  # fmt: skip
    assert server.connection.execute("SELECT * FROM t ORDER BY 1, 2").fetchall() == ROWS


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_interrupted_while_it_reads(shop, engine):
    process, _ = reading(shop, engine)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert error == "setveil: error: interrupted; nothing was written\n"
    is_untouched(shop)


def test_interrupted_while_it_publishes(shop):
    """A release about to be committed is committed with its trail; a second Ctrl-C ends at once."""
    process, _ = publishing(shop)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate()[1]
    is_untouched(shop)
    process, _ = publishing(shop, seconds=1)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate()[1]
    assert shop.connection.execute("SELECT * FROM safe").fetchall() != OLD


@pytest.mark.parametrize("moment", [reading, publishing])
def test_killed(shop, moment):
    """The server notices that its client is gone, even during a statement."""
    process, _ = moment(shop)
    process.kill()
    process.communicate()
    is_untouched(shop)


@pytest.mark.parametrize(("engine", "step"), [("in-place", "source"), ("duckdb", "pulled")])
def test_the_connection_is_lost_while_it_reads(shop, engine, step):
    process, pid = reading(shop, engine)
    shop.connection.execute("SELECT PG_TERMINATE_BACKEND(%s)", [pid])
    out, error = process.communicate()
    assert (process.returncode, out) == (4, "")
    assert error.startswith(f"setveil: error: step '{step}' failed: terminating connection")
    assert error.count("\n") == 1
    is_untouched(shop)


def test_what_fails_after_many_rows_is_no_data(shop):
    """An error occurs after most rows were copied."""
    query = "SELECT n AS tid, 12 / (200000 - n) AS item FROM GENERATE_SERIES(1, 200000) AS g (n)"
    with pytest.raises(InputError, match="division by zero"):
        setveil.read(query, database=shop.url, engine="duckdb")


def test_the_connection_is_lost_while_it_publishes(shop):
    process, pid = publishing(shop, seconds=1)
    shop.connection.execute("SELECT PG_TERMINATE_BACKEND(%s)", [pid])
    assert "QueryError: step 'publish' failed" in process.communicate()[1]
    is_untouched(shop)


@pytest.mark.parametrize("fault", [KeyboardInterrupt, QueryError("publish", "no"), OSError])
def test_what_fails_before_the_commit_takes_all_back(shop, monkeypatch, fault):
    def failing(*_, **__):
        raise fault

    with monkeypatch.context() as patch, setveil.read("t", database=shop.url) as baskets:
        patch.setattr(writing, "keep_trail", failing)
        with pytest.raises(fault if isinstance(fault, type) else type(fault)):
            suppress(baskets, ["a"]).write_table("safe", force=True)
    is_untouched(shop)


def test_a_model_that_fails_leaves_nothing(shop, capsys):
    command = ["coherence", "t", "--private", "where:TRUE", "--h", "0", "--k", "9", "--p", "2"]
    assert run([*command, "--database", shop.url, "--into", "safe", "--force"]) == 3
    assert "setveil: error: " in capsys.readouterr().err
    is_untouched(shop)


# Refused


def refused(server, into="safe", *, force=False):
    with pytest.raises(InputError) as failed:
        with setveil.read("t", database=server.url) as baskets:
            suppress(baskets, ["a"]).write_table(into, force=force)
    return str(failed.value)


def test_a_table_that_exists(shop):
    assert refused(shop) == "'safe' exists: choose another name, or force=True to overwrite it"
    is_untouched(shop)


@pytest.mark.parametrize("kind", ["VIEW", "MATERIALIZED VIEW"])
def test_what_is_no_table(shop, kind):
    shop.connection.execute(f"CREATE {kind} seen AS SELECT * FROM safe".encode())  # noqa: S608
    assert "'seen' cannot be made: \"seen\" is not a table" in refused(shop, "seen", force=True)
    assert "exists: choose another name" in refused(shop, "seen")
    shop.connection.execute(f"DROP {kind} seen".encode())
    is_untouched(shop)


@pytest.mark.parametrize("into", ["nowhere.safe", "pg_catalog.safe"])
def test_where_nothing_can_be_made(shop, into):
    assert "cannot be made: " in refused(shop, into, force=True)
    is_untouched(shop)


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
@pytest.mark.parametrize(
    ("into", "told"),
    [
        (["safe"], "'safe' exists: choose another name, or --force"),
        (["nowhere.safe"], "'nowhere.safe' cannot be made: schema \"nowhere\" does not exist"),
        (["nowhere.safe", "--force"], "'nowhere.safe' cannot be made: "),
        (["public.t", "--force"], "'public.t' is what the data was read from"),
    ],
)
def test_it_is_refused_before_the_work(shop, capsys, monkeypatch, engine, into, told):
    monkeypatch.setattr("setveil.models.coherence.anonymize.coherence", None)  # the work
    line = ["coherence", "t", "--k", "1", "--p", "1", "--database", shop.url, "--engine", engine]
    assert run([*line, "--into", *into]) == 2
    assert told in capsys.readouterr().err
    is_untouched(shop)


def test_the_name_is_not_held_meanwhile(shop):
    """Others can make a table of this name during the run."""
    with setveil.read("t", database=shop.url) as baskets:
        for force in (False, True):
            check_table(baskets.session, baskets.source, "late", force=force)
        check_table(baskets.session, baskets.source, "safe", force=True)
        shop.connection.execute("SET lock_timeout = '5s'")
        shop.connection.execute("CREATE TABLE late (n INT)")
        shop.connection.execute("DROP TABLE late")
        for old, new in (("item", "other"), ("other", "item")):
            shop.connection.execute(f"ALTER TABLE safe RENAME {old} TO {new}")
    is_untouched(shop)


def test_a_table_that_came_into_being_meanwhile(shop):
    """Of two runs with one target, the first commit wins."""
    with setveil.read("t", database=shop.url) as baskets:
        release = suppress(baskets, ["a"])
        shop.table("late", OLD)
        with pytest.raises(InputError, match="'late' exists"):
            release.write_table("late")
    shop.connection.execute("DROP TABLE late")
    is_untouched(shop)


def test_what_others_commit_meanwhile_is_not_seen(shop):
    """A run reads one state of the data from its first statement to its last."""
    with setveil.read("t", database=shop.url) as baskets:
        with psycopg.connect(shop.url) as other:
            other.execute("INSERT INTO t VALUES (9, 'late')")
        assert suppress(baskets).rows() == ROWS
    shop.connection.execute("DELETE FROM t WHERE tid = 9")
    is_untouched(shop)


def test_a_release_is_compared_in_the_state_of_the_data_that_its_original_is_read_in(shop):
    with setveil.read("t", database=shop.url) as baskets:
        with psycopg.connect(shop.url) as other:
            other.execute("INSERT INTO safe VALUES (9, 'late')")
        (found,) = setveil.compare(baskets, "safe").releases
        assert found.side.transactions == len(OLD)
