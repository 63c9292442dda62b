"""Codes say nothing, the key says all, and nothing else changes."""

from __future__ import annotations

import json
import random
import stat
from dataclasses import replace
from functools import partial

import duckdb
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from sqlglot import exp, parse_one

import setveil
from examples import tried
from runs import columns_of, parquet, read_parquet
from setveil.cli.main import run
from setveil.errors import CheckError, InputError
from setveil.models.renaming import anonymize as renaming
from setveil.sql.step import Step, duck, render
from travelling import RULES

ROWS = [(1, "tea"), (1, "milk"), (2, "milk"), (3, "egg"), (3, "milk"), (3, "tea"), (4, "salt")]


def long(path, rows=ROWS, columns="tid INTEGER, item VARCHAR"):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({columns})")
        places = ", ".join(f"${n}" for n in range(1, len(rows[0]) + 1))
        connection.executemany(f"INSERT INTO t VALUES ({places})", rows)  # noqa: S608
        connection.execute(f"COPY t TO '{path}'")
    return path


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return long(tmp_path / "a.parquet")


def renamed(source, out="b.parquet", key="k.parquet", **options):
    """The rows of the release, and the key as a mapping of codes."""
    with setveil.read(source) as baskets:
        setveil.rename(baskets, key=key, **options).write(out, trail=f"{key}.sql")
    return read_parquet(out), dict(read_parquet(key))


def test_a_bijection_and_nothing_else(source, tmp_path):
    rows, key = renamed(source)
    assert sorted(key) == [1, 2, 3, 4] and sorted(key.values()) == ["egg", "milk", "salt", "tea"]
    assert sorted((tid, key[code]) for tid, code in rows) == sorted(ROWS)
    assert rows == sorted(rows)
    assert columns_of(tmp_path / "b.parquet") == [("tid", "INTEGER"), ("item", "INTEGER")]
    assert stat.S_IMODE((tmp_path / "k.parquet").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "k.parquet.sql").stat().st_mode) == 0o600


