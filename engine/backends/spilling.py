"""The private folder to which a run spills: raw data, which is removed on every ending."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

SPILL_PREFIX = "setveil-spill-"
SHARE = 0.5  # of the free disk


def new_folder() -> Path:
    """A folder that only the owner can look into; those of killed runs are removed first."""
    _remove_abandoned()
    return Path(tempfile.mkdtemp(prefix=f"{SPILL_PREFIX}{os.getpid()}-"))


def room(folder: Path) -> int:
    """How many bytes may be spilled there: the disk is not ours alone."""
    return int(SHARE * shutil.disk_usage(folder).free)


def remove(folder: Path, owner: int) -> None:
    """For runs that nobody closed. A forked child leaves alone what its parent still uses."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def remove_own() -> None:
    """Remove all that this process spilled, before it ends without closing anything."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SPILL_PREFIX}{os.getpid()}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned() -> None:
    """What a killed run spilled is raw data: the next one removes it."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SPILL_PREFIX}*"):
        owner = folder.name.removeprefix(SPILL_PREFIX).partition("-")[0]
        if owner.isdigit() and not is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(process: int) -> bool:
    """Is there a process of this number, whoever owns it?"""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
