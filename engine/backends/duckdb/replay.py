"""The form of DuckDB's trails, and the DuckDB that replays them.

It can open only the inputs and outputs of the trail. Its settings are locked.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from setveil.backends.duckdb import formats
from setveil.backends.duckdb.statements import one_line
from setveil.backends.kind import Trail
from setveil.errors import QueryError
from setveil.sql.step import render

TEXT = r"'(?:[^']|'')*'"
VARIABLES = ("source", "hierarchy", "itemsets", "costs", "key", "release", "sensitive")
NAME = r'"(?:[^"]|"")+"|\w+'
RUN = r"(?:run|beside_\d+|setveil_[0-9a-f]{12})(?:\.main)?"
NAMED = f"(?:{NAME})"
PLACE = rf"{NAMED}(?:\.{NAMED}){{1,2}}"
COPIES = (
    "FORMAT parquet, COMPRESSION zstd",
    *(f"FORMAT csv, HEADER true, DELIMITER '{one}'" for one in formats.DELIMITERS),
    f"FORMAT csv, HEADER false, QUOTE '', DELIMITER '{formats.LINE_SEPARATOR}'",
    "FORMAT json, ARRAY true",
    "FORMAT json, ARRAY false",
)
FORMS = {
    "setting": r"SET (?:preserve_insertion_order = (?:true|false)|threads = \d+)",
    "variable": rf"SET VARIABLE ({'|'.join(VARIABLES)}) = ({TEXT})",
    "run": rf"ATTACH ':memory:' AS {RUN} \(COMPRESS, READ_WRITE\)",
    "database": rf"ATTACH ({TEXT}) AS (original) \(READ_ONLY\)",
    "inside": rf"USE {RUN}",
    "outside": r"USE (original)",
    "detach": r"DETACH DATABASE IF EXISTS original",
    "ledger": rf"ATTACH ({TEXT}) AS ledger \(READ_ONLY\)",
    "unledger": r"DETACH DATABASE ledger",
    "target": rf"ATTACH ({TEXT}) AS target",
    "publish": rf"(?:CREATE (?:OR REPLACE )?TABLE|INSERT INTO) ({PLACE})(?: AS)?\n(.*)",
    "copy": r"COPY \(\n(.*)\n\) TO \(GETVARIABLE\('(release|sensitive)'\)\) \("
    rf"(?:{'|'.join(map(re.escape, COPIES))}), USE_TMP_FILE false\)",
}
TRAIL = Trail("duckdb", NAME, RUN, FORMS, reads_files=True)

# Errors that mean that the inputs differ from those of the first run.
INPUTS = (
    duckdb.BinderException, duckdb.CatalogException, duckdb.ConversionException,
    duckdb.InvalidInputException, duckdb.IOException, duckdb.PermissionException,
)  # fmt: skip
# The settings that statements of a trail may change.
SETTINGS = "['threads', 'preserve_insertion_order']"
ALONE = {
    "python_enable_replacements": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}


class Bare:
    """A DuckDB that runs the statements of one trail."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def execute(self, name: str, text: str) -> None:
        """Run a statement. A refusal means that its inputs differ from those of the first run."""
        try:
            self._connection.execute(text)
        except duckdb.Error as error:
            refused = isinstance(error, INPUTS)
            raise QueryError(name, one_line(error), text, refused=refused) from error

    def rows(self, name: str, text: str) -> list[Any]:
        """The rows of a query over the relations of the trail."""
        self.execute(name, text)
        return self._connection.fetchall()

    def is_table(self, database: str, schema: str, name: str) -> bool:
        """Has the database a table of this name, rather than a view?"""
        found = self._connection.execute(
            "SELECT 1 FROM system.main.duckdb_tables() WHERE database_name = $1 "
            "AND system.main.lower(schema_name) = system.main.lower($2) "
            "AND system.main.lower(table_name) = system.main.lower($3)",
            [database, schema, name],
        ).fetchall()
        return bool(found)


@contextlib.contextmanager
def bare(folder: Path, reached: Sequence[str]) -> Iterator[Bare]:
    """A DuckDB that can open only these files and load no extension."""
    paths = ", ".join(render(exp.Literal.string(one)) for one in reached)
    with duckdb.connect(config={**ALONE, "temp_directory": f"{folder}/spill"}) as connection:
        for text in (
            f"SET allowed_paths = [{paths}]",
            f"SET allowed_configs = {SETTINGS}",
            "SET enable_external_access = false",
            "SET lock_configuration = true",
        ):
            connection.execute(text)
        yield Bare(connection)
