"""Printing: data to stdout, as a short table or one JSON object; notes and errors to stderr."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import typer

from setveil.run.words import command_line as command_line
from setveil.run.words import percent as percent
from setveil.run.words import printable as printable
from setveil.show.tables import lines

REST_OF_LINE = "\x1b[K"  # clears the line to the right


class _Passing:
    """One line on a terminal's stderr that is replaced by the next, and by all that is printed."""

    def __init__(self) -> None:
        self._lock, self._shown = threading.RLock(), False

    def show(self, text: str) -> None:
        """Show the line, cut to the width of the terminal."""
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        with self._lock:
            self._shown = True
            sys.stderr.write(f"\r{text[: width - 1]}{REST_OF_LINE}")
            sys.stderr.flush()

    @contextlib.contextmanager
    def gone(self) -> Iterator[None]:
        """Take the line away; in the block it is not shown again."""
        with self._lock:
            if self._shown:
                self._shown = False
                sys.stderr.write(f"\r{REST_OF_LINE}")
                sys.stderr.flush()
            yield


_PASSING = _Passing()


def passing(text: str) -> None:
    """Show a line that goes with whatever is printed next; "" only takes the last one away."""
    if text:
        _PASSING.show(text)
        return
    with _PASSING.gone():
        pass


def say(text: str) -> None:
    """Print a line of data. A reader that closes the pipe, such as `head`, does not end the run."""
    try:
        with _PASSING.gone():
            typer.echo(text)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        chat(f"stdout cannot be written to: {error.strerror}")


NOTES: list[str] = []  # the notes of the current command


def note(text: str) -> None:
    """Print a note that matters for privacy: always, once, and in the JSON object too."""
    if text not in NOTES:
        NOTES.append(text)
        chat(text)


def chat(text: str) -> None:
    """Print a note that --quiet leaves out."""
    _to_stderr(f"note: {text}")


def progress(text: str) -> None:
    """Print a line for a log on how far the run is."""
    _to_stderr(f"progress: {text}")


def fail(text: str) -> None:
    """Print an error on one line: the fault, its place, the remedy."""
    _to_stderr(f"setveil: error: {' '.join(text.split())}")


def _to_stderr(line: str) -> None:
    """Print to stderr; when it is closed, later lines are dropped."""
    try:
        with _PASSING.gone():
            typer.echo(line, err=True)
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on one line, with the notes that matter for privacy."""
    _print_object(content | {"notes": NOTES})


def print_error(code: int, message: str, hint: str | None) -> None:
    """Print the one JSON object of a command that failed."""
    _print_object({"error": {"code": code, "message": " ".join(message.split()), "hint": hint}})


def _print_object(content: dict[str, Any]) -> None:
    say_object(json.dumps(content, default=_plain, ensure_ascii=False))


def say_object(text: str) -> None:
    """Print the text of the one JSON object."""
    say(text)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)


def table(rows: Iterable[Sequence[object]]) -> None:
    """Print rows of words and numbers, in columns."""
    for line in lines(rows):
        say(line)


def is_terminal() -> bool:
    return sys.stderr.isatty()
