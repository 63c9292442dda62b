"""k^m-anonymity against its definition: what is released, and that no cut loses less."""

from __future__ import annotations

import importlib
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import harness
import oracles
import oracles_km as oracle
import setveil
from hostile_names import ALL, NAMES, quoted
from printed import GROUPS, PAPER, rows
from runs import parquet, read_parquet, rows_of
from setveil import verify
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.models.km_anonymity import anonymize
from setveil.models.km_anonymity.check import Node, Violation

EXAMPLE_2 = {  # Table 2, Figure 2
    "T1": ("a1",),
    "T2": ("a1", "a2"),
    "T3": ("b1", "b2"),
    "T4": ("b1", "b2"),
    "T5": ("a1", "a2", "b2"),
    "T6": ("a1", "a2", "b2"),
    "T7": ("a1", "a2", "b1", "b2"),
}


def table(connection, baskets, tree):
    connection.execute("CREATE OR REPLACE TABLE given (tid VARCHAR, item VARCHAR)")
    connection.executemany("INSERT INTO given VALUES ($1, $2)", rows(baskets))
    connection.execute("CREATE OR REPLACE TABLE tree (item VARCHAR, level1 VARCHAR)")
    connection.executemany("INSERT INTO tree VALUES ($1, $2)", list(tree.items()))
    return setveil.read(connection, "given")


def published(release):
    found = defaultdict(set)
    for key, label, level in release.rows():
        found[key].add((level, label))
    return dict(found)


# The definition


PROMISES = {"k": st.integers(1, 4), "m": st.sampled_from([1, 2, 3, "max"])}


@settings(max_examples=3, deadline=None)
@given(case=oracle.cases(), **PROMISES)
def test_no_cut_loses_less(connection, case, k, m):
    judge(connection, case, k, m)


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(case=oracle.cases(), **PROMISES)
def test_no_cut_ever_loses_less(connection, case, k, m):
    judge(connection, case, k, m)


def judge(connection: duckdb.DuckDBPyConnection, case, k, m):
    """Equality with the best of all cuts, and what is released is what that cut makes."""
    size = len(oracle.ITEMS) if m == "max" else m
    least = oracle.least(case, k, size)
    with oracle.make(connection, case) as baskets:
        if least is None:
            with pytest.raises(UnreachableError):
                setveil.km_anonymity(baskets, k=k, m=m, hierarchy="tree")
            return
        release = setveil.km_anonymity(baskets, k=k, m=m, hierarchy="tree")
        lists = [
            frozenset(zip(levels, labels, strict=True)) for _, labels, levels in release.rows()
        ]
        assert not oracle.violations(lists, k, size)
        [cut] = [cut for cut in case.cuts() if case.published(cut) == lists][:1] or [frozenset()]
        assert case.published(cut) == lists
        assert case.ncp(cut) == least
        assert release.metrics.ncp == pytest.approx(float(least))
        assert release.metrics.gap == 0
        again = verify.km_anonymity(release, k=k, m=m)
        assert again.holds
        if isinstance(harness.current, harness.OnDuckDB):  # elsewhere no run sees another's
            with oracle.make(connection, case) as original:
                found = verify.cover(release, original, hierarchy="tree")
            assert found.holds


labels = st.tuples(st.integers(0, 2), st.sampled_from(["a", "b", "it's"]))


@pytest.mark.everywhere
@settings(max_examples=6, deadline=None)
@given(lists=st.lists(st.frozensets(labels), max_size=8), **PROMISES)
@example(lists=[frozenset({(0, "a"), (1, "a")}), frozenset({(0, "a")})], k=2, m=1)
def test_the_checker_agrees_with_the_definition(connection, lists, k, m):
    check(connection, lists, k, m)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(lists=st.lists(st.frozensets(labels), max_size=8), **PROMISES)
def test_the_checker_always_agrees_with_the_definition(connection, lists, k, m):
    check(connection, lists, k, m)


