"""Slices on Spark: those of DuckDB row for row, a partition each, with a ledger beside them."""

from __future__ import annotations

import pytest

import kills
import setveil
from runs import rows_of
from setveil.backends.spark.runs import _here
from setveil.errors import DatabaseError, InputError
from slices_on_servers import (
    MODELS,
    PROMISE,
    assert_ledger_is_key,
    in_file,
    parts,
    promise_of,
    rows,
)

pytestmark = pytest.mark.only_on("spark", "connect", reason="a server's own")

COLUMNS = {"tid": "INTEGER", "item": "VARCHAR", "person": "VARCHAR"}


def grow(server, tmp_path, number):
    """The source with so many transactions, on Spark and in a file."""
    server.put("src", COLUMNS, rows(number))
    in_file(tmp_path, number)


def append(server, model="coherence", **options):
    return setveil.append("src", "safe", model, database=server.url, **(options or PROMISE))


ALWAYS = ("coherence",)  # in CI too: a slice takes half a minute there


def same(server, table, files):
    """Are the rows of a table on Spark those of files?"""
    names = [name for name, *_ in rows_of("DESCRIBE FROM READ_PARQUET($1)", files)]
    shown = ", ".join(f'"{one}"' for one in names)
    wanted = rows_of(f"SELECT {shown} FROM READ_PARQUET($1)", files)  # noqa: S608
    ticked = ", ".join(f"`{one}`" for one in names)
    found = server.sql(f"SELECT {ticked} FROM default.{table}")  # noqa: S608
    return sorted(map(repr, found)) == sorted(map(repr, wanted)) and wanted


@pytest.mark.parametrize(
    "model",
    [pytest.param(one, marks=pytest.mark.everywhere) if one in ALWAYS else one for one in MODELS],
)
def test_slices_are_those_of_duckdb(server, tmp_path, model):
    given = promise_of(model, tmp_path)
    for number in (24, 26, 48) if model == "coherence" else (24, 48):
        grow(server, tmp_path, number)
        found = append(server, model, **given)
        other = setveil.append(tmp_path / "s.parquet", tmp_path / "safe", model, **given)
        assert (found.slice, found.waiting) == (other.slice, other.waiting)
    assert append(server, model, **given).slice is None
    for table, files in parts(model).items():
        assert same(server, table, f"{tmp_path}/safe/{files}")
    assert not [one for one in server.tables() if "staged" in one or "lock" in one]


def test_the_ledger_is_the_key_of_its_slices(server, tmp_path):
    grow(server, tmp_path, 24)
    assert_ledger_is_key(append, server)


def test_a_slice_whose_run_was_ended_is_completed(server, tmp_path, monkeypatch):
    """The intent is in the ledger, and the partition is half written."""
    grow(server, tmp_path, 24)
    append(server)
    grow(server, tmp_path, 48)
    from setveil.backends.spark.appending import Appending  # pyspark is not always installed

    whole = Appending.overwrite

    def half(run, places, number):
        whole(run, places, number)
        rows = "SELECT tid, item FROM default.safe_ledger_staged WHERE tid < 130"
        place = f"default.safe PARTITION (slice = {number})"
        run.execute("half", f"INSERT OVERWRITE {place} {rows}")
        raise KeyboardInterrupt

    monkeypatch.setattr(Appending, "overwrite", half)
    with pytest.raises(KeyboardInterrupt):
        append(server)
    monkeypatch.undo()
    notes = []
    done = append(server, **PROMISE, note=notes.append)
    assert done.slice is None
    assert any("slice 2 of safe was written by a run that was ended" in one for one in notes)
    counts = server.sql("SELECT slice, COUNT(DISTINCT tid) FROM default.safe GROUP BY 1 ORDER BY 1")
    assert counts == [(1, 24), (2, 24)]


def test_what_a_killed_run_wrote_without_a_digest_is_never_read(server, tmp_path):
    grow(server, tmp_path, 24)
    append(server)
    server.sql("INSERT INTO default.safe_ledger_part VALUES ('130', 9, '130', '1', NULL, 'x')")
    grow(server, tmp_path, 48)
    assert append(server).released == 24
    server.sql("INSERT INTO default.safe_ledger_part SELECT '130', 9, '130', '1', NULL, written "
        "FROM default.safe_ledger_sum WHERE number = 2")  # fmt: skip
    with pytest.raises(InputError, match="was altered"):
        append(server)


