"""`setveil replay`: the command of `setveil.replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.trail import replay

NAME = "replay"


def command(
    trail: Annotated[Path, typer.Argument(metavar="TRAIL.sql", help="The trail of a run.")],
    release: Annotated[
        Path | None,
        typer.Option("--release", metavar="FILE", help="Compare with this copy of the release."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="Read the input from this copy."),
    ] = None,
    hierarchy: Annotated[
        Path | None,
        typer.Option("--hierarchy", metavar="FILE", help="Read the hierarchy from this copy."),
    ] = None,
    itemsets: Annotated[
        Path | None,
        typer.Option("--itemsets", metavar="FILE", help="Read the itemsets from this copy."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="Read the key from this copy."),
    ] = None,
    database: o.Database = None,
    json: o.Json = False,
) -> int:
    """Run a trail again on a bare DuckDB, and compare what it makes with the release.

    The steps of the checker that stand in the trail are run too, and counted; what they found is
    for `setveil verify` to say. Where the input has changed, a trail stops before it releases
    anything. The trail of a run on a server is run there, with --database, and leaves nothing;
    psql -f or spark-sql -f runs it too, and publishes.
    """
    clock = running.Clock()
    found = replay(
        trail, release=release, source=source, hierarchy=hierarchy, itemsets=itemsets, key=key,
        database=database,
    )  # fmt: skip
    if json:
        output.print_json(
            {
                "command": NAME,
                "source": str(trail),
                "parameters": {},
                "metrics": {
                    "same": found.same,
                    "checks": found.checks,
                    "expected": found.expected,
                    "found": found.found,
                },
                "seconds": clock.seconds,
                "steps": found.statements,
                "out": found.release,
            }  # fmt: skip
        )
    elif found.same:
        checks = f"{found.checks} are" if found.checks else "none is"
        how = "row by row" if database else "byte for byte"
        output.say(
            f"the same: {found.statements} statements make {found.release}, {how}; "
            f"{checks} of the checker"
        )
    else:
        output.say(f"not the same: {found.release} is not what {trail} makes")
        output.table([("SHA-256 of the release", found.expected), ("of the replay", found.found)])
    return 0 if found.same else 1
