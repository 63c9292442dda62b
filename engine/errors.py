"""What can go wrong. Each error is one line: what, where, what to do.

The command line turns each class into its exit code.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

COMMAND_LINE = ContextVar("COMMAND_LINE", default=False)  # or is it Python that is spoken?
FLAGS = (
    "drop_nulls", "explain", "faithful", "force", "force_large", "ignore_unknown", "refine",
    "renumber", "rules", "undo",
)  # fmt: skip
METHODS = {"out": "write()", "into": "write_table()"}
# What stands in quotes is the caller's: an item can be named like an option.
OPTION = re.compile(
    r"(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|(?<!\S)\"(?:[^\"\\]|\\.)*\"|(?<![\w-])--([a-z][a-z-]*)(:?)"
)


@contextmanager
def command_line() -> Iterator[None]:
    """In the block, options are called by their names on the command line."""
    before = COMMAND_LINE.set(True)
    try:
        yield
    finally:
        COMMAND_LINE.reset(before)


def option(name: str, value: object = None) -> str:
    """A parameter as the caller writes it: `--min-support`, or `min_support=`."""
    if COMMAND_LINE.get():
        return f"--{name.replace('_', '-')}" + ("" if value is None else f" {value}")
    if name in METHODS:
        return METHODS[name]
    return f"{name}={'True' if name in FLAGS else '' if value is None else repr(value)}"


def in_words_of_caller(text: str) -> str:
    """A message, written with the options of the command line, as the caller knows them."""
    if COMMAND_LINE.get():
        return text
    return OPTION.sub(_in_python, text)


def _in_python(found: re.Match[str]) -> str:
    name = (found[1] or "").replace("-", "_")
    if not name:
        return found[0]
    return f"{name}:" if found[2] and not found.start() else option(name) + found[2]


# The packages of each extra: setveil itself may not be on the index that pip asks.
PACKAGES = {
    "postgres": ("psycopg[binary]",),
    "report": ("altair", "vl-convert-python"),
    "spark": ("pyspark-client",),
    "spark-local": ("pyspark[connect]",),
}

INTERRUPTED = 130  # the exit code of a command that Ctrl-C ended


def install(extra: str) -> str:
    """The command that installs the packages of an extra beside the setveil that runs."""
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.join(PACKAGES[extra])}"


class SetveilError(Exception):
    """The root of every error that setveil raises on purpose."""

    exit_code = 4

    def __str__(self) -> str:
        return in_words_of_caller(super().__str__())

    @property
    def hint(self) -> str | None:
        """What to do, where that is known."""
        return None


class InputError(SetveilError):
    """The data, an option or a file is not what it must be: the caller can mend it."""

    exit_code = 2

    @property
    def hint(self) -> str | None:
        """What to do stands after the last semicolon."""
        return str(self).rpartition("; ")[2] if "; " in str(self) else None


class TooLargeError(InputError):
    """The work would take more memory, disk or time than the run may use. Nothing was written."""


class UnkeptError(SetveilError):
    """A release does not keep its promise, as a trail that was run again shows."""

    exit_code = 1


class UnreachableError(SetveilError):
    """No release can keep this promise. Nothing was written."""

    exit_code = 3


class QueryError(SetveilError):
    """The database failed. `statement` is the SQL it failed on.

    With `refused` it works, but does not do this: there is no such thing, or no right to it.
    """

    exit_code = 4

    def __init__(
        self, name: str, message: str, statement: str = "", *, refused: bool = False
    ) -> None:
        super().__init__(f"step {name!r} failed: {message}")
        self.message = message
        self.statement = statement
        self.refused = refused


class DatabaseError(SetveilError):
    """The database cannot be reached now. The caller need mend nothing, and can try again."""

    exit_code = 4


class CheckError(SetveilError):
    """The checker refused the release. This is a defect of setveil; nothing was written."""

    exit_code = 4
