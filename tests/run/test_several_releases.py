"""Releases of one reading live side by side: each is written as if it were the only one."""

from __future__ import annotations

import gc

import pytest

import setveil
from runs import parquet, read_parquet
from setveil.errors import InputError

QUERY = """
    SELECT 100 + t.range AS tid, i.item AS item
    FROM RANGE(40) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 17), ('wine', 9)) AS i(item, n)
    WHERE t.range % i.n = 0
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return parquet(tmp_path_factory.mktemp("several") / "a.parquet", QUERY)


def alone(path, folder, **options):
    """The release and the trail of a run that makes no other release."""
    with setveil.read(path) as baskets:
        release = setveil.coherence(baskets, **options)
        release.write(folder / "alone.parquet", trail=folder / "alone.sql", force=True)
    return (folder / "alone.parquet").read_bytes(), statements_of(folder / "alone.sql")


def statements_of(trail):
    """The statements of a trail, without times and the name of the release."""
    lines = trail.read_text().replace("alone.parquet", "b.parquet").splitlines()
    return [one for one in lines if not one.startswith("-- ")]


def written(release, folder):
    release.write(folder / "b.parquet", trail=folder / "b.sql", force=True)
    return (folder / "b.parquet").read_bytes(), statements_of(folder / "b.sql")


@pytest.mark.everywhere
def test_two_releases_of_one_reading(connection):
    connection.execute(f"CREATE OR REPLACE TABLE several AS {QUERY}")
    with setveil.read(connection, "several") as baskets:
        loose = setveil.coherence(baskets, k=3, p=1)
        rows = loose.rows()
        strict = setveil.coherence(baskets, k=12, p=1)
        assert len(strict.rows()) < len(rows)
        assert loose.rows() == rows
        assert setveil.verify.coherence(loose, k=3, p=1).holds
        assert not setveil.verify.coherence(loose, k=12, p=1).holds
        assert setveil.verify.coherence(strict, k=12, p=1).holds
        assert loose.rows() == rows


def test_each_is_written_as_if_it_were_alone(path, tmp_path):
    with setveil.read(path) as baskets:
        loose = setveil.coherence(baskets, k=3, p=1)
        strict = setveil.coherence(baskets, k=12, p=1)
        hidden = setveil.hiding(baskets, patterns=[["beer", "bread"]], psi=0.5)
        setveil.inspect(baskets)
        first = written(loose, tmp_path)
        assert written(strict, tmp_path) == alone(path, tmp_path, k=12, p=1)
        # Writing one must not change another.
        assert first == written(loose, tmp_path) == alone(path, tmp_path, k=3, p=1)
        assert hidden.rows()


def test_the_rows_of_a_relation_stay_those_of_its_release(path):
    with setveil.read(path) as baskets:
        loose = setveil.coherence(baskets, k=3, p=1)
        shown, rows = loose.relation(), loose.rows()
        strict = setveil.coherence(baskets, k=12, p=1)
        assert shown.fetchall() == rows != strict.relation().fetchall()


def test_results_of_other_kinds_live_too(path):
    with setveil.read(path) as baskets:
        mined = setveil.itemsets(baskets, min_support=10)
        rows = mined.rows()
        release = setveil.coherence(baskets, k=12, p=1)
        setveil.itemsets(baskets, min_support=2)
        assert mined.rows() == rows
        assert release.rows()


def test_a_model_that_fails_leaves_the_releases_before_it(path):
    with setveil.read(path) as baskets:
        release = setveil.coherence(baskets, k=12, p=1)
        rows = release.rows()
        with pytest.raises(setveil.UnreachableError):
            setveil.coherence(baskets, k=41, p=1)
        assert release.rows() == rows


@pytest.mark.slow
def test_a_sweep_keeps_no_relations_of_its_points(path):
    with setveil.read(path) as baskets:
        release = setveil.coherence(baskets, k=12, p=1)
        rows = release.rows()
        setveil.sweep(baskets, "k-anonymity", {"k": [2, 3]}, fanout=2)
        gc.collect()
        release.rows()
        names = "SELECT table_name FROM duckdb_tables() WHERE database_name = CURRENT_DATABASE()"
        made = {name for (name,) in baskets.session.backend.rows("made", names)}
        kept = {name for name in made if name.startswith("kept_")}
        assert made - kept == set(baskets.session.relations) | {"source"}
        assert kept == set()
        assert release.rows() == rows


def test_a_release_that_nobody_holds_is_dropped(path):
    with setveil.read(path) as baskets:
        for k in (3, 12, 13, 14):
            release = setveil.coherence(baskets, k=k, p=1)
        del release
        last = setveil.coherence(baskets, k=4, p=1)
        names = "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'kept%'"
        assert baskets.session.backend.rows("made", names) == []
        assert last.rows()


def test_after_the_baskets_are_closed(path, tmp_path):
    with setveil.read(path) as baskets:
        loose = setveil.coherence(baskets, k=3, p=1)
        strict = setveil.coherence(baskets, k=12, p=1)
    for release in (loose, strict):
        for use in (release.rows, release.relation, release.to_arrow):
            with pytest.raises(InputError, match="closed.*inside the with block"):
                use()
        with pytest.raises(InputError, match="closed"):
            release.write(tmp_path / "c.parquet")
        assert "coherence" in repr(release)
    assert not (tmp_path / "c.parquet").exists()


@pytest.mark.slow
def test_releases_are_compared_side_by_side(path):
    with setveil.read(path) as baskets:
        loose = setveil.coherence(baskets, k=3, p=1)
        strict = setveil.coherence(baskets, k=12, p=1)
        found = setveil.compare(baskets, loose, strict, k=3, p=1, verify="coherence")
        assert [one.side.occurrences for one in found.releases] == [
            len(loose.rows()),
            len(strict.rows()),
        ]
        assert read_parquet(path)
