"""`setveil generate`: the command of `setveil.generate`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.errors import InputError
from setveil.generator.generate import GenerateMetrics, generate
from setveil.preparing.files import prepare
from setveil.preparing.patterns import DrawnMetrics, write_patterns
from setveil.preparing.prepare import LEAST, MOST, Preparation
from setveil.run.words import counted

NAME = "generate"


def command(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    transactions: Annotated[
        int, typer.Option("--transactions", metavar="N", help="Number of baskets.")
    ] = 10_000,
    items: Annotated[int, typer.Option("--items", metavar="N", help="Number of products.")] = 500,
    length: Annotated[
        float, typer.Option("--length", metavar="X", help="Mean products per basket.")
    ] = 10.0,
    patterns: Annotated[
        int | None,
        typer.Option(
            "--patterns",
            metavar="N",
            help="Number of itemsets that baskets are drawn from (default: 250). With --of: write "
            "so many restrictive patterns of it, of 2 to 5 items, for hiding.",
        ),
    ] = None,
    pattern_length: Annotated[
        float, typer.Option("--pattern-length", metavar="X", help="Mean products per itemset.")
    ] = 4.0,
    correlation: Annotated[
        float,
        typer.Option(
            "--correlation", metavar="X", help="Mean share that an itemset takes of the previous."
        ),
    ] = 0.5,
    corruption: Annotated[
        float,
        typer.Option("--corruption", metavar="X", help="Mean share that a basket drops of one."),
    ] = 0.5,
    persons: Annotated[
        int | None,
        typer.Option(
            "--persons",
            metavar="N",
            help="Add a column person: up to N persons, of whom some have many transactions.",
        ),
    ] = None,
    shape: Annotated[
        str,
        typer.Option(
            "--shape",
            metavar="WORD",
            help="baskets; uniform (items that are all as likely, lengths that fall exponentially, "
            "as the data Syn of Jia et al.); or queries (a query log: the queries of persons in "
            "sessions, of --items words by Zipf's law).",
        ),
    ] = "baskets",
    min_length: Annotated[
        int, typer.Option("--min-length", metavar="N", help="The fewest products of a basket.")
    ] = 1,
    max_length: Annotated[
        int, typer.Option("--max-length", metavar="N", help="The most products of a basket.")
    ] = 1_000,
    hierarchy: Annotated[
        Path | None,
        typer.Option("--hierarchy", metavar="FILE", help="Write the products' hierarchy here."),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="SOURCE",
            help="Instead: write a part of this file, as the papers prepare their data.",
        ),
    ] = None,
    sample: Annotated[
        str | None,
        typer.Option("--sample", metavar="N|SHARE", help="With --of: so many transactions."),
    ] = None,
    min_item_support: Annotated[
        str | None,
        typer.Option(
            "--min-item-support",
            metavar="N|SHARE",
            help="With --of: only items that as many transactions hold. The file has a list of "
            "items per transaction.",
        ),
    ] = None,
    cutoff: Annotated[
        int | None,
        typer.Option("--cutoff", metavar="N", min=1, help="With --of: up to N items of each."),
    ] = None,
    pattern_support: Annotated[
        str,
        typer.Option(
            "--pattern-support",
            metavar="LEAST,MOST",
            help="With --of and --patterns: their least and largest support.",
        ),
    ] = f"{LEAST},{MOST}",
    tid: Annotated[
        str | None, typer.Option("--tid", metavar="COL", help="With --of: the ids of transactions.")
    ] = None,
    item: Annotated[
        str, typer.Option("--item", metavar="COL", help="With --of: the column of items.")
    ] = "item",
    seed: o.Seed = 1,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    json: o.Json = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
) -> None:
    """Generate synthetic baskets after IBM Quest, with product names and a hierarchy."""
    clock = running.Clock()
    if of is not None and patterns is not None:
        if (sample, min_item_support, cutoff) != (None, None, None):
            raise InputError("--patterns draws of all data: prepare it first, by a command before")
        least, _, most = pattern_support.partition(",")
        found = write_patterns(
            of,
            out,
            patterns,
            least=least.strip(),
            most=most.strip(),
            tid=tid,
            item=item,
            seed=seed,
            threads=threads,
            memory_limit=memory_limit,
            force=force,
            note=output.note,
        )
        return _tell_patterns(of, out, found, pattern_support, clock, json=json)
    if of is not None:
        how = Preparation(sample, min_item_support, cutoff)
        part = prepare(
            of,
            out,
            how,
            tid=tid,
            item=item,
            seed=seed,
            threads=threads,
            memory_limit=memory_limit,
            force=force,
            note=output.note,
        )
        return _tell_part(of, out, how, part, clock, json=json)
    if (sample, min_item_support, cutoff, tid) != (None, None, None, None):
        raise InputError("--sample, --min-item-support, --cutoff and --tid need --of: given data")
    metrics = generate(
        out,
        transactions=transactions,
        items=items,
        length=length,
        pattern_length=pattern_length,
        correlation=correlation,
        corruption=corruption,
        persons=persons,
        seed=seed,
        shape=shape,
        min_length=min_length,
        max_length=max_length,
        hierarchy=hierarchy,
        threads=threads,
        memory_limit=memory_limit,
        force=force,
        patterns=250 if patterns is None else patterns,
    )
    if json:
        output.print_json(
            {
                "command": NAME,
                "source": None,
                "parameters": {
                    "transactions": transactions,
                    "items": items,
                    "length": length,
                    "persons": persons,
                    "seed": seed,
                    "shape": shape,
                    "min_length": min_length,
                    "max_length": max_length,
                },
                "metrics": asdict(metrics),
                "seconds": clock.seconds,
                "out": str(out),
            }
        )
        return
    output.say(
        f"{counted(metrics.transactions, 'basket')} of {counted(metrics.items, 'product')}, "
        f"{metrics.mean_length:.2f} on average and {metrics.longest} at most"
    )
    output.say(f"written: {output.printable(str(out))} ({clock.seconds} s)")
    nexts.tell(nexts.after_generation(out))


def _tell_patterns(
    of: str, out: Path, metrics: DrawnMetrics, support: str, clock: running.Clock, *, json: bool
) -> None:
    if json:
        told = {"patterns": metrics.patterns, "pattern_support": support}
        content: dict[str, object] = {"command": NAME, "source": of, "parameters": told}
        content |= {"metrics": asdict(metrics), "seconds": clock.seconds, "out": str(out)}
        return output.print_json(content)
    sizes = f"{min(metrics.sizes)} to {max(metrics.sizes)} items"
    output.say(f"{counted(metrics.patterns, 'pattern')} of {sizes}")
    output.say(f"written: {output.printable(str(out))} ({clock.seconds} s)")


def _tell_part(
    of: str,
    out: Path,
    how: Preparation,
    metrics: GenerateMetrics,
    clock: running.Clock,
    *,
    json: bool,
) -> None:
    if json:
        content: dict[str, object] = {"command": NAME, "source": of, "parameters": asdict(how)}
        content |= {"metrics": asdict(metrics), "seconds": clock.seconds, "out": str(out)}
        return output.print_json(content)
    output.say(
        f"{counted(metrics.transactions, 'transaction')} of {counted(metrics.items, 'item')}, "
        f"{metrics.mean_length:.2f} on average and {metrics.longest} at most"
    )
    output.say(f"written: {output.printable(str(out))} ({clock.seconds} s)")
