"""The next command after a release can be typed as it is printed, and finds that it holds."""

from __future__ import annotations

import shlex
from pathlib import Path

import duckdb
import pytest

from calls import CALLS, call_of, shop
from setveil.cli.main import run
from setveil.models import REGISTRY

PLACES = {
    "file": "shop.parquet --out safe.parquet",
    "renumbered": "shop.parquet --out safe.parquet --renumber --key key.csv",
    "table": "shop --database shop.duckdb --into safe",
    "out of a database": "shop --database shop.duckdb --out safe.parquet",
}


FILED = "hand over with the release, and file it: evidence.html"


def released(capsys, model, words):
    parts = ".parquet" if model == "permutation" else ""
    words = words.replace("safe.parquet", "safe") if parts else words
    source, *others = shlex.split(words)
    assert run([model, source, *call_of(model).words, *others]) == 0
    return capsys.readouterr().out.splitlines()


def next_of(lines):
    return [shlex.split(one.removeprefix("next: setveil ")) for one in lines if "next: " in one]


@pytest.mark.few(3)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", CALLS)
def test_the_next_command_verifies_the_release(tmp_path, monkeypatch, capsys, model, place):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    found = next_of(released(capsys, model, PLACES[place]))
    if place == "out of a database" and model == "hiding":
        assert not found  # verify would look for the original among files
        return
    assert len(found) == 1
    assert run(found[0]) == 0


@pytest.mark.few(1)
@pytest.mark.parametrize("place", ["file", "renumbered", "table"])
def test_persons_are_found_in_the_source(tmp_path, monkeypatch, capsys, place):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = shlex.split(f"{PLACES[place]} --person store --k 2 --p 1")
    assert run(["coherence", *words]) == 0
    [found] = next_of(capsys.readouterr().out.splitlines())
    assert "--persons-of" in found and run(found) == 0


@pytest.mark.few(2)
@pytest.mark.parametrize("place", ["shop.parquet", "shop --database shop.duckdb"])
@pytest.mark.parametrize("model", [one for one in CALLS if "--fanout" not in CALLS[one].words])
def test_all_slices_are_verified_with_their_ledger(tmp_path, monkeypatch, capsys, model, place):
    """The ledger is the key of random ids; a release of other numbers is refused."""
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    source, *where = shlex.split(place)
    words = [model, source, *where, *call_of(model).words, "--append", "safe", "--renumber"]
    lines = told(monkeypatch, capsys, shlex.join(words))
    [found] = next_of(lines)
    assert run(found) == 0
    ledger = "shop.duckdb.safe.ledger" if where else "safe.ledger"
    assert ("--key" in found) == ("--original" in found) and ledger not in lines[-1]
    if "--key" in found:
        assert found[found.index("--key") + 1] == ledger


