"""The guide's notebook is run cell by cell, and shows what it did when it was written.

`pytest tests/show/test_notebook.py --update-golden` writes its outputs anew.
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import notebooks

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "engine/guide/notebook.ipynb"


@pytest.fixture(scope="module")
def ran(tmp_path_factory, request):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("notebook"))
        notebook = copy.deepcopy(notebooks.read(NOTEBOOK))
        notebooks.run_cells(notebook)
    if request.config.getoption("--update-golden"):
        NOTEBOOK.write_text(notebooks.written(notebook))
    return notebook


def own(notebook):
    """The outputs that setveil makes: other libraries may show their frames in another way."""
    for cell in notebooks.code_cells(notebook):
        for output in cell["outputs"]:
            html = "".join(output.get("data", {}).get("text/html", ()))
            yield re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL)


def test_its_outputs_are_those_that_it_shows(ran):
    shown = notebooks.read(NOTEBOOK)
    assert list(own(ran)) == list(own(shown))
    assert len(list(own(ran))) > 8


def test_it_is_a_notebook(ran):
    assert (ran["nbformat"], ran["nbformat_minor"]) == (4, 5)
    assert len({one["id"] for one in ran["cells"]}) == len(ran["cells"])
    for cell in notebooks.code_cells(ran):
        assert set(cell) == {"cell_type", "execution_count", "id", "metadata", "outputs", "source"}
    assert notebooks.written(ran) == NOTEBOOK.read_text()
    assert "/tmp" not in json.dumps(ran)


def test_every_result_is_a_table_there(ran):
    tables = [one for one in own(ran) if "<table" in one]
    assert len(tables) >= 8
    assert "replayed" in "".join(notebooks.code_cells(ran)[-2]["source"])
    assert notebooks.code_cells(ran)[-2]["outputs"][0]["data"]["text/plain"] == ["(True, True)"]


KERNEL = """
import sys, types
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython"].get_ipython = lambda: shell
import duckdb
try:
    duckdb.connect().execute("SET enable_progress_bar = true")
except duckdb.InvalidInputException as error:
    assert "ipywidgets" in str(error)
else:
    raise SystemExit("DuckDB does not take this for a notebook")
import setveil
rows = duckdb.sql("SELECT r // 2 AS tid, 'a' || r % 2 AS item FROM RANGE(9) AS t(r)")
with setveil.read(rows) as baskets:
    print(setveil.coherence(baskets, k=2, p=1).rows())
"""


def test_a_notebook_without_widgets_runs_models_too():
    """There DuckDB refuses its progress bar, and with it an error would end every run."""
    ran = subprocess.run(
        [sys.executable, "-c", KERNEL], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("[(0, 'a0'), (0, 'a1')")
