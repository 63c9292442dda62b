"""Names of runs that contain their process, so that schemas of killed runs can be found.

A name has a digest of the machine, the number of the process, and the time at which the run began.
The digest includes the start of the machine and the namespace of its processes.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import socket
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from setveil.backends.spilling import is_running

OLD_DAYS = 7
NAME = re.compile(r"setveil_([0-9a-f]{12})_([0-9]+)_([0-9]+)_[0-9]+")

_numbers = itertools.count(1)


def new_name() -> str:
    """A name that no other run has."""
    return f"setveil_{_here()}_{os.getpid()}_{time.time_ns() // 1000}_{next(_numbers)}"


def abandoned(names: Sequence[str]) -> list[str]:
    """The names of runs on this machine whose processes have ended."""
    found = [(name, NAME.fullmatch(name)) for name in names]
    return [
        name
        for name, parts in found
        if parts and parts.group(1) == _here() and not is_running(int(parts.group(2)))
    ]


def forgotten(names: Sequence[str]) -> list[str]:
    """The old names of runs on other machines, whose processes are unknown here."""
    oldest = (time.time() - OLD_DAYS * 24 * 3600) * 1e6
    found = [(name, NAME.fullmatch(name)) for name in names]
    return [
        name
        for name, parts in found
        if parts and parts.group(1) != _here() and int(parts.group(3)) < oldest
    ]


@cache
def _here() -> str:
    """A digest of the place within which process numbers are unique."""
    parts = [socket.gethostname()]
    for place in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            is_link = os.path.islink(place)
            text = os.readlink(place) if is_link else Path(place).read_text(encoding="utf-8")
            parts.append(text)
        except OSError:
            parts.append("")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
