"""End a command within two seconds of a signal, even during a long statement.

Python handles a signal only between two bytecode steps, and a statement, a solver or a large array
can take minutes. A listener thread handles it at once: it interrupts the statement. If that does
not help, it removes spilled files and ends the process. Files get their names when they are
whole, and tables are made in one transaction, so no partial output is left.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection
from typing import NoReturn

from setveil.run.interrupts import GIVING_NAMES

PATIENCE = 1.2  # seconds for the command to end by itself
INTERVAL = 0.1  # seconds between two attempts to wake the main thread
WAKES = signal.SIGURG  # nothing else here uses this signal, and by default it is ignored
NAMING = 10.0  # seconds to wait while a group of files is renamed: a group is never split
OVER = threading.Event()  # set when the command has ended by itself
LISTENERS: list[tuple[threading.Thread, int]] = []  # each with the pipe that it reads


def watch(obeyed: Collection[int], said: Callable[[int], None]) -> None:
    """Listen for these signals; `said` prints a line before the process is ended."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(WAKES, lambda number, frame: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(reading, obeyed, said), daemon=True)
    listener.start()
    LISTENERS.append((listener, writing))


def stop() -> None:
    """End the listening: a thread that still runs keeps modules of Python from being unloaded."""
    OVER.set()
    signal.set_wakeup_fd(-1)
    while LISTENERS:
        listener, writing = LISTENERS.pop()
        os.write(writing, b"\0")
        listener.join(PATIENCE)


def leave(code: int) -> NoReturn:
    """Exit when all is printed, and let the system take modules and databases down.

    Python would take them apart one by one, which is a sixth of a small command.
    """
    if all(one.daemon or one is threading.current_thread() for one in threading.enumerate()):
        with contextlib.suppress(OSError, ValueError):  # which Python reports, as of a closed pipe
            atexit._run_exitfuncs()
            for stream in filter(None, (sys.stdout, sys.stderr)):  # None: it was closed before
                stream.flush()
            os._exit(code)
    sys.exit(code)


def _ends_by_itself() -> bool:
    """Wake the main thread until it ends: it can miss a signal that came just before a wait."""
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
        if OVER.is_set():
            return
    if GIVING_NAMES.acquire(timeout=NAMING):
        GIVING_NAMES.release()
    # `--version` and `--help` import no database: without the module no statement runs.
    # While the module is imported, it lacks the function.
    local = sys.modules.get("setveil.backends.local")
    if interrupt := getattr(local, "interrupt_all", None):
        interrupt()
    if _ends_by_itself():
        return
    GIVING_NAMES.acquire(timeout=NAMING)
    if not OVER.is_set():
        spilling = sys.modules.get("setveil.backends.spilling")
        if remove := getattr(spilling, "remove_own", None):
            remove()
        said(number)
        os._exit(128 + number)
