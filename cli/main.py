"""The command `setveil`: its commands, and the exit code of whatever comes of them."""

from __future__ import annotations

import signal
import sys
from importlib.metadata import version
from types import ModuleType
from typing import Annotated

import typer

from setveil.backends.naming import WRITTEN
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
from setveil.cli.output import fail, printable, say
from setveil.cli.running import INTERRUPTED, with_exit_code

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
# A line each, none of which a terminal of 80 columns cuts short.
IN_SHORT = {
    "inspect": "What is in the data, and whom it gives away.",
    "coherence": "(h,k,p)-coherence: items suppressed everywhere.",
    "partition": "k-anonymity: items generalized where it takes that.",
    "km": "k^m-anonymity: items generalized everywhere.",
    "uncertainty": "rho-uncertainty: items suppressed where it takes that.",
    "hide": "Hide restrictive patterns.",
    "hierarchy": "Show, check or build a hierarchy.",
    "itemsets": "Mine frequent itemsets and association rules.",
    "rename": "Put random codes in the place of item names.",
    "reidentify": "Attack renamed data with published itemsets.",
    "verify": "Check a release by the definition of its model.",
    "compare": "What releases cost, and what they still give away.",
    "sweep": "What a model costs at every point of a grid.",
    "replay": "Run a trail again, and compare what it makes.",
    "generate": "Made-up baskets, with names and a hierarchy.",
    "demo": "The whole tour, in less than a minute.",
}


def _add(module: ModuleType) -> None:
    short = IN_SHORT[module.NAME]
    app.command(module.NAME, epilog=EXIT_CODES, short_help=short)(with_exit_code(module.command))


for module in (inspect, *MODELS, hierarchy, itemsets, rename, reidentify):
    _add(module)
app.add_typer(verify.app, name="verify", epilog=EXIT_CODES, short_help=IN_SHORT["verify"])
_add(compare)
app.add_typer(sweep.app, name=sweep.NAME, epilog=EXIT_CODES, short_help=IN_SHORT["sweep"])
for module in (replay, generate, demo):
    _add(module)


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    code = run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done and told
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of a command."""
    WRITTEN.clear()
    code = code_of(arguments)
    if code == INTERRUPTED:
        shown = ", ".join(printable(name) for name in WRITTEN)
        said = f"written before that: {shown}" if shown else "nothing was written"
        fail(f"interrupted; {said}")
    return code


def code_of(arguments: list[str]) -> int:
    """The same, of what may be a part of another command: nothing is said of a Ctrl-C."""
    try:
        app(arguments, prog_name="setveil")
    except SystemExit as left:  # also by a Ctrl-C that came before the command began
        return left.code if isinstance(left.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
