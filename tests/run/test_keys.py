"""Transaction ids of several columns, and ids and items of other types than numbers and text."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

import setveil
from calls import CALLS
from runs import columns_of, parquet, read_parquet, rows_of
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.models import REGISTRY

# Joined without care, ids of different columns would be one: 'a/b' + 'c' and 'a' + 'b/c'.
STORES = "['a/b', 'a', 'a%2Fb', '%']"
QUERY = f"""
    SELECT ({STORES})[1 + t.range % 4] AS store,
        CASE t.range % 4 WHEN 0 THEN 'c' WHEN 1 THEN 'b/c' ELSE 'c' END || t.range // 4 AS receipt,
        'p' || t.range % 11 AS customer, 100 + t.range AS number, i.item AS item
    FROM RANGE(24) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 23)) AS i(item, n)
    WHERE t.range % i.n = 0
"""  # noqa: S608
KEYS = ["--tid", "store,receipt"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    parquet(folder / "shop.parquet", QUERY)
    (folder / "private.txt").write_text("milk\n")
    (folder / "patterns.txt").write_text("bread,milk\n")
    return folder


@pytest.fixture
def here(shop, monkeypatch):
    monkeypatch.chdir(shop)
    return shop


@pytest.mark.few(1)
@pytest.mark.parametrize("model", CALLS)
def test_every_model_releases_what_it_does_by_one_column(here, tmp_path, model, capsys):
    """Equal transactions in another order have an equal number of items in all."""
    out, trail = str(tmp_path / "b.parquet"), str(tmp_path / "b.sql")
    if REGISTRY[model].in_parts:
        out = str(tmp_path / "b")
    words = [model, "shop.parquet", *KEYS, *CALLS[model].words, "--out", out, "--trail", trail]
    assert run([*words, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert run([model, "shop.parquet", "--tid", "number", *CALLS[model].words, "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    for same in ("transactions", "items", "occurrences", "information_lost"):
        assert made["metrics"].get(same) == known["metrics"].get(same)
    first = f"{out}/transactions.parquet" if REGISTRY[model].in_parts else out
    named = [name for name, _ in columns_of(Path(first))]
    assert named[:3] == ["store", "receipt", "item"]
    assert "setveil_key" not in named
    beside = ["--original", "shop.parquet"] if REGISTRY[model].beside_original else []
    promise = CALLS[model].promise.split()
    assert run(["verify", model, out, *KEYS, *promise, *beside]) == 0
    assert run(["replay", trail]) == 0
    assert run(["compare", "shop.parquet", out, *KEYS, "--json"]) == 0
    measured = json.loads(capsys.readouterr().out.splitlines()[-1])["metrics"]["releases"][0]
    assert measured["transactions_kept"] == 24


@pytest.mark.few(1)
@pytest.mark.parametrize("model", CALLS)
def test_the_query_of_a_checker_joins_them_too(here, model, capsys):
    with duckdb.connect("keyed.duckdb") as connection:
        connection.execute("CREATE OR REPLACE TABLE shop AS FROM 'shop.parquet'")
    words = [model, "shop", *KEYS, "--database", "keyed.duckdb", *CALLS[model].words]
    assert run([*words, "--into", "safe", "--force"]) == 0
    beside = ["--original-table", "shop"] if REGISTRY[model].beside_original else []
    beside += ["--level", "level"] if REGISTRY[model].of_nodes else []
    capsys.readouterr()
    words = ["verify", model, "safe", *KEYS, *CALLS[model].promise.split(), *beside, "--query"]
    words += ["--max-knowledge", "3"] if model == "uncertainty" else []
    assert run(words) == 0
    query = capsys.readouterr().out
    with duckdb.connect("keyed.duckdb", read_only=True) as connection:
        assert connection.execute(query).fetchall() == []
        one = "(SELECT * FROM safe WHERE store = 'a/b' AND receipt = 'c0')"
        if model in ("k-anonymity", "coherence"):  # of these, a single transaction is too few
            assert connection.execute(query.replace('"safe"', one)).fetchall()


def test_columns_keep_their_types_and_place_and_rows_their_order(here, tmp_path):
    query = """
        SELECT item, DATE '2026-01-01' + (number // 3)::INT AS day, number % 3 AS till, customer
        FROM 'shop.parquet'
    """
    source = parquet(tmp_path / "a.parquet", query)
    with setveil.read(source, tid=["day", "till"], carry=["customer"]) as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        release.write(tmp_path / "b.parquet")
        frame = release.to_polars()
    told = [("item", "VARCHAR"), ("day", "DATE"), ("till", "BIGINT"), ("customer", "VARCHAR")]
    assert columns_of(tmp_path / "b.parquet") == told
    rows = read_parquet(tmp_path / "b.parquet")
    assert rows == sorted(rows, key=lambda row: (row[1], row[2], row[0])) == frame.rows()
    kept = rows_of("SELECT * FROM READ_PARQUET($1) WHERE item <> 'tempeh'", str(source))
    assert sorted(rows) == sorted(kept)


def test_numbers_in_place_of_ids_and_back(here, tmp_path, capsys):
    out, key = str(tmp_path / "b.parquet"), str(tmp_path / "key.parquet")
    person = ["--person", "customer"]
    words = ["coherence", "shop.parquet", *KEYS, *person, "--k", "3", "--p", "2", "--out", out]
    words += ["--trail", str(tmp_path / "b.sql"), "--renumber", "--key", key]
    assert run(words) == 0
    assert columns_of(Path(out)) == [("tid", "INTEGER"), ("item", "VARCHAR")]
    held = rows_of("SELECT COUNT(DISTINCT id), MIN(number), MAX(number) FROM READ_PARQUET($1)", key)
    assert held == [(24, 1, 24)]
    promise = ["--k", "3", "--p", "2"]
    assert run(["verify", "coherence", out, *promise]) == 0
    by_person = ["--persons-of", "shop.parquet", *person, *KEYS, "--key", key]
    assert run(["verify", "coherence", out, *promise, *by_person]) == 0
    assert "persons" in capsys.readouterr().out
    assert run(["compare", "shop.parquet", out, *KEYS, "--key", key, "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)["metrics"]["releases"][0]
    assert (measured["transactions_kept"], measured["occurrences_kept"]) == (24, 44)
    assert run(["replay", str(tmp_path / "b.sql"), "--key", key]) == 0


def test_a_list_column_and_rows_of_one_id(tmp_path):
    rows = """
        SELECT n % 3 AS a, 'x' || n % 2 AS b, ['milk', 'i' || n % 4] AS item FROM RANGE(24) AS r(n)
    """
    source = parquet(tmp_path / "a.parquet", rows)
    with setveil.read(source, tid=["b", "a"]) as baskets:
        assert (baskets.transactions, baskets.repeated) == (6, 18)
        setveil.coherence(baskets, k=2, p=2).write(tmp_path / "b.parquet")
    assert [name for name, _ in columns_of(tmp_path / "b.parquet")] == ["a", "b", "item"]
    assert len(read_parquet(tmp_path / "b.parquet")) == 6


@pytest.mark.everywhere
def test_keys_on_any_database(connection, shop):
    connection.execute(f"CREATE OR REPLACE TABLE keyed_shop AS {QUERY}")
    with setveil.read(shop / "shop.parquet", tid=["store", "receipt"]) as baskets:
        known = setveil.coherence(baskets, k=3, p=2).rows()
    with setveil.read(connection, "keyed_shop", tid=["store", "receipt"]) as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        assert release.rows() == known
        assert setveil.verify.coherence(release, k=3, p=2).holds


def test_a_key_with_null_is_counted(tmp_path):
    source = parquet(
        tmp_path / "a.parquet", "FROM (VALUES (1, NULL, 'a'), (1, 2, 'a')) AS v(a, b, item)"
    )
    with pytest.raises(InputError, match="1 row without 'a, b'"):
        setveil.read(source, tid=["a", "b"])
    with setveil.read(source, tid=["a", "b"], drop_nulls=True) as baskets:
        assert (baskets.transactions, baskets.dropped) == (1, 1)


@pytest.mark.parametrize(
    ("tid", "said"),
    [
        (["store", "store"], "tid= names a column twice: store, store"),
        (["store", "nothing"], "no column 'nothing'"),
        (["store", "item"], "tid= and item= both name the column 'item'"),
        ([], "is a column or a list of columns"),
        (["store", 3], "is a column or a list of columns"),
    ],
)
def test_keys_that_cannot_be(shop, tid, said):
    with pytest.raises(InputError, match=said):
        setveil.read(shop / "shop.parquet", tid=tid)


def test_persons_are_no_part_of_a_key(shop):
    with pytest.raises(InputError, match="tid= and person= both name 'customer'"):
        setveil.read(shop / "shop.parquet", tid=["store", "customer"], person="customer")


def test_a_column_with_a_comma_is_quoted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parquet(
        Path("a.parquet"),
        """SELECT n // 2 AS "a,b", n // 4 AS c, 'i' || n % 2 AS item FROM RANGE(12) AS r(n)""",
    )
    for tid in ('"a,b"', '"a,b",c', 'c, "a,b"'):
        assert run(["inspect", "a.parquet", "--tid", tid]) == 0


