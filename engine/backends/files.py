"""How DuckDB reads a source and publishes a release: every form in which data comes and goes.

A file's name is a variable of the run (`GETVARIABLE`), so the text of a statement is the same for
every file and a trail can be pointed at another copy. Files are published under no name until they
are whole (O_TMPFILE), tables by one statement: a run that is killed leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import sqlglot
from sqlglot import exp

from setveil.backends.duckdb import DuckDB
from setveil.errors import InputError, QueryError
from setveil.session import Session
from setveil.shape import Shape
from setveil.sql.step import Step, duck, render
from setveil.sql.transactions import column

LINE_SEPARATOR = "\x1f"  # a character no line holds, so that a line stays whole
FORMATS = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".dat": "basket",
    ".basket": "basket",
}
ATTACHED = "original"


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
    backend = _duckdb(session)
    for name, why, text in _opening(source, backend):
        session.run(name, why, text)
        if session.dry:
            backend.execute(name, text)
    relation, form, delimiter = _relation(source, backend)
    shape = _shape(backend, relation, source, form, delimiter, key, item)
    _create_source(session, source, relation, shape)
    return shape


def _opening(source: Source, backend: DuckDB) -> Iterator[tuple[str, str, str]]:
    """The statements that bring the source within reach."""
    if source.is_file:
        if not any(char in source.name for char in "*?[") and not os.path.exists(source.name):
            raise InputError(f"{source.name}: no such file")
        if os.path.isdir(source.name):
            raise InputError(f"{source.name} is a folder: name its files, as {source.name}/*.parquet")
        yield "input", "where the data comes from", _set_variable("source", source.name)
    elif source.database is not None:
        if not os.path.exists(source.database):
            raise InputError(f"{source.database}: no such database file")
        path = render(exp.Literal.string(source.database))
        text = f"ATTACH {path} AS {ATTACHED} (READ_ONLY)"
        yield "input", "where the data comes from: it is only read", text
        yield "input", "names are looked up there first", f"USE {ATTACHED}"


def _relation(source: Source, backend: DuckDB) -> tuple[exp.Expression, str, str]:
    """What stands behind FROM, the format, and the delimiter of a CSV file."""
    if not source.is_file:
        return _named_relation(source.name, backend), "table", ","
    form = format_of(source.name)
    if form == "parquet":
        query = duck("SELECT 1 FROM READ_PARQUET(GETVARIABLE('source'))")
        return query.args["from_"].this, form, ","
    if form == "csv":
        delimiter = _delimiter(backend, source.name)
        query = duck(
            """
            SELECT 1 FROM READ_CSV(
                GETVARIABLE('source'), header = TRUE, all_varchar = TRUE, delim = $delim
            )
            """,
            delim=exp.Literal.string(delimiter),
        )
        return query.args["from_"].this, form, delimiter
    return _lines(source.name), form, ","


def _lines(path: str) -> exp.Expression:
    """A basket file: items between commas in `.basket`, between blanks in `.dat`."""
    query = duck(
        """
        SELECT LIST_FILTER(
            LIST_TRANSFORM($pieces, lambda piece: TRIM(piece)), lambda piece: piece <> ''
        ) AS items
        FROM READ_CSV(
            GETVARIABLE('source'), header = FALSE, auto_detect = FALSE, delim = $delim,
            quote = '', escape = '', columns = {'line': 'VARCHAR'}
        )
        """,
        delim=exp.Literal.string(LINE_SEPARATOR),
        pieces=duck(
            "SELECT STRING_SPLIT(COALESCE(line, ''), ',') AS pieces"
            if path.lower().endswith(".basket")
            else "SELECT STRING_SPLIT_REGEX(COALESCE(line, ''), '\\s+') AS pieces"
        ).expressions[0].this,
    )
    return query.subquery("lines")


def _named_relation(name: str, backend: DuckDB) -> exp.Expression:
    """A table or view of exactly this name, however odd; else a qualified name or a query."""
    known = backend.connection.execute(
        "SELECT table_name FROM information_schema.tables "
        "WHERE table_catalog = CURRENT_DATABASE() ORDER BY table_name"
    ).fetchall()
    tables = [row[0] for row in known]
    if name in tables:
        return exp.Table(this=exp.to_identifier(name, quoted=True))
    try:
        trees = sqlglot.parse(name, dialect="duckdb")
        if len(trees) == 1 and isinstance(trees[0], exp.Query):
            return trees[0].subquery("original_query")
        return sqlglot.parse_one(name, into=exp.Table, dialect="duckdb")
    except sqlglot.ParseError:
        shown = ", ".join(repr(table) for table in tables[:10]) or "none"
        raise InputError(
            f"{name!r} is neither a table or view nor one query; the tables are: {shown}"
        ) from None


def _delimiter(backend: DuckDB, path: str) -> str:
    with _reading(path):
        row = backend.connection.execute(
            "SELECT delimiter FROM SNIFF_CSV($1, header = TRUE, all_varchar = TRUE)", [path]
        ).fetchone()
    return str(row[0]) if row else ","


@contextlib.contextmanager
def _reading(name: str) -> Iterator[None]:
    """Whatever DuckDB cannot read is bad input, in one line."""
    try:
        yield
    except duckdb.Error as error:
        raise InputError(f"{name}: {_first_line(str(error))}") from error
    except QueryError as error:
        raise InputError(f"{name}: {_first_line(str(error.__cause__ or error))}") from error


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _shape(
    backend: DuckDB,
    relation: exp.Expression,
    source: Source,
    form: str,
    delimiter: str,
    key: str | None,
    item: str,
) -> Shape:
    describe = render(exp.Select().select(exp.Star()).from_(relation.copy()))
    with _reading(source.name):
        described = backend.connection.execute(f"DESCRIBE {describe}").fetchall()
    types = {str(row[0]): str(row[1]) for row in described}
    columns = tuple(types)
    if form == "basket":
        return Shape(columns, None, "items", True, form)
    _require(item, "item", columns, source)
    lists = types[item].endswith("]")
    if key is None and lists and "tid" not in types:
        return Shape(columns, None, item, lists, form, delimiter)
    key = "tid" if key is None else key
    _require(key, "tid", columns, source)
    for name in (key, item):
        if "(" in types[name] and not types[name].startswith(("DECIMAL", "ENUM")):
            raise InputError(f"{source.name}: column {name!r} is a {types[name]}, not one value")
    if key == item:
        raise InputError(f"{source.name}: --tid and --item both name the column {key!r}")
    return Shape(columns, key, item, lists, form, delimiter)


def _require(name: str, option: str, columns: tuple[str, ...], source: Source) -> None:
    if name not in columns:
        shown = ", ".join(repr(one) for one in columns)
        raise InputError(
            f"{source.name}: no column {name!r}; it has {shown}: name one with --{option}"
        )


def _create_source(
    session: Session, source: Source, relation: exp.Expression, shape: Shape
) -> None:
    """Read everything once. Line numbers need the order of the file, which costs a little."""
    backend = _duckdb(session)
    shown: list[exp.Expression] = [column(name) for name in shape.columns]
    if shape.lists:
        number = duck("SELECT ROW_NUMBER() OVER () AS line").expressions[0].this
        shown.append(number.as_(shape.line, quoted=True))
    query = exp.Select().select(*shown).from_(relation)
    target = exp.Table(
        this=exp.to_identifier("source"),
        db=exp.to_identifier("main"),
        catalog=exp.to_identifier(backend.run),
    )
    statement = render(exp.Create(this=target, kind="TABLE", expression=query))
    in_order = shape.lists and source.is_file
    if in_order:
        _preserve_order(session, True)
    with _reading(source.name):
        session.run("source", "the data as given, read once", statement)
    if in_order:
        _preserve_order(session, False)
    text = f"USE {backend.run}"
    session.run("run", "from here on every relation is the run's own", text)


def _preserve_order(session: Session, wanted: bool) -> None:
    text = f"SET preserve_insertion_order = {str(wanted).lower()}"
    session.run("settings", "lines are numbered in the order of the file", text)


def _set_variable(name: str, value: str) -> str:
    return f"SET VARIABLE {name} = {render(exp.Literal.string(value))}"


def _duckdb(session: Session) -> DuckDB:
    assert isinstance(session.backend, DuckDB)
    return session.backend


def columns_in(
    session: Session, path: str, columns: tuple[str, ...], option: str
) -> list[tuple[str, ...]]:
    """These columns of a CSV or Parquet file, as text; rows with NULL are passed over."""
    backend = _duckdb(session)
    readers = {
        "parquet": "READ_PARQUET($1)",
        "csv": "READ_CSV($1, header = TRUE, all_varchar = TRUE)",
    }
    reader = readers.get(format_of(path))
    if reader is None:
        raise InputError(f"--{option}: {path} must be a CSV or Parquet file")
    with _reading(f"--{option}: {path}"):
        rows = backend.connection.execute(f"FROM {reader}", [path])
        known = [str(one[0]) for one in rows.description or []]
        for name in columns:
            if name not in known:
                shown = ", ".join(repr(one) for one in known)
                raise InputError(f"--{option}: {path} has no column {name!r}; it has {shown}")
        places = [known.index(name) for name in columns]
        picked = [tuple(row[place] for place in places) for row in rows.fetchall()]
    return [tuple(str(value) for value in row) for row in picked if None not in row]


# Publishing


def check_place(path: str, *, force: bool) -> None:
    """Refuse, before any work is done, a file that could not be written at its end."""
    target = Path(path)
    folder = str(target.parent)
    if target.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {folder!r} does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: the folder {folder!r} cannot be written to")
    if target.exists() and not force:
        raise InputError(f"{path} exists: choose another name, or --force to overwrite it")


def check_target(path: str, shape: Shape | None, *, force: bool) -> None:
    """The same for a release, whose format must be able to hold it."""
    form = format_of(path)
    check_place(path, force=force)
    if shape is not None and form == "csv" and shape.lists:
        raise InputError(f"{path}: CSV cannot hold lists; write .parquet or .basket")
    if shape is not None and form == "basket" and not shape.lists:
        raise InputError(f"{path}: a basket file holds one transaction per line; write .parquet")


def as_relation(session: Session, query: exp.Query) -> duckdb.DuckDBPyRelation:
    """The query's rows, for the caller to take where they want."""
    return _duckdb(session).connection.sql(render(query))


