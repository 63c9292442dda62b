"""Every JSON object that a command prints in the tests fits the schema of that command."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match


@cache
def _validator(command: str, models: tuple[str, ...]) -> Draft202012Validator:
    from setveil.cli import schema

    found = schema.error() if command == "error" else schema.commands()[command]
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def check(content: dict[str, Any]) -> None:
    """Refuse an object that its command does not declare in cli/schema.py."""
    from setveil.models import REGISTRY

    printed = json.loads(json.dumps(content), parse_constant=_refuse)
    command = "error" if "error" in printed else str(printed["command"])
    for way in ("append", "sweep"):  # options with which a command prints another object
        command += f" --{way}" if way in printed else ""
    fault = best_match(_validator(command, tuple(REGISTRY)).iter_errors(printed))
    assert fault is None, f"{command} --json at {fault.json_path}: {fault.message}"


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")
