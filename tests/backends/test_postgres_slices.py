"""Slices in PostgreSQL: those of DuckDB, in one transaction with a ledger of the owner's."""

from __future__ import annotations

import psycopg
import pytest

import kills
import setveil
from runs import rows_of
from setveil.errors import DatabaseError, InputError, SetveilError
from slices_on_servers import (
    MODELS,
    PROMISE,
    assert_ledger_is_key,
    in_file,
    parts,
    promise_of,
    rows,
)

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")


@pytest.fixture
def grow(server):
    def grow(number):
        server.connection.execute("DROP TABLE IF EXISTS src")
        server.table("src", rows=rows(number), columns="tid INT, item TEXT, person TEXT")

    yield grow
    named = "SELECT relname FROM pg_class WHERE relname LIKE 'safe%' AND relkind = 'r'"
    for (name,) in server.connection.execute(named).fetchall():
        server.connection.execute(f'DROP TABLE "{name}"')


def append(server, model="coherence", user="postgres", **options):
    options = options or PROMISE
    return setveil.append("src", "safe", model, database=server.url_of(user), **options)


def slices(server, table="safe"):
    return sorted(server.connection.execute(f"SELECT * FROM {table}").fetchall())  # noqa: S608


@pytest.mark.parametrize(
    ("model", "persons"), [(one, False) for one in MODELS] + [("coherence", True)]
)
def test_slices_are_those_of_duckdb(server, grow, tmp_path, model, persons):
    options = promise_of(model, tmp_path) | ({"person": "person"} if persons else {})
    for number in (24, 26, 48, 72) if model == "coherence" else (24, 48):
        grow(number)
        found = append(server, model, **options)
        other = setveil.append(in_file(tmp_path, number), tmp_path / "safe", model, **options)
        assert (found.slice, found.waiting) == (other.slice, other.waiting)
        assert found.why[:30] == other.why[:30]
        assert found.slice is None or not persons or number == 24
    for table, files in parts(model).items():
        query = "SELECT * FROM READ_PARQUET($1) ORDER BY ALL"
        assert slices(server, table) == rows_of(query, f"{tmp_path}/safe/{files}")
    if model == "coherence":
        with setveil.read("safe", database=server.url) as baskets:
            assert setveil.verify.coherence(baskets, **PROMISE).holds


def test_the_ledger_is_the_key_of_its_slices(server, grow):
    grow(24)
    assert_ledger_is_key(append, server)


def test_only_the_owner_reads_the_ledger(server, grow):
    grow(24)
    with server.connected() as connection:
        connection.execute("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC")
        try:
            assert append(server).slice == 1
        finally:
            connection.execute("ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM PUBLIC")
        rights = (
            "SELECT HAS_TABLE_PRIVILEGE('public', oid, 'SELECT') FROM pg_class WHERE relname = %s"
        )
        for name in ("safe_ledger_part", "safe_ledger_told", "safe_ledger_arrival"):
            assert connection.execute(rights, [name]).fetchall() == [(False,)]
        connection.execute("GRANT SELECT ON safe_ledger_part TO PUBLIC")
        grow(48)
        with pytest.raises(InputError, match="is confidential"):
            append(server)
    assert len({one for *_, one in slices(server)}) == 1


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("DELETE FROM safe_ledger_part WHERE key = '101'", "was altered"),
        ("DROP TABLE safe_ledger_part", "safe_ledger_part is missing"),
        ("UPDATE safe SET item = 'x' WHERE tid = 101", "slice 1 of safe was changed"),
        ("DELETE FROM safe", "slice 1 of safe is missing"),
        ("INSERT INTO safe SELECT tid, item, 2 FROM safe", "slice 2 of safe is not in its ledger"),
        ("INSERT INTO safe SELECT 1, 'x', NULL", "rows of no slice"),
    ],
)
def test_a_target_or_ledger_that_was_changed_is_refused(server, grow, deed, said):
    grow(24)
    append(server)
    server.connection.execute(deed)
    before = slices(server)
    grow(48)
    with pytest.raises(InputError, match=said):
        append(server)
    assert slices(server) == before


