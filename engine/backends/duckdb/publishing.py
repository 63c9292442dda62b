"""How DuckDB publishes a release: every form in which data goes.

Files are written under no name until they are whole (O_TMPFILE), tables in one transaction: a run
that fails or is killed leaves nothing behind. A Ctrl-C while names are given waits for the last.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Collection, Iterator
from pathlib import Path

import duckdb
from sqlglot import exp

from setveil.backends import Row
from setveil.backends.duckdb import pulling, targets
from setveil.backends.duckdb.backend import LISTS, one_line
from setveil.backends.duckdb.files import ATTACHED, Source, at_hand, duckdb_of, files_of, format_of
from setveil.backends.duckdb.formats import LINE_SEPARATOR, reading, set_variable
from setveil.errors import InputError, QueryError
from setveil.run.inputs import Inputs
from setveil.run.interrupts import WRITTEN, held_together
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, render

TARGET = "target"
PUSHED = "published"  # the relation that goes to a server
# What a name must not hold, for a reader of the file to find it again. Readers differ in what they
# take for a blank, for the end of a line, and for the mark at the start of a file.
BLANK = r"\s\v\x{1c}-\x{1f}\x{85}\p{Z}"
ENDS = r"\n\r\v\f\x{1c}-\x{1f}\x{85}\x{2028}\x{2029}"
BOM = r"\x{feff}"
UNWRITABLE = {
    ".dat": rf"[{BLANK}]|^{BOM}|^$",
    ".basket": rf"[,{ENDS}]|^[{BLANK}{BOM}]|[{BLANK}]$|^$",
}
# Types that Parquet lacks: DuckDB writes another value, or others read one.
INEXACT = ("hugeint", "uhugeint", "time with time zone", "time_ns")
MIDNIGHT = "24:00:00"  # DuckDB reads it back, others take it for 00:00:00


def check_place(path: str, *, force: bool) -> None:
    """Refuse, before any work is done, a file that could not be written at its end."""
    target = Path(path)
    folder = str(target.parent)
    try:
        is_folder, taken = target.is_dir(), os.path.lexists(target)
        if "\0" in path:
            raise ValueError("it holds a NUL character")
    except (OSError, ValueError) as error:
        raise InputError(f"{path!r} is no name for a file: {error}") from error
    if is_folder:
        raise InputError(f"{path} is a folder: name a file")
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {folder!r} does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: the folder {folder!r} cannot be written to")
    if taken and not force:
        raise InputError(f"{path} exists: choose another name, or --force to overwrite it")


def check_key_place(path: str) -> None:
    """A key is never overwritten: what another belongs to could not be turned back."""
    try:
        check_place(path, force=False)
    except InputError as error:
        said = str(error.args[0])
        text = said.replace(", or --force to overwrite it", "; a key is never overwritten")
        raise InputError(f"--key: {text}") from error


def check_target(path: str, shape: Shape | None, *, force: bool) -> None:
    """The same for a release, whose format must be able to hold it."""
    form = format_of(path)
    check_place(path, force=force)
    if shape is not None and form == "csv" and shape.lists:
        raise InputError(f"{path}: CSV cannot hold lists; write .parquet or .basket")
    if shape is not None and form == "basket" and not shape.lists:
        raise InputError(f"{path}: a basket file holds one transaction per line; write .parquet")
    if shape is not None and form == "basket" and shape.level is not None:
        raise InputError(f"{path}: a basket file has no place for levels; write .parquet")


def refuse_unwritable_names(session: Session, path: str, shape: Shape) -> None:
    """A basket file has no quotes: a name with its separator in it would come back as two."""
    if format_of(path) != "basket" or session.dry:
        return
    query = duck(
        """
        SELECT MIN(CAST(u.name AS TEXT)) AS name
        FROM (SELECT UNNEST($items) AS name FROM release) AS u
        WHERE REGEXP_MATCHES(CAST(u.name AS TEXT), $unwritable)
        """,
        items=column(shape.item),
        unwritable=exp.Literal.string(UNWRITABLE[Path(path).suffix.lower()]),
    )
    ((name,),) = session.backend.rows("unwritable", render(query))
    if name is not None:
        raise InputError(
            f"{path}: the item {name!r} holds what separates items there; write .parquet"
        )


def note_what_is_lost(session: Session, path: str, shape: Shape) -> None:
    """A basket file has a place for items alone."""
    lost = [name for name in shape.columns if name != shape.item]
    if lost and format_of(path) == "basket":
        shown = ", ".join(repr(name) for name in lost)
        session.chat(f"{path} holds the items alone, without {shown}; .parquet holds them all")


def with_release(session: Session, query: exp.Query) -> tuple[Session, exp.Query]:
    """Where the release is written to files, with the query for its rows there.

    What a server sends has their columns alone, in their order.
    """
    return at_hand(session, query, "release")


def as_relation(session: Session, query: exp.Query) -> duckdb.DuckDBPyRelation:
    """The query's rows, for the caller to take where they want."""
    files, query = at_hand(session, query, "shown")
    return duckdb_of(files).connection.sql(render(query))


