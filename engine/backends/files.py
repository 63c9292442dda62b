"""How DuckDB reads a source: every form in which data comes.

A file's name is a variable of the run (`GETVARIABLE`), so the text of a statement is the same for
every file and a trail can be pointed at another copy. CSV is read as text, by one set of rules:
nothing is guessed but the delimiter, which is the one that the named columns appear with.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
from sqlglot import exp

from setveil.backends import names
from setveil.backends.duckdb import DuckDB, one_line
from setveil.errors import InputError, QueryError
from setveil.session import Session
from setveil.shape import Shape
from setveil.sql.step import duck, render, term
from setveil.sql.transactions import column

LINE_SEPARATOR = "\x1f"  # a character no line holds, so that a line stays whole
FORMATS = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".dat": "basket",
    ".basket": "basket",
}
DELIMITERS = (",", ";", "\t", "|")
ATTACHED = "original"
LISTS = ("list", "array")
NESTED = (*LISTS, "struct", "map", "union", "variant", "geometry")

# What DuckDB says in many lines, and what it means for whoever has to mend it.
MEANINGS = {
    "not utf-8 encoded": "it is not UTF-8 text: convert it, for instance with iconv",
    "Invalid UTF8": "it is not UTF-8 text: convert it, for instance with iconv",
    "Expected Number of Columns": "a row has other columns than the header: quote values that "
    "hold the delimiter",
    "unterminated quote": "a quote is opened and not closed",
    "reached an invalid state": "a quote stands inside a value that is not quoted, or lines end "
    "in different ways",
    "detect the CSV parsing dialect": "its rows do not have the columns of its header, or a quote "
    "stands inside a value that is not quoted",
    "Maximum line size": "a line is longer than 2,000,000 bytes: write the data as Parquet",
    "too small to be a Parquet": "it is not a Parquet file, or was cut off",
    "No magic bytes": "it is not a Parquet file, or was cut off",
    "No files found": "no file matches",
    "not a valid DuckDB database": "it is not a DuckDB database",
    "Could not set lock": "another process has the database open: close it there",
}


@dataclass(frozen=True, slots=True)
class Source:
    """What the caller named: a file or glob, or a table, view or query of a database."""

    name: str
    database: str | None = None  # a DuckDB file
    connected: bool = False  # a relation of the caller's own connection

    @property
    def is_file(self) -> bool:
        return self.database is None and not self.connected


def format_of(path: str) -> str:
    """The format that a file's suffix stands for."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(f"{path}: the suffix {suffix!r} is none of {known}; rename the file")
    return FORMATS[suffix]


def load(session: Session, source: Source, key: str | None, item: str) -> Shape:
    """Read the source, once, into the relation `source` of the run. `key` None: none was named."""
    backend = duckdb_of(session)
    with reading(source.database or source.name):
        for name, why, text in _opening(source):
            session.run(name, why, text)
            if session.dry:
                backend.execute(name, text)
    with reading(source.name):
        relation, form, delimiter = _relation(source, backend, key, item)
        columns = _columns(backend, relation)
    shape = _shape(source, columns, form, delimiter, key, item)
    if not source.is_file:
        _refuse_collations(backend, relation, columns, shape)
    _create_source(session, source, relation, shape)
    return shape


def _opening(source: Source) -> Iterator[tuple[str, str, str]]:
    """The statements that bring the source within reach."""
    if source.is_file:
        _refuse_missing(source.name)
        name = pattern(source.name)
        yield "input", "where the data comes from", set_variable("source", name)
    elif source.database is not None:
        if not os.path.isfile(source.database):
            raise InputError(f"{source.database}: no such database file")
        path = render(exp.Literal.string(source.database))
        text = f"ATTACH {path} AS {ATTACHED} (READ_ONLY)"
        yield "input", "where the data comes from: it is only read", text
        yield "input", "names are looked up there first", f"USE {ATTACHED}"


def _refuse_missing(name: str) -> None:
    if os.path.isdir(name):
        raise InputError(f"{name} is a folder: name its files, as {name}/*.parquet")
    if not os.path.exists(name) and not any(char in name for char in "*?["):
        raise InputError(f"{name}: no such file")
    if format_of(name) != "basket" and os.path.isfile(name) and not os.path.getsize(name):
        raise InputError(f"{name} is empty: it lacks even the names of its columns")


def pattern(name: str) -> str:
    """The name of a file that is there, so that DuckDB does not read it as a glob."""
    return re.sub(r"[*?\[]", r"[\g<0>]", name) if os.path.exists(name) else name


