"""Show that a change of the code changes no release: every model on the shared data.

    python tests/benchmarks/same_releases.py --keep before.json
    python tests/benchmarks/same_releases.py --against before.json --words words.json

`--keep` writes the SHA-256 of each release, of its rows, and its metrics. `--against` runs the same
again, prints a row per run, and ends with exit code 1 unless all are the same. `--only TEXT` takes
the runs with this in their name, `--list` names them. `--program` is the setveil to run.

Where commands, options or figures have new names, `--words` maps old ones to new ones:
{"hide": "hiding", "--algorithm": "--method", "uncertainty --keep": "--keep"}. A key with a command
in front is for that command alone; an empty value leaves an option out, with what follows it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from reference import SHARED  # noqa: E402

DATA = SHARED / "data"
LIMIT = 600  # seconds: a run that takes longer has failed
NAMED = ("groceries", "online_retail")
NUMBERED = ("retail", "bms_webview_2", "kosarak_first36k")
DENSE = ("t40i10d100k_first10k", "accidents_first15k", "connect")
FEW = {"connect", "accidents_first15k"}  # a few items are in nearly all transactions
UNREACHABLE = 3  # the exit code where no release can keep the promise
TOO_LONG = 124  # the exit code of such a run, as the shell's timeout has it
LONG = {"online_retail"}  # transactions of a thousand items have half a million pairs
IGNORED = {"seconds"}  # figures that no two runs share

Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Run:
    """A command on a dataset; {patterns}, {tree} and {key} in it are files."""

    data: str
    command: str
    arguments: str

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.data, self.command, self.arguments) if part)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it."""

    code: int
    file: str = ""
    rows: str = ""
    metrics: dict[str, Any] = field(default_factory=dict)


# The runs


def private_of(data: str) -> str:
    """Some items, by their names alone; none that many hold."""
    few = "length(name) % 7 = 3" if data in NAMED else "name % 7 = 3"
    return f"where:{few} AND support < {4000 if data == 'connect' else 700}"


def runs() -> Iterator[Run]:
    """All models, with all their methods, where they take less than a minute."""
    for data in (*NAMED, *NUMBERED, *DENSE):
        yield from coherent(data)
        yield from generalized(data)
        yield from uncertain(data)
        yield from hidden(data)
        yield Run(data, "rename", "--seed 7 --key {key}")
        for rules in ("", " --rules --min-confidence 0.5"):
            least = {"connect": "95%", "accidents_first15k": "70%"}.get(data, "2%")
            yield Run(data, "itemsets", f"--min-support {least}{rules}")
    for size in (1000, 20000):
        yield Run("", "generate", f"--transactions {size} --items 300 --seed 4")


def coherent(data: str) -> Iterator[Run]:
    private, p = shlex.quote(private_of(data)), 1 if data in LONG else 2
    for method in ("mm-il", "mm", "1-il", "rm-all", "optimal"):
        yield Run(data, "coherence", f"--k 5 --p {p} --h 0.7 --private {private} --method {method}")
    yield Run(data, "coherence", f"--k 20 --p {p} --faithful")
    yield Run(data, "coherence", f"--k 5 --p {p} --loss unit")
    if data not in (*LONG, *DENSE):
        yield Run(data, "coherence", f"--k 10 --p 3 --h 0.8 --private {private}")


def generalized(data: str) -> Iterator[Run]:
    tree = "--hierarchy {tree}" if tree_of(data).exists() else "--fanout 5"
    for k in (5, 20):
        yield Run(data, "k-anonymity", f"--k {k} {tree}")
    if data not in FEW:
        yield Run(data, "k-anonymity", f"--k 5 {tree} --refine")
        yield Run(data, "km-anonymity", f"--k 5 --m 2 {tree}")


def tree_of(data: str) -> Path:
    return DATA / f"{data}_hierarchy.parquet"


def uncertain(data: str) -> Iterator[Run]:
    if data in FEW:
        return
    sensitive = shlex.quote(private_of(data))
    for way in ("--keep rules", "--keep distribution", "--method global", "--max-knowledge 2"):
        yield Run(data, "uncertainty", f"--sensitive {sensitive} --rho 0.5 {way}")
    yield Run(data, "uncertainty", f"--sensitive {sensitive} --rho 0.5 --parts 4 --seed 3")
    if data == "groceries":
        yield Run(data, "uncertainty", f"--sensitive {sensitive} --rho 0.3 --refine")


def hidden(data: str) -> Iterator[Run]:
    for method in ("iga", "naive", "minfia", "maxfia"):
        yield Run(data, "hiding", f"--patterns {{patterns}} --psi 0.2 --method {method}")
    yield Run(data, "hiding", "--patterns {patterns} --min-support 50 --method iga")
    if data in ("groceries", "retail"):
        yield Run(data, "hiding", "--patterns {patterns} --min-support 100 --method border")


