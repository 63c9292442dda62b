"""PostgreSQL: a run is one transaction on its server."""

from __future__ import annotations

from typing import Any

from setveil.backends.kind import Kind, Note


def _open(
    place: Any,
    *,
    threads: int | None,
    memory_limit: str | None,
    note: Note,
    works: bool = True,
) -> Any:
    from setveil.backends.postgres.backend import Postgres

    return Postgres(place, threads=threads, memory_limit=memory_limit, works=works)


KIND = Kind(
    "postgres",
    "PostgreSQL",
    __name__,
    _open,
    schemes=("postgres", "postgresql"),
    examples=("postgres://host/name",),
    secrets="PGPASSWORD, ~/.pgpass or a service file",
    needs=("psycopg",),
)
