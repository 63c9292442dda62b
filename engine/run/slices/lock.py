"""A lock: of two runs that append to one target, the second ends at once.

The file of the lock stays; the operating system drops the lock when its process ends.
"""

from __future__ import annotations

import fcntl
import os

from setveil.errors import DatabaseError, InputError


class Lock:
    """The lock of a target, held until it is closed."""

    def __init__(self, path: str, target: str) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._descriptor = os.open(path, flags, 0o600)
        except OSError as error:
            raise InputError(f"{path}: the lock cannot be made: {error.strerror}") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise DatabaseError(taken(target)) from error

    def close(self) -> None:
        """Release the lock. Closing twice does no harm."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def taken(target: str) -> str:
    """The message for a target that another run has locked."""
    return f"another run appends to {target} now; wait until it ends, and run again"
