"""Notes on safety and errors, told where a job reads them: in JSON, and on stderr always."""

import json
import os
import signal
import subprocess
import sys

import duckdb
import pytest

import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.run.notes import KEPT, ORDERED
from setveil.run.persons import TRANSACTIONS as PERSONS

CARRIED = "published unchanged, and covered by no promise: 'store', 'a,b'"


@pytest.fixture
def sales(tmp_path, monkeypatch):
    """Six transactions of two kinds, in two stores, with columns that nobody judges."""
    monkeypatch.chdir(tmp_path)
    duckdb.sql(
        """
        COPY (
            SELECT 100 + t.range AS tid, i.item AS item, 'S' || t.range % 2 AS store,
                t.range AS "a,b", 'low' AS level
            FROM RANGE(6) AS t, (VALUES ('bread'), ('milk')) AS i(item)
        ) TO 'sales.parquet'
        """
    )
    (tmp_path / "patterns.txt").write_text("bread,milk\n")
    (tmp_path / "private.txt").write_text("milk\n")
    return tmp_path


def columns(path):
    return duckdb.sql(f"FROM '{path}'").columns


# What a model publishes, by the words of its command
MODELS = {
    "coherence": "--k 2 --p 1",
    "uncertainty": "--sensitive private.txt --rho 1",
    "hiding": "--patterns patterns.txt --psi 1",
    "k-anonymity": "--k 2 --fanout 2",
    "km-anonymity": "--k 2 --m 1 --fanout 2",
    "rename": "--key key.parquet",
}


@pytest.mark.parametrize("model", MODELS)
def test_only_transactions_and_items_are_published(sales, capsys, model):
    command = [model, "sales.parquet", *MODELS[model].split(), "--out", "safe.parquet"]
    assert run([*command, "--json", "--quiet"]) == 0
    printed = capsys.readouterr()
    own = ["level_"] if model in ("k-anonymity", "km-anonymity") else []
    assert columns("safe.parquet") == ["tid", "item", *own]
    notes = json.loads(printed.out)["notes"]
    assert KEPT in notes and (PERSONS in notes) == (model not in ("hiding", "rename"))
    assert not [one for one in notes if "covered by no promise" in one]
    assert printed.err.splitlines()[-len(notes) :] == [f"note: {one}" for one in notes]


@pytest.mark.few(4)
@pytest.mark.parametrize("model", ["coherence", "uncertainty", "hiding", "rename"])
@pytest.mark.parametrize("more", [["--json"], ["--quiet"], ["--json", "--quiet"], []])
def test_carried_columns_are_told_always(sales, capsys, model, more):
    command = [model, "sales.parquet", *MODELS[model].split(), "--out", "safe.parquet", *more]
    assert run([*command, "--carry", "store", "--carry", '"a,b"']) == 0
    printed = capsys.readouterr()
    assert columns("safe.parquet") == ["tid", "item", "store", "a,b"]
    assert printed.err.count(f"note: {CARRIED}\n") == 1
    if "--json" in more:
        assert CARRIED in json.loads(printed.out)["notes"]


@pytest.mark.parametrize(
    ("carry", "told"),
    [
        ("city", "no column 'city' to carry along; there is 'store', 'a,b', 'level'"),
        ("tid", "column 'tid' is published as a transaction or an item"),
        ("store,item", "column 'item' is published as a transaction or an item"),
        ("level", "column 'level' cannot be carried along"),
        ("all", "column 'level' cannot be carried along"),
    ],
)
def test_what_cannot_be_carried_is_refused_by_name(sales, capsys, carry, told):
    command = ["coherence", "sales.parquet", "--k", "2", "--p", "1", "--out", "safe.parquet"]
    assert run([*command, "--carry", carry]) == 2
    assert told in capsys.readouterr().err
    assert not (sales / "safe.parquet").exists()


@pytest.mark.parametrize("name", ["Slice", "group", "LEVEL"])
def test_names_that_a_release_adds_are_refused_however_they_are_written(name):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS SELECT 1 AS tid, 'a' AS item, 2 AS \"{name}\"")
        with pytest.raises(InputError, match=f"'{name}' cannot be carried along"):
            setveil.read(connection, "t", carry=[name])
        with pytest.raises(InputError, match="write \\['store'\\]"):
            setveil.read(connection, "t", carry="store")
        setveil.read(connection, "t").close()


def test_all_that_is_there_is_carried(sales):
    query = "SELECT * EXCLUDE (level) FROM 'sales.parquet'"
    with duckdb.connect() as connection, setveil.read(connection, query, carry="all") as baskets:
        release = setveil.coherence(baskets, k=2, p=1)
        assert release.relation().columns == ["tid", "item", "store", "a,b"]
        assert len(release.rows()) == 12


def test_rows_that_become_equal_are_one(tmp_path):
    """Without what told them apart they would say how often something was bought."""
    rows = "(VALUES (1, 'a', 5), (1, 'a', 6), (2, 'a', 5)) AS v(tid, item, price)"
    with duckdb.connect() as connection:
        for carry, expected in (((), 2), (("price",), 3)):
            with setveil.read(connection, f"FROM {rows}", carry=carry) as baskets:
                assert len(setveil.coherence(baskets, k=1, p=1).rows()) == expected


def test_generalized_rows_carry_nothing(sales, capsys):
    for model in ("k-anonymity", "km-anonymity"):
        command = [model, "sales.parquet", *MODELS[model].split(), "--carry", "store"]
        assert run([*command, "--out", "safe.parquet"]) == 2
        assert "'store' cannot be carried along: leave out --carry" in capsys.readouterr().err


