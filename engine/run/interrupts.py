"""Delay Ctrl-C while files get their names, and list the outputs that have one."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

# The outputs that this process has written, for the message of an interrupted command.
WRITTEN: list[str] = []
GIVING_NAMES = threading.RLock()  # held while a group of outputs gets its names


@contextlib.contextmanager
def not_kept(folder: Path) -> Iterator[None]:
    """Forget the outputs in a folder that is gone at the end of the block."""
    try:
        yield
    finally:
        WRITTEN[:] = [one for one in WRITTEN if folder not in Path(one).parents]


@contextlib.contextmanager
def held_together() -> Iterator[None]:
    """Name all outputs of the block together: the first Ctrl-C waits for its end."""
    with GIVING_NAMES, _deferred():
        yield


@contextlib.contextmanager
def _deferred() -> Iterator[None]:
    elsewhere = threading.current_thread() is not threading.main_thread()
    if elsewhere or signal.getsignal(signal.SIGINT) is None:  # the handler is not Python's
        yield
        return
    came = False

    def wait(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    before = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)
