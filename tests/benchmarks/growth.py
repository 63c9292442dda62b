"""Print how the processor time and the memory of each model grow with the data, in one table.

    python tests/benchmarks/growth.py
    python tests/benchmarks/growth.py --scales 1,4,16,32 --only km

Generated baskets of ten products, once with a fixed k and once with k in proportion to the
transactions. Start-up is left out: it is what the command takes on a hundred transactions. The last
column is the time in proportion to that of the first scale. More than 1.1 is marked.
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
SENSITIVE = "--sensitive where:name~LIKE~'Rx~%A%'"

MODELS = {
    "coherence p 2": f"coherence {{data}} {PRIVATE} --k {{k}} --p 2 --out {{out}}",
    "k-anonymity": "k-anonymity {data} --k {k} --fanout 5 --out {out}",
    "km-anonymity m 2": "km-anonymity {data} --k {k} --m 2 --fanout 5 --out {out}",
    "uncertainty": f"uncertainty {{data}} {SENSITIVE} --rho 0.5 --out {{out}}",
    "hiding": "hiding {data} --patterns {patterns} --psi 0.1 --out {out}",
    "permutation": f"permutation {{data}} {SENSITIVE} --degree 5 --out {{folder}}",
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
        data = self.folder / f"{self.transactions}.parquet"
        return {
            "data": str(data),
            "patterns": str(self.folder / "patterns.txt"),
            "out": str(self.folder / "out.parquet"),
            "folder": str(self.folder / "out"),
            "k": str(k),
        }

    def make(self) -> None:
        words = f"generate {{data}} --transactions {self.transactions} --items {ITEMS}"
        taken(setveil(words, self.named(1)))


def row(words: str, files: Files, k: int) -> Taken:
    return taken(setveil(words, files.named(k)))


def measured(scales: list[int], only: str) -> list[str]:
    """Print the table; return the rows that grow faster than the data."""
    faster = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny, sizes = Files(folder, None), [Files(folder, scale) for scale in scales]
        for files in (tiny, *sizes):
            files.make()
        drawn = "generate {patterns} --of {data} --patterns 5 --pattern-support 0.01,0.1"
        taken(setveil(drawn, sizes[0].named(1)))
        for model, words in MODELS.items():
            if only not in model:
                continue
            start = row(words, tiny, 2).seconds if "{patterns}" not in words else 0.5
            for grows in (False, True) if "{k}" in words else (False,):
                first = None
                for files in sizes:
                    scale = files.scale or 1
                    found = row(words, files, K * scale if grows else K)
                    seconds = max(0.01, found.seconds - start)
                    first = first or seconds / scale
                    ratio = seconds / scale / first
                    said = f"{model}, k {'in proportion' if grows else 'fixed'}, {scale}x"
                    mark = "X" if ratio > ALLOWED else " "
                    print(f"{said:45} {found} {ratio:6.2f} {mark}", flush=True)
                    faster += [said] if ratio > ALLOWED else []
    return faster


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scales", default="1,4,16", metavar="N,N,…")
    parser.add_argument("--only", default="", metavar="TEXT")
    options = parser.parse_args()
    faster = measured([int(one) for one in options.scales.split(",")], options.only)
    print(f"{len(faster)} rows take more than {ALLOWED} times proportion")
    return int(bool(faster))


if __name__ == "__main__":
    sys.exit(main())
