"""The inputs of a run: no output may replace one, under any of its names.

The file system compares files; tables are compared by database, schema and name. If the files of a
source cannot be known, no existing file may be overwritten.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError

Place = tuple[str, ...]  # the database, schema and name of a table, in one case
DATA = "the data"


def place_of(table: exp.Table) -> Place:
    """A table's database, schema and name, case and kinds of blanks aside."""
    return tuple(" ".join(part.name.casefold().split()) for part in table.parts)


@dataclass
class Inputs:
    """The files and tables that a run has read, each with its purpose."""

    files: dict[str, str] = field(default_factory=dict)
    tables: set[Place] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)  # sources that may read any file
    outputs: dict[str, str] = field(default_factory=dict)  # the files to be written, by option

    def add(self, paths: Iterable[str | Path], said: str = DATA) -> None:
        """Add files that are read. None of them may be an announced output."""
        for path in paths:
            self.files.setdefault(os.path.abspath(path), said)
        for output in self.outputs.values():
            self.refuse(output)

    def announce(self, outputs: Mapping[str, str | Path | None]) -> None:
        """Add the files that the run will write, by their options: it must read none of them."""
        self.check(outputs)
        self.outputs |= named(outputs)

    def check(self, outputs: Mapping[str, str | Path | None]) -> None:
        """Refuse files that the run has read, and two that are one."""
        refuse_twice(outputs)
        for output in named(outputs).values():
            self.refuse(output)

    def refuse(self, output: str | Path) -> None:
        """Refuse a file that the run has read."""
        for path, said in self.files.items():
            if is_one_file(path, output):
                raise InputError(f"{output} is what {said} was read from: choose another name")
        if self.unknown and os.path.lexists(output):
            raise InputError(
                f"{output} exists, and it cannot be known which files {self.unknown[0]!r} reads: "
                "choose a name that is not taken"
            )


def named(outputs: Mapping[str, str | Path | None]) -> dict[str, str]:
    """The outputs that have a file."""
    return {option: str(path) for option, path in outputs.items() if path is not None}


def refuse_twice(outputs: Mapping[str, str | Path | None]) -> None:
    """Refuse two outputs that are one file."""
    for (option, path), (other, again) in combinations(named(outputs).items(), 2):
        if is_one_file(path, again):
            raise InputError(f"{other} and {option} both name {path!r}")


def is_one_file(one: str | Path, other: str | Path) -> bool:
    """Do both names lead to one file, or would they if the file existed?"""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        pass
    (folder, name), (beside, again) = (os.path.split(os.path.realpath(x)) for x in (one, other))
    try:
        # A file system may ignore the case of names.
        return name.casefold() == again.casefold() and os.path.samefile(folder, beside)
    except (OSError, ValueError):
        return False