def fetched(session: Session, query: exp.Query) -> list[Row]:
    """The query's rows, wherever they are, as Python values."""
    return session.backend.rows("rows", render(query, session.backend.can.dialect))


def as_lines(query: exp.Query, path: str, shape: Shape) -> exp.Query:
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


def copy_statement(query: exp.Query, path: str, delimiter: str = ",") -> str:
    """The COPY that writes a query to the file named by the variable `release`."""
    form = format_of(path)
    if form == "parquet":
        options = ["FORMAT parquet", "COMPRESSION zstd"]
    elif form == "csv":
        tabs = path.lower().endswith(".tsv")
        mark = "\t" if tabs else "," if delimiter == "\t" else delimiter
        options = ["FORMAT csv", "HEADER true", f"DELIMITER {_text(mark)}"]
    else:
        options = ["FORMAT csv", "HEADER false", "QUOTE ''", f"DELIMITER {_text(LINE_SEPARATOR)}"]
    # The file has no name yet: DuckDB must not try to rename one of its own.
    options.append("USE_TMP_FILE false")
    return f"COPY (\n{render(query)}\n) TO (GETVARIABLE('release')) ({', '.join(options)})"


def _text(value: str) -> str:
    return render(exp.Literal.string(value))


def put_in_order(session: Session, query: exp.Query, relation: str) -> exp.Select:
    """Sort into a relation, on one thread, and answer the query for it as it stands.

    DuckDB 2.0 lets the blocks of a parallel sort decide the row groups of a Parquet file, and
    writes them in another order when it copies a long sorted query on one thread: only a relation
    that was sorted on one thread gives the same bytes always.
    """
    session, query = at_hand(session, query, f"unsorted_{relation}")
    text = render(query)
    if not session.is_copied(relation, text):
        threads, why = duckdb_of(session).threads, "rows keep their order, whatever the threads"
        if duckdb_of(session).owned:  # an instance of the caller's has it so, or was refused
            session.run("settings", why, "SET preserve_insertion_order = true")
        session.run("settings", why, "SET threads = 1")
        try:
            session.create(Step(relation, "in an order that leaves no choice", query))
            session.copies[relation] = text
        finally:
            session.run("settings", "the order is kept", f"SET threads = {threads}")
    shown = [exp.column(one.output_name, quoted=True) for one in query.selects]
    return exp.Select().select(*shown).from_(exp.to_table(relation))


def for_parquet(session: Session, query: exp.Query, path: str) -> exp.Query:
    """The query's rows in its order, every value as the file can hold it."""
    ordered = put_in_order(session, query, "published")
    if not session.dry:
        _refuse_midnight(session, ordered, path)
    return exactly(session, ordered)


