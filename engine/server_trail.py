"""Run the trail of a server's run again, in a transaction that is taken back, and compare.

The table that it made is left as it is: what the trail would make of it now is compared with it,
row by row, by the server. What only asked is not run again, and a statement that no run of setveil
has is refused.
"""

from __future__ import annotations

import re
from pathlib import Path

from sqlglot import TokenType, exp, parse_one, tokenize
from sqlglot.errors import SqlglotError

from setveil.backends import opening
from setveil.backends.server import Server, is_url
from setveil.errors import InputError, QueryError
from setveil.session import Session
from setveil.sql.step import render

POSTGRES = "postgres"
HEAD = re.compile(r"^-- setveil \S+: .* in PostgreSQL$", re.MULTILINE)
RUN = r"(?:setveil_[0-9a-f]{12}|pg_temp)"
OPENS = re.compile(
    rf"BEGIN ISOLATION LEVEL REPEATABLE READ|SET LOCAL \w+ = [\w']+|CREATE SCHEMA {RUN}"
)
CLOSES = re.compile(rf"DROP SCHEMA {RUN} CASCADE|DISCARD TEMP$|COMMIT|ROLLBACK")
MAKES = re.compile(
    rf"CREATE (UNLOGGED )?TABLE ({RUN}\.)?\w+ AS\n|INSERT INTO \w+\n|DROP TABLE \w+$"
    rf"|ANALYZE ({RUN}\.)?\w+$|SET search_path TO "
)
# For psql: only the rows of the release are shown, not those of what a step asked.
SILENT = ("\\o /dev/null",)
ALOUD = "\\o"
SWITCHES = re.compile(r"^\\o( /dev/null)?$", re.MULTILINE)
ASKS = re.compile(r"SELECT\b|WITH\b|\(|COPY \(")
PUBLISHES = re.compile(r"CREATE TABLE ((?:\"(?:[^\"]|\"\")*\"\.?|\w+\.?){2}) AS\n")
REMOVES = re.compile(r"DROP TABLE IF EXISTS ")


def is_servers(text: str) -> bool:
    """Is this the trail of a run on a server?"""
    return HEAD.search(text.partition("\n\n")[0]) is not None


def printed(entry: str) -> str:
    """What a trail says of a statement: aloud, if its rows are the release's."""
    if "\nCOPY (" not in entry:
        return entry
    return "\n".join([ALOUD, entry, *SILENT])


def compare(trail: Path, text: str, database: str | None) -> tuple[int, str, str, str]:
    """How many statements there are, the table, and the digests of it and of what is made anew."""
    if database is None or not is_url(database):
        raise InputError(f"{trail} is of a run on a server: name it with --database, or use psql")
    if "\n\\copy " in text:
        raise InputError(
            f"{trail} reads a file: run it with psql -f, which makes the release once more"
        )
    statements = _statements(trail, SWITCHES.sub("", text))
    table, query = _published(trail, statements)
    server = opening.open_server(database, threads=None, memory_limit=None, note=lambda text: None)
    try:
        session = Session(server)
        for statement in statements:
            if MAKES.match(statement) or statement.startswith("CREATE SCHEMA "):
                _run(trail, server, statement)
        found = _digest(session, f"(\n{query}\n)")
        expected = _digest(session, table)
    finally:
        server.close()
    return len(statements), table, expected, found


def _statements(trail: Path, text: str) -> list[str]:
    """Each whole, and of a kind that a run has."""
    try:
        tokens = tokenize(text, dialect=POSTGRES)
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
        kinds = (OPENS, MAKES, ASKS, PUBLISHES, REMOVES, CLOSES)
        if not any(kind.match(statement) for kind in kinds):
            first = statement.partition("\n")[0][:60]
            raise InputError(f"{trail} is not as setveil wrote it: it has {first!r}")
    return statements


def _published(trail: Path, statements: list[str]) -> tuple[str, str]:
    """The table that the trail makes, and the query that it makes it of."""
    made = [one for one in statements if PUBLISHES.match(one) and not MAKES.match(one)]
    if not made:
        raise InputError(
            f"{trail} sent its release to a file: run it with psql, which prints the release's rows"
        )
    tree = parse_one(made[-1], dialect=POSTGRES)
    assert isinstance(tree, exp.Create)
    return render(tree.this, POSTGRES), made[-1].partition(" AS\n")[2]


def _run(trail: Path, server: Server, statement: str) -> None:
    try:
        server.execute("replay", statement)
    except QueryError as error:
        if error.refused:
            raise InputError(
                f"{trail}: its input is not there as it was: {error.message}"
            ) from error
        raise


def _digest(session: Session, rows: str) -> str:
    """SHA-256 of the rows in one order, whatever theirs."""
    joined = "COALESCE(STRING_AGG(d.row, '' ORDER BY d.row), '')"
    digest = f"ENCODE(SHA256(CONVERT_TO({joined}, 'UTF8')), 'hex')"
    text = f"SELECT {digest} AS digest FROM (SELECT MD5(r::TEXT) AS row FROM {rows} AS r) AS d"  # noqa: S608
    return str(session.backend.rows("digest", text)[0][0])
