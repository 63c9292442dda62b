"""A trail makes the same release again, on nothing but DuckDB, and tells when it does not."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys

import duckdb
import pytest

import setveil
from runs import suppress
from setveil.cli.main import run as command
from setveil.errors import InputError, SetveilError, UnkeptError
from setveil.trail.render import CONFIDENTIAL

SECRET = "Rx Hepatitis o'Hara"
QUERY = f"""
    SELECT range // 5 AS tid, CASE WHEN range % 17 = 3 THEN '{SECRET.replace("'", "''")}'
        ELSE 'i' || (range * 7919 % 23) END AS item
    FROM RANGE(400)
"""  # noqa: S608
FORMS = {
    "parquet": ("a.parquet", {}, "b.parquet"),
    "csv": ("a.csv", {}, "b.csv"),
    "glob": ("[ab].csv", {}, "b.tsv"),
    "list": ("l.parquet", {}, "b.parquet"),
    "basket": ("a.basket", {}, "b.dat.basket"),
    "table": ("t", {"database": "a.duckdb"}, "b.parquet"),
    "query": ("SELECT *\n  FROM t -- all", {"database": "a.duckdb"}, "b.csv"),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute(f"CREATE TABLE t AS {QUERY}")
        lists = "SELECT LIST(item ORDER BY item) AS item FROM t GROUP BY tid ORDER BY tid"
        for name in ("a.parquet", "a.csv"):
            connection.execute(f"COPY t TO '{folder / name}'")
        connection.execute(f"COPY ({lists}) TO '{folder / 'l.parquet'}'")
        lines = connection.execute(lists).fetchall()
    (folder / "a.basket").write_text("".join(",".join(line) + "\n" for (line,) in lines))
    return folder


@pytest.fixture
def folder(data, tmp_path, monkeypatch):
    """A place of one's own with the same data."""
    for path in data.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(form, trail="t.sql", folder="."):
    """A run with a private item given by name; what it wrote."""
    source, options, out = FORMS[form]
    out = os.path.normpath(f"{folder}/{out}")
    source = f"{folder}/{source}" if not options else source
    options = {key: f"{folder}/{value}" for key, value in options.items()}
    with setveil.read(source, **options) as baskets:
        release = setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2)
        assert release.metrics.suppressed_items
        release.write(out, trail=trail)
    return out


@pytest.mark.few(2)
@pytest.mark.parametrize("form", FORMS)
def test_replay_makes_the_same_bytes(folder, form):
    out = run(form)
    before = (folder / out).read_bytes()
    again = {"source": FORMS[form][0]} if form == "query" else {}
    found = setveil.replay("t.sql", **again)
    assert found.same and found.expected == found.found and found.release == out
    assert found.holds and found.promise[0] == "promised: coherence, h = 3/5, k = 3, p = 2"
    assert (folder / out).read_bytes() == before
    assert not list(folder.glob("*.wal"))


ALONE = """
import duckdb, os, sys
os.chdir(sys.argv[1])
duckdb.connect().execute(open(sys.argv[2], encoding="utf-8", newline="").read())
assert "setveil" not in sys.modules and "sqlglot" not in sys.modules
"""


@pytest.mark.few(2)
@pytest.mark.parametrize("form", FORMS)
def test_a_trail_needs_nothing_but_duckdb(folder, tmp_path_factory, form):
    """It makes the release where there is none, from absolute names in any folder."""
    out = run(form, folder=str(folder))
    before = (folder / out).read_bytes()
    (folder / out).unlink()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-I", "-c", ALONE, str(elsewhere), str(folder / "t.sql")]
    subprocess.run(command, check=True)
    assert (folder / out).read_bytes() == before
    assert not list(elsewhere.iterdir())


def test_a_trail_is_confidential(folder):
    run("parquet")
    assert stat.S_IMODE((folder / "t.sql").stat().st_mode) == 0o600
    assert (folder / "t.sql").read_text().split("\n")[0] == CONFIDENTIAL


def test_a_trail_names_listed_items_in_its_head_alone(folder):
    run("csv")
    head, _, text = (folder / "t.sql").read_text().partition("\n\n")
    assert f'"names": ["{SECRET}"]' in head
    names = duckdb.execute("SELECT DISTINCT item FROM READ_CSV('a.csv')").fetchall()
    assert len(names) == 24
    assert not [name for (name,) in names if f"'{name}'" in text or name == SECRET and name in text]
    assert "Hepatitis" not in text


