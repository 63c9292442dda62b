"""A target that is a folder: one Parquet file per slice, which appears whole."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sqlglot import exp

from setveil.backends.local import formats
from setveil.errors import InputError
from setveil.run.files import places, publishing
from setveil.run.files.digests import sha256
from setveil.run.files.source import Source, is_file_name
from setveil.run.inputs import Inputs
from setveil.run.session import Session
from setveil.run.slices.ledger import Ledger
from setveil.run.slices.lock import Lock
from setveil.sql.run.slices import target as sql_target

FILE = re.compile(r"slice-(\d{6,})\.parquet")
HIDDEN = re.compile(r"\.setveil-[0-9a-f]{16}\.partial")  # of a run that was killed
VARIABLE = "slices"

Held = dict[int, tuple[int | None, str]]  # slices with their rows, if counted, and digests


class Closing(Protocol):
    """Something that is held until it is closed."""

    def close(self) -> None: ...


class Folder:
    """A folder with one Parquet file per slice."""

    def __init__(self, name: str) -> None:
        if is_file_name(name):
            raise InputError(f"{name}: slices are files in a folder: name it without a suffix")
        self.name, self.path = name, os.path.realpath(name)
        self._ledger = f"{self.path}.ledger"

    def ledger(self, session: Session) -> Ledger:
        return Ledger(session, self._ledger)

    def lock(self) -> Closing:
        """The lock of the target, until it is closed."""
        return Lock(f"{self._ledger}.lock", self.name)

    def refuse(self) -> None:
        """Refuse a place where neither the target nor its ledger can be."""
        above = os.path.dirname(self.path)
        if os.path.lexists(self.path) and not os.path.isdir(self.path):
            raise InputError(f"{self.name} is no folder: slices are files in a folder")
        if not os.path.isdir(above):
            raise InputError(f"{self.name}: the folder {above!r} does not exist")
        if not os.access(above, os.W_OK | os.X_OK):
            raise InputError(f"{self.name}: the folder {above!r}, for its ledger, is not writable")
        while (parent := os.path.dirname(above)) != above:
            if os.path.lexists(f"{above}.ledger"):
                raise InputError(
                    f"{self._ledger} would be inside the target {above}, and a ledger is "
                    "confidential; append to a folder elsewhere"
                )
            above = parent

    def refuse_inside(self, option: str, path: str | Path | None) -> None:
        """Refuse a confidential file in the target, or an input that a slice would join."""
        if path is not None and self._has(str(path)):
            raise InputError(f"{option}: {path} is inside the target {self.name}; name it outside")

    def refuse_source(self, inputs: Inputs) -> None:
        for path in inputs.files:
            self.refuse_inside("SOURCE", path)

    def _has(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.path)

    def held(self, session: Session, source: Source) -> Held:
        """The slices of the folder. Files that are no slice are refused."""
        if not os.path.isdir(self.path):
            return {}
        found: Held = {}
        for name in sorted(os.listdir(self.path)):
            path = os.path.join(self.path, name)
            if HIDDEN.fullmatch(name):
                os.unlink(path)
            elif (number := FILE.fullmatch(name)) is None or not os.path.isfile(path):
                raise InputError(
                    f"{path} is no slice: only setveil writes to a target; move it away"
                )
            elif os.path.islink(path):
                raise InputError(f"{path} is a link: a slice is a plain file; move it away")
            else:
                found[int(number[1])] = (None, sha256(Path(path)))
        return found

    def shown(self, number: int) -> str:
        return str(Path(self.name) / self._file(number))

    def _file(self, number: int) -> str:
        return f"slice-{number:06}.parquet"

    def rows(self, session: Session, source: Source) -> exp.Expr:
        """The rows of all slices, as a relation."""
        place = formats.set_variable(VARIABLE, os.path.join(_escaped(self.path), "*.parquet"))
        session.backend.local.execute(VARIABLE, place)
        return formats.parquet(VARIABLE)

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[str, str, int | None, str]]:
        """Write the slice. It gets its name after the block, which gets its place and digest."""
        files, rows = publishing.with_release(session, sql_target.with_slice(query, number))
        ordered = publishing.for_parquet(files, rows, self.shown(number))
        local = session.backend.local
        if number > 1:
            before = local.columns_of(self.rows(session, source))
            refuse_other_columns(self.name, before, local.columns_of(ordered.subquery("r")))
        path = os.path.join(self.path, self._file(number))
        statement = publishing.copy_statement(ordered, path)
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.path)
        try:
            with places.whole_file(path, session.inputs, force=False) as place:
                publishing.publish_file(session, statement, place)
                yield path, place, None, sha256(Path(place))
        except BaseException:
            with contextlib.suppress(OSError):  # the folder has other slices
                os.rmdir(self.path)
            raise
        sync(self.path)

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, query: exp.Select, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Write a slice anew; its file replaces the old one after the block."""
        made = sql_target.with_slice(query, number)
        ordered = publishing.for_parquet(session, made, self.shown(number), f"again_{number}")
        path = os.path.join(self.path, self._file(number))
        statement = publishing.copy_statement(ordered, path)
        with places.whole_file(path, Inputs(), force=True) as place:
            publishing.publish_file(session, statement, place)
            yield None, sha256(Path(place))
        sync(self.path)


def refuse_other_columns(name: str, before: dict[str, str], now: dict[str, str]) -> None:
    """Refuse a slice whose rows the readers of earlier slices could not read."""
    if before != now:
        shown = [", ".join(f"{one} {kind}" for one, kind in each.items()) for each in (before, now)]
        raise InputError(
            f"the slices of {name} have the columns {shown[0]}, and the new one {shown[1]}; name "
            "the same columns, or append to a new target"
        )


def _escaped(path: str) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", path)


def sync(path: str) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
