"""Everything a run reads: no output of the run may take its place, however it is named.

Files are told apart by the file system, tables by their database, schema and name. Where it cannot
be known which files are read, no file that is there may be overwritten.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError

Place = tuple[str, ...]  # of a table: its database, schema and name, case aside
DATA = "the data"


def place_of(table: exp.Table) -> Place:
    """A table's database, schema and name, case and kinds of blanks aside."""
    return tuple(" ".join(part.name.casefold().split()) for part in table.parts)


@dataclass
class Inputs:
    """The files and tables that were read, each with what came of it."""

    files: dict[str, str] = field(default_factory=dict)
    tables: set[Place] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)  # sources that may read any file
    outputs: dict[str, str] = field(default_factory=dict)  # the files to be written, by option

    def add(self, paths: Iterable[str | Path], said: str = DATA) -> None:
        """Files that are read. An output that was announced must be none of them."""
        for path in paths:
            self.files.setdefault(os.path.abspath(path), said)
        for output in self.outputs.values():
            self.refuse(output)

    def announce(self, outputs: Mapping[str, str | Path | None]) -> None:
        """The files that the run will write, by their options: it must read none of them."""
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
    """The outputs that are asked for."""
    return {option: str(path) for option, path in outputs.items() if path is not None}


def refuse_twice(outputs: Mapping[str, str | Path | None]) -> None:
    """Refuse two outputs that are one file."""
    for (option, path), (other, again) in combinations(named(outputs).items(), 2):
        if is_one_file(path, again):
            raise InputError(f"{other} and {option} both name {path!r}")


def is_one_file(one: str | Path, other: str | Path) -> bool:
    """Do both names lead to one file? Of files that are not there yet, would they?"""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        pass
    (folder, name), (beside, again) = (os.path.split(os.path.realpath(x)) for x in (one, other))
    try:
        # A file system may not tell names apart by their case.
        return name.casefold() == again.casefold() and os.path.samefile(folder, beside)
    except (OSError, ValueError):
        return False
