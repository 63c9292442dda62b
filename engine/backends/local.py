"""Files of this machine: DuckDB reads and writes them, whatever database a run is on.

All that is not about a file reaches a database through its backend alone.
"""

from __future__ import annotations

import duckdb

from setveil.backends.duckdb import formats, tables
from setveil.backends.duckdb.backend import DuckDB, interrupt_all
from setveil.backends.duckdb.formats import LINE_SEPARATOR, pattern, reading, set_variable
from setveil.backends.duckdb.relations import LISTS
from setveil.backends.duckdb.replay import Bare, bare
from setveil.backends.duckdb.statements import interruptible, one_line
from setveil.backends.duckdb.tables import ATTACHED, SECOND, TARGET

__all__ = [
    "ATTACHED", "LINE_SEPARATOR", "LISTS", "SECOND", "TARGET", "Bare", "Connection", "Local",
    "Relation", "bare", "formats", "interrupt_all", "interruptible", "one_line", "pattern",
    "reading", "set_variable", "tables",
]  # fmt: skip

Local = DuckDB
Connection = duckdb.DuckDBPyConnection
Relation = duckdb.DuckDBPyRelation
