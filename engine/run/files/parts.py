"""The names of the two parts of a release: files of a folder, or tables."""

from __future__ import annotations

from pathlib import Path

from setveil.errors import InputError

GROUP, COUNT = "group", "count"  # columns that the release adds
FIRST, SECOND = "transactions.parquet", "sensitive.parquet"  # the files of a folder
FILES = {"release": FIRST, "sensitive": SECOND}  # by the variables of the statements
SUFFIX = "_sensitive"  # of the second table


def second_table(table: str) -> str:
    """The name of the second table, beside the first."""
    if table[-1:] in ('"', "`"):
        return table[:-1] + SUFFIX + table[-1]
    return table + SUFFIX


def parts_of(source: str, *, is_file: bool) -> tuple[str, str]:
    """The names of both parts of a release, from the name of its folder or of the first part."""
    if not is_file:
        return source, second_table(source)
    path = Path(source)
    if path.is_dir():
        path = path / FIRST
        if not path.is_file():
            raise InputError(f"{source} is no release of two parts: it has no file {FIRST!r}")
    return str(path), str(path.with_name(SECOND))
