"""The trail: everything a run did, as a script that a stock DuckDB shell can run again.

A trail can hold what the release hides; it says so in its first line. `replay` runs one on a bare
DuckDB and compares what comes out with the release. It runs what a trail consists of, and no more:
statements that make relations in memory, and read files and databases.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import duckdb
from sqlglot import exp, parse_one

from setveil import server_trail
from setveil.backends.duckdb import DuckDB, one_line
from setveil.backends.files import ATTACHED
from setveil.backends.formats import pattern, set_variable
from setveil.backends.publishing import PUSHED, TARGET, check_place, whole_file
from setveil.backends.pulling import COPY_OF_IT
from setveil.backends.server import Server
from setveil.errors import InputError, QueryError
from setveil.inputs import Inputs
from setveil.session import Statement
from setveil.sql.step import render as render_sql
from setveil.transactions import Baskets

CONFIDENTIAL = "-- CONFIDENTIAL: this trail can hold what the release hides. Keep it inside."
SOURCE, RELEASE = "SET VARIABLE source =", "SET VARIABLE release ="
WRITES = "TO (GETVARIABLE('release')) ("
MAKES = ("CREATE TABLE ", "INSERT INTO ", "DROP TABLE ", "SELECT", "WITH", "(")
CHECKS = re.compile(r"^-- check_\w+: ", re.MULTILINE)
# Files that come with the source.
BESIDE = {name: f"SET VARIABLE {name} =" for name in ("hierarchy", "itemsets", "key")}
# Errors that say that what is read is not what was read then.
INPUTS = (
    duckdb.BinderException, duckdb.CatalogException, duckdb.ConversionException,
    duckdb.InvalidInputException, duckdb.IOException,
)  # fmt: skip
SETS = (SOURCE, RELEASE, "SET preserve_insertion_order =", "SET threads =", "USE ", "DETACH ")


def render(
    baskets: Baskets,
    model: str,
    parameters: dict[str, object],
    target: str | None,
    before: int | None = None,
) -> str:
    """The script of a run. `target` is the release's file, if it went to one.

    `before` is the number of statements before this release was published: what published an
    earlier copy is no part of how this one came to be.
    """
    statements = baskets.session.statements
    before = len(statements) - 1 if before is None else before
    body = [_entry(one) for one in statements[:before] if one.name != "publish"]
    backend = baskets.session.backend
    if isinstance(backend, Server):
        body += [_entry(one) for one in statements[before:]]
        body += [f"{one};" for one in backend.closing(published=target is None)]
        shown = [server_trail.printed(one) for one in body]
        return "\n".join([*_server_head(baskets, model, parameters, target), "", *shown, ""])
    again = "beside the same input, or with: setveil replay"
    if baskets.source.pulled:
        again = f"beside the same rows as source.parquet: `{PUSHED}` is the release"
        if target is not None:
            again = "beside the same rows as source.parquet, or with: setveil replay --source"
    if target is not None:
        body.append(f"-- release: where it goes\n{set_variable('release', target)};\n")
    body += [_entry(one) for one in statements[before:]]
    return "\n".join([*_head(baskets, model, parameters, again), "", *body])


def _head(baskets: Baskets, model: str, parameters: dict[str, object], again: str) -> list[str]:
    backend, source = baskets.session.backend, baskets.source
    assert isinstance(backend, DuckDB)
    whence = " of a connection that was open" if source.connected else ""
    whence = " that was pulled from a server" if source.pulled else whence
    return [
        CONFIDENTIAL,
        f"-- setveil {version('setveil')}: {model} of {json.dumps(source.name)}{whence}",
        f"-- parameters: {json.dumps(parameters)}",
        f"-- Run it in DuckDB {again}",
        "",
        *[f"{statement};" for statement in backend.opening],
    ]


def _server_head(
    baskets: Baskets, model: str, parameters: dict[str, object], target: str | None
) -> list[str]:
    """Where the server is, and who was there, is nobody's business."""
    backend = baskets.session.backend
    assert isinstance(backend, Server)
    where = (
        "" if target is None else f"\n-- release: the rows that it sends, as {json.dumps(target)}"
    )
    return [
        CONFIDENTIAL,
        f"-- setveil {version('setveil')}: {model} of {json.dumps(baskets.source.name)} "
        f"in {backend.engine}",
        f"-- parameters: {json.dumps(parameters)}{where}",
        server_trail.shell(backend.engine, baskets.session.statements),
        "",
        *server_trail.silent(backend.engine),
        *[f"{statement};" for statement in backend.opening],
    ]


