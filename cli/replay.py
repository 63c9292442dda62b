"""`setveil replay`: the command of `setveil.replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.trail.replay import Replay, promised, replay

NAME = "replay"


def command(
    trail: Annotated[Path, typer.Argument(metavar="TRAIL.sql", help="The trail of a run.")],
    release: Annotated[
        Path | None,
        typer.Option("--release", metavar="FILE", help="Compare with this copy of the release."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="SOURCE",
            help="Read the input from this copy; or name again the view or query that the run "
            "read, which is not read otherwise.",
        ),
    ] = None,
    hierarchy: Annotated[
        str | None,
        typer.Option(
            "--hierarchy",
            metavar="FILE",
            help="Read the hierarchy from this copy, or name its view or query again.",
        ),
    ] = None,
    itemsets: Annotated[
        Path | None,
        typer.Option("--itemsets", metavar="FILE", help="Read the itemsets from this copy."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="Read the key from this copy."),
    ] = None,
    private: o.Again = None,
    public: o.Again = None,
    sensitive: o.Again = None,
    patterns: o.Again = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="WHERE",
            help="Where the tables are: a copy of the DuckDB file, or the server of the run.",
        ),
    ] = None,
    json: o.Json = False,
) -> int:
    """Run a trail again, compare what it makes with the release, and judge the release.

    The promise in the trail's head is printed first: it is what setveil's own checker judges, by
    the release alone, whatever the trail says of itself. A statement that setveil does not write is
    refused, and nothing is run. The trail of a run on a server is run there, with --database, and
    leaves nothing; psql -f or spark-sql -f runs it too, and publishes.
    """
    clock = running.Clock()
    if not json:
        for line in promised(trail):
            output.say(line)
    found = replay(
        trail, release=release, source=source, hierarchy=hierarchy, itemsets=itemsets, key=key,
        private=private, public=public, sensitive=sensitive, patterns=patterns, database=database,
    )  # fmt: skip
    if json:
        _print_json(trail, found, clock)
    else:
        _print(trail, found, by_row=database is not None)
    return 0 if found.same and found.holds is not False else 1


def _print_json(trail: Path, found: Replay, clock: running.Clock) -> None:
    metrics = {
        "same": found.same,
        "holds": found.holds,
        "refusal": found.refusal or None,
        "checks": found.checks,
        "expected": found.expected,
        "found": found.found,
    }
    output.print_json(
        {
            "command": NAME,
            "source": str(trail),
            "parameters": {},
            "promise": list(found.promise),
            "metrics": metrics,
            "seconds": clock.seconds,
            "steps": found.statements,
            "out": found.release,
        }
    )


def _print(trail: Path, found: Replay, *, by_row: bool) -> None:
    if found.holds is not None:
        said = "holds: " if found.holds else "does not hold: "
        output.say(f"{said}{found.refusal or 'setveil has judged the release anew'}")
    if found.same:
        checks = f"{found.checks} are" if found.checks else "none is"
        how = "row by row" if by_row else "byte for byte"
        output.say(
            f"the same: {found.statements} statements make {found.release}, {how}; "
            f"{checks} of the checker"
        )
        return
    output.say(f"not the same: {found.release} is not what {trail} makes")
    output.table([("SHA-256 of the release", found.expected), ("of the replay", found.found)])