def write_patterns(data: str, target: Path) -> None:
    """Five pairs that more transactions hold than any others, of items that are not in most."""
    with duckdb.connect() as connection:
        connection.execute(
            """
            CREATE TABLE held AS WITH
            source AS (SELECT tid, item FROM read_parquet($1)),
            chosen AS (
                SELECT item FROM source GROUP BY item
                HAVING COUNT(*) < 0.5 * (SELECT COUNT(DISTINCT tid) FROM source)
                ORDER BY COUNT(*) DESC, item LIMIT 20
            )
            SELECT s.tid, s.item FROM source AS s JOIN chosen AS c ON c.item = s.item
            """,
            [str(DATA / f"{data}.parquet")],
        )
        rows = connection.execute(
            """
            SELECT CAST(a.item AS VARCHAR), CAST(b.item AS VARCHAR)
            FROM held AS a JOIN held AS b ON a.tid = b.tid AND a.item < b.item
            GROUP BY a.item, b.item ORDER BY COUNT(*) DESC, a.item, b.item LIMIT 5
            """
        ).fetchall()
        connection.execute("CREATE TABLE pattern (pattern INTEGER, item VARCHAR)")
        for number, items in enumerate(rows):
            for item in items:
                connection.execute("INSERT INTO pattern VALUES ($1, $2)", [number, item])
        connection.table("pattern").write_csv(str(target))


# One run


def worded(run: Run, words: Words) -> list[str]:
    """The command line, in the words that this setveil knows."""
    line, skip = [words.get(run.command, run.command)], False
    for part in shlex.split(run.arguments):
        new = words.get(f"{run.command} {part}", words.get(part, part))
        if not skip and new:
            line += shlex.split(new) if new != part else [part]
        skip = not new
    return line


def carried_out(run: Run, program: list[str], words: Words, folder: Path) -> Result:
    out, key, patterns = (folder / name for name in ("out.parquet", "key.parquet", "patterns.csv"))
    for path in (out, key, patterns):
        path.unlink(missing_ok=True)
    if "{patterns}" in run.arguments:
        write_patterns(run.data, patterns)
    files = {"{patterns}": str(patterns), "{key}": str(key), "{tree}": str(tree_of(run.data))}
    command, *rest = (files.get(part, part) for part in worded(run, words))
    target = [str(DATA / f"{run.data}.parquet"), "--out", str(out)] if run.data else [str(out)]
    line = [*program, command, *target, *rest, "--json", "--threads", "1"]
    try:
        ended = subprocess.run(line, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return Result(TOO_LONG)
    if ended.returncode:
        if ended.returncode != UNREACHABLE:
            print(ended.stderr.strip()[-500:], file=sys.stderr)
        return Result(ended.returncode)
    metrics = json.loads(ended.stdout)["metrics"]
    kept = {name: value for name, value in metrics.items() if name not in IGNORED}
    return Result(0, digest(out.read_bytes()), rows_of(out), kept)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def rows_of(path: Path) -> str:
    """Of the columns' names and types, and of all rows in their order: not of how they are kept."""
    with duckdb.connect() as connection:
        rows = connection.read_parquet(str(path))
        said = hashlib.sha256(repr([rows.columns, list(map(str, rows.types))]).encode())
        result = connection.execute("FROM read_parquet($1)", [str(path)])
        while some := result.fetchmany(10_000):
            said.update(repr(some).encode())
    return said.hexdigest()


# Beside each other


def difference(before: Result, now: Result, words: Words) -> str:
    """In a few words; nothing if there is none."""
    if now.code not in (0, UNREACHABLE):
        return f"failed: exit code {now.code}"
    if before.code != now.code:
        return f"exit code {before.code}, now {now.code}"
    known = {words.get(name, name): value for name, value in before.metrics.items()}
    figures = sorted(name for name, value in known.items() if now.metrics.get(name, ...) != value)
    said = []
    if before.rows != now.rows:
        said.append("other rows")
    elif before.file != now.file:
        said.append("the same rows in other bytes")
    if figures:
        said.append(f"other figures: {', '.join(figures)}")
    return "; ".join(said)


def main() -> int:
    options = arguments()
    chosen = [run for run in runs() if all(text in run.name for text in options.only)]
    if options.list:
        print("\n".join(run.name for run in chosen))
        return 0
    words: Words = json.loads(options.words.read_text()) if options.words else {}
    before = json.loads(options.against.read_text()) if options.against else {}
    made: dict[str, dict[str, Any]] = {}
    changed = 0
    with tempfile.TemporaryDirectory() as folder:
        for run in chosen:
            start = spent()
            result = carried_out(run, shlex.split(options.program), words, Path(folder))
            made[run.name] = asdict(result)
            said = f"exit code {result.code}" if result.code else "done"
            if options.against:
                known = run.name in before
                found = difference(Result(**before[run.name]), result, words) if known else "new"
                said, changed = found or "same", changed + bool(found)
            print(f"{spent() - start:6.1f} s  {said:8}  {run.name}", flush=True)
    if options.keep:
        options.keep.write_text(json.dumps(made, indent=1, ensure_ascii=False))
    for name in sorted(before.keys() - made.keys() if not options.only else ()):
        changed += 1
        print(f"not run  {name}")
    print(f"{len(chosen):,} runs" + (f", {changed:,} of them differ" if options.against else ""))
    return int(changed > 0)


def spent() -> float:
    """The seconds of processor time that the runs have taken, however busy the machine is."""
    times = os.times()
    return times.children_user + times.children_system


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE")
    parser.add_argument("--words", type=Path, metavar="FILE")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT")
    parser.add_argument("--program", default=f"{sys.executable} -m setveil", metavar="COMMAND")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
