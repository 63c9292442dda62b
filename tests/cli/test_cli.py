"""The command line: data on stdout, words on stderr, and exit codes that can be relied on."""

import json
import re
import shlex
import subprocess
import sys

import duckdb
import pytest

import setveil
from setveil.cli.commands.rename import NO_PROMISE
from setveil.cli.lazy import commands
from setveil.cli.main import run
from setveil.models import REGISTRY
from setveil.run.notes import KEPT, NOT_JUDGED
from setveil.run.persons import TRANSACTIONS as PERSONS

BASKETS = [
    ("T1", "a c d f g", "Diabetes"),
    ("T2", "a b c f", "Hepatitis"),
    ("T3", "b d f x", "Hepatitis"),
    ("T4", "b c g y z", "HIV"),
    ("T5", "a c f g", "HIV"),
]
PRIVATE = "Diabetes\nHepatitis\nHIV\n"
PROMISE = ["--h", "0.8", "--k", "2", "--p", "2"]
READABLE = REGISTRY["coherence"].readable
SAFETY = "".join(f"note: {one}\n" for one in (PERSONS, READABLE, KEPT))


@pytest.fixture
def clinic(tmp_path, monkeypatch):
    """The paper's running example, as files in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [(tid, item) for tid, public, secret in BASKETS for item in [*public.split(), secret]]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE clinic (tid VARCHAR, item VARCHAR)")
        connection.executemany("INSERT INTO clinic VALUES (?, ?)", rows)
        connection.execute("COPY clinic TO 'clinic.parquet'")
    (tmp_path / "private.txt").write_text(PRIVATE)
    return tmp_path


def coherence(*more):
    return run(["coherence", "clinic.parquet", "--private", "private.txt", *PROMISE, *more])


def test_coherence_prints_a_table_and_writes(clinic, capsys):
    assert coherence("--out", "safe.parquet", "--trail", "audit.sql") == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("coherent: h = 0.8, k = 2, p = 2")
    assert "written: safe.parquet" in printed.out
    assert printed.err == SAFETY
    assert {path.name for path in clinic.iterdir()} == {
        "clinic.parquet", "private.txt", "safe.parquet", "audit.sql",
    }  # fmt: skip
    assert run(["verify", "coherence", "safe.parquet", "--private", "private.txt", *PROMISE]) == 0
    assert capsys.readouterr().out.startswith("holds: 5 transactions")
    assert run(["replay", "audit.sql"]) == 0
    assert capsys.readouterr().out.startswith("promised: coherence, h = 4/5, k = 2, p = 2")


def test_json_is_one_object(clinic, capsys):
    assert coherence("--json", "--out", "safe.parquet") == 0
    printed = capsys.readouterr()
    content = json.loads(printed.out)
    assert list(content) == [
        "command", "source", "parameters", "guarantee", "metrics", "seconds", "steps", "out",
        "forecast", "notes",
    ]  # fmt: skip
    assert content["guarantee"] == {"model": "coherence", "holds": True}
    assert content["metrics"]["moles"] == [3, 7]
    assert content["metrics"]["information_loss"] == pytest.approx(
        content["metrics"]["suppressed_occurrences"] / content["metrics"]["occurrences"]
    )
    assert content["out"] == "safe.parquet"
    assert content["notes"] == [PERSONS, READABLE, KEPT]
    assert printed.err == SAFETY


def test_verify_names_the_violations_and_exits_with_1(clinic, capsys):
    arguments = ["verify", "coherence", "clinic.parquet", "--private", "private.txt", *PROMISE]
    assert run(arguments) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("does not hold: 10 minimal moles")
    assert "b, f" in printed and "Hepatitis in 100.0%" in printed
    assert run([*arguments, "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["guarantee"]["holds"] is False
    assert content["metrics"]["found"] == 10


def test_inspect_tells_the_risk_and_what_to_run_next(clinic, capsys):
    arguments = ["inspect", "clinic.parquet", "--private", "private.txt", "--h", "0.8"]
    assert run(arguments) == 0
    printed = capsys.readouterr().out
    assert "next: setveil advise clinic.parquet --private private.txt --h 0.8" in printed
    assert run([*arguments, "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert metrics["singled_out"] == [0.4, 0.8]  # x in T3, y and z in T4; ab in T2, ad in T1
    assert metrics["moles"] == [3, 7]
    assert metrics["longest"] == 6


def test_replay_tells_when_the_release_was_touched(clinic, capsys):
    assert coherence("--out", "safe.csv", "--trail", "audit.sql") == 0
    with open("safe.csv", "a") as file:
        file.write("T9,a\n")
    assert run(["replay", "audit.sql"]) == 1
    assert (
        "not reproduced: audit.sql makes a file of other bytes than safe.csv"
        in capsys.readouterr().out
    )


def test_without_out_nothing_is_written_and_it_says_so(clinic, capsys):
    assert coherence() == 0
    assert "nothing was written" in capsys.readouterr().err
    assert coherence("--quiet") == 0
    assert capsys.readouterr().err == f"note: {PERSONS}\n"


def test_data_without_rows_is_inspected(clinic, capsys):
    (clinic / "none.csv").write_text("tid,item\n")
    assert run(["inspect", "none.csv"]) == 0
    assert "nothing to do" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "made_by"), [("k-anonymity", "k-anonymity"), ("hiding", "hiding")]
)
def test_a_promise_is_verified_by_the_name_of_its_command_too(capsys, model, made_by):
    shown = []
    for name in (model, made_by):
        assert run(["verify", name, "--help"]) == 0
        shown.append(capsys.readouterr().out.replace(f"verify {name} ", "verify "))
    assert shown[0] == shown[1]


def test_next_is_the_same_promise(clinic, capsys):
    arguments = ["--private", "private.txt", "--h", "0.8", "--k", "3", "--drop-nulls"]
    assert run(["inspect", "clinic.parquet", *arguments]) == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("next: ")]
    for word in ("--private private.txt", "--h 0.8", "--k 3", "--p 2", "--drop-nulls"):
        assert word in line


@pytest.mark.slow
def test_who_stops_reading_does_not_change_the_exit_code(clinic):
    command = f"{sys.executable} -m setveil coherence clinic.parquet --k 2 --p 2 --out s.parquet"
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | true"], capture_output=True, text=True
    )
    safety = SAFETY.replace(f"note: {READABLE}\n", "")  # no item is private
    assert (ran.returncode, ran.stderr) == (0, safety)
    ran = subprocess.run(
        ["bash", "-c", f"{command} --force > /dev/full"], capture_output=True, text=True
    )
    assert ran.returncode == 0
    assert ran.stderr.startswith(f"{safety}note: stdout cannot be written to")
    # Without --out something is noted, too.
    for redirected, code in (("2>&1 | true", 0), ("2> /dev/full > /dev/full", 0),
                             ("--k 0 2>&1 | true", 2)):  # fmt: skip
        line = f"set -o pipefail; {command.partition(' --out')[0]} {redirected}"
        assert subprocess.run(["bash", "-c", line]).returncode == code


def test_explain_prints_statements_and_writes_nothing(clinic, capsys):
    assert coherence("--explain", "--out", "safe.parquet") == 0
    printed = capsys.readouterr().out
    assert "CREATE TABLE judged_2 AS" in printed
    assert not (clinic / "safe.parquet").exists()
    statements = duckdb.extract_statements(printed)
    assert len(statements) > 20


MISTAKES = [
    ("coherence", 2, "SOURCE"),
    ("coherence clinic.parquet --k 0 --p 2", 2, "k is a whole number of at least 1, not 0"),
    ("k-anonymity clinic.parquet --k 0 --fanout 2", 2, "k is a whole number of at least 1"),
    ("inspect clinic.parquet --p 0", 2, "p is a whole number of at least 1, not 0"),
    ("compare clinic.parquet clinic.parquet --k 0", 2, "k is a whole number of at least 1"),
    ("inspect sales --database clinic.parquet", 2, "clinic.parquet is a file of data"),
    ("km-anonymity clinic.parquet --k 2 --m 2 --fanout 2 --hierarchy h.csv", 2, "name one"),
    ("hierarchy clinic.parquet --fanout 2 --hierarchy h.csv", 2, "name one"),
    ("hierarchy clinic.parquet", 2, "name a hierarchy"),
    ("itemsets clinic.parquet --min-support 2 --rules", 2, "add --min-confidence"),
    (
        "itemsets clinic.parquet --min-support 2 --min-confidence 0.5",
        2,
        "is for rules: add --rules",
    ),
    ("coherence gone.parquet --k 2 --p 2", 2, "no such file"),
    ("coherence clinic.parquet --k 2 --p 2 --h 40", 2, "write 40 % as 0.4"),
    ("coherence clinic.parquet --k 2 --p 2 --private private.txt", 2, "--h"),
    ("coherence clinic.parquet --k 2 --p 2 --tid visit", 2, "'tid', 'item'"),
    ("coherence clinic.parquet --k 2 --p 2 --method best", 2, "mm-il"),
    ("coherence clinic.parquet --k 2 --p 2 --trail a.sql", 2, "--out"),
    ("coherence clinic.parquet --k 2 --p 2 --into t", 2, "--database"),
    ("coherence clinic.parquet --k 2 --p 2 --out clinic.parquet", 2, "--force"),
    ("coherence clinic.parquet --k 6 --p 2", 3, "fewer than k = 6"),
    ("coherence clinic.parquet --k 2 --p 1 --h 0.3 --private private.txt", 3, "'HIV'"),
    ("coherence clinic.parquet --k 2 --p 2 --explain --json", 2, "leave one out"),
    ("replay clinic.parquet", 2, "clinic.parquet"),
    ("nonsense", 2, "setveil: error: no command 'nonsense'; see setveil --help"),
    ("inspct clinic.parquet", 2, "no command 'inspct' (did you mean 'inspect'?)"),
    ("verify coherance clinic.parquet", 2, "(did you mean 'coherence'?); see setveil verify"),
    ("coherence clinic.parquet --k two --p 2", 2, "setveil: error: invalid value for '--k': no"),
]


@pytest.mark.parametrize(("line", "code", "told"), MISTAKES, ids=[line for line, *_ in MISTAKES])
def test_errors_are_one_line_with_their_exit_code(clinic, capsys, line, code, told):
    before = sorted(path.name for path in clinic.iterdir())
    assert run(line.split()) == code
    printed = capsys.readouterr()
    if "--json" in line:
        assert json.loads(printed.out)["error"]["code"] == code
    else:
        assert printed.out == ""
    assert told in printed.err
    last = printed.err.rstrip("\n").splitlines()[-1]
    assert "error: " in last.lower()
    assert "Traceback" not in printed.err
    assert sorted(path.name for path in clinic.iterdir()) == before


@pytest.mark.parametrize(
    "command", ["inspect", "coherence", "replay", "generate", "demo", "verify coherence"]
)
def test_help_ends_with_the_exit_codes(capsys, command):
    assert run([*command.split(), "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith(f"Usage: setveil {command}")
    assert printed.endswith("130 interrupted.")


def test_force_overwrites_what_can_be_named(capsys):
    named = set()
    for name in commands():
        assert run([name, "--help"]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        for told in re.findall(r"--force Overwrite .*?\.", printed):
            for option in re.findall(r"--\w+", told)[1:]:
                named.add(option)
                assert f"{option} " in printed.replace(told, ""), name
    assert named == {"--out", "--into", "--trail", "--report", "--table"}


def test_every_command_is_in_the_readme(pytestconfig):
    readme = (pytestconfig.rootpath / "README.md").read_text()
    missing = {name for name in commands() if not re.search(rf"(`|setveil ){name}\b", readme)}
    assert "coherence" in commands() and not missing


def test_nodes_that_are_taken_by_their_labels_are_told_of(clinic, capsys):
    assert run("k-anonymity clinic.parquet --k 2 --fanout 2 --out nodes.parquet".split()) == 0
    capsys.readouterr()
    for line, told in (
        ("inspect nodes.parquet", True),
        ("coherence nodes.parquet --k 2 --p 1", True),
        ("km-anonymity nodes.parquet --k 2 --m 1 --fanout 2", True),
        ("inspect nodes.parquet --quiet", True),
        ("inspect clinic.parquet", False),
        ("verify k-anonymity nodes.parquet --k 2", False),
        ("compare clinic.parquet nodes.parquet", False),
    ):
        assert run(line.split()) == 0
        assert ("nodes of the same label" in capsys.readouterr().err) == told, line


INTO = {
    "coherence": "--k 2 --p 1",
    "hiding": "--patterns private.txt",
    "itemsets": "--min-support 2",
    "km-anonymity": "--k 2 --m 1 --fanout 2",
    "k-anonymity": "--k 2 --fanout 2",
    "reidentify": "--itemsets clinic.parquet",
    "rename": "--key key.parquet",
    "uncertainty": "--sensitive private.txt --rho 0.5",
}


@pytest.mark.few(4)
@pytest.mark.parametrize("command", INTO)
def test_a_table_that_cannot_be_made_is_refused_before_the_work(
    clinic, capsys, monkeypatch, command
):
    with duckdb.connect("clinic.duckdb") as connection:
        connection.execute("CREATE TABLE clinic AS FROM 'clinic.parquet'; CREATE TABLE Old (n INT)")
        connection.execute("CREATE VIEW seen AS FROM clinic")
    work = f"setveil.cli.commands.{command}.{command}"
    if command in REGISTRY:
        function = REGISTRY[command].function
        work = f"setveil.models.{function}.anonymize.{function}"
    monkeypatch.setattr(work, None)
    for into, told in (
        (["old"], "'old' exists: choose another name, or --force to overwrite it"),
        (["seen"], "'seen' exists"),
        (["Clinic", "--force"], "'Clinic' is what the data was read from"),
    ):
        line = [command, "clinic", "--database", "clinic.duckdb", *INTO[command].split()]
        assert run([*line, "--into", *into]) == 2
        assert told in capsys.readouterr().err


def test_generate_and_its_hierarchy(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["generate", "b.parquet", "--transactions", "300", "--items", "60"]
    assert run([*arguments, "--hierarchy", "h.parquet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["transactions"] == 300
    assert run(arguments) == 2
    assert "b.parquet exists" in capsys.readouterr().err
    covered = duckdb.sql(
        "SELECT COUNT(*) FROM 'b.parquet' WHERE item NOT IN (SELECT item FROM 'h.parquet')"
    ).fetchall()
    assert covered == [(0,)]


@pytest.mark.slow
def test_a_tour_leaves_alone_what_was_there(tmp_path, capsys):
    (tmp_path / "key.parquet").write_text("mine")
    assert run(["demo", "--folder", str(tmp_path)]) == 2
    assert "is not empty: name another" in capsys.readouterr().err
    assert (tmp_path / "key.parquet").read_text() == "mine"
    assert run(["demo", "--folder", str(tmp_path / "key.parquet")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_demo_in_a_shell(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "setveil", "demo"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.splitlines()[-1].startswith("demo: done in ")
    assert "\nreproduced: " in ran.stdout
    # The codes are a second release of what the tour has released before.
    earlier = (
        "demo/audit.sql is of an earlier release of the same data: no promise covers both releases "
        "together"
    )
    # Persons are counted: no note says otherwise.
    noted = {f"note: {one}" for one in (KEPT, NO_PROMISE, NOT_JUDGED, READABLE, earlier)}
    told = [one for one in ran.stderr.splitlines() if not one.startswith("progress: ")]
    assert set(told) == noted


def test_the_next_command_stays_at_the_door(tmp_path, monkeypatch, capsys):
    """From a database the release goes into it; the command can be run as it is printed."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute("CREATE SCHEMA sales")
        columns = "n // 2 AS a, n // 4 AS b, 'i' || GREATEST(n % 5, n - 34) AS item"
        query = f"SELECT {columns} FROM RANGE(40) AS r(n)"  # noqa: S608
        connection.execute(f'CREATE TABLE sales."or ders" AS {query}')
    words = ["inspect", 'sales."or ders"', "--database", "shop.duckdb", "--tid", "a,b", "--quiet"]
    words += ["--k", "3"]
    assert run(words) == 0
    hint = capsys.readouterr().out.splitlines()[-1].removeprefix("next: setveil ")
    assert "--into safe" in hint and "--out" not in hint and "--tid a,b" in hint
    assert run(shlex.split(hint)) == 0
    assert "written: safe" in capsys.readouterr().out


