"""`setveil export`: the command of `setveil.export_tests`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import output
from setveil.export.package import export_tests
from setveil.run.words import counted

NAME = "export"


def command(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="dbt or sqlmesh.")],
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="The folder of the dbt package, or of the sqlmesh project that gets the audits.",
        ),
    ],
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect",
            metavar="NAME,NAME",
            help="The databases of the project: duckdb, postgres, spark (these three are the "
            "default of dbt; duckdb that of sqlmesh); or bigquery, clickhouse, databricks, "
            "redshift, snowflake, trino, on which no query was run.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the files that are written.")
    ] = False,
) -> None:
    """Write the checkers as tests of dbt, or as audits of sqlmesh.

    The tests are coherence, k_anonymity, km_anonymity, uncertainty and hiding. Their queries are
    those of `verify --query`. The guide shows a whole project: engine/guide/dbt.md.
    """
    dialects = None if dialect is None else [one.strip() for one in dialect.split(",")]
    written = export_tests(tool, folder, dialects=dialects, force=force)
    output.say(f"written: {counted(len(written), 'file')} in {output.printable(str(folder))}")
