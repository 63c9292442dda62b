"""The plug: one entry of the registry gives a model its commands.

The toy has no SQL module, trail or typed function; `setveil.models` lists what a whole model has.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import sys
import textwrap
from pathlib import Path

import pytest

import setveil
from setveil.cli.lazy import commands
from setveil.cli.main import run
from setveil.models import REGISTRY
from setveil.models.model import NEEDED

TOY = {
    "__init__.py": '''
        """Toy: no item is rare. Rare items are suppressed."""

        from setveil.models.model import Late, Model, count, flag

        MODEL = Model(
            name="toy", title="toy", paper="none", short="Toy: no item is rare.",
            about="Toy: suppress rare items.", guarantee="every item is held by least transactions",
            violation="Items that are rare.",
            promise=(count("least", "Each item is in at least N transactions."),),
            method=(flag("eager", "Suppress one item more."),),
            anonymize=Late("toy_model.anonymize", "toy"), judge=Late("toy_model.check", "judge"),
            texts="toy_model.texts", axes=("least",), cost="information_loss",
            counts=("suppressed_items", "items"),
        )
    ''',
    "anonymize.py": """
        from dataclasses import dataclass

        from setveil.run.release import Release, kept, make_release
        from setveil.sql.step import Step, duck
        from toy_model.check import check

        @dataclass(frozen=True)
        class Metrics:
            items: int
            suppressed_items: int
            information_loss: float

        def toy(baskets, *, least, eager=False):
            session = baskets.session
            session.begin()
            rare = [int(item) for item, support in session.ask(Step(
                "rare", "supports of items", duck("SELECT item, support FROM item ORDER BY item")
            )) if support < least + eager]
            session.decide("suppressed_item", "rare items", rare)
            made = kept(baskets, everywhere=True)
            verdict = make_release(baskets, made, lambda cells: check(session, cells, least))
            metrics = Metrics(baskets.items, len(rare), len(rare) / max(1, baskets.items))
            return Release(baskets, model="toy", parameters={"least": least}, verdict=verdict,
                           metrics=metrics, run=session.runs)
    """,
    "check.py": """
        from dataclasses import dataclass

        from setveil.errors import CheckError
        from setveil.sql.step import Step, duck

        @dataclass(frozen=True)
        class Verdict:
            holds: bool
            checked: int

            def refusal(self):
                return CheckError("an item is rare")

        def check(session, cells, least):
            rows = session.ask(Step("check_toy", "supports of items", duck(
                "SELECT c.name AS name, COUNT(DISTINCT c.key) AS n FROM $cells AS c "
                "WHERE NOT c.name IS NULL GROUP BY c.name", cells=cells)))
            return Verdict(all(n >= least for _, n in rows), len(rows))

        def judge(case, *, least):
            return check(case.session, case.cells, least)
    """,
    "texts.py": """
        def release(made):
            yield f"toy: every item is in {made.parameters['least']} transactions"
            yield [("items suppressed", made.metrics.suppressed_items)]

        def verdict(found):
            yield "holds" if found.holds else "does not hold"
    """,
}


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A model in a folder of its own, in the registry."""
    folder = tmp_path / "toy_model"
    folder.mkdir()
    for name, text in TOY.items():
        (folder / name).write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    model = importlib.import_module("toy_model").MODEL
    monkeypatch.setitem(REGISTRY, "toy", model)
    (tmp_path / "a.csv").write_text("tid,item\n1,a\n2,a\n2,b\n3,a\n")
    yield model
    for name in [name for name in sys.modules if name.startswith("toy_model")]:
        del sys.modules[name]


def test_a_model_has_its_commands(toy, capsys):
    assert run("toy a.csv --least 2 --out safe.csv".split()) == 0
    assert capsys.readouterr().out.startswith("toy: every item is in 2 transactions\n")
    assert Path("safe.csv").read_text() == "tid,item\n1,a\n2,a\n3,a\n"
    assert run("verify toy safe.csv --least 2".split()) == 0
    assert run("verify toy a.csv --least 2".split()) == 1
    assert "does not hold" in capsys.readouterr().out
    assert run("sweep toy a.csv --least 1,2,4".split()) == 0
    assert "least" in capsys.readouterr().out
    assert run("compare a.csv safe.csv --verify toy --least 2".split()) == 0
    assert "toy (least = 2) holds" in capsys.readouterr().out
    assert run("compare a.csv safe.csv --verify toy --least 4".split()) == 1


def test_a_model_is_in_the_help_and_in_json(toy, capsys):
    assert run(["--help"]) == 0
    assert "Toy: no item is rare." in capsys.readouterr().out
    for line in ("toy --help", "sweep toy --help"):
        assert run(line.split()) == 0
        said = capsys.readouterr().out
        assert "--least" in said and "--eager" in said
    assert run("verify toy --help".split()) == 0
    said = capsys.readouterr().out
    assert "--least" in said and "--eager" not in said
    for line in ("toy a.csv --least 2 --eager --json", "verify toy a.csv --least 1 --json"):
        assert run(line.split()) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["guarantee"]["model"] == "toy"
        assert found["parameters"]["least"] in (1, 2)


@pytest.mark.parametrize("model", REGISTRY.values(), ids=lambda one: one.name)
def test_a_function_takes_the_parameters_of_its_entry(model):
    given = inspect.signature(model.anonymize.get()).parameters
    own = {
        name: NEEDED if one.default is one.empty else one.default
        for name, one in given.items()
        if name not in ("baskets", "ignore_unknown", "force_large")
    }
    assert own.keys() == {one.name for one in model.params}
    for one in model.params:
        assert (own[one.name] is NEEDED) == one.needed
        if not one.needed and one.default is not None:
            assert str(own[one.name]) == str(one.default)
    judged = set(inspect.signature(model.judge.get()).parameters) - {"case"}
    assert judged == {one.name for one in model.promise}
    assert getattr(setveil, model.function, None) is model.anonymize.get(), "engine/__init__"
    assert callable(getattr(setveil.verify, model.function, None)), "engine/verify"


@pytest.mark.parametrize("model", REGISTRY.values(), ids=lambda one: one.name)
def test_an_entry_says_all_that_is_shown(model):
    assert all(one.help.endswith(".") for one in model.params)
    assert set(model.axes) <= {one.name for one in model.params}
    assert len(model.short) <= 62 and model.name in commands()


@pytest.mark.parametrize("model", REGISTRY.values(), ids=lambda one: one.name)
def test_a_checker_imports_no_anonymizer(model):
    module = importlib.import_module(model.judge.module)
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert not node.module.endswith((".anonymize", ".search", ".choose"))


@pytest.mark.parametrize("model", REGISTRY.values(), ids=lambda one: one.name)
def test_the_readme_has_a_row_for_each_entry(model, pytestconfig):
    readme = (pytestconfig.rootpath / "README.md").read_text()
    rows = [line for line in readme.splitlines() if f"| `{model.name}` |" in line]
    assert rows, (
        f"add a row to README: | {model.title} [n] | `{model.name}` | … | {model.guarantee} |"
    )
    (row,) = rows
    assert row.startswith(f"| {model.title} [") and row.endswith(f"| {model.guarantee} |")
    assert all(one.option in row for one in model.promise if one.needed)
