"""Write a table of results, whose columns may be lists.

Parquet and database tables hold lists. JSON is an array of objects, or one object per line
(.jsonl). In CSV a list is a JSON array, for any characters in its names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.files import places, publishing
from setveil.run.files.local_duckdb import in_duckdb
from setveil.run.session import Session
from setveil.sql.step import render, term

SUFFIXES = (".parquet", ".csv", ".tsv", ".json", ".jsonl")


def check_place(path: str, *, force: bool) -> None:
    """Refuse a file that cannot be written, before any work."""
    if _suffix(path) not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise InputError(f"{path}: the suffix {_suffix(path)!r} is none of {known}; name one")
    places.check_place(path, force=force)


def copy_statement(session: Session, query: exp.Query, path: str, lists: Sequence[str]) -> str:
    """The COPY that writes a query to the file named by the variable `release`.

    For Parquet its rows are first sorted into the relation `published`.
    """
    session, query = in_duckdb(session, query, "taken")
    suffix = _suffix(path)
    if suffix == ".parquet":
        return publishing.copy_statement(publishing.for_parquet(session, query, path), path)
    if suffix in (".csv", ".tsv"):
        return publishing.copy_statement(_shown(query, lists), path)
    array = str(suffix == ".json").lower()
    options = f"FORMAT json, ARRAY {array}, USE_TMP_FILE false"
    return f"COPY (\n{render(query)}\n) TO (GETVARIABLE('release')) ({options})"


def _shown(query: exp.Query, lists: Sequence[str]) -> exp.Query:
    """The query, with text for its lists."""
    shown = query.copy()
    for one in shown.selects:
        if one.output_name in lists:
            text = term("CAST(TO_JSON($items) AS TEXT)", items=one.unalias())
            one.replace(text.as_(one.output_name, quoted=True))
    return shown


def _suffix(path: str) -> str:
    return Path(path).suffix.lower()
