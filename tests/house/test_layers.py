"""Three layers, one door each: sql knows no one, engine knows sql, cli knows both."""

import ast
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAY_NOT = {
    "sql": ("duckdb", "numpy", "highspy", "typer", "rich", "setveil.cli", "setveil.run.session"),
    "engine": ("typer", "rich", "setveil.cli"),
    "cli": ("duckdb", "sqlglot", "setveil.sql"),
}
# `python -m setveil` is the command line's other door.
EXEMPT = {"engine/__main__.py"}
MODULES = [
    path
    for folder in MAY_NOT
    for path in sorted((ROOT / folder).rglob("*.py"))
    if str(path.relative_to(ROOT)) not in EXEMPT
]


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_layer(path):
    banned = MAY_NOT[path.relative_to(ROOT).parts[0]]
    names = [
        name
        for name in imported(path)
        if any(name == one or name.startswith(f"{one}.") for one in banned)
    ]
    assert not names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_promises(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_what_to_install_is_said_in_one_place():
    said = [path for path in MODULES if "pip install" in path.read_text()]
    assert said == [ROOT / "engine/errors.py"]


def test_ruff():
    for arguments in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *arguments, str(ROOT)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stdout + run.stderr
