"""The command `setveil`: its commands, and the exit code of whatever comes of them."""

from __future__ import annotations

import itertools
import signal
import sys
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Annotated, Any

import typer
from typer.main import get_command

from setveil.cli import ending
from setveil.cli.lazy import commands, lazily
from setveil.cli.options import EXIT_CODES
from setveil.cli.output import fail, print_error, printable, say
from setveil.errors import INTERRUPTED
from setveil.run.interrupts import WRITTEN

app = typer.Typer(
    cls=lazily(commands),
    name="setveil",
    help="Anonymize transaction data inside the database. Every promise is checked, and every run "
    "can be read and replayed.",
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
        from importlib.metadata import version  # half the time of this command

        say(f"setveil {version('setveil')}")
        raise typer.Exit


# Every mistake in the words of a command: typer exports but one kind of it.
UsageError: type[Any] = typer.BadParameter.__bases__[0]


ENDING = (signal.SIGTERM, signal.SIGHUP)
ENDED_BY: list[signal.Signals] = []  # which of them came


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    arguments = sys.argv[1:]
    ending.watch(_end_as_by_ctrl_c(), lambda number: _tell(number, arguments))
    code = run(arguments)
    ending.OVER.set()
    for number in (signal.SIGINT, *ENDING):
        signal.signal(number, signal.SIG_IGN)  # all is done and told
    sys.exit(code)


def _end_as_by_ctrl_c() -> list[int]:
    """Treat SIGTERM and SIGHUP like Ctrl-C; keep SIGHUP ignored under nohup.

    Answer the signals that the command obeys.
    """
    obeyed: list[int] = []
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
            obeyed.append(number)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell's script
        signal.signal(signal.SIGINT, _interrupt_if_ended)
    else:
        obeyed.append(signal.SIGINT)
    return obeyed


def _end(number: int, frame: FrameType | None) -> None:
    if not ENDED_BY:  # timeout(1) asks twice, and the second must not disturb the clean-up
        ENDED_BY.append(signal.Signals(number))
        signal.raise_signal(signal.SIGINT)


def _interrupt_if_ended(number: int, frame: FrameType | None) -> None:
    if ENDED_BY:
        raise KeyboardInterrupt


def run(arguments: list[str]) -> int:
    """The exit code of a command."""
    WRITTEN.clear()
    code = code_of(arguments)
    if code == INTERRUPTED:
        number = (ENDED_BY or [signal.SIGINT])[0]
        _tell(number, arguments)
        return 128 + number
    return code


def _tell(number: int, arguments: list[str]) -> None:
    """Tell which signal ended the command, and what it had written."""
    shown = ", ".join(printable(name) for name in WRITTEN)
    said = f"written before that: {shown}" if shown else "nothing was written"
    how = "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
    fail(f"{how}; {said}")
    if _in_json(arguments):
        print_error(128 + number, f"{how}; {said}", None)
    sys.stdout.flush()


def code_of(arguments: list[str]) -> int:
    """The same, of what may be a part of another command: nothing is said of a Ctrl-C."""
    try:
        code = _command()(arguments, prog_name="setveil", standalone_mode=False)
    except UsageError as error:
        error.show()
        if _in_json(arguments):
            command = error.ctx.command_path if error.ctx else "setveil"
            print_error(error.exit_code, error.format_message(), f"{command} --help")
        return int(error.exit_code)
    except SystemExit as left:  # also by a Ctrl-C that came before the command began
        return left.code if isinstance(left.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _in_json(arguments: list[str]) -> bool:
    """Is the outcome to be a JSON object, as far as that can be told of words that are wrong?"""
    return "--json" in itertools.takewhile(lambda one: one != "--", arguments)


@cache
def _command() -> Callable[..., object]:
    """All commands, built once: it takes as long as a small one of them runs."""
    return get_command(app)