def check(connection, lists, k, m):
    connection.execute(
        "CREATE OR REPLACE TABLE released (tid INTEGER, item VARCHAR[], level INTEGER[])"
    )
    connection.execute(
        "INSERT INTO released SELECT UNNEST($1::INTEGER[]), UNNEST($2::VARCHAR[][]), "
        "UNNEST($3::INTEGER[][])",
        [
            list(range(len(lists))),
            [[label for _, label in sorted(one)] for one in lists],
            [[level for level, _ in sorted(one)] for one in lists],
        ],
    )
    found = oracle.violations(lists, k, 9 if m == "max" else m)
    with setveil.read(connection, "released") as baskets:
        verdict = verify.km_anonymity(baskets, k=k, m=m, limit=10_000)
    assert verdict.holds == (not found)
    assert verdict.transactions == len(lists)
    shown = [tuple((one.level, one.label) for one in v.nodes) for v in verdict.violations]
    assert all(one in found for one in shown)
    longest = max(map(len, lists), default=0)
    if m != "max" and m < longest:
        smallest = [one for one in found if len(one) == min(map(len, found))]
        assert sorted(shown) == smallest and verdict.found == len(smallest)


# The paper


def test_example_1_needs_no_generalization(connection):
    """ "The original dataset in Table 1a actually satisfies 2^2-anonymity"."""
    with table(connection, PAPER, GROUPS) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m=2, hierarchy="tree")
        assert release.metrics.ncp == 0
        assert published(release) == {
            key: {(0, item) for item in items} for key, items in PAPER.items()
        }


def test_example_1_with_m_3(connection):
    """T4 alone has beer, wine and diapers: some group must go."""
    with table(connection, PAPER, GROUPS) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m=3, hierarchy="tree")
        assert release.metrics.ncp == pytest.approx(float(Fraction(6 * 2, 12 * 4)))
        assert release.metrics.published == 3


def test_table_2_global_recoding(connection):
    """Its third column: 2^2-anonymity puts b1 and b2 under B, and leaves a1 and a2."""
    tree = {"a1": "A", "a2": "A", "b1": "B", "b2": "B"}
    with table(connection, EXAMPLE_2, tree) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m=2, hierarchy="tree")
        assert published(release) == {
            "T1": {(0, "a1")},
            "T2": {(0, "a1"), (0, "a2")},
            "T3": {(1, "B")},
            "T4": {(1, "B")},
            **{key: {(0, "a1"), (0, "a2"), (1, "B")} for key in ("T5", "T6", "T7")},
        }


def test_proposition_1(connection):
    """With a fifth transaction like T4, it is 2^m-anonymous for every m, and not 2-anonymous."""
    with table(connection, PAPER | {"T5": PAPER["T4"]}, GROUPS) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m="max", hierarchy="tree")
        assert release.metrics.ncp == 0


