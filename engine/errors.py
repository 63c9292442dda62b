"""The errors of setveil. Each message is one line: the fault, its place, the remedy.

Each class has the exit code of a command that ends with it.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

COMMAND_LINE = ContextVar("COMMAND_LINE", default=False)  # False: called from Python
FLAGS = (
    "drop_nulls",
    "evidence",
    "explain",
    "faithful",
    "force",
    "force_large",
    "ignore_unknown",
    "refine",
    "renumber",
    "rules",
    "undo",
)
METHODS = {"out": "write()", "into": "write_table()"}
# Quoted text is the caller's and stays: an item can be named like an option.
QUOTED = "'0123456789"
TEXT = r"'(?:[^'\\]|\\.)*'(?!\w)"
# Values that messages have.
VALUE = rf"apriori|border|duckdb|generalize|integer|linear|optimal|own|tds|\d+|{TEXT}"
OPTION = re.compile(
    rf"(?<!\w){TEXT}|(?<!\S)\"(?:[^\"\\]|\\.)*\"|"
    rf"(?<![\w-])--([a-z][a-z-]*)(:?)(?: ({VALUE})(?!\w))?"
)


@contextmanager
def command_line() -> Iterator[None]:
    """In the block, messages name options as on the command line."""
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
    """Replace options of the command line in a message by Python keywords for callers in Python."""
    if COMMAND_LINE.get():
        return text
    return OPTION.sub(_in_python, text)


def _in_python(found: re.Match[str]) -> str:
    name = (found[1] or "").replace("-", "_")
    if not name:
        return found[0]
    if found[2] and not found.start():
        return f"{name}:{found[0].partition(':')[2]}"
    if found[3] is None:
        return option(name) + found[2]
    return f"{name}={found[3] if found[3][0] in QUOTED else repr(found[3])}{found[2]}"


# The packages of each extra. A message names these, since pip's index may not have setveil.
PACKAGES = {
    "postgres": ("psycopg[binary]",),
    "report": ("altair", "vl-convert-python"),
    "spark": ("pyspark-client",),
    "spark-local": ("pyspark[connect]",),
}

INTERRUPTED = 130  # the exit code of a command that Ctrl-C ended


def install(extra: str) -> str:
    """The command that installs the packages of an extra into the running environment."""
    return pip_install(*PACKAGES[extra])


def pip_install(*packages: str) -> str:
    """The command that installs packages into the running environment."""
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.join(packages)}"


class SetveilError(Exception):
    """The root of every error that setveil raises on purpose."""

    exit_code = 4

    def __str__(self) -> str:
        return in_words_of_caller(super().__str__())

    @property
    def hint(self) -> str | None:
        """The remedy, where one is known."""
        return None


class InputError(SetveilError):
    """The data, an option or a file is wrong: the caller can correct it."""

    exit_code = 2

    @property
    def hint(self) -> str | None:
        """The remedy: the text after the last semicolon of the message."""
        return str(self).rpartition("; ")[2] if "; " in str(self) else None


class TooLargeError(InputError):
    """The work would take more memory, disk or time than the run may use. Nothing was written."""


class UnkeptError(SetveilError):
    """A replayed trail shows that the release does not keep its promise."""

    exit_code = 1


class UnreachableError(SetveilError):
    """No release can keep this promise. Nothing was written."""

    exit_code = 3


class QueryError(SetveilError):
    """The database failed on the SQL in `statement`.

    `refused` is True if the database works but refused the statement: an object or a right is
    missing.
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
    """The database cannot be reached now. The input may be right: the caller can try again."""

    exit_code = 4


class CheckError(SetveilError):
    """The checker refused the release. This is a defect of setveil; nothing was written."""

    exit_code = 4
