"""`setveil replay`: the command of `setveil.replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
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
            help="Read the input from this copy. A view or query that the run read must be given "
            "again here.",
        ),
    ] = None,
    hierarchy: Annotated[
        str | None,
        typer.Option(
            "--hierarchy",
            metavar="FILE",
            help="Read the hierarchy from this copy, or from its view or query.",
        ),
    ] = None,
    itemsets: Annotated[
        Path | None,
        typer.Option("--itemsets", metavar="FILE", help="Read the itemsets from this copy."),
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option("--costs", metavar="FILE", help="Read the costs of itemsets from this copy."),
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
            help="The database of the tables: a copy of the DuckDB file, or the server of the run.",
        ),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger",
            metavar="FILE",
            help="Read the transactions of a slice from this copy of the ledger.",
        ),
    ] = None,
    lists: Annotated[
        Path | None,
        typer.Option(
            "--lists",
            metavar="FOLDER",
            help="Write all names of the promise's lists to new files there, as verify reads them.",
        ),
    ] = None,
    json: o.Json = False,
) -> int:
    """Run a trail again, compare its rows with the release, and check the release.

    The promise in the trail's head is printed first. setveil's own checker judges the release by
    that promise, and trusts no verdict in the trail. If the trail holds a statement that setveil
    does not write, nothing is run. The trail of a server's run needs --database; it runs there
    and leaves nothing. psql -f or spark-sql -f run it too, and write the release.
    """
    clock = running.Clock()
    if not json:
        for line in promised(trail):
            output.say(line)
    found = replay(
        trail,
        release=release,
        source=source,
        hierarchy=hierarchy,
        itemsets=itemsets,
        costs=costs,
        key=key,
        private=private,
        public=public,
        sensitive=sensitive,
        patterns=patterns,
        database=database,
        ledger=ledger,
        lists=lists,
    )
    if not json:
        _print(trail, found)
    for note in found.notes:
        output.note(note)
    if json:
        _print_json(trail, found, clock)
    else:
        fine = found.same and found.holds is not False
        if found.verify is not None:
            output.say(f"judge it again: {found.verify}")
        nexts.tell(nexts.after_replay(trail, found.release, fine=fine))
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
            "inputs": list(found.inputs),
            "verify": found.verify,
            "metrics": metrics,
            "seconds": clock.seconds,
            "steps": found.statements,
            "out": found.release,
        }
    )


def _print(trail: Path, found: Replay) -> None:
    for line in found.inputs:
        output.say(line)
    if found.holds is not None:
        said = "holds: " if found.holds else "does not hold: "
        output.say(f"{said}{found.refusal or 'the checker passes the release'}")
    if found.same:
        checks = f"{found.checks} are" if found.checks else "none is"
        how = "row by row" if found.is_table else "byte for byte"
        output.say(
            f"reproduced: {found.statements} statements make {found.release}, {how}; "
            f"{checks} of the checker"
        )
        if found.holds is False:
            output.say("verdict: the release is the one that was made, and breaks the promise")
        return
    made = "other rows than" if found.is_table else "a file of other bytes than"
    output.say(f"not reproduced: {trail} makes {made} {found.release}")
    if not found.is_table:
        output.say("another program may have written equal rows in another way; verify reads rows")
    output.table([("SHA-256 of the release", found.expected), ("of the replay", found.found)])