NOTHING = r"(?:% 1|\* 1|// 1|\+ 0|- 0|<< 0)(?![\d.])|(?<![\w.])(?:1 \*|0 \+)|AND \d+ <=? \d+"


@pytest.mark.few(1)
@pytest.mark.parametrize("model", ["coherence", "uncertainty", "uncertainty global"])
def test_no_term_of_a_trail_is_without_effect(folder, model):
    """Neither x % 1 nor x + 0, nor a condition on two numbers: a reader would look for a sense."""
    with setveil.read("a.csv") as baskets:
        method = "global" if model.endswith("global") else "partial"
        release = (
            setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2)
            if model == "coherence"
            else setveil.uncertainty(baskets, sensitive=[SECRET], rho="0.3", method=method)
        )
        release.write("r.csv", trail="t.sql")
    statements = "\n".join(
        line for line in (folder / "t.sql").read_text().split("\n") if not line.startswith("--")
    )
    assert not re.findall(NOTHING, statements)


def test_a_long_trail_has_chapters_and_names_its_numbers(folder):
    with setveil.read("a.csv") as baskets:
        setveil.uncertainty(baskets, sensitive=[SECRET], rho="0.3").write("r.csv", trail="t.sql")
    text = (folder / "t.sql").read_text()
    chapters = re.findall("^-- ----- (\\w+)", text, re.MULTILINE)
    made = [one for one in chapters if one not in ("round", "pass")]
    assert made[:5] == ["codes", "sets", "guarded", "elsewhere", "lost"]
    rounds = re.findall("^-- ----- round (\\d+)", text, re.MULTILINE)
    assert rounds == [str(n) for n in range(1, len(rounds) + 1)] and rounds
    head = text.partition("\n\n")[0]
    assert "--   rho is 3/10: `part * 10 > 3 * whole` finds larger shares" in head
    assert "--   2654435761 is the prime" in head and "--   2147483647 is" in head
    assert setveil.replay("t.sql").same


# Of each command on `a.csv`, the chapters that its trail must have, in order.
OUTLINES = {
    "coherence --k 3 --p 2": "items, moles of size 1, larger itemsets, moles of size 2, choice, "
    "cells, sets of size 1",
    "k-anonymity --k 3 --fanout 3": "hierarchy, branches, partitions, round 1, result, twins",
    "k-anonymity --k 3 --fanout 3 --refine": "refinement, refined round 1, choice, result, twins",
    "km-anonymity --k 3 --m 2 --fanout 3": "hierarchy, nodes, cut 1, result, cells, sets of size 1",
    "hiding --patterns p.txt": "patterns, choice, suppressed, cells, patterns kept, changes",
    "itemsets --min-support 10 --rules --min-confidence 0.1": "itemsets of size 1, "
    "itemsets of size 2, rules",
    "reidentify --itemsets i.parquet --min-support 10": "published, renamed data, pairs, "
    "pruning 1, program, names",
}


@pytest.mark.few(1)
@pytest.mark.parametrize("line", OUTLINES)
def test_every_long_trail_can_be_followed_by_its_chapters(folder, line):
    (folder / "p.txt").write_text("i0,i1\n")
    name, *options = line.split()
    if name == "reidentify":
        assert command(["itemsets", "a.csv", "--min-support", "10", "--out", "i.parquet"]) == 0
    release = ["--out", "r.parquet", "--trail", "t.sql"]
    assert command([name, "a.csv", *options, *release]) == 0
    text = (folder / "t.sql").read_text()
    chapters = re.findall("^-- ----- (.*?): .* -----$", text, re.MULTILINE)
    place = iter(chapters)
    assert all(one in place for one in OUTLINES[line].split(", ")), chapters
    repeated = [one for one, after in zip(chapters, chapters[1:], strict=False) if one == after]
    assert not repeated


def test_a_choice_stands_below_the_heading_of_its_chapter(folder):
    assert (
        command(["itemsets", "a.csv", "--min-support", "9", "--out", "r.csv", "--trail", "t.sql"])
        == 0
    )
    text = (folder / "t.sql").read_text()
    assert text.index("----- itemsets of size 2") < text.index("-- remark: itemsets of 2")


