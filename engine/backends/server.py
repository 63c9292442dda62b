"""The interface of databases on a server.

The data stays there. Only aggregates, scores and item numbers come to this machine; only names
that the caller listed go to the server. A DuckDB beside it reads and writes files.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Protocol

from sqlglot import exp

from setveil.backends import Backend
from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import InputError
from setveil.run.inputs import Place
from setveil.run.session import Session

# Runs and records a statement; the function that runs it takes a step's name and the text.
Run = Callable[[str, Callable[[str, str], int]], object]


class Appends(Protocol):
    """A server whose tables can get slices, with a ledger beside them.

    With `together` a run is one transaction, with the slice and the ledger. Else rows are staged,
    then the ledger gets the intent, and then the slice is overwritten as a whole.
    """

    together: bool

    def target(self, text: str) -> exp.Table:
        """The table of this name, with its schema; one that was read is refused."""

    def known(self, text: str) -> exp.Table:
        """The table of this name, with its schema, whether it was read or not."""

    def is_there(self, place: exp.Table) -> bool:
        """Does the table exist?"""

    def ledgers(self) -> list[exp.Table]:
        """The tables of the caller that have the attempts of a ledger, by their names."""

    def lock(self, place: exp.Table) -> bool:
        """Take the lock of a target, which ends with the run; False if another run has it."""

    def unlock(self, place: exp.Table) -> None:
        """Release the lock of a target."""

    def refuse_unsafe(self, place: exp.Table, *, private: bool) -> None:
        """Refuse a table that others can change, or of which others can read a `private` one."""

    def make_private(self, place: exp.Table) -> None:
        """Take the rights from all other roles."""

    def add_only_once(self, place: exp.Table, column: str) -> None:
        """Have the server refuse a second row with the same value."""

    def appended(
        self, rows: Sequence[tuple[exp.Table, exp.Query]], number: int, run: Callable[[str], None]
    ) -> AbstractContextManager[None]:
        """Add the rows of a slice to tables, or make them; they stay if the block has no error."""

    def staged(self, place: exp.Table) -> exp.Table:
        """The table in which the rows of a slice are staged."""

    def overwrite(self, places: Sequence[exp.Table], number: int) -> None:
        """Overwrite a slice with its staged rows."""

    def end_slice(self, places: Sequence[exp.Table]) -> None:
        """Drop the staged rows of a slice that is done."""

    def make_table(self, place: exp.Table, kinds: Mapping[str, str]) -> None:
        """Make a table without rows, in the place of one that a killed run left."""

    def commit(self, run: Callable[[str], None]) -> None:
        """Keep what the run wrote to tables of the caller, and end it."""


UNSORTED = "unsorted"  # a type without an order: its columns can be copied but not sorted


class Server(Backend):
    """One run on a server."""

    listed: str  # an example of a list in a CSV file
    outside: str  # the statement after which names stand for relations of the caller
    threads: int | None = None  # for the local DuckDB too
    memory_limit: str | None = None
    appends: bool = False  # True: it is one of Appends
    pulled: frozenset[Place] = frozenset()  # tables on this server that another run read

    @property
    def server(self) -> Server:
        return self

    @cached_property
    def local(self) -> DuckDB:
        """The DuckDB that reads and writes files on this machine."""
        return DuckDB(threads=self.threads, memory_limit=self.memory_limit)

    @cached_property
    def files(self) -> Session:
        """A session on the local DuckDB, for relations that may leave the server."""
        self.local.execute("files", self.local.inside)
        return Session(self.local)

    def seen_beside(self, other: Backend, query: exp.Query) -> exp.Query:
        """A query over relations of another run, with their full names."""
        if not self.can_see(other):
            raise InputError(
                "on a server, two runs that are compared must share one connection: name both "
                "tables in one command"
            )
        seen = query.copy()
        made = {one.alias for one in seen.find_all(exp.CTE)}
        for table in list(seen.find_all(exp.Table)):
            if not table.db and table.name not in made:
                place = other.of_run(table.name)
                place.set("alias", table.args.get("alias"))
                table.replace(place)
        return seen

    def merging(self, relation: exp.Expr, columns: list[str]) -> list[str]:
        """The text columns whose collation makes different values equal."""
        return []

    def can_see(self, other: Backend) -> bool:
        """Can this run read relations of the other run?"""
        return False

    def as_released(self, query: exp.Query, own: Collection[str]) -> exp.Query:
        """The query for a release; its columns `own` get their types in the source."""
        return query

    def with_full_names(self, query: exp.Select) -> exp.Select:
        """A query on relations of the caller, safe from functions that others have put there."""
        return query

    def closing(self, *, published: bool) -> list[str]:
        """The last statements of a run, as its trail records them."""
        return []

    @abstractmethod
    def of_file(self, table: str, columns: dict[str, bool], path: str) -> list[str]:
        """The statements of a trail that read a CSV file into a table.

        `columns` maps each name to True if the column holds lists.
        """

    @abstractmethod
    def send_table(
        self, local: DuckDB, query: exp.Query, table: str, force: bool, *, inside: bool = False
    ) -> AbstractContextManager[None]:
        """Make a table from rows in DuckDB; it stays if the block ends without an error."""

    @abstractmethod
    def fetch(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        """Copy the rows of a query into a relation of DuckDB, with their order and types.

        `run` runs and records each statement, with the function that it gets.
        """

    def fetch_query(self, relation: exp.Expr) -> tuple[exp.Select, dict[str, str]]:
        """The query that copies a relation to DuckDB, and the types of columns that become text."""
        return exp.Select().select(exp.Star()).from_(relation), {}

    def read_so_far(self) -> set[Place]:
        """The schema and name of each table that the run has read, if the server reports them."""
        return set()

    def close_local(self) -> None:
        """Close the local DuckDB, if it was opened."""
        if "local" in self.__dict__:
            self.local.close()

    @abstractmethod
    def is_table(self, table: exp.Table) -> bool:
        """Is it a plain table? Reading a view, for instance, can run functions of other roles."""

    def is_safe_type(self, kind: str) -> bool:
        """Does a cast to this type run no function of another role?"""
        return False

    @abstractmethod
    def check_table(self, table: str, force: bool) -> None:
        """Refuse a table that cannot be made, before any work."""

    @abstractmethod
    def published(
        self,
        query: exp.Query,
        table: str,
        force: bool,
        run: Callable[[str], None],
        *,
        inside: bool = False,
    ) -> AbstractContextManager[None]:
        """Make the table; it stays if the block ends without an error.

        `run` runs and records a statement. A table that is made `inside` the block of another
        stays or goes with it.
        """
