"""The command `setveil`: it runs one of its commands and leaves with an exit code."""

from __future__ import annotations

import gc
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
    help="Anonymize transaction data inside the database. A checker passes every release before it "
    "is written. Each run can be read and replayed as SQL.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def setveil(
    show_version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if show_version:
        from importlib.metadata import version  # half the time of this command

        say(f"setveil {version('setveil')}")
        raise typer.Exit


# The base class of all usage errors, which typer does not export itself.
UsageError: type[Any] = typer.BadParameter.__bases__[0]


ENDING = (signal.SIGTERM, signal.SIGHUP)
ENDED_BY: list[signal.Signals] = []  # the first signal that came


def main() -> None:
    """Run the command that the arguments name, and exit with its code."""
    gc.set_threshold(50_000, 20, 20)  # modules stay: to look for waste takes a tenth of a small run
    arguments = sys.argv[1:]
    ending.watch(_end_as_by_ctrl_c(), lambda number: _report_end(number, arguments))
    code = run(arguments)
    ending.OVER.set()
    for number in (signal.SIGINT, *ENDING):
        signal.signal(number, signal.SIG_IGN)  # the result is printed: nothing is left to interrupt
    ending.stop()
    # Python ends itself by SIGINT if one came inside exec(), as while it makes a dataclass, even
    # where that was caught. It remembers only the last exec().
    exec("")
    ending.leave(code)


def _end_as_by_ctrl_c() -> list[int]:
    """Treat SIGTERM and SIGHUP like Ctrl-C; keep SIGHUP ignored under nohup.

    Return the signals that the command obeys.
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
    if not ENDED_BY:  # timeout(1) sends two signals: the second must not disturb the clean-up
        ENDED_BY.append(signal.Signals(number))
        signal.raise_signal(signal.SIGINT)


def _interrupt_if_ended(number: int, frame: FrameType | None) -> None:
    if ENDED_BY:
        raise KeyboardInterrupt


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; report an interrupt."""
    WRITTEN.clear()
    code = code_of(arguments)
    if code == INTERRUPTED:
        number = (ENDED_BY or [signal.SIGINT])[0]
        _report_end(number, arguments)
        return 128 + number
    return code


def _report_end(number: int, arguments: list[str]) -> None:
    """Print which signal ended the command, and the files and tables it had written."""
    shown = ", ".join(printable(name) for name in WRITTEN)
    said = f"written before that: {shown}" if shown else "nothing was written"
    how = "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
    fail(f"{how}; {said}")
    if _in_json(arguments):
        print_error(128 + number, f"{how}; {said}", None)
    sys.stdout.flush()


def code_of(arguments: list[str]) -> int:
    """Return the exit code of a command. The demo runs commands too, and reports a Ctrl-C once."""
    try:
        code = _command()(arguments, prog_name="setveil", standalone_mode=False)
    except UsageError as error:
        return _refused(error, arguments)
    except SystemExit as left:  # typer raises it too for a Ctrl-C before the command begins
        return left.code if isinstance(left.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


NO_NUMBER = "Input should be a valid integer, unable to parse string as an integer"


def _refused(error: Any, arguments: list[str]) -> int:
    """Print what is wrong with the arguments in the words of all other errors."""
    command = error.ctx.command_path if error.ctx else "setveil"
    said = error.format_message().removesuffix(".").replace(NO_NUMBER, "no whole number")
    if "\n" in said:  # the help of a group of commands, which was named alone
        error.show()
    else:
        fail(f"{said[:1].lower()}{said[1:]}; see {command} --help")
    if _in_json(arguments):
        print_error(error.exit_code, said, f"{command} --help")
    return int(error.exit_code)


def _in_json(arguments: list[str]) -> bool:
    """Is --json among the arguments, which may be wrong otherwise?"""
    return "--json" in itertools.takewhile(lambda one: one != "--", arguments)


@cache
def _command() -> Callable[..., object]:
    """Build all commands once: this takes as long as a small command runs."""
    return get_command(app)
