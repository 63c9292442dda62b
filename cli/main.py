"""The command `setveil`: its commands, and the exit code of whatever comes of them."""

from __future__ import annotations

import signal
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from setveil.cli import (
    coherence,
    compare,
    demo,
    generate,
    hide,
    hierarchy,
    inspect,
    itemsets,
    km,
    partition,
    reidentify,
    rename,
    replay,
    sweep,
    uncertainty,
    verify,
)
from setveil.cli.options import EXIT_CODES
from setveil.cli.output import say
from setveil.cli.running import interrupted, with_exit_code

app = typer.Typer(
    name="setveil",
    help="Anonymize transaction data inside the database: what is promised is checked, and what "
    "was done can be read and run again.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback(invoke_without_command=True)
def setveil(
    show_version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if show_version:
        say(f"setveil {version('setveil')}")
        raise typer.Exit


MODELS = (coherence, partition, km, uncertainty, hide)
for module in (inspect, *MODELS, hierarchy, itemsets, rename, reidentify):
    app.command(module.NAME, epilog=EXIT_CODES)(with_exit_code(module.command))
app.add_typer(verify.app, name="verify", epilog=EXIT_CODES)
app.command(compare.NAME, epilog=EXIT_CODES)(with_exit_code(compare.command))
app.add_typer(sweep.app, name=sweep.NAME, epilog=EXIT_CODES)
for module in (replay, generate, demo):
    app.command(module.NAME, epilog=EXIT_CODES)(with_exit_code(module.command))


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    code = run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done and told
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of a command."""
    try:
        app(arguments, prog_name="setveil")
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    except KeyboardInterrupt:  # before the command began
        return interrupted()
    return 0
