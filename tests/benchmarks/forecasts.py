"""Print what runs were expected to take, as they said after reading, beside what they took.

    python tests/benchmarks/forecasts.py
    python tests/benchmarks/forecasts.py --only retail

The runs are of all models, on generated data and on the shared datasets that are large enough. The
last line says how many were within a factor of two. Runs that are not are marked. The seconds of a
processor serve where other programs run: those of reading and of the rest then differ.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from reference import SHARED  # noqa: E402

TRANSACTIONS = 150_000
FACTOR = 2.0
ENOUGH = 18  # of 20 runs
NAMED = "--private \"where:name LIKE 'Rx %'\" --h 0.4"
SENSITIVE = '--sensitive "where:support % 97 = 5"'
RUNS = {
    "baskets": (
        f"coherence {NAMED} --k 20 --p 1",
        f"coherence {NAMED} --k 20 --p 2",
        f"coherence {NAMED} --k 100 --p 3",
        "k-anonymity --k 20 --fanout 5",
        "k-anonymity --k 5 --fanout 10",
        "km-anonymity --k 20 --m 1 --fanout 10",
        "km-anonymity --k 20 --m 2 --fanout 5",
        "km-anonymity --k 100 --m 2 --fanout 30",
        f"uncertainty {SENSITIVE} --rho 0.5",
        "hiding --patterns {patterns} --psi 0.1",
        "hiding --patterns {patterns} --psi 0 --method naive",
        f"permutation {SENSITIVE} --degree 5",
    ),
    "queries": (
        "coherence --k 5 --p 2",
        "k-anonymity --k 10 --fanout 10",
        "km-anonymity --k 10 --m 2 --fanout 10",
    ),
    "retail": (
        "coherence --k 5 --p 2",
        "k-anonymity --k 5 --fanout 10",
        "km-anonymity --k 5 --m 2 --fanout 10",
    ),
    "connect": (
        "coherence --k 50 --p 2",
        "km-anonymity --k 50 --m 2 --fanout 5",
    ),
}


def setveil(words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "setveil", *shlex.split(words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def made(folder: Path, shape: str) -> Path:
    data = folder / f"{shape}.parquet"
    more = {"baskets": "--items 1000", "queries": "--items 2000 --shape queries --length 5"}[shape]
    setveil(f"generate {data} --transactions {TRANSACTIONS} {more}").check_returncode()
    return data


def patterns_of(data: Path, folder: Path) -> Path:
    """Some frequent pairs of items, one per line."""
    listed = folder / "patterns.txt"
    setveil(
        f"generate {listed} --of {data} --patterns 10 --pattern-support 0.01,0.1"
    ).check_returncode()
    return listed


def measured(only: str) -> tuple[int, int]:
    """The runs within the factor, and all runs."""
    within = all_runs = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source, runs in RUNS.items():
            chosen = [one for one in runs if only in f"{source} {one}"]
            if not chosen:
                continue
            data = SHARED / "data" / f"{source}.parquet"
            if source in ("baskets", "queries"):
                data = made(folder, source)
            elif not data.exists():
                print(f"{source}: not here, so its {len(chosen)} runs are left out")
                continue
            patterns = folder / "patterns.txt"
            for words in chosen:
                if "{patterns}" in words and not patterns.exists():
                    patterns = patterns_of(data, folder)
                close = row(source, data, words.format(patterns=patterns), folder)
                within, all_runs = within + close, all_runs + 1
    return within, all_runs


def row(source: str, data: Path, words: str, folder: Path) -> bool:
    """Print a run, expected and actual; was it within the factor?"""
    model, _, more = words.partition(" ")
    out = folder / ("released" if model == "permutation" else "released.parquet")
    command = [sys.executable, "-m", "setveil", model, str(data), *shlex.split(more)]
    command += ["--out", str(out), "--force", "--json", "--threads", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        told = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if "error" in told or told.get("forecast") is None:
        print(f"no forecast: {source} {words}: {told.get('error', '')}", flush=True)
        return False
    expected, seconds = told["forecast"], told["seconds"]
    ratio = expected["seconds"] / seconds
    memory = expected["memory"] / 1024 / usage.ru_maxrss
    close = all(1 / FACTOR <= one <= FACTOR for one in (ratio, memory))
    print(
        f"{expected['seconds']:6.1f} of {seconds:6.1f} s {ratio:5.2f}  "
        f"({usage.ru_utime + usage.ru_stime:5.1f} of a processor)  "
        f"{expected['memory'] / 1e6:6,.0f} of {usage.ru_maxrss / 1024:6,.0f} MB {memory:5.2f} "
        f"{'' if close else 'X':1} {source} {words}",
        flush=True,
    )
    return close


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT")
    within, runs = measured(parser.parse_args().only)
    print(f"{within} of {runs} runs within a factor of {FACTOR:g}, in seconds and in memory")
    return int(within < ENOUGH * runs / 20)


if __name__ == "__main__":
    sys.exit(main())
