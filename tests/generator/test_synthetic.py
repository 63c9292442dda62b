"""Generated baskets: the same bytes every time, names without doubles, sizes as asked, patterns."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import InputError
from setveil.generator.generate import MOST_ITEMS, Recipe, generate, make
from setveil.run.session import Session
from setveil.sql.generator import generate as sql


def ask(query: str, *paths: Path) -> list[tuple]:
    """The answer to a query in which $1, $2 … stand for the files."""
    with duckdb.connect() as connection:
        return connection.execute(query, [str(path) for path in paths]).fetchall()


@pytest.fixture(scope="module")
def baskets(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("generated")
    out, hierarchy = folder / "baskets.parquet", folder / "hierarchy.parquet"
    generate(out, transactions=10_000, items=500, hierarchy=hierarchy)
    return out, hierarchy


@pytest.fixture
def session():
    backend = DuckDB()
    backend.execute("run", f"USE {backend.run}")
    session = Session(backend)
    yield session
    session.close()


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_same_bytes_for_any_number_of_threads(tmp_path, suffix):
    # Enough rows for several row groups.
    files = [tmp_path / f"{threads}{suffix}" for threads in (1, 2, 4)]
    for threads, file in zip((1, 2, 4), files, strict=True):
        above = file.with_stem(f"above{threads}")
        generate(file, transactions=30_000, threads=threads, hierarchy=above)
    assert len({file.read_bytes() for file in files}) == 1
    assert len({file.with_stem(f"above{file.stem}").read_bytes() for file in files}) == 1


@pytest.mark.slow
def test_same_bytes_for_many_row_groups(tmp_path):
    files = [tmp_path / f"{threads}.parquet" for threads in (1, 2, 4)]
    for threads, file in zip((1, 2, 4), files, strict=True):
        generate(file, transactions=1_200_000, threads=threads)
    assert len({file.read_bytes() for file in files}) == 1
    (descents,) = ask(
        """
        SELECT COUNT(*) FROM (
            SELECT (tid, item) <= LAG((tid, item)) OVER (ORDER BY file_row_number) AS descends
            FROM READ_PARQUET($1, file_row_number = TRUE)
        ) WHERE descends
        """,
        files[0],
    )
    assert descents == (0,)


@pytest.mark.slow
def test_chunks_leave_no_trace(tmp_path, monkeypatch):
    whole, chunked = tmp_path / "whole.csv", tmp_path / "chunked.csv"
    generate(whole, transactions=2_000)
    monkeypatch.setattr("setveil.generator.generate.CHUNK", 3_000)
    generate(chunked, transactions=2_000)
    assert whole.read_bytes() == chunked.read_bytes()


def test_another_seed_makes_other_baskets(tmp_path):
    files = [tmp_path / f"{seed}.csv" for seed in (1, 2, 3)]
    for seed, file in zip((1, 2, 3), files, strict=True):
        generate(file, transactions=1_000, seed=seed)
    shared = ask("FROM (FROM READ_CSV($1) INTERSECT FROM READ_CSV($2))", *files[:2])
    assert len({file.read_bytes() for file in files}) == 3
    assert len(shared) < 1_000  # of some 10,000


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("items", "length"), [(10, 1), (10, 5), (50, 25), (500, 2.5), (5_000, 10), (2_000, 400)]
)
def test_mean_length(tmp_path, items, length):
    out = tmp_path / "baskets.parquet"
    metrics = generate(out, transactions=2_000, items=items, length=length)
    counted = ask(
        "SELECT COUNT(DISTINCT tid), MIN(tid), MAX(tid), COUNT(*), COUNT(DISTINCT (tid, item)) "
        "FROM READ_PARQUET($1)",
        out,
    )
    occurrences = metrics.occurrences
    assert counted == [(2_000, 1, 2_000, occurrences, occurrences)]
    assert metrics.transactions == 2_000
    assert metrics.mean_length == occurrences / 2_000 == pytest.approx(length, rel=0.05)
    assert metrics.longest <= items


def test_every_item_occurs_and_is_in_the_hierarchy(baskets):
    (counts,) = ask(
        """
        SELECT
            COUNT(*), COUNT(DISTINCT item), (SELECT COUNT(DISTINCT item) FROM READ_PARQUET($1)),
            COUNT(*) FILTER (item IN (SELECT item FROM READ_PARQUET($1)))
        FROM READ_PARQUET($2)
        """,
        *baskets,
    )
    assert counts == (500, 500, 500, 500)


@pytest.mark.few(3)
@pytest.mark.parametrize("count", [10, 11, 500, MOST_ITEMS])
def test_hierarchy_is_a_tree_of_unique_names(session, count):
    make(session, Recipe(transactions=1, items=count, length=2), sql.ordered())
    hierarchy = session.backend.rows("", "FROM generated_hierarchy")
    assert len({row[0] for row in hierarchy}) == len(hierarchy) == count
    groups, aisles = {row[1:] for row in hierarchy}, {row[2:] for row in hierarchy}
    assert len({group[0] for group in groups}) == len(groups)
    assert len({aisle[0] for aisle in aisles}) == len(aisles)
    prescriptions = [row[0] for row in hierarchy if row[3] == "Pharmacy"]
    assert prescriptions == [row[0] for row in hierarchy if row[0].startswith("Rx ")]
    assert len(prescriptions) == (count + 10) // 20
    assert not any(re.search(r"[,|\"]|  ", word) for row in hierarchy for word in row)


def test_prescriptions_are_rare(baskets):
    ((share, worst),) = ask(
        """
        SELECT
            (SELECT COUNT(DISTINCT tid) FROM READ_PARQUET($1) WHERE item LIKE 'Rx %') / 10_000,
            (
                SELECT MAX(n) FROM (
                    SELECT COUNT(*) AS n FROM READ_PARQUET($1) WHERE item LIKE 'Rx %' GROUP BY item
                )
            ) / 10_000
        """,
        baskets[0],
    )
    assert 0.03 < share < 0.05
    assert worst < 0.02


def test_some_items_are_common_and_most_are_not(baskets):
    supports = [
        row[0]
        for row in ask(
            "SELECT COUNT(*) AS n FROM READ_PARQUET($1) GROUP BY item ORDER BY n DESC", baskets[0]
        )
    ]
    assert supports[0] > 1_000
    assert sum(supports[:50]) > 0.35 * sum(supports)
    assert supports[250] < 0.01 * 10_000


def test_patterns_return_and_rare_pairs_are_many(baskets):
    ((frequent, lift, rare, pairs),) = ask(
        """
        WITH single AS (SELECT item, COUNT(*) AS n FROM READ_PARQUET($1) GROUP BY item),
        pair AS (
            SELECT a.item AS i, b.item AS j, COUNT(*) AS n
            FROM READ_PARQUET($1) AS a JOIN READ_PARQUET($1) AS b USING (tid)
            WHERE a.item < b.item GROUP BY ALL
        )
        SELECT
            COUNT(*) FILTER (p.n >= 100),
            COUNT(*) FILTER (p.n >= 100 AND p.n * 10_000 > 3 * s.n * t.n),
            COUNT(*) FILTER (p.n < 5), COUNT(*)
        FROM pair AS p JOIN single AS s ON s.item = p.i JOIN single AS t ON t.item = p.j
        """,
        baskets[0],
    )
    assert frequent > 100
    assert lift > 50  # bought together three times as often as by chance
    assert rare > pairs / 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"transactions": 0}, "transactions is 0: give a whole number from 1"),
        ({"transactions": 1.5}, "transactions is 1.5: give a whole number"),
        ({"items": 9}, "items is 9: give a whole number from 10 to 90,000"),
        ({"items": True}, "items is True"),
        ({"items": 20, "length": 11}, "length is 11: give a number from 1 to 10.0, half of the"),
        ({"length": float("nan")}, "length is nan"),
        ({"patterns": 0}, "patterns is 0"),
        ({"pattern_length": 0.5}, "pattern length is 0.5: give a number from 1 to 20"),
        ({"correlation": 1.1}, "correlation is 1.1: give a number from 0 to 1"),
        ({"corruption": "high"}, "corruption is 'high'"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_refuses(tmp_path, options, message):
    with pytest.raises(InputError, match=re.escape(message)):
        generate(tmp_path / "baskets.parquet", **options)
    assert not list(tmp_path.iterdir())


def test_overwrites_only_when_told(tmp_path):
    out = tmp_path / "baskets.csv"
    out.write_text("mine")
    with pytest.raises(InputError, match="exists"):
        generate(out, transactions=10)
    with pytest.raises(InputError, match="both name"):
        generate(out, transactions=10, hierarchy=out, force=True)
    assert out.read_text() == "mine"
    generate(out, transactions=10, force=True)
    assert out.read_text().startswith("tid,item\n1,")
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(("mean", "most"), [(1, 9), (4, 60), (10, 475), (1_000, 4_750)])
def test_sizes_have_their_mean(session, mean, most):
    session.create(sql.size_urn("size_urn", mean, most))
    query = "SELECT AVG(value), COUNT(DISTINCT cell) FROM size_urn"
    ((counted, cells),) = session.backend.rows("", query)
    assert counted == pytest.approx(mean, rel=0.01)
    assert cells == sql.SIZE_CELLS


def test_persons_have_several_transactions_and_habits(tmp_path):
    out, again = tmp_path / "persons.parquet", tmp_path / "again.parquet"
    for path in (out, again):
        generate(path, transactions=10_000, items=500, persons=2_000)
    assert out.read_bytes() == again.read_bytes()
    ((owners,),) = ask(
        "SELECT MAX(n) FROM (SELECT COUNT(DISTINCT person) n FROM READ_PARQUET($1) GROUP BY tid)",
        out,
    )
    assert owners == 1
    ((persons, most, mean),) = ask(
        "SELECT COUNT(*), MAX(n), AVG(n) FROM "
        "(SELECT COUNT(DISTINCT tid) n FROM READ_PARQUET($1) GROUP BY person)", out,
    )  # fmt: skip
    assert 1_500 < persons <= 2_000 and 4 < mean < 7 and most > 10 * mean
    alike = """
        WITH b AS (
            SELECT ROW_NUMBER() OVER (ORDER BY ANY_VALUE(person), tid) AS n,
                ANY_VALUE(person) AS person, LIST(item) AS items FROM READ_PARQUET($1) GROUP BY tid
        )
        SELECT AVG(CASE WHEN a.person = b.person THEN LEN(LIST_INTERSECT(a.items, b.items)) END),
            AVG(CASE WHEN a.person <> b.person THEN LEN(LIST_INTERSECT(a.items, b.items)) END)
        FROM b AS a JOIN b ON b.n = a.n + 1
    """
    ((own, others),) = ask(alike, out)
    assert own > 1.2 * others, "persons buy again what they bought before"