def exactly(session: Session, query: exp.Query) -> exp.Query:
    """The rows of a relation, and as text what Parquet has no type for."""
    if session.dry:
        return query
    kinds = duckdb_of(session).columns_of(query.subquery("r"))
    shown = query.copy()
    for one in shown.selects:
        name, (lists, kind) = one.output_name, _element(kinds[one.output_name])
        if kind in INEXACT:
            text = exp.cast(one.unalias().copy(), "TEXT[]" if lists else "TEXT", dialect="duckdb")
            one.replace(text.as_(name, quoted=True))
    return shown


def _element(kind: str) -> tuple[bool, str]:
    """Is it a list, and of what? Or what it is itself."""
    first, _, others = kind.partition(" ")
    return (True, others) if first in LISTS else (False, kind)


def _refuse_midnight(session: Session, query: exp.Query, path: str) -> None:
    local = duckdb_of(session)
    for name, kind in local.columns_of(query.subquery("r")).items():
        if _element(kind)[1] != "time":
            continue
        counting = duck(
            "SELECT COUNT(*) AS n FROM $rows AS r WHERE CAST($value AS TEXT) LIKE $midnight",
            rows=query.subquery(),
            value=column(name),
            midnight=exp.Literal.string(f"%{MIDNIGHT}%"),
        )
        if local.rows("midnight", render(counting))[0][0]:
            raise InputError(
                f"{path}: column {name!r} holds {MIDNIGHT}, which many readers of Parquet take for "
                "00:00:00; write .csv, or read the data through a query that casts it to text"
            )


def keep_in_order(session: Session, step: Step) -> None:
    """The same for a relation that the run needs too, wherever that is."""
    if session.backend.is_local:
        put_in_order(session, step.query, step.name)
    else:
        session.create(step)


def point_to(session: Session, place: str) -> None:
    """Where the COPY writes. The trail names the release itself instead."""
    duckdb_of(session).execute("release", set_variable("release", place))


def publish(
    session: Session, statement: str, why: str = "the release, as the checker passed it"
) -> None:
    """Write the release: the last statement of a run."""
    session.run("publish", why, statement)


def publish_file(
    session: Session, statement: str, place: str, why: str = "the release, as the checker passed it"
) -> None:
    """The same for a file, by the COPY that names it as the variable `release`."""
    point_to(session, place)
    publish(files_of(session), statement, why)


@contextlib.contextmanager
def published_table(
    session: Session,
    source: Source,
    query: exp.Query,
    table: str,
    *,
    own: Collection[str],
    force: bool,
) -> Iterator[None]:
    """Make the table in the database that the data came from; it stays if the block ends well.

    Some of its columns can be the source's own.
    """
    _refuse_table(source, table)
    if session.backend.server is not None and not session.dry:
        query = session.backend.server.as_released(query, own)
    with _table(session, source, query, table, force=force):
        yield
    if not session.dry:
        WRITTEN.append(table)


@contextlib.contextmanager
def _table(
    session: Session, source: Source, query: exp.Query, table: str, *, force: bool
) -> Iterator[None]:
    backend = session.backend
    if source.pulled:
        assert source.database is not None
        ordered = put_in_order(session, query, PUSHED)
        with pulling.pushed(session, source.database, source.name, ordered, table, force=force):
            yield
        return
    if backend.server is not None:
        with backend.server.published(query, table, force, lambda text: publish(session, text)):
            yield
        return
    if session.dry:
        place = _target(session, source, table, _database(session, source, ATTACHED))
        place.set("catalog", exp.to_identifier(_database(session, source, TARGET), quoted=True))
        _make_table(session, place, query, table, force=force)
        yield
        return
    try:
        if source.database is not None:
            _attach_for_writing(session, source.database)
        place = _target(session, source, table, _database(session, source, TARGET))
        session.backend.execute("publish", "BEGIN")
        _make_table(session, place, query, table, force=force)
        yield
        session.backend.execute("publish", "COMMIT")
    except BaseException:
        with contextlib.suppress(QueryError):
            session.backend.execute("publish", "ROLLBACK")
        raise
    finally:
        with contextlib.suppress(QueryError):
            session.backend.execute("publish", f"DETACH DATABASE IF EXISTS {TARGET}")


