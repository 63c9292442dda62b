"""What can go wrong. Each error is one line: what, where, what to do.

The command line turns each class into its exit code.
"""

from __future__ import annotations

import shlex
import sys

# The packages of each extra: setveil itself may not be on the index that pip asks.
PACKAGES = {
    "postgres": ("psycopg[binary]",),
    "report": ("altair", "vl-convert-python"),
    "spark": ("pyspark-client",),
    "spark-local": ("pyspark[connect]",),
}


def install(extra: str) -> str:
    """The command that installs the packages of an extra beside the setveil that runs."""
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.join(PACKAGES[extra])}"


class SetveilError(Exception):
    """The root of every error that setveil raises on purpose."""

    exit_code = 4

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
