"""How a release is written to files: every format in which data goes.

Files are written under no name until they are whole (O_TMPFILE), tables in one transaction: a run
that fails or is killed leaves nothing behind. A Ctrl-C while names are given waits for the last.
"""

from __future__ import annotations

from pathlib import Path

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.local import LINE_SEPARATOR, LISTS, Relation, set_variable
from setveil.errors import InputError
from setveil.run.files.hand import at_hand, duckdb_of, files_of
from setveil.run.files.places import check_place
from setveil.run.files.source import format_of
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, render

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


def as_relation(session: Session, query: exp.Query) -> Relation:
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
