"""The job of the guide's page on growing data, as cron runs it: again, and with an altered target.

`test_guide` runs all blocks of the page.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from setveil.show import guide

PLACE = "/srv/shop"
BLOCKS = re.findall(r"```(\w+)[^\n]*\n(.*?)```", guide.topic("nightly").text, flags=re.DOTALL)


class Shop:
    """The folder of the page, and a shell in it that has `setveil`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = folder / "bin" / "setveil"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m setveil "$@"\n')
        command.chmod(0o755)

    def run(self, text: str) -> None:
        own = [str(self.folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
        done = subprocess.run(
            ["bash", "-euc", text.replace(PLACE, str(self.folder))],
            env=os.environ | {"PATH": os.pathsep.join(own)},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def rows(self, text: str) -> list[tuple[object, ...]]:
        with duckdb.connect(str(self.folder / "shop.duckdb")) as connection:
            return connection.execute(text).fetchall()


def block(kind: str, words: str) -> str:
    """The only block of a kind that has these words."""
    (found,) = [text for one, text in BLOCKS if one == kind and words in text]
    return found


SLICES = "SELECT DISTINCT slice FROM safe ORDER BY ALL"


@pytest.mark.slow
def test_cron_runs_the_job_every_night(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.run(block("sh", "setveil generate"))
    shop.run(block("sh", "cat > nightly.sh").replace("\nsh nightly.sh\n", "\n"))
    times, job = block("crontab", PLACE).strip().split(" sh ", 1)
    assert re.fullmatch(r"\d+ \d+ \* \* \*", times)
    shop.run(f"sh {job}")
    shop.run(f"sh {job}")
    assert shop.rows(SLICES) == [(1,)]
    shop.run(block("sh", "INSERT INTO sales").replace("sh nightly.sh\n", f"sh {job}\n"))
    assert shop.rows(SLICES) == [(1,), (2,)]
    assert (shop.folder / "shop.duckdb.safe.ledger").stat().st_mode & 0o777 == 0o600
    shop.run(block("sh", "--query"))
    query = (shop.folder / "tests/safe_is_coherent.sql").read_text()
    assert shop.rows(query) == []
    held = "SELECT COUNT(DISTINCT tid) FROM safe"  # of random numbers
    assert shop.rows(held) == [(3000,)]
    shop.run(block("sh", "--erase"))
    assert shop.rows(held) == [(2998,)]
    shop.rows("INSERT INTO safe SELECT 0, 'plum', 1")
    assert shop.rows(query) != []
    with pytest.raises(AssertionError, match="changed after it was checked"):
        shop.run("sh nightly.sh")
