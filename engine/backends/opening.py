"""Open a run on the server that a URL names."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from setveil.backends.addresses import kind_of, resolved
from setveil.backends.server import Server
from setveil.errors import InputError, install

NEEDS = {"postgres": ("psycopg",), "spark": ("pyspark", "pyarrow")}


def open_server(
    url: str,
    *,
    threads: int | None,
    memory_limit: str | None,
    note: Callable[[str], None],
    works: bool = True,
) -> Server:
    """A run of its own, unless rows are but to be had from there or taken there.

    If a package is lacking that it needs, the error says what to install.
    """
    url = resolved(url)
    kind = kind_of(url)
    assert kind is not None
    try:
        # Only now, as these packages are not there for everyone.
        if kind == "spark":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of versions of pandas, which plays no part
                from setveil.backends.spark.backend import Spark

            return Spark(url, threads=threads, memory_limit=memory_limit, note=note)
        from setveil.backends.postgres.backend import Postgres

        return Postgres(url, threads=threads, memory_limit=memory_limit, works=works)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in NEEDS[kind]:
            raise
        raise InputError(
            f"{kind} needs a package that is not installed: {install(kind)}"
        ) from error