def _relation(
    source: Source, backend: DuckDB, key: str | None, item: str
) -> tuple[exp.Expr, str, str]:
    """What stands behind FROM, the format, and the delimiter of a CSV file."""
    if not source.is_file:
        return names.relation(source.name, backend), "table", ","
    form = format_of(source.name)
    if form == "parquet":
        query = duck("SELECT 1 FROM READ_PARQUET(GETVARIABLE('source'))")
        return query.args["from_"].this, form, ","
    if form == "csv":
        delimiter = _delimiter(backend, "source", {key or "tid", item})
        return _csv("source", delimiter), form, delimiter
    _refuse_mixed_line_ends(backend, source.name)
    return _lines(source.name), form, ","


def _csv(variable: str, delimiter: str) -> exp.Expr:
    query = duck(
        """
        SELECT 1 FROM READ_CSV(
            GETVARIABLE($variable), header = TRUE, all_varchar = TRUE, delim = $delim,
            quote = '"', escape = '"', comment = '', skip = 0, allow_quoted_nulls = FALSE
        )
        """,
        variable=exp.Literal.string(variable),
        delim=exp.Literal.string(delimiter),
    )
    relation: exp.Expr = query.args["from_"].this
    return relation


def _delimiter(backend: DuckDB, variable: str, wanted: set[str]) -> str:
    """The delimiter with which the header has the wanted columns, or at least most columns."""
    found: dict[str, list[str]] = {}
    failed: duckdb.Error | None = None
    for delimiter in DELIMITERS:
        try:
            found[delimiter] = list(_columns(backend, _csv(variable, delimiter)))
        except duckdb.Error as error:
            failed = failed or error
        else:
            if wanted.issubset(found[delimiter]):
                return delimiter
    most = max(found, key=lambda one: len(found[one]), default=None)
    if most is None or (failed and len(found[most]) == 1):
        assert failed
        raise failed
    return most


def _lines(path: str) -> exp.Expr:
    """A basket file: items between commas in `.basket`, between blanks in `.dat`."""
    commas = path.lower().endswith(".basket")
    query = duck(
        """
        SELECT LIST_FILTER(
            LIST_TRANSFORM($pieces, lambda piece: TRIM(piece, CHR(32) || CHR(9) || CHR(13))),
            lambda piece: piece <> ''
        ) AS items
        FROM READ_CSV(
            GETVARIABLE('source'), header = FALSE, auto_detect = FALSE, delim = $delim,
            quote = '', escape = '', columns = {'line': 'VARCHAR'}
        )
        """,
        delim=exp.Literal.string(LINE_SEPARATOR),
        pieces=term(
            "STRING_SPLIT(COALESCE(line, ''), ',')"
            if commas
            else "STRING_SPLIT_REGEX(COALESCE(line, ''), '\\s+')"
        ),
    )
    return query.subquery("lines")


def _refuse_mixed_line_ends(backend: DuckDB, name: str) -> None:
    """DuckDB takes one kind of line end per file; where two are mixed it can see lines too many."""
    files = backend.connection.execute("SELECT file FROM GLOB(GETVARIABLE('source'))").fetchall()
    for (path,) in files:
        ends = returns = 0
        with open(path, "rb") as file:
            while chunk := file.read(2**20):
                ends, returns = ends + chunk.count(b"\n"), returns + chunk.count(b"\r")
        if returns not in (0, ends):
            raise InputError(f"{path}: lines end in different ways (LF and CR LF): make them one")


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Whatever DuckDB cannot read is bad input, in one line; that it lacks room is not."""
    try:
        yield
    except (duckdb.Error, QueryError) as error:
        cause = error if isinstance(error, duckdb.Error) else error.__cause__
        if not isinstance(cause, duckdb.Error) or isinstance(cause, duckdb.OutOfMemoryException):
            raise
        raise InputError(f"{name}: {_meaning(cause)}") from error
    except (OSError, UnicodeEncodeError) as error:
        raise InputError(f"{name!r} cannot be read: {error}") from error


def _meaning(error: duckdb.Error) -> str:
    text = str(error)
    line = re.search(r"CSV Error on Line: (\d+)", text)
    where = f"line {line[1]}: " if line else ""
    for said, meant in MEANINGS.items():
        if said in text:
            return f"{where}{meant}"
    return f"{where}{one_line(error)}"


def _columns(backend: DuckDB, relation: exp.Expr) -> dict[str, str]:
    """The columns of a relation: `list`, `array` and so on, with that of the elements."""
    text = render(exp.Select().select(exp.Star()).from_(relation.copy()))
    found = backend.connection.sql(text)
    return {name: _kind(kind) for name, kind in zip(found.columns, found.types, strict=True)}


def _kind(kind: duckdb.sqltypes.DuckDBPyType) -> str:
    if kind.id in LISTS:
        return f"{kind.id} {kind.children[0][1].id}"
    return str(kind.id)


def _shape(
    source: Source,
    columns: dict[str, str],
    form: str,
    delimiter: str,
    key: str | None,
    item: str,
) -> Shape:
    named = tuple(columns)
    if form == "basket":
        return Shape(named, None, "items", True, form)
    _require(item, "item", named, source)
    kind, _, elements = columns[item].partition(" ")
    lists = kind in LISTS
    if (elements or kind) in NESTED:
        raise InputError(
            f"{source.name}: column {item!r} holds more than an item or a list of them"
        )
    if key is None and lists and "tid" not in columns:
        return Shape(named, None, item, lists, form, delimiter)
    key = "tid" if key is None else key
    _require(key, "tid", named, source)
    if key == item:
        raise InputError(f"{source.name}: --tid and --item both name the column {key!r}")
    if columns[key].partition(" ")[0] in NESTED:
        raise InputError(f"{source.name}: column {key!r} holds more than one value per row")
    return Shape(named, key, item, lists, form, delimiter)


def _require(name: str, option: str, columns: tuple[str, ...], source: Source) -> None:
    if name not in columns:
        shown = ", ".join(repr(one) for one in columns)
        raise InputError(
            f"{source.name}: no column {name!r}; it has {shown}: name one with --{option}"
        )


def _refuse_collations(
    backend: DuckDB, relation: exp.Expr, columns: dict[str, str], shape: Shape
) -> None:
    """A collation makes different names equal, for the database but not for a file's reader."""
    for name in (shape.item, shape.key):
        if name is None or not columns[name].endswith("varchar"):
            continue
        value: exp.Expr = column(name)
        if " " in columns[name]:
            value = exp.func("LIST_EXTRACT", value, exp.Literal.number(1))
        test = duck(
            """
            SELECT COALESCE($one, 'a') < 'B' OR COALESCE($one, $accented) IN ('a', $composed)
                AS collated
            """,
            one=exp.Select().select(value).from_(relation.copy()).limit(0).subquery(),
            accented=exp.Literal.string("\u00e1"),
            composed=exp.Literal.string("a\u0301"),
        )
        if backend.connection.execute(render(test)).fetchall()[0][0]:
            raise InputError(
                f"column {name!r} has a collation, which makes different names equal: read it "
                f'through a query that has {name} COLLATE "binary" AS {name}'
            )


