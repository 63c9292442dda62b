"""A verdict of replay is about the input of the run: another one is refused, or told of."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.cli.main import run as command
from setveil.errors import InputError
from setveil.run.files.digests import sha256

# Each pair of items is of two persons or more; `z` is of one, and is suppressed.
ROWS = (
    "SELECT n AS tid, i AS item, 'p' || (n % 9) AS who FROM RANGE(60) AS r (n), "
    "(VALUES ('a'), ('b'), ('c, \"d\"')) AS v (i) UNION ALL VALUES (7, 'z', 'p7')"
)
# Forgeries that leave the rows of the release as they are.
FORGED = {
    "each transaction its own person": "SELECT * REPLACE (CAST(tid AS TEXT) AS who) FROM s",
    "rows of a suppressed item deleted": "FROM s WHERE item <> 'z'",
    "rows in another order": "FROM s ORDER BY ALL DESC",
    "the same rows, written again": "FROM s",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release for persons, of a file and of a table, with their trails."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute(f"CREATE TABLE s AS {ROWS}")
        shop.execute("COPY s TO 's.parquet'")
    for source, database in (("s.parquet", None), ("s", "shop.duckdb")):
        with setveil.read(source, database=database, person="who") as baskets:
            made = setveil.coherence(baskets, k=5, p=2)
            assert made.metrics.suppressed_items == 1
            name = "table" if database else "file"
            made.write(f"{name}_safe.parquet", trail=f"{name}.sql")
    return tmp_path


def of_head(trail: str, word: str) -> dict[str, object]:
    found = re.search(f"^-- {word}: (.*)$", Path(trail).read_text(), re.MULTILINE)
    assert found
    told: dict[str, object] = json.loads(found[1])
    return told


def forge_head(trail: str, word: str, told: object) -> None:
    text = re.sub(
        f"^-- {word}: .*$",
        lambda _: f"-- {word}: {json.dumps(told)}",
        Path(trail).read_text(),
        flags=re.MULTILINE,
    )
    Path(trail).write_text(text)


def test_the_input_is_told_with_its_digest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["replay", "file.sql"]) == 0
    digest = sha256(Path("s.parquet"))
    said = capsys.readouterr().out
    assert f"input: source s.parquet, SHA-256 {digest}, as in the head\n" in said
    assert command(["replay", "table.sql", "--json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)["inputs"]
    assert re.fullmatch(r"input: source s, 181 rows, digest \d+, as in the head", line)


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_file_is_refused(
    folder: Path, forgery: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "(ROW_GROUP_SIZE 2048, COMPRESSION gzip)"
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute(f"COPY ({FORGED[forgery]}) TO 'forged.parquet' {options}")
    assert command(["replay", "file.sql", "--source", "forged.parquet"]) == 2
    told = capsys.readouterr()
    assert "this source is not the input of the run: forged.parquet has the SHA-256" in told.err
    assert "holds" not in told.out and "reproduced" not in told.out


def test_forged_persons_of_a_table_are_refused(folder: Path) -> None:
    """The rows of the release stay: only the digest of what was read shows it."""
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute("UPDATE s SET who = CAST(tid AS TEXT)")
    with pytest.raises(InputError, match="this source is not the input of the run: s has 181 rows"):
        setveil.replay("table.sql")


def test_a_table_in_another_order_is_the_same_input(folder: Path) -> None:
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute("CREATE OR REPLACE TABLE s AS FROM s ORDER BY ALL DESC")
    assert setveil.replay("table.sql").holds


@pytest.mark.parametrize("told", [{"sha256": "0" * 64}, {"rows": 1}, None, [], {"files": 0}])
def test_a_head_without_the_digest_of_the_file_is_refused(folder: Path, told: object) -> None:
    forge_head("file.sql", "input", {} if told is None else {"source": told})
    with pytest.raises(InputError, match="not the input of the run|has no digest of the source"):
        setveil.replay("file.sql")


@pytest.mark.parametrize("column", ["tid", "item", "who"])
def test_a_digest_without_a_used_column_is_refused(folder: Path, column: str) -> None:
    told = of_head("table.sql", "input")["source"]
    assert isinstance(told, dict) and told["columns"] == ["tid", "item", "who"]
    others = [one for one in told["columns"] if one != column]
    forge_head("table.sql", "input", {"source": told | {"columns": others}})
    with pytest.raises(InputError, match="its digest lacks a column"):
        setveil.replay("table.sql")


@pytest.mark.parametrize("ids", [["store", "till"], None])
def test_ids_of_several_columns_and_no_ids_are_taken(folder: Path, ids: list[str] | None) -> None:
    with duckdb.connect("shop.duckdb") as shop:
        if ids:
            shop.execute("CREATE TABLE u AS SELECT tid // 7 AS store, tid % 7 AS till, item FROM s")
        else:
            shop.execute("CREATE TABLE u AS SELECT LIST(item) AS item FROM s GROUP BY tid")
    with setveil.read("u", database="shop.duckdb", tid=ids) as baskets:
        setveil.coherence(baskets, k=2, p=1).write_table("u_safe", trail="u.sql")
    assert setveil.replay("u.sql").holds


def test_a_table_without_a_digest_is_told(folder: Path) -> None:
    """Trails of earlier versions name no columns: nobody can repeat their digest."""
    told = of_head("table.sql", "input")["source"]
    assert isinstance(told, dict)
    del told["columns"]
    forge_head("table.sql", "input", {"source": told})
    (line,) = setveil.replay("table.sql").inputs
    assert line == (
        "input: source s: the head has no digest of it, so it may not be that of the run"
    )


def test_the_rows_of_a_frame_are_compared(folder: Path) -> None:
    """Rows that were copied have no bytes of their own: any file of the same rows will do."""
    rows = duckdb.sql("FROM 's.parquet'").df()
    with setveil.read(rows, person="who") as baskets:
        setveil.coherence(baskets, k=5, p=2).write("frame_safe.parquet", trail="frame.sql")
    (line,) = setveil.replay("frame.sql", source="s.parquet").inputs
    assert "181 rows" in line and line.endswith("as in the head")
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute(f"COPY ({FORGED['each transaction its own person']}) TO 'forged.parquet'")
    with pytest.raises(InputError, match="not the input of the run"):
        setveil.replay("frame.sql", source="forged.parquet")


def test_a_forged_hierarchy_is_refused(folder: Path) -> None:
    assert command(["hierarchy", "s.parquet", "--fanout", "2", "--out", "h.csv"]) == 0
    with setveil.read("s.parquet") as baskets:
        made = setveil.km_anonymity(baskets, hierarchy="h.csv", k=3, m=1)
        made.write("n_safe.parquet", trail="n.sql")
    assert [one.split()[1] for one in setveil.replay("n.sql").inputs] == ["source", "hierarchy"]
    Path("h.csv").write_text(Path("h.csv").read_text() + "y,none\n")
    with pytest.raises(InputError, match="this hierarchy is not the input of the run"):
        setveil.replay("n.sql")


def test_a_file_more_is_another_input(folder: Path) -> None:
    with duckdb.connect("shop.duckdb") as shop:
        for number in (0, 1):
            shop.execute(f"COPY (FROM s WHERE tid % 2 = {number}) TO 'part{number}.parquet'")
    with setveil.read("part*.parquet") as baskets:
        setveil.coherence(baskets, k=5, p=2).write("safe.parquet", trail="parts.sql")
    assert ", 2 files, SHA-256 " in setveil.replay("parts.sql").inputs[0]
    Path("part2.parquet").write_bytes(Path("part1.parquet").read_bytes())
    with pytest.raises(InputError, match="not the input of the run"):
        setveil.replay("parts.sql")


@pytest.mark.parametrize(
    ("word", "told", "said"),
    [
        ("columns", {"person": None}, "in another unit than its statements, which count persons"),
        ("columns", {"person": "tid"}, "other persons than its statements count"),
        ("columns", {"guests": "own"}, "other persons than its statements count"),
        ("promise", {"unit": "transactions"}, "in another unit than its statements"),
    ],
)
def test_a_head_in_another_unit_is_refused(
    folder: Path, word: str, told: dict[str, object], said: str
) -> None:
    assert of_head("file.sql", "promise")["unit"] == "persons"
    forge_head("file.sql", word, of_head("file.sql", word) | told)
    with pytest.raises(InputError, match=said):
        setveil.replay("file.sql")


@pytest.mark.parametrize("told", [{"k": 4}, {"p": 1}, {"h": "1/2"}])
def test_a_head_with_another_promise_than_its_run_is_refused(
    folder: Path, told: dict[str, object]
) -> None:
    """A weaker promise than that of the run may hold too, and would be believed."""
    forge_head("file.sql", "promise", of_head("file.sql", "promise") | told)
    with pytest.raises(InputError, match="and its run had .*: its head was altered"):
        setveil.replay("file.sql")


def test_a_head_claims_no_persons_that_were_not_counted(folder: Path) -> None:
    with setveil.read("s.parquet") as baskets:
        setveil.coherence(baskets, k=5, p=2).write("plain_safe.parquet", trail="plain.sql")
    assert of_head("plain.sql", "promise")["unit"] == "transactions"
    forge_head("plain.sql", "columns", of_head("plain.sql", "columns") | {"person": "who"})
    with pytest.raises(InputError, match="in another unit than its statements, which count trans"):
        setveil.replay("plain.sql")


def test_a_replay_says_the_promise_in_words_and_how_to_judge_again(folder: Path) -> None:
    with setveil.read("s.parquet", person="who") as baskets:
        made = setveil.coherence(baskets, k=5, p=2, h="1", private=['c, "d"'])
        made.write("private_safe.parquet", trail="private.sql")
    found = setveil.replay("private.sql", lists="lists")
    assert (
        "  in words: any set of up to 2 public items is held by at least 5 different persons or by "
        "nobody; persons are those of the column 'who'"
    ) in found.promise
    assert found.verify is not None and "--persons-of s.parquet --person who" in found.verify
    assert command(shlex.split(found.verify)[1:]) == 0
    assert any("ids are published unchanged" in one for one in found.notes)
    assert any("several releases" in one for one in found.notes)
    assert setveil.replay("private.sql", lists="lists").holds  # the files are the same
    Path("lists/private.csv").write_text("item\nz\n")
    with pytest.raises(InputError, match="exists: name a new folder"):
        setveil.replay("private.sql", lists="lists")
    assert Path("lists/private.csv").read_text() == "item\nz\n"


def test_files_are_found_beside_the_trail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    for name in ("file", "table"):
        assert setveil.replay(f"../{name}.sql").holds


def test_without_its_source_a_promise_in_persons_is_not_judged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s.parquet").rename("moved.parquet")
    assert command(["replay", "file.sql"]) == 2
    said = capsys.readouterr().err
    assert "cannot be judged from the release alone" in said
    words = shlex.split(said.partition("by: setveil ")[2])
    assert words[:3] == ["verify", "coherence", "file_safe.parquet"]
    assert command([one.replace("SOURCE", "moved.parquet") for one in words]) == 0
    with pytest.raises(InputError, match="of a release, verify takes persons"):
        setveil.read("file_safe.parquet", person="who")


def test_patterns_are_written_as_verify_reads_them(folder: Path) -> None:
    with setveil.read("s.parquet") as baskets:
        release = setveil.hiding(baskets, patterns=[("a", "b"), ("b", 'c, "d"')], psi="0.2")
        release.write("h.parquet", trail="h.sql")
    found = setveil.replay("h.sql", lists="lists")
    assert found.verify is not None and "--patterns lists/patterns.csv" in found.verify
    assert command(shlex.split(found.verify)[1:]) == 0