def test_a_slice_has_the_columns_of_its_ids(here, tmp_path, capsys):
    words = ["coherence", "shop.parquet", *KEYS, "--k", "3", "--p", "2"]
    for said in ("appended: slice 1 of", "nothing is new for"):
        assert run([*words, "--append", str(tmp_path / "target")]) == 0
        printed = capsys.readouterr()
        assert said in printed.out + printed.err
    with duckdb.connect() as connection:
        rows = connection.sql(f"FROM '{tmp_path}/target/*.parquet'")
        assert {"store", "receipt", "slice"} <= set(rows.columns)


KINDS = {
    "date": "DATE '2026-01-01' + ({n})::INT",
    "uuid": "('00000000-0000-0000-0000-' || LPAD(({n})::VARCHAR, 12, '0'))::UUID",
    "decimal": "(({n}) / 4)::DECIMAL(12, 2)",
    "timestamp": "TIMESTAMP '2026-01-01 10:00:00.5' + ({n}) * INTERVAL 1 SECOND",
    "boolean": "({n}) % 2 = 0",
    "bigint": "({n}) + 4611686018427387904",
}


def told(rows):
    """The rows as text: a database without a type for a value has its text."""
    return [[str(one) for one in row] for row in rows]


@pytest.mark.everywhere
@pytest.mark.few(2)
@pytest.mark.parametrize("kind", KINDS)
def test_ids_and_items_of_every_plain_type(connection, kind):
    """Both as ids and as items, in one column and in two."""
    tid, item = (KINDS[kind].format(n=one) for one in ("r.n // 3", "r.n % 3"))
    made = f"SELECT {tid} AS tid, r.n // 6 AS part, {item} AS item FROM RANGE(36) AS r(n)"  # noqa: S608
    connection.execute(f"CREATE OR REPLACE TABLE typed AS {made}")
    for tid in ("tid", ["part", "tid"]):
        with setveil.read(connection, "typed", tid=tid) as baskets:
            release = setveil.coherence(baskets, k=2, p=1)
            assert setveil.verify.coherence(release, k=2, p=1).holds
            columns = ["tid", "item"] if tid == "tid" else ["tid", "part", "item"]
            expected = connection.table("typed").project(", ".join(columns)).distinct()
            rows = expected.order(", ".join(columns)).fetchall()
            assert told(release.rows()) == told(rows)