def _entry(statement: Statement) -> str:
    if not statement.text:
        return str(statement)
    made = "" if statement.rows is None else f"{statement.rows:,} rows, "
    measured = f"-- {made}{statement.seconds:.3f} s\n"
    comment, _, text = str(statement).partition("\n")
    return f"{comment}\n{measured}{text}"


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of running a trail again. `checks` are the steps that are the checker's."""

    statements: int
    checks: int
    release: str
    same: bool
    expected: str  # SHA-256 of the release
    found: str  # SHA-256 of what the trail made

    @classmethod
    def of_server(
        cls, checks: int, statements: int, release: str, expected: str, found: str
    ) -> Replay:
        return cls(statements, checks, release, expected == found, expected, found)


def replay(
    trail: str | Path,
    *,
    release: str | Path | None = None,
    source: str | Path | None = None,
    hierarchy: str | Path | None = None,
    itemsets: str | Path | None = None,
    key: str | Path | None = None,
    out: str | Path | None = None,
    database: str | Path | None = None,
) -> Replay:
    """Run a trail on a DuckDB of its own, and compare the outcome with the release, byte by byte.

    `source`, `hierarchy`, `itemsets` and `key` are copies of what it read. The release stays as it
    is: what the trail makes goes to `out`, or to a place that is removed. Of a release that is a
    table, the rows in one order are what is compared. The trail of a run on a server is run there,
    in the `database` that is named, and taken back.
    """
    path = Path(trail)
    text = _text(path)
    beside = {"hierarchy": hierarchy, "itemsets": itemsets, "key": key}
    if server_trail.is_servers(text):
        _refuse_copies(path, {"release": release, "source": source, "out": out, **beside})
        checks = len(CHECKS.findall(text))
        return Replay.of_server(
            checks, *server_trail.compare(path, text, str(database or "") or None)
        )
    if database is not None:
        raise InputError(f"{path} is of no run on a server: leave --database out")
    statements, checks = _statements(path, text)
    named = _named_release(statements)
    elsewhere = _elsewhere(path, statements, source, beside)
    with tempfile.TemporaryDirectory(prefix="setveil-replay-") as folder:
        if named is None:
            if release is not None or out is not None:
                raise InputError(f"{trail} is of a table, which is compared where it is")
            return _compare_tables(path, statements, checks, source, elsewhere, Path(folder))
        expected = Path(release if release is not None else named)
        made = Path(folder) / "made"
        elsewhere[RELEASE] = set_variable("release", str(made))
        _make(path, statements, source, expected, elsewhere, made)
        if out is not None:
            _copy(made, str(out))
        hashes = _sha256(expected), _sha256(made)
    return Replay(len(statements), checks, str(expected), hashes[0] == hashes[1], *hashes)


def _refuse_copies(trail: Path, named: dict[str, str | Path | None]) -> None:
    for name, path in named.items():
        if path is not None:
            raise InputError(
                f"{trail} is of a run on a server, and is run there on what is there now, and "
                f"compared with the table that it made: leave --{name} out"
            )


def _make(
    trail: Path,
    statements: list[str],
    source: str | Path | None,
    expected: Path,
    elsewhere: dict[str, str],
    made: Path,
) -> None:
    if not expected.is_file():
        raise InputError(
            f"{trail}: its release {str(expected)!r} is not there; name it with --release"
        )
    reached = [_reached(one, source) for one in statements]
    with duckdb.connect(config={"temp_directory": f"{made}.spill"}) as connection:
        _execute(connection, trail, reached, elsewhere)
    if not made.is_file():
        raise InputError(f"{trail} writes no release: it is not as setveil wrote it")


def _copy(made: Path, out: str) -> None:
    check_place(out, force=False)
    with whole_file(out, Inputs(), force=False) as place:
        Path(place).write_bytes(made.read_bytes())


# What a trail says


def _text(trail: Path) -> str:
    if not trail.is_file():
        raise InputError(f"{trail}: no such file")
    try:
        text = trail.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{trail} is no trail of setveil: it is not text") from error
    except OSError as error:
        raise InputError(f"{trail} cannot be read: {error.strerror}") from error
    if not text.startswith(CONFIDENTIAL):
        raise InputError(f"{trail} is no trail of setveil: its first line says otherwise")
    return text


def _statements(trail: Path, text: str) -> tuple[list[str], int]:
    """The statements of a trail, and how many steps of a checker it names."""
    try:
        statements = [_bare(one.query) for one in duckdb.extract_statements(text)]
    except duckdb.Error as error:
        raise InputError(f"{trail} is not SQL that DuckDB can read: {one_line(error)}") from error
    _refuse_foreign(trail, statements)
    return statements, len(CHECKS.findall(text))


def _bare(query: str) -> str:
    """A statement without the comments before and after it, and without its mark."""
    lines = query.split("\n")
    for end in (0, -1):
        while lines and (not lines[end].strip() or lines[end].startswith("--")):
            lines.pop(end)
    return "\n".join(lines).rstrip("; ")


