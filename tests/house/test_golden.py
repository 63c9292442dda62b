"""The SQL of every builder is kept as text, one script per module: changes show in the diff.

`pytest tests/house/test_golden.py --update-golden` writes the scripts anew. A builder that takes
a level is kept at the levels 2 and 3.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import setveil.sql
from steps import MODULES, called, steps, text

GOLDEN = Path(__file__).parents[1] / "golden"

MACHINERY = {"step"}
NO_STEPS = {
    "above_others",
    "at_places",
    "cells",
    "counts_in_numbers",
    "decided",
    "groups_in_numbers",
    "holders",
    "key_rows",
    "label_rows",
    "listed_rows",
    "named_rows",
    "named_write",
    "nodes_as_items",
    "owner_rows",
    "part",
    "plain",
    "published",
    "renumbered",
    "roles",
    "secret",
    "trimmed",
    "with_parts",
    "with_text",
}


def script(module: ModuleType) -> str:
    """All statements of a module, each below the name that the test gives it."""
    return "\n".join(f"-- {name}\n{text(step)}" for name, step in steps(module).items())


@pytest.mark.parametrize("module", MODULES, ids=called)
def test_sql_is_as_it_was(module: ModuleType, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{called(module)}.sql"
    if request.config.getoption("--update-golden"):
        path.write_text(script(module), encoding="utf-8")
    assert script(module) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("module", MODULES, ids=called)
def test_every_builder_is_kept(module: ModuleType) -> None:
    """A builder that is not kept is missing from the steps in tests/helpers/steps*.py."""
    kept = {name.partition("-")[0] for name in steps(module)}
    builders = {
        name
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and function.__annotations__.get("return") == "Step"
    }
    assert kept - NO_STEPS == builders


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.sql")} == {called(module) for module in MODULES}


@pytest.mark.few(20)
@pytest.mark.parametrize("module", MODULES, ids=called)
def test_steps_do_not_share_their_trees(module: ModuleType) -> None:
    """A builder that is called again answers the same: nothing of the first call was used up."""
    first = {name: text(step) for name, step in steps(module).items()}
    again = {name: text(step) for name, step in steps(module).items()}
    assert first == again


def test_every_module_with_steps_is_kept() -> None:
    """A module that is missing is added to SOURCES in tests/helpers/steps*.py."""
    folder = Path(setveil.sql.__file__).parent
    with_steps = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if re.search(r"^def [a-z]\w*\([^)]*\) -> Step:", path.read_text(), re.MULTILINE)
    }
    kept = {module.__name__.removeprefix("setveil.sql.") for module in MODULES}
    assert with_steps - MACHINERY <= kept