def refuse_unwritable_names(session: Session, path: str, shape: Shape) -> None:
    """A basket file has no quotes: a name with its separator in it would come back as two."""
    if format_of(path) != "basket" or session.dry:
        return
    pattern = r"[,\n\r]|^\s|\s$" if path.lower().endswith(".basket") else r"\s"
    row = _duckdb(session).connection.execute(
        "SELECT MIN(CAST(name AS TEXT)) FROM label WHERE REGEXP_MATCHES(CAST(name AS TEXT), $1)",
        [pattern],
    ).fetchone()
    if row and row[0] is not None:
        raise InputError(
            f"{path}: the item {row[0]!r} holds what separates items there; write .parquet"
        )


def as_lines(query: exp.Select, path: str, shape: Shape) -> exp.Select:
    """For a basket file: the items of a transaction as one line of text."""
    if format_of(path) != "basket":
        return query
    separator = ", " if path.lower().endswith(".basket") else " "
    line = duck(
        "SELECT ARRAY_TO_STRING($items, $separator) AS line",
        items=column(shape.item),
        separator=exp.Literal.string(separator),
    )
    query.set("expressions", line.expressions)
    return query


def point_to(session: Session, place: str) -> None:
    """Where the COPY writes. The trail names the release itself instead."""
    if not session.dry:
        session.backend.execute("release", _set_variable("release", place))


