"""Ctrl-C while what was made gets its names: it waits for the last, and is told what has one."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

# What this process has published, for whoever must say what was written when it was interrupted.
WRITTEN: list[str] = []
GIVING_NAMES = threading.RLock()  # is held while names are given together


@contextlib.contextmanager
def held_together() -> Iterator[None]:
    """What gets a name in the block gets it with the rest: the first Ctrl-C waits for the end."""
    with GIVING_NAMES, _deferred():
        yield


@contextlib.contextmanager
def _deferred() -> Iterator[None]:
    elsewhere = threading.current_thread() is not threading.main_thread()
    if elsewhere or signal.getsignal(signal.SIGINT) is None:  # whoever handles it is not Python
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
