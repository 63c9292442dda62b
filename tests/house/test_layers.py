"""Three layers, one door each: sql knows no one, engine knows sql, cli knows both."""

import ast
import pathlib
import subprocess
import sys
from functools import cache

from setveil.backends.registry import REGISTRY

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAY_NOT = {
    "sql": (
        "duckdb",
        "numpy",
        "highspy",
        "typer",
        "rich",
        "setveil.cli",
        "setveil.run.session",
        "setveil.backends",
    ),
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


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def imported(path):
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_layers():
    """One test for all modules: a test for each takes longer than to look at it."""
    for path in MODULES:
        banned = MAY_NOT[path.relative_to(ROOT).parts[0]]
        names = [
            name
            for name in imported(path)
            if any(name == one or name.startswith(f"{one}.") for one in banned)
        ]
        assert not names, path


BACKENDS = ROOT / "engine/backends"
DRIVERS = ("duckdb", "psycopg", "pyspark", "adbc_driver_manager", "adbc_driver_postgresql")
CLASSES = {"DuckDB", "Postgres", "Spark", "Server", "Local"}
OUTSIDE = [path for path in MODULES if BACKENDS not in path.parents]
INSIDE = [path for path in MODULES if BACKENDS in path.parents]


def folders():
    """The folder of each kind of database."""
    return [one.parent for one in sorted(BACKENDS.glob("*/__init__.py"))]


def names_of_kinds():
    return {word for kind in REGISTRY for word in (kind.name, kind.engine)}


def compared(tree):
    """Every text that something is compared with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for one in ast.walk(node):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def classes_asked(tree):
    """The classes that something is asked to be of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            for one in ast.walk(node.args[1]):
                yield getattr(one, "id", getattr(one, "attr", None))


def test_a_database_is_named_in_its_folder_alone():
    kinds = tuple(f"setveil.backends.{one.name}" for one in folders())
    for path in OUTSIDE:
        tree = tree_of(path)
        texts = [getattr(one, "value", None) for one in ast.walk(tree)]
        names = [*imported(path), *(one for one in texts if isinstance(one, str))]
        assert not [name for name in imported(path) if name.split(".")[0] in DRIVERS], path
        assert not [name for name in names if name.startswith(kinds)], path
        assert not CLASSES & set(classes_asked(tree)), path
        if path.relative_to(ROOT).parts[0] != "sql":  # its dialects have names
            assert not names_of_kinds() & set(compared(tree)), path


def test_a_database_knows_no_model():
    known = ("backends", "errors", "run.inputs", "run.session", "run.files.source", "sql")
    for path in INSIDE:
        told = [
            one.removeprefix("setveil.") for one in imported(path) if one.startswith("setveil.")
        ]
        assert not [name for name in told if not name.startswith(known)], path


def test_no_model_knows_that_it_is_rehearsed():
    for path in OUTSIDE:
        if path.relative_to(ROOT).parts[:2] not in {("engine", "run"), ("engine", "trail")}:
            tree = tree_of(path)
            assert "dry" not in {getattr(one, "attr", None) for one in ast.walk(tree)}, path


def test_each_kind_of_database_has_one_entry():
    assert sorted(one.folder for one in REGISTRY) == [
        f"setveil.backends.{one.name}" for one in folders()
    ]
    assert all(one.trail.dialect for one in REGISTRY)


def test_no_folder_has_more_than_fifteen_modules():
    held = {folder: len(list(folder.glob("*.py"))) for folder in {one.parent for one in MODULES}}
    assert not {str(one.relative_to(ROOT)) for one, number in held.items() if number > 15}


def loaded(path, modules):
    """The modules that are loaded before this one is."""
    tree = tree_of(path)
    for node in tree.body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            yield from (one for one in (name, name.rpartition(".")[0]) if one in modules)


def module_of(path):
    folder, *rest = path.relative_to(ROOT).with_suffix("").parts
    room = ["setveil"] if folder == "engine" else ["setveil", folder]
    return ".".join([*room, *(one for one in rest if one != "__init__")])


def test_no_module_waits_for_itself():
    modules = {module_of(path): path for path in MODULES}
    needs = {name: set(loaded(path, modules)) - {name} for name, path in modules.items()}
    while ready := {name for name, others in needs.items() if not others}:
        needs = {name: others - ready for name, others in needs.items() if name not in ready}
    assert not needs


def test_every_module_says_what_it_promises():
    assert not [path for path in MODULES if not ast.get_docstring(tree_of(path))]


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


# A run speaks to a database, whose server takes the session of a run; and it writes its trail.
BOTH_WAYS = {frozenset(("backends", "run")), frozenset(("run", "trail"))}


def room_of(name):
    parts = name.split(".")
    return parts[1] if parts[0] == "setveil" and len(parts) > 1 else ""


def test_rooms_depend_one_way():
    """Imports inside functions count, too."""
    rooms = {one.name for one in (ROOT / "engine").iterdir() if (one / "__init__.py").exists()}
    ways = {
        (room_of(module_of(path)), room_of(name))
        for path in MODULES
        if path.is_relative_to(ROOT / "engine")
        for name in imported(path)
    }
    ways = {way for way in ways if set(way) <= rooms and way[0] != way[1]}
    assert len(ways) > 20
    assert {frozenset(way) for way in ways if way[::-1] in ways} == BOTH_WAYS
