"""How much memory a run may use: a share of what the machine, or the group it is in, has left.

Other programs need memory too, and a run that takes all of it is killed without a word. Limits of
control groups, of version 1 and 2, and of `ulimit -v` count as far as they can be read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from setveil.errors import InputError

SHARE = 0.6  # of what is free, for a run of which nobody said how much it may use
LEAST = 2**26  # bytes, with less of which nothing can be done
GROUPS = Path("/sys/fs/cgroup")

_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40, "BYTES": 1}


def granted_bytes(text: object) -> int:
    """`2GB`, `500 MB` or `1GiB` in bytes."""
    amount = size_of(text)
    if amount is None:
        raise InputError(f"memory limit {text!r} is no size: write it as 2GB or 500MB")
    if amount < LEAST:
        raise InputError(f"memory limit {text!r} is below 64MiB, with which nothing can be done")
    return amount


def size_of(text: object) -> int | None:
    """A size as it is written, in bytes; None if it is none."""
    said = text.strip().upper() if isinstance(text, str) else ""
    number = said.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    try:
        return int(float(number) * _UNITS[said[len(number) :].strip() or "B"])
    except (ValueError, KeyError, OverflowError):
        return None


def default_bytes() -> int | None:
    """What a run may use unless it is told; None where nothing can be learnt of the machine."""
    free = [amount for amount in (_of_machine(), _of_address_space(), *_of_groups()) if amount]
    return max(2 * LEAST, int(SHARE * min(free))) if free else None


def shown(amount: float) -> str:
    """Bytes for people."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if amount >= size:
            return f"{amount / size:,.1f} {unit}"
    return f"{amount / 1e6:.1f} MB"


def _of_machine() -> int | None:
    """What is free, with what only caches files; where that is not told, all there is."""
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # this system has no such question
        return None


def _of_address_space() -> int | None:
    """What `ulimit -v` leaves."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    used = [line.split()[1] for line in _lines(Path("/proc/self/status")) if "VmSize:" in line]
    return max(1, limit - sum(map(int, used)) * 1024)


def _of_groups() -> Iterator[int]:
    """What each control group above this process leaves."""
    for line in _lines(Path("/proc/self/cgroup")):
        _, controllers, place = line.split(":", 2)
        if not controllers:
            yield from _left(GROUPS, place, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _left(GROUPS / "memory", place, *files)


def _left(root: Path, place: str, limit: str, usage: str, cached: str) -> Iterator[int]:
    """In a container the group can be at the root, whatever its name is outside."""
    parts = [part for part in place.split("/") if part]
    for depth in range(len(parts), -1, -1):
        folder = root.joinpath(*parts[:depth])
        most, used = (_number(folder / name) for name in (limit, usage))
        if most is None or used is None or most >= 2**62:
            continue
        files = [line.split()[1] for line in _lines(folder / "memory.stat")
                 if line.split()[0] == cached]  # fmt: skip
        yield max(1, most - used + sum(map(int, files)))


def _number(path: Path) -> int | None:
    lines = _lines(path)
    return int(lines[0]) if lines and lines[0].isdigit() else None


def _lines(path: Path) -> list[str]:
    """Of a file that not every system has, nor lets everybody read."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
