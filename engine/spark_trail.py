"""Run the trail of a run in Spark again, in a schema of its own, and compare.

Spark takes nothing back: only statements that make relations in that schema are run, which goes
when the replay ends, and the table that the trail made is left as it is. What the trail would make
of it now is compared with it, row by row, by Spark.
"""

from __future__ import annotations

import re
from pathlib import Path

from sqlglot import exp, parse_one

from setveil.backends import opening
from setveil.errors import InputError
from setveil.session import Session
from setveil.sql.step import render
from setveil.trail_text import foreign, refuse_missing, run_again, statements_of

SPARK = "spark"
NAME = r"`(?:[^`]|``)+`"
RUN = r"`(setveil_[0-9a-f]{12}_\d+_\d+_\d+)`"
PLACE = rf"{NAME}\.{RUN}"
BEGINS = re.compile(rf"CREATE SCHEMA {PLACE}$")
SETS = re.compile(r"SET spark\.sql\.[\w.]+ = [\w.+]+$")
GOES = re.compile(rf"USE {NAME}\.{NAME}$")
IN_PLACE = re.compile(rf"CREATE TABLE {PLACE}\.\w+ AS\n|DROP TABLE {PLACE}\.\w+$")
MAKES = re.compile(r"CREATE TABLE \w+ AS\n|INSERT INTO \w+\n|DROP TABLE \w+$")
ASKS = re.compile(r"SELECT\b|WITH\b|\(")
PUBLISHES = re.compile(rf"CREATE TABLE {NAME}\.{PLACE} AS\n")
REMOVES = re.compile(rf"DROP TABLE IF EXISTS ({NAME}\.)+{NAME}$")
NAMES = re.compile(rf"ALTER TABLE {NAME}\.{PLACE} RENAME TO ({NAME}\.{NAME})$")
CLOSES = re.compile(rf"DROP SCHEMA {PLACE} CASCADE$")
KINDS = (BEGINS, SETS, GOES, IN_PLACE, MAKES, ASKS, PUBLISHES, REMOVES, NAMES, CLOSES)


def compare(trail: Path, text: str, database: str) -> tuple[int, str, str, str]:
    """How many statements there are, the table, and the digests of it and of what is made anew."""
    if "\nCREATE OR REPLACE TEMPORARY VIEW file_of_" in text:
        raise InputError(
            f"{trail} reads a file: run it with spark-sql -f, which makes the release once more"
        )
    statements = statements_of(trail, text, SPARK, KINDS)
    table, query = _published(trail, statements)
    run, inside = _inside(trail, statements)
    server = opening.open_server(database, threads=None, memory_limit=None, note=lambda text: None)
    try:
        session = Session(server)
        refuse_missing(trail, server, table)
        for statement in inside:
            run_again(trail, server, statement.replace(f"`{run}`", f"`{server.run}`"))
        found, expected = _digest(session, f"(\n{query}\n)"), _digest(session, table)
    finally:
        server.close()
    return len(statements), table, expected, found


def _published(trail: Path, statements: list[str]) -> tuple[str, str]:
    """The table that the trail makes, and the query that it makes it of."""
    made = [one for one in statements if PUBLISHES.match(one)]
    named = [found for one in statements if (found := NAMES.match(one))]
    if not made or not named:
        raise InputError(
            f"{trail} sent its release to a file: run it with spark-sql -f, which prints the "
            "release's rows after what the steps asked"
        )
    tree = parse_one(made[-1], dialect=SPARK)
    assert isinstance(tree, exp.Create)
    catalog = render(tree.this.args["catalog"], SPARK)
    return f"{catalog}.{named[-1].group(2)}", made[-1].partition(" AS\n")[2]


def _inside(trail: Path, statements: list[str]) -> tuple[str, list[str]]:
    """The schema of the run, and what makes relations there.

    A name alone is only followed while names are looked up there.
    """
    begun = [found.group(1) for one in statements if (found := BEGINS.match(one))]
    if len(begun) != 1:
        raise InputError(f"{trail} is not as setveil wrote it: a run has one schema")
    (run,) = begun
    made, inside = [], False
    for statement in statements:
        found = IN_PLACE.match(statement)
        if GOES.match(statement):
            inside = statement.endswith(f".`{run}`")
        elif MAKES.match(statement) and not inside:
            raise foreign(trail, statement)
        elif found and run not in found.groups():
            raise foreign(trail, statement)
        if found or GOES.match(statement) or MAKES.match(statement):
            made.append(statement)
    return run, made


def _digest(session: Session, rows: str) -> str:
    """SHA-256 of the rows in one order, whatever theirs: of pieces of them first."""

    def joined(column: str) -> str:
        return f"SHA2(CONCAT_WS('', SORT_ARRAY(COLLECT_LIST({column}))), 256)"

    row = "MD5(TO_JSON(STRUCT(r.*), MAP('ignoreNullFields', 'false')))"
    pieces = (
        f"SELECT {joined('d.row')} AS piece FROM (SELECT {row} AS row FROM {rows} AS r) AS d "  # noqa: S608
        "GROUP BY SUBSTR(d.row, 1, 3)"
    )
    text = f"SELECT {joined('p.piece')} AS digest FROM ({pieces}) AS p"  # noqa: S608
    return str(session.backend.rows("digest", text)[0][0])
