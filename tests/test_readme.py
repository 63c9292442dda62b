"""What the README shows can be typed as it stands."""

import re
import shlex
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.cli.main import run

README = (Path(__file__).resolve().parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture
def baskets(tmp_path, monkeypatch):
    """Baskets under the names that the README uses."""
    monkeypatch.chdir(tmp_path)
    setveil.generate("made.parquet", transactions=2000, items=60, length=5, seed=3)
    duckdb.sql(
        "COPY (SELECT tid AS basket, item AS product FROM 'made.parquet' ORDER BY ALL)"
        " TO 'baskets.parquet'"
    )


def test_the_commands(baskets):
    [shell] = [text for kind, text in BLOCKS if kind == "sh" and text.startswith("setveil inspect")]
    lines = shell.replace("\\\n", " ").strip().splitlines()
    assert len(lines) == 4
    for line in lines:
        command, *arguments = shlex.split(line)
        assert command == "setveil"
        assert run(arguments) == 0


def test_the_python(baskets, capsys):
    [python] = [text for kind, text in BLOCKS if kind == "python"]
    exec(compile(python, "README.md", "exec"), {})
    assert 0 <= float(capsys.readouterr().out) < 1
    assert Path("safe.parquet").is_file() and Path("audit.sql").is_file()


def test_it_stays_short():
    assert len(README.splitlines()) <= 150
