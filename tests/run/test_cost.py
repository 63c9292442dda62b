"""Cost before work: what is too large is refused before it begins, and estimates hold."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

import setveil
from runs import parquet
from setveil.backends import memory
from setveil.backends.duckdb.backend import DuckDB
from setveil.cli.main import run
from setveil.errors import InputError, TooLargeError, command_line, in_words_of_caller, option
from setveil.models import REGISTRY
from setveil.run import cost
from setveil.run.files import pulling
from setveil.run.persons import GUESTS

# 300 transactions of 200 of 400 items: 394 million triples, as they are met.
LONG = (
    "SELECT t.range AS tid, (t.range * 7919 + i.range * 2) % 400 AS item "
    "FROM RANGE(300) AS t, RANGE(200) AS i"
)
SMALL = (
    "SELECT range // 6 AS tid, range * 7919 % 23 AS item, range * 7919 % 23 // 5 AS up "
    "FROM RANGE(600)"
)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parquet(tmp_path_factory.mktemp("cost") / "long.parquet", LONG)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parquet(tmp_path_factory.mktemp("cost") / "small.parquet", SMALL)


def test_what_is_too_large_is_refused_before_it_begins(long):
    with setveil.read(long, memory_limit="100MB") as baskets:
        begin = time.perf_counter()
        with pytest.raises(TooLargeError, match=r"itemsets of 3: .*; lower p= to 2, raise") as said:
            setveil.coherence(baskets, k=2, p=20)
        assert time.perf_counter() - begin < 5
        assert not [one for one in baskets.session.relations if one == "counted_3"]
    for part in ("2,626,800 to count", "75.0 MB of memory", "memory_limit=", "force_large=True"):
        assert part in str(said.value)
    assert said.value.exit_code == 2


def test_the_command_line_says_it_with_its_options(long, capsys):
    arguments = ["coherence", str(long), "--k", "2", "--p", "20", "--memory-limit", "100MB"]
    assert run([*arguments, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "lower --p to 2, raise --memory-limit, or go on with --force-large" in said


SEARCHES = {
    "coherence": (lambda b: setveil.coherence(b, k=2, p=3), "itemsets of 2"),
    "inspect": (lambda b: setveil.inspect(b, k=2, p=3), "itemsets of 2"),
    "compare": (lambda b: setveil.compare(b, setveil.coherence(b, k=2, p=1)), "itemsets of 2"),
    "sweep": (lambda b: setveil.sweep(b, "coherence", {"k": [2, 3]}, p=3), "itemsets of 2"),
    "itemsets": (lambda b: setveil.itemsets(b, min_support=1), "itemsets of 2"),
    "km-anonymity": (lambda b: setveil.km_anonymity(b, k=2, m=3, fanout=2), "sets of 2 nodes"),
    "uncertainty": (
        lambda b: setveil.uncertainty(b, sensitive=[1, 2], rho=0.5), "subsets of up to",
    ),
    "verify coherence": (lambda b: setveil.verify.coherence(b, k=2, p=3), "2 to check"),
    "verify km-anonymity": (lambda b: setveil.verify.km_anonymity(b, k=2, m=3), "sets of . nodes"),
    "verify km-anonymity max": (
        lambda b: setveil.verify.km_anonymity(b, k=9, m="max"), "pairs of transactions",
    ),
    "verify uncertainty": (
        lambda b: setveil.verify.uncertainty(b, sensitive=[1, 2], rho=1), "rules of . known",
    ),
}  # fmt: skip


@pytest.mark.parametrize("plan", ["lists", "bits"])
def test_either_plan_is_looked_at(small, monkeypatch, plan):
    monkeypatch.setattr(cost, "MOST_ROWS", 99)
    with setveil.read(small) as baskets:
        with pytest.raises(TooLargeError, match="itemsets of 2"):
            setveil.coherence(baskets, k=2, p=3, plan=plan)
        with pytest.raises(TooLargeError, match="itemsets of 2"):
            setveil.itemsets(baskets, min_support=1, plan=plan)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_looks_before_a_level(small, monkeypatch, name):
    search, what = SEARCHES[name]
    monkeypatch.setattr(cost, "MOST_ROWS", 99)
    with setveil.read(small) as baskets, pytest.raises(TooLargeError, match=what):
        search(baskets)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", SEARCHES)
def test_who_says_so_goes_on(small, monkeypatch, name):
    search, what = SEARCHES[name]
    with setveil.read(small) as baskets:
        expected = str(getattr(search(baskets), "metrics", None))
    monkeypatch.setattr(cost, "MOST_ROWS", 99)
    notes: list[str] = []
    with setveil.read(small, force_large=True, note=notes.append) as baskets:
        assert str(getattr(search(baskets), "metrics", None)) == expected
    assert [note for note in notes if "goes on with force_large=True" in note], notes


def test_what_leaves_the_database_fits_into_memory(small, monkeypatch):
    """To the last number: half of the memory is for them."""
    with setveil.read(small, memory_limit="1GB") as baskets:
        found = setveil.coherence(baskets, k=9, p=3).metrics.moles
        numbers = sum(size * moles for size, moles in enumerate(found, 1))
        each = baskets.session.backend.memory // 2 // numbers
        monkeypatch.setattr(cost, "TAKEN", each)
        assert setveil.coherence(baskets, k=9, p=3).metrics.moles == found
        monkeypatch.setattr(cost, "TAKEN", each + 1)
        with pytest.raises(TooLargeError, match=r"moles of .: .* outside the database.*p= to ."):
            setveil.coherence(baskets, k=9, p=3)


@pytest.mark.few(2)
@pytest.mark.parametrize("plan", ["lists", "bits"])
@pytest.mark.parametrize("doubtful", [False, True])
def test_no_level_is_larger_than_was_said(small, long, monkeypatch, plan, doubtful):
    """Of the candidates; the rows of the join are estimated, and not by far too few."""
    seen: list[cost.Outlook] = []
    monkeypatch.setattr(cost, "allow", lambda session, outlook: seen.append(outlook))
    monkeypatch.setattr(cost, "fits", lambda session, outlook: not doubtful)
    for path, p in ((small, 4), (long, 2)):
        seen.clear()
        with setveil.read(path) as baskets:
            setveil.coherence(baskets, k=2, p=p, plan=plan)
            rows = dict(baskets.session._rows)
        for level in (one for one in seen if one.what.startswith("itemsets of ")):
            size = int(level.what.split()[2])
            made = "check_set" if level.what.endswith("to check") else "counted"
            assert level.sets >= (rows.get(f"{made}_{size}") or 0), level
            assert level.rows >= (rows.get(f"{made}_{size}") or 0), level


def test_out_of_memory_is_one_line_that_says_what_to_do(long):
    """The guard is told to go on; what then does not fit is exit 4."""
    with setveil.read(long, memory_limit="70MB", threads=1, force_large=True) as baskets:
        baskets.session.backend.connection.execute("SET max_temp_directory_size = '1MB'")
        with pytest.raises(setveil.QueryError, match="out of memory: .* ask for less") as said:
            setveil.coherence(baskets, k=2, p=3)
    assert said.value.exit_code == 4 and "\n" not in str(said.value)


# How much a run may use


def test_the_default_is_a_share_of_what_is_free():
    free = memory.of_machine()
    assert free is not None
    with contextlib.closing(DuckDB()) as backend:
        assert backend.memory is not None and backend.memory <= 0.5 * free


def test_the_address_space_that_is_left_counts():
    """What `ulimit -v` allows."""
    code = "from setveil.backends.memory import default_bytes; print(default_bytes())"
    limit = 3 * 10**9
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert int(made.stdout) < memory.SHARE * limit


@pytest.mark.parametrize("version", [1, 2])
def test_the_control_group_counts(tmp_path, monkeypatch, version):
    """Its limit, less what is in use and could not be given back, of the smallest above."""
    outer = tmp_path / ("memory" if version == 1 else ".")
    inner = outer / "job"
    inner.mkdir(parents=True)
    names = {
        1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        2: ("memory.max", "memory.current", "inactive_file"),
    }
    limit, used, cached = names[version]
    for folder, most in ((outer, 2 * 10**9), (inner, 10**9)):
        (folder / limit).write_text(f"{most}\n")
        (folder / used).write_text("600000000\n")
        (folder / "memory.stat").write_text(f"anon 5\n{cached} 100000000\n")
    said = "5:cpu,memory:/job" if version == 1 else "0::/job"
    real = memory._lines
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    monkeypatch.setattr(
        memory, "_lines", lambda path: [said] if path.name == "cgroup" else real(path)
    )
    assert memory.default_bytes() == int(memory.SHARE * 500_000_000)


@pytest.mark.parametrize("text", ["", "2", "GB", "2XB", "1e400GB", "nan", 5, None, True, "63MB"])
def test_what_is_no_size(text):
    with pytest.raises(InputError, match="memory limit"):
        memory.granted_bytes(text)


# Words


@pytest.mark.parametrize(
    ("said", "in_python"),
    [
        ("raise --min-support above 5", "raise min_support= above 5"),
        ("go on with --ignore-unknown", "go on with ignore_unknown=True"),
        ("--private: no such file", "private: no such file"),
        ("the data does not hold '--private'", "the data does not hold '--private'"),
        ("the attacker's; add --k, not it's", "the attacker's; add k=, not it's"),
        ("'a--b' and a--b", "'a--b' and a--b"),
        ("write it with --out", "write it with write()"),
        ("take it here with --engine duckdb", "take it here with engine='duckdb'"),
        ("set --max-size to 3, or --threads 1", "set max_size= to 3, or threads=1"),
        ("--dialect 'x' is none of a, b", "dialect='x' is none of a, b"),
        ("--limit 5: too few", "limit=5: too few"),
    ],
)
def test_messages_are_in_the_words_of_the_caller(said, in_python):
    assert in_words_of_caller(said) == str(InputError(said)) == in_python
    with command_line():
        assert in_words_of_caller(said) == str(InputError(said)) == said


def messages():
    """The texts of the engine that name an option and a word after it."""
    for path in (Path(setveil.__file__).parent).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from re.findall(r"--[a-z-]+ [a-z-]+", node.value)


def test_a_value_stays_with_its_option_in_python():
    """As in `--engine duckdb`: a new word enters VALUE in engine/errors.py."""
    words = {word for one in REGISTRY.values() for param in one.params for word in param.choices}
    words |= {*pulling.ENGINES, *GUESTS}
    told = [one for one in messages() if one.split()[1] in words]
    assert len(told) > 3
    for one in told:
        assert re.fullmatch(r"\w+='[a-z-]+'", in_words_of_caller(one)), one


def test_options_are_named_as_they_are_written():
    assert (option("max_size", 2), option("force_large")) == ("max_size=2", "force_large=True")
    with command_line():
        assert (option("max_size", 2), option("force_large")) == ("--max-size 2", "--force-large")


def test_json_is_not_half_written(long, capsys):
    arguments = ["inspect", str(long), "--p", "9", "--memory-limit", "100MB", "--json"]
    assert run(arguments) == 2
    out = capsys.readouterr().out
    assert not out or "error" in json.loads(out)
