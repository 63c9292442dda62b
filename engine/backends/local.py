"""Names for reading and writing files: DuckDB does it, for a run on any database.

Other modules use these names for files only. They reach the database of a run by its backend.
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
