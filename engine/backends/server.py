"""Databases on a server: what they have in common.

Data stays there: only aggregates, scores and item numbers come to this machine, and names that the
caller listed go to it. Files that come with the data, or hold what may leave, are read and written
by a DuckDB beside.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from functools import cached_property

from sqlglot import exp

from setveil.backends import Backend
from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import InputError
from setveil.run.inputs import Place
from setveil.run.session import Session

# Runs the text: as usual, or by what is given, which takes a name and the text.
Run = Callable[[str, Callable[[str, str], int]], object]


UNSORTED = "unsorted"  # the kind of what a server carries along, but cannot put in order


class Server(Backend):
    """One run on a server: what it has besides all that every backend has."""

    listed: str  # how it writes a list in a CSV file
    outside: str  # the statement after which names are looked up where the caller's are
    threads: int | None = None  # as the caller would have them, here too
    memory_limit: str | None = None
    pulled: frozenset[Place] = frozenset()  # the tables that another run read here

    @property
    def server(self) -> Server:
        return self

    @cached_property
    def local(self) -> DuckDB:
        """Reads and writes files on this machine."""
        return DuckDB(threads=self.threads, memory_limit=self.memory_limit)

    @cached_property
    def files(self) -> Session:
        """What may leave, as relations beside the server."""
        self.local.execute("files", self.local.inside)
        return Session(self.local)

    def seen_beside(self, other: Backend, query: exp.Query) -> exp.Query:
        """A query over another run's relations, as this run over the same connection finds them."""
        if not self.can_see(other):
            raise InputError(
                "on a server, two runs that are compared must be over one connection: name both "
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
        """The columns of text whose collation takes different values for equal."""
        return []

    def can_see(self, other: Backend) -> bool:
        """Are both over one connection?"""
        return False

    def as_released(self, query: exp.Query, own: Collection[str]) -> exp.Query:
        """A query over relations of the run, with the source's `own` columns as they are there."""
        return query

    def among_others(self, query: exp.Select) -> exp.Select:
        """A query that reads what is the caller's, where names are looked up as for the caller."""
        return query

    def closing(self, *, published: bool) -> list[str]:
        """The last statements of a run, as its trail has them."""
        return []

    @abstractmethod
    def of_file(self, table: str, columns: dict[str, bool], path: str) -> list[str]:
        """How a trail makes a table of text of a CSV file's columns: which of them hold lists?"""

    @abstractmethod
    def given(
        self, local: DuckDB, query: exp.Query, table: str, force: bool
    ) -> AbstractContextManager[None]:
        """Make a table of rows that are in DuckDB; it stays if the block ends well."""

    @abstractmethod
    def take(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        """Make the query's rows a relation of DuckDB: in their order, with columns of their kinds.

        `run` runs a statement of the trail, in the way that it is given.
        """

    def exactly(self, relation: exp.Expr) -> tuple[exp.Select, dict[str, str]]:
        """What to take of a relation, and the kinds of columns that are mere text in DuckDB."""
        return exp.Select().select(exp.Star()).from_(relation), {}

    def read_so_far(self) -> set[Place]:
        """The tables that the run has read, by their schemas and names, where it can be asked."""
        return set()

    def close_local(self) -> None:
        if "local" in self.__dict__:
            self.local.close()

    @abstractmethod
    def is_table(self, table: exp.Table) -> bool:
        """Has it rows of its own, which are read without anything else being run?"""

    def is_safe_type(self, kind: str) -> bool:
        """Does a cast to this type run nothing that another role has put there?"""
        return False

    @abstractmethod
    def check_table(self, table: str, force: bool) -> None:
        """Refuse, before the work, a table that could not be made after it."""

    @abstractmethod
    def published(
        self, query: exp.Query, table: str, force: bool, run: Callable[[str], None]
    ) -> AbstractContextManager[None]:
        """Make the table; it stays if the block ends well. `run` runs a statement of the trail."""
