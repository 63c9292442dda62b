"""DuckDB: files, database files, and open connections of this process."""

from __future__ import annotations

import sys
from typing import Any

from setveil.backends.kind import Kind, Note


def _takes(source: object) -> bool:
    loaded = sys.modules.get("duckdb")  # no connection can be open before this import
    return loaded is not None and isinstance(source, loaded.DuckDBPyConnection)


def _open(
    place: Any,
    *,
    threads: int | None,
    memory_limit: str | None,
    note: Note,
    works: bool = True,
) -> Any:
    from setveil.backends.duckdb.backend import DuckDB

    return DuckDB(place, threads=threads, memory_limit=memory_limit, note=note)


KIND = Kind("duckdb", "DuckDB", __name__, _open, takes=_takes)
