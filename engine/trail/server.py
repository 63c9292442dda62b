"""Run the trail of a server's run again, in a transaction that is rolled back, and compare.

The server compares the table of the run, which does not change, with the rows that the trail makes
now. Only statements that make relations are run again, in a schema of their own. Statements that
opened and closed the run, and questions, are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sqlglot import exp, parse_one

from setveil.backends import names, opening
from setveil.backends.addresses import is_url, kind_of
from setveil.backends.kind import Trail
from setveil.backends.server import Server
from setveil.errors import InputError, QueryError, UnkeptError
from setveil.run.session import Statement
from setveil.sql.step import render
from setveil.trail.head import Head
from setveil.trail.inputs import RunInputs
from setveil.trail.script import READ, Script
from setveil.trail.units import check_unit

SENDS = re.compile(r"-- (release|sensitive|taken): .*\nCOPY \(", re.DOTALL)
READS = re.compile(r"\\copy |CREATE OR REPLACE TEMPORARY VIEW file_of_")
VERDICT = "check_verdict"
# The text that the verdict cannot make a number of; around it stand words of the database.
FAULTS = re.compile(r"\d+ faults: the release does not keep its promise")
SEAL = re.compile(r"(\d+) rows are not those that were checked")


def told(trail: Trail, statements: Iterable[Statement], targets: Mapping[str, str]) -> list[str]:
    """How to run a trail on its server, and the files that it needs."""
    where = [
        f"-- {name}: the rows that it sends, as {json.dumps(target)}"
        for name, target in targets.items()
    ]
    run = f"-- Run it {trail.how}: {trail.shell}; a table must be out of the way{trail.prints}"
    files = [f"-- Make its file first: {one.why}" for one in statements if READS.match(one.text)]
    return [*where, run, *files]


def printed(trail: Trail, entry: str) -> str:
    """A statement with what makes a shell print, if its rows are the release's."""
    if not SENDS.match(entry):
        return entry
    return "\n".join([trail.aloud, entry, *trail.silent])


class Runs(Protocol):
    """Runs a statement, by the name of its step."""

    def execute(self, name: str, statement: str, /) -> object: ...
    def rows(self, name: str, statement: str, /) -> list[tuple[Any, ...]]: ...


@dataclass(frozen=True, slots=True)
class Compared:
    """The table of a release, its digest, the digest of the trail's rows, and the source."""

    statements: int
    table: str  # the first, of a release in two parts
    expected: str
    found: str
    source: str
    inputs: tuple[str, ...]  # lines for a person


def compare(
    trail: Path, text: str, head: Head, given: Mapping[str, str | None], database: str | None
) -> Compared:
    """Make the rows of a table again, and compare them with the table."""
    forms = head.kind.trail
    if database is None or not is_url(database):
        shell = forms.shell.partition(" ")[0]
        raise InputError(
            f"{trail} is of a run on a server: name it with --database, or use {shell}"
        )
    if kind_of(database) != head.kind:
        engine = head.kind.engine
        raise InputError(f"{trail} is of a run in {engine}: name the server that it was made on")
    _refuse_files(trail, text, forms)
    script = Script(trail, _without_switches(text, forms), forms, given)
    check_unit(trail, head, script)
    for name, path in given.items():
        if path is not None and not script.takes(name, path):
            raise InputError(f"{trail} reads no {name} of that kind: leave --{name} out")
    published = _published(trail, script)
    table = published[0][0]
    server = opening.open_server(database, threads=None, memory_limit=None, note=lambda text: None)
    try:
        for one, _ in published:
            _refuse_missing(trail, server, one)
            _refuse_views(trail, script, server, one)
        _refuse_types(trail, script, server)
        for name, statement in _again(script, server):
            run_again(trail, server, name, statement)
        inputs = tuple(_inputs(trail, head, script, server))
        found, expected = (
            " ".join(_digest(server, forms, one) for one in rows)
            for rows in zip(
                *((f"(\n{query}\n)", _of_slice(one, script)) for one, query in published),
                strict=True,
            )
        )
    finally:
        server.close()
    return Compared(len(script.parts), table, expected, found, _original(script, head), inputs)


def _inputs(trail: Path, head: Head, script: Script, server: Server) -> Iterator[str]:
    """Compare the rows that were read with the head; other tables have no digest there."""
    read, source = RunInputs(trail, head), _original(script, head)
    step = read.digest()
    if step is None:
        yield read.untold("source", source)
    else:
        yield read.rows(source, run_rows(trail, server, step.sql(script.dialect)))
    others = {READ[one.relation] for one in script.readings} - {"source"}
    if script.members is not None:
        others.add("ledger")
    for role in sorted(others):
        yield read.untold(role, "on the server")