def test_a_trail_explains_the_number_that_packs_two_and_counts_rows(folder):
    """A step that is read as arrays has as many rows as each of them, not as there are columns."""
    with setveil.read("a.csv") as baskets:
        items = baskets.items
        setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2).write(
            "r.csv", trail="t.sql"
        )
    text = (folder / "t.sql").read_text()
    assert f"--   {items} packs two numbers into one" in text.partition("\n\n")[0]
    counted = re.search(r"^-- supports: .*\n-- (\d+) rows", text, re.MULTILINE)
    assert counted and int(counted[1]) == items


def test_a_trail_that_is_redacted_names_nothing(folder):
    with setveil.read("a.csv") as baskets:
        release = setveil.coherence(baskets, private="where:name LIKE 'Rx %'", h="0.6", k=3, p=2)
        release.write("b.csv", trail="t.sql", redact=True)
    text = (folder / "t.sql").read_text()
    assert "Rx" not in text and '\n-- private: {"number": 1, "sha256": "' in text
    with pytest.raises(InputError, match="does not name its private items"):
        setveil.replay("t.sql")
    with pytest.raises(InputError, match="other private items than the run had"):
        setveil.replay("t.sql", private=["i1"])
    (folder / "names.txt").write_text(f"{SECRET}\n")
    for given in ([SECRET], "names.txt"):
        found = setveil.replay("t.sql", private=given)
        assert found.same and found.holds


def test_a_trail_holds_the_condition_that_the_caller_wrote(folder):
    with setveil.read("a.csv") as baskets:
        release = setveil.coherence(baskets, private="where:name LIKE 'Rx %'", h="0.6", k=3, p=2)
        release.write("b.csv", trail="t.sql")
    assert "Rx %" in (folder / "t.sql").read_text()
    assert setveil.replay("t.sql").same


def test_a_trail_of_the_second_copy_tells_of_that_alone(folder):
    with setveil.read("t", database="a.duckdb") as baskets:
        release = suppress(baskets, ["i1"])
        release.write("b.parquet", trail="b.sql")
        release.write_table("safe", trail="t.sql")
        release.write("c.csv", trail="c.sql")
        release.write_table("safer", trail="u.sql")
    for name, table in (("b", False), ("t", True), ("c", False), ("u", True)):
        found = setveil.replay(f"{name}.sql")
        assert found.same
        published = (folder / f"{name}.sql").read_text().count("-- publish:")
        assert published == (3 if table else 1)


# Copies elsewhere


def test_copies_can_be_named(folder):
    run("csv")
    for name in ("a.csv", "b.csv"):
        (folder / name).rename(folder / f"moved[1] {name}")
    with pytest.raises(InputError, match="its release 'b.csv'"):
        setveil.replay("t.sql")
    with pytest.raises(InputError, match="its source .* is not there"):
        setveil.replay("t.sql", release="moved[1] b.csv")
    found = setveil.replay("t.sql", release="moved[1] b.csv", source="moved[1] a.csv")
    assert found.same


def test_a_copy_of_what_was_read_beside_the_source_can_be_named(folder):
    assert command(["hierarchy", "a.parquet", "--fanout", "4", "--out", "h.csv"]) == 0
    with setveil.read("a.parquet") as baskets:
        setveil.km_anonymity(baskets, hierarchy="h.csv", k=3, m=2).write("b.parquet", trail="t.sql")
    (folder / "h.csv").rename(folder / "moved[1].csv")
    with pytest.raises(InputError, match="h.csv"):
        setveil.replay("t.sql")
    assert setveil.replay("t.sql", hierarchy="moved[1].csv").same
    with pytest.raises(InputError, match="no file of itemsets"):
        setveil.replay("t.sql", itemsets="moved[1].csv")


def test_the_steps_of_the_checker_are_counted(folder):
    run("parquet")
    found = setveil.replay("t.sql")
    assert 0 < found.checks < found.statements
    assert found.checks == sum(
        line.startswith("-- check_") for line in (folder / "t.sql").read_text().splitlines()
    )


