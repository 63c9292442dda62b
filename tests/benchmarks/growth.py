"""Print how the time and the memory of each command grow with the data, in one table.

    python tests/benchmarks/growth.py
    python tests/benchmarks/growth.py --scales 1,4,16,32 --only km
    python tests/benchmarks/growth.py --scales 40,320 --memory-limit 4GB --k-grows

Generated baskets of ten products, once with a fixed k and once with k in proportion to the
transactions. Scale 320 has 100 million occurrences. Start-up is left out: it is what the command
takes on a hundred transactions. A row has processor seconds, the most memory, seconds of the
clock, and processor time in proportion to that of the first scale. More than 1.1 is marked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from table import Taken, setveil, taken

BASE = 31_250  # transactions at scale 1
TINY = 100
ITEMS = 1_000
K = 10  # at scale 1
ALLOWED = 1.1  # times proportion
PRIVATE = "--private where:name~LIKE~'Rx~%' --h 0.4"
SENSITIVE = "--sensitive where:name~LIKE~'Rx~%A%' --ignore-unknown"

SAFE = f"coherence {{data}} {PRIVATE} --k {{k}} --p 2 --out {{safe}}"
COMMANDS = {
    "coherence p 2": SAFE,
    "coherence p 3": f"coherence {{data}} {PRIVATE} --k {{k}} --p 3 --out {{out}}",
    "k-anonymity": "k-anonymity {data} --k {k} --fanout 5 --out {out}",
    "km-anonymity m 2": "km-anonymity {data} --k {k} --m 2 --fanout 5 --out {out}",
    "uncertainty": f"uncertainty {{data}} {SENSITIVE} --rho 0.5 --out {{out}}",
    "hiding": "hiding {data} --patterns {patterns} --psi 0.1 --out {out}",
    "permutation": f"permutation {{data}} {SENSITIVE} --degree 5 --out {{folder}}",
    "verify": f"verify coherence {{safe}} {PRIVATE} --k {{k}} --p 2",
    "inspect": "inspect {data} --json",
    "itemsets": "itemsets {data} --min-support 0.5% --out {out}",
    "compare": "compare {data} {safe} --json",
}


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one scale."""

    folder: Path
    scale: int | None  # None: the tiny data, for start-up

    @property
    def transactions(self) -> int:
        return TINY if self.scale is None else BASE * self.scale

    def named(self, k: int) -> dict[str, str]:
        return {
            "data": str(self.folder / f"{self.transactions}.parquet"),
            "safe": str(self.folder / f"{self.transactions}-safe-{k}.parquet"),
            "patterns": str(self.folder / "patterns.txt"),
            "out": str(self.folder / "out.parquet"),
            "folder": str(self.folder / "out"),
            "k": str(k),
        }

    def k(self, *, grows: bool) -> int:
        if self.scale is None:
            return 2
        return K * self.scale if grows else K

    def make(self) -> None:
        words = f"generate {{data}} --transactions {self.transactions} --items {ITEMS}"
        if not Path(self.named(1)["data"]).exists():
            print(
                f"generated {self.transactions:,} baskets: {taken(setveil(words, self.named(1)))}"
            )


@dataclass(frozen=True, slots=True)
class Rows:
    """The runs of one command on all scales."""

    name: str
    memory: str | None  # granted to each run; the command's default without it

    @property
    def words(self) -> str:
        return COMMANDS[self.name]

    @property
    def depends_on_k(self) -> bool:
        return "{k}" in self.words

    def run(self, files: Files, k: int) -> Taken:
        words, named = self.words, files.named(k)
        if "{safe}" in words and words != SAFE and not Path(named["safe"]).exists():
            taken(self._command(SAFE, named))
        return taken(self._command(words, named))

    def _command(self, words: str, named: dict[str, str]) -> list[str]:
        granted = f" --memory-limit {self.memory}" if self.memory else ""
        return setveil(words + granted, named)

    def measured(self, tiny: Files, sizes: list[Files], *, grows: bool) -> list[str]:
        """Print a row per scale; return those that take more than their proportion."""
        start = 0.5 if "{patterns}" in self.words else self.run(tiny, tiny.k(grows=grows)).seconds
        first, faster = None, []
        for files in sizes:
            scale = files.scale or 1
            found = self.run(files, files.k(grows=grows))
            seconds = max(0.01, found.seconds - start)
            first = first or seconds / scale
            ratio = seconds / scale / first
            k = f", k {'in proportion' if grows else 'fixed'}" if self.depends_on_k else ""
            said = f"{self.name}{k}, {scale}x"
            mark = " X" if ratio > ALLOWED else ""
            print(f"{said:40} {found} {found.clock:7.1f} s {ratio:6.2f}{mark}", flush=True)
            faster += [said] if ratio > ALLOWED else []
        return faster


def measured(options: argparse.Namespace, folder: Path) -> list[str]:
    """Print the table; return the rows that grow faster than the data."""
    scales = [int(one) for one in options.scales.split(",")]
    tiny, sizes = Files(folder, None), [Files(folder, scale) for scale in scales]
    for files in (tiny, *sizes):
        files.make()
    drawn = "generate {patterns} --of {data} --patterns 5 --pattern-support 0.01,0.1"
    if not Path(sizes[0].named(1)["patterns"]).exists():
        taken(setveil(drawn, sizes[0].named(1)))
    faster = []
    for name in COMMANDS:
        rows = Rows(name, options.memory_limit)
        ways = (True,) if options.k_grows else (False, True)
        for grows in ways if rows.depends_on_k else (False,):
            if options.only in name:
                faster += rows.measured(tiny, sizes, grows=grows)
    return faster


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scales", default="1,4,16", metavar="N,N,…")
    parser.add_argument("--only", default="", metavar="TEXT", help="of the commands, these")
    parser.add_argument("--memory-limit", metavar="SIZE", help="granted to each run")
    parser.add_argument("--k-grows", action="store_true", help="leave the runs with a fixed k out")
    parser.add_argument("--folder", type=Path, help="keeps the data for the next run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        faster = measured(options, options.folder or Path(name))
    print(f"{len(faster)} rows take more than {ALLOWED} times proportion")
    return int(bool(faster))


if __name__ == "__main__":
    sys.exit(main())
