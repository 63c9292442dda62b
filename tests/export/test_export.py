"""The files that `setveil export` writes: whole, of their dialect, and over no file of others."""

from __future__ import annotations

import re

import pytest

import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.export import dbt
from setveil.export.template import VARIANTS, filled, marked
from setveil.sql.dialects import EXPORTS


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dbt") / "setveil"
    setveil.export_tests("dbt", folder, dialects=["duckdb"])
    return folder


def test_a_package_has_a_query_for_every_case_of_its_tests(package):
    queries = (package / "macros/queries_duckdb.sql").read_text()
    made = set(re.findall(r"macro duckdb__(\w+)\(a\)", queries))
    called = set()
    for name in dbt.TESTS:
        text = (package / f"tests/generic/{name}.sql").read_text()
        called |= set(re.findall(r"adapter.dispatch\('(\w+)', 'setveil'\)", text))
    assert made == called and len(made) == len(VARIANTS)


def test_no_mark_is_left_in_a_query(package):
    text = (package / "macros/queries_duckdb.sql").read_text()
    assert not re.search(r'"setveil_|900000001|123456789', text)


@pytest.mark.parametrize("dialect", EXPORTS)
def test_every_mark_of_a_dialect_is_replaced(dialect):
    names = dict.fromkeys(dbt.NAMES, "x")
    text = filled(marked(VARIANTS[3], dialect), names, dbt.NUMBERS)
    assert not re.search(r"setveil_|900000001|123456789", text, re.IGNORECASE)


def test_files_of_others_are_not_overwritten(tmp_path, package):
    taken = tmp_path / "dbt_project.yml"
    taken.write_text("name: mine\n")
    with pytest.raises(InputError, match="exists already"):
        setveil.export_tests("dbt", tmp_path, dialects=["duckdb"])
    assert taken.read_text() == "name: mine\n" and list(tmp_path.iterdir()) == [taken]
    with pytest.raises(InputError, match="no folder"):
        setveil.export_tests("dbt", taken, dialects=["duckdb"])


def test_the_command(tmp_path, capsys):
    assert run(["export", "nothing", str(tmp_path)]) == 2
    assert run(["export", "dbt", str(tmp_path), "--dialect", "oracle"]) == 2
    assert run(["export", "sqlmesh", str(tmp_path), "--dialect", "duckdb,postgres"]) == 2
    assert not list(tmp_path.iterdir())
    capsys.readouterr()
    assert run(["export", "sqlmesh", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"written: {len(VARIANTS)} files in {tmp_path}\n"
    text = (tmp_path / "audits/setveil_k_anonymity.sql").read_text()
    assert "name setveil_k_anonymity," in text and "FROM @this_model AS r" in text
    assert run(["export", "sqlmesh", str(tmp_path)]) == 2
    assert run(["export", "sqlmesh", str(tmp_path), "--force"]) == 0


def test_a_package_is_not_put_among_other_files(tmp_path):
    (tmp_path / "slice-000001.parquet").touch()
    with pytest.raises(InputError, match="slice-000001"):
        setveil.export_tests("dbt", tmp_path, dialects=["duckdb"])
    assert len(list(tmp_path.iterdir())) == 1
