"""Run the trail of a server's run again, in a transaction that is taken back, and compare.

The table that it made is left as it is: what the trail would make of it now is compared with it,
row by row, by the server. What only asked is not run again, and a statement that no run of setveil
has is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from sqlglot import exp, parse_one

from setveil import spark_trail
from setveil.backends import opening
from setveil.backends.addresses import is_url, kind_of
from setveil.errors import InputError
from setveil.session import Session, Statement
from setveil.sql.step import render
from setveil.trail_text import refuse_missing, run_again, statements_of

POSTGRES = "postgres"
HEAD = re.compile(r"^-- setveil \S+: .* in (PostgreSQL|Spark)$", re.MULTILINE)
RUN = r"(?:setveil_[0-9a-f]{12}|pg_temp)"
OPENS = re.compile(
    rf"BEGIN ISOLATION LEVEL REPEATABLE READ|SET LOCAL \w+ = [\w']+|CREATE SCHEMA {RUN}"
)
CLOSES = re.compile(rf"DROP SCHEMA {RUN} CASCADE|DISCARD TEMP$|COMMIT|ROLLBACK")
MAKES = re.compile(
    rf"CREATE (UNLOGGED )?TABLE ({RUN}\.)?\w+ AS\n|INSERT INTO \w+\n|DROP TABLE \w+$"
    rf"|ANALYZE ({RUN}\.)?\w+$|SET search_path TO "
)
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
ASKS = re.compile(r"SELECT\b|WITH\b|\(|COPY \(")
SENDS = re.compile(r"-- (release|taken): .*\nCOPY \(", re.DOTALL)
READS = re.compile(r"\\copy |CREATE OR REPLACE TEMPORARY VIEW file_of_")
PUBLISHES = re.compile(
    r"(?:CREATE TABLE|INSERT INTO) ((?:\"(?:[^\"]|\"\")*\"\.?|\w+\.?){2})(?: AS)?\n"
)
REMOVES = re.compile(r"DROP TABLE IF EXISTS |TRUNCATE TABLE ONLY ")


def is_servers(text: str) -> bool:
    """Is this the trail of a run on a server?"""
    return HEAD.search(text.partition("\n\n")[0]) is not None


def shell(engine: str, statements: Iterable[Statement]) -> str:
    """How to run a trail where it was made, and what must be there before."""
    run = f"-- Run it {SHELLS[engine]}; a table must be out of the way{PRINTED[engine]}"
    files = [f"-- Make its file first: {one.why}" for one in statements if READS.match(one.text)]
    return "\n".join([run, *files])


def silent(engine: str) -> tuple[str, ...]:
    """What stands before the steps, where a shell can be told to show nothing of them."""
    return SILENT if engine == "PostgreSQL" else ()


def printed(entry: str) -> str:
    """What a trail says of a statement: aloud, if its rows are the release's."""
    if not SENDS.match(entry):
        return entry
    return "\n".join([ALOUD, entry, *SILENT])


def compare(trail: Path, text: str, database: str | None) -> tuple[int, str, str, str]:
    """How many statements there are, the table, and the digests of it and of what is made anew."""
    made = HEAD.search(text.partition("\n\n")[0])
    engine = made.group(1) if made else ""
    if database is None or not is_url(database):
        shell = SHELLS[engine].rpartition(": ")[2].partition(" ")[0]
        raise InputError(
            f"{trail} is of a run on a server: name it with --database, or use {shell}"
        )
    if (kind_of(database) == "postgres") != (engine == "PostgreSQL"):
        raise InputError(f"{trail} is of a run in {engine}: name the server that it was made on")
    if engine == "Spark":
        return spark_trail.compare(trail, text, database)
    if "\n\\copy " in text:
        raise InputError(
            f"{trail} reads a file: run it with psql -f, which makes the release once more"
        )
    kinds = (OPENS, MAKES, ASKS, PUBLISHES, REMOVES, CLOSES)
    statements = statements_of(trail, SWITCHES.sub("", text), POSTGRES, kinds)
    table, query = _published(trail, statements)
    server = opening.open_server(database, threads=None, memory_limit=None, note=lambda text: None)
    try:
        session = Session(server)
        refuse_missing(trail, server, table)
        for statement in statements:
            if MAKES.match(statement) or statement.startswith("CREATE SCHEMA "):
                run_again(trail, server, statement)
        found, expected = _digest(session, f"(\n{query}\n)"), _digest(session, table)
    finally:
        server.close()
    return len(statements), table, expected, found


def _published(trail: Path, statements: list[str]) -> tuple[str, str]:
    """The table that the trail makes, and the query that it makes it of."""
    made = [one for one in statements if PUBLISHES.match(one) and not MAKES.match(one)]
    if not made:
        raise InputError(
            f"{trail} sent its release to a file: run it with psql, which prints the release's rows"
        )
    tree = parse_one(made[-1], dialect=POSTGRES)
    assert isinstance(tree, exp.Create | exp.Insert)
    end = " AS\n" if isinstance(tree, exp.Create) else "\n"
    return render(tree.this, POSTGRES), made[-1].partition(end)[2]


def _digest(session: Session, rows: str) -> str:
    """SHA-256 of the rows in one order, whatever theirs."""
    joined = "COALESCE(STRING_AGG(d.row, '' ORDER BY d.row), '')"
    digest = f"ENCODE(SHA256(CONVERT_TO({joined}, 'UTF8')), 'hex')"
    each = f"SELECT MD5(FORMAT('%s', r)) AS row FROM {rows} AS r"  # noqa: S608
    text = f"SELECT {digest} AS digest FROM ({each}) AS d"  # noqa: S608
    return str(session.backend.rows("digest", text)[0][0])