# Shapes, names, trails


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Long form with a column more, LIST form, CSV, and an hierarchy of each format."""
    monkeypatch.chdir(tmp_path)
    data = """
        SELECT b.range AS tid, i.range AS item, 'note' AS remark
        FROM RANGE(60) AS b, RANGE(12) AS i WHERE (b.range * 7 + i.range * 5) % 11 < 3
    """
    parquet(tmp_path / "long.parquet", data)
    parquet(
        tmp_path / "lists.parquet",
        f"SELECT tid, LIST(item) AS item, 1 AS level FROM ({data}) GROUP BY tid "  # noqa: S608
        "UNION ALL SELECT 99, [], 1",
    )
    rows_of(f"COPY ({data}) TO 'long.csv'")
    tree = "SELECT range AS item, range // 3 AS level1, range // 6 AS level2 FROM RANGE(14)"
    parquet(tmp_path / "tree.parquet", tree)
    rows_of(f"COPY ({tree}) TO 'tree.csv'")
    return tmp_path


def km(*arguments: str, source: str = "long.parquet", k: int = 9, m: object = 2) -> int:
    arguments = ("--hierarchy", "tree.parquet", *arguments)
    return run(["km-anonymity", source, "--k", str(k), "--m", str(m), *arguments])


def test_long_form(files, capsys):
    assert km("--out", "safe.parquet", "--carry", "remark") == 2
    assert "'remark' cannot be carried along" in capsys.readouterr().err
    assert km("--out", "safe.parquet") == 0
    found = read_parquet(files / "safe.parquet")
    assert found == sorted(found) and len(set(found)) == len(found)
    assert {level for *_, level in found} == {1}
    assert run(["verify", "km-anonymity", "safe.parquet", "--k", "9", "--m", "2"]) == 0
    arguments = ["--original", "long.parquet", "--hierarchy", "tree.parquet"]
    assert run(["verify", "km-anonymity", "safe.parquet", "--k", "9", "--m", "2", *arguments]) == 0
    told = "every node stands for items of the original, and every item has a node"
    assert told in capsys.readouterr().out


def test_lists(files, capsys):
    assert km("--out", "safe.parquet", source="lists.parquet") == 0
    found = read_parquet(files / "safe.parquet")
    assert len(found) == 61 and found[-1] == (99, [], [])
    long = {(tid, *one) for tid, *lists in found for one in zip(*lists, strict=True)}
    assert km("--out", "long-safe.parquet") == 0
    assert long == set(read_parquet(files / "long-safe.parquet"))
    arguments = ["--k", "9", "--m", "2", "--level", "level_", "--original", "lists.parquet"]
    arguments += ["--hierarchy", "tree.parquet"]
    assert run(["verify", "km-anonymity", "safe.parquet", *arguments]) == 0


def test_csv_and_its_release_say_the_same(files):
    assert km("--out", "a.csv") == 0
    assert km("--out", "b.csv", "--hierarchy", "tree.csv", source="long.csv") == 0
    as_text = rows_of("SELECT tid::TEXT, item, level FROM READ_CSV('a.csv') ORDER BY ALL")
    assert as_text == rows_of("SELECT tid::TEXT, item, level FROM READ_CSV('b.csv') ORDER BY ALL")
    assert run(["verify", "km-anonymity", "b.csv", "--k", "9", "--m", "2"]) == 0


def test_a_release_of_a_release_changes_nothing(files):
    assert km("--out", "once.parquet", m=2) == 0
    query = "SELECT tid, item, level FROM 'once.parquet'"
    flat = "SELECT DISTINCT item, NULL AS none FROM 'once.parquet'"
    rows_of(f"COPY (SELECT item, 'all' AS level1 FROM ({flat})) TO 'flat.parquet'")  # noqa: S608
    arguments = ["--hierarchy", "flat.parquet", "--out", "twice.parquet"]
    assert run(["km-anonymity", "once.parquet", "--k", "9", "--m", "2", *arguments]) == 0
    twice = rows_of("SELECT tid, item, level_ FROM 'twice.parquet' ORDER BY ALL")
    once = [(tid, item, 0) for tid, item, _ in rows_of(query)]
    assert sorted(once) == twice


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("source", ["long.parquet", "lists.parquet", "long.csv"])
def test_same_bytes_for_any_threads_and_the_trail_replays(files, source):
    bytes_of = set()
    suffix = "csv" if source.endswith("csv") else "parquet"
    for threads in (1, 2, 4):
        out = f"{threads}.{suffix}"
        arguments = ["--out", out, "--trail", f"{threads}.sql", "--threads", str(threads)]
        assert km(*arguments, source=source) == 0
        bytes_of.add((files / out).read_bytes())
        assert setveil.replay(f"{threads}.sql").same
    assert len(bytes_of) == 1


@pytest.mark.slow
def test_database(files, capsys):
    with duckdb.connect("data.duckdb") as connection:
        connection.execute("CREATE TABLE given AS FROM 'long.parquet'")
        connection.execute("CREATE TABLE tree AS FROM 'tree.parquet'")
        connection.execute("CREATE VIEW seen AS SELECT item, level1 FROM tree")
    arguments = ["--database", "data.duckdb", "--into", "safe", "--trail", "audit.sql"]
    for tree in ("tree", "seen", "SELECT item, level1 FROM tree", "tree.csv"):
        assert km(*arguments, "--hierarchy", tree, "--force", source="given") == 0
        again = [] if tree in ("tree", "tree.csv") else ["--hierarchy", tree]
        assert not again or run(["replay", "audit.sql"]) == 2
        assert run(["replay", "audit.sql", *again]) == 0


def test_json_and_explain(files, capsys):
    assert km("--out", "safe.parquet", "--json", "--quiet") == 0
    printed = capsys.readouterr()
    content = json.loads(printed.out)
    assert content["notes"] == [line.removeprefix("note: ") for line in printed.err.splitlines()]
    assert content["guarantee"] == {"model": "km-anonymity", "holds": True}
    told = {"k": 9, "m": 2, "method": "optimal", "hierarchy": "tree.parquet"}
    assert content["parameters"] == told
    assert 0 < content["metrics"]["ncp"] == content["metrics"]["bound"] <= 1
    for m in (1, 3, "max"):
        assert km("--explain", m=m) == 0
        printed = capsys.readouterr().out
        assert "CREATE TABLE recoded_item AS" in printed and "CREATE TABLE release AS" in printed
    arguments = ["--hierarchy", "tree.parquet", "--fanout", "3"]
    assert (
        run(["km-anonymity", "long.parquet", "--k", "2", "--m", "2", *arguments[2:], "--explain"])
        == 0
    )
    assert run(["km-anonymity", "long.parquet", "--k", "2", "--m", "2", *arguments]) == 2
    assert run(["verify", "km-anonymity", "long.parquet", "--k", "2", "--m", "2", "--explain"]) == 0


@pytest.mark.few(3)
@pytest.mark.parametrize(("key", "item"), list(zip(ALL, ALL[1:] + ALL[:1], strict=True)), ids=ascii)
def test_hostile_columns(tmp_path, key, item):
    """A column of each name as the transaction, and as the item; levels give way."""
    query = f"SELECT range % 4 AS {quoted(key)}, range AS {quoted(item)} FROM RANGE(8)"  # noqa: S608
    path = parquet(tmp_path / "a.parquet", query)
    with setveil.read(path, tid=key, item=item) as baskets:
        release = setveil.km_anonymity(baskets, k=2, m=1, fanout=2)
        assert release.relation().columns == [key, item, "level"]
        release.write(tmp_path / "b.parquet", force=True)
        assert verify.km_anonymity(release, k=2, m=1).holds


def test_hostile_items_and_labels(tmp_path):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE given (tid INTEGER, item VARCHAR)")
        connection.execute("CREATE TABLE tree (item VARCHAR, level1 VARCHAR, level2 VARCHAR)")
        names = [*NAMES, "*"]
        for number, name in enumerate(names):
            for tid in (number, number + 1, 90):
                connection.execute("INSERT INTO given VALUES ($1, $2)", [tid, name])
            connection.execute(
                "INSERT INTO tree VALUES ($1, $2, $3)", [name, names[number // 2], names[-1]]
            )
        with setveil.read(connection, "given") as baskets:
            release = setveil.km_anonymity(baskets, k=4, m=1, hierarchy="tree")
            assert published(release)[90] == {(1, name) for name in names[: len(names) // 2]}
            release.write(tmp_path / "a.parquet", trail=tmp_path / "a.sql")
            with setveil.read(connection, "given") as original:
                assert verify.cover(release, original, hierarchy="tree").holds


# What is refused


def test_what_cannot_be(files, capsys):
    assert km(k=61) == 3
    assert "fewer than k = 61" in capsys.readouterr().err
    for m in ("0", "-1", "all", "1.5"):
        assert km(m=m) == 2
        assert "m is a whole number of at least 1, or max" in capsys.readouterr().err
    assert km("--out", "safe.dat", source="lists.parquet") == 2
    assert "no place for levels" in capsys.readouterr().err
    assert run(["km-anonymity", "long.parquet", "--k", "2", "--m", "2"]) == 2
    assert "--hierarchy" in capsys.readouterr().err
    assert not (files / "safe.dat").exists()


def test_the_checker_is_asked(files, monkeypatch):
    """What it does not pass is no release."""
    wrong = verify.KmAnonymityVerdict(False, (Violation((Node("x", 1),), 1),), 1, 1, 1)
    module = importlib.import_module("setveil.models.km_anonymity.anonymize")
    monkeypatch.setattr(module, "check_km", lambda *cells, **promise: wrong)
    with setveil.read("long.parquet") as baskets:
        with pytest.raises(setveil.CheckError, match="x is in 1 transaction;"):
            setveil.km_anonymity(baskets, k=2, m=2, hierarchy="tree.parquet")


def test_covers_of_what_was_not_there(files, capsys):
    """One node made up, one left out, one moved to another level."""
    assert km("--out", "safe.parquet") == 0
    arguments = ["--k", "1", "--m", "1", "--original", "long.parquet"]
    arguments += ["--hierarchy", "tree.parquet"]
    safe = "SELECT tid, item, level FROM 'safe.parquet'"
    changed = {
        f"{safe} UNION ALL SELECT 0, '4', 1": "without an item: 1 node,",
        f"{safe} WHERE tid <> 7": "without a node:",
        f"SELECT tid, item, 2 AS level FROM ({safe})": "without an item:",  # noqa: S608
    }
    for query, told in changed.items():
        parquet(files / "changed.parquet", query)
        capsys.readouterr()
        assert run(["verify", "km-anonymity", "changed.parquet", *arguments]) == 1
        assert told in capsys.readouterr().out


def test_more_items_than_anybody_has(connection):
    connection.execute(
        "CREATE OR REPLACE TABLE one AS SELECT range AS tid, 'a' AS item FROM RANGE(3)"
    )
    with setveil.read(connection, "one") as baskets:
        release = setveil.km_anonymity(baskets, k=2, m=1000, fanout=2)
        assert verify.km_anonymity(release, k=3, m=1000).holds
        assert not verify.km_anonymity(release, k=4, m=1000).holds
    with setveil.read(connection, "one", explain=True) as baskets:
        setveil.km_anonymity(baskets, k=2, m=1000, fanout=2)
        assert len(baskets.session.statements) < 60


def test_no_transactions(connection):
    connection.execute("CREATE OR REPLACE TABLE none (tid INTEGER, item VARCHAR)")
    with setveil.read(connection, "none") as baskets:
        release = setveil.km_anonymity(baskets, k=3, m=20, fanout=2)
        assert release.rows() == [] and release.metrics.ncp == 0


@pytest.mark.parametrize("m", [2, 3])
def test_sets_of_an_earlier_cut_are_not_counted_again(connection, monkeypatch, m):
    """The release stays, after as many rounds."""
    data, found = oracles.seeded(21, 200), []
    for _ in range(2):
        with oracles.read(connection, data) as baskets:
            release = setveil.km_anonymity(baskets, k=6, m=m, fanout=2)
            known = [one for one in baskets.session.statements if "an earlier cut" in one.why]
            found.append((len(known) > 0, release.metrics, release.rows()))
        monkeypatch.setattr(anonymize._Known, "fresh", lambda known, size, cut: cut)
    assert found[0] == (True, *found[1][1:])
    assert not found[1][0]


def test_search_that_ends_early_says_how_far_it_may_be_off(connection):
    """Without a node to search the start is kept, which the checker passes."""
    with table(connection, PAPER, GROUPS) as baskets:
        metrics = setveil.km_anonymity(baskets, k=3, m=2, hierarchy="tree", nodes=0).metrics
        assert metrics.bound <= metrics.ncp
    with table(connection, PAPER, GROUPS) as baskets:
        with pytest.raises(InputError, match="nodes"):
            setveil.km_anonymity(baskets, k=3, m=2, hierarchy="tree", nodes=-1)
