"""Random numbers in the place of transaction ids: what they follow, and the way back."""

from __future__ import annotations

import hashlib
import json
import stat
import statistics
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import read_parquet, suppress
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.run import renumbering
from setveil.run.notes import KEPT, ORDERED

N = 400  # transactions, of 1 to 7 items


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Transactions in every form, whose ids, order and lengths all rise together."""
    monkeypatch.chdir(tmp_path)
    rows = f"""
        SELECT 'T' || LPAD(t.range::TEXT, 4, '0') AS tid, 'i' || i.range AS item, t.range AS other
        FROM RANGE({N}) AS t, RANGE(7) AS i WHERE i.range <= t.range * 7 // {N}
    """  # noqa: S608
    lists = f"SELECT tid, LIST(item ORDER BY item) AS item FROM ({rows}) GROUP BY tid"  # noqa: S608
    for name, query in (
        ("long", rows),
        ("lists", f"{lists} ORDER BY tid"),
        ("lines", f"SELECT item FROM ({lists}) ORDER BY tid"),  # noqa: S608
    ):
        duckdb.sql(f"COPY ({query}) TO '{name}.parquet'")
    items = "ARRAY_TO_STRING(item, ' ')"
    duckdb.sql(f"COPY (SELECT {items} FROM 'lines.parquet') TO 'lines.dat' (FORMAT csv, HEADER 0)")  # noqa: S608
    (tmp_path / "patterns.txt").write_text("i5,i6\n")
    return tmp_path


def write(source, out, **options):
    with setveil.read(source, carry=options.pop("carry", ())) as baskets:
        suppress(baskets, ["i6"]).write(out, renumber=True, **options)


def follows(values):
    """Do these numbers rise or fall with their places, beyond chance? (5 standard deviations)"""
    return abs(statistics.correlation(range(len(values)), values)) > 5 / len(values) ** 0.5


@pytest.mark.parametrize("source", ["long", "lists"])
def test_numbers_stand_for_ids_one_to_one(files, source):
    write(f"{source}.parquet", "safe.parquet", key="key.parquet")
    key = {number: tid for tid, number in read_parquet(files / "key.parquet")}
    assert sorted(key) == list(range(1, N + 1)) and len(set(key.values())) == N
    with setveil.read(f"{source}.parquet") as baskets:
        plain = suppress(baskets, ["i6"]).rows()
    safe = read_parquet(files / "safe.parquet")
    assert sorted((key[number], *rest) for number, *rest in safe) == sorted(plain)
    numbers = [number for number, *_ in safe]
    assert numbers == sorted(numbers)
    types = duckdb.sql("FROM 'safe.parquet'").types
    assert str(types[0]) == "INTEGER"


def test_numbers_and_places_follow_nothing(files):
    """Neither ids, nor lengths, nor the order of the rows, which all rise in the source."""
    lengths = []
    for source in ("lists.parquet", "lines.parquet", "lines.dat"):
        out = "safe.dat" if source.endswith("dat") else "safe.parquet"
        write(source, out, key="key.csv", force=True)
        with setveil.read(out) as safe:
            rows = [row[-1] for row in suppress(safe).rows()]
        lengths.append([len(items) for items in rows])
        ids = [line.split(",") for line in Path("key.csv").read_text().splitlines()]
        assert ids[0] == ["id", "number"] and len(ids) == N + 1
        order = [one for one, _ in sorted(ids[1:], key=lambda pair: int(pair[1]))]
        place = {one: n for n, one in enumerate(sorted(order, key=lambda x: int(x.lstrip("T"))))}
        assert not follows([place[one] for one in order])
        Path("key.csv").unlink()
    for one in lengths:
        assert sorted(one) != one and follows(sorted(one)) and not follows(one)
    assert len({tuple(one) for one in lengths}) == 3  # each run draws anew


def test_what_decides_is_secret_entropy_and_no_seed(files, monkeypatch):
    for _ in range(2):
        write("long.parquet", "safe.parquet", force=True)
        Path("safe.parquet").rename(f"safe{_}.parquet")
    assert Path("safe0.parquet").read_bytes() != Path("safe1.parquet").read_bytes()
    assert len(bytes.fromhex(renumbering.draw())) >= 16 and renumbering.draw() != renumbering.draw()
    monkeypatch.setattr(renumbering, "draw", lambda: "00")
    made = set()
    for threads in (1, 2, 4):
        with setveil.read("long.parquet", threads=threads) as baskets:
            suppress(baskets, ["i6"]).write("a.parquet", renumber=True, force=True)
        made.add(Path("a.parquet").read_bytes())
    assert len(made) == 1


@pytest.mark.parametrize("source", ["long.parquet", "lists.parquet", "lines.dat"])
def test_a_trail_replays_to_the_same_bytes(files, source):
    out = f"safe{Path(source).suffix}"
    write(source, out, key="key.parquet", trail="t.sql")
    assert setveil.replay("t.sql").same
    text = Path("t.sql").read_text()
    assert text.startswith("-- CONFIDENTIAL") and "entropy" in text
    for name in ("t.sql", "key.parquet"):
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
    with duckdb.connect() as connection:  # by a shell of DuckDB, without us
        expected = Path(out).read_bytes()
        Path(out).unlink()
        connection.execute(text)
    assert Path(out).read_bytes() == expected


def test_one_release_is_written_with_and_without_numbers(files):
    """Copies that were sorted for one are not taken for the other."""
    with setveil.read("long.parquet") as baskets:
        release = suppress(baskets, ["i6"])
        release.write("plain.parquet")
        release.write("safe.parquet", renumber=True, key="key.parquet")
        release.write("again.parquet", trail="t.sql")
        release.write("safe.csv", renumber=True, trail="u.sql")
    assert Path("plain.parquet").read_bytes() == Path("again.parquet").read_bytes()
    as_text = [tuple(map(str, row)) for row in read_parquet(files / "safe.parquet")]
    assert duckdb.sql("FROM READ_CSV('safe.csv', all_varchar = true)").fetchall() == as_text
    assert setveil.replay("t.sql").same and setveil.replay("u.sql").same
    for trail in ("t.sql", "u.sql"):
        assert "FROM seal AS s" in Path(trail).read_text()  # on which the last copy depends


def test_into_a_table(files):
    with duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE t AS FROM 'long.parquet'")
    command = ["coherence", "t", "--database", "d.duckdb", "--k", "2", "--p", "1"]
    command += ["--into", "safe", "--renumber", "--key", "key.csv", "--trail", "t.sql"]
    assert run([*command, "--carry", "other"]) == 0
    assert setveil.replay("t.sql").same
    with duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE key AS FROM 'key.csv'")
        joined = "SELECT id, item, other FROM safe JOIN key ON number = tid"
        back = connection.execute(f"FROM ({joined}) ORDER BY ALL").fetchall()
        assert back == connection.execute("FROM t ORDER BY ALL").fetchall()
        order = connection.execute("SELECT tid FROM safe").fetchall()
        assert order == sorted(order)


MODELS = {
    "coherence": "--k 2 --p 1",
    "uncertainty": "--sensitive private.txt --rho 1",
    "hiding": "--patterns patterns.txt --psi 0.5",
    "k-anonymity": "--k 2 --fanout 2",
    "km-anonymity": "--k 2 --m 1 --fanout 2",
    "rename": "--key codes.parquet",
}


@pytest.mark.few(2)
@pytest.mark.parametrize("model", MODELS)
def test_every_model_renumbers(files, capsys, model):
    (files / "private.txt").write_text("i6\n")
    own = [] if model == "rename" else ["--key", "ids.parquet"]
    command = [model, "long.parquet", *MODELS[model].split(), "--out", "safe.parquet"]
    assert run([*command, "--renumber", *own, "--trail", "t.sql", "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert KEPT not in notes and ORDERED not in notes
    beside = "ids.parquet" if model == "hiding" else None
    assert setveil.replay("t.sql", key=beside).same
    numbers = {row[0] for row in read_parquet(files / "safe.parquet")}
    assert numbers == set(range(1, len(numbers) + 1))
    kept = duckdb.sql("FROM PARQUET_METADATA('safe.parquet')").fetchall()
    assert "T0" not in str(kept)  # of statistics too, which tell the least and the largest value


@pytest.mark.slow
def test_the_way_back(files, capsys):
    """A renumbered release is matched with its original by its key, in every command."""
    for source, key in (("long.parquet", "a.parquet"), ("lists.parquet", "a.csv"),
                        ("lines.dat", "b.csv")):  # fmt: skip
        safe = f"safe-{source}"
        hide = ["--patterns", "patterns.txt", "--psi", "0.5"]
        assert run(["hiding", source, *hide, "--out", safe, "--renumber", "--key", key]) == 0
        assert not run(["verify", "hiding", safe, "--original", source, *hide, "--key", key])
        assert run(["verify", "hiding", safe, "--original", source, *hide]) == 1
        capsys.readouterr()
        assert not run(["compare", source, safe, source, "--json", "--key", key, "--key", "none"])
        one, same = json.loads(capsys.readouterr().out)["metrics"]["releases"]
        assert one["transactions_kept"] == same["transactions_kept"] == N
        kept = one["side"]["occurrences"]
        assert one["occurrences_kept"] == kept < same["occurrences_kept"]
    for model, more in (("k-anonymity", "--k 3"), ("km-anonymity", "--k 3 --m 2")):
        assert not run([model, "long.parquet", *more.split(), "--fanout", "2", "--renumber",
                        "--out", f"{model}.parquet", "--key", f"{model}.csv"])  # fmt: skip
        checker = "k-anonymity" if model == "k-anonymity" else "km-anonymity"
        command = ["verify", checker, f"{model}.parquet", *more.split(), "--fanout", "2",
                   "--original", "long.parquet"]  # fmt: skip
        assert run([*command, "--key", f"{model}.csv"]) == 0
        assert run(command) == 1


def test_a_key_that_does_not_fit_is_refused(files):
    write("long.parquet", "safe.parquet", key="key.csv")
    lines = Path("key.csv").read_text().splitlines()
    Path("short.csv").write_text("\n".join(lines[:-1]) + "\n")
    Path("twice.csv").write_text("\n".join([*lines, lines[-1]]) + "\n")
    Path("other.csv").write_text("code,name\n1,a\n")
    for key, told in (
        ("short.csv", "short.csv has no id for"),
        ("twice.csv", "twice.csv is no key: it has 401 rows"),
        ("other.csv", "no column 'id'"),
        ("gone.csv", "no such file"),
        ("safe.dat", "must be a Parquet or CSV file"),
    ):
        if key == "safe.dat":
            Path(key).write_text("1 2\n")
        with pytest.raises(InputError, match=told):
            setveil.read("safe.parquet", key=key)
    with setveil.read("safe.parquet", key="key.csv") as baskets:
        assert {row[0] for row in suppress(baskets).rows()} == {f"T{n:04}" for n in range(N)}
    with setveil.read("long.parquet") as baskets, pytest.raises(InputError, match="2 keys for 1 r"):
        setveil.compare(baskets, "safe.parquet", keys=["key.csv", None])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--key", "k.csv", "--out", "safe.parquet"], "add --renumber"),
        (["--renumber"], "--renumber needs --out or --into"),
        (["--renumber", "--key", "k.txt", "--out", "safe.parquet"], "write .parquet or .csv"),
        (["--renumber", "--key", "there.csv", "--out", "s.parquet", "--force"], "never overwrit"),
        (["--renumber", "--key", "s.csv", "--out", "s.csv"], "both name 's.csv'"),
        (["--renumber", "--key", "no/k.csv", "--out", "s.csv"], "does not exist"),
    ],
)
def test_refused_before_the_work(files, capsys, more, told):
    (files / "there.csv").write_text("mine")
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    assert run(["coherence", "long.parquet", "--k", "2", "--p", "1", *more]) == 2
    assert told in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_no_release_without_its_key(files):
    with setveil.read("long.parquet") as baskets:
        release = suppress(baskets)
        original = renumbering.Ids.write
        with pytest.MonkeyPatch.context() as patched:

            def late(self, session):
                Path("k.csv").write_text("somebody else's")
                original(self, session)

            patched.setattr(renumbering.Ids, "write", late)
            with pytest.raises(InputError, match="came into being"):
                release.write("safe.parquet", renumber=True, key="k.csv")
    assert not Path("safe.parquet").exists()


def hashed(text):
    return hashlib.md5(text.encode()).hexdigest()


@pytest.mark.everywhere
def test_in_every_database(connection, tmp_path, monkeypatch):
    """The same numbers everywhere, whatever the kind of the ids."""
    monkeypatch.setattr(renumbering, "draw", lambda: "5ec2e7")
    connection.execute("CREATE OR REPLACE TABLE plain (tid INTEGER, item VARCHAR)")
    rows = [(tid, item) for tid in range(8) for item in "ab"[: 1 + tid % 2]]
    connection.executemany("INSERT INTO plain VALUES ($1, $2)", rows)
    kinds = {"plain": "tid", "texts": "CAST(tid AS VARCHAR)", "lists": "tid"}
    for name, kind in kinds.items():
        query = f"SELECT {kind} AS tid, item FROM plain"  # noqa: S608
        if name == "lists":
            query = "SELECT tid, LIST(item) AS item FROM plain GROUP BY tid"
        with setveil.read(connection, query, tid="tid") as baskets:
            out, key = tmp_path / f"{name}.parquet", tmp_path / f"{name}-key.parquet"
            release = suppress(baskets)
            release.write(out, renumber=True, key=key)
            plain = release.rows()
            release.write_table(f"safe_{name}", renumber=True, force=True)
        for given in (key, tmp_path / "key.csv"):
            if given != key:
                duckdb.sql(f"COPY (FROM '{key}') TO '{given}'")
            with setveil.read(connection, f"safe_{name}", tid="tid", key=given) as baskets:
                found = [(str(tid), *rest) for tid, *rest in suppress(baskets).rows()]
                assert found == [(str(tid), *rest) for tid, *rest in plain]
        back = {number: int(tid) for tid, number in read_parquet(key)}
        expected = sorted(range(8), key=lambda tid: hashed(f"5ec2e7:{hashed(f'5ec2e7:{tid + 1}')}"))
        assert [back[number] for number in range(1, 9)] == expected
        found = {(back[number], one) for number, items in read_parquet(out) for one in items}
        assert found == set(rows)