def test_the_next_call_in_python(tmp_path):
    path = tmp_path / "a.parquet"
    rows = "SELECT n // 2 AS tid, 'i' || GREATEST(n % 5, n - 34) AS item FROM RANGE(40) AS r(n)"
    duckdb.sql(f"COPY ({rows}) TO '{path}'")
    with setveil.read(path) as baskets:
        told = repr(setveil.inspect(baskets, k=3)).splitlines()
        assert told[-1] == "next: setveil.coherence(baskets, k=3, p=2)"
        assert "--" not in "".join(told)
        assert eval(told[-1].removeprefix("next: "), {"setveil": setveil, "baskets": baskets})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("inspect order.parquet", "did you mean 'orders.parquet'?"),
        ("inspect orders.csv", "did you mean 'orders.parquet'?"),
        (
            "uncertainty orders.parquet --sensitive secret.txt --rho 1",
            "did you mean 'secrets.txt'?",
        ),
        ("replay adit.sql", "did you mean 'audit.sql'?"),
        ("inspect elsewhere.parquet", "no such file"),
    ],
)
def test_a_misspelt_file_names_those_that_are_near(tmp_path, monkeypatch, capsys, line, told):
    monkeypatch.chdir(tmp_path)
    setveil.generate("orders.parquet", transactions=10, items=40)
    for name in ("secrets.txt", "audit.sql", ".order.parquet"):
        (tmp_path / name).write_text("a\n")
    assert run(line.split()) == 2
    said = capsys.readouterr().err.strip()
    assert said.endswith(told) and "'.order" not in said
