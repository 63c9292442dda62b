"""A kind of database: one entry of the registry.

Addresses, messages and trails derive from the entry. It loads no driver: the package of the
database is imported when a run is opened.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from setveil.backends import Backend

Note = Callable[[str], None]


class Open(Protocol):
    """A function that opens a run at an address, or over a connection of the caller."""

    def __call__(
        self,
        place: Any,
        *,
        threads: int | None,
        memory_limit: str | None,
        note: Note,
        works: bool = True,
    ) -> Backend:
        """Open a run. With `works` False it only copies rows, and makes no relations."""


@dataclass(frozen=True, slots=True)
class Trail:
    """The form of trails of a kind of database, for writing and replaying them.

    `name` is the pattern of a name, `run` the pattern of a run's schema, and `forms` has the
    patterns of all statements besides the steps. `how` and `shell` explain in the head of a trail
    how to run it without setveil.
    """

    dialect: str
    name: str
    run: str
    forms: Mapping[str, str]
    how: str = ""
    shell: str = ""
    prints: str = ""  # a comment about rows that the shell prints besides the release
    silent: tuple[str, ...] = ()  # shell commands that stop the printing of rows
    aloud: str = ""  # the shell command that starts the printing again
    digest: str = ""  # the query for a digest of {rows}, sorted
    renames: bool = False  # does a last statement give the release its name?
    reads_files: bool = False  # can a statement read or write files of this machine?
    casts: bool = False  # can a release be cast to types that other roles own?
    begins_outside: bool = False  # does a replay need the search path of the first run?


def _nothing(url: str) -> None:
    """Refuse no parameter of an address."""


def _unchanged(url: str) -> str:
    """The address itself, for kinds without abbreviations."""
    return url


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of database. `folder` is the package that has the module `replay` with its TRAIL."""

    name: str  # in messages, and the name of the extra that installs it
    engine: str  # the name for people, and in the head of a trail
    folder: str
    open: Open
    schemes: tuple[str, ...] = ()  # schemes of its addresses
    examples: tuple[str, ...] = ()  # examples of its addresses
    secrets: str = ""  # where a password or token belongs
    needs: tuple[str, ...] = ()  # packages that may not be installed
    refuse: Callable[[str], None] = _nothing  # refuses an address that may hold a secret
    resolve: Callable[[str], str] = _unchanged  # the address to open
    # Is the object an open connection to such a database?
    takes: Callable[[object], bool] = lambda source: False

    @property
    def trail(self) -> Trail:
        """The form of its trails."""
        found: Trail = importlib.import_module(f"{self.folder}.replay").TRAIL
        return found
