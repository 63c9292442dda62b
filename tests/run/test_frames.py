"""Frames of other libraries: read by their Arrow stream, and given back by releases and results."""

from __future__ import annotations

import builtins
import shutil
from pathlib import Path

import duckdb
import narwhals
import numpy as np
import pandas
import polars
import pyarrow
import pytest

import setveil
from runs import parquet, read_parquet, transactions
from setveil.errors import InputError

QUERY = """
    SELECT 100 + t.range AS tid, i.item AS item, 'S' || t.range % 2 AS store
    FROM RANGE(40) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 17)) AS i(item, n)
    WHERE t.range % i.n = 0
"""


class Other:
    """A frame of a library nobody knows: it has an Arrow stream and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def frames():
    """The rows of QUERY in every kind of frame."""
    table = duckdb.sql(QUERY).to_arrow_table()
    return {
        "pandas": table.to_pandas(),
        "pandas categories": table.to_pandas().astype({"item": "category"}),
        "polars": polars.DataFrame(table),
        "polars enum": polars.DataFrame(table).with_columns(
            polars.col("item").cast(polars.Categorical)
        ),
        "arrow": table,
        "arrow reader": table.to_reader(),
        "duckdb": duckdb.sql(QUERY),
        "narwhals": narwhals.from_native(polars.DataFrame(table)),
        "other": Other(table),
        "other that is read once": Other(table.to_reader()),
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return parquet(tmp_path_factory.mktemp("frames") / "a.parquet", QUERY)


@pytest.fixture(scope="module")
def known(path):
    """The release of the file, which every frame of the same rows must give."""
    with setveil.read(path) as baskets:
        yield setveil.coherence(baskets, k=3, p=2).rows()


KINDS = (
    "pandas", "pandas categories", "polars", "polars enum", "arrow", "arrow reader", "duckdb",
    "narwhals", "other", "other that is read once",
)  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_gives_the_release_of_its_rows(kind, known, tmp_path):
    with setveil.read(frames()[kind]) as baskets:
        assert (baskets.transactions, baskets.items) == (40, 4)
        release = setveil.coherence(baskets, k=3, p=2)
        assert release.rows() == known
        release.write(tmp_path / "b.parquet")
    assert read_parquet(tmp_path / "b.parquet") == known


def test_a_frame_is_not_changed_and_its_rows_go_by_arrow(monkeypatch, path):
    frame = frames()["pandas"]
    before = frame.copy()
    monkeypatch.setattr(pandas.DataFrame, "itertuples", None)
    monkeypatch.setattr(pandas.DataFrame, "to_dict", None)
    with setveil.read(frame, carry=["store"]) as baskets:
        setveil.coherence(baskets, k=3, p=2)
        questions = [one for one in baskets.session.statements if one.question]
        assert not any("FROM source\n" in one.text for one in questions)
    pandas.testing.assert_frame_equal(frame, before)


def test_lists_of_a_frame_keep_their_order():
    """Without ids a row is a transaction: the first row is the first."""
    lists = [[f"i{n}", "milk"] for n in range(3000)]
    with setveil.read(polars.DataFrame({"item": lists}), threads=2) as baskets:
        read = [sorted(items) for _, items in transactions(baskets)]
    assert read == [sorted(one) for one in lists]


def test_a_trail_of_a_frame_runs_again_beside_its_rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = frames()["polars"]
    with setveil.read(frame) as baskets:
        setveil.coherence(baskets, k=3, p=2).write("b.parquet", trail="b.sql")
    assert "a frame in Python" in Path("b.sql").read_text()
    frame.write_parquet("rows.parquet")
    replayed = setveil.replay("b.sql", source="rows.parquet")
    assert replayed.same and replayed.holds
    shutil.copy("rows.parquet", "source.parquet")
    first = Path("b.parquet").read_bytes()
    with duckdb.connect() as bare:
        bare.execute(Path("b.sql").read_text())
    assert Path("b.parquet").read_bytes() == first


def test_a_frame_is_only_explained_with_explain(tmp_path):
    with setveil.read(frames()["pandas"], explain=True) as baskets:
        setveil.coherence(baskets, k=3, p=2).write(tmp_path / "b.parquet")
        assert "source.parquet" in "\n".join(str(one) for one in baskets.session.statements)
    assert not (tmp_path / "b.parquet").exists()


def test_lists_hierarchies_and_releases_beside_a_frame_are_files(tmp_path, path):
    (tmp_path / "private.txt").write_text("milk\n")
    tree = pandas.DataFrame({"item": ["beer", "bread", "milk", "tempeh"], "level1": list("aabb")})
    tree.to_csv(tmp_path / "tree.csv", index=False)
    with setveil.read(frames()["pandas"]) as baskets:
        options = {"private": tmp_path / "private.txt", "h": 0.6, "k": 3, "p": 2}
        made = setveil.coherence(baskets, **options)
        made.write(tmp_path / "b.parquet")
        setveil.km_anonymity(baskets, k=3, m=2, hierarchy=str(tmp_path / "tree.csv"))
        found = setveil.compare(baskets, str(tmp_path / "b.parquet"), k=3, p=2)
        assert found.releases[0].side.occurrences == len(made.rows())


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (polars.LazyFrame({"tid": [1], "item": ["a"]}), "not a LazyFrame: collect() it first"),
        (pandas.DataFrame({"tid": [1, 2], "item": ["a", 1]}), "this DataFrame has no Arrow stream"),
        (pandas.DataFrame({"basket": [1], "item": ["a"]}), "no column 'tid'.* name one with tid="),
        (pandas.DataFrame({"tid": [1, None], "item": ["a", "b"]}), "frame: 1 row without 'tid'"),
        (polars.DataFrame({"tid": [1], "item": [{"a": 1}]}), "more than an item"),
        (np.zeros(3), "not a ndarray: write it to a Parquet file"),
        ({"tid": [1]}, "not a dict"),
    ],
)
def test_frames_that_cannot_be_read(frame, said):
    said = said.replace("()", r"\(\)")
    with pytest.raises(InputError, match=said) as error:
        setveil.read(frame)
    assert "--" not in str(error.value)


def test_a_frame_has_no_database(tmp_path):
    frame = frames()["pandas"]
    for more in ({"table": "t"}, {"database": "a.duckdb"}):
        with pytest.raises(InputError, match="a frame has all rows"):
            setveil.read(frame, **more)
    with setveil.read(frame) as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        with pytest.raises(InputError, match=r"no database to write to: use write\(\)"):
            release.write_table("b")


def test_a_pandas_without_pyarrow_says_so(monkeypatch):
    class Bare:
        def __arrow_c_stream__(self, requested_schema=None):
            raise ImportError("pandas requires pyarrow for this")

    with pytest.raises(
        InputError, match=r"no Arrow stream: .*requires pyarrow for this; install pyarrow, or write"
    ):
        setveil.read(Bare())


# Releases and results as frames


def test_a_release_as_frames(path, known):
    with setveil.read(path) as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        table, frame, polar = release.to_arrow(), release.to_df(), release.to_polars()
        streamed = pyarrow.RecordBatchReader.from_stream(release).read_all()
    assert [tuple(one.values()) for one in table.to_pylist()] == known
    assert [*frame.itertuples(index=False, name=None)] == known
    assert polar.rows() == known
    assert streamed == table
    assert table.column_names == ["tid", "item"]


def test_a_release_is_read_again_as_a_frame(path, known):
    with setveil.read(path) as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        with setveil.read(release) as again:
            assert setveil.verify.coherence(again, k=3, p=2).holds


@pytest.mark.everywhere
def test_frames_of_a_release_on_any_database(connection):
    connection.execute(f"CREATE OR REPLACE TABLE framed AS {QUERY}")
    with setveil.read(connection, "framed") as baskets:
        release = setveil.coherence(baskets, k=3, p=2)
        assert [*release.to_df().itertuples(index=False, name=None)] == release.rows()
        assert release.to_polars().rows() == release.rows()
        assert "<th>item</th>" in release._repr_html_()


def results(baskets):
    """A result of each kind, with the columns that its frame must have."""
    release = setveil.coherence(baskets, k=3, p=2)
    yield release, {"tid", "item"}
    yield setveil.itemsets(baskets, min_support=2), {"items", "support"}
    yield setveil.inspect(baskets), {"known_items", "singled_out"}
    grid = {"m": [1, "max"], "k": [2, 50]}
    yield setveil.sweep(baskets, "km-anonymity", grid, fanout=2), {"k", "m", "refused", "ncp"}
    yield setveil.compare(baskets, release, verify="coherence"), {"name", "holds", "items"}
    yield setveil.verify.coherence(baskets, k=30, p=2), {"items", "support", "reveals"}
    yield setveil.verify.k_anonymity(baskets, k=30), {"nodes", "transactions"}
    yield setveil.verify.km_anonymity(baskets, k=30, m=2), {"nodes", "support"}
    yield setveil.verify.uncertainty(baskets, sensitive=["milk"], rho=0.1), {"known", "secret"}
    hidden = setveil.hiding(baskets, patterns=[["beer", "bread"]], psi=0.5)
    yield hidden.verdict, {"items", "remaining"}


@pytest.mark.slow
def test_every_result_is_a_table_in_every_library(path):
    with setveil.read(path) as baskets:
        for result, columns in results(baskets):
            table = result.to_arrow()
            assert columns <= set(table.column_names), type(result)
            assert table.num_rows > 0
            assert list(result.to_df().columns) == table.column_names
            assert result.to_polars().columns == table.column_names
            assert len(result.to_df()) == len(result.to_polars()) == table.num_rows
            assert 1 <= len(repr(result).splitlines()) <= 3
            assert result._repr_html_().count("<tr>") == min(10, table.num_rows) + 1


def test_text_is_three_lines_and_html_is_escaped(tmp_path):
    hostile = "<script>alert(1)</script>"
    rows = [(n, hostile) for n in range(5)] + [(n, "milk\nbread") for n in range(5)]
    frame = pandas.DataFrame(rows, columns=["<b>tid", "item"])
    with setveil.read(frame, tid="<b>tid") as baskets:
        release = setveil.coherence(baskets, k=2, p=1)
        page = release._repr_html_()
        assert repr(baskets).splitlines()[0] == "frame: 5 transactions, 2 items, 10 occurrences"
        assert len(repr(release).splitlines()) == len(repr(baskets).splitlines()) == 3
    assert "<script" not in page and "&lt;script&gt;" in page and "<b>" not in page
    assert "coherence of frame" in repr(release) and "k = 2" in repr(release)


@pytest.mark.parametrize(
    ("method", "library"),
    [("to_df", "pandas"), ("to_polars", "polars"), ("to_arrow", "pyarrow")],
)
def test_a_library_that_is_missing_is_named(path, monkeypatch, method, library):
    real = builtins.__import__
    monkeypatch.delitem(__import__("sys").modules, library)

    def lacking(name, *args, **more):
        if name.partition(".")[0] == library:
            raise ModuleNotFoundError(f"No module named {library!r}", name=library)
        return real(name, *args, **more)

    import importlib

    monkeypatch.setattr(importlib, "import_module", lambda name: lacking(name))
    with setveil.read(path) as baskets:
        for result in (setveil.coherence(baskets, k=3, p=2), setveil.inspect(baskets)):
            with pytest.raises(InputError, match=rf"{method}\(\) needs {library}.*pip install"):
                getattr(result, method)()
