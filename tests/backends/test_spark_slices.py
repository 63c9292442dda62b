"""Slices on Spark: those of DuckDB row for row, a partition each, with a ledger beside them."""

from __future__ import annotations

import duckdb
import pytest

import setveil
from runs import parquet, rows_of
from setveil.backends.spark.runs import _here
from setveil.errors import DatabaseError, InputError

pytestmark = pytest.mark.only_on("spark", "connect", reason="a server's own")

ITEMS = (("beer", 2), ("bread", 1), ("milk", 3), ("tempeh", 23))
PROMISE = {"private": "where:name = 'milk'", "h": "0.6", "k": 3, "p": 2}
TREE = """
    SELECT *
    FROM (
        VALUES ('beer', 'drink'), ('milk', 'drink'), ('bread', 'food'), ('tempeh', 'food')
    ) AS h(item, level1)
"""
COLUMNS = {"tid": "INTEGER", "item": "VARCHAR", "person": "VARCHAR"}


def rows(number):
    return [(100 + t, item, f"p{t % 23}") for t in range(number) for item, n in ITEMS if t % n == 0]


def grow(server, tmp_path, number):
    """The source with so many transactions, on Spark and in a file."""
    server.put("src", COLUMNS, rows(number))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INT, item VARCHAR, person VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows(number))
        connection.execute(f"COPY t TO '{tmp_path}/s.parquet' (FORMAT parquet)")


def append(server, model="coherence", **options):
    return setveil.append("src", "safe", model, database=server.url, **(options or PROMISE))


# Of each model: its promise, and the columns of its rows
MODELS = {
    "coherence": PROMISE,
    "km-anonymity": {"k": 3, "m": 2},
    "k-anonymity": {"k": 3},
    "uncertainty": {"sensitive": "where:name = 'milk'", "rho": "0.5"},
    "hiding": {"patterns": "patterns.txt", "psi": "0.2"},
    "permutation": {"sensitive": ["milk"], "degree": 2},
}
ALWAYS = ("coherence",)  # in CI too: a slice takes half a minute there


def promise_of(model, folder):
    (folder / "patterns.txt").write_text("bread,milk\n")
    tree = {"hierarchy": parquet(folder / "tree.parquet", TREE)} if "anonymity" in model else {}
    given = MODELS[model] | tree
    return given | ({"patterns": folder / "patterns.txt"} if model == "hiding" else {})


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
    if model == "permutation":
        assert same(server, "safe", f"{tmp_path}/safe/slice-*/transactions.parquet")
        assert same(server, "safe_sensitive", f"{tmp_path}/safe/slice-*/sensitive.parquet")
    else:
        assert same(server, "safe", f"{tmp_path}/safe/*.parquet")
    assert not [one for one in server.tables() if "staged" in one or "lock" in one]


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
