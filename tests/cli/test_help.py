"""Help begins with examples that run, and shows every option once, in its group."""

from __future__ import annotations

import re
import shlex

import pytest

from runs import parquet
from setveil.cli import helping
from setveil.cli.examples import EXAMPLES, ORDERS, RELEASED
from setveil.cli.lazy import commands
from setveil.cli.main import run
from setveil.models import REGISTRY

ROWS = """
    SELECT t.range AS tid, i.item AS item, 'c' || t.range // 3 AS customer
    FROM RANGE(240) AS t, (VALUES
        ('bread', 1), ('milk', 2), ('Rx alpha', 5), ('beer', 3), ('tempeh', 80), ('Rx beta', 7)
    ) AS i(item, n)
    WHERE (t.range + t.range // 3) % i.n = 0
"""
GROUPS = """
    SELECT * FROM (VALUES ('bread', 'food'), ('milk', 'food'), ('tempeh', 'food'),
        ('beer', 'drinks'), ('Rx alpha', 'drugs'), ('Rx beta', 'drugs')) AS g(item, level1)
"""
LONG = "setveil coherence orders.parquet --private \"where:name LIKE 'Rx %'\" --h 0.4 --k 5 --p 2"


def everyone():
    """All commands by their whole names."""
    for name in commands():
        if name in ("verify", "sweep"):
            yield from (f"{name} {model}" for model in REGISTRY)
        else:
            yield name


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parquet(tmp_path / ORDERS, ROWS)
    parquet(tmp_path / "groups.parquet", GROUPS)
    (tmp_path / "secret.txt").write_text("Rx alpha\n")
    (tmp_path / "patterns.txt").write_text("bread,beer\n")
    return tmp_path


def made_before(name, command):
    """The commands that make what an example reads."""
    out = {one: f"{one} {ORDERS} {more[0]}" for one, more in RELEASED.items()}
    made = []
    if name.startswith("verify "):
        made.append(out[name.removeprefix("verify ")])
    if name in ("compare", "replay"):
        made.append(f"{out['coherence']} --trail audit.sql")
    if "nodes.parquet" in command:
        made.append(out["k-anonymity" if name != "verify km-anonymity" else "km-anonymity"])
        made[-1] = made[-1].replace("safe.parquet", "nodes.parquet")
        made = made[-1:] if name != "compare" else made
    if "renamed.parquet" in command and ORDERS not in command:
        made.append(f"rename {ORDERS} --out renamed.parquet --key names.parquet")
        made.append(f"itemsets {ORDERS} --min-support 0.1 --out published.parquet")
    return made


RUN = [(name, line) for name, lines in EXAMPLES.items() for line in lines if name != "demo"]


@pytest.mark.few(3)
@pytest.mark.parametrize(("name", "command"), RUN)
def test_every_example_runs(folder, capsys, name, command):
    program, *words = shlex.split(command)
    assert program == "setveil" and words[: len(name.split())] == name.split()
    for one in made_before(name, command):
        assert run([*shlex.split(one), "--quiet"]) == 0, one
    if name == "generate":
        (folder / "groups.parquet").unlink()
    assert run(words) == 0, capsys.readouterr().err


def test_every_command_has_examples():
    assert set(everyone()) == set(EXAMPLES)


@pytest.mark.few(4)
@pytest.mark.parametrize("name", [*everyone()])
def test_help_begins_with_examples_and_groups_options(capsys, name):
    assert run([*name.split(), "--help"]) == 0
    said = capsys.readouterr().out
    joined = re.sub(r" \\\n +", " ", said)
    assert all(f"\n  {one}\n" in joined for one in EXAMPLES[name])
    assert said.index("Examples:") < said.index("\nOptions:" if "\nOptions:" in said else "--help")
    listed = re.findall(r"^  (--[a-z-]+)(?: \S+)?(?:  |$)", said, re.MULTILINE)
    assert len(listed) == len(set(listed))


def test_promises_stand_before_the_machine(capsys):
    run(["coherence", "--help"])
    said = capsys.readouterr().out
    titles = re.findall(r"^([A-Z][a-z ]+):$", said, re.MULTILINE)
    assert titles[:4] == ["Examples", "Arguments", helping.PROTECT, helping.HOW]
    place = {name: said.index(f"\n  {name} ") for name in ("--k", "--method", "--tid", "--threads")}
    assert sorted(place, key=place.__getitem__) == ["--k", "--method", "--tid", "--threads"]


@pytest.mark.parametrize("width", [40, 60, 200])
def test_long_examples_are_wrapped_for_a_shell(width):
    lines = helping.wrapped(LONG, width)
    joined = "\n".join(lines).replace("\\\n", "")  # a shell does so
    assert shlex.split(joined) == shlex.split(LONG)
    assert (len(lines) == 1) == (width == 200)