def test_persons_of_slices_are_found_by_the_ledger(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    made = "coherence shop.parquet --person store --k 2 --p 1 --append safe --renumber"
    [found] = next_of(told(monkeypatch, capsys, made))
    assert run(found) == 0
    assert "persons" in capsys.readouterr().out
    at = found.index("--key") + 1
    assert run(["coherence", *shlex.split("shop.parquet --person store --k 2 --p 1"),
                "--out", "other.parquet", "--renumber", "--key", "other.csv"]) == 0  # fmt: skip
    assert run([*found[:at], "other.csv", *found[at + 1 :]]) == 2
    assert "are not in their transaction" in capsys.readouterr().err
    (tmp_path / "safe.ledger").chmod(0o644)
    assert run(found) == 2
    assert "a ledger is confidential" in capsys.readouterr().err


def test_files_that_are_not_for_recipients_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    lines = released(capsys, "coherence", f"{PLACES['renumbered']} --trail t.sql")
    assert lines[-1] == "keep to yourself: t.sql, key.csv, private.txt"


def test_without_a_key_random_ids_match_no_source(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    lines = released(capsys, "hiding", "shop.parquet --out safe.parquet --renumber")
    assert not next_of(lines)


def told(monkeypatch, capsys, words, code=0):
    """The lines of a command on a terminal that say what is next, and what is for recipients."""
    monkeypatch.setattr("setveil.cli.output.is_terminal", lambda: True)
    monkeypatch.setattr("setveil.cli.progress.PATIENCE", 600)
    assert run(shlex.split(words)) == code
    heads = (
        "next: ",
        "for your own",
        "hand over",
        "do not hand over",
        "keep to",
        "with the values",
    )
    return [one for one in capsys.readouterr().out.splitlines() if one.startswith(heads)]


def test_after_every_command_a_person_is_told_what_is_next(tmp_path, monkeypatch, capsys):
    """From data to a page that is filed: each next command runs as it is printed."""
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    promise = "--private private.txt --h 0.6 --k 3 --p 2"
    lines = told(monkeypatch, capsys, f"sweep coherence shop.parquet {promise} --p 1,2")
    assert run(next_of(lines)[0]) == 0
    capsys.readouterr()
    made = f"coherence shop.parquet {promise} --out safe.parquet --trail t.sql --force"
    verify, kept = told(monkeypatch, capsys, made)
    assert kept == "keep to yourself: t.sql, private.txt"
    compare, over, kept = told(monkeypatch, capsys, verify.removeprefix("next: setveil "))
    assert over == "hand over: safe.parquet, with these words"
    assert kept == "keep to yourself: private.txt"
    evidence = compare.removeprefix("next: setveil ").replace("ORIGINAL", "shop.parquet")
    assert told(monkeypatch, capsys, evidence) == [FILED]
    own = evidence.replace("--no-names", "--force")
    officer = "for your own data protection officer alone, since it names items: evidence.html"
    assert told(monkeypatch, capsys, own) == [officer]
    over, kept = told(monkeypatch, capsys, "replay t.sql --private private.txt")
    assert (over, kept) == ("hand over: safe.parquet", "keep to yourself: t.sql")


def test_the_page_of_nodes_needs_their_hierarchy(tmp_path, monkeypatch, capsys):
    """It tells how much information is lost: the line that makes it names the hierarchy."""
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    made = "km-anonymity shop.parquet --fanout 3 --k 3 --m 2 --out safe.parquet"
    verify, *_ = told(monkeypatch, capsys, made)
    verify = verify.removeprefix("next: setveil ")
    compare, *_ = told(monkeypatch, capsys, verify)
    assert "ORIGINAL" in compare and "--hierarchy HIERARCHY" in compare
    verify += " --original shop.parquet --fanout 3"
    compare, *_ = told(monkeypatch, capsys, verify)
    assert "--fanout 3" in compare
    assert told(monkeypatch, capsys, compare.removeprefix("next: setveil ")) == [FILED]
    assert "information lost" in Path("evidence.html").read_text()
    made = "coherence shop.parquet --private private.txt --k 3 --p 2 --h 0.6 --out items.parquet"
    verify, *_ = told(monkeypatch, capsys, made)
    compare, *_ = told(monkeypatch, capsys, verify.removeprefix("next: setveil "))
    assert "--hierarchy" not in compare  # this release publishes items


def test_a_verdict_by_a_key_leads_to_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    made = f"coherence {PLACES['renumbered']} --person store --k 2 --p 1"
    verify, _ = told(monkeypatch, capsys, made)
    compare, *_ = told(monkeypatch, capsys, verify.removeprefix("next: setveil "))
    assert "--key key.csv" in compare
    over = told(monkeypatch, capsys, compare.removeprefix("next: setveil "))
    assert over == [FILED]


def test_rows_with_null_are_left_out_on_the_whole_way(tmp_path, monkeypatch, capsys):
    """From the release to the page: each command reads the source as the first one did."""
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    with duckdb.connect() as duck:
        duck.execute(
            "COPY (FROM 'shop.parquet' UNION ALL BY NAME SELECT * FROM (VALUES "
            "(7777, 'bread', NULL), (100, NULL, NULL)) AS v(tid, item, store)) TO 'nulls.parquet'"
        )
    made = "coherence nulls.parquet --person store --k 2 --p 1 --drop-nulls --out safe.parquet"
    made += " --renumber --key key.csv"
    verify, _ = told(monkeypatch, capsys, made)
    assert "--drop-nulls" in verify
    compare, *_ = told(monkeypatch, capsys, verify.removeprefix("next: setveil "))
    assert told(monkeypatch, capsys, compare.removeprefix("next: setveil ")) == [FILED]


@pytest.mark.parametrize(
    ("words", "code", "lines"),
    [
        ("verify coherence shop.parquet --k 3 --p 2", 1, ["do not hand over: shop.parquet"]),
        ("verify coherence --history shop.parquet shop.parquet --k 3 --p 2", 1,
         ["do not hand over to anybody together: shop.parquet, shop.parquet"]),
        ("verify coherence --history shop.parquet shop.parquet --k 1 --p 2", 0,
         ["hand over: shop.parquet, shop.parquet"]),
        ("compare shop.parquet shop.parquet --verify coherence --k 3 --p 2", 1,
         ["do not hand over: a release that does not hold"]),
        ("itemsets shop.parquet --min-support 2 --out rows.parquet", 0,
         ["keep to yourself: rows.parquet"]),
        ("rename shop.parquet --out coded.parquet --key coded_key.parquet", 0,
         ["next: setveil reidentify coded.parquet --itemsets ITEMSETS --key coded_key.parquet",
          "keep to yourself: coded_key.parquet"]),
        ("hierarchy shop.parquet --fanout 2 --out tree.csv", 0,
         ["next: setveil coherence shop.parquet --hierarchy tree.csv --method generalize --k 5 "
          "--p 2 --out safe.parquet --renumber --key key.parquet",
          "keep to yourself: tree.csv, which names all items, also those that a release leaves "
          "out"]),
        ("generate new.parquet --transactions 9 --items 40", 0,
         ["next: setveil advise new.parquet"]),
        ("coherence shop.parquet --k 3 --p 1 --append target", 0,
         ["next: setveil verify coherence target --k 3 --p 1", "hand over: target",
          "keep to yourself, in the backup: the ledger of target"]),
    ],
)  # fmt: skip
def test_a_person_is_told_what_is_for_recipients(tmp_path, monkeypatch, capsys, words, code, lines):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    assert told(monkeypatch, capsys, words, code) == lines


HANDED = "hand over: shop.parquet, with these words"


@pytest.mark.parametrize(
    ("k", "code", "last"), [(1, 0, HANDED), (3, 1, "do not hand over: shop.parquet")]
)
def test_a_verdict_says_what_is_next_in_a_log_too(tmp_path, monkeypatch, capsys, k, code, last):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = ["verify", "coherence", "shop.parquet", "--k", str(k), "--p", "1"]
    assert run(words) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == last
    for found in next_of(lines):
        assert run([one.replace("ORIGINAL", "shop.parquet") for one in found]) == 0
        capsys.readouterr()
    for other in ("--quiet", "--json"):
        assert run([*words, other]) == code
        said = capsys.readouterr().out
        assert "hand over" not in said and "next: " not in said


def test_a_program_is_told_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    assert run(["itemsets", "shop.parquet", "--min-support", "2", "--out", "rows.parquet"]) == 0
    assert "keep to yourself" not in capsys.readouterr().out


@pytest.mark.few(2)
@pytest.mark.parametrize("model", [*CALLS, "k-anonymity with private items"])
def test_a_renumbered_release_leads_to_its_page(tmp_path, monkeypatch, capsys, model):
    """By its key: without one, ids would match other transactions, and figures mean nothing."""
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    name, *private = model.split(" ")
    words = PLACES["renumbered"] + " --private private.txt" * bool(private)
    lines = [*released(capsys, name, words)]
    ends = [one for one in lines if one.startswith(("next: ", "and then: "))]
    if REGISTRY[name].beside_original:
        assert ends[0].endswith("--key key.csv") and len(ends) == 1
        return
    page = shlex.split(ends[1].removeprefix("and then: setveil "))
    assert page[0] == "compare" and page[page.index("--key") + 1] == "key.csv"
    assert run(page) == 0
    printed = capsys.readouterr()
    assert "its ids were replaced" not in printed.err
    without = [one for one in page if one not in ("--key", "key.csv")]
    assert run([*without, "--force"]) == 0
    told = capsys.readouterr().err
    assert "f its ids were replaced, name its key" in told
