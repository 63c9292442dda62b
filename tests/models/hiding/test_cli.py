"""The commands hide and verify hiding: what they print, their exit codes, and hostile names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.cli.main import run
from setveil.run.notes import KEPT

BASKETS = ["ABCD", "ABC", "ABD", "ACD", "ABC", "BD"]
HOSTILE = ["o'brien", 'a"b', "x); DROP TABLE t; --", " ", "😀", "two\nlines", "$1", "a,b", ""]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The paper's example, as files in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [(f"T{n}", item) for n, items in enumerate(BASKETS, 1) for item in items]
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute("CREATE TABLE sales (tid VARCHAR, item VARCHAR)")
        connection.executemany("INSERT INTO sales VALUES (?, ?)", rows)
        connection.execute("COPY sales TO 'shop.parquet'")
        connection.execute("CREATE TABLE lists AS SELECT tid, LIST(item ORDER BY item) AS item "
                           "FROM sales GROUP BY tid")  # fmt: skip
        connection.execute("COPY lists TO 'lists.parquet'")
    (tmp_path / "patterns.txt").write_text("A,B,D\nA,C,D\n")
    return tmp_path


def hide(*more: str) -> int:
    return run(["hiding", "shop.parquet", "--patterns", "patterns.txt", *more])


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("method", "source"),
    [
        ("naive", "shop.parquet"),
        pytest.param("minfia", "lists.parquet", marks=pytest.mark.slow),
        pytest.param("maxfia", "shop.parquet", marks=pytest.mark.slow),
        ("iga", "lists.parquet"),
        ("border", "shop.parquet"),
        ("border", "lists.parquet"),
    ],
)
def test_hide_verify_replay(
    shop: Path, capsys: pytest.CaptureFixture[str], method: str, source: str
) -> None:
    """Both shapes, every method; the release and its trail say the same with any threads."""
    arguments = ["--patterns", "patterns.txt", "--min-support", "2"]
    for threads in ("1", "2", "4")[:: 1 if method == "iga" else 2]:
        written = ["--out", f"{threads}.parquet", "--trail", f"{threads}.sql"]
        assert run(["hiding", source, *arguments, "--method", method, *written,
                    "--threads", threads]) == 0  # fmt: skip
    printed = capsys.readouterr()
    assert printed.out.startswith(f"hidden: 2 patterns, by {method}\n  A, B, D  in 2  now ")
    assert set(printed.err.splitlines()) == {f"note: {KEPT}"}
    made = [path.read_bytes() for path in shop.glob("[124].parquet")]
    assert len(made) > 1 and len(set(made)) == 1
    assert run(["verify", "hiding", "4.parquet", "--original", source, *arguments]) == 0
    assert capsys.readouterr().out.startswith("holds: 2 patterns are hidden")
    assert run(["replay", "4.sql"]) == 0
    # Of what is hidden, nothing more needs to go.
    again = ["--patterns", "patterns.txt", "--min-support", "2", "--method", method]
    assert run(["hiding", "4.parquet", *again, "--ignore-unknown", "--json", "--quiet",
                "--out", "again.parquet"]) == 0  # fmt: skip
    assert (shop / "again.parquet").read_bytes() == (shop / "4.parquet").read_bytes()


def test_the_trail_runs_in_a_shell_of_duckdb(shop: Path) -> None:
    assert hide("--out", "safe.parquet", "--trail", "audit.sql", "--quiet") == 0
    expected = (shop / "safe.parquet").read_bytes()
    (shop / "safe.parquet").unlink()
    with duckdb.connect() as connection:
        connection.execute((shop / "audit.sql").read_text())
    assert (shop / "safe.parquet").read_bytes() == expected


def test_json(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hide("--json", "--out", "safe.parquet", "--mining-support", "2", "--psi", "0.5") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == [
        "command", "source", "parameters", "guarantee", "metrics", "seconds", "steps", "out",
        "forecast", "notes",
    ]  # fmt: skip
    assert content["guarantee"] == {"model": "hiding", "holds": True}
    assert content["parameters"] == {
        "method": "iga", "patterns": 2, "psi": 0.5, "min_support": None,
    }  # fmt: skip
    metrics = content["metrics"]
    assert metrics["patterns"][0] == {
        "items": ["A", "B", "D"], "support": 2, "remaining": 1, "allowed": 1, "psi": 0.5,
    }  # fmt: skip
    assert metrics["mined"]["hiding_failure"] == 0
    arguments = ["--original", "shop.parquet", "--patterns", "patterns.txt", "--json"]
    assert run(["verify", "hiding", "safe.parquet", *arguments]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["guarantee"] == {"model": "hiding", "holds": False}
    assert content["metrics"]["disclosed"] == 2


def test_the_table_says_what_is_left(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "one.txt").write_text("A,B,D\n")
    assert run("hiding shop.parquet --patterns one.txt --psi 0.99 --quiet".split()) == 0
    assert "in 2  now 1  of 1 allowed  50.00%\n" in capsys.readouterr().out


def test_verify_says_what_is_wrong(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    duckdb.execute("COPY (SELECT tid, 'X' AS item FROM 'shop.parquet') TO 'bad.csv'")
    arguments = ["--original", "shop.parquet", "--patterns", "patterns.txt", "--psi", "1"]
    assert run(["verify", "hiding", "bad.csv", *arguments]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("does not hold: 0 patterns disclosed, 6 occurrences added, 8 removed")
    assert "items changed for no pattern: X, B, A, C, D" in printed


def test_tables(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of a database, hidden into another, and told from the first."""
    where = ["--database", "shop.duckdb", "--patterns", "patterns.txt"]
    assert run(["hiding", "sales", *where, "--into", "safe", "--trail", "a.sql"]) == 0
    assert run(["verify", "hiding", "safe", *where, "--original", "sales"]) == 0
    assert run(["verify", "hiding", "safe", *where, "--original", "shop.parquet"]) == 0
    assert run(["replay", "a.sql"]) == 0