def test_a_verdict_names_the_columns_that_it_is_not_about(sales, capsys):
    duckdb.sql("COPY (SELECT * EXCLUDE (level) FROM 'sales.parquet') TO 'plain.parquet'")
    told = "plain.parquet: no promise covers the columns 'store', 'a,b'"
    for command in (
        "verify coherence plain.parquet --k 2 --p 1",
        "verify uncertainty plain.parquet --sensitive private.txt --rho 1",
        "verify k-anonymity plain.parquet --k 2",
        "verify km-anonymity plain.parquet --k 2 --m 1",
        "verify hiding plain.parquet --original plain.parquet --patterns patterns.txt --psi 1",
        "compare plain.parquet plain.parquet",
    ):
        assert run([*command.split(), "--json", "--quiet"]) == 0, command
        printed = capsys.readouterr()
        assert told in json.loads(printed.out)["notes"], command
        assert f"note: {told}\n" in printed.err
        assert (PERSONS in printed.err) == ("hiding" not in command)


def test_every_object_has_its_notes(sales, capsys):
    """Of commands that publish nothing, too."""
    assert run(["coherence", "sales.parquet", "--k", "2", "--p", "1", "--out", "s.parquet",
                "--trail", "t.sql"]) == 0  # fmt: skip
    capsys.readouterr()
    for command, expected in (
        ("inspect sales.parquet", True),
        ("itemsets sales.parquet --min-support 2", True),
        ("hierarchy sales.parquet --fanout 2", True),
        ("sweep coherence sales.parquet --k 2,3 --p 1", True),
        ("replay t.sql", True),
        ("generate made.parquet --transactions 50 --items 20 --length 3", False),
    ):
        assert run([*command.split(), "--json"]) == 0, command
        found = json.loads(capsys.readouterr().out)["notes"]
        assert bool(found) == expected, (command, found)


def test_narration_is_silenced_and_no_note_of_safety(sales, capsys):
    command = ["coherence", "sales.parquet", "--k", "2", "--p", "1", "--h", "0.5"]
    assert run([*command, "--quiet"]) == 0
    printed = capsys.readouterr().err
    assert "nothing was written" not in printed
    assert "--private names none" in printed and PERSONS in printed
    assert run(command) == 0
    assert "nothing was written" in capsys.readouterr().err


def test_a_basket_file_shows_no_ids_but_their_order(sales, capsys):
    duckdb.sql("COPY (SELECT tid, LIST(item) AS item FROM 'sales.parquet' GROUP BY tid)"
               " TO 'lists.parquet'")  # fmt: skip
    assert run(["coherence", "lists.parquet", "--k", "2", "--p", "1", "--out", "s.dat"]) == 0
    printed = capsys.readouterr().err
    assert ORDERED in printed and KEPT not in printed


# Errors


@pytest.mark.parametrize(
    ("line", "code", "told", "hint"),
    [
        ("coherence", 2, "SOURCE", "setveil coherence --help"),
        ("nonsense", 2, "nonsense", "setveil --help"),
        ("verify nonsense", 2, "nonsense", "setveil verify --help"),
        ("coherence sales.parquet --k two --p 1", 2, "'--k'", "setveil coherence --help"),
        ("coherence sales.parquet --k 2 --p 1 --best", 2, "--best", "setveil coherence --help"),
        ("coherence gone.parquet --k 2 --p 1", 2, "gone.parquet: no such file", None),
        ("coherence sales.parquet --k 9 --p 1", 3, "fewer than k = 9", None),
        ("inspect t --database gone.duckdb", 2, "gone.duckdb", None),
        ("verify coherence sales.parquet --k 0 --p 1", 2, "not 0", None),
        ("sweep coherence sales.parquet --k 2;3 --p 1", 2, "not a list of whole numbers", None),
        ("generate sales.parquet", 2, "sales.parquet exists", None),
        ("replay sales.parquet", 2, "sales.parquet", None),
        ("coherence nulls.csv --k 2 --p 1", 2, "1 row without 'tid' (NULL)",
         "correct them, or leave them out with --drop-nulls"),
    ],
)  # fmt: skip
def test_an_error_is_an_object_too(sales, capsys, line, code, told, hint):
    (sales / "nulls.csv").write_text("tid,item\n1,a\n,b\n")
    assert run([*line.split(), "--json"]) == code
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert list(found) == ["error"] and list(found["error"]) == ["code", "message", "hint"]
    assert found["error"]["code"] == code
    assert told in found["error"]["message"] and "\n" not in found["error"]["message"]
    assert hint is None or found["error"]["hint"] == hint
    assert told in printed.err and "error: " in printed.err.lower()


@pytest.mark.few(1)
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_a_command_gets_an_object_too(tmp_path, sent):
    setveil.generate(tmp_path / "made.parquet", transactions=20_000, items=300)
    command = ["sweep", "uncertainty", "made.parquet", "--rho", "0.1,0.2,0.3,0.4", "--sensitive",
               "where:support < 900", "--json", "--quiet"]  # fmt: skip
    running = subprocess.Popen(
        [sys.executable, "-m", "setveil", *command], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stderr is not None and PERSONS in running.stderr.readline()
    os.kill(running.pid, sent)
    printed, told = running.communicate(timeout=60)
    found = json.loads(printed)["error"]
    assert running.returncode == found["code"] == 128 + sent
    assert "nothing was written" in found["message"] and found["message"] in told


def test_a_hint_is_what_to_do():
    assert InputError("a file: it is gone; name another").hint == "name another"
    assert InputError("a file: it is gone").hint is None
    assert setveil.QueryError("read", "a; b").hint is None