def _of_slice(table: str, script: Script) -> str:
    """The rows of a release; of a target, those of the slice."""
    only = None if script.slice is None else f" WHERE slice = {script.slice}"
    return table if only is None else f"(SELECT * FROM {table}{only})"  # noqa: S608


def _without_switches(text: str, forms: Trail) -> str:
    """The statements alone, without what tells a shell to print."""
    told = {forms.aloud, *forms.silent} - {""}
    return "\n".join("" if line in told else line for line in text.split("\n"))


def _refuse_files(trail: Path, text: str, forms: Trail) -> None:
    shell = forms.shell.rpartition(" ")[0]
    if any(READS.match(line) for line in text.splitlines()):
        raise InputError(f"{trail} reads a file: run it with {shell}, which makes the release")
    if "\n-- release: the rows that it sends" in text.partition("\n\n")[0]:
        raise InputError(
            f"{trail} sent its release to a file: run it with {shell}, which prints the rows"
        )


def _published(trail: Path, script: Script) -> list[tuple[str, str]]:
    """The tables that the trail makes, each with its query."""
    made, renamed = script.of("publish"), script.of("rename")
    if not made or (script.forms.renames and len(renamed) != len(made)):
        raise InputError(f"{trail} writes no release: it is not as setveil wrote it")
    found = []
    for number, one in enumerate(made):
        place, query = one.told
        if script.forms.renames:  # the last that was made gets its name first
            catalog = parse_one(place, into=exp.Table, dialect=script.dialect).args["catalog"]
            place = f"{render(catalog, script.dialect)}.{renamed[-1 - number].told[1]}"
        found.append((place, query))
    return found


def _original(script: Script, head: Head) -> str:
    """The table that was read, by its full name; or the query that the caller gives again."""
    tables = [one.table for one in script.readings if one.relation == "source"]
    return render(tables[0], script.dialect) if tables and tables[0] is not None else head.source


def _again(script: Script, server: Server) -> Iterator[tuple[str, str]]:
    """Yield the statements that make relations, in the schema of this replay.

    Only a query that the caller has named again uses the caller's search path.
    """
    given = {one.relation for one in script.readings if one.given}
    if script.forms.begins_outside:
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
    """Refuse a missing release before any work."""
    try:
        server.execute("replay", f"SELECT 1 AS n FROM {table} LIMIT 0")  # noqa: S608
    except QueryError as error:
        if error.refused:
            raise InputError(
                f"{trail}: its release {table} is not there: {error.message}"
            ) from error
        raise


def _refuse_views(trail: Path, script: Script, server: Server, release: str) -> None:
    """Refuse a view, which can do anything, unless the caller names it."""
    target = names.qualified(release, script.dialect)
    assert target is not None
    members = [] if script.members is None else [("ledger", script.members)]
    for name, table in [*script.unnamed.items(), *members, ("release", target)]:
        if not table.db or not server.is_table(table):
            shown = render(table, script.dialect)
            raise InputError(
                f"{trail}: its {name} is {shown}, which is no table: a view can do anything; if "
                "you trust it, name it again with --source"
            )


def _refuse_types(trail: Path, script: Script, server: Server) -> None:
    """Refuse types of other roles: a cast runs the code of the type's owner."""
    for kind in script.types:
        if not server.is_safe_type(kind):
            raise InputError(
                f"{trail}: a column of its release has the type {kind} of another role: a cast to "
                "it can do anything"
            )


def run_again(trail: Path, database: Runs, name: str, statement: str) -> None:
    """Run a statement; if the server refuses it, the trail or its input has changed."""
    try:
        database.execute("replay", statement)
    except QueryError as error:
        if not error.refused:
            raise
        if name == VERDICT:
            counted = FAULTS.search(error.message)
            raise UnkeptError(
                f"{trail}: its statement {VERDICT} refuses the release made from the present "
                f"input: {counted[0] if counted else error.message}"
            ) from error
        raise _changed(trail, error) from error


def run_rows(trail: Path, database: Runs, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query over the relations of a replay."""
    try:
        return database.rows("replay", query)
    except QueryError as error:
        if not error.refused:
            raise
        raise _changed(trail, error) from error


def _changed(trail: Path, error: QueryError) -> InputError:
    """The error for a statement that a database refuses; of a seal, in plain words."""
    if sealed := SEAL.search(error.message):
        return InputError(
            f"{trail}: its statements make {int(sealed[1]):,} rows, not those that were checked: "
            "the trail or its input has changed"
        )
    return InputError(f"{trail}: the trail or its input has changed: {error.message}")


def _digest(server: Server, forms: Trail, rows: str) -> str:
    """SHA-256 of the sorted rows."""
    return str(server.rows("digest", forms.digest.format(rows=rows))[0][0])
