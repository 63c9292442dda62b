"""Groups of shared options. To share another option, add a field to its group.

The fields of Reading and Explaining are parameters of `setveil.read`.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from setveil.cli import options as o
from setveil.run.renumbering import Ids
from setveil.run.shape import ALL, Carry


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Options of every command that reads transactions."""

    tid: o.Tid = None
    item: o.Item = "item"
    database: o.Database = None
    engine: o.Engine = "in-place"
    drop_nulls: o.DropNulls = False
    threads: o.Threads = None
    memory_limit: o.MemoryLimit = None
    force_large: o.ForceLarge = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Explaining:
    """Options of every command that can print its statements instead of running them."""

    explain: o.Explain = False
    dialect: o.Dialect = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Options of every command that writes transactions: the files and table it writes."""

    out: o.Out = None
    into: o.Into = None
    trail: o.Trail = None
    force: o.Force = False

    @property
    def outputs(self) -> dict[str, Path | None]:
        """The files that are written, by option."""
        return {"--out": self.out, "--trail": self.trail}


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing:
    """Options of every command that makes a release of a model."""

    carry: o.Carry = None
    renumber: o.Renumber = False
    key: o.IdsKept = None
    redact: o.Redact = False

    @property
    def ids(self) -> Ids:
        """Whether ids are replaced, and the file of their key."""
        return Ids(self.renumber, self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Options of every command that writes rows of results."""

    out: o.ResultsOut = None
    into: o.ResultsInto = None
    trail: o.Trail = None
    force: o.Force = False

    @property
    def outputs(self) -> dict[str, Path | None]:
        """The files that are written, by option."""
        return {"--out": self.out, "--trail": self.trail}


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """Options of every command that prints a result."""

    json: o.Json = False
    quiet: o.Quiet = False


NOTHING_EXPLAINED = Explaining()


def carried(carry: Sequence[str] | None) -> Carry:
    """Split column names at commas; a name with a comma is in double quotes."""
    named = [name.strip() for row in csv.reader(carry or []) for name in row]
    return ALL if ALL in named else named
