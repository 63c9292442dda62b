"""The hierarchy that goes with a release: by brute force, and what an intruder reads in it."""

from __future__ import annotations

import csv
import shlex

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_km as oracle
import setveil
from calls import shop
from examples import tried
from setveil import verify
from setveil.cli.main import run
from setveil.hierarchy.published import write_published
from setveil.hierarchy.trees import read_hierarchy
from setveil.run.reading import read_original

WHOSE = [0, 0, 1, 2, 2, 3, 4, 5, 5]


def by_hand(case, released, k, private, whose):
    """The rows that may be handed over: for each leaf its path from the lowest level shown."""
    rows = set()
    for item, way in case.ways.items():
        holders = {whose[n] for n, basket in enumerate(case.baskets) if item in basket}
        published = [node[0] for node in way if node in released and node[0] < oracle.TOP]
        if not published:
            continue
        named = k is not None and len(holders) >= k and item not in private
        lowest = 0 if named else min(published)
        shown = {level: label for level, label in way if lowest <= level < oracle.TOP}
        rows.add(tuple(shown.get(level, "") for level in range(oracle.TOP)))
    return sorted(rows, key=lambda row: (*row[:0:-1], row[0]))


def rows_of(path):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["item", "level1", "level2", "level3"]
    return [tuple(row) for row in rows]


@pytest.mark.everywhere
@tried(3, 30, case=oracle.cases(), persons=st.booleans())
def test_it_is_that_of_brute_force(connection, tmp_path_factory, case, persons):
    check(connection, tmp_path_factory.mktemp("labels") / "labels.csv", case, persons=persons)


@pytest.mark.parametrize("persons", [False, True])
def test_members_that_enough_hold_are_named(connection, tmp_path, persons):
    held = [{"a", "b", "c"}, {"a", "b"}, {"a"}, {"d"}, {"e"}, {"a", "d"}, {"b", "e"}]
    above = {"a": "x", "b": "x", "c": "x", "d": "a", "e": "a", "f": "a"}
    ways = {item: ((0, item), (1, label), (2, "z"), (4, "*")) for item, label in above.items()}
    case = oracle.Case(tuple(map(frozenset, held)), ways)
    check(connection, tmp_path / "labels.csv", case, persons=persons)


def check(connection, place, case, *, persons):
    whose = WHOSE if persons else list(range(len(case.baskets)))
    if len({whose[n] for n, basket in enumerate(case.baskets) if basket}) < 2:
        return  # no release of these holds
    with oracle.make(connection, case, WHOSE if persons else None) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m=2, hierarchy="tree", suppress=True)
        columns = release.to_arrow().to_pydict()
        at, labels = (columns[name] for name in ("level", baskets.shape.item))
        released = {
            node for a, b in zip(at, labels, strict=True) for node in zip(a, b, strict=True)
        }
        release.write_table("safe_nodes", force=True)
    with setveil.read(connection, "safe_nodes", item="items") as nodes:
        if nodes.source.on_server:
            original = read_original(nodes, "given_lists", tid="tid", item="items")
        else:
            original = setveil.read(connection, "given_lists", item="items")
        with original:
            assert verify.cover(nodes, original, hierarchy="tree", suppressed=True).holds
    who = "who" if persons else None
    asked = ((None, []), (1, []), (2, []), (3, []), (1, case.items[:2]))
    with setveil.read(connection, "given_lists", item="items", person=who) as baskets:
        for k, private in asked:
            baskets.session.begin()
            tall = read_hierarchy(baskets, "tree")
            write_published(baskets, tall, "safe_nodes", place, k=k, private=private, force=True)
            assert rows_of(place) == by_hand(case, released, k, private, whose)


GROUPS = """
SELECT item, CASE WHEN item IN ('milk', 'bread') THEN 'food' ELSE 'other' END AS level1
FROM (SELECT DISTINCT item FROM 'shop.parquet' UNION ALL SELECT 'unsold')
"""
PLACES = {"file": ("shop.parquet", "--out safe.parquet", "safe.parquet", ""),
          "database": ("shop", "--into safe", "safe", "--database shop.duckdb"),
          "file of a database": ("shop", "--out safe.parquet", "safe.parquet",
                                 "--database shop.duckdb")}  # fmt: skip


def released_items(release):
    """The items that a release names as themselves."""
    database, _, table = release.rpartition("duckdb.")
    with duckdb.connect(f"{database}duckdb" if database else ":memory:") as connection:
        place = table if database else f"'{table}'"
        query = f"SELECT DISTINCT item FROM {place} WHERE level = 0"  # noqa: S608
        return {item for (item,) in connection.execute(query).fetchall()}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("k", [None, 2, 3])
def test_an_intruder_finds_no_name_that_few_hold(tmp_path, monkeypatch, capsys, place, k):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    duckdb.sql(f"COPY ({GROUPS}) TO 'groups.csv'")
    source, out, release, more = PLACES[place]
    made = f"km-anonymity {source} {more} --k 3 --m 2 --hierarchy groups.csv {out}"
    assert run(shlex.split(made)) == 0
    lines = capsys.readouterr().out.splitlines()
    told = [one for one in lines if one.startswith("for readers of its labels: setveil ")]
    assert len(told) == (place != "file of a database")
    words = f"hierarchy {source} {more} --hierarchy groups.csv --of {release} --out labels.csv"
    if told:
        assert told[0].endswith(f"--hierarchy groups.csv --of {release} --k 3 --out labels.csv")
    assert run([*shlex.split(words), *(["--k", str(k)] if k else [])]) == 0
    text = (tmp_path / "labels.csv").read_text()
    supports = dict(
        duckdb.sql("SELECT item, COUNT(*) FROM 'shop.parquet' GROUP BY item").fetchall()
    )
    nodes = f"shop.duckdb.{release}" if place == "database" else release
    published = released_items(nodes)
    for item, support in (supports | {"unsold": 0}).items():
        if (k is None or support < k) and item not in published:
            assert item not in text
    assert "food" in text or "other" in text
    capsys.readouterr()


def test_what_it_refuses(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    duckdb.sql(f"COPY ({GROUPS}) TO 'other.csv'")
    made = "km-anonymity shop.parquet --k 3 --m 2 --fanout 2 --out safe.parquet"
    assert run(shlex.split(made)) == 0
    for words, told in (
        ("--hierarchy other.csv --of safe.parquet --out l.csv", "that the hierarchy lacks"),
        ("--fanout 2 --of shop.parquet --out l.csv", "no generalized release"),
        ("--fanout 2 --of safe.parquet", "--of needs --out"),
        ("--learn names --k 2 --of safe.parquet --out l.csv", "name its file"),
        ("--fanout 2 --k 2 --out l.csv", "--learn and --k go together"),
        ("--fanout 2 --of safe.parquet --k 0 --out l.csv", "at least 1"),
    ):
        capsys.readouterr()
        assert run(["hierarchy", "shop.parquet", *shlex.split(words)]) == 2
        assert told in capsys.readouterr().err
        assert not (tmp_path / "l.csv").exists()
