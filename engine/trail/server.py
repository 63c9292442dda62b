"""Run the trail of a server's run again, in a transaction that is taken back, and compare.

The table that it made is left as it is: what the trail would make of it now is compared with it,
row by row, by the server. Only statements that make relations of the run are run again, in a schema
of its own; what opened and closed the run, and what only asked, is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp, parse_one

from setveil.backends import names, opening
from setveil.backends.addresses import is_url, kind_of
from setveil.backends.server import Server
from setveil.errors import InputError, QueryError, UnkeptError
from setveil.run.session import Session, Statement
from setveil.sql.dialects import POSTGRES, SPARK
from setveil.sql.step import render
from setveil.trail.head import Head
from setveil.trail.script import Script

# How a trail is run without us, by where it was made.
SHELLS = {
    "PostgreSQL": "in the same database: psql -X -v ON_ERROR_STOP=1 -f FILE.sql",
    "Spark": "where the same tables are: spark-sql -f FILE.sql",
}
# What they print besides the rows of the release.
PRINTED = {
    "PostgreSQL": "",
    "Spark": "\n-- It prints what every step asked, too: of a renaming the whole key",
}
# For psql: only the rows of the release are shown, not those of what a step asked.
SILENT = ("\\o /dev/null",)
ALOUD = "\\o"
SWITCHES = re.compile(r"^\\o( /dev/null)?$", re.MULTILINE)
SENDS = re.compile(r"-- (release|taken): .*\nCOPY \(", re.DOTALL)
READS = re.compile(r"\\copy |CREATE OR REPLACE TEMPORARY VIEW file_of_")
VERDICT = "check_verdict"


def told(engine: str, statements: Iterable[Statement], target: str | None) -> list[str]:
    """How to run a trail where it was made, and what must be there before."""
    where = f"-- release: the rows that it sends, as {json.dumps(target)}"
    run = f"-- Run it {SHELLS[engine]}; a table must be out of the way{PRINTED[engine]}"
    files = [f"-- Make its file first: {one.why}" for one in statements if READS.match(one.text)]
    return [*([] if target is None else [where]), run, *files]


def silent(engine: str) -> tuple[str, ...]:
    """What stands before the steps, where a shell can be told to show nothing of them."""
    return SILENT if engine == "PostgreSQL" else ()


def printed(entry: str) -> str:
    """What a trail says of a statement: aloud, if its rows are the release's."""
    if not SENDS.match(entry):
        return entry
    return "\n".join([ALOUD, entry, *SILENT])


@dataclass(frozen=True, slots=True)
class Compared:
    """The table of a release, the digests of it and of what is made anew, and what was read."""

    statements: int
    table: str
    expected: str
    found: str
    source: str


def compare(
    trail: Path, text: str, head: Head, given: Mapping[str, str | None], database: str | None
) -> Compared:
    """Make the rows of a table anew, and compare them with the table's."""
    engine = head.engine
    if database is None or not is_url(database):
        shell = SHELLS[engine].rpartition(": ")[2].partition(" ")[0]
        raise InputError(
            f"{trail} is of a run on a server: name it with --database, or use {shell}"
        )
    if (kind_of(database) == "postgres") != (engine == "PostgreSQL"):
        raise InputError(f"{trail} is of a run in {engine}: name the server that it was made on")
    _refuse_files(trail, text, engine)
    dialect = POSTGRES if engine == "PostgreSQL" else SPARK
    script = Script(trail, SWITCHES.sub("", text), dialect, given)
    for name, path in given.items():
        if path is not None and not script.takes(name, path):
            raise InputError(f"{trail} reads no {name} of that kind: leave --{name} out")
    table, query = _published(trail, script)
    server = opening.open_server(database, threads=None, memory_limit=None, note=lambda text: None)
    try:
        _refuse_missing(trail, server, table)
        _refuse_views(trail, script, server, table)
        _refuse_types(trail, script, server)
        for name, statement in _again(script, server):
            _run(trail, server, name, statement)
        session = Session(server)
        found, expected = _digest(session, f"(\n{query}\n)"), _digest(session, table)
    finally:
        server.close()
    return Compared(len(script.parts), table, expected, found, _original(script, head))


def _refuse_files(trail: Path, text: str, engine: str) -> None:
    shell = SHELLS[engine].rpartition(": ")[2].rpartition(" ")[0]
    if any(READS.match(line) for line in text.splitlines()):
        raise InputError(f"{trail} reads a file: run it with {shell}, which makes it once more")
    if "\n-- release: the rows that it sends" in text.partition("\n\n")[0]:
        raise InputError(
            f"{trail} sent its release to a file: run it with {shell}, which prints the rows"
        )


