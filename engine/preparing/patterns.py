"""Draw restrictive patterns of given data, by size and support, into a list that hiding takes."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from setveil.errors import InputError
from setveil.mine.itemsets import Support
from setveil.preparing.prepare import LEAST, MOST, drawn_patterns
from setveil.run.files import places
from setveil.run.reading import Note, read
from setveil.run.roles.keys import Tid
from setveil.run.writing import write_text


@dataclass(frozen=True, slots=True)
class DrawnMetrics:
    """The number of drawn patterns, and how many items each has."""

    patterns: int
    sizes: tuple[int, ...]


def write_patterns(
    source: str | Path,
    out: str | Path,
    number: int,
    *,
    least: Support = LEAST,
    most: Support = MOST,
    tid: Tid | None = None,
    item: str = "item",
    seed: int = 0,
    threads: int | None = None,
    memory_limit: str | None = None,
    force: bool = False,
    note: Note = lambda text: None,
) -> DrawnMetrics:
    """Write so many patterns of 2 to 5 items, sizes in turn, a line for each.

    Every name is in quotes, so that no comma or arrow in it is read as more.
    """
    if number < 1:
        raise InputError(f"patterns is a whole number of at least 1, not {number}")
    if Path(out).suffix.lower() != ".txt":
        raise InputError(f"{out}: patterns are a text: name a file that ends in .txt")
    places.check_place(str(out), force=force)
    with read(
        source, tid=tid, item=item, note=note, threads=threads, memory_limit=memory_limit
    ) as baskets:
        baskets.session.inputs.announce({"FILE": out})
        found = drawn_patterns(baskets, number, least, most, seed)
        lines = io.StringIO(newline="")
        csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(found)
        write_text(str(out), lines.getvalue(), baskets.session.inputs, force=force)
    return DrawnMetrics(len(found), tuple(map(len, found)))