def test_explain_runs_nothing(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for method in ("iga", "border"):
        more = ["--min-support", "2", "--mining-support", "3", "--out", "safe.parquet"]
        assert hide("--explain", "--method", method, *more) == 0
        printed = capsys.readouterr().out
        assert "CREATE TABLE sensitive AS" in printed
        assert len(duckdb.extract_statements(printed)) > 40
    arguments = ["--original", "shop.parquet", "--patterns", "patterns.txt", "--explain"]
    assert run(["verify", "hiding", "shop.parquet", *arguments]) == 0
    assert "CREATE TABLE check_excused AS" in capsys.readouterr().out
    assert not (shop / "safe.parquet").exists()


MISTAKES = [
    ("hiding shop.parquet", 2, "--patterns"),
    ("hiding shop.parquet --patterns gone.txt", 2, "no such file: 'gone.txt'"),
    ("hiding shop.parquet --patterns shop.parquet", 2, "has no column 'pattern'"),
    ("hiding shop.parquet --patterns odd.txt", 2, "the data does not hold 'X', 'Y'"),
    ("hiding shop.parquet --patterns patterns.txt --psi 40", 2, "write 40 % as 0.4"),
    ("hiding shop.parquet --patterns patterns.txt --psi 0 --min-support 2", 2, "give one"),
    ("hiding shop.parquet --patterns patterns.txt --min-support 0", 2, "--min-support"),
    ("hiding shop.parquet --patterns patterns.txt --method border", 2, "--min-support"),
    ("hiding shop.parquet --patterns patterns.txt --method best", 2, "minfia"),
    ("hiding shop.parquet --patterns patterns.txt --out shop.parquet", 2, "--force"),
    ("verify hiding shop.parquet --patterns patterns.txt", 2, "--original"),
    ("verify hiding shop.parquet --patterns patterns.txt --original g.parquet", 2, "no such file"),
    ("verify hiding shop.parquet --patterns odd.txt --original shop.parquet", 2, "{A, X}"),
]


@pytest.mark.parametrize(("line", "code", "told"), MISTAKES, ids=[line for line, *_ in MISTAKES])
def test_mistakes(
    shop: Path, capsys: pytest.CaptureFixture[str], line: str, code: int, told: str
) -> None:
    (shop / "odd.txt").write_text("A,X\nY\nA,B\n")
    before = sorted(path.name for path in shop.iterdir())
    assert run(line.split()) == code
    printed = capsys.readouterr()
    assert printed.out == "" and told in " ".join(printed.err.split())
    assert sorted(path.name for path in shop.iterdir()) == before


def test_a_support_that_is_no_number(shop: Path) -> None:
    with setveil.read(shop / "shop.parquet") as baskets:
        with pytest.raises(setveil.InputError, match="whole number of at least 1, not '1%'"):
            setveil.hiding(baskets, patterns=[["A", "B"]], min_support="1%")  # type: ignore[arg-type]


def test_patterns_that_are_not_there(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "patterns.txt").write_text("A,X\nA,B\n")
    assert hide("--ignore-unknown", "--out", "safe.parquet") == 0
    assert "{A, X}: skipped" in capsys.readouterr().err
    (shop / "patterns.txt").write_text("A,B\nA,E\n")
    duckdb.execute("COPY (FROM 'shop.parquet' UNION ALL SELECT 'T9', 'E') TO 'more.parquet'")
    assert run(["hiding", "more.parquet", "--patterns", "patterns.txt"]) == 0
    assert "{A, E}: no transaction holds the pattern" in capsys.readouterr().err


def test_hostile_names(shop: Path) -> None:
    """Items that would end a statement, a line or a field, as data and in patterns."""
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE t ("o\'brien" VARCHAR, "x); --" VARCHAR)')
        pairs = [(str(n), name) for n, name in enumerate(HOSTILE)] + [("all", n) for n in HOSTILE]
        connection.executemany("INSERT INTO t VALUES ($1, $2)", pairs)
        connection.execute("COPY t TO 'hostile.parquet'")
    columns = {"tid": "o'brien", "item": "x); --"}
    patterns = [HOSTILE[:3], HOSTILE[3:]]
    lines = [",".join('"' + name.replace('"', '""') + '"' for name in one) for one in patterns]
    (shop / "hostile.txt").write_text("\n".join(lines) + "\n", newline="")
    for given in (patterns, "hostile.txt"):
        with setveil.read("hostile.parquet", **columns) as baskets:
            release = setveil.hiding(baskets, patterns=given, method="naive")
            release.write("safe.parquet", trail="safe.sql", force=True)
        assert release.metrics.suppressed_occurrences == len(HOSTILE) - 1  # naive keeps one
        assert [list(one.items) for one in release.metrics.patterns] == patterns
    assert setveil.replay("safe.sql").same
    head, _, text = (shop / "safe.sql").read_text().partition("\n\n")
    assert all(line.startswith("-- ") for line in head.splitlines())
    assert not [name for name in ("DROP TABLE t", "😀", 'a"b') if name in text]
    with setveil.read("safe.parquet", **columns) as baskets:
        verdict = setveil.verify.hiding(
            baskets, original="hostile.parquet", patterns=patterns, ignore_unknown=True
        )
        assert verdict.holds and verdict.removed == len(HOSTILE) - 1


def test_nulls_and_empty_transactions(shop: Path) -> None:
    duckdb.execute(
        """
        COPY (
            SELECT * FROM (
                VALUES ('T1', ['A', NULL, 'B', 'A']), ('T2', []), ('T3', ['C']), (NULL, ['A', 'B'])
            ) AS t(tid, item)
        ) TO 'nulls.parquet'
        """
    )
    with pytest.raises(setveil.InputError, match="NULL"):
        setveil.read("nulls.parquet")
    with setveil.read("nulls.parquet", drop_nulls=True) as baskets:
        release = setveil.hiding(baskets, patterns=[["A", "B"]], method="minfia")
        assert release.rows() == [("T1", ["B"]), ("T2", []), ("T3", ["C"])]


def test_a_release_that_the_checker_refuses_is_not_written(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defect in what chooses victims is seen by the checker, and nothing is left."""
    from setveil.sql.models.hiding import anonymize as hiding
    from setveil.sql.step import Step, duck

    nothing = duck("SELECT tid, item, 1 AS round FROM occurrence WHERE FALSE")
    monkeypatch.setattr(hiding, "suppressed", lambda: Step("suppressed", "a defect", nothing))
    before = sorted(path.name for path in shop.iterdir())
    assert hide("--out", "safe.parquet", "--trail", "audit.sql") == 4
    assert "2 patterns disclosed" in capsys.readouterr().err
    assert sorted(path.name for path in shop.iterdir()) == before


def test_statements_do_not_grow_with_the_patterns(shop: Path) -> None:
    """Two patterns or all pairs: the same few statements."""
    counts = set()
    for patterns in (["AB", "CD"], ["AB", "AC", "AD", "BC", "BD", "CD"]):
        with setveil.read("shop.parquet") as baskets:
            setveil.hiding(baskets, patterns=[list(one) for one in patterns])
            counts.add(sum(bool(one.text) for one in baskets.session.statements))
    assert len(counts) == 1 and counts.pop() <= 40


def test_interrupted_while_it_hides(shop: Path) -> None:
    """Ctrl-C in the middle: exit code 130, and no file."""
    text = (
        "import os, signal, sys, setveil\n"
        "from setveil.cli.main import run\n"
        "from setveil.sql.models.hiding import anonymize as hiding\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored\n"
        "honest = hiding.sanitized\n"
        "def stop(**options):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    return honest(**options)\n"
        "hiding.sanitized = stop\n"
        "sys.exit(run(['hiding', 'shop.parquet', '--patterns', 'patterns.txt', '--out', 's.parquet'"
        ", '--trail', 's.sql']))\n"
    )
    before = sorted(path.name for path in shop.iterdir())
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert ran.returncode == 130, ran.stderr
    assert sorted(path.name for path in shop.iterdir()) == before
