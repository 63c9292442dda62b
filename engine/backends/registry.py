"""All kinds of databases. To add one, write a folder and add its entry here."""

from __future__ import annotations

from setveil.backends import duckdb, postgres, spark
from setveil.backends.kind import Kind

REGISTRY: tuple[Kind, ...] = (duckdb.KIND, postgres.KIND, spark.KIND)
HERE = duckdb.KIND  # the database in this process, which reads and writes files


def by_scheme(scheme: str) -> Kind | None:
    """The kind whose addresses begin with the scheme."""
    return next((one for one in REGISTRY if scheme.lower() in one.schemes), None)


def by_engine(engine: str) -> Kind:
    """The kind with this name for people."""
    return next(one for one in REGISTRY if one.engine == engine)


def by_connection(source: object) -> Kind | None:
    """The kind of database of an open connection."""
    return next((one for one in REGISTRY if one.takes(source)), None)


def servers() -> tuple[Kind, ...]:
    """The kinds that have addresses, as DuckDB has not."""
    return tuple(one for one in REGISTRY if one.schemes)
