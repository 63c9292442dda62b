"""What a database must be able to do for setveil: the only door through which one is named.

A backend runs text and says what it costs; what to ask is decided elsewhere. `Capabilities` are
data, so that planners can read them and tests can list them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Columns = dict[str, npt.NDArray[Any]]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the planners need to know of a database."""

    dialect: str
    posting_widths: tuple[int, ...]  # transactions per block that the bit type can hold
    statement_ms: float  # the fixed cost of one statement


class Backend(Protocol):
    """One run on one database. `execute` returns the number of rows a statement made."""

    can: Capabilities

    def execute(self, name: str, statement: str) -> int: ...
    def rows(self, name: str, statement: str) -> list[Row]: ...
    def columns(self, name: str, statement: str) -> Columns: ...
    def insert_names(self, table: str, names: Sequence[str]) -> None: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


def integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """A column of whole numbers, whatever width the database gave it."""
    return np.ascontiguousarray(values, dtype=np.int64)
