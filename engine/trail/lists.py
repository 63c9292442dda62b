"""The lists of a promise: their files, as `verify` reads them, and names that stay readable."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from pathlib import Path

from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.roles.promise import Names
from setveil.run.session import Session


def write_lists(folder: Path, lists: Mapping[str, Names]) -> dict[str, str]:
    """Write each list that names anything to a CSV file, which only its owner can read.

    A file of an earlier call with the same lines stays; any other is refused.
    """
    found = {}
    for role, names in lists.items():
        if names:
            path = folder / f"{role}.csv"
            _write(path, _rows(role, names))
            found[role] = str(path)
    return found


def _rows(role: str, names: Names) -> list[list[object]]:
    if role != "patterns":
        return [["item"], *([one] for one in names)]
    patterns = [one for one in names if isinstance(one, Mapping)]
    with_psi = any(one["psi"] is not None for one in patterns)
    more = ["psi"] if with_psi else []
    return [
        ["pattern", "item", *more],
        *(
            [number, item, *([one["psi"]] if with_psi else [])]
            for number, one in enumerate(patterns, 1)
            for item in one["items"]
        ),
    ]


def _write(path: Path, rows: list[list[object]]) -> None:
    made = io.StringIO(newline="")
    csv.writer(made, quoting=csv.QUOTE_MINIMAL, lineterminator="\n").writerows(rows)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        place = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        if path.is_file() and path.read_bytes() == made.getvalue().encode():
            return
        raise InputError(f"{path} exists: name a new folder with --lists") from error
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    with os.fdopen(place, "w", encoding="utf-8", newline="") as file:
        file.write(made.getvalue())


def note_readable(session: Session, name: str, roles: Mapping[str, str]) -> None:
    """Note what a release of the model shows of listed items; `roles` are their relations."""
    model = REGISTRY.get(name)
    if model is None or model.readable is None or session.dry:
        return
    protected = [relation for role, relation in roles.items() if role != "public"]
    others = "public" in roles and not model.bounds_shares
    if others or (protected and any(session.sizes(*protected))):
        session.note(model.readable)
