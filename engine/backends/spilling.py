"""The private folder for raw data that a run spills to disk; removed however the run ends."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

SPILL_PREFIX = "setveil-spill-"
SHARE = 0.5  # share of the free disk


def new_folder() -> Path:
    """A new folder that only its owner can read; removes the folders of killed runs first."""
    _remove_abandoned()
    return Path(tempfile.mkdtemp(prefix=f"{SPILL_PREFIX}{os.getpid()}-"))


def room(folder: Path) -> int:
    """How many bytes a run may spill: other programs need the disk too."""
    return int(SHARE * shutil.disk_usage(folder).free)


def remove(folder: Path, owner: int) -> None:
    """Remove the folder of a run that was never closed, but not from a forked child."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def remove_own() -> None:
    """Remove all folders of this process, before it ends without closing its runs."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SPILL_PREFIX}{os.getpid()}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned() -> None:
    """Remove the folders of killed runs, which hold raw data."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SPILL_PREFIX}*"):
        owner = folder.name.removeprefix(SPILL_PREFIX).partition("-")[0]
        if owner.isdigit() and not is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(process: int) -> bool:
    """Is there a process with this number, of any owner?"""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
