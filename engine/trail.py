"""The trail: everything a run did, as a script that a stock DuckDB shell can run again.

A trail can hold what the release hides; it says so in its first line. `replay` runs one on a bare
DuckDB and compares what comes out with the release.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import duckdb
from sqlglot import exp

from setveil.backends.duckdb import DuckDB
from setveil.errors import InputError, QueryError
from setveil.session import Statement
from setveil.sql.step import render as render_sql
from setveil.transactions import Baskets

CONFIDENTIAL = "-- CONFIDENTIAL: this trail can hold what the release hides. Keep it inside."
SOURCE, RELEASE = "SET VARIABLE source =", "SET VARIABLE release ="


def render(
    baskets: Baskets, model: str, parameters: dict[str, object], target: str | None
) -> str:
    """The script of a run. `target` is the release's file, if it went to one."""
    backend = baskets.session.backend
    assert isinstance(backend, DuckDB)
    head = [
        CONFIDENTIAL,
        f"-- setveil {version('setveil')}: {model} of {json.dumps(baskets.source.name)}",
        f"-- parameters: {json.dumps(parameters)}",
        "-- Run it in DuckDB beside the same input, or with: setveil replay",
        "",
    ]
    settings = [f"{statement};" for statement in backend.opening]
    body = [_entry(statement) for statement in baskets.session.statements]
    if target is not None:
        name = f"{RELEASE} {render_sql(exp.Literal.string(target))};"
        body.insert(len(body) - 1, f"-- release: where it goes\n{name}\n")
    return "\n".join([*head, *settings, "", *body])


def _entry(statement: Statement) -> str:
    if not statement.text:
        return str(statement)
    measured = f"-- {statement.rows:,} rows, {statement.seconds:.3f} s\n"
    comment, _, text = str(statement).partition("\n")
    return f"{comment}\n{measured}{text}"


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of running a trail again."""

    statements: int
    release: str
    same: bool
    expected: str  # SHA-256 of the release
    found: str  # SHA-256 of what the trail made


def replay(
    trail: str | Path,
    *,
    release: str | Path | None = None,
    source: str | Path | None = None,
    out: str | Path | None = None,
) -> Replay:
    """Run a trail on a DuckDB of its own, and compare the outcome with the release, byte by byte.

    The release stays as it is: what the trail makes goes to `out`, or to a place that is removed.
    """
    statements = _statements(Path(trail))
    named = _named_release(statements)
    if named is None:
        raise InputError(f"{trail} writes no file: only the trail of a file can be compared")
    expected = Path(release if release is not None else named)
    if not expected.is_file():
        raise InputError(f"{trail}: its release {str(expected)!r} is not there; name it with --release")
    with tempfile.TemporaryDirectory(prefix="setveil-replay-") as folder:
        made = Path(out) if out is not None else Path(folder) / expected.name
        _run(statements, {RELEASE: str(made)} | ({SOURCE: str(source)} if source else {}), folder)
        hashes = _sha256(expected), _sha256(made)
    return Replay(len(statements), str(expected), hashes[0] == hashes[1], *hashes)


def _statements(trail: Path) -> list[str]:
    if not trail.is_file():
        raise InputError(f"{trail}: no such file")
    text = trail.read_text(encoding="utf-8")
    if not text.startswith(CONFIDENTIAL):
        raise InputError(f"{trail} is no trail of setveil: its first line says otherwise")
    try:
        return [_bare(statement.query) for statement in duckdb.extract_statements(text)]
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{trail} is not SQL that DuckDB can read: {reason}") from error


def _bare(query: str) -> str:
    """A statement without the comments before it."""
    lines = query.strip().splitlines()
    while lines and (not lines[0].strip() or lines[0].startswith("--")):
        lines.pop(0)
    return "\n".join(lines)


def _named_release(statements: list[str]) -> str | None:
    for statement in statements:
        if statement.startswith(RELEASE):
            return str(duckdb.execute("SELECT " + _value(statement)).fetchall()[0][0])
    return None


def _value(statement: str) -> str:
    return statement.partition("=")[2].strip().rstrip(";")


def _run(statements: list[str], variables: dict[str, str], folder: str) -> None:
    with duckdb.connect(config={"temp_directory": f"{folder}/spill"}) as connection:
        for statement in statements:
            for start, value in variables.items():
                if statement.startswith(start):
                    statement = f"{start} {render_sql(exp.Literal.string(value))}"
            try:
                connection.execute(statement)
            except duckdb.Error as error:
                reason = str(error).partition("\n")[0]
                raise QueryError("replay", reason, statement) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
