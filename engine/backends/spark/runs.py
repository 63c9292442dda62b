"""Names of runs that say whose they are, so that what a killed one left can be told apart.

A name holds the place of a process (machine, its start, and the space of its process numbers), its
number, and when the run began.
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
    """One that no other run has."""
    return f"setveil_{_here()}_{os.getpid()}_{time.time_ns() // 1000}_{next(_numbers)}"


def abandoned(names: Sequence[str]) -> list[str]:
    """Those of processes that were here and are no more."""
    found = [(name, NAME.fullmatch(name)) for name in names]
    return [
        name
        for name, parts in found
        if parts and parts.group(1) == _here() and not is_running(int(parts.group(2)))
    ]


def forgotten(names: Sequence[str]) -> list[str]:
    """Those of processes elsewhere, of which only the age can be told."""
    oldest = (time.time() - OLD_DAYS * 24 * 3600) * 1e6
    found = [(name, NAME.fullmatch(name)) for name in names]
    return [
        name
        for name, parts in found
        if parts and parts.group(1) != _here() and int(parts.group(3)) < oldest
    ]


@cache
def _here() -> str:
    """The place in which a process number stands for one process."""
    told = [socket.gethostname()]
    for place in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            is_link = os.path.islink(place)
            told.append(os.readlink(place) if is_link else Path(place).read_text(encoding="utf-8"))
        except OSError:
            told.append("")
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]
