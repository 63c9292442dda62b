"""What a database must be able to do for setveil: the only door through which one is named.

A backend runs text and says what it costs; what to ask is decided elsewhere. `Capabilities` are
data, so that planners can read them and tests can list them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from sqlglot import exp

Columns = dict[str, npt.NDArray[Any]]
Row = tuple[Any, ...]
Value = str | list[str | None] | None  # of a table of text; lists as the database writes them


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the planners need to know of a database."""

    dialect: str
    posting_widths: tuple[int, ...]  # transactions per block that the bit type can hold
    statement_ms: float  # the fixed cost of one statement
    lists: float = 1.0  # times as dear as on DuckDB, what is kept as lists beside what is in bits
    analyze: bool = False  # must it be told to look at what it has just made?
    relation: str = "TABLE"  # what a run makes: nothing of it has to outlive a crash
    widest: int | None = None  # relations of a query, if a WITH is worked out where it is named


class Backend(Protocol):
    """One run on one database. `execute` returns the number of rows a statement made, if told.

    `relation` is what a user's name stands for, `of_run` a relation of this run as another run
    beside it finds it, `as_read` a user's column so that it compares as all text does here. After
    the statement `inside` names are the run's own. `beside` opens a second run, where questions can
    be put to both. `memory` is what may be used before it spills, in bytes, if that is known;
    `version` is of what does the work, besides DuckDB.
    """

    can: Capabilities
    run: str
    opening: list[str]
    inside: str

    @property
    def memory(self) -> int | None: ...

    def execute(self, name: str, statement: str) -> int | None: ...
    def rows(self, name: str, statement: str) -> list[Row]: ...
    def columns(self, name: str, statement: str) -> Columns: ...
    def relation(self, name: str) -> exp.Expr: ...
    def columns_of(self, relation: exp.Expr) -> dict[str, str]: ...
    def of_run(self, relation: str) -> exp.Table: ...
    def as_read(self, column: exp.Column, kind: str) -> exp.Expr: ...
    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None: ...
    def beside(self, note: Callable[[str], None]) -> Backend: ...
    def version(self) -> dict[str, str]: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


def integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """A column of whole numbers, whatever width the database gave it."""
    return np.ascontiguousarray(values, dtype=np.int64)
