"""Rows with lists that name the same transaction are one transaction, in what is published too."""

from __future__ import annotations

import pytest

import setveil
from runs import parquet, read_parquet, suppress
from setveil import verify
from setveil.errors import InputError

# Merged, the three persons hold {a, b}, {a, b} and {a, b}; row by row they differ.
ROWS = "(1, ['a']), (1, ['b']), (2, ['a', 'b']), (3, ['a', 'b']), (3, ['a'])"
MERGED = [(1, ["a", "b"]), (2, ["a", "b"]), (3, ["a", "b"])]


def rows(connection, values=ROWS, columns="tid, item", carry=()):
    connection.execute(f"CREATE OR REPLACE TABLE t AS FROM (VALUES {values}) AS v({columns})")
    return setveil.read(connection, "t", carry=carry)


@pytest.fixture
def release(tmp_path):
    """A file that repeats transaction ids, as no release does."""
    return parquet(tmp_path / "a.parquet", f"FROM (VALUES {ROWS}) AS v(tid, item)")


def test_rows_of_one_transaction_are_published_as_one(connection):
    with rows(connection) as baskets:
        assert suppress(baskets).rows() == MERGED
        assert (baskets.transactions, baskets.repeated, baskets.duplicates) == (3, 2, 1)
        released = setveil.k_anonymity(baskets, k=2, fanout=2)
        assert [tid for tid, *_ in released.rows()] == [1, 2, 3]


def test_every_form_of_a_release(connection, tmp_path):
    with rows(connection) as baskets:
        suppress(baskets, ["b"]).write(tmp_path / "a.parquet")
        suppress(baskets, ["b"]).write(tmp_path / "a.basket")
        renamed = setveil.rename(baskets, key=tmp_path / "key.parquet", seed=1)
        assert [(tid, len(items)) for tid, items in renamed.rows()] == [(1, 2), (2, 2), (3, 2)]
        hidden = setveil.hiding(baskets, patterns=[["a", "b"]], min_support=2)
        assert sorted(len(items) for _, items in hidden.rows()) == [1, 1, 2]
    assert read_parquet(tmp_path / "a.parquet") == [(1, ["a"]), (2, ["a"]), (3, ["a"])]
    assert (tmp_path / "a.basket").read_text() == "a\na\na\n"


def test_empty_rows_and_nulls(connection):
    values = "(1, []), (1, ['a']), (2, []), (2, []), (3, ['b', NULL]), (3, NULL), (NULL, ['x'])"
    connection.execute(f"CREATE OR REPLACE TABLE t AS FROM (VALUES {values}) AS v(tid, item)")
    with setveil.read(connection, "t", drop_nulls=True) as baskets:
        assert suppress(baskets).rows() == [(1, ["a"]), (2, []), (3, ["b"])]
        assert baskets.repeated == 2


def test_merging_is_told(connection):
    said: list[str] = []
    rows(connection).close()
    setveil.read(connection, "t", note=said.append).close()
    assert said == [
        "t: 2 rows with the transaction id of another row: rows of one transaction are merged"
    ]


def test_rows_are_not_merged_without_need(connection):
    with rows(connection, "(1, ['a']), (2, ['a'])") as baskets:
        assert baskets.repeated == 0
        assert "merged" not in {one.name for one in baskets.session.statements}


def test_what_is_carried_must_agree(connection):
    values = "(1, ['a'], 'x', 1), (1, ['b'], 'x', NULL), (2, ['c'], 'y', 2)"
    with pytest.raises(InputError, match="1 row differ.? in 'm' from the first"):
        rows(connection, values, "tid, item, n, m", carry="all")
    with rows(connection, values.replace("NULL", "1"), "tid, item, n, m", carry="all") as baskets:
        wanted = [(1, ["a", "b"], "x", 1), (2, ["c"], "y", 2)]
        assert suppress(baskets).rows() == wanted
    with rows(connection, values, "tid, item, n, m", carry=["n"]) as baskets:
        assert suppress(baskets).rows() == [row[:3] for row in wanted]


def test_lists_beside_the_items_are_not_merged(connection):
    values = "(1, ['a'], [0]), (1, ['b'], [0]), (2, ['c'], [0])"
    with pytest.raises(InputError, match="'level' is a list beside the items"):
        rows(connection, values, "tid, item, level")


# A release that repeats an id


@pytest.mark.parametrize(
    "check",
    [
        lambda baskets: verify.coherence(baskets, k=2, p=2),
        lambda baskets: verify.uncertainty(baskets, sensitive=["a"], rho="1"),
        lambda baskets: verify.k_anonymity(baskets, k=2),
        lambda baskets: verify.km_anonymity(baskets, k=2, m=2),
        lambda baskets: verify.hiding(baskets, patterns=[["a"]], original=baskets.source.name),
    ],
)
def test_no_checker_takes_it_for_a_release(release, check):
    with setveil.read(release) as baskets, pytest.raises(InputError, match="takes? each row"):
        check(baskets)


def test_cover_does_not_take_it(connection, release):
    with rows(connection) as original, setveil.read(release) as baskets:
        with pytest.raises(InputError, match="take each row"):
            verify.cover(baskets, original, fanout=2)


def test_compare_does_not_take_it(release, tmp_path):
    original = parquet(tmp_path / "o.parquet", "SELECT 1 AS tid, ['a', 'b'] AS item")
    with setveil.read(original) as baskets, pytest.raises(InputError, match="take each row"):
        setveil.compare(baskets, release, k=2, p=2)
    with setveil.read(release) as baskets:
        setveil.compare(baskets, original, k=2, p=2)


def test_the_command_line(release, capsys):
    from setveil.cli.main import run

    assert run(["verify", "k-anonymity", str(release), "--k", "2"]) == 2
    assert "take each row" in capsys.readouterr().err
    assert run(["inspect", str(release)]) == 0
    assert "are merged" in capsys.readouterr().err


@pytest.mark.only_on("duckdb", reason="reads a file")
def test_zeros_of_either_sign_are_one_transaction(tmp_path):
    query = "FROM (VALUES (0.0::DOUBLE, ['a']), (-0.0::DOUBLE, ['b'])) AS v(tid, item)"
    path = parquet(tmp_path / "a.parquet", query.replace("-0.0::DOUBLE", "(-0.0)::DOUBLE"))
    with setveil.read(path) as baskets:
        assert suppress(baskets).rows() == [(0.0, ["a", "b"])]
        assert str(suppress(baskets).rows()[0][0]) == "0.0"