def publish(session: Session, statement: str) -> None:
    """Write the release: the last statement of a run."""
    session.run("publish", "the release, as the checker passed it", statement)


def publish_table(
    session: Session, source: Source, query: exp.Query, table: str, *, force: bool
) -> None:
    """Make the table in one statement, in the database that the data came from."""
    backend = _duckdb(session)
    if source.is_file:
        raise InputError("--into needs a database: give --database, or --out for a file")
    if source.database is not None:
        _attach_for_writing(session, source.database)
        home = [exp.to_identifier("target")]
    else:
        home = [exp.to_identifier(name, quoted=True) for name in backend.home]
    named = exp.to_identifier(table, quoted=True)
    place = exp.Table(this=named, db=home[1] if len(home) > 1 else None, catalog=home[0])
    tree = exp.Create(this=place, kind="TABLE", expression=query, replace=force)
    try:
        publish(session, render(tree))
    except QueryError as error:
        if "already exists" in str(error):
            raise InputError(
                f"{table!r} exists: choose another name, or --force to overwrite it"
            ) from error
        raise


def _attach_for_writing(session: Session, database: str) -> None:
    path = render(exp.Literal.string(database))
    session.run("publish", "the data was read; now its database is written to", f"DETACH {ATTACHED}")
    with _reading(database):
        session.run("publish", "where the release goes", f"ATTACH {path} AS target")


