"""Spark: a Spark Connect server, or a Spark in this process."""

from __future__ import annotations

import warnings
from typing import Any

from setveil.backends.kind import Kind, Note
from setveil.backends.spark.addresses import refuse_parameters, resolved


def _open(
    place: Any,
    *,
    threads: int | None,
    memory_limit: str | None,
    note: Note,
    works: bool = True,
) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark warns of the version of pandas, which is not used
        from setveil.backends.spark.backend import Spark

    return Spark(place, threads=threads, memory_limit=memory_limit, note=note)


KIND = Kind(
    "spark",
    "Spark",
    __name__,
    _open,
    schemes=("sc", "spark"),
    examples=("sc://host:port", "spark://local[*]"),
    secrets="the environment variable SPARK_REMOTE",
    needs=("pyspark", "pyarrow"),
    refuse=refuse_parameters,
    resolve=resolved,
)
