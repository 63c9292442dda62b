"""Files as relations after FROM, and the errors of DuckDB on reading them.

A statement gets the name of a file from a variable (`GETVARIABLE`), so a trail can read another
copy of the file. CSV is read as text, by one set of rules. Only the delimiter is guessed: it is the
one with which the header has the named columns.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator

import duckdb
from sqlglot import exp

from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.duckdb.statements import interruptible, one_line
from setveil.errors import InputError, QueryError
from setveil.sql.step import duck, render, term

LINE_SEPARATOR = "\x1f"  # a delimiter that no line contains, so that a line is one value
DELIMITERS = (",", ";", "\t", "|")

# Parts of DuckDB's long errors, with a short message that says how to correct the file.
MEANINGS = {
    "not utf-8 encoded": "it is not UTF-8 text: convert it, for instance with iconv",
    "Invalid UTF8": "it is not UTF-8 text: convert it, for instance with iconv",
    "Expected Number of Columns": "a row has other columns than the header: quote values that "
    "hold the delimiter",
    "unterminated quote": "a quote is opened and not closed",
    "reached an invalid state": "a quote stands inside a value that is not quoted, or lines end "
    "in different ways",
    "detect the CSV parsing dialect": "its rows do not have the columns of its header, or a quote "
    "stands inside a value that is not quoted",
    "Maximum line size": "a line is longer than 2,000,000 bytes: write the data as Parquet",
    "too small to be a Parquet": "it is not a Parquet file, or was cut off",
    "No magic bytes": "it is not a Parquet file, or was cut off",
    "No files found": "no file matches",
    "not a valid DuckDB database": "it is not a DuckDB database",
    "Could not set lock": "another process has the database open: close it there",
}


def set_variable(name: str, value: str) -> str:
    """The statement that sets a variable to the name of a file."""
    return f"SET VARIABLE {name} = {render(exp.Literal.string(value))}"


def pattern(name: str) -> str:
    """The name as a glob; the special characters of an existing file are escaped."""
    return re.sub(r"[*?\[]", r"[\g<0>]", name) if os.path.exists(name) else name


def parquet(variable: str) -> exp.Expr:
    """The relation of a Parquet file, or of all files of a glob."""
    name = exp.Literal.string(variable)
    query = duck("SELECT 1 FROM READ_PARQUET(GETVARIABLE($variable))", variable=name)
    relation: exp.Expr = query.args["from_"].this
    return relation


def csv(variable: str, delimiter: str) -> exp.Expr:
    """The relation of a CSV file with a header, with every value as text."""
    query = duck(
        """
        SELECT 1 FROM READ_CSV(
            GETVARIABLE($variable), header = TRUE, all_varchar = TRUE, delim = $delim,
            quote = '"', escape = '"', comment = '', skip = 0, allow_quoted_nulls = FALSE
        )
        """,
        variable=exp.Literal.string(variable),
        delim=exp.Literal.string(delimiter),
    )
    relation: exp.Expr = query.args["from_"].this
    return relation


def delimiter_of(backend: DuckDB, variable: str, wanted: set[str]) -> str:
    """The delimiter with which the header has the wanted columns; else the most columns."""
    found: dict[str, list[str]] = {}
    failed: duckdb.Error | None = None
    for delimiter in DELIMITERS:
        try:
            found[delimiter] = list(backend.columns_of(csv(variable, delimiter)))
        except duckdb.Error as error:
            failed = failed or error
        else:
            if wanted.issubset(found[delimiter]):
                return delimiter
    most = max(found, key=lambda one: len(found[one]), default=None)
    if most is None or (failed and len(found[most]) == 1):
        assert failed
        raise failed
    return most


def lines(path: str) -> exp.Expr:
    """The relation of a basket file, whose items have commas (`.basket`) or blanks between them."""
    commas = path.lower().endswith(".basket")
    query = duck(
        """
        SELECT LIST_FILTER(
            LIST_TRANSFORM($pieces, lambda piece: TRIM(piece, CHR(32) || CHR(9) || CHR(13))),
            lambda piece: piece <> ''
        ) AS items
        FROM READ_CSV(
            GETVARIABLE('source'), header = FALSE, auto_detect = FALSE, delim = $delim,
            quote = '', escape = '', columns = {'line': 'VARCHAR'}
        )
        """,
        delim=exp.Literal.string(LINE_SEPARATOR),
        pieces=term(
            "STRING_SPLIT(COALESCE(line, ''), ',')"
            if commas
            else "STRING_SPLIT_REGEX(COALESCE(line, ''), '\\s+')"
        ),
    )
    return query.subquery("lines")


def refuse_mixed_line_ends(backend: DuckDB, name: str) -> None:
    """Refuse files with two kinds of line ends, in which DuckDB can find too many lines."""
    files = backend.connection.execute("SELECT file FROM GLOB(GETVARIABLE('source'))").fetchall()
    for (path,) in files:
        ends = returns = 0
        with open(path, "rb") as file:
            while chunk := file.read(2**20):
                ends, returns = ends + chunk.count(b"\n"), returns + chunk.count(b"\r")
        if returns not in (0, ends):
            raise InputError(f"{path}: lines end in different ways (LF and CR LF): make them one")


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn errors of reading into one line about the input, except a lack of memory."""
    try:
        with interruptible():
            yield
    except (duckdb.Error, QueryError) as error:
        if isinstance(error, QueryError) and error.refused:
            raise InputError(f"{name}: {error.message}") from error
        cause = error.__cause__ if isinstance(error, QueryError) else error
        if not isinstance(cause, duckdb.Error) or isinstance(cause, duckdb.OutOfMemoryException):
            raise
        raise InputError(f"{name}: {_meaning(cause)}") from error
    except (OSError, UnicodeEncodeError) as error:
        raise InputError(f"{name!r} cannot be read: {error}") from error


def _meaning(error: duckdb.Error) -> str:
    text = str(error)
    line = re.search(r"CSV Error on Line: (\d+)", text)
    where = f"line {line[1]}: " if line else ""
    for part, meaning in MEANINGS.items():
        if part in text:
            return f"{where}{meaning}"
    return f"{where}{one_line(error)}"
