"""The interface of a database: no other module names a particular one.

A backend runs statements; other modules decide which ones. `Capabilities` are data, so that
planners can read them and tests can list them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from setveil.backends.duckdb.backend import DuckDB as Local
    from setveil.backends.server import Server

Columns = dict[str, "npt.NDArray[Any]"]
Row = tuple[Any, ...]
Value = str | list[str | None] | None  # a value of a table of text: a text or a list of texts


@dataclass(frozen=True, slots=True)
class Rates:
    """The time and room of rows on an engine, for the forecast of a run, as measured on two cores.

    Times are multiples of the time in which an occurrence was read in the same run.
    """

    joined: float  # of a row that a join makes and an aggregate counts
    ranked: float  # of a set that is sent to Python, and is ranked there
    passed: float = 1.0  # of an occurrence in a pass after reading
    statement: float = 0.0  # of a statement, however little it does
    least: int = 500_000  # occurrences: on fewer a run takes a few seconds, and has no forecast
    started: int = 0  # bytes of a process that has read nothing
    occurrence: int = 0  # bytes per occurrence at most, with those that statements hold


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Properties of a database that decide how queries are planned."""

    dialect: str
    posting_widths: tuple[int, ...]  # transactions per block that the bit type can hold
    lists: float = 1.0  # cost of lists compared with bits, relative to the same on DuckDB
    analyze: bool = False  # does a new relation need ANALYZE before it is queried?
    relation: str = "TABLE"  # the kind of table for relations of a run, which need not survive
    # Most relations in a query, if the database computes a WITH again at each place that names it.
    widest: int | None = None
    rates: Rates | None = None  # None: not measured, so no run has a forecast
    dear: bool = False  # does every statement take long, however little it does?


class Backend(ABC):
    """One run on one database.

    After the statement `inside` names stand for relations of the run. `opening` holds the first
    statements of the run, as its trail records them.
    """

    can: Capabilities
    engine: str  # the name of the database, for people
    run: str
    opening: list[str]
    inside: str
    rehearsed: bool = False  # True: statements are recorded but not run

    # Statements

    @abstractmethod
    def execute(self, name: str, statement: str) -> int | None:
        """Run a statement; return how many rows it made, or None if not reported."""

    @abstractmethod
    def rows(self, name: str, statement: str) -> list[Row]:
        """Run a query with a small result; return its rows."""

    @abstractmethod
    def columns(self, name: str, statement: str) -> Columns:
        """Run a query with many rows of numbers; return one array per column."""

    @property
    def real(self) -> Backend:
        """The backend for statements that run even in a rehearsal."""
        return self

    @property
    def memory(self) -> int | None:
        """How many bytes a run may use before it spills to disk, if known."""
        return None

    @property
    def disk(self) -> int | None:
        """How many bytes a run may spill to disk, if known."""
        return None

    @property
    def room(self) -> int | None:
        """How many bytes a run may take, in memory and on disk; None if that is not known."""
        return None if self.disk is None else (self.memory or 0) + self.disk

    def compact(self) -> None:
        """Keep the relations made so far in less memory, where the database can."""
        return

    def progress(self) -> float | None:
        """The finished share of the running statement, from 0 to 1; None if not reported."""
        return None

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the statement that is running."""

    @abstractmethod
    def close(self) -> None:
        """Drop all relations of the run. Closing twice does no harm."""

    @abstractmethod
    def version(self) -> dict[str, str]:
        """The version of the database, unless it is DuckDB, whose version every trail has."""

    # Names and values

    @abstractmethod
    def relation(self, name: str) -> exp.Expr:
        """The relation after FROM for a name or query of the caller."""

    @abstractmethod
    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The name and type of every column; the type of a list is `list` with its element type."""

    @abstractmethod
    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, with the full name under which another run finds it."""

    @abstractmethod
    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """A column of the source, with its text compared by code points as everywhere in a run."""

    @abstractmethod
    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Make a table from texts of the caller, sent as data: no SQL contains them."""

    # A second run

    @abstractmethod
    def beside(self, note: Callable[[str], None]) -> Backend:
        """A second run on the same database, so that one query can read relations of both."""

    # Files of this machine

    @property
    @abstractmethod
    def local(self) -> Local:
        """The DuckDB that reads and writes files: the run itself, or one beside its server."""

    @property
    def server(self) -> Server | None:
        """This backend if its database is on a server; None for DuckDB."""
        return None

    @property
    def is_local(self) -> bool:
        """Can the database itself read and write files of this machine?"""
        return self.server is None


def integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """A column of whole numbers as int64, from any width."""
    import numpy as np  # which many runs never ask for

    return np.ascontiguousarray(values, dtype=np.int64)
