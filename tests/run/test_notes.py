"""Notes on safety and errors, told where a job reads them: in JSON, and on stderr always."""

import json
import os
import signal
import subprocess
import sys

import duckdb
import pytest

import setveil
from calls import CALLS, shop
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.notes import KEPT, NOT_JUDGED, NOT_JUDGED_TOGETHER, ORDERED
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


@pytest.fixture
def visits(tmp_path, monkeypatch):
    """Transactions with columns that an intruder would look at first."""
    monkeypatch.chdir(tmp_path)
    duckdb.sql(
        """
        COPY (
            SELECT t.range AS tid, i.item AS item, 'town ' || t.range % 2 AS town,
                'N' || t.range AS receipt, 'card ' || t.range // 3 AS card,
                DATE '2024-01-01' + CAST(t.range % 4 AS INT) AS day,
                'shelf ' || t.range % 7 AS shelf, 'till ' || t.range // 60 AS till,
                'row ' || t.range // 7 % 7 AS line,
                CASE WHEN t.range % 100 = 7 THEN 'rare' ELSE 'usual' END AS paid
            FROM RANGE(400) AS t, (VALUES ('bread'), ('milk')) AS i(item)
        ) TO 'visits.parquet'
        """
    )
    return tmp_path


HEAD = "--carry: the column "
DANGERS = {
    "receipt": "'receipt' singles out 100.00% of the transactions",
    "card": "'card' may name persons, and singles out 100.00% of the transactions",
    "day": "'day' tells when",
    "paid": "'paid' singles out 1.00% of the transactions",
}


@pytest.mark.parametrize("model", ["coherence", "uncertainty", "hiding", "rename"])
def test_all_columns_that_an_intruder_would_use_are_named(visits, capsys, model):
    """Unique, nearly so, of persons, of time, or rare: each by its name and what it does."""
    (visits / "patterns.txt").write_text("bread,milk\n")
    (visits / "private.txt").write_text("milk\n")
    command = [model, "visits.parquet", *MODELS[model].split(), "--out", "safe.parquet"]
    assert run([*command, "--carry", "all", "--json", "--quiet"]) == 0
    printed = capsys.readouterr()
    told = [one for one in json.loads(printed.out)["notes"] if one.startswith(HEAD)]
    assert told == [HEAD + one for one in DANGERS.values()]
    assert all(f"note: {one}\n" in printed.err for one in told)


@pytest.mark.parametrize(
    ("carry", "told"),
    [
        ("town,till", []),
        ("shelf,till", []),
        ("shelf,till,line", ["--carry: together the carried columns single out 100.00% of the "
                             "transactions"]),
        ("town,day", [HEAD + DANGERS["day"]]),
        ("paid", [HEAD + DANGERS["paid"]]),
    ],
)  # fmt: skip
def test_harmless_columns_can_find_people_together(visits, capsys, carry, told):
    command = "coherence visits.parquet --k 2 --p 1 --out safe.csv".split()
    assert run([*command, "--carry", carry]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [one for one in lines if "--carry: " in one] == [f"note: {one}" for one in told]


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


# What a promise leaves readable, and what no verdict covers

READABLE = {
    **{name: CALLS[name].promise for name in ("coherence", "uncertainty", "permutation")},
    "k-anonymity": "--k 3 --private private.txt",
}


@pytest.mark.few(2)
@pytest.mark.parametrize("model", READABLE)
def test_protected_items_that_stay_readable_are_noted_wherever_it_is_judged(
    tmp_path, monkeypatch, capsys, model
):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    told, words = REGISTRY[model].readable, READABLE[model].split()
    assert told is not None and "published by name" in told
    out = "safe" if REGISTRY[model].in_parts else "safe.parquet"
    for command in (
        [model, "shop.parquet", *words, *CALLS[model].method.split(), "--out", out,
         "--trail", "t.sql", "--quiet"],
        ["verify", model, out, *words, "--quiet"],
        ["compare", "shop.parquet", out, "--verify", model, *words, "--quiet"],
        ["replay", "t.sql"],
    ):  # fmt: skip
        assert run([*command, "--json"]) == 0, command
        printed = capsys.readouterr()
        assert told in json.loads(printed.out)["notes"], command
        assert f"note: {told}\n" in printed.err, command


def test_where_no_item_is_private_nothing_is_said_of_them(sales, capsys):
    assert run(["coherence", "sales.parquet", "--k", "2", "--p", "1", "--out", "s.csv"]) == 0
    assert "published by name" not in capsys.readouterr().err


def test_a_verdict_says_what_no_verdict_covers(sales, capsys):
    duckdb.sql("COPY (SELECT tid, item FROM 'sales.parquet') TO 'plain.parquet'")
    for command, limits in (
        ("verify coherence plain.parquet --k 2 --p 1", NOT_JUDGED),
        ("verify uncertainty plain.parquet --sensitive private.txt --rho 1", NOT_JUDGED),
        ("verify k-anonymity plain.parquet --k 2", NOT_JUDGED),
        ("verify km-anonymity plain.parquet --k 2 --m 1", NOT_JUDGED),
        ("verify hiding plain.parquet --original plain.parquet --patterns patterns.txt --psi 1",
         NOT_JUDGED),
        ("compare plain.parquet plain.parquet --verify coherence --k 2 --p 1", NOT_JUDGED),
        ("verify coherence --history plain.parquet plain.parquet --k 2 --p 1", NOT_JUDGED_TOGETHER),
    ):  # fmt: skip
        assert run([*command.split(), "--json", "--quiet"]) == 0, command
        printed = capsys.readouterr()
        assert json.loads(printed.out)["notes"].count(limits) == 1, command
        assert f"note: {limits}\n" in printed.err, command
    assert run("verify coherence plain.parquet --k 2 --p 1 --query".split()) == 0
    assert f"note: {NOT_JUDGED}\n" in capsys.readouterr().err
