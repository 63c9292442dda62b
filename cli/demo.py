"""`setveil demo`: the whole tour, made of the commands themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import output, running
from setveil.errors import INTERRUPTED, CheckError, InputError

NAME = "demo"

PRIVATE = ["--private", "where:name LIKE 'Rx %'"]
PROMISE = ["--h", "0.4", "--k", "5", "--p", "2"]


def command(
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="Where the files of the tour go.")
    ] = Path("demo"),
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the generated baskets.")] = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the files of an earlier tour.")
    ] = False,
) -> None:
    """The whole tour on generated baskets, in less than a minute.

    Every line that starts with $ is a command that you can type yourself.
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
    _run("generate", baskets, "--transactions", "50000", "--items", "200",
         "--length", "8", "--seed", str(seed), "--force")  # fmt: skip
    _say(
        "What would they give away? Prescriptions (Rx) are private; all else, a neighbour can see."
    )
    _run("inspect", baskets, *PRIVATE, "--h", "0.4", "--p", "2")
    _run("verify", "coherence", baskets, *judged, expected=1)
    _say("A release that no neighbour who knows two products can use, and all that was done.")
    _run("coherence", baskets, *judged, "--out", safe, "--trail", trail, "--renumber",
         "--key", ids, "--force")  # fmt: skip
    _say("The promise, checked from the release alone; and the trail, run again by bare DuckDB.")
    _run("verify", "coherence", safe, *judged)
    _run("replay", trail)
    _say("What the release still gives, and what it still gives away, beside the original.")
    _run("compare", baskets, safe, *PRIVATE, "--h", "0.4", "--k", "5", "--p", "2",
         "--key", ids)  # fmt: skip
    _say("Would random codes in place of names not do? The owner's own attack, to see.")
    _run("rename", baskets, "--key", key, "--out", coded, "--seed", str(seed), "--force")
    _run("itemsets", baskets, "--min-support", "1%", "--out", known, "--force")
    _run("reidentify", coded, "--itemsets", known, "--key", key, "--quiet")
    _say(f"All of it is in {folder}/. Read {trail}: it is all that was done, and it is SQL.")
    output.say(f"demo: done in {clock.seconds} s")


def _make(folder: Path, *, force: bool) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not force:
            raise InputError(
                f"{folder} is not empty: name another with --folder, or --force to tour there anew"
            )
        for key in ("key", "ids"):  # commands never overwrite a key
            (folder / f"{key}.parquet").unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error


def _say(text: str) -> None:
    output.say(f"\n# {text}")


def _run(*arguments: str, expected: int = 0) -> None:
    """A command as if it had been typed."""
    from setveil.cli.main import code_of  # main lists the commands, and this is one of them

    output.say(f"\n$ setveil {output.command_line(arguments)}")
    code = code_of(list(arguments))
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code != expected:
        raise CheckError(f"the demo expected exit code {expected} and got {code}")
