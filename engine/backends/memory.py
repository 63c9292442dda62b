"""The memory limit of a run: by default, a share of the free memory of the machine or container.

Other programs need memory too, and the system kills a run that takes all of it. The limits of
control groups (versions 1 and 2) and of `ulimit -v` count where they can be read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from setveil.errors import InputError

SHARE = 0.6  # share of the free memory, for a run without a memory limit
LEAST = 2**26  # bytes: the smallest memory limit
GROUPS = Path("/sys/fs/cgroup")

_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40, "BYTES": 1}


def granted_bytes(text: object) -> int:
    """A memory limit such as `2GB`, `500 MB` or `1GiB`, in bytes."""
    amount = size_of(text)
    if amount is None:
        raise InputError(f"memory limit {text!r} is no size: write it as 2GB or 500MB")
    if amount < LEAST:
        raise InputError(f"memory limit {text!r} is below 64MiB, the least that a run needs")
    return amount


def size_of(text: object) -> int | None:
    """The bytes of a written size; None if the text is no size."""
    size = text.strip().upper() if isinstance(text, str) else ""
    number = size.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    try:
        return int(float(number) * _UNITS[size[len(number) :].strip() or "B"])
    except (ValueError, KeyError, OverflowError):
        return None


def default_bytes() -> int | None:
    """The memory of a run without a limit; None if the free memory is unknown."""
    free = [amount for amount in (of_machine(), _of_address_space(), *_of_groups()) if amount]
    return max(2 * LEAST, int(SHARE * min(free))) if free else None


def shown(amount: float) -> str:
    """A number of bytes, with a unit."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if amount >= size:
            return f"{amount / size:,.1f} {unit}"
    return f"{amount / 1e6:.1f} MB"


def forget_peak() -> None:
    """Forget the most memory that this process had, where the system can; see `peak`."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:  # another system, or one that does not allow it
        return


def peak() -> int | None:
    """The most memory that this process had since `forget_peak`, in bytes; None if unknown."""
    for line in _lines(Path("/proc/self/status")):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return None


def of_machine() -> int | None:
    """The free memory of the machine, with its file cache; else all its memory."""
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # this system does not report its memory
        return None


def _of_address_space() -> int | None:
    """The memory that `ulimit -v` leaves to this process."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    used = [line.split()[1] for line in _lines(Path("/proc/self/status")) if "VmSize:" in line]
    return max(1, limit - sum(map(int, used)) * 1024)


def _of_groups() -> Iterator[int]:
    """The memory that each control group of this process leaves."""
    for line in _lines(Path("/proc/self/cgroup")):
        _, controllers, place = line.split(":", 2)
        if not controllers:
            yield from _left(GROUPS, place, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _left(GROUPS / "memory", place, *files)


def _left(root: Path, place: str, limit: str, usage: str, cached: str) -> Iterator[int]:
    """The free memory of a group and its parents.

    In a container the group can be at the root, under any outer name.
    """
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
    """The lines of a system file; none if it is absent or unreadable."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
