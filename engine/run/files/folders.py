"""Write a folder of files, which gets its name when all of them are whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from setveil.errors import InputError
from setveil.run.files.places import check_place, exists
from setveil.run.files.source import is_file_name
from setveil.run.inputs import Inputs
from setveil.run.interrupts import WRITTEN, held_together


def check_folder(
    path: str,
    names: tuple[str, ...],
    beside: Mapping[str, str | Path | None],
    *,
    force: bool | None,
) -> None:
    """Refuse a folder that cannot be written, or that holds more than these files.

    With None for `force` nothing overwrites it. `beside` are other outputs, which must not stand in
    the folder.
    """
    if is_file_name(path):
        raise InputError(f"{path}: this release is a folder of two files: name it without a suffix")
    target = Path(path)
    is_folder = target.is_dir() and not target.is_symlink()
    if not is_folder:
        check_place(path, force=None)
    elif not force:
        raise exists(path, force=force)
    elif others := sorted(set(os.listdir(path)) - set(names)):
        raise InputError(
            f"{path} holds {others[0]!r}, which no release has: only a folder of a release is "
            "overwritten; choose another name"
        )
    for option, other in beside.items():
        if other is not None and Path(os.path.realpath(other)).parent == Path(
            os.path.realpath(path)
        ):
            raise InputError(f"{option}: {other} is in the folder of the release: name it outside")


@contextlib.contextmanager
def whole_folder(
    path: str, names: tuple[str, ...], inputs: Inputs, *, force: bool, aside: str | None = None
) -> Iterator[str]:
    """A folder to write files in, which gets its name only if the block ends without an error.

    With `force` it replaces a folder of equal files, which for a moment has the name `aside`. A
    killed process leaves a hidden folder.
    """
    for name in names:
        inputs.refuse(os.path.join(path, name))
    above = os.path.dirname(os.path.abspath(path))
    hidden = os.path.join(above, f".setveil-{secrets.token_hex(8)}.partial")
    try:
        os.mkdir(hidden)
        try:
            yield hidden
            for name in names:
                _sync(os.path.join(hidden, name))
            with held_together():
                _give_name(hidden, path, aside or f"{hidden}.old", force=force)
                WRITTEN.append(path)
        finally:
            shutil.rmtree(hidden, ignore_errors=True)  # it is gone if it got its name
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _give_name(hidden: str, path: str, old: str, *, force: bool) -> None:
    """Name the folder; an old one has another name until the new one stands in its place."""
    if not os.path.lexists(path):
        return os.rename(hidden, path)
    if not force:
        raise InputError(f"{path} came into being during the run, and was left alone")
    os.rename(path, old)
    try:
        os.rename(hidden, path)
    except OSError:
        os.rename(old, path)
        raise
    shutil.rmtree(old)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
