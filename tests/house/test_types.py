"""mypy sees the folders under their import names, whatever the install mode."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_mypy(tmp_path):
    tree = tmp_path / "setveil"
    tree.mkdir()
    for entry in (ROOT / "engine").iterdir():
        (tree / entry.name).symlink_to(entry)
    for folder in ("sql", "cli"):
        (tree / folder).symlink_to(ROOT / folder)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--cache-dir", str(ROOT / ".mypy_cache"), "-p", "setveil"]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