def _published(trail: Path, script: Script) -> tuple[str, str]:
    """The table that the trail makes, and the query that it makes it of."""
    made, renamed = script.of("publish"), script.of("rename")
    if not made:
        raise InputError(f"{trail} writes no release: it is not as setveil wrote it")
    place, query = made[-1].told
    if script.dialect == SPARK:
        if not renamed:
            raise InputError(f"{trail} writes no release: it is not as setveil wrote it")
        catalog = parse_one(place, into=exp.Table, dialect=SPARK).args["catalog"]
        return f"{render(catalog, SPARK)}.{renamed[-1].told[1]}", query
    return place, query


def _original(script: Script, head: Head) -> str:
    """The table that was read, by its whole name; or the query, as the caller gives it again."""
    tables = [one.table for one in script.readings if one.relation == "source"]
    return render(tables[0], script.dialect) if tables and tables[0] is not None else head.source


def _again(script: Script, server: Server) -> Iterator[tuple[str, str]]:
    """The statements that make relations, in the schema of this run.

    Only a query that the caller has named again is read where the caller's names are.
    """
    given = {one.relation for one in script.readings if one.given}
    if script.dialect == POSTGRES:  # the server refuses a path that is not this role's
        yield from (("run", one.text) for one in script.of("outside"))
    yield "run", server.inside
    for part in script.parts:
        if part.kind not in ("create", "insert", "drop"):
            continue
        _, name, body = part.told
        place = render(server.of_run(name), script.dialect)
        if name in given:
            yield "run", server.outside
        if part.kind == "create":
            yield name, f"CREATE {server.can.relation} {place} AS\n{body}"
            if server.can.analyze:
                yield name, f"ANALYZE {place}"
        else:
            yield name, part.text if part.kind == "insert" else f"DROP TABLE {place}"
        if name in given:
            yield "run", server.inside


def _refuse_missing(trail: Path, server: Server, table: str) -> None:
    """Where there is no release, nothing has to be made to compare with it."""
    try:
        server.execute("replay", f"SELECT 1 AS n FROM {table} LIMIT 0")  # noqa: S608
    except QueryError as error:
        if error.refused:
            raise InputError(
                f"{trail}: its release {table} is not there: {error.message}"
            ) from error
        raise


def _refuse_views(trail: Path, script: Script, server: Server, release: str) -> None:
    """A view can do anything: it is only read by whoever names it."""
    target = names.qualified(release, script.dialect)
    assert target is not None
    for name, table in [*script.unnamed.items(), ("release", target)]:
        if not table.db or not server.is_table(table):
            shown = render(table, script.dialect)
            raise InputError(
                f"{trail}: its {name} is {shown}, which is no table: a view can do anything, so "
                "name it again with --source to have it read"
            )


def _refuse_types(trail: Path, script: Script, server: Server) -> None:
    """A cast runs what the owner of its type has put there."""
    for kind in script.types:
        if not server.is_safe_type(kind):
            raise InputError(
                f"{trail}: a column of its release is of the type {kind}, which is neither of this "
                "role nor of the server: a cast to it can do anything"
            )


def _run(trail: Path, server: Server, name: str, statement: str) -> None:
    """Run it; where it cannot be run, what it reads is not what it was."""
    try:
        server.execute("replay", statement)
    except QueryError as error:
        if not error.refused:
            raise
        if name == VERDICT:
            raise UnkeptError(
                f"{trail}: of the input as it is now, it makes no release: its own verdict fails: "
                f"{error.message}"
            ) from error
        raise InputError(f"{trail}: it or its input is not as it was: {error.message}") from error


def _digest(session: Session, rows: str) -> str:
    """SHA-256 of the rows in one order, whatever theirs."""
    text = DIGESTS[session.backend.can.dialect].format(rows=rows)
    return str(session.backend.rows("digest", text)[0][0])


DIGESTS = {
    POSTGRES: """
    SELECT ENCODE(SHA256(CONVERT_TO(COALESCE(STRING_AGG(d.row, '' ORDER BY d.row), ''), 'UTF8')),
        'hex') AS digest
    FROM (SELECT MD5(FORMAT('%s', r)) AS row FROM {rows} AS r) AS d
    """,
    # Of pieces first: Spark gathers each on one machine.
    SPARK: """
    SELECT SHA2(CONCAT_WS('', SORT_ARRAY(COLLECT_LIST(p.piece))), 256) AS digest
    FROM (
        SELECT SHA2(CONCAT_WS('', SORT_ARRAY(COLLECT_LIST(d.row))), 256) AS piece
        FROM (
            SELECT MD5(TO_JSON(STRUCT(r.*), MAP('ignoreNullFields', 'false'))) AS row
            FROM {rows} AS r
        ) AS d
        GROUP BY SUBSTR(d.row, 1, 3)
    ) AS p
    """,
}
