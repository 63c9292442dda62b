"""The kinds of databases that a run can be on. To add one: a folder, and its entry here."""

from __future__ import annotations

from setveil.backends import duckdb, postgres, spark
from setveil.backends.kind import Kind

REGISTRY: tuple[Kind, ...] = (duckdb.KIND, postgres.KIND, spark.KIND)
HERE = duckdb.KIND  # reads and writes files, in this process


def by_scheme(scheme: str) -> Kind | None:
    """The kind whose addresses begin so."""
    return next((one for one in REGISTRY if scheme.lower() in one.schemes), None)


def by_engine(engine: str) -> Kind:
    """The kind that people call so."""
    return next(one for one in REGISTRY if one.engine == engine)


def by_connection(source: object) -> Kind | None:
    """The kind of database that an open connection is to."""
    return next((one for one in REGISTRY if one.takes(source)), None)


def servers() -> tuple[Kind, ...]:
    """The kinds that have addresses."""
    return tuple(one for one in REGISTRY if one.schemes)
