"""Write a release to a file, in every format.

A file has no name until it is whole (O_TMPFILE), and a table is made in one transaction: a run that
fails or is killed leaves nothing. Ctrl-C waits while files get their names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.local import LINE_SEPARATOR, LISTS, Relation, set_variable
from setveil.errors import InputError
from setveil.run.files.local_duckdb import duckdb_of, files_of, in_duckdb
from setveil.run.files.places import check_place
from setveil.run.files.source import format_of
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, render

# Characters that a name must not hold, since some readers of the file would change it. Readers
# differ in blanks, line ends and the mark at the start of a file.
BLANK = r"\s\v\x{1c}-\x{1f}\x{85}\p{Z}"
ENDS = r"\n\r\v\f\x{1c}-\x{1f}\x{85}\x{2028}\x{2029}"
BOM = r"\x{feff}"
UNWRITABLE = {
    ".dat": rf"[{BLANK}]|^{BOM}|^$",
    ".basket": rf"[,{ENDS}]|^[{BLANK}{BOM}]|[{BLANK}]$|^$",
}
# Types that Parquet lacks: DuckDB writes another value, or other readers read one.
INEXACT = ("hugeint", "uhugeint", "time with time zone", "time_ns")
MIDNIGHT = "24:00:00"  # DuckDB reads it again, other readers take it for 00:00:00


def check_target(path: str, shape: Shape | None, *, force: bool) -> None:
    """Refuse a file that cannot be written, or whose format cannot hold the release."""
    form = format_of(path)
    check_place(path, force=force)
    if shape is not None and form == "csv" and shape.lists:
        raise InputError(f"{path}: CSV cannot hold lists; write .parquet or .basket")
    if shape is not None and form == "basket" and not shape.lists:
        raise InputError(f"{path}: a basket file holds one transaction per line; write .parquet")
    if shape is not None and form == "basket" and shape.level is not None:
        raise InputError(f"{path}: a basket file has no place for levels; write .parquet")


def refuse_unwritable_names(session: Session, path: str, shape: Shape) -> None:
    """Refuse names with a separator: a basket file has no quotes, and readers would split them."""
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
    """Note the columns that a basket file, which has only items, leaves out."""
    lost = [name for name in shape.columns if name != shape.item]
    if lost and format_of(path) == "basket":
        shown = ", ".join(repr(name) for name in lost)
        session.chat(f"{path} holds the items alone, without {shown}; .parquet holds them all")


def with_release(
    session: Session, query: exp.Query, relation: str = "release"
) -> tuple[Session, exp.Query]:
    """The session that writes files, with the query for the release there.

    A server sends only the columns of the query, in their order.
    """
    return in_duckdb(session, query, relation)


def as_relation(session: Session, query: exp.Query, relation: str = "shown") -> Relation:
    """The query's rows as a DuckDB relation over a copy, which no later model changes."""
    files, query = in_duckdb(session, query, relation)
    return duckdb_of(files).copied(query, f"{relation}_{session.runs}")


def taken(session: Session, query: exp.Query) -> Relation:
    """The query's rows as a DuckDB relation that must be fetched before anything else runs."""
    files, query = in_duckdb(session, query, "taken")
    return duckdb_of(files).connection.sql(render(query))


def fetched(session: Session, query: exp.Query) -> list[Row]:
    """The query's rows as Python values, from any database."""
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
    lined = query.copy()
    lined.set("expressions", line.copy().expressions)
    return lined


def copy_statement(
    query: exp.Query, path: str, delimiter: str = ",", variable: str = "release"
) -> str:
    """The COPY that writes a query to the file that a variable names."""
    form = format_of(path)
    if form == "parquet":
        options = ["FORMAT parquet", "COMPRESSION zstd"]
    elif form == "csv":
        tabs = path.lower().endswith(".tsv")
        mark = "\t" if tabs else "," if delimiter == "\t" else delimiter
        options = ["FORMAT csv", "HEADER true", f"DELIMITER {_text(mark)}"]
    else:
        options = ["FORMAT csv", "HEADER false", "QUOTE ''", f"DELIMITER {_text(LINE_SEPARATOR)}"]
    # The file has no name yet, so DuckDB must not rename a temporary file of its own.
    options.append("USE_TMP_FILE false")
    named = _text(variable)
    return f"COPY (\n{render(query)}\n) TO (GETVARIABLE({named})) ({', '.join(options)})"


def _text(value: str) -> str:
    return render(exp.Literal.string(value))


def put_in_order(session: Session, query: exp.Query, relation: str) -> exp.Select:
    """Sort the rows into a relation on one thread, and return a query for that relation.

    In DuckDB 2.0 the blocks of a parallel sort decide the row groups of a Parquet file. Copying a
    long sorted query on one thread writes them in another order. Only a relation that was sorted on
    one thread always gives the same bytes.
    """
    session, query = in_duckdb(session, query, f"unsorted_{relation}")
    text = render(query)
    if not session.is_copied(relation, text):
        with in_one_order(session):
            step = Step(relation, "the rows in a total order", query)
            session.create(step, compact=False)
            session.copies[relation] = text
    shown = [exp.column(one.output_name, quoted=True) for one in query.selects]
    return exp.Select().select(*shown).from_(exp.to_table(relation))


@contextlib.contextmanager
def in_one_order(session: Session) -> Iterator[None]:
    """In this block, relations have the order of their queries: one thread makes them."""
    threads, why = duckdb_of(session).threads, "rows keep their order for any number of threads"
    if duckdb_of(session).owned:  # a caller's database has this setting, or was refused
        session.run("settings", why, "SET preserve_insertion_order = true")
    session.run("settings", why, "SET threads = 1")
    try:
        yield
    finally:
        session.run("settings", "the order is kept", f"SET threads = {threads}")


def for_parquet(
    session: Session, query: exp.Query, path: str, relation: str = "published"
) -> exp.Query:
    """The query's rows in its order, with values that Parquet can hold."""
    ordered = put_in_order(session, query, relation)
    if not session.dry:
        _refuse_midnight(session, ordered, path)
    return with_parquet_types(session, ordered)


def with_parquet_types(session: Session, query: exp.Query) -> exp.Query:
    """The rows of a relation, with text for types that Parquet lacks."""
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
    """Whether a type is a list, and its element type or the type itself."""
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
    """Make a sorted relation that the run needs too; on a server it needs no order."""
    if session.backend.is_local:
        put_in_order(session, step.query, step.name)
    else:
        session.create(step)


def set_target(session: Session, place: str, variable: str = "release") -> None:
    """Set the path that the COPY writes to. The trail sets the release's name instead."""
    duckdb_of(session).execute(variable, set_variable(variable, place))


def publish(
    session: Session, statement: str, why: str = "the release, as the checker passed it"
) -> None:
    """Write the release: the last statement of a run."""
    session.run("publish", why, statement)


def publish_file(
    session: Session,
    statement: str,
    place: str,
    why: str = "the release, as the checker passed it",
    *,
    variable: str = "release",
) -> None:
    """Write the release to a file, by a COPY to the variable that names it."""
    set_target(session, place, variable)
    publish(files_of(session), statement, why)
