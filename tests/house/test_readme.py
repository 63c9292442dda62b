"""What the README shows can be typed as it stands.

`pytest tests/house/test_readme.py --update-golden` draws its picture anew.
"""

import json
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest

import setveil
from setveil.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
PICTURE = ROOT / "tests/golden/sweep.svg"
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


def commands(start):
    """The lines of the block that starts so, each as its arguments."""
    [shell] = [text for kind, text in BLOCKS if kind == "sh" and text.startswith(start)]
    for line in shell.replace("\\\n", " ").strip().splitlines():
        command, *arguments = shlex.split(line)
        assert command == "setveil"
        yield arguments


def test_the_commands(baskets):
    lines = list(commands("setveil advise"))
    assert len(lines) == 4
    for arguments in lines:
        assert run(arguments) == 0


def drawn(path):
    """The numbers behind a picture: how it is drawn is the drawing library's business."""
    return json.loads(ElementTree.parse(path).getroot().findtext("{*}desc"))


@pytest.mark.slow
def test_the_picture_is_what_its_commands_draw(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    for arguments in commands("setveil generate"):
        assert run(arguments) == 0
    if request.config.getoption("--update-golden"):
        PICTURE.write_bytes(Path("sweep.svg").read_bytes())
    assert f"]({PICTURE.relative_to(ROOT)})" in README
    assert PICTURE.stat().st_size < 100_000
    rows = drawn(PICTURE)
    assert drawn("sweep.svg") == rows
    lost = {(row["line"], row["k"]): row["information_loss"] for row in rows}
    for k in {row["k"] for row in rows}:
        assert lost["rm-all", k] > lost["mm", k] > max(lost["mm-il", k], lost["1-il", k])


def test_the_python(baskets, capsys):
    [python] = [text for kind, text in BLOCKS if kind == "python"]
    exec(compile(python, "README.md", "exec"), {})
    assert 0 <= float(capsys.readouterr().out) < 1
    assert Path("safe.parquet").is_file() and Path("audit.sql").is_file()


def test_it_stays_short():
    assert len(README.splitlines()) <= 150
