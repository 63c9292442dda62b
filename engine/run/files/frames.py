"""Read a frame of another library (pandas, Polars, Arrow, DuckDB) by its Arrow stream.

DuckDB takes the stream into a relation of the run; Python looks at no row.
"""

from __future__ import annotations

from typing import Any, Protocol

from sqlglot import exp

from setveil.backends.local import formats
from setveil.errors import InputError
from setveil.run.files.pulling import PULLED, told_of_rows
from setveil.run.session import Session


class Frame(Protocol):
    """Rows of another library, which it hands over as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


STREAM = "__arrow_c_stream__"
FRAME = "frame"  # the name of a frame in messages and trails
LATE = ("LazyFrame",)  # frames whose rows are computed on demand
# The errors that libraries raise for values that Arrow cannot hold, or for want of pyarrow.
REFUSALS = (ImportError, TypeError, ValueError, NotImplementedError)


class Stream:
    """The stream of a frame; it keeps the error of a library that cannot make one."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.error: Exception | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        try:
            return self._frame.__arrow_c_stream__(requested_schema)
        except REFUSALS as error:
            self.error = error
            raise


def is_frame(source: object) -> bool:
    """Has the object rows that can be read by an Arrow stream?"""
    return hasattr(source, STREAM)


def refuse_other(source: object) -> None:
    """Refuse an object that is neither a file nor a frame."""
    kind = type(source).__name__
    remedy = "collect() it first" if kind in LATE else "write it to a Parquet file"
    raise InputError(
        "read takes a file, a relation of a database= or of a DuckDB connection, or a frame with "
        f"an Arrow stream, not a {kind}: {remedy}"
    )


def take(session: Session, frame: object) -> exp.Table:
    """Copy the rows of a frame into a relation of the run, in their order."""
    local, stream = session.backend.local, Stream(frame)
    try:
        with formats.reading(FRAME), local.in_order():
            local.insert_stream(PULLED, stream, empty=session.dry)
    except InputError as error:
        if stream.error is None:
            raise
        said = " ".join(str(stream.error).split())
        if isinstance(stream.error, ImportError):
            said += "; install pyarrow, or write the frame to a CSV or Parquet file"
        raise InputError(f"this {type(frame).__name__} has no Arrow stream: {said}") from error
    return told_of_rows(session, "the rows of the frame")
