"""Print one table of what each command takes, beside what it took when the table was last kept.

    python tests/benchmarks/table.py
    python tests/benchmarks/table.py --keep

Each row is a command in a process of its own, on generated baskets of ten products on average. Time
is processor time, as a multiple of a peer that runs in the same minute: so a busy or a slower
machine shows about the same ratio. The peer of a row on data is DuckDB, which counts all pairs of
products of the same data; the peer of a row without data is Python that starts and ends. Minimal
moles have a peer of their own, the reference in C++, and itemsets have pyfim: on shared data, where
it is present, with wall time for what runs in this process.
`--keep` writes the ratios to `results.json`, with which the next run compares. `--only TEXT` takes
rows with this in their name, `--scale N` takes N times the data.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

import reference  # noqa: E402

RESULTS = Path(__file__).with_name("results.json")
TRANSACTIONS = 78_125
WORSE = 1.5  # times the ratio that was kept: such a row fails the run
BARE = [sys.executable, "-c", "pass"]
PAIRS = """
import duckdb, sys
duckdb.sql("SET threads = 2")
print(duckdb.sql(
    f"SELECT COUNT(*) FROM (SELECT a.item AS one, b.item AS other, COUNT(*) AS held "
    f"FROM '{sys.argv[1]}' AS a JOIN '{sys.argv[1]}' AS b ON b.tid = a.tid AND b.item > a.item "
    f"GROUP BY ALL)"
).fetchall())
"""
PRIVATE = "--private where:name~LIKE~'Rx~%'"
SENSITIVE = "--sensitive where:support~%~97~=~5"

# {data}, {safe} and {out} are files; ~ stands for a blank within a word. `safe` comes first.
ROWS = {
    "version": "--version",
    "help": "--help",
    "coherence p 2": f"coherence {{data}} {PRIVATE} --h 0.4 --k 20 --p 2 --out {{safe}}",
    "coherence p 3": f"coherence {{data}} {PRIVATE} --h 0.4 --k 20 --p 3 --out {{out}}",
    "k-anonymity": "k-anonymity {data} --k 20 --fanout 5 --out {out}",
    "km-anonymity": "km-anonymity {data} --k 20 --m 2 --fanout 5 --out {out}",
    "uncertainty": f"uncertainty {{data}} {SENSITIVE} --rho 0.5 --out {{out}}",
    "itemsets": "itemsets {data} --min-support 0.5% --out {out}",
    "verify": f"verify coherence {{safe}} {PRIVATE} --h 0.4 --k 20 --p 2",
    "inspect": "inspect {data} --json",
    "compare": "compare {data} {safe} --json",
    "hiding": "hiding {data} --patterns {patterns} --psi 0.1 --out {out}",
    "permutation": f"permutation {{data}} {SENSITIVE} --degree 5 --out {{folder}}",
    "rename": "rename {data} --key {key} --out {out}",
    "generate": f"generate {{out}} --transactions {TRANSACTIONS} --items 1000",
}
MOLES = ("retail", "connect", "t40i10d100k_first10k", "accidents_first15k")
ITEMSETS = ("retail", "connect")
PEERED = (*(f"moles {name}" for name in MOLES), *(f"itemsets {name}" for name in ITEMSETS))
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Taken:
    """The seconds and the peak memory of one process."""

    seconds: float  # of processor time
    megabytes: float  # at most at once
    clock: float  # seconds from start to end

    def __str__(self) -> str:
        return f"{self.seconds:8.2f} s  {self.megabytes:6,.0f} MB"


def taken(command: list[str]) -> Taken:
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}\n{said}")
    clock = time.perf_counter() - start
    return Taken(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, clock)


def setveil(words: str, files: dict[str, str]) -> list[str]:
    filled = [word.replace("~", " ").format(**files) for word in words.split()]
    force = ["--force"] if "--out" in filled else []
    return [sys.executable, "-m", "setveil", *filled, *force]


def prepared(folder: Path, scale: int) -> dict[str, str]:
    files = {name: str(folder / f"{name}.parquet") for name in ("data", "safe", "out", "key")}
    files |= {"patterns": str(folder / "patterns.txt"), "folder": str(folder / "parts")}
    words = f"generate {{data}} --transactions {TRANSACTIONS * scale} --items 1000"
    taken(setveil(words, files))
    drawn = "generate {patterns} --of {data} --patterns 10 --pattern-support 0.01,0.1"
    taken(setveil(drawn, files))
    return files


def measured(only: str, scale: int, known: dict[str, float]) -> dict[str, float]:
    """The ratio of each row, printed with its seconds and memory, and the ratio that is known."""
    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        files = prepared(Path(folder), scale)
        if only:  # a row may read what another row writes
            taken(setveil(ROWS["coherence p 2"], files))
        for name, words in ROWS.items():
            if only not in name:
                continue
            Path(files["out"]).unlink(missing_ok=True)
            peer = taken([sys.executable, "-c", PAIRS, files["data"]] if "{" in words else BARE)
            row = taken(setveil(words, files))
            ratios[name] = row.seconds / peer.seconds
            before = f"{known[name]:6.2f}" if name in known else "   new"
            print(f"{name:14} {row} {ratios[name]:6.2f} of its peer, was {before}", flush=True)
    return ratios


def beside_peers(only: str, known: dict[str, float]) -> dict[str, float]:
    """The ratios of minimal moles and of itemsets to their own peers, printed."""
    ratios = {}
    for name in PEERED:
        if only not in name:
            continue
        kind, _, data = name.partition(" ")
        measure = of_moles if kind == "moles" else of_itemsets
        with tempfile.TemporaryDirectory() as folder:
            try:
                ours, theirs = measure(data, Path(folder))
            except pytest.skip.Exception as reason:
                print(f"{name:14} left out: {reason}", flush=True)
                continue
        ratios[name] = ours / max(0.01, theirs)
        before = f"{known[name]:6.2f}" if name in known else "   new"
        said = f"{ours:8.2f} s of {theirs:6.2f} s"
        print(f"{name:14} {said:>20} {ratios[name]:6.2f} of its peer, was {before}", flush=True)
    return ratios


def of_moles(name: str, folder: Path) -> tuple[float, float]:
    """The least seconds of a search for minimal moles, and of the reference."""
    import test_coherence_speed as moles

    binary, prepared = reference.compiled(folder), reference.prepared(name, folder)
    pairs = [
        (moles.search(prepared).seconds, moles.search_reference(prepared, binary).seconds)
        for _ in range(ROUNDS)
    ]
    return min(ours for ours, _ in pairs), min(theirs for _, theirs in pairs)


def of_itemsets(name: str, folder: Path) -> tuple[float, float]:
    """The processor seconds of the whole command, and of the search of pyfim."""
    import test_itemsets_speed as itemsets  # without pyfim it is no module

    one = itemsets.SETTINGS[name]
    data, size = itemsets.prepared(one, folder), one.size
    words = f"itemsets {{data}} --min-support {one.support} --out {{out}}"
    words += f" --max-size {size}" if size else ""
    row = taken(setveil(words, {"data": str(data), "out": str(folder / "out.parquet")}))
    given, start = itemsets.baskets(data), time.process_time()
    itemsets.fim.fpgrowth(given, target="s", supp=-one.support, zmax=size or -1)
    return row.seconds, time.process_time() - start


def worse(ratios: dict[str, float], known: dict[str, float]) -> list[str]:
    """The rows that take much more of their peer than they did."""
    return [name for name, ratio in ratios.items() if ratio > WORSE * known.get(name, ratio)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--scale", type=int, default=1, metavar="N")
    options = parser.parse_args()
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    ratios = measured(options.only, options.scale, known)
    ratios |= beside_peers(options.only, known)
    if options.keep:
        both = known | {name: round(ratio, 2) for name, ratio in ratios.items()}
        kept = {name: both[name] for name in (*ROWS, *PEERED) if name in both}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
        return 0
    slower = worse(ratios, known)
    for name in slower:
        print(f"{name}: more than {WORSE} times what it was")
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main())
