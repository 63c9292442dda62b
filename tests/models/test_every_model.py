"""Every model of the registry keeps the rules that all commands share, by one small call each."""

import json
import re
from pathlib import Path

import duckdb
import pytest

import setveil
from calls import call_of, shop
from setveil.cli.main import run
from setveil.models import REGISTRY

pytestmark = pytest.mark.parametrize("model", REGISTRY)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    return tmp_path


def made(model, *more):
    return [model, "shop.parquet", *call_of(model).words, *more]


def safe(model):
    """The file of a release, or the folder of its parts; and the file with the transactions."""
    parts = REGISTRY[model].in_parts
    return ("safe", "safe/transactions.parquet") if parts else ("safe.parquet", "safe.parquet")


def open_source(model):
    """The source as a release that breaks the promise."""
    if not REGISTRY[model].in_parts:
        return "shop.parquet"
    Path("open").mkdir()
    duckdb.sql("COPY (SELECT *, 1 AS \"group\" FROM 'shop.parquet') TO 'open/transactions.parquet'")
    duckdb.sql(
        "COPY (SELECT 1 AS \"group\", 'milk' AS item, 9 AS count) TO 'open/sensitive.parquet'"
    )
    return "open"


def judged(model, source):
    original = ["--original", "shop.parquet"] if REGISTRY[model].beside_original else []
    return run(["verify", model, source, *call_of(model).promise.split(), *original])


def test_the_source_breaks_the_promise_and_the_release_keeps_it(model):
    assert judged(model, open_source(model)) == 1
    assert run(made(model, "--out", safe(model)[0])) == 0
    assert judged(model, safe(model)[0]) == 0


def test_the_trail_has_a_verdict_and_is_replayed(model, folder):
    assert run(made(model, "--out", safe(model)[0], "--trail", "t.sql")) == 0
    assert "check_verdict AS" in (folder / "t.sql").read_text()
    replayed = setveil.replay("t.sql")
    assert replayed.same and replayed.holds


def test_explain_shows_the_whole_run(model, capsys):
    assert run(made(model, "--explain")) == 0
    shown = capsys.readouterr().out
    for name in ("source", "item", "release", "check_verdict"):
        assert re.search(rf"^-- {name}: ", shown, re.MULTILINE), name


@pytest.mark.few(2)
def test_a_table_in_a_schema(model):
    words = [model, "shop", "--database", "shop.duckdb", *call_of(model).words]
    assert run([*words, "--into", "main.safe"]) == 0
    assert run([*words, "--into", "nowhere.safe"]) == 2
    with duckdb.connect("shop.duckdb") as connection:
        assert connection.execute("SELECT COUNT(*) FROM main.safe").fetchone()[0] > 0


def test_only_ids_and_items_leave_and_the_notes_say_what_is_kept(model, capsys):
    whole, first = safe(model)
    assert run(made(model, "--out", whole, "--json", "--quiet")) == 0
    printed = capsys.readouterr()
    columns = duckdb.sql(f"FROM '{first}'").columns
    added = ["level"] * REGISTRY[model].of_nodes + ["group"] * REGISTRY[model].in_parts
    assert columns == ["tid", "item", *added]
    notes = json.loads(printed.out)["notes"]
    assert any("--renumber" in one for one in notes)
    assert all(f"note: {one}" in printed.err for one in notes)


@pytest.mark.few(3)
def test_random_numbers_take_the_place_of_ids(model):
    whole, first = safe(model)
    assert run(made(model, "--out", whole, "--renumber", "--key", "key.parquet")) == 0
    numbers = {one for (one, *_) in duckdb.sql(f"FROM '{first}'").fetchall()}
    known = dict(duckdb.sql("SELECT number, id FROM 'key.parquet'").fetchall())
    assert numbers <= known.keys() and set(known.values()) == set(range(100, 124))


def test_python_is_as_strict_as_the_command_line(model):
    names = {one.name for one in REGISTRY[model].promise if one.kind == "count"}
    with setveil.read("shop.parquet") as baskets:
        for name in names - {"min_support"}:  # which may be a share elsewhere
            for wrong in (2.5, True, 0):
                with pytest.raises(setveil.InputError, match=f"^{name} is a whole number"):
                    setveil.verify.judged(model, baskets, **{name: wrong})
