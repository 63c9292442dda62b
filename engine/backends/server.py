"""Databases on a server: what they have in common, and how they are named.

Data stays there: only aggregates, scores and item numbers come to this machine, and names that the
caller listed go to it. Files that come with the data, or hold what may leave, are read and written
by a DuckDB beside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property

from sqlglot import exp

from setveil.backends import Backend, Capabilities, Columns, Row
from setveil.backends.duckdb import DuckDB
from setveil.errors import InputError

SCHEMES = {
    "postgres": "postgres",
    "postgresql": "postgres",
    "sc": "spark",
    "spark": "spark",
}


class Server(ABC):
    """One run on a server; what else it can is what every backend can."""

    can: Capabilities
    run: str
    inside: str
    outside: str  # the statement after which names are looked up where the caller's are
    opening: list[str]

    @cached_property
    def local(self) -> DuckDB:
        """Reads and writes files on this machine."""
        return DuckDB()

    def close_local(self) -> None:
        if "local" in self.__dict__:
            self.local.close()

    @abstractmethod
    def published(
        self, query: exp.Query, table: str, force: bool, run: Callable[[str], None]
    ) -> AbstractContextManager[None]:
        """Make the table; it stays if the block ends well. `run` runs a statement of the trail."""

    @abstractmethod
    def execute(self, name: str, statement: str) -> int | None: ...
    @abstractmethod
    def rows(self, name: str, statement: str) -> list[Row]: ...
    @abstractmethod
    def columns(self, name: str, statement: str) -> Columns: ...
    @abstractmethod
    def relation(self, name: str) -> exp.Expr: ...
    @abstractmethod
    def columns_of(self, relation: exp.Expr) -> dict[str, str]: ...
    @abstractmethod
    def of_run(self, relation: str) -> exp.Table: ...
    @abstractmethod
    def as_read(self, column: exp.Expr, kind: str) -> exp.Expr: ...
    @abstractmethod
    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[str | None]]
    ) -> None: ...
    @abstractmethod
    def beside(self, note: Callable[[str], None]) -> Backend: ...
    @abstractmethod
    def interrupt(self) -> None: ...
    @abstractmethod
    def close(self) -> None: ...


def is_url(database: str) -> bool:
    """Does it name a server rather than a file?"""
    return "://" in database and database.partition("://")[0] in SCHEMES


def refuse_secrets(url: str) -> None:
    """What stands on a command line is seen by others, and kept by shells and logs."""
    scheme, _, rest = url.partition("://")
    user = rest.partition("/")[0].rpartition("@")[0]
    if ":" in user or "password=" in url or "token=" in url:
        kind = SCHEMES[scheme]
        instead = {
            "postgres": "PGPASSWORD, ~/.pgpass or a service file",
            "spark": "the environment variable SPARK_REMOTE",
        }[kind]
        raise InputError(f"--database holds a password or token: leave it to {instead}")
