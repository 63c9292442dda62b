"""What is installed is what is in the folders, under one name, and only by that name."""

import ast
import importlib
import pathlib
import subprocess
import sys
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETUPTOOLS = PROJECT["tool"]["setuptools"]


def test_every_package_folder_is_listed():
    on_disk = {
        ".".join([package, *init.parent.relative_to(ROOT / folder).parts])
        for package, folder in SETUPTOOLS["package-dir"].items()
        for init in (ROOT / folder).rglob("__init__.py")
    }
    assert on_disk == set(SETUPTOOLS["packages"])


def test_the_guide_is_shipped_and_linked():
    shipped = {
        path
        for pattern in SETUPTOOLS["package-data"]["setveil"]
        for path in (ROOT / SETUPTOOLS["package-dir"]["setveil"]).glob(pattern)
    }
    guide = set((ROOT / "engine/guide").iterdir())
    assert guide and guide <= shipped
    readme = (ROOT / "README.md").read_text()
    assert all(f"]({path.relative_to(ROOT)})" in readme for path in guide)


@pytest.mark.parametrize("folder", sorted(SETUPTOOLS["package-dir"].values()))
def test_a_folder_is_not_importable_by_its_own_name(folder):
    run = subprocess.run(
        [sys.executable, "-c", f"import {folder}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert f"not '{folder}'" in run.stderr


def test_every_public_name_is_declared_for_type_checkers_too():
    setveil = importlib.import_module("setveil")
    tree = ast.parse((ROOT / "engine/__init__.py").read_text())
    declared = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("setveil")
        for alias in node.names
    }
    kept = {(module, name) for module, names in setveil.WHERE.items() for name in names.split()}
    assert declared == kept | {("setveil", "verify")}
    assert dir(setveil) == setveil.__all__ == sorted(setveil.__all__)
    assert all(getattr(setveil, name) for name in setveil.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        importlib.import_module("setveil").nothing  # noqa: B018


@pytest.mark.parametrize("line", ["--version", "--help", "verify --help"])
def test_names_and_help_import_no_database(line):
    heavy = "duckdb", "sqlglot", "numpy", "highspy", "psycopg", "pyspark", "altair"
    code = (
        "import sys; from setveil.cli.main import run; run(sys.argv[1:]); "
        f"sys.exit(any(name in sys.modules for name in {heavy}))"
    )
    subprocess.run([sys.executable, "-c", code, *line.split()], check=True, capture_output=True)


def test_public_functions_are_documented():
    setveil = importlib.import_module("setveil")
    undocumented = [name for name in setveil.__all__ if not getattr(setveil, name).__doc__]
    assert not undocumented


def test_the_module_runs_as_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "setveil", "--version"],
        capture_output=True, text=True, check=True, cwd=ROOT / "tests",
    )  # fmt: skip
    assert run.stdout == f"setveil {PROJECT['project']['version']}\n"


def test_the_changelog_tells_of_this_version():
    version = PROJECT["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_what_an_extra_needs_is_told_by_its_packages():
    """No index has setveil by this name."""
    from setveil.errors import PACKAGES, install

    extras = PROJECT["project"]["optional-dependencies"]
    named = {extra: tuple(one.partition(">=")[0] for one in extras[extra]) for extra in PACKAGES}
    assert named == PACKAGES
    assert install("postgres") == f"{sys.executable} -m pip install 'psycopg[binary]'"
