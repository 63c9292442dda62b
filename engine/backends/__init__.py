"""What a database must be able to do for setveil: the only door through which one is named.

A backend runs text and says what it costs; what to ask is decided elsewhere. `Capabilities` are
data, so that planners can read them and tests can list them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sqlglot import exp

if TYPE_CHECKING:
    from setveil.backends.duckdb.backend import DuckDB as Local
    from setveil.backends.server import Server

Columns = dict[str, npt.NDArray[Any]]
Row = tuple[Any, ...]
Value = str | list[str | None] | None  # of a table of text; lists as the database writes them


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the planners need to know of a database."""

    dialect: str
    posting_widths: tuple[int, ...]  # transactions per block that the bit type can hold
    lists: float = 1.0  # times as dear as on DuckDB, what is kept as lists beside what is in bits
    analyze: bool = False  # must it be told to look at what it has just made?
    relation: str = "TABLE"  # what a run makes: nothing of it has to outlive a crash
    widest: int | None = None  # relations of a query, if a WITH is worked out where it is named


class Backend(ABC):
    """One run on one database: all that a run needs of it.

    After the statement `inside` names are the run's own; `opening` are the first statements of the
    run, as its trail has them.
    """

    can: Capabilities
    engine: str  # what people call it
    run: str
    opening: list[str]
    inside: str
    rehearsed: bool = False  # are statements only written down?

    # Statements

    @abstractmethod
    def execute(self, name: str, statement: str) -> int | None:
        """Run a statement; answer how many rows it made, if that is told."""

    @abstractmethod
    def rows(self, name: str, statement: str) -> list[Row]:
        """A small answer, as rows."""

    @abstractmethod
    def columns(self, name: str, statement: str) -> Columns:
        """A long answer of numbers, as one array per column."""

    @property
    def real(self) -> Backend:
        """Runs the statements that a rehearsal runs all the same."""
        return self

    @property
    def memory(self) -> int | None:
        """How many bytes may be used before a run spills, if that is known."""
        return None

    def progress(self) -> float | None:
        """How far the running statement is, from 0 to 1; None if the database does not say."""
        return None

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the statement that is running."""

    @abstractmethod
    def close(self) -> None:
        """Drop all that the run made. Closing twice does no harm."""

    @abstractmethod
    def version(self) -> dict[str, str]:
        """The version of the database, besides that of DuckDB."""

    # Names and values

    @abstractmethod
    def relation(self, name: str) -> exp.Expr:
        """What stands behind FROM for a name of the caller's."""

    @abstractmethod
    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The columns of a relation: `list` with the kind of its elements, if it is one."""

    @abstractmethod
    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, as another run beside it finds it."""

    @abstractmethod
    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """A column of the source, so that it compares as all text does in a run."""

    @abstractmethod
    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Make a table of text that the caller gave, as data: no SQL holds it."""

    # A second run

    @abstractmethod
    def beside(self, note: Callable[[str], None]) -> Backend:
        """A second run, where questions can be put to both."""

    # Files of this machine

    @property
    @abstractmethod
    def local(self) -> Local:
        """Reads and writes files: the run itself, or one on this machine beside a server."""

    @property
    def server(self) -> Server | None:
        """The same run, if it is on a server: what has to be done otherwise there."""
        return None

    @property
    def is_local(self) -> bool:
        """Does the run read and write files of this machine itself?"""
        return self.server is None


def integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """A column of whole numbers, whatever width the database gave it."""
    return np.ascontiguousarray(values, dtype=np.int64)
