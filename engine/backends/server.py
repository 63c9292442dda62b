"""Databases on a server: what they have in common.

Data stays there: only aggregates, scores and item numbers come to this machine, and names that the
caller listed go to it. Files that come with the data, or hold what may leave, are read and written
by a DuckDB beside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from functools import cached_property

from sqlglot import exp

from setveil.backends import Backend, Capabilities, Columns, Row, Value
from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import InputError
from setveil.run.inputs import Place
from setveil.run.session import Session

# Runs the text: as usual, or by what is given, which takes a name and the text.
Run = Callable[[str, Callable[[str, str], int]], object]


UNSORTED = "unsorted"  # the kind of what a server carries along, but cannot put in order


class Server(ABC):
    """One run on a server; what else it can is what every backend can."""

    can: Capabilities
    run: str
    inside: str
    engine: str  # what people call it
    listed: str  # how it writes a list in a CSV file
    outside: str  # the statement after which names are looked up where the caller's are
    opening: list[str]
    threads: int | None = None  # as the caller would have them, here too
    memory_limit: str | None = None
    memory: int | None = None  # a server shares out what it has
    pulled: frozenset[Place] = frozenset()  # the tables that another run read here

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
    def as_read(self, column: exp.Column, kind: str) -> exp.Expr: ...
    @abstractmethod
    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None: ...
    @abstractmethod
    def beside(self, note: Callable[[str], None]) -> Backend: ...
    @abstractmethod
    def version(self) -> dict[str, str]: ...
    @abstractmethod
    def interrupt(self) -> None: ...
    @abstractmethod
    def close(self) -> None: ...