def check_table(session: Session, source: Source, table: str, *, force: bool) -> None:
    """Refuse, before the work, a table that could not be made after it."""
    _refuse_table(source, table)
    if session.dry:
        return
    if source.pulled:
        assert source.database is not None
        pulling.check_table(session, source.database, source.name, table, force=force)
    elif session.backend.server is not None:
        session.backend.server.check_table(table, force)
    else:
        backend = duckdb_of(session)
        place = _target(session, source, table, _database(session, source, ATTACHED))
        if not force and targets.is_there(backend, place):
            raise InputError(_exists(table))


def _database(session: Session, source: Source, attached: str) -> str:
    """What the database of the data is called: as it is attached, or as the caller has it."""
    return attached if source.database is not None else duckdb_of(session).home[0]


def _exists(table: str) -> str:
    return f"{table!r} exists: choose another name, or --force to overwrite it"


def _refuse_table(source: Source, table: str) -> None:
    if source.is_file:
        raise InputError("--into needs a database: give --database, or --out for a file")
    if not table or "\0" in table:
        raise InputError(f"{table!r} is no name for a table")


def _target(session: Session, source: Source, table: str, database: str) -> exp.Table:
    """Where the table goes, which is nothing that was read."""
    backend = duckdb_of(session)
    schema = "main" if source.database is not None else backend.home[1]
    place = targets.target_table(backend, table, database, schema)
    attached = source.database is not None
    targets.refuse_read(session.inputs, place, table, any_database=attached)
    return place


def _make_table(
    session: Session, place: exp.Table, query: exp.Query, table: str, *, force: bool
) -> None:
    tree = exp.Create(this=place, kind="TABLE", expression=query, replace=force)
    try:
        publish(session, render(tree))
    except QueryError as error:
        cause = error.__cause__
        if isinstance(cause, duckdb.CatalogException) and "already exists" in str(cause):
            raise InputError(_exists(table)) from error
        refused = isinstance(cause, duckdb.CatalogException) or "read-only" in str(cause)
        if refused and isinstance(cause, duckdb.Error):
            raise InputError(f"{table!r} cannot be made: {one_line(cause)}") from error
        raise


def _attach_for_writing(session: Session, database: str) -> None:
    path = render(exp.Literal.string(database))
    why = "the data was read; now its database is written to"
    session.run("publish", why, f"DETACH DATABASE IF EXISTS {ATTACHED}")
    with reading(database):
        session.run("publish", "where the release goes", f"ATTACH {path} AS {TARGET}")


@contextlib.contextmanager
def whole_file(path: str, inputs: Inputs, *, force: bool, mode: int = 0o666) -> Iterator[str]:
    """A place to write to, which gets its name only when the block ends well.

    It never takes the place of one of the run's inputs.

    The file has no name while it is written, where the system can do that (Linux); elsewhere it
    has a hidden one. Whoever is killed in between leaves nothing, or nothing that looks whole.
    """
    inputs.refuse(path)
    folder = os.path.dirname(os.path.abspath(path))
    hidden = os.path.join(folder, f".setveil-{secrets.token_hex(8)}.partial")
    try:
        descriptor, unnamed = _open_unnamed(folder, hidden, mode)
        try:
            yield f"/proc/self/fd/{descriptor}" if unnamed else hidden
            os.fsync(descriptor)
            with held_together():
                _give_name(descriptor, unnamed, hidden, path, force=force)
                WRITTEN.append(path)
        finally:
            os.close(descriptor)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(hidden)
    except FileExistsError as error:
        raise InputError(f"{path} came into being during the run, and was left alone") from error
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
            target = hidden if force and os.path.lexists(path) else path
            os.link(str(descriptor), target, src_dir_fd=descriptors, follow_symlinks=True)
        finally:
            os.close(descriptors)
        if target == hidden:
            os.replace(hidden, path)
    elif force:
        os.replace(hidden, path)
    else:
        os.link(hidden, path)
