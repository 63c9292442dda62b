"""`setveil demo`: a tour that runs the commands themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import output, running
from setveil.errors import INTERRUPTED, CheckError, InputError

NAME = "demo"

PRIVATE = ["--private", "where:name LIKE 'Rx %'"]
PERSON = ["--person", "person"]
PROMISE = ["--h", "0.4", "--k", "5", "--p", "2"]


def command(
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="The folder for the tour's files.")
    ] = Path("demo"),
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="The seed of the generated baskets.")
    ] = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the files of an earlier tour.")
    ] = False,
) -> None:
    """Show what setveil does on generated baskets, in less than a minute.

    Each line that starts with $ is a command that you can type yourself.
    """
    clock = running.Clock()
    _make(folder, force=force)
    baskets, safe, ids, coded, key, known = (
        str(folder / f"{name}.parquet")
        for name in ("baskets", "safe", "ids", "coded", "key", "known")
    )
    trail = str(folder / "audit.sql")
    judged = [*PRIVATE, *PROMISE]
    _say("A supermarket with a pharmacy wants to share its baskets.")
    _run(
        "generate",
        baskets,
        "--transactions",
        "50000",
        "--items",
        "200",
        "--length",
        "8",
        "--persons",
        "20000",
        "--seed",
        str(seed),
        "--force",
    )
    _say(
        "Prescriptions (Rx) are private; a neighbour can see all other products. "
        "How many baskets, and how many persons, does this identify?"
    )
    _run("inspect", baskets, *PERSON, *PRIVATE, "--h", "0.4", "--p", "2")
    _run("verify", "coherence", baskets, *PERSON, *judged, expected=1)
    _say(
        "Make a release: a neighbour who knows two products of a basket finds such baskets of at "
        "least five persons. The trail keeps all SQL."
    )
    _run(
        "coherence",
        baskets,
        *PERSON,
        *judged,
        "--out",
        safe,
        "--trail",
        trail,
        "--renumber",
        "--key",
        ids,
        "--force",
    )
    _say(
        "Check the promise: the release names no person, so its source and the key of its ids "
        "tell them. Then run the trail again in a bare DuckDB."
    )
    _run("verify", "coherence", safe, *judged, "--persons-of", baskets, *PERSON, "--key", ids)
    _run("replay", trail, "--key", ids)
    _say("Compare the release with the original: the loss, and the risk that remains.")
    _run("compare", baskets, safe, *PERSON, *PRIVATE, *PROMISE, "--key", ids)
    _say("Are random codes in place of names enough? Rename the items, then attack the result.")
    _run("rename", baskets, "--key", key, "--out", coded, "--seed", str(seed), "--force")
    _run("itemsets", baskets, "--min-support", "1%", "--out", known, "--force")
    _run("reidentify", coded, "--itemsets", known, "--key", key, "--quiet")
    _say(f"All files are in {folder}/. Read {trail}: every statement of the run, in SQL.")
    output.say(f"demo: done in {clock.seconds} s")


def _make(folder: Path, *, force: bool) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not force:
            raise InputError(f"{folder} is not empty: name another with --folder, or use --force")
        for key in ("key", "ids"):  # commands never overwrite a key
            (folder / f"{key}.parquet").unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error


def _say(text: str) -> None:
    output.say(f"\n# {text}")


def _run(*arguments: str, expected: int = 0) -> None:
    """Print a command and run it."""
    from setveil.cli.main import code_of  # main imports the commands, so it is imported late

    output.say(f"\n$ setveil {output.command_line(arguments)}")
    code = code_of(list(arguments))
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code != expected:
        raise CheckError(f"the demo expected exit code {expected} and got {code}")