@tried(
    3,
    12,
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abcdef")), min_size=1, max_size=15),
    st.integers(0, 99),
    unchecked=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@pytest.mark.only_on("duckdb", reason="a run on a server cannot sort what goes to a file yet")
def test_there_and_back(connection, tmp_path, rows, seed):
    """The release by its definition, and the source again from it; duplicates are one."""
    connection.execute("CREATE OR REPLACE TABLE given_long (tid INTEGER, item VARCHAR)")
    connection.executemany("INSERT INTO given_long VALUES ($1, $2)", rows)
    key = tmp_path / "k.parquet"
    key.unlink(missing_ok=True)
    with setveil.read(connection, "given_long") as baskets:
        setveil.rename(baskets, key=key, seed=seed).write(tmp_path / "b.parquet", force=True)
    names, found = dict(read_parquet(key)), read_parquet(tmp_path / "b.parquet")
    assert sorted(names) == list(range(1, len({name for _, name in rows}) + 1))
    assert {(tid, names[code]) for tid, code in found} == set(rows)
    assert found == sorted(set(found))
    with setveil.read(tmp_path / "b.parquet") as baskets:
        back = setveil.rename(baskets, key=key, undo=True)
        assert back.rows() == sorted(set(rows))


@pytest.mark.slow
def test_codes_are_new_each_time_unless_there_is_a_seed(source):
    keys = [renamed(source, f"b{n}.parquet", f"k{n}.parquet")[1] for n in range(8)]
    assert len({tuple(sorted(key.items())) for key in keys}) > 1
    seeded = [renamed(source, f"c{n}.parquet", f"s{n}.parquet", seed=7)[1] for n in range(2)]
    assert seeded[0] == seeded[1]
    assert seeded[0] != renamed(source, "d.parquet", "d1.parquet", seed=8)[1]


def test_every_bijection_comes_as_often(source):
    """Of 24 bijections of four items over 240 seeds: none is favoured, so none tells an order."""
    seen = dict[tuple[str, ...], int]()
    with setveil.read(source) as baskets:
        connection = baskets.session.backend.connection
        for seed in range(240):
            query = renaming.sql.codes(str(seed)).query
            codes = connection.execute(f"{render(query)} ORDER BY item").fetchall()  # noqa: S608
            order = tuple(str(code) for _, code, _ in codes)
            seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 24 and max(seen.values()) < 25


def test_the_bytes_depend_on_the_codes_alone(tmp_path, monkeypatch):
    """Other names, in another order, from rows in another order: with the same codes, the same."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(4)
    items = [f"n{n:03}" for n in range(60)]
    rows = [(tid, name) for tid in range(400) for name in chance.sample(items, 4)]
    other = dict(zip(items, chance.sample(items, 60), strict=True))
    shuffled = chance.sample([(tid, f"x{other[name]}") for tid, name in rows], len(rows))
    made = []
    for n, some in enumerate((rows, shuffled)):
        long(tmp_path / f"a{n}.parquet", some)
        if n:  # the codes of the first run, whatever the names are now
            known = {f"x{other[name]}": code for code, name in read_parquet("k0.parquet")}
            monkeypatch.setattr(renaming.sql, "codes", lambda secret, known=known: coded(known))
        renamed(f"a{n}.parquet", f"b{n}.parquet", f"k{n}.parquet", seed=1)
        made.append((tmp_path / f"b{n}.parquet").read_bytes())
    assert made[0] == made[1]


def coded(known):
    """A step that gives every item the code that is known of its name."""
    rows = [exp.Tuple(expressions=list(map(exp.convert, pair))) for pair in known.items()]
    alias = exp.TableAlias(this=exp.to_identifier("v"), columns=list(map(exp.to_identifier, "nc")))
    query = duck(
        "SELECT i.item AS item, CAST(v.c AS INT) AS code, CAST(v.c AS INT) AS number "
        "FROM item AS i JOIN $v AS v ON v.n = i.name",
        v=exp.Select().select("n", "c").from_(exp.Values(expressions=rows, alias=alias)).subquery(),
    )
    return Step("code", "as they were", query)


@pytest.mark.parametrize("options", [{}, {"seed": 3}])
def test_a_trail_replays(source, tmp_path, options):
    renamed(source, **options)
    assert setveil.replay("k.parquet.sql").same
    with setveil.read("b.parquet") as baskets:
        back = setveil.rename(baskets, key="k.parquet", undo=True)
        back.write("c.parquet", trail="c.sql")
    assert setveil.replay("c.sql").same
    assert read_parquet(tmp_path / "c.parquet") == sorted(ROWS)


def test_lists_duplicates_and_empty_transactions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parquet(
        tmp_path / "l.parquet",
        "SELECT UNNEST([['c', 'a', 'a'], [], ['b'], ['a', 'b', 'c']]) AS items, 9 AS shop",
    )
    with setveil.read("l.parquet", item="items", carry="all") as baskets:
        setveil.rename(baskets, key="k.parquet").write("m.parquet", trail="m.sql")
    key = dict(read_parquet(tmp_path / "k.parquet"))
    rows = read_parquet(tmp_path / "m.parquet")
    assert [({key[code] for code in codes}, shop) for codes, shop in rows] == [
        ({"a", "c"}, 9), (set(), 9), ({"b"}, 9), ({"a", "b", "c"}, 9)
    ]  # fmt: skip
    assert all(codes == sorted(codes) for codes, _ in rows)
    assert setveil.replay("m.sql").same
    with setveil.read("m.parquet", item="items", carry="all") as baskets:
        back = setveil.rename(baskets, key="k.parquet", undo=True)
        found = [(["a", "c"], 9), ([], 9), (["b"], 9), (["a", "b", "c"], 9)]
        assert back.rows() == found


def test_results_are_turned_back(source, tmp_path):
    """What was mined of the codes, under the names."""
    renamed(source)
    for name, data in (("coded", "b.parquet"), ("named", "a.parquet")):
        with setveil.read(data) as baskets:
            setveil.itemsets(baskets, min_support=2).write(f"{name}.parquet")
    command = ["rename", "coded.parquet", "--item", "items", "--undo", "--key", "k.parquet"]
    assert run([*command, "--out", "back.parquet"]) == 0
    shown = [
        sorted((tuple(items), *others) for items, *others in read_parquet(tmp_path / name))
        for name in ("back.parquet", "named.parquet")
    ]
    assert shown[0] == shown[1] and len(shown[0]) > 2


def test_other_columns_and_nulls(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [(1, "a", 5.0), (1, "a", 6.0), (2, "b", None), (3, None, 1.0)]
    long(tmp_path / "a.parquet", rows, "tid INTEGER, item VARCHAR, price DOUBLE")
    command = ["rename", "a.parquet", "--key", "k.parquet", "--out", "b.parquet"]
    command += ["--carry", "price"]
    assert run(command) == 2
    assert not (tmp_path / "k.parquet").exists()
    assert run([*command, "--drop-nulls"]) == 0
    assert "covered by no promise: 'price'" in capsys.readouterr().err
    key = dict(read_parquet(tmp_path / "k.parquet"))
    found = [(tid, key[code], price) for tid, code, price in read_parquet(tmp_path / "b.parquet")]
    assert sorted(found, key=str) == sorted(rows[:3], key=str)


# What is said, and what is refused


def test_nothing_is_promised(source, capsys):
    command = ["rename", "a.parquet", "--key"]
    assert run([*command, "k.parquet", "--out", "b.parquet"]) == 0
    assert "renaming promises nothing" in capsys.readouterr().err
    assert run([*command, "j.parquet", "--out", "c.parquet", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["guarantee"] == {"model": None, "holds": None}
    assert "renaming promises nothing" in found["notes"][0]
    assert run([*command, "i.parquet", "--explain"]) == 0
    assert "CREATE TABLE code" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options, told",
    [
        (["--key", "k.csv", "--out", "b.parquet"], "must be a Parquet file"),
        (["--key", "there.parquet", "--out", "b.parquet", "--force"], "never overwritten"),
        (["--key", "k.parquet"], "name a file with --out"),
        (["--key", "b.parquet", "--out", "b.parquet"], "both name"),
        (["--key", "no/k.parquet", "--out", "b.parquet"], "does not exist"),
        (["--key", "there.parquet", "--undo"], "has no name for 'egg', 'milk', 'salt', 'tea'"),
        (["--key", "no.parquet", "--undo"], "no such file"),
        (["--key", "a.parquet", "--undo"], "no column 'code'"),
        (["--key", "twice.parquet", "--undo"], "is no key"),
        (["--key", "there.parquet", "--undo", "--seed", "1"], "--seed is for new codes"),
    ],
)
def test_refused(source, tmp_path, capsys, options, told):
    parquet(tmp_path / "there.parquet", "SELECT 1 AS code, 'x' AS name")
    parquet(tmp_path / "twice.parquet", "SELECT UNNEST([1, 2]) AS code, 'x' AS name")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run(["rename", "a.parquet", *options]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_no_release_without_its_key(source, tmp_path, monkeypatch):
    with setveil.read(source) as baskets:
        release = setveil.rename(baskets, key="k.parquet")
        (tmp_path / "k.parquet").write_text("somebody else's")
        with pytest.raises(InputError, match="came into being"):
            release.write("b.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "k.parquet"]


def test_into_a_table(source, tmp_path):
    with duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE t AS FROM 'a.parquet'")
    command = ["rename", "t", "--database", "d.duckdb", "--key", "k.parquet", "--into", "safe"]
    assert run([*command, "--trail", "t.sql"]) == 0
    assert setveil.replay("t.sql").same
    assert len(read_parquet(tmp_path / "k.parquet")) == 4


def test_the_same_bytes_for_any_threads(source, tmp_path):
    made = set()
    for threads in ("1", "2", "4"):
        names = f"k{threads}.parquet", f"b{threads}.parquet"
        command = ["rename", "a.parquet", "--seed", "5", "--key", names[0], "--out", names[1]]
        assert run([*command, "--threads", threads]) == 0
        made.add(tuple((tmp_path / name).read_bytes() for name in names))
    assert len(made) == 1


# The checker


SPOILED = {
    "lost": "SELECT tid, item, setveil_item FROM release WHERE item <> 1",
    "lost once": "SELECT tid, item, setveil_item FROM release "
    "WHERE NOT (tid = 1 AND item = (SELECT MAX(item) FROM release WHERE tid = 1))",
    "added once": "FROM release UNION ALL SELECT 4, item, item FROM release WHERE tid = 2",
    "added": "FROM release UNION ALL SELECT 2, 9, 9",
    "moved": "SELECT CASE WHEN tid = 4 THEN 2 ELSE tid END AS tid, item, setveil_item FROM release",
    "swapped": "SELECT tid, CASE item WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE item END AS item, "
    "setveil_item FROM release",
    "merged": "SELECT tid, CASE item WHEN 1 THEN 2 ELSE item END AS item, setveil_item "
    "FROM release",
}


@pytest.mark.parametrize("kind", SPOILED)
def test_the_checker_refuses(source, monkeypatch, kind):
    made = renaming.sql.renamed_long

    def spoiled(*given, **more):
        text = SPOILED[kind].replace("release", f"({render(made(*given, **more).query)}) AS r")
        return Step("release", "spoiled", parse_one(text, dialect="duckdb"))

    monkeypatch.setattr(renaming.sql, "renamed_long", spoiled)
    with setveil.read(source) as baskets, pytest.raises(CheckError, match="refused the renaming"):
        setveil.rename(baskets, key="k.parquet", seed=1)


def test_the_checker_sees_other_columns_and_lists(tmp_path, monkeypatch):
    long(tmp_path / "a.parquet", [(1, "a", 5), (2, "b", 6)], "tid INT, item VARCHAR, price INT")
    parquet(tmp_path / "l.parquet", "SELECT UNNEST([['a'], ['b']]) AS item, 5 AS price")

    def spoiled(made, *given, **more):
        query = render(made(*given, **more).query)
        text = f"SELECT * REPLACE (price + 1 AS price) FROM ({query})"  # noqa: S608
        return Step("release", "spoiled", parse_one(text, dialect="duckdb"))

    for name, builder in (("a", "renamed_long"), ("l", "renamed_listed")):
        made = getattr(renaming.sql, builder)
        monkeypatch.setattr(renaming.sql, builder, partial(spoiled, made))
        with setveil.read(tmp_path / f"{name}.parquet", carry="all") as baskets:
            with pytest.raises(CheckError, match="2|4 rows changed"):
                setveil.rename(baskets, key=tmp_path / f"{name}k.parquet")


def test_the_checker_sees_double_codes(source, monkeypatch):
    with setveil.read(source) as baskets:
        release = setveil.rename(baskets, key="k.parquet")
    with pytest.raises(CheckError):
        replace(release, verdict=replace(release.verdict, holds=False))
    double = "SELECT i.item AS item, 1 AS code, 1 AS number FROM item AS i"
    monkeypatch.setattr(
        renaming.sql, "codes", lambda secret: Step("code", "all alike", duck(double))
    )
    with setveil.read(source) as baskets, pytest.raises(CheckError, match="3 codes or names"):
        setveil.rename(baskets, key="k.parquet")


# SQL that travels


@pytest.fixture(scope="module")
def statements(tmp_path_factory):
    """Every statement of a renaming and of attacks on it, each text once."""
    folder = tmp_path_factory.mktemp("travels")
    long(folder / "a.parquet")
    run_ = []
    with setveil.read(folder / "a.parquet") as baskets:
        setveil.itemsets(baskets, min_support=1).write(folder / "i.parquet")
        setveil.rename(baskets, key=folder / "k.parquet").write(folder / "b.parquet")
        run_ += baskets.session.statements
    with setveil.read(folder / "b.parquet") as baskets:
        for unmatched in (None, 1.0):
            setveil.reidentify(
                baskets, folder / "i.parquet", key=folder / "k.parquet", unmatched=unmatched
            )
            run_ += baskets.session.statements
        setveil.rename(baskets, key=folder / "k.parquet", undo=True)
        run_ += baskets.session.statements
    return list({one.text: one for one in run_ if one.text}.values())


# What reads files and lists, what is written, and what compares all columns of the user's.
OURS = (
    "input", "settings", "run", "source", "nulls", "itemsets", "key", "published", "published_set",
    "publish", "known_item", "known_set", "known_member", "faults", "named", "release",
    "check_rows", "key_pair",
)  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_statement_travels(statements, rule):
    assert {"code", "item_pair_1", "set_pair_1", "mined_set", "assigned"} <= {
        one.name for one in statements
    }
    for statement in statements:
        if statement.name not in OURS and not statement.name.startswith("frequent_"):
            tree = parse_one(statement.text, dialect="duckdb")
            offenders = [one for one in rule(tree) if not isinstance(one, exp.MD5)]
            assert not offenders, (statement.name, statement.text, offenders)


def test_no_transaction_is_asked_for(statements):
    for statement in statements:
        if statement.question:
            tree = parse_one(statement.text, dialect="duckdb")
            assert not {"tid", "key"}.intersection(tree.named_selects), statement.name
