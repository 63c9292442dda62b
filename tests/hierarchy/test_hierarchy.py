"""Hierarchies: read from every form, checked, built, shown and written."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

import oracles_km as oracle
import setveil
from examples import tried
from runs import parquet, rows_of
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.hierarchy.trees import read_hierarchy
from setveil.hierarchy.wordnet import wordnet_hierarchy

NODES = "SELECT node, level, label, parent, leaves FROM node ORDER BY node"
PATHS = "SELECT item, node, level FROM path ORDER BY item, level"


def nodes(baskets):
    return baskets.session.backend.rows("test", NODES)


def paths(baskets):
    return baskets.session.backend.rows("test", PATHS)


def of_one(connection, items):
    """One transaction of these items."""
    text = "CREATE OR REPLACE TABLE given AS SELECT 1 AS tid, UNNEST($1) AS item"
    connection.execute(text, [items])
    return setveil.read(connection, "given")


def built(connection, items, tree=None, fanout=None, filled=False):
    """The baskets of one transaction, and the hierarchy that was read for them."""
    connection.execute(
        "CREATE OR REPLACE TABLE given AS SELECT 1 AS tid, UNNEST($1) AS item", [items]
    )
    baskets = setveil.read(connection, "given")
    baskets.session.begin()
    return baskets, read_hierarchy(baskets, tree, fanout, filled=filled)


# The relations


@tried(3, 15, case=oracle.cases())
def test_nodes_and_paths_are_those_of_the_tree(connection: duckdb.DuckDBPyConnection, case):
    with oracle.make(connection, case) as baskets:
        baskets.session.begin()
        tall = read_hierarchy(baskets, "tree")
        found = nodes(baskets)
        number = {(level, label): node for node, level, label, *_ in found}
        every = {node for way in case.ways.values() for node in way}
        assert set(number) == every and sorted(number.values()) == list(range(len(every)))
        others = sorted(set(case.ways) - set(case.items))
        inner = sorted(node for node in every if node[0])
        order = [(0, item) for item in [*case.items, *others]] + inner
        assert [(level, label) for _, level, label, *_ in found] == order
        above = {a: b for way in case.ways.values() for a, b in zip(way, way[1:], strict=False)}
        for _, level, label, parent, leaves in found:
            assert parent == number.get(above.get((level, label)))
            assert leaves == case.leaves((level, label))
        assert paths(baskets) == [
            (item, number[node], node[0])
            for item, name in enumerate(case.items)
            for node in case.ways[name]
        ]
        assert tall.leaves == len(case.ways) and tall.nodes == len(every)
        assert tall.labels == tuple(sum(n[0] == level for n in every) for level in range(5))
        assert (tall.root, tall.top) == (number[4, "*"], 4)


@pytest.mark.parametrize(
    "items, fanout, labels",
    [(3340, 5, (3340, 668, 134, 27, 6, 2, 1)), (9, 3, (9, 3, 1)), (10, 3, (10, 4, 2, 1)),
     (2, 2, (2, 1)), (1, 5, (1, 1)), (5, 2, (5, 3, 2, 1))],
)  # fmt: skip
def test_an_even_one_shares_out_its_items(connection, items, fanout, labels):
    baskets, tall = built(connection, list(range(items)), fanout=fanout)
    with baskets:
        assert tall.labels == labels
        found = nodes(baskets)
        for level in range(1, len(labels)):
            leaves = [row[4] for row in found if row[1] == level]
            assert sum(leaves) == items
            below = [
                sum(1 for row in found if row[3] == one[0]) for one in found if one[1] == level
            ]
            assert max(below) <= fanout and max(below) - min(below) <= 1
        assert found[-1][2] == "*"


@pytest.mark.parametrize("items, fanout", [(3340, 6), (10, 3), (5, 2), (1, 5)])
def test_a_filled_one_leaves_the_rest_to_its_last_nodes(connection, items, fanout):
    """All nodes of a level but the last have as many leaves as they can, as in the papers."""
    baskets, even = built(connection, list(range(items)), fanout=fanout)
    baskets.close()
    baskets, tall = built(connection, list(range(items)), fanout=fanout, filled=True)
    with baskets:
        assert tall.labels == even.labels
        for level in range(1, tall.top):
            leaves = [row[4] for row in nodes(baskets) if row[1] == level]
            rest = items - fanout**level * (len(leaves) - 1)
            assert leaves == [fanout**level] * (len(leaves) - 1) + [rest]


def test_labels_of_an_even_one_tell_places_and_no_names(connection):
    baskets, _ = built(connection, [30, 4, 100, 7, 55, 6, 2, 9, 11, 12, 13], fanout=4)
    with baskets:
        labels = [label for _, level, label, *_ in nodes(baskets) if level]
    assert labels == ["[01..04]", "[05..08]", "[09..11]", "*"]


# Forms


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    parquet(tmp_path / "given.parquet", "SELECT 1 AS tid, UNNEST(['a', 'b', 'c']) AS item")
    (tmp_path / "tree.csv").write_text("item,level1,level2\nb,x,\na,x,\nc,,y\nd,,y\n")
    return tmp_path


EXPECTED = [
    (0, 0, "a", 4, 1), (1, 0, "b", 4, 1), (2, 0, "c", 5, 1), (3, 0, "d", 5, 1),
    (4, 1, "x", 6, 2), (5, 2, "y", 6, 2), (6, 3, "*", None, 4),
]  # fmt: skip


def of_file(name, **options):
    with setveil.read("given.parquet", **options) as baskets:
        baskets.session.begin()
        read_hierarchy(baskets, name)
        return nodes(baskets)


def test_files(clinic):
    assert of_file("tree.csv") == EXPECTED
    assert of_file(Path("tree.csv")) == EXPECTED
    rows_of("COPY (FROM READ_CSV('tree.csv', all_varchar = true)) TO 'o''brien [1].parquet'")
    assert of_file("o'brien [1].parquet") == EXPECTED
    (clinic / "semicolons.csv").write_text((clinic / "tree.csv").read_text().replace(",", ";"))
    assert of_file("semicolons.csv") == EXPECTED


def test_relations_of_the_database(clinic):
    with duckdb.connect("data.duckdb") as connection:
        connection.execute("CREATE TABLE given AS FROM 'given.parquet'")
        connection.execute("CREATE TABLE \"o'brien\" AS FROM READ_CSV('tree.csv')")
        connection.execute('CREATE VIEW seen AS SELECT *, 7 AS remark FROM "o\'brien"')
    for name in ("o'brien", "seen", 'SELECT * FROM "o\'brien"', "tree.csv"):
        with setveil.read("given", database="data.duckdb") as baskets:
            baskets.session.begin()
            read_hierarchy(baskets, name)
            assert nodes(baskets) == EXPECTED
    with duckdb.connect("data.duckdb") as connection:
        with setveil.read(connection, "given") as baskets:
            baskets.session.begin()
            read_hierarchy(baskets, "seen")
            assert nodes(baskets) == EXPECTED
        assert connection.execute("FROM given").fetchall()  # names are looked up as before


# What is refused


@pytest.mark.parametrize(
    "rows, told",
    [
        ("a,x,y\nb,x,y\n", r"the hierarchy lacks 1 item of the data: 'c'; add a row for each"),
        ("a,x,y\nb,x,y\nc,x,y\na,z,y\n",
         r"1 item with more than one path: 'a' \('x > y', 'z > y'\); keep one"),
        ("a,x,y\nb,,\nc,x,y\n", r"1 item without a parent: 'b'; name a node above each"),
        ("a,x,y\nb,x,z\nc,x,y\n",
         r"1 node with more than one parent: 'x' of level1 \('y' of level2, 'z' of level2\)"),
        ("a,x,y\nb,x,\nc,x,y\n", r"1 node with more than one parent: 'x' of level1"),
        ("a,x,y\nb,x,y\nc,x,y\n,x,y\n", r"1 row without an item \(NULL\): 'x > y'"),
    ],
    ids=["lacking", "two paths", "orphan", "two parents", "a parent and none", "nameless"],
)  # fmt: skip
def test_what_has_no_one_place_is_named(clinic, rows, told):
    (clinic / "bad.csv").write_text(f"item,level1,level2\n{rows}")
    with pytest.raises(InputError, match=f"bad.csv: {told}"):
        of_file("bad.csv")


def test_many_offenders_are_counted_and_some_shown(clinic):
    (clinic / "bad.csv").write_text("item,level1\nzzz,x\n")
    data = "SELECT 1 AS tid, range AS item FROM RANGE(40)"
    parquet(clinic / "given.parquet", data)
    with pytest.raises(InputError, match="40 items of the data: '0', '1', '10', '11', '12', …"):
        of_file("bad.csv")


def test_rows_that_say_the_same_are_one(clinic):
    text = (clinic / "tree.csv").read_text()
    (clinic / "tree.csv").write_text(text + "a,x,\n")
    assert of_file("tree.csv") == EXPECTED


@pytest.mark.parametrize(
    "arguments, told",
    [
        ({"hierarchy": "absent.csv"}, "no such file"),
        ({"hierarchy": "tree.csv", "fanout": 3}, "name one"),
        ({}, "hierarchy=, or have an even one"),
        ({"fanout": 1}, "at least 2"),
        ({"hierarchy": "gap.csv"}, "without a gap"),
        ({"hierarchy": "bare.csv"}, "without a gap"),
        ({"hierarchy": "nameless.csv"}, "no column 'item'"),
        ({"hierarchy": "tree.dat"}, "CSV or Parquet"),
    ],
)
def test_slips(clinic, arguments, told):
    for name, head in {"gap": "item,level1,level3", "bare": "item", "nameless": "x,level1"}.items():
        (clinic / f"{name}.csv").write_text(f"{head}\n")
    (clinic / "tree.dat").write_text("a\n")
    with setveil.read("given.parquet") as baskets:
        baskets.session.begin()
        with pytest.raises(InputError, match=told):
            read_hierarchy(baskets, **arguments)


# The command


def test_shown_and_written(clinic, capsys):
    arguments = ["hierarchy", "given.parquet"]
    assert run([*arguments, "--hierarchy", "tree.csv", "--out", "again.parquet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("next: setveil coherence given.parquet --hierarchy again.parquet")
    assert lines[-1].startswith("keep to yourself: again.parquet")
    assert lines[:-2] == [
        "the hierarchy has all of 3 items",
        "  level 3: the root  1",
        "  level 2            1",
        "  level 1            1",
        "  level 0: leaves    4",
        "written: again.parquet",
    ]
    assert of_file("again.parquet") == EXPECTED
    built = ["--alphabetical", "--fanout", "2", "--out", "even.csv", "--json"]
    assert run([*arguments, *built]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["metrics"]["labels"] == [3, 2, 1] and content["out"] == "even.csv"
    assert (clinic / "even.csv").read_text() == "item,level1\na,[1..2]\nb,[1..2]\nc,[3..3]\n"
    assert run([*arguments, *built]) == 2  # it exists
    for wrong in (
        [],
        ["--alphabetical"],
        ["--fill", "--hierarchy", "tree.csv"],
        ["--fanout", "2", "--hierarchy", "tree.csv"],
    ):
        assert run([*arguments, *wrong]) == 2
    assert run([*arguments, "--hierarchy", "even.csv", "--out", "a.dat"]) == 2


# WordNet: its files in their own format, written by hand

INDEX = """\
  1 This software and database is being provided to you, the LICENSEE, by
  2 Princeton University under the following license.
