"""The guide's page on the nightly job can be typed as it stands: its blocks are run in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "engine/guide/nightly.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)
PLACE = "/srv/shop"
# Every item is in enough baskets of each night; later nights have more of the same.
SALES = """
    SELECT b.range AS tid, i.item AS item, 'c' || b.range % 97 AS customer
    FROM RANGE($1, $2) AS b,
        (VALUES ('bread', 1), ('milk', 2), ('beer', 3), ('tea', 5)) AS i(item, n)
    WHERE b.range % i.n = 0
"""


class Shop:
    """The folder of the page, and a shell in it that has `setveil`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = folder / "bin" / "setveil"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m setveil "$@"\n')
        command.chmod(0o755)

    def run(self, text: str) -> str:
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euc", text.replace(PLACE, str(self.folder))],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sell(self, first: int, last: int) -> None:
        with self.opened() as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS sales(tid INT, item TEXT, customer TEXT)"
            )
            connection.execute(f"INSERT INTO sales {SALES}", [first, last])

    def opened(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(str(self.folder / "shop.duckdb"))

    def rows(self, text: str) -> list[tuple[object, ...]]:
        with self.opened() as connection:
            return connection.execute(text).fetchall()


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    made = Shop(tmp_path)
    with duckdb.connect() as connection:
        for name, last in (("january", 300), ("february", 303)):
            connection.sql(SALES, params=[0, last]).write_parquet(str(tmp_path / f"{name}.parquet"))
    made.sell(0, 300)
    return made


def block(kind: str, start: str) -> str:
    (found,) = [text for one, text in BLOCKS if one == kind and start in text]
    return found


@pytest.mark.slow
def test_the_page_can_be_typed_as_it_stands(shop: Shop) -> None:
    job, cron = block("sh", "# nightly.sh"), block("cron", "nightly.sh")
    used = [job, cron]
    (shop.folder / "nightly.sh").write_text(job.replace(PLACE, str(shop.folder)))
    times, command = re.fullmatch(r"((?:\S+ ){5})(.*)\n", cron).groups()  # type: ignore[union-attr]
    assert re.fullmatch(r"\d+ \d+ \* \* \* ", times)
    shop.run(command)
    assert shop.rows("SELECT DISTINCT slice FROM safe ORDER BY ALL") == [(1,)]
    shop.run(command)
    assert shop.rows("SELECT DISTINCT slice FROM safe ORDER BY ALL") == [(1,)]
    shop.sell(300, 600)
    shop.run(command)
    assert shop.rows("SELECT DISTINCT slice FROM safe ORDER BY ALL") == [(1,), (2,)]
    assert "holds" in (shop.folder / "nightly.log").read_text()
    assert (shop.folder / "shop.duckdb.safe.ledger").stat().st_mode & 0o777 == 0o600

    test = block("sh", "safe_is_coherent.sql")
    shop.run(test)
    query = (shop.folder / "tests/safe_is_coherent.sql").read_text()
    assert shop.rows(query) == []
    with shop.opened() as connection:
        connection.execute("CREATE TABLE kept AS FROM safe")
        connection.execute("INSERT INTO safe SELECT 0, 'plum', 1")
    assert shop.rows(query) != []
    with shop.opened() as connection:
        connection.execute("CREATE OR REPLACE TABLE safe AS FROM kept")

    erasure = block("sh", "--erase")
    shop.run(erasure)
    assert shop.rows("SELECT tid FROM safe WHERE tid IN (17, 23)") == []

    history = block("sh", "--history")
    told = shop.run(history)
    assert "released_february.parquet, of transactions that released_january.parquet lacks" in (
        told.replace(f"{shop.folder}/", "")
    )
    assert told.endswith("exit code 1\n")
    assert [text for _, text in BLOCKS if text not in [*used, test, erasure, history]] == []
