"""What can go wrong. Each error is one line: what, where, what to do.

The command line turns each class into its exit code.
"""

from __future__ import annotations


class SetveilError(Exception):
    """The root of every error that setveil raises on purpose."""

    exit_code = 4


class InputError(SetveilError):
    """The data, an option or a file is not what it must be: the caller can mend it."""

    exit_code = 2


class UnreachableError(SetveilError):
    """No release can keep this promise. Nothing was written."""

    exit_code = 3


class QueryError(SetveilError):
    """The database failed. `statement` is the SQL it failed on."""

    exit_code = 4

    def __init__(self, name: str, message: str, statement: str = "") -> None:
        super().__init__(f"step {name!r} failed: {message}")
        self.statement = statement


class CheckError(SetveilError):
    """The checker refused the release. This is a defect of setveil; nothing was written."""

    exit_code = 4
