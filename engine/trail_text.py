"""The text of a trail of a server's run: its statements, and what is done with each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from sqlglot import TokenType, tokenize
from sqlglot.errors import SqlglotError

from setveil.backends.server import Server
from setveil.errors import InputError, QueryError


def statements_of(
    trail: Path, text: str, dialect: str, kinds: Sequence[re.Pattern[str]]
) -> list[str]:
    """Each whole, and of a kind that a run has."""
    try:
        tokens = tokenize(text, dialect=dialect)
    except SqlglotError as error:
        raise InputError(f"{trail} is not SQL: {error}") from error
    statements, start = [], None
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            if start is not None:
                statements.append(text[start : token.start])
            start = None
        elif start is None:
            start = token.start
    for statement in statements:
        if not any(kind.match(statement) for kind in kinds):
            raise foreign(trail, statement)
    return statements


def foreign(trail: Path, statement: str) -> InputError:
    """A trail comes from elsewhere: what no run of setveil does is not done for it either."""
    first = statement.partition("\n")[0][:60]
    return InputError(f"{trail} is not as setveil wrote it: it has {first!r}")


def refuse_missing(trail: Path, server: Server, table: str) -> None:
    """Where there is no release, nothing has to be made to compare with it."""
    try:
        server.execute("replay", f"SELECT 1 AS n FROM {table} LIMIT 0")  # noqa: S608
    except QueryError as error:
        if error.refused:
            raise InputError(
                f"{trail}: its release {table} is not there: {error.message}"
            ) from error
        raise


def run_again(trail: Path, server: Server, statement: str) -> None:
    """Run it; where it cannot be run, what it reads is not what it was."""
    try:
        server.execute("replay", statement)
    except QueryError as error:
        if error.refused:
            raise InputError(
                f"{trail}: it or its input is not as it was: {error.message}"
            ) from error
        raise
