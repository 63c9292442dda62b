"""All kinds of databases. To add one, copy the shape of `postgres` and touch these places:

1. `engine/backends/NAME/`: `__init__` with its KIND, a run that is a `Server`, and `replay` with
   the forms of its trails. `tests/backends/test_toy.py` has the smallest one that works in place.
2. REGISTRY below: the addresses, `--engine`, trails and messages follow, in this order.
3. `sql/dialects.py`: how its SQL lowers ours.
4. `pyproject.toml`: the package, and an extra for its driver. The driver enters DRIVERS in
   `tests/house/test_layers.py`.
5. README: a row of the places, and the help of `--database` in `cli/groups.py`.

All runs work on the server; with `--engine duckdb` only `fetch_query`, `fetch` and `send_table`
are used, and the run itself is in DuckDB.
"""

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
