"""Every model of the registry keeps the rules that all commands share, by one small call each."""

import json
import re

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


def judged(model, source):
    original = ["--original", "shop.parquet"] if REGISTRY[model].beside_original else []
    return run(["verify", model, source, *call_of(model).promise.split(), *original])


def test_the_source_breaks_the_promise_and_the_release_keeps_it(model):
    assert judged(model, "shop.parquet") == 1
    assert run(made(model, "--out", "safe.parquet")) == 0
    assert judged(model, "safe.parquet") == 0


def test_the_trail_has_a_verdict_and_is_replayed(model, folder):
    assert run(made(model, "--out", "safe.parquet", "--trail", "t.sql")) == 0
    assert "check_verdict AS" in (folder / "t.sql").read_text()
    replayed = setveil.replay("t.sql")
    assert replayed.same and replayed.holds


def test_explain_shows_the_whole_run(model, capsys):
    assert run(made(model, "--explain")) == 0
    shown = capsys.readouterr().out
    for name in ("source", "item", "release", "check_verdict"):
        assert re.search(rf"^-- {name}: ", shown, re.MULTILINE), name


def test_a_table_in_a_schema(model):
    words = [model, "shop", "--database", "shop.duckdb", *call_of(model).words]
    assert run([*words, "--into", "main.safe"]) == 0
    assert run([*words, "--into", "nowhere.safe"]) == 2
    with duckdb.connect("shop.duckdb") as connection:
        assert connection.execute("SELECT COUNT(*) FROM main.safe").fetchone()[0] > 0


def test_only_ids_and_items_leave_and_the_notes_say_what_is_kept(model, capsys):
    assert run(made(model, "--out", "safe.parquet", "--json", "--quiet")) == 0
    printed = capsys.readouterr()
    columns = duckdb.sql("FROM 'safe.parquet'").columns
    assert columns == ["tid", "item", *(["level"] if REGISTRY[model].of_nodes else [])]
    notes = json.loads(printed.out)["notes"]
    assert any("--renumber" in one for one in notes)
    assert all(f"note: {one}" in printed.err for one in notes)


def test_random_numbers_take_the_place_of_ids(model):
    assert run(made(model, "--out", "safe.parquet", "--renumber", "--key", "key.parquet")) == 0
    numbers = {one for (one,) in duckdb.sql("SELECT DISTINCT tid FROM 'safe.parquet'").fetchall()}
    known = dict(duckdb.sql("SELECT number, id FROM 'key.parquet'").fetchall())
    assert numbers <= known.keys() and set(known.values()) == set(range(100, 124))


def test_python_is_as_strict_as_the_command_line(model):
    names = {one.name for one in REGISTRY[model].promise if one.kind == "count"}
    with setveil.read("shop.parquet") as baskets:
        for name in names - {"min_support"}:  # which may be a share elsewhere
            for wrong in (2.5, True, 0):
                with pytest.raises(setveil.InputError, match=f"^{name} is a whole number"):
                    setveil.verify.judged(model, baskets, **{name: wrong})
