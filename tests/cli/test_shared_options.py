"""An option that commands share is declared in one file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from calls import shop
from setveil.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
FIELD = "    quiet: o.Quiet = False\n"
TOY = (
    '    loud: Annotated[bool, typer.Option("--loud", help="A toy: print in capitals.")] = False\n'
)
SHARING = (
    "inspect", "coherence", "hiding", "itemsets", "reidentify", "compare", "verify coherence",
    "sweep uncertainty",
)  # fmt: skip
HELP = """
import sys
from setveil.cli.main import run
for line in sys.argv[1:]:
    print("command", line, flush=True)
    run([*line.split(), "--help"])
"""


def test_a_field_of_a_group_is_an_option_of_its_commands(tmp_path):
    """One line in one file of a copy; the help of each command has it, and a run takes it."""
    package = tmp_path / "setveil"
    package.mkdir()
    for entry in (ROOT / "engine").iterdir():
        (package / entry.name).symlink_to(entry)
    (package / "sql").symlink_to(ROOT / "sql")
    shutil.copytree(ROOT / "cli", package / "cli")
    groups = package / "cli" / "groups.py"
    text = groups.read_text()
    assert text.count(FIELD) == 1
    groups.write_text(text.replace(FIELD, FIELD + TOY))
    (tmp_path / "a.csv").write_text("tid,item\n1,a\n2,a\n")

    def python(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    shown = python("-c", HELP, *SHARING).split("command ")[1:]
    assert [one.splitlines()[0] for one in shown] == list(SHARING)
    assert all("A toy: print in capitals." in one for one in shown)
    assert "transactions" in python("-m", "setveil", "inspect", "a.csv", "--loud")


TAKEN = (
    "guide --html taken",
    "reproduce local-generalization-table-1 --quick --table taken.md",
    "reproduce local-generalization-table-1 --quick --out taken",
    "coherence shop.parquet --k 3 --p 1 --out taken.parquet",
    "coherence shop.parquet --k 3 --p 1 --append target --trail taken.sql",
    "coherence shop.parquet --k 3 --p 1 --out s.csv --renumber --key taken.csv",
    "permutation shop.parquet --sensitive private.txt --degree 3 --out taken",
    "hierarchy shop.parquet --fanout 2 --out taken.csv",
    "inspect shop.parquet --report taken.html",
)


@pytest.mark.few(4)
@pytest.mark.parametrize("line", TAKEN)
def test_a_message_names_force_only_where_it_helps(tmp_path, monkeypatch, capsys, line):
    """An output is there already: what the message advises can be typed, and does it."""
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = line.split()
    place = tmp_path / next(one for one in words if one.startswith("taken"))
    if place.suffix:
        place.write_text("mine")
    else:
        (place / words[1]).mkdir(parents=True)
    assert run(words) == 2
    told = capsys.readouterr().err
    assert "taken" in told and ("exist" in told or "there" in told), told
    if "--force" in told and place.suffix:
        assert run([*words, "--force"]) == 0 and place.read_bytes() != b"mine"
    elif place.suffix:
        assert place.read_text() == "mine"