animal n 1 2 @ ~ 1 1 00000300
bank n 2 1 @ 2 1 00000500 00000600
dog n 2 2 @ ~ 2 1 00000400 00000600
entity n 1 1 ~ 1 1 00000100
guinea_pig n 1 1 @ 1 0 00000700
matter n 1 2 @ ~ 1 0 00000200
o'brien n 1 1 @i 1 0 00000800
"""
DATA = """\
  1 This software and database is being provided to you, the LICENSEE, by
  2 Princeton University under the following license.
00000100 03 n 01 entity 0 002 ~ 00000200 n 0000 ~ 00000300 n 0000 | that which is
00000200 03 n 02 matter 0 substance 0 002 @ 00000100 n 0000 ~ 00000500 n 0000 | what | is solid
00000300 05 n 02 animal 0 beast 0 001 @ 00000100 n 0000 | a living thing
00000400 05 n 01 dog 0 002 @ 00000300 n 0000 @ 00000200 n 0000 | a companion; "a good dog"
00000500 17 n 01 bank 0 001 @ 00000200 n 0000 | sloping land
00000600 18 n 01 dog 1 001 @ 00000200 n 0000 | something for the hearth
00000700 05 n 02 dog 3 guinea_pig 0 001 @ 00000300 n 0000 | a rodent
00000800 18 n 0a o'brien 0 a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 001 @i 00000400 n 0000 | one dog
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    (tmp_path / "index.noun").write_text(INDEX)
    (tmp_path / "data.noun").write_text(DATA)
    return tmp_path