def _refuse_foreign(trail: Path, statements: list[str]) -> None:
    """A trail comes from elsewhere: what no run of setveil does is not done for it either."""
    last = len(statements) - 1
    for number, statement in enumerate(statements):
        fine = statement.startswith((*MAKES, *SETS, *BESIDE.values())) or _attaches(statement)
        if number == last:
            fine = fine or _makes_table(statement)
            fine = fine or (statement.startswith("COPY (") and WRITES in statement)
        if not fine:
            first = statement.partition("\n")[0][:60]
            raise InputError(f"{trail} is not as setveil wrote it: it has {first!r}")


def _attaches(statement: str) -> bool:
    kinds = ("(COMPRESS, READ_WRITE)", f"AS {ATTACHED} (READ_ONLY)", f"AS {TARGET}")
    return statement.startswith("ATTACH '") and statement.endswith(kinds)


def _makes_table(statement: str) -> bool:
    return statement.startswith(("CREATE TABLE ", "CREATE OR REPLACE TABLE "))


def _named_release(statements: list[str]) -> str | None:
    for statement in statements:
        if statement.startswith(RELEASE):
            value = parse_one(statement.removeprefix(RELEASE), dialect="duckdb")
            return value.name
    return None


# Running it again


def _elsewhere(
    trail: Path,
    statements: list[str],
    source: str | Path | None,
    beside: dict[str, str | Path | None],
) -> dict[str, str]:
    """The statements, by how they start, that name another file instead."""
    named = {SOURCE: ("source", source)} if source is not None else {}
    for name, path in beside.items():
        if path is None:
            continue
        if not any(one.startswith(BESIDE[name]) for one in statements):
            raise InputError(f"{trail} reads no file of {name}: leave --{name} out")
        named[BESIDE[name]] = (name, path)
    return {
        start: set_variable(name, pattern(str(path))) for start, (name, path) in named.items()
    }  # fmt: skip


def _execute(
    connection: duckdb.DuckDBPyConnection,
    trail: Path,
    statements: list[str],
    elsewhere: dict[str, str],
) -> None:
    for statement in statements:
        for start, instead in elsewhere.items():
            statement = instead if statement.startswith(start) else statement
        try:
            connection.execute(statement)
        except INPUTS as error:
            raise InputError(
                f"{trail}: it or its input is not as it was: {one_line(error)}"
            ) from error
        except duckdb.Error as error:
            raise QueryError("replay", one_line(error), statement) from error


def _compare_tables(
    trail: Path,
    statements: list[str],
    checks: int,
    source: str | Path | None,
    elsewhere: dict[str, str],
    folder: Path,
) -> Replay:
    """Make the table's rows anew, and write both to files of the same order."""
    table = _table_made(trail, statements)
    query = statements[-1].partition(" AS\n")[2]
    reached = [_reached(one, source) for one in statements[:-1]]
    with duckdb.connect(config={"temp_directory": f"{folder}/spill"}) as connection:
        _execute(connection, trail, reached, elsewhere)
        hashes: list[str] = []
        for number, rows in enumerate((f"FROM {render_sql(table)}", query)):
            file = folder / f"{number}.parquet"
            text = f"COPY (FROM (\n{rows}\n) ORDER BY ALL) TO '{file}' (FORMAT parquet)"
            _execute(connection, trail, [text], {})
            hashes.append(_sha256(file))
    return Replay(len(statements), checks, table.name, hashes[0] == hashes[1], *hashes)


def _table_made(trail: Path, statements: list[str]) -> exp.Table:
    if COPY_OF_IT in statements:
        raise InputError(
            f"{trail} is of a release that was pushed to a server: to see it made again, run it in "
            f"DuckDB, beside the same rows as source.parquet; `{PUSHED}` is the release"
        )
    tree = parse_one(statements[-1], dialect="duckdb") if statements else None
    if not isinstance(tree, exp.Create) or not isinstance(tree.this, exp.Table):
        raise InputError(f"{trail} writes no release: it is not as setveil wrote it")
    if tree.this.catalog != TARGET:
        raise InputError(f"{trail} is of a connection that was open then: run its statements there")
    return tree.this


def _reached(statement: str, source: str | Path | None) -> str:
    """The database of the data and of the release is the same file, and is only read here."""
    if not statement.startswith("ATTACH '") or statement.endswith("(COMPRESS, READ_WRITE)"):
        return statement
    bare = statement.removesuffix(" (READ_ONLY)")
    if source is not None:
        alias = bare.rpartition(" AS ")[2]
        bare = f"ATTACH {render_sql(exp.Literal.string(str(source)))} AS {alias}"
    return f"{bare} (READ_ONLY)"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
