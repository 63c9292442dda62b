"""`setveil generate`: the command of `setveil.generate`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.generator.generate import generate
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
        int,
        typer.Option(
            "--patterns", metavar="N", help="Number of itemsets that baskets are drawn from."
        ),
    ] = 250,
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
    hierarchy: Annotated[
        Path | None,
        typer.Option("--hierarchy", metavar="FILE", help="Write the products' hierarchy here."),
    ] = None,
    seed: o.Seed = 1,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    json: o.Json = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
) -> None:
    """Generate synthetic baskets after IBM Quest, with product names and a hierarchy."""
    clock = running.Clock()
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
        hierarchy=hierarchy,
        threads=threads,
        memory_limit=memory_limit,
        force=force,
        patterns=patterns,
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
