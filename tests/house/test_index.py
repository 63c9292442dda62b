"""The package is ready for an index: what is built there is whole, and runs by itself.

Each environment is made anew and installs from the index that pip is set to, as a user's does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "tests", "*.egg-info", "demo", "build")


def environment(folder: Path, *packages: str) -> Path:
    """A new environment with these packages, and the path of its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin/python"
    ran(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)
    return python


def ran(*words: object, where: Path | None = None) -> str:
    """The output of a program that knows nothing of the environment of the tests."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(
        [*map(str, words)], cwd=where, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist and the wheel, built from a copy of the project; the wheel is made of the sdist."""
    folder = tmp_path_factory.mktemp("index")
    python = environment(folder / "builder", "build", "twine")
    shutil.copytree(ROOT, folder / "project", ignore=LEFT_OUT)
    ran(python, "-m", "build", "--outdir", folder / "dist", where=folder / "project")
    files = sorted((folder / "dist").iterdir())
    assert [one.suffix for one in files] == [".whl", ".gz"]
    said = ran(python, "-m", "twine", "check", "--strict", *files)
    assert said.count("PASSED") == 2 and "WARNING" not in said
    return files


@pytest.mark.slow
def test_the_files_have_all_parts_and_no_tests(built):
    wheel, sdist = built
    names = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    for folder, place in (("engine", "setveil"), ("sql", "setveil/sql"), ("cli", "setveil/cli")):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md", ".css", ".typed", ".ipynb"):
                assert f"{place}/{path.relative_to(ROOT / folder)}" in names
                assert str(path.relative_to(ROOT)) in sources
    assert {"README.md", "LICENSE", "pyproject.toml"} <= sources
    assert not any("test" in Path(name).parts for name in names)


@pytest.mark.slow
def test_the_wheel_alone_runs_the_demo_and_the_notebook_in_a_kernel(built, tmp_path):
    python = environment(tmp_path / "empty", built[0])
    setveil = python.with_name("setveil")
    told = ran(setveil, "demo", where=tmp_path)
    assert told.splitlines()[-1].startswith("demo: done in ")
    assert (tmp_path / "demo/safe.parquet").stat().st_size > 0
    ran(python, "-m", "pip", "install", "-q", "pandas", "pyarrow", "nbclient", "ipykernel")
    kernel = "import nbclient, nbformat, setveil, pathlib; " + "; ".join(
        [
            "path = pathlib.Path(setveil.__file__).parent / 'guide/notebook.ipynb'",
            "notebook = nbformat.read(path, 4)",
            "nbformat.validate(notebook)",
            "nbclient.NotebookClient(notebook, kernel_name='python3', timeout=300).execute()",
            "print(notebook.cells[-2].outputs[0]['data']['text/plain'])",
        ]
    )
    assert ran(python, "-c", kernel, where=tmp_path).strip() == "(True, True)"