def test_a_second_run_ends_at_once_unless_the_first_was_killed(server, tmp_path):
    grow(server, tmp_path, 24)
    made = "CREATE TABLE default.safe_ledger_lock (run STRING) TBLPROPERTIES ('setveil.run' = '{}')"
    server.sql(made.format("setveil_0123456789ab_7_1_1"))  # of another machine
    with pytest.raises(DatabaseError, match="another run appends"):
        append(server)
    server.sql("DROP TABLE default.safe_ledger_lock")
    server.sql(made.format(f"setveil_{_here()}_{2**22 + 1}_1_1"))  # no process has that number
    assert append(server).slice == 1
    assert "safe_ledger_lock" not in server.tables()


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("DROP TABLE default.safe_ledger_part", "safe_ledger_part is missing"),
        ("INSERT INTO default.safe VALUES (1, 'x', 1)", "slice 1 of safe was changed"),
        ("INSERT INTO default.safe VALUES (1, 'x', 7)", "slice 7 of safe is not in its ledger"),
        ("ALTER TABLE default.safe DROP PARTITION (slice = 1)", "slice 1 of safe is missing"),
    ],
)
def test_a_target_or_ledger_that_was_changed_is_refused(server, tmp_path, deed, said):
    grow(server, tmp_path, 24)
    append(server)
    server.sql(deed)
    with pytest.raises(InputError, match=said):
        append(server)


@pytest.mark.slow
@pytest.mark.only_on("connect", reason="runs in processes of their own need a server")
def test_runs_are_killed_at_random_moments(server, tmp_path):
    """What the ledger knows stays, and nothing is there twice; at last it knows all."""
    killed_at_random_moments(server, tmp_path, 3, seed=6)


def killed_at_random_moments(server, tmp_path, times, *, seed):
    seen = set()

    def released():
        if not {"safe", "safe_ledger_sum"} <= set(server.tables()):
            return set(), set()
        for name in ("safe", "safe_ledger_part", "safe_ledger_attempt", "safe_ledger_sum"):
            server.sql(f"REFRESH TABLE default.{name}")  # this session keeps lists of files
        rows = server.sql("SELECT DISTINCT slice, tid FROM default.safe")
        known = server.sql(
            "SELECT a.slice, INT(p.key) FROM default.safe_ledger_part AS p "
            "JOIN default.safe_ledger_attempt AS a ON a.attempt = p.attempt AND a.event = 'done' "
            "WHERE p.written IN (SELECT written FROM default.safe_ledger_sum) "
            "AND a.written IN (SELECT written FROM default.safe_ledger_sum)"
        )
        assert len({key for _, key in rows}) == len(rows)
        return set(rows), set(known)

    def held():
        found, known = released()
        assert seen <= known <= found
        seen.update(known)
        return len({number for number, _ in found})

    killed = kills.kill_often(
        kills.append, (server.url, PROMISE), times, seed=seed,
        grow=lambda number: grow(server, tmp_path, number), held=held,
    )  # fmt: skip
    found, known = released()
    assert found == known
    assert {key for _, key in found} == set(range(100, 100 + len(found)))
    assert len(found) == len({tid for tid, *_ in server.sql("SELECT tid FROM default.src")})
    return killed


def test_what_is_erased_leaves_the_partition(server, tmp_path):
    grow(server, tmp_path, 24)
    append(server)
    setveil.append(tmp_path / "s.parquet", tmp_path / "safe", "coherence", **PROMISE)
    for place, more in (("safe", {"database": server.url}), (tmp_path / "safe", {})):
        source = "src" if more else tmp_path / "s.parquet"
        done = setveil.append(source, place, "coherence", erase=[104, 116], **PROMISE, **more)
        assert done.erased == 2
    assert same(server, "safe", f"{tmp_path}/safe/*.parquet")
    assert append(server).slice is None
