"""The caller's data: files by their formats, and relations of a database."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from setveil.backends.addresses import is_url
from setveil.errors import InputError

FORMATS = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".dat": "basket",
    ".basket": "basket",
}


@dataclass(frozen=True, slots=True)
class Source:
    """The caller's data: a file or glob, or a table, view or query of a database."""

    name: str
    database: str | None = None  # a DuckDB file
    connected: bool = False  # True: a relation of the caller's own connection
    pulled: bool = False  # True: the rows of a server are copied to this machine
    frame: object = field(default=None, repr=False, compare=False)  # rows in Python's memory

    @property
    def is_file(self) -> bool:
        return self.database is None and not self.connected and self.frame is None

    @property
    def beside_files(self) -> bool:
        """Is a name beside this source the name of a file?"""
        return self.is_file or self.frame is not None

    @property
    def is_copied(self) -> bool:
        """Are the rows copied into the run before they are read?"""
        return self.pulled or self.frame is not None

    @property
    def place(self) -> str:
        """The name of the source; of files, whatever folder the run is in."""
        return os.path.abspath(self.name) if self.is_file else self.name

    @property
    def on_server(self) -> bool:
        return self.from_server and not self.pulled

    @property
    def from_server(self) -> bool:
        return self.database is not None and is_url(self.database)


def format_of(path: str) -> str:
    """The format that a file's suffix stands for."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(f"{path}: the suffix {suffix!r} is none of {known}; rename the file")
    return FORMATS[suffix]


def is_file_name(path: str) -> bool:
    """Does the path end with the suffix of a readable format?"""
    return Path(path).suffix.lower() in FORMATS


def bare_name(name: str) -> str:
    """The name of a file without folder and suffix; any other name stays the same."""
    return Path(name).stem if is_file_name(name) else name