def test_wordnet(connection, wordnet):
    names = ["Dog", "Guinea Pig", "bank", "o'brien", "mapquest"]
    connection.execute(
        "CREATE OR REPLACE TABLE given AS SELECT 1 AS tid, UNNEST($1) AS item", [names]
    )
    with setveil.read(connection, "given") as baskets:
        baskets.session.begin()
        with pytest.raises(InputError, match="no noun for 1 of 5 items: 'mapquest'; name a node"):
            wordnet_hierarchy(baskets, wordnet)
        baskets.session.begin()
        tall = wordnet_hierarchy(baskets, wordnet, unknown="no noun")
        label = {node: name for node, _, name, *_ in nodes(baskets)}
        way = {}
        for item, node, level in paths(baskets):
            way.setdefault(label[item], []).append((level, label[node]))
    assert tall.labels == (5, 1, 3, 3, 1)
    top = (4, "*")
    assert way == {
        "Dog": [(0, "Dog"), (2, "dog (00000400)"), (3, "animal"), top],
        "Guinea Pig": [(0, "Guinea Pig"), (2, "dog (00000700)"), (3, "animal"), top],
        "bank": [(0, "bank"), (2, "bank"), (3, "matter"), top],
        "o'brien": [(0, "o'brien"), (1, "o'brien"), (2, "dog (00000400)"), (3, "animal"), top],
        "mapquest": [(0, "mapquest"), (3, "no noun"), top],
    }