def copy_statement(query: exp.Query, path: str, delimiter: str = ",") -> str:
    """The COPY that writes a query to the file named by the variable `release`."""
    form = format_of(path)
    if form == "parquet":
        options = ["FORMAT parquet", "COMPRESSION zstd"]
    elif form == "csv":
        mark = "\t" if path.lower().endswith(".tsv") else delimiter
        options = ["FORMAT csv", "HEADER true", f"DELIMITER {_text(mark)}"]
    else:
        options = ["FORMAT csv", "HEADER false", "QUOTE ''", f"DELIMITER {_text(LINE_SEPARATOR)}"]
    # The file has no name yet: DuckDB must not try to rename one of its own.
    options.append("USE_TMP_FILE false")
    return f"COPY (\n{render(query)}\n) TO (GETVARIABLE('release')) ({', '.join(options)})"


def _text(value: str) -> str:
    return render(exp.Literal.string(value))


@contextlib.contextmanager
def whole_file(path: str, *, force: bool, mode: int = 0o666) -> Iterator[str]:
    """A place to write to, which gets its name only when the block ends well.

    The file has no name while it is written, where the system can do that (Linux); elsewhere it
    has a hidden one. Whoever is killed in between leaves nothing, or nothing that looks whole.
    """
    folder = os.path.dirname(os.path.abspath(path))
    hidden = os.path.join(folder, f".{os.path.basename(path)}.{secrets.token_hex(6)}.partial")
    try:
        descriptor, unnamed = _open_unnamed(folder, hidden, mode)
        try:
            yield f"/proc/self/fd/{descriptor}" if unnamed else hidden
            os.fsync(descriptor)
            _give_name(descriptor, unnamed, hidden, path, force=force)
        finally:
            os.close(descriptor)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(hidden)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _open_unnamed(folder: str, hidden: str, mode: int) -> tuple[int, bool]:
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            return os.open(folder, os.O_TMPFILE | os.O_RDWR, mode), True
    return os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode), False


def _give_name(descriptor: int, unnamed: bool, hidden: str, path: str, *, force: bool) -> None:
    """With `force` the new file takes the old one's place in one step."""
    if unnamed:
        descriptors = os.open("/proc/self/fd", os.O_RDONLY | os.O_DIRECTORY)
        try:
            target = hidden if force else path
            os.link(str(descriptor), target, src_dir_fd=descriptors, follow_symlinks=True)
        finally:
            os.close(descriptors)
        if force:
            os.replace(hidden, path)
    elif force:
        os.replace(hidden, path)
    else:
        os.link(hidden, path)
