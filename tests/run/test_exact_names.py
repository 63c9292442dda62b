"""A name is its exact characters in every list, and one that nearly fits is an error."""

from __future__ import annotations

import pytest

import setveil
from runs import parquet
from setveil import verify
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.run.roles.lists import item_numbers
from setveil.run.roles.near_misses import alike

NAMES = ["HIV", "Rx 1", "\u00e9t\u00e9", "a\u00a0b", "", "x\ry", " b"]
NEAR = [
    ("HIV ", "HIV"),
    ("\tHIV", "HIV"),
    ("hiv", "HIV"),
    ("H I V", "HIV"),
    ("\ufeffHIV", "HIV"),
    ("HIV\r", "HIV"),
    ("\u200bHIV", "HIV"),
    ("\uff28IV", "HIV"),
    ("Rx\u00a01", "Rx 1"),
    ("Rx  1", "Rx 1"),
    ("Rx1", "Rx 1"),
    ("e\u0301te\u0301", "\u00e9t\u00e9"),
    ("\u00c9T\u00c9", "\u00e9t\u00e9"),
    ("a b", "a\u00a0b"),
    (" ", ""),
    ("x\ny", "x\ry"),
    ("b", " b"),
]


@pytest.fixture(scope="module")
def baskets(connection):
    connection.execute("CREATE OR REPLACE TABLE names (tid INT, item VARCHAR)")
    for number, name in enumerate(NAMES):
        connection.execute("INSERT INTO names SELECT range, $1 FROM RANGE($2)", [name, number + 1])
    with setveil.read(connection, "names") as opened:
        yield opened


def shown(name: str, other: str) -> list[str]:
    return [f"{show(name)} but holds {show(other)}" for show in (repr, ascii)]


@pytest.mark.parametrize(("name", "other"), NEAR)
@pytest.mark.parametrize("options", [{}, {"ignore_unknown": True}, {"released": True}])
def test_a_near_miss_shows_both(baskets, name, other, options):
    """And is passed over by no option: the item would go unprotected."""
    with pytest.raises(InputError) as failed:
        item_numbers(
            baskets.session, [name, "Rx 1" if other != "Rx 1" else "HIV"], "private", **options
        )
    assert any(text in str(failed.value) for text in shown(name, other))
    assert str(failed.value).startswith("private: a name is its exact characters")


def test_what_is_listed_itself_is_no_near_miss(baskets):
    """The list names either spelling, and the data holds one."""
    numbers = item_numbers(baskets.session, ["HIV ", "HIV"], "private", ignore_unknown=True)
    assert len(numbers) == 1


@pytest.mark.parametrize("name", ["HIV2", "", "Rx"])
def test_other_names_are_merely_unknown(connection, name):
    connection.execute("CREATE OR REPLACE TABLE other_names AS SELECT 1 AS tid, 'HIV' AS item")
    with setveil.read(connection, "other_names") as opened:
        with pytest.raises(InputError, match="the data does not hold"):
            item_numbers(opened.session, [name], "private")
        assert item_numbers(opened.session, ["HIV", name], "private", ignore_unknown=True) == [0]


# Files


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv"])
def test_names_in_files_are_exact(baskets, tmp_path, end, mark, suffix):
    """A mark before the first line and the ends of lines are no part of a name; blanks are."""
    path = tmp_path / f"a.{suffix}"
    head = [] if suffix == "txt" else ["item"]
    path.write_bytes((mark + end.join([*head, "HIV", " b", "a\u00a0b"]) + end).encode())
    assert len(item_numbers(baskets.session, path, "private")) == 3
    for name in ("HIV ", " HIV", "b", " b ", "\u2003HIV"):
        path.write_bytes((mark + end.join([*head, name, "Rx 1"]) + end).encode())
        with pytest.raises(InputError, match="is its exact characters"):
            item_numbers(baskets.session, path, "private", ignore_unknown=True)


def test_names_in_parquet_are_exact(baskets, tmp_path):
    path = parquet(tmp_path / "a.parquet", "SELECT 'HIV ' AS item")
    with pytest.raises(InputError, match="'HIV ' but holds 'HIV'"):
        item_numbers(baskets.session, path, "private")


def test_a_carriage_return_within_a_line_is_part_of_the_name(baskets, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x\ry\r\n")
    assert len(item_numbers(baskets.session, tmp_path / "a.txt", "private")) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.txt", "HIV, Rx 1\n"),
        ("p.txt", "HIV,Rx 1 \n"),
        ("p.txt", "hiv,Rx 1\r\n"),
        ("p.csv", "pattern,item\n1,HIV \n1,Rx 1\n"),
    ],
)
def test_names_in_patterns_are_exact(baskets, connection, tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode())
    with pytest.raises(InputError, match="patterns: a name is its exact characters"):
        setveil.hiding(baskets, patterns=tmp_path / name, ignore_unknown=True)
    with pytest.raises(InputError, match="patterns: a name is its exact characters"):
        verify.hiding(baskets, patterns=tmp_path / name, original="names", ignore_unknown=True)


def test_names_in_losses_are_exact(baskets, tmp_path):
    rows = "".join(f'"{name}",1\n' for name in NAMES if name != "HIV")
    (tmp_path / "loss.csv").write_text(f"item,loss\n{rows}HIV ,1\n", newline="")
    with pytest.raises(InputError, match="'HIV ' but holds 'HIV'"):
        setveil.coherence(baskets, k=1, p=1, loss=tmp_path / "loss.csv")


def test_names_in_a_hierarchy_are_exact(connection, tmp_path):
    connection.execute("CREATE OR REPLACE TABLE other_names AS SELECT 1 AS tid, 'HIV' AS item")
    (tmp_path / "h.csv").write_text("item,level1\nHIV ,x\nb,x\n")
    with setveil.read(connection, "other_names") as opened:
        with pytest.raises(
            InputError, match="lacks 1 item of the data: 'HIV' .'HIV' is not 'HIV '"
        ):
            setveil.k_anonymity(opened, k=1, hierarchy=tmp_path / "h.csv")


@pytest.mark.only_on("duckdb", reason="writes a file")
def test_a_key_holds_exact_names(tmp_path):
    path = parquet(
        tmp_path / "a.parquet", "SELECT 1 AS tid, UNNEST(['HIV', 'HIV ', 'hiv']) AS item"
    )
    with setveil.read(path) as baskets:
        setveil.rename(baskets, key=tmp_path / "k.parquet", seed=1).write(tmp_path / "r.parquet")
    with setveil.read(tmp_path / "r.parquet") as baskets:
        undone = setveil.rename(baskets, key=tmp_path / "k.parquet", undo=True).rows()
    assert sorted(name for _, name in undone) == ["HIV", "HIV ", "hiv"]


@pytest.mark.only_on("duckdb", reason="runs a command")
def test_the_command_line(tmp_path, capsys):
    path = parquet(tmp_path / "a.parquet", "SELECT range AS tid, 'HIV' AS item FROM RANGE(9)")
    (tmp_path / "list.txt").write_text("HIV \n")
    options = ["--private", str(tmp_path / "list.txt"), "--h", "0.3", "--k", "2", "--p", "2"]
    out = ["--out", str(tmp_path / "o.parquet"), "--ignore-unknown"]
    assert run(["coherence", str(path), *options, *out]) == 2
    assert "'HIV ' but holds 'HIV'" in capsys.readouterr().err
    assert not (tmp_path / "o.parquet").exists()


def test_forms():
    assert alike(["a", "B", "c"], ["A", "b "]) == [("a", "A"), ("B", "b ")]
    assert alike(["a-b", "ab"], ["a_b"]) == []
