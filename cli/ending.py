"""A command that is asked to end does so within two seconds, whatever it is at.

Python hears of a signal only between two of its own steps, and a statement, a solver or a large
array can take minutes. A thread of its own hears of it at once: it stops the statement, and if that
does not help, it removes what was spilled and ends the process. Files have no name before they are
whole, and tables are made in one transaction: nothing half done is left.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection

from setveil.run.interrupts import GIVING_NAMES

PATIENCE = 1.2  # seconds for the command to end by itself
INTERVAL = 0.1  # seconds between two attempts to wake it
WAKES = signal.SIGURG  # which nothing else here uses, and which ends nothing by itself
NAMING = 10.0  # seconds for names that are given together: they are never torn apart
OVER = threading.Event()  # the command has ended by itself


def watch(obeyed: Collection[int], said: Callable[[int], None]) -> None:
    """Listen for these signals; `said` tells of one before the process is ended."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(WAKES, lambda number, frame: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(reading, obeyed, said), daemon=True)
    listener.start()


def _ends_by_itself() -> bool:
    """Wake the main thread until it ends: a signal that came just before a wait does not end it."""
    late = time.monotonic() + PATIENCE
    while time.monotonic() < late:
        signal.pthread_kill(threading.main_thread().ident or 0, WAKES)
        if OVER.wait(INTERVAL):
            return True
    return False


def _listen(reading: int, obeyed: Collection[int], said: Callable[[int], None]) -> None:
    number = 0
    while number not in obeyed:
        number = os.read(reading, 1)[0]
    if GIVING_NAMES.acquire(timeout=NAMING):
        GIVING_NAMES.release()
    # `--version` and `--help` do without a database: what is not imported runs nothing.
    backend = sys.modules.get("setveil.backends.duckdb.backend")
    if backend is not None:
        backend.interrupt_all()
    if _ends_by_itself():
        return
    GIVING_NAMES.acquire(timeout=NAMING)
    if not OVER.is_set():
        spilling = sys.modules.get("setveil.backends.duckdb.spilling")
        if spilling is not None:
            spilling.remove_own()
        said(number)
        os._exit(128 + number)