@pytest.mark.parametrize(
    "file, text, told",
    [
        ("index.noun", None, "wordnet-base"),
        ("data.noun", "00000400 05 n zz dog\n", "not in WordNet's format"),
        ("index.noun", "dog n\n", "not in WordNet's format"),
        ("data.noun", "00000400 05 n 01 dog 0 001 @ 00000400 n 0000 | itself\n", "has no root"),
    ],
)
def test_files_that_are_not_wordnets(connection, wordnet, file, text, told):
    (wordnet / file).unlink()
    if text is not None:
        (wordnet / file).write_text(text)
    with of_one(connection, ["dog"]) as baskets:
        baskets.session.begin()
        with pytest.raises(InputError, match=told):
            wordnet_hierarchy(baskets, wordnet)


def test_forms_of_a_noun_are_found_by_their_base(connection, wordnet):
    """Words are shortened by exceptions first, then by endings; a word of the tree is not."""
    (wordnet / "noun.exc").write_text("canes dog\nuntold thing\n")
    names = ["dog", "Dogs", "guinea pigs", "banks", "canes"]
    connection.execute(
        "CREATE OR REPLACE TABLE given AS SELECT 1 AS tid, UNNEST($1) AS item", [names]
    )
    with setveil.read(connection, "given") as baskets:
        baskets.session.begin()
        wordnet_hierarchy(baskets, wordnet)
        label = {node: name for node, _, name, *_ in nodes(baskets)}
        above = {}
        for item, node, level in paths(baskets):
            above.setdefault(label[item], {})[level] = label[node]
    for name in names:
        assert above[name].pop(0) == name
    assert above["Dogs"] == above["canes"] == above["dog"] != above["guinea pigs"]
    assert "bank" in above["banks"].values()


@pytest.mark.parametrize("name", ["glass", "s", "as", "untold", "boxes", "dogsx"])
def test_endings_do_not_make_a_noun_of_any_word(connection, wordnet, name):
    (wordnet / "noun.exc").write_text("untold nothing\n")
    with of_one(connection, [name]) as baskets:
        baskets.session.begin()
        with pytest.raises(InputError, match="no noun for 1 of 1"):
            wordnet_hierarchy(baskets, wordnet)


@pytest.mark.slow
def test_the_real_wordnet(tmp_path, monkeypatch, capsys):
    """A poodle is a dog, by way of many steps."""
    if not Path("/usr/share/wordnet/data.noun").is_file():
        pytest.skip("WordNet is not installed here (Debian: wordnet-base)")
    monkeypatch.chdir(tmp_path)
    items = "UNNEST(['poodle', 'dog', 'oak', 'aspirin', 'new york', 'spring'])"
    parquet(tmp_path / "nouns.parquet", f"SELECT 1 AS tid, {items} AS item")
    assert run(["hierarchy", "nouns.parquet", "--wordnet", "--out", "tree.csv"]) == 0
    [poodle] = rows_of("FROM READ_CSV('tree.csv', all_varchar = true) WHERE item = 'poodle'")
    assert {"dog", "animal", "organism"} <= set(poodle)
