"""Names with a schema, quoted or not, wherever a command takes a table."""

from __future__ import annotations

import shlex

import duckdb
import pytest

from setveil.cli.main import run

ODD = """ '"Odd Schema"."or.ders"' """
CALLS = [
    f"inspect {ODD}",
    "coherence sales.orders --k 3 --p 2 --into sales.safe --trail safe.sql",
    f"""coherence {ODD} --k 3 --p 2 --into '"Odd Schema"."sa.fe"' --trail odd.sql""",
    "replay safe.sql",
    "replay odd.sql",
    """verify coherence '"Odd Schema"."sa.fe"' --k 3 --p 2 --persons-of sales.orders
        --person customer""",
    f"verify hiding sales.safe --patterns hidden.txt --psi 0 --original {ODD}",
    "km-anonymity sales.orders --k 3 --m 2 --hierarchy sales.tree --into sales.km",
    "verify km-anonymity sales.km --k 3 --m 2 --original sales.orders --hierarchy sales.tree",
    """compare sales.orders sales.safe '"Odd Schema"."sa.fe"' sales.km --k 3""",
    "hierarchy sales.orders --hierarchy sales.tree",
    "itemsets sales.orders --min-support 3 --into sales.sets",
    "permutation sales.orders --sensitive private.txt --degree 3 --into sales.groups",
    "verify permutation sales.groups --sensitive private.txt --degree 3",
    "sweep km-anonymity sales.orders --k 3 --m 2 --hierarchy sales.tree",
    "coherence sales.orders --k 3 --p 2 --append sales.slices",
    "verify coherence sales.safe sales.slices --history --k 3 --p 2",
]
SOURCE = """
    SELECT t.range AS tid, 'c' || t.range % 9 AS customer, i.item AS item
    FROM RANGE(24) AS t,
        (VALUES ('beer', 2), ('bread', 1), ('milk', 3), ('tempeh', 23)) AS i(item, n)
    WHERE t.range % i.n = 0
"""
TREE = "(VALUES ('beer', 'a'), ('bread', 'a'), ('milk', 'b'), ('tempeh', 'b')) AS v(item, level1)"


@pytest.mark.slow
def test_every_command_takes_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "private.txt").write_text("milk\n")
    (tmp_path / "hidden.txt").write_text("tempeh\n")
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute('CREATE SCHEMA sales; CREATE SCHEMA "Odd Schema"')
        connection.execute(f"CREATE TABLE sales.orders AS {SOURCE}")
        connection.execute('CREATE TABLE "Odd Schema"."or.ders" AS FROM sales.orders')
        connection.execute(f"CREATE TABLE sales.tree AS FROM {TREE}")
    for line in CALLS:
        words = shlex.split(line)
        where = [] if words[0] == "replay" else ["--database", "shop.duckdb"]
        assert run([*words, *where]) == 0, (line, capsys.readouterr().err)
    with duckdb.connect("shop.duckdb", read_only=True) as connection:
        made = connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE table_name LIKE 'sa%fe'"
        )
        assert sorted(made.fetchall()) == [("Odd Schema", "sa.fe"), ("sales", "safe")]
