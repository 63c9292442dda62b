"""The names of the two parts of a release: files of a folder, or tables."""

from __future__ import annotations

from pathlib import Path

from setveil.errors import InputError

GROUP, COUNT = "group", "count"  # columns that the release adds
FIRST, SECOND = "transactions.parquet", "sensitive.parquet"  # the files of a folder
FILES = {"release": FIRST, "sensitive": SECOND}  # by the variables of the statements
SUFFIX = "_sensitive"  # of the second table
SLICES = "slice-*"  # the folders of a target, one per slice


def second_table(table: str) -> str:
    """The name of the second table, beside the first."""
    if table[-1:] in ('"', "`"):
        return table[:-1] + SUFFIX + table[-1]
    return table + SUFFIX


def tables_of(table: str, *, in_parts: bool) -> dict[str, str]:
    """The tables of a release, by the variables of its files."""
    first, second = FILES
    return {first: table, second: second_table(table)} if in_parts else {first: table}


def parts_of(source: str, *, is_file: bool) -> tuple[str, str]:
    """The names of both parts of a release, from the name of its folder or of the first part.

    A target has a folder for each slice: its parts are all files of these folders.
    """
    if not is_file:
        return source, second_table(source)
    path = Path(source)
    if path.is_dir():
        sliced = not (path / FIRST).exists() and any(path.glob(f"{SLICES}/{FIRST}"))
        path = path / SLICES / FIRST if sliced else path / FIRST
        if not sliced and not path.is_file():
            raise InputError(f"{source} is no release of two parts: it has no file {FIRST!r}")
    return str(path), str(path.with_name(SECOND))
