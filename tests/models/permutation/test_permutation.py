"""Permutation by its definition: what the files of a release say, and what they do not."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_permutation as oracle
import setveil
from examples import tried
from hostile_names import ALL, quoted
from runs import parquet, read_parquet, rows_of
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.models.permutation.order import put_in_order


def given_rows(connection, baskets, persons=None):
    columns = "tid VARCHAR, item VARCHAR" + ("" if persons is None else ", person VARCHAR")
    connection.execute(f"CREATE OR REPLACE TABLE given ({columns})")
    rows = [
        (tid, item, *([] if persons is None else [persons[tid]]))
        for tid, held in baskets.items()
        for item in sorted(held)
    ]
    marks = ", ".join("?" for _ in rows[0])
    connection.executemany(f"INSERT INTO given VALUES ({marks})", rows)  # noqa: S608


def parts(release):
    """The groups of the release, the other items of each transaction, and the counts."""
    groups, shown = defaultdict(set), defaultdict(set)
    for tid, item, group in release.rows():
        groups[group].add(tid)
        shown[tid].add(item)
    counts = {(group, item): count for group, item, count in release.sensitive_rows()}
    return dict(groups), dict(shown), counts


# The definition


@tried(2, 250, oracle.data(), st.integers(2, 4))
def test_a_release_keeps_the_definition_and_says_the_truth(connection, data, degree):
    baskets, sensitive = data
    given_rows(connection, baskets)
    with setveil.read(connection, "given") as read:
        options = {"sensitive": list(sensitive), "degree": degree}
        if not oracle.reachable(baskets, sensitive, degree):
            with pytest.raises(UnreachableError, match="is held by"):
                setveil.permutation(read, **options)
            return
        release = setveil.permutation(read, **options)
        groups, shown, counts = parts(release)
        assert shown == oracle.others(baskets, sensitive)
        assert counts == oracle.counted(baskets, sensitive, groups)
        assert oracle.keeps(release.rows(), release.sensitive_rows(), sensitive, degree)
        assert sorted(groups) == list(range(1, len(groups) + 1))
        assert setveil.verify.permutation(release, **options, ignore_unknown=True).holds
        wanted = oracle.divergence(
            oracle.pairs(baskets, sensitive), oracle.expected(shown, groups, counts)
        )
        assert release.metrics.pair_divergence == pytest.approx(wanted, abs=1e-5)


@tried(3, 2000, oracle.data(), st.integers(2, 3), st.randoms(use_true_random=False))
def test_a_group_has_one_transaction_of_a_person(connection, data, degree, chance):
    baskets, sensitive = data
    persons = {tid: f"p{chance.randrange(len(baskets))}" for tid in baskets}
    given_rows(connection, baskets, persons)
    with setveil.read(connection, "given", person="person") as read:
        options = {"sensitive": list(sensitive), "degree": degree}
        try:
            release = setveil.permutation(read, **options)
        except UnreachableError:
            assert sensitive
            return
        groups, shown, counts = parts(release)
        assert shown == oracle.others(baskets, sensitive)
        assert counts == oracle.counted(baskets, sensitive, groups)
        rows = release.rows(), release.sensitive_rows()
        assert oracle.keeps(*rows, sensitive, degree, persons)
        verdict = setveil.verify.permutation(release, **options, ignore_unknown=True)
        assert verdict.holds and verdict.persons == len({persons[tid] for tid in shown})


def test_one_transaction_of_each_person_changes_nothing(tmp_path, connection):
    baskets = seeded(3, 200)
    given_rows(connection, baskets, {tid: f"p{tid}" for tid in baskets})
    for name, person in (("alone", None), ("persons", "person")):
        with setveil.read(connection, "given", person=person) as read:
            setveil.permutation(read, sensitive=["s0", "s1"], degree=4).write(tmp_path / name)
    for name in ("transactions.parquet", "sensitive.parquet"):
        both = [(tmp_path / one / name).read_bytes() for one in ("alone", "persons")]
        assert both[0] == both[1]


def test_many_transactions_of_a_person_are_spread(connection):
    baskets = seeded(5, 600)
    persons = {tid: f"p{n % 40}" for n, tid in enumerate(baskets)}
    given_rows(connection, baskets, persons)
    with setveil.read(connection, "given", person="person") as read:
        release = setveil.permutation(read, sensitive=["s0", "s1", "s2"], degree=5)
        groups, _, _ = parts(release)
        assert len(groups) > 60
        assert all(len({persons[tid] for tid in tids}) == len(tids) for tids in groups.values())


@tried(3, 250, oracle.data(), st.integers(2, 4))
def test_the_order_is_that_of_cuthill_and_mckee(connection, data, _):
    baskets, sensitive = data
    given_rows(connection, baskets)
    with setveil.read(connection, "given") as read:
        session = read.session
        session.begin()
        names = dict(session.backend.rows("names", "SELECT name, item FROM item"))
        session.decide("sensitive_item", "test", sorted(names[one] for one in sensitive))
        put_in_order(session)
        rows = session.backend.rows(
            "queue", "SELECT b.key FROM queue AS q JOIN basket AS b USING (tid) ORDER BY q.place"
        )
    wanted = oracle.cuthill_mckee(oracle.others(baskets, sensitive), sorted(baskets))
    assert [tid for (tid,) in rows] == wanted


def seeded(seed, number, secrets=3):
    """Baskets with clusters of items, and sensitive items in some."""
    chance, baskets = random.Random(seed), {}
    for n in range(number):
        kind = chance.randrange(8)
        held = {f"i{kind}{chance.randrange(6)}" for _ in range(chance.randint(1, 4))}
        held |= {f"s{one}" for one in range(secrets) if chance.random() < 0.08}
        baskets[f"t{n:05}"] = frozenset(held)
    return baskets


def test_the_divergence_of_a_small_example_by_hand(connection):
    """Two groups of two: e with q in one of two, so that a reader expects a half of each pair."""
    baskets = {"1": frozenset({"a", "e"}), "2": frozenset({"b"})}
    given_rows(connection, baskets)
    with setveil.read(connection, "given") as read:
        release = setveil.permutation(read, sensitive=["e"], degree=2)
        # before (e,a) = 1, after (e,a) = (e,b) = 1/2; the mean is 3/4 and 1/4:
        # (1 log(4/3) + 1/2 log(2/3) + 1/2 log 2) / 2 = 0.2157615543
        assert release.metrics.pair_divergence == pytest.approx(0.2157615543, abs=1e-6)


# Inference by a reader of the groups


@pytest.mark.slow
def test_neither_order_nor_numbers_nor_similarity_tell_who_holds_the_item(connection):
    """An attacker who guesses by any of these is right about once in `degree` tries."""
    degree, hits, tries = 5, Counter(), 0
    for seed in range(6):
        baskets = seeded(seed, 1500, secrets=1)
        given_rows(connection, baskets)
        with setveil.read(connection, "given") as read:
            release = setveil.permutation(read, sensitive=["s0"], degree=degree)
            groups, shown, counts = parts(release)
        assert max(map(len, groups.values())) < 20
        for group, _ in counts:
            tids = sorted(groups[group])
            alike = {
                tid: sum(len(shown[tid] & shown[one]) for one in tids if one != tid) for tid in tids
            }
            guesses = {
                "first": tids[0],
                "last": tids[-1],
                "middle": max(tids, key=lambda tid: (alike[tid], tid)),
                "odd": min(tids, key=lambda tid: (alike[tid], tid)),
                "short": min(tids, key=lambda tid: (len(shown[tid]), tid)),
            }
            tries += 1
            hits.update(how for how, tid in guesses.items() if "s0" in baskets[tid])
    assert tries > 300
    assert {how: round(hits[how] / tries, 2) for how in hits if hits[how] / tries > 0.3} == {}


def test_sensitive_items_that_are_exchanged_leave_the_groups_as_they_were(connection):
    """Groups follow other items as long as no two of a window clash."""
    releases = []
    for holder in ("t3", "t7"):
        baskets = {f"t{n}": frozenset({"a"}) for n in range(10)}
        baskets[holder] |= {"e"}
        given_rows(connection, baskets)
        with setveil.read(connection, "given") as read:
            release = setveil.permutation(read, sensitive=["e"], degree=5)
            releases.append(release.rows())
    assert releases[0] == releases[1]


def test_transactions_of_sensitive_items_alone_are_left_out_and_counted(tmp_path, capsys):
    parquet(
        tmp_path / "a.parquet",
        "SELECT * FROM (VALUES (1, 'e'), (2, 'a'), (3, 'a'), (4, 'e'), (4, 'a')) AS t(tid, item)",
    )
    words = ["permutation", str(tmp_path / "a.parquet"), "--sensitive", str(tmp_path / "e.txt")]
    (tmp_path / "e.txt").write_text("e\n")
    assert run([*words, "--degree", "3", "--out", str(tmp_path / "safe"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["metrics"]["left_out_occurrences"] == 1
    assert any("1 transaction without other items" in one for one in printed["notes"])
    assert {tid for tid, *_ in read_parquet(tmp_path / "safe/transactions.parquet")} == {2, 3, 4}
    assert read_parquet(tmp_path / "safe/sensitive.parquet") == [(1, "e", 1)]


def test_lists_keep_transactions_without_items_in_a_group_of_their_own(connection):
    connection.execute(
        """
        CREATE OR REPLACE TABLE given AS SELECT * FROM (VALUES
            (1, ['a']), (2, ['a', 'e']), (3, ['e']), (4, []), (5, ['b'])
        ) AS t(tid, item)
        """
    )
    with setveil.read(connection, "given") as read:
        release = setveil.permutation(read, sensitive=["e"], degree=3)
        rows = {tid: (items, group) for tid, items, group in release.rows()}
        assert {tid: items for tid, (items, _) in rows.items()} == {
            1: ["a"], 2: ["a"], 3: [], 4: [], 5: ["b"]
        }  # fmt: skip
        assert rows[3][1] == rows[4][1] != rows[2][1] == rows[1][1] == rows[5][1]
        assert release.sensitive_rows() == [(rows[2][1], "e", 1)]
        assert setveil.verify.permutation(release, sensitive=["e"], degree=3).holds


# The checker


@tried(
    3,
    800,
    st.lists(
        st.tuples(
            st.sampled_from("1234567"), st.sampled_from("abs"), st.sampled_from(["1", "2", None])
        ),
        min_size=1,
        max_size=9,
    ),
    st.lists(
        st.tuples(st.sampled_from(["1", "2", "3"]), st.sampled_from("su"), st.integers(-1, 3)),
        max_size=4,
    ),
    st.integers(2, 3),
)
def test_the_checker_finds_every_fault(connection, shown, counts, degree):
    connection.execute('CREATE OR REPLACE TABLE safe (tid VARCHAR, item VARCHAR, "group" VARCHAR)')
    connection.executemany("INSERT INTO safe VALUES (?, ?, ?)", shown)
    connection.execute(
        'CREATE OR REPLACE TABLE safe_sensitive ("group" VARCHAR, item VARCHAR, count BIGINT)'
    )
    if counts:
        connection.executemany("INSERT INTO safe_sensitive VALUES (?, ?, ?)", counts)
    wanted = oracle.keeps(shown, counts, frozenset({"s"}), degree)
    with setveil.read(connection, "safe") as read:
        verdict = setveil.verify.permutation(
            read, sensitive=["s"], degree=degree, ignore_unknown=True
        )
    assert verdict.holds == wanted
    assert bool(verdict.violations) == (not wanted)


def test_the_checker_counts_persons_by_itself(connection):
    tables = {
        "safe": "SELECT n AS tid, 'a' AS item, n % 2 AS \"group\" FROM range(8) AS t(n)",
        "safe_sensitive": "SELECT 0 AS \"group\", 's' AS item, 1 AS count",
        "before": "SELECT n AS tid, 'a' AS item, n // 2 AS person FROM range(8) AS t(n)",
        "crowd": "SELECT n AS tid, 'a' AS item, n // 4 AS person FROM range(8) AS t(n)",
    }
    for name, query in tables.items():
        connection.execute(f"CREATE OR REPLACE TABLE {name} AS {query}")
    for source, holds in (("before", True), ("crowd", False)):
        with setveil.read(connection, "safe") as read:
            persons = setveil.verify.PersonsOf(source, "person")
            verdict = setveil.verify.permutation(read, sensitive=["s"], degree=4, persons=persons)
        assert verdict.holds == holds
    assert "transactions of one person" in str(verdict.violations[0])


# Files, tables and names


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parquet(tmp_path / "shop.parquet", "SELECT n AS tid, 'i' || n % 3 AS item FROM range(30) t(n)")
    Path("s.txt").write_text("i0\n")
    duckdb.sql(
        "COPY (FROM 'shop.parquet' UNION ALL SELECT n, 'x' FROM range(30) t(n)) TO 'b.parquet'"
    )
    return ["permutation", "b.parquet", "--sensitive", "s.txt", "--degree", "3"]


def test_a_folder_is_replaced_only_by_force_and_only_if_it_is_a_release(shop, tmp_path, capsys):
    assert run([*shop, "--out", "safe"]) == 0
    before = (tmp_path / "safe/transactions.parquet").read_bytes()
    assert run([*shop, "--out", "safe"]) == 2
    assert "--force" in capsys.readouterr().err
    assert run([*shop, "--out", "safe", "--force", "--trail", "safe/t.sql"]) == 2
    assert "in the folder of the release" in capsys.readouterr().err
    assert run([*shop, "--out", "safe", "--force"]) == 0
    assert (tmp_path / "safe/transactions.parquet").read_bytes() == before
    (tmp_path / "safe/other.txt").write_text("mine")
    assert run([*shop, "--out", "safe", "--force"]) == 2
    assert "'other.txt'" in capsys.readouterr().err
    assert run([*shop, "--out", "safe.parquet"]) == 2
    assert "folder of two files" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b.parquet", "s.txt", "safe", "shop.parquet"
    ]  # fmt: skip


def test_the_input_is_never_replaced(shop, tmp_path, capsys):
    assert run([*shop, "--out", "safe"]) == 0
    shop[1] = "safe/transactions.parquet"
    assert run([*shop, "--out", "safe", "--force", "--ignore-unknown"]) == 2
    assert "was read from" in capsys.readouterr().err


def test_a_folder_appears_whole_or_not_at_all(shop, tmp_path, monkeypatch):
    from setveil.run import writing

    def broken(*given, **named):
        raise InputError("the trail cannot be written")

    monkeypatch.setattr(writing, "write_text", broken)
    assert run([*shop, "--out", "safe", "--trail", "t.sql"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b.parquet", "s.txt", "shop.parquet"
    ]  # fmt: skip


def test_an_item_that_too_many_hold_is_named(shop, capsys):
    assert run([*shop[:-1], "4", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)["error"]
    assert told["code"] == 3
    assert told["message"].startswith("i0 is held by 10 of the 30 transactions with other items")


@pytest.mark.slow
def test_two_tables_or_none(shop, capsys):
    with duckdb.connect("shop.duckdb") as there:
        there.execute("CREATE TABLE b AS FROM 'b.parquet'; CREATE TABLE safe_sensitive (a INT)")
    words = [*shop, "--database", "shop.duckdb", "--into", "safe"]
    words[1] = "b"
    assert run(words) == 2
    assert "'safe_sensitive' exists" in capsys.readouterr().err
    with duckdb.connect("shop.duckdb") as there:
        assert ("safe",) not in there.execute("SHOW TABLES").fetchall()
    assert run([*words, "--force", "--trail", "t.sql"]) == 0
    assert run(["replay", "t.sql"]) == 0
    verify = ["verify", "permutation", "safe", "--database", "shop.duckdb"]
    assert run([*verify, *shop[2:]]) == 0
    with duckdb.connect("shop.duckdb") as there:
        there.execute("UPDATE safe_sensitive SET count = count + 5")
    assert run([*verify, *shop[2:]]) == 1
    assert run(["replay", "t.sql"]) == 1


@pytest.mark.parametrize("column", ["group", "Group", "count"])
def test_columns_of_the_release_are_refused(tmp_path, column, capsys):
    parquet(tmp_path / "a.parquet", f'SELECT 1 AS tid, 2 AS "{column}"')
    words = [str(tmp_path / "a.parquet"), "--item", column, "--sensitive", "where:name = 2"]
    assert run(["permutation", *words, "--degree", "2"]) == 2
    assert "has the name of a column that the release adds" in capsys.readouterr().err


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["o'brien", 'a"b', "two\nlines", "release"])
def test_hostile_columns_and_items(tmp_path, name):
    names = [one for one in ALL if one != name]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({quoted(name)} INT, {quoted('i ' + name)} VARCHAR)")
        rows = [(n, one) for n, one in enumerate(names)] + [(n, "a") for n in range(len(names))]
        rows += [(n, name) for n in range(0, len(names), 3)]
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        connection.sql("FROM t").write_parquet(str(tmp_path / "t.parquet"))
    with setveil.read(tmp_path / "t.parquet", tid=name, item="i " + name) as read:
        release = setveil.permutation(read, sensitive=[name, *names[::5]], degree=2)
        release.write(tmp_path / "safe", trail=tmp_path / "t.sql", renumber=True)
    assert {item for _, item, _ in read_parquet(tmp_path / "safe/sensitive.parquet")} == {
        name, *names[::5]
    }  # fmt: skip
    replayed = setveil.replay(tmp_path / "t.sql")
    assert replayed.same and replayed.holds


def test_renumbered_groups_follow_the_new_numbers(shop):
    assert run([*shop, "--out", "safe", "--renumber", "--key", "key.parquet"]) == 0
    rows = read_parquet(Path("safe/transactions.parquet"))
    first = {}
    for number, _, group in rows:
        first.setdefault(group, number)
    assert list(first) == sorted(first) and sorted(first.values()) == list(first.values())
    key = dict(rows_of("SELECT number, id FROM 'key.parquet'"))
    held = {tid for (tid,) in rows_of("SELECT tid FROM 'b.parquet' WHERE item = 'i0'")}
    counts = Counter(
        group for group, number in {(group, number) for number, _, group in rows}
        if key[number] in held
    )  # fmt: skip
    assert dict(counts) == {
        group: n for group, _, n in read_parquet(Path("safe/sensitive.parquet"))
    }


@pytest.mark.everywhere
def test_every_database_gives_the_same_release(connection):
    baskets = seeded(11, 300)
    given_rows(connection, baskets, {tid: f"p{n % 90}" for n, tid in enumerate(baskets)})
    with setveil.read(connection, "given", person="person") as read:
        release = setveil.permutation(read, sensitive=["s0", "s1", "s2"], degree=4)
        groups, shown, counts = parts(release)
        metrics = release.metrics
    sensitive = frozenset({"s0", "s1", "s2"})
    assert shown == oracle.others(baskets, sensitive)
    assert counts == oracle.counted(baskets, sensitive, groups)
    assert (metrics.groups, metrics.rounds, metrics.cuts) == SAME[:3]
    assert metrics.pair_divergence == pytest.approx(SAME[3], abs=1e-6)


SAME = (72, 8, 3, 0.069280427653731)  # of DuckDB
