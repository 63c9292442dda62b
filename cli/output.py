"""What commands print: data to stdout, as a short table or one JSON object; words to stderr."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import typer


def say(text: str) -> None:
    """A line of data. Who stops reading, as `head` does, does not stop the command."""
    try:
        typer.echo(text)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        chat(f"stdout cannot be written to: {error.strerror}")


NOTES: list[str] = []  # of the command that runs


def note(text: str) -> None:
    """A line on what matters for safety: always, once, and in the JSON object too."""
    if text not in NOTES:
        NOTES.append(text)
        chat(text)


def chat(text: str) -> None:
    """A line of narration, for those who want any."""
    _tell(f"note: {text}")


def fail(text: str) -> None:
    """One line: what, where, what to do."""
    _tell(f"setveil: error: {' '.join(text.split())}")


def _tell(line: str) -> None:
    """Words are told while somebody listens."""
    try:
        typer.echo(line, err=True)
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def print_json(content: dict[str, Any]) -> None:
    """One JSON object, on one line, with the notes that matter for safety."""
    _print_object(content | {"notes": NOTES})


def print_error(code: int, message: str, hint: str | None) -> None:
    """The one JSON object of a command that failed."""
    _print_object({"error": {"code": code, "message": " ".join(message.split()), "hint": hint}})


def _print_object(content: dict[str, Any]) -> None:
    say(json.dumps(content, default=_plain, ensure_ascii=False))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)


def table(rows: Iterable[Sequence[object]], *, indent: str = "  ") -> None:
    """Rows of words and numbers, in columns: the first to the left, the others to the right."""
    cells = [[number(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        say(f"{indent}{'  '.join([first.ljust(widths[0]), *padded])}".rstrip())


def number(value: object) -> str:
    """Whole numbers with separators, others with four digits that count."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 or value.is_integer() else f"{value:.4g}"
    return printable(str(value))


def percent(share: float) -> str:
    return f"{share:.2%}"


def printable(text: str) -> str:
    """A name as it can stand on a line, whatever it holds."""
    return text if text.isprintable() else repr(text)


def command_line(words: Sequence[str]) -> str:
    """Words as they are typed: in double quotes where that reads better than in single ones."""
    return " ".join(
        f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word)
        for word in words
    )


def is_terminal() -> bool:
    return sys.stderr.isatty()


def first(shown: int, found: int) -> str:
    """Of how many the table below tells, if not of all."""
    return f"; the first {shown} of them, by size and support" if shown < found else ""
