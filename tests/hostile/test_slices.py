"""An intruder at a target and its ledger: nothing is released twice, and no ledger is read."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import duckdb
import pytest

import setveil
from runs import parquet
from setveil.errors import InputError

ROWS = (
    "SELECT t.range AS tid, i.item AS item FROM RANGE({n}) AS t, (VALUES ('a'), ('b')) AS i(item)"
)


def source(folder: Path, number: int) -> Path:
    return parquet(folder / "source.parquet", ROWS.format(n=number))


def append(folder: Path, number: int = 16, target: str = "safe", **options: object):
    source(folder, number)
    return setveil.append(
        folder / "source.parquet", folder / target, "coherence", k=3, p=2, **options
    )


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    assert append(folder, 8).slice == 1
    return folder


@pytest.fixture
def folder(tmp_path, released):
    shutil.copytree(released, tmp_path, dirs_exist_ok=True, copy_function=shutil.copy2)
    return tmp_path


def unchanged(folder: Path) -> bool:
    return [one.name for one in sorted((folder / "safe").iterdir())] == ["slice-000001.parquet"]


def test_only_the_owner_reads_the_ledger(folder):
    for name in ("safe.ledger", "safe.ledger.lock"):
        assert stat.S_IMODE(os.stat(folder / name).st_mode) == 0o600
    (folder / "safe.ledger").chmod(0o644)
    with pytest.raises(InputError, match="can be read by others"):
        append(folder)
    assert unchanged(folder)


def lose(folder):
    (folder / "safe.ledger").unlink()


def alter(folder):
    with duckdb.connect(str(folder / "safe.ledger")) as connection:
        connection.execute("DELETE FROM part WHERE key = '3'")


def forge(folder):
    """Someone who knows the format adds a row, but not the secret's digest."""
    with duckdb.connect(str(folder / "safe.ledger")) as connection:
        connection.execute("INSERT INTO part SELECT '9', 1, '9', '0', NULL")
        connection.execute("INSERT INTO sum SELECT MAX(number) + 1, 'ab' FROM sum")


def break_(folder):
    (folder / "safe.ledger").write_bytes(b"\0" * 4096)


def link(folder):
    (folder / "safe.ledger").rename(folder / "elsewhere")
    (folder / "safe.ledger").symlink_to("elsewhere")


def change(folder):
    path = folder / "safe/slice-000001.parquet"
    parquet(path, "SELECT 1 AS tid, 'a' AS item, 1 AS slice")


def remove(folder):
    (folder / "safe/slice-000001.parquet").unlink()


def add(folder):
    shutil.copy(folder / "safe/slice-000001.parquet", folder / "safe/slice-000002.parquet")


def litter(folder):
    (folder / "safe/notes.txt").write_text("x")


def link_a_slice(folder):
    path = folder / "safe/slice-000001.parquet"
    path.rename(folder / "s.parquet")
    path.symlink_to(folder / "s.parquet")


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (lose, "its ledger is missing; take the ledger from a backup"),
        (alter, "was altered by something else"),
        (forge, "was altered by something else"),
        (break_, "not a DuckDB database|not a valid"),
        (link, "is no plain file"),
        (change, "slice 1 of .* was changed after it was checked"),
        (remove, "slice 1 of .* is missing"),
        (add, "slice 2 of .* is not in its ledger"),
        (litter, "notes.txt is no slice"),
        (link_a_slice, "is a link"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_target_or_ledger_that_was_changed_is_refused(folder, deed, said):
    deed(folder)
    before = sorted(one.name for one in (folder / "safe").iterdir())
    with pytest.raises(InputError, match=said):
        append(folder)
    assert sorted(one.name for one in (folder / "safe").iterdir()) == before


def test_a_lock_is_never_a_link(folder):
    (folder / "safe.ledger.lock").unlink()
    (folder / "safe.ledger.lock").symlink_to(folder / "victim")
    with pytest.raises(InputError, match="lock cannot be made"):
        append(folder)
    assert not (folder / "victim").exists()


def test_a_ledger_is_never_inside_a_target(folder):
    with pytest.raises(InputError, match="would be inside the target"):
        append(folder, target="safe/inner")
    (folder / "inside").symlink_to(folder / "safe")
    with pytest.raises(InputError, match="would be inside the target"):
        append(folder, target="inside/inner")
    assert unchanged(folder)


def test_another_name_of_the_target_has_the_same_ledger(folder):
    (folder / "alias").symlink_to(folder / "safe")
    assert append(folder, 8, target="alias").slice is None
    assert append(folder, 16, target="alias").slice == 2


def test_secrets_stay_outside_the_target(folder):
    with pytest.raises(InputError, match="trail.* is inside the target"):
        append(folder, trail=folder / "safe/a.sql")
    with pytest.raises(InputError, match="is inside the target"):
        setveil.append(f"{folder}/safe/*.parquet", folder / "safe", "coherence", k=3, p=2)
    assert unchanged(folder)


@pytest.mark.parametrize("name", ["safe.parquet", "nowhere/safe"])
def test_a_place_that_is_no_folder_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="folder"):
        append(tmp_path, target=name)


def test_a_folder_with_other_files_is_no_target(tmp_path):
    (tmp_path / "safe").mkdir()
    (tmp_path / "safe/other.parquet").write_text("x")
    with pytest.raises(InputError, match="is no slice"):
        append(tmp_path)
    assert not (tmp_path / "safe.ledger").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ['a"b; DROP', "a'b", "../t", "a.b", "é"])
def test_hostile_names_of_tables_and_folders(tmp_path, name):
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(f"CREATE TABLE src AS {ROWS.format(n=8)}")
    place = tmp_path / "deep"
    place.mkdir()
    assert append(tmp_path, 8, target=name.replace("..", "deep")).slice == 1
    if "." not in name.replace("../", ""):
        for number in (8, 16):
            with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
                connection.execute(f"CREATE OR REPLACE TABLE src AS {ROWS.format(n=number)}")
            options = {"database": tmp_path / "shop.duckdb", "k": 3, "p": 2}
            assert setveil.append("src", name, "coherence", **options).slice == number // 8
    assert not (tmp_path.parent / "t.ledger").exists()


def test_columns_of_a_slice_stay(folder):
    parquet(folder / "source.parquet", ROWS.format(n=16).replace("t.range AS", "'x' || t.range AS"))
    with pytest.raises(InputError, match="have the columns"):
        setveil.append(folder / "source.parquet", folder / "safe", "coherence", k=3, p=2)
    assert unchanged(folder)


def test_a_column_named_slice_is_refused(tmp_path):
    path = parquet(tmp_path / "s.parquet", "SELECT 1 AS slice, 'a' AS item")
    with pytest.raises(InputError, match="'slice' cannot be published"):
        setveil.append(path, tmp_path / "safe", "coherence", tid="slice", k=1, p=1)


def test_lists_without_ids_are_refused(tmp_path):
    path = parquet(tmp_path / "s.parquet", "SELECT ['a'] AS item")
    with pytest.raises(InputError, match="needs transaction ids"):
        setveil.append(path, tmp_path / "safe", "coherence", k=1, p=1)