def test_a_copy_of_a_database_can_be_named(folder):
    run("table")
    (folder / "a.duckdb").rename(folder / "moved.duckdb")
    with pytest.raises(InputError, match="its input has changed"):
        setveil.replay("t.sql")
    assert setveil.replay("t.sql", database="moved.duckdb").same


def test_what_is_made_can_be_kept_but_replaces_nothing(folder):
    out = run("csv")
    setveil.replay("t.sql", out="again.csv")
    assert (folder / "again.csv").read_bytes() == (folder / out).read_bytes()
    (folder / out).write_text("tampered")
    for name in (out, "again.csv"):
        with pytest.raises(InputError, match="exists"):
            setveil.replay("t.sql", out=name)
    assert (folder / out).read_text() == "tampered"


# What is not as it was


def test_a_tampered_release_is_not_the_same(folder):
    out = run("csv")
    text = (folder / out).read_text()
    for tampered in (text.replace("i", "j", 1), text + "9,x\n", ""):
        (folder / out).write_text(tampered)
        assert not setveil.replay("t.sql").same


def test_a_changed_input_is_not_the_same(folder):
    run("csv")
    with (folder / "a.csv").open("a") as file:
        file.write("1,i1\n1,i2\n1,i3\n1,i4\n1,i5\n")
    with pytest.raises(InputError, match="this source is not the input of the run"):
        setveil.replay("t.sql")


def test_a_changed_table_is_not_the_same(folder):
    run("table")
    with duckdb.connect("a.duckdb") as connection:
        connection.execute("INSERT INTO t FROM (VALUES (1, 'i1'), (1, 'i2'), (1, 'i3'), (1, 'i4'))")
    with pytest.raises(UnkeptError, match=REFUSED):
        setveil.replay("t.sql")


REFUSED = (
    r"^t\.sql: its statement check_verdict refuses the release made from the present input: "
    r"\d+ faults: the release does not keep its promise$"
)
TAMPERED = [
    (lambda text: text.replace("FROM source AS s\nJOIN", "FROM source AS s\nSEMI JOIN"), "fails"),
    (lambda text: text[: text.rindex("COPY")], "writes no release"),
    (lambda text: text + "DELETE FROM release;", "not as setveil wrote it"),  # noqa: S608
    (lambda text: text + "COPY release TO 'b.csv';", "not as setveil wrote it"),
    (lambda text: text.replace("USE run", "INSTALL httpfs"), "not as setveil wrote it"),
    (lambda text: text.replace("USE run", "ATTACH 'b.duckdb'"), "not as setveil wrote it"),
    (lambda text: text.replace("SET VARIABLE release", "set variable RELEASE"), "not as setveil"),
    (lambda text: text.replace(CONFIDENTIAL, "-- public"), "is no trail of setveil"),
    (lambda text: text.replace("CREATE TABLE label", "CREATE TABLE ("), "not as setveil wrote it"),
    (lambda text: "", "is no trail of setveil"),
    (lambda text: CONFIDENTIAL, "is no trail of setveil"),
    (lambda text: f"{CONFIDENTIAL}\n\udce9", "it is not text"),
]


@pytest.mark.few(3)
@pytest.mark.parametrize("number", range(len(TAMPERED)))
def test_a_tampered_trail_is_told(folder, number):
    tamper, said = TAMPERED[number]
    out = run("csv")
    before = (folder / out).read_bytes()
    text = (folder / "t.sql").read_text()
    tampered = tamper(text)
    assert tampered != text
    (folder / "t.sql").write_bytes(tampered.encode(errors="surrogateescape"))
    with pytest.raises(SetveilError) as failed:
        assert setveil.replay("t.sql").same
    if said != "fails":
        assert said in str(failed.value)
    assert "\n" not in str(failed.value)
    assert (folder / out).read_bytes() == before
    assert not (folder / "b.duckdb").exists()


def test_a_tampered_decision_is_not_the_same(folder):
    """A suppressed item less: what comes out is not the release."""
    run("csv")
    text = (folder / "t.sql").read_text()
    head, made, tail = text.partition("CREATE TABLE suppressed_item AS")
    first = tail.index("(", tail.index("VALUES") + 8)
    close = tail.index(")", first)
    (folder / "t.sql").write_text(f"{head}{made}{tail[:first]}(99999{tail[close:]}")
    with pytest.raises(UnkeptError, match=REFUSED):
        setveil.replay("t.sql")


