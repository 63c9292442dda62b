"""Check the place of a file, and give the file its name when it is whole."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from setveil.errors import InputError
from setveil.run.inputs import Inputs
from setveil.run.interrupts import WRITTEN, held_together

NEAR = 3  # file names that are suggested


def no_file(path: str | Path, said: str = "no such file") -> str:
    """The words for a file that is not there, with the files of its folder that are named alike.

    Names are compared without their suffix, and hidden files are left out.
    """
    folder, name = os.path.split(path)
    try:
        found = [one for one in os.listdir(folder or ".") if not one.startswith(".")]
    except (OSError, ValueError):
        return said
    stems: dict[str, list[str]] = {}
    for one in sorted(found):
        stems.setdefault(Path(one).stem.casefold(), []).append(one)
    alike = get_close_matches(Path(name).stem.casefold(), stems, n=NEAR) if found else []
    near = [repr(os.path.join(folder, one)) for stem in alike for one in stems[stem]][:NEAR]
    return f"{said}; did you mean {' or '.join(near)}?" if near else said


def check_place(path: str, *, force: bool | None) -> None:
    """Refuse a file that cannot be written, before any work; with None nothing overwrites it."""
    target = Path(path)
    folder = str(target.parent)
    try:
        is_folder, taken = target.is_dir(), os.path.lexists(target)
        if "\0" in path:
            raise ValueError("it holds a NUL character")
    except (OSError, ValueError) as error:
        raise InputError(f"{path!r} is no name for a file: {error}") from error
    if is_folder:
        raise InputError(f"{path} is a folder: name a file")
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {folder!r} does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: the folder {folder!r} cannot be written to")
    if taken and not force:
        raise exists(path, force=force)


def exists(path: str, *, force: bool | None) -> InputError:
    """The error for a place that is taken."""
    other = "" if force is None else ", or --force to overwrite it"
    return InputError(f"{path} exists: choose another name{other}")


def check_key_place(path: str) -> None:
    """Refuse a key that cannot be written or exists: a key is never overwritten."""
    try:
        check_place(path, force=None)
    except InputError as error:
        never = "; a key is never overwritten" if os.path.lexists(path) else ""
        raise InputError(f"--key: {error.args[0]}{never}") from error


@contextlib.contextmanager
def whole_file(path: str, inputs: Inputs, *, force: bool, mode: int = 0o666) -> Iterator[str]:
    """A file to write, which gets its name only if the block ends without an error.

    It never replaces one of the run's inputs. On Linux the file has no name while it is written;
    elsewhere it has a hidden name. A killed process leaves no file, or a hidden partial one.
    """
    inputs.refuse(path)
    folder = os.path.dirname(os.path.abspath(path))
    hidden = os.path.join(folder, f".setveil-{secrets.token_hex(8)}.partial")
    try:
        descriptor, unnamed = _open_unnamed(folder, hidden, mode)
        try:
            yield f"/proc/self/fd/{descriptor}" if unnamed else hidden
            os.fsync(descriptor)
            with held_together():
                _give_name(descriptor, unnamed, hidden, path, force=force)
                WRITTEN.append(path)
        finally:
            os.close(descriptor)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(hidden)
    except FileExistsError as error:
        raise InputError(f"{path} came into being during the run, and was left alone") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _open_unnamed(folder: str, hidden: str, mode: int) -> tuple[int, bool]:
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            return os.open(folder, os.O_TMPFILE | os.O_RDWR, mode), True
    return os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode), False


def _give_name(descriptor: int, unnamed: bool, hidden: str, path: str, *, force: bool) -> None:
    """Give the file its name; with `force` it replaces an old file in one step."""
    if unnamed:
        descriptors = os.open("/proc/self/fd", os.O_RDONLY | os.O_DIRECTORY)
        try:
            target = hidden if force and os.path.lexists(path) else path
            os.link(str(descriptor), target, src_dir_fd=descriptors, follow_symlinks=True)
        finally:
            os.close(descriptors)
        if target == hidden:
            os.replace(hidden, path)
    elif force:
        os.replace(hidden, path)
    else:
        os.link(hidden, path)