def test_code_of_others_is_not_run(server, grow):
    grow(24)
    append(server)
    server.connection.execute(
        "CREATE OR REPLACE FUNCTION trap() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE 'run'; END $$"
    )
    server.connection.execute(
        "CREATE TRIGGER trap BEFORE INSERT ON safe_ledger_part FOR EACH ROW EXECUTE FUNCTION trap()"
    )
    grow(48)
    with pytest.raises(InputError, match="trigger trap"):
        append(server)


def test_of_two_runs_at_once_one_ends(server, grow):
    """The second run has a snapshot from before the first was committed."""
    grow(24)
    append(server)
    grow(48)
    with psycopg.connect(server.url_of("postgres")) as other:
        text = 'SELECT PG_ADVISORY_XACT_LOCK(HASHTEXTEXTENDED(\'setveil "public"."safe"\', 0))'
        other.execute(text)
        with pytest.raises(DatabaseError, match="another run appends") as error:
            append(server)
        assert error.value.exit_code == 4
    with psycopg.connect(server.url_of("postgres")) as other:
        other.execute("INSERT INTO safe_ledger_sum SELECT MAX(number) + 1, '' FROM safe_ledger_sum")
        other.execute("SET lock_timeout = '5s'")
    with pytest.raises(SetveilError):
        append(server)


@pytest.mark.slow
def test_runs_are_killed_at_random_moments(server, grow):
    """Never half a slice, none that the ledger does not know, and nothing twice."""
    assert kills_at_random_moments(server, grow, 20, seed=5).in_time > 2


def kills_at_random_moments(server, grow, times, *, seed):
    seen = set()

    def held():
        found = server.connection.execute("SELECT DISTINCT slice, tid FROM safe").fetchall()
        known = server.connection.execute(
            "SELECT a.slice, p.key::INT FROM safe_ledger_part AS p "
            "JOIN safe_ledger_attempt AS a ON a.attempt = p.attempt AND a.event = 'done'"
        ).fetchall()
        assert sorted(found) == sorted(known)
        assert len({key for _, key in found}) == len(found)
        assert seen <= set(found)
        seen.update(found)
        return len({number for number, _ in found})

    given = (server.url_of("postgres"), PROMISE)
    killed = kills.kill_often(kills.append, given, times, seed=seed, grow=grow, held=held)
    rows = server.connection.execute("SELECT COUNT(DISTINCT tid) FROM src").fetchone()
    assert rows == (len(seen),)
    return killed


@pytest.mark.parametrize("model", ["coherence", "permutation"])
def test_a_slice_is_replayed_from_its_trail(server, grow, tmp_path, model):
    promise = PROMISE if model == "coherence" else {"sensitive": ["milk"], "degree": 2}
    for number in (24, 48):
        grow(number)
        append(server, model, trail=tmp_path / "{slice}.sql", **promise)
    for number in (1, 2):
        found = setveil.replay(tmp_path / f"{number:06}.sql", database=server.url)
        assert found.same and found.holds, number
    server.connection.execute("UPDATE safe SET item = 'x' WHERE tid = 101")
    assert not setveil.replay(tmp_path / "000001.sql", database=server.url).same
    assert setveil.replay(tmp_path / "000002.sql", database=server.url).same


def test_a_release_beside_a_target_is_noted(server, grow, tmp_path):
    grow(24)
    append(server)
    server.connection.execute("CREATE TABLE safe2_ledger_attempt (source INT)")  # none of ours
    notes = []
    for name, said in (("src", 1), ("SELECT tid, item FROM src", 0)):
        with setveil.read(name, database=server.url_of("postgres"), note=notes.append) as baskets:
            release = setveil.coherence(baskets, k=2, p=1)
            release.write(tmp_path / f"{said}.parquet")
            release.write_table(f"safe_whole_{said}")
        assert len([one for one in notes if "the ledger safe_ledger is of a target" in one]) == said
        notes.clear()


def test_a_forged_trail_names_no_other_ledger(server, grow, tmp_path):
    grow(24)
    append(server, trail=tmp_path / "a.sql", **PROMISE)
    text = (tmp_path / "a.sql").read_text()
    for named in ('"public"."src"', '"public"."other_ledger_part"', '"pg_catalog"."pg_authid"'):
        forged = text.replace('"public"."safe_ledger_part"', named)
        assert forged != text
        (tmp_path / "forged.sql").write_text(forged)
        with pytest.raises(InputError, match="is not as setveil wrote it"):
            setveil.replay(tmp_path / "forged.sql", database=server.url)
