"""A target that is a folder: per slice a Parquet file, or a folder of two; it appears whole."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from sqlglot import exp

from setveil.backends.local import formats
from setveil.errors import InputError
from setveil.run.files import folders, places, publishing
from setveil.run.files.digests import sha256
from setveil.run.files.parts import FILES, SLICES
from setveil.run.files.source import Source, is_file_name
from setveil.run.inputs import Inputs
from setveil.run.session import Session
from setveil.run.slices.ledger import Ledger
from setveil.run.slices.lock import Lock
from setveil.sql.run.slices import target as sql_target

FILE = re.compile(r"slice-(\d{6,})(\.parquet)?")
HIDDEN = re.compile(r"\.setveil-[0-9a-f]{16}\.partial")  # of a run that was killed
OLD = re.compile(r"\.(slice-\d{6,})\.old")  # a folder that another replaces
VARIABLE = "slices"

Held = dict[int, tuple[int | None, str]]  # slices with their rows, if counted, and digests
Queries = Mapping[str, exp.Select]  # the relations of a slice, by the variables of their files
# The places of a slice by variable, the place of its rows, their number if counted, and a digest.
Made = tuple[dict[str, str], str, int | None, str]


class Closing(Protocol):
    """Something that is held until it is closed."""

    def close(self) -> None: ...


class Folder:
    """A folder with one Parquet file per slice, or a folder of two files."""

    def __init__(self, name: str, *, in_parts: bool = False) -> None:
        if is_file_name(name):
            raise InputError(f"{name}: slices are files in a folder: name it without a suffix")
        self.name, self.path = name, os.path.realpath(name)
        self._ledger = f"{self.path}.ledger"
        self._parts = FILES if in_parts else {}

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
        self._end_killed_run()
        found: Held = {}
        for name in sorted(os.listdir(self.path)):
            path = os.path.join(self.path, name)
            number = FILE.fullmatch(name)
            if number is None or name != self._file(int(number[1])) or not self._is_slice(path):
                raise InputError(
                    f"{path} is no slice: only setveil writes to a target; move it away"
                )
            files = self._files(path)
            if link := next((one for one in (path, *files) if os.path.islink(one)), None):
                raise InputError(f"{link} is a link: a slice is a plain file; move it away")
            found[int(number[1])] = (None, _digest(files))
        return found

    def _end_killed_run(self) -> None:
        """Remove what a killed run left, and restore a slice that it was about to replace."""
        for name in sorted(os.listdir(self.path)):
            path = os.path.join(self.path, name)
            if old := OLD.fullmatch(name):
                slice_of = os.path.join(self.path, old[1])
                if not os.path.lexists(slice_of):
                    os.rename(path, slice_of)
                    continue
            if old or HIDDEN.fullmatch(name):
                _remove(path)

    def _is_slice(self, path: str) -> bool:
        if not self._parts:
            return os.path.isfile(path)
        return os.path.isdir(path) and sorted(os.listdir(path)) == sorted(self._parts.values())

    def _files(self, path: str) -> list[str]:
        """The files of a slice at this path."""
        return [os.path.join(path, name) for name in self._parts.values()] or [path]

    def shown(self, number: int) -> str:
        return str(Path(self.name) / self._file(number))

    def _file(self, number: int) -> str:
        return f"slice-{number:06}" + ("" if self._parts else ".parquet")

    def rows(self, session: Session, source: Source, part: str = "release") -> exp.Expr:
        """The rows of all slices, as a relation."""
        name = os.path.join(SLICES, self._parts[part]) if self._parts else "*.parquet"
        variable = f"{VARIABLE}_{part}"
        place = formats.set_variable(variable, os.path.join(_escaped(self.path), name))
        session.backend.local.execute(variable, place)
        return formats.parquet(variable)

    @contextlib.contextmanager
    def made(
        self, session: Session, source: Source, queries: Queries, number: int
    ) -> Iterator[Made]:
        """Write the slice. It gets its name after the block, which gets its place and digest."""
        statements, local = {}, session.backend.local
        for part, query in queries.items():
            made = sql_target.with_slice(query, number)
            files, rows = publishing.with_release(session, made, part)
            ordered = publishing.for_parquet(files, rows, self.shown(number), f"published_{part}")
            if number > 1:
                before = local.columns_of(self.rows(session, source, part))
                refuse_other_columns(self.name, before, local.columns_of(ordered.subquery("r")))
            statements[part] = publishing.copy_statement(ordered, FILES[part], variable=part)
        path = os.path.join(self.path, self._file(number))
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.path)
        try:
            with self._whole(path, session.inputs, force=False) as place:
                self._publish(session, statements, place)
                targets = dict(zip(statements, self._files(path), strict=True))
                yield targets, place, None, _digest(self._files(place))
        except BaseException:
            with contextlib.suppress(OSError):  # the folder has other slices
                os.rmdir(self.path)
            raise
        sync(self.path)

    def _whole(self, path: str, inputs: Inputs, *, force: bool) -> AbstractContextManager[str]:
        """The place to write a slice at, which gets its name after the block."""
        if not self._parts:
            return places.whole_file(path, inputs, force=force)
        names = (*self._parts.values(),)
        aside = os.path.join(self.path, f".{os.path.basename(path)}.old")
        return folders.whole_folder(path, names, inputs, force=force, aside=aside)

    def _publish(self, session: Session, statements: Mapping[str, str], place: str) -> None:
        for (part, statement), file in zip(statements.items(), self._files(place), strict=True):
            publishing.publish_file(session, statement, file, variable=part)

    @contextlib.contextmanager
    def replaced(
        self, session: Session, source: Source, queries: Queries, number: int
    ) -> Iterator[tuple[int | None, str]]:
        """Write a slice anew; it replaces the old one after the block."""
        statements = {}
        for part, query in queries.items():
            made = sql_target.with_slice(query, number)
            again = f"again_{part}_{number}"
            ordered = publishing.for_parquet(session, made, self.shown(number), again)
            statements[part] = publishing.copy_statement(ordered, FILES[part], variable=part)
        path = os.path.join(self.path, self._file(number))
        with self._whole(path, Inputs(), force=True) as place:
            self._publish(session, statements, place)
            yield None, _digest(self._files(place))
        sync(self.path)


def refuse_other_columns(name: str, before: dict[str, str], now: dict[str, str]) -> None:
    """Refuse a slice whose rows the readers of earlier slices could not read."""
    if before != now:
        shown = [", ".join(f"{one} {kind}" for one, kind in each.items()) for each in (before, now)]
        raise InputError(
            f"the slices of {name} have the columns {shown[0]}, and the new one {shown[1]}; name "
            "the same columns, or append to a new target"
        )


def _digest(files: list[str]) -> str:
    return " ".join(sha256(Path(one)) for one in files)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def _escaped(path: str) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", path)


def sync(path: str) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
