"""`setveil schema`: the JSON Schema of every output."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from setveil.cli import output
from setveil.cli.schema import document

NAME = "schema"


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[COMMAND]",
            help="Print the schema of this command alone, such as coherence or 'verify coherence'.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of what commands print with --json, errors and notes included.

    The schema has a version, the number at the end of its $id. It is raised when a property is
    removed or gets another meaning; new properties keep it.
    """
    output.say(json.dumps(document(name), indent=2, ensure_ascii=False))
