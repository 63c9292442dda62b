"""Write a part of given transactions to a file, as an experiment prepares its data."""

from __future__ import annotations

from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError
from setveil.generator.generate import GenerateMetrics, write_rows
from setveil.preparing.prepare import Preparation, make, rows_of
from setveil.run.files import places
from setveil.run.files.source import format_of
from setveil.run.reading import Note, read
from setveil.run.roles.keys import Tid
from setveil.sql.levels import lengths
from setveil.sql.preparing.prepare import items_left
from setveil.sql.step import Step


def prepare(
    source: str | Path,
    out: str | Path,
    how: Preparation,
    *,
    tid: Tid | None = None,
    item: str = "item",
    seed: int = 0,
    threads: int | None = None,
    memory_limit: str | None = None,
    force: bool = False,
    note: Note = lambda text: None,
) -> GenerateMetrics:
    """Write what the preparation leaves: a row per transaction and item, or lists of items.

    Lists keep transactions that lost all their items, so a least item support needs Parquet.
    """
    target, listed = Path(out), how.min_item_support is not None
    kind = format_of(str(target))
    if kind == "basket" or (listed and kind != "parquet"):
        raise InputError(f"{target}: name a file that ends in .parquet: some lists may be empty")
    places.check_place(str(target), force=force)
    with read(
        source, tid=tid, item=item, note=note, threads=threads, memory_limit=memory_limit
    ) as baskets:
        session = baskets.session
        session.inputs.announce({"FILE": target})
        session.begin()
        transactions = make(baskets, how, seed)
        columns = ("tid",) if listed else ("tid", "item")
        rows = rows_of(baskets, how).order_by(*map(exp.column, columns))
        step = Step("release", "lists the rows in the order of the file", rows)
        write_rows(session, step, target, force=force)
        counts = session.ask(Step("lengths", "counts transactions", lengths("prepared")))
        (items,) = session.one(items_left())
    held = {int(length): int(number) for length, number in counts}
    occurrences = sum(length * number for length, number in held.items())
    mean = occurrences / max(1, transactions)
    return GenerateMetrics(transactions, int(items), occurrences, mean, max(held, default=0))
