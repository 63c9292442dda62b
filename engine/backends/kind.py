"""A kind of database: one entry in the registry, from which its commands and trails derive.

An entry loads no driver: its package is imported when a run is opened.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from setveil.backends import Backend

Note = Callable[[str], None]


class Open(Protocol):
    """Opens a run at an address, or over the caller's connection."""

    def __call__(
        self,
        place: Any,
        *,
        threads: int | None,
        memory_limit: str | None,
        note: Note,
        works: bool = True,
    ) -> Backend:
        """With `works` False the run only copies rows, and needs no place for relations."""


@dataclass(frozen=True, slots=True)
class Trail:
    """How trails of a kind of database are written, and what is needed to run them again.

    `name` is the pattern of a name, `run` that of the place of a run, and `forms` those of the
    statements besides the steps. `how` and `shell` say how to run a trail without setveil.
    """

    dialect: str
    name: str
    run: str
    forms: Mapping[str, str]
    how: str = ""
    shell: str = ""
    prints: str = ""  # a line about what the shell prints besides the release
    silent: tuple[str, ...] = ()  # tells the shell to print nothing of what follows
    aloud: str = ""  # tells the shell to print again
    digest: str = ""  # the question for the digest of {rows} in one order
    renames: bool = False  # does a release get its name last, by a statement of its own?
    reads_files: bool = False  # can a statement read or write a file of this machine?
    casts: bool = False  # can a release be cast to types, which others may have made?
    begins_outside: bool = False  # must a run be begun where the names of the first one were?


def _nothing(url: str) -> None:
    """No parameter of an address is refused."""


def _unchanged(url: str) -> str:
    return url


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of database. `folder` is the package that has the module `replay` with its TRAIL."""

    name: str  # in messages, and of the extra that installs it
    engine: str  # what people call it, and what the head of a trail says
    folder: str
    open: Open
    schemes: tuple[str, ...] = ()  # of addresses
    examples: tuple[str, ...] = ()  # of addresses
    secrets: str = ""  # where a password or token belongs
    needs: tuple[str, ...] = ()  # packages that may be lacking
    refuse: Callable[[str], None] = _nothing  # an address with what may be a secret
    resolve: Callable[[str], str] = _unchanged  # the address to open
    takes: Callable[[object], bool] = lambda source: False  # is it an open connection to one?

    @property
    def trail(self) -> Trail:
        """How its trails are written."""
        found: Trail = importlib.import_module(f"{self.folder}.replay").TRAIL
        return found