def _create_source(session: Session, source: Source, relation: exp.Expr, shape: Shape) -> None:
    """Read everything once. Line numbers need the order of the rows, which costs a little."""
    backend = duckdb_of(session)
    shown: list[exp.Expr] = [column(name) for name in shape.columns]
    if shape.lists:
        shown.append(term("ROW_NUMBER() OVER ()").as_(shape.line, quoted=True))
    query = exp.Select().select(*shown).from_(relation)
    target = exp.Table(
        this=exp.to_identifier("source"),
        db=exp.to_identifier("main"),
        catalog=exp.to_identifier(backend.run),
    )
    statement = render(exp.Create(this=target, kind="TABLE", expression=query))
    in_order = shape.lists and backend.owned
    if in_order:
        _preserve_order(session, True)
    with reading(source.name):
        session.run("source", "the data as given, read once", statement)
    if in_order:
        _preserve_order(session, False)
    text = f"USE {backend.run}"
    session.run("run", "from here on every relation is the run's own", text)


def _preserve_order(session: Session, wanted: bool) -> None:
    text = f"SET preserve_insertion_order = {str(wanted).lower()}"
    session.run("settings", "rows are numbered in the order in which they are read", text)


def set_variable(name: str, value: str) -> str:
    """Names of files are data: statements find them in a variable."""
    return f"SET VARIABLE {name} = {render(exp.Literal.string(value))}"


def duckdb_of(session: Session) -> DuckDB:
    """The session's backend, for what only DuckDB can do."""
    assert isinstance(session.backend, DuckDB)
    return session.backend


def columns_in(
    session: Session, path: str, columns: tuple[str, ...], option: str
) -> list[tuple[str, ...]]:
    """These columns of a CSV or Parquet file, as text; rows with NULL are passed over."""
    backend, form = duckdb_of(session), format_of(path)
    if form == "basket":
        raise InputError(f"--{option}: {path} must be a CSV or Parquet file")
    with reading(f"--{option}: {path}"):
        backend.connection.execute(set_variable("listed", pattern(path)))
        if form == "csv":
            relation = _csv("listed", _delimiter(backend, "listed", set(columns)))
        else:
            relation = duck("SELECT 1 FROM READ_PARQUET(GETVARIABLE('listed'))").args["from_"].this
        known = _columns(backend, relation)
        for name in columns:
            if name not in known:
                shown = ", ".join(repr(one) for one in known)
                raise InputError(f"--{option}: {path} has no column {name!r}; it has {shown}")
        texts = [exp.cast(column(name), "TEXT").as_(name, quoted=True) for name in columns]
        query = exp.Select().select(*texts).from_(relation)
        rows = backend.connection.execute(render(query)).fetchall()
    return [tuple(row) for row in rows if None not in row]