def test_a_run_on_no_server_is_replayed_on_none(folder):
    run("csv")
    with pytest.raises(InputError, match="reads no database: leave database= out"):
        setveil.replay("t.sql", database="postgres://localhost/shop")


def test_a_missing_trail(folder):
    for name in ("none.sql", "."):
        with pytest.raises(InputError, match="no such file"):
            setveil.replay(name)


# Tables


def test_a_table_is_compared_where_it_is(folder):
    with setveil.read("t", database="a.duckdb") as baskets:
        suppress(baskets, ["i1"]).write_table('sa"fe', trail="t.sql")
    before = (folder / "a.duckdb").read_bytes()
    with duckdb.connect("a.duckdb", read_only=True):  # nobody can write to it now
        found = setveil.replay("t.sql")
    assert found.same and found.release == 'sa"fe'
    assert (folder / "a.duckdb").read_bytes() == before
    with pytest.raises(InputError, match="made a table: leave out release="):
        setveil.replay("t.sql", out="b.csv")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM safe WHERE item = 'i2'",
        "INSERT INTO safe SELECT * FROM safe LIMIT 1",
        "UPDATE safe SET item = 'i1' WHERE item = 'i2'",
        "ALTER TABLE safe ALTER tid TYPE INTEGER",
    ],
)
def test_a_tampered_table_is_not_the_same(folder, change):
    with setveil.read("t", database="a.duckdb") as baskets:
        suppress(baskets, ["i1"]).write_table("safe", trail="t.sql")
    with duckdb.connect("a.duckdb") as connection:
        connection.execute(change)
    assert not setveil.replay("t.sql").same


def test_a_table_of_lists_is_compared(folder):
    query = "SELECT LIST(item) AS item FROM t GROUP BY tid"
    with setveil.read(query, database="a.duckdb") as baskets:
        suppress(baskets, ["i1"]).write_table("safe", trail="t.sql")
    with pytest.raises(InputError, match="give it again with source=: SELECT LIST"):
        setveil.replay("t.sql")
    assert setveil.replay("t.sql", source=query).same


def test_a_dropped_table_is_told(folder):
    with setveil.read("t", database="a.duckdb") as baskets:
        suppress(baskets, ["i1"]).write_table("safe", trail="t.sql")
    with duckdb.connect("a.duckdb") as connection:
        connection.execute("DROP TABLE safe")
    with pytest.raises(InputError, match="safe"):
        setveil.replay("t.sql")


def test_a_run_on_an_open_connection_says_where_it_can_be_run(folder):
    with duckdb.connect("a.duckdb") as connection, setveil.read(connection, "t") as baskets:
        release = suppress(baskets, ["i1"])
        release.write("b.csv", trail="b.sql")
        release.write_table("safe", trail="t.sql")
    for name in ("b.sql", "t.sql"):
        with pytest.raises(InputError, match="is of an open connection"):
            setveil.replay(name)
    with duckdb.connect("a.duckdb") as connection:
        before = (folder / "b.csv").read_bytes()
        connection.execute((folder / "b.sql").read_text())
        assert (folder / "b.csv").read_bytes() == before


def test_an_auditor_without_the_source_is_told_what_can_be_done(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    setveil.generate("orders.parquet", transactions=200, items=40)
    listed = duckdb.sql("SELECT MIN(item) FROM 'orders.parquet'").fetchall()[0][0]
    with setveil.read("orders.parquet") as baskets:
        made = setveil.coherence(baskets, k=2, p=1, h="0.4", private=[listed])
        made.write("safe.parquet", trail="audit.sql")
    (tmp_path / "orders.parquet").rename("elsewhere.parquet")
    assert command(["replay", "audit.sql"]) == 2
    said = capsys.readouterr().err
    assert "source 'orders.parquet' is not there; name a copy" in said
    (tmp_path / "private items.txt").write_text(listed)
    words = shlex.split(said.partition("the release alone by: setveil ")[2])
    assert words[:3] == ["verify", "coherence", "safe.parquet"] and words.count("LIST") == 1
    assert command([one.replace("LIST", "private items.txt") for one in words]) == 0
    assert setveil.replay("audit.sql", source="elsewhere.parquet").holds
