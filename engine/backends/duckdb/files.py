"""How DuckDB reads a source: every form in which data comes, into the one relation `source`.

What cannot be numbered, counted and put together again without a doubt is refused: columns that are
missing or nested, names that a collation makes equal.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp

from setveil.backends import Backend, Value, names
from setveil.backends.addresses import is_url, refuse_missing
from setveil.backends.duckdb import formats, pulling
from setveil.backends.duckdb.backend import LISTS, DuckDB
from setveil.backends.server import UNSORTED
from setveil.errors import InputError
from setveil.run.inputs import Place
from setveil.run.session import Session
from setveil.run.shape import Carry, Shape, published
from setveil.run.words import counted
from setveil.sql.dialects import EXPORTS
from setveil.sql.run import values
from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, render, term

FORMATS = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".dat": "basket",
    ".basket": "basket",
}
ATTACHED, SECOND = "original", "second"
# Types of which equal values can look different, or that have no order: it is that of their text.
TIES = ("interval", "struct", UNSORTED, "map", "union")
NESTED = (*LISTS, "struct", "unordered", UNSORTED, "map", "union", "variant", "geometry")


@dataclass(frozen=True, slots=True)
class Source:
    """What the caller named: a file or glob, or a table, view or query of a database."""

    name: str
    database: str | None = None  # a DuckDB file
    connected: bool = False  # a relation of the caller's own connection
    pulled: bool = False  # from a server, to be worked on here

    @property
    def is_file(self) -> bool:
        return self.database is None and not self.connected

    @property
    def on_server(self) -> bool:
        return self.from_server and not self.pulled

    @property
    def from_server(self) -> bool:
        return self.database is not None and is_url(self.database)


def format_of(path: str) -> str:
    """The format that a file's suffix stands for."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(f"{path}: the suffix {suffix!r} is none of {known}; rename the file")
    return FORMATS[suffix]


def is_file_name(path: str) -> bool:
    """Does it end as the name of a file that can be read?"""
    return Path(path).suffix.lower() in FORMATS


def bare_name(name: str) -> str:
    """A file's without its folder and suffix; any other as it is, whatever points it has."""
    return Path(name).stem if is_file_name(name) else name


def load(
    session: Session,
    source: Source,
    key: str | None,
    item: str,
    into: str = "source",
    *,
    by_row: bool = False,
    carry: Carry = (),
) -> Shape:
    """Read the source, once, into the relation `source` of the run. `key` None: none was named.

    Of the other columns, those to `carry` along are published. A second source goes `into` another
    relation. Lists without a key are a transaction for each row; on a server, where rows have no
    order, only `by_row`.
    """
    backend = session.backend
    if backend.is_local:
        with formats.reading(source.name if source.pulled else source.database or source.name):
            if source.is_file or source.pulled:  # no names of a caller's are needed
                backend.real.execute("run", backend.inside)
            for name, why, text in _opening(source, _attached(backend.local)):
                session.reach(name, why, text)
    with formats.reading(source.name):
        if source.pulled:
            relation, form, delimiter = _pulled(session, source, key, item), "table", ","
        else:
            relation, form, delimiter = _relation(source, backend, key, item)
        columns = backend.columns_of(relation)
    by_row = by_row or not source.from_server
    shape = _shape(source, columns, form, delimiter, key, item, by_row=by_row)
    record_files(session, source)
    shape = replace(shape, columns=published(source.name, shape.given, shape.judged, carry))
    texts = [name for name in shape.judged if columns[name].endswith("varchar")]
    if backend.server is not None:
        _refuse_collated(backend.server.merging(relation, texts))
    elif not source.is_file and not source.pulled:
        _refuse_collated(
            [one for one in texts if _is_collated(backend.local, relation, columns, one)]
        )
    shape = _told_of_twins(session, source, relation, columns, shape)
    _create_source(session, source, relation, columns, shape, into)
    if source.pulled:
        session.run("pulled", "no longer needed", f"DROP TABLE {render(relation)}")
    return shape


def _pulled(session: Session, source: Source, key: str | None, item: str) -> exp.Expr:
    assert source.database is not None
    return pulling.pull(session, source.database, source.name, used=(key or "tid", item))


def _attached(backend: DuckDB) -> dict[str, str]:
    """The database files within reach, and what each is called."""
    rows = backend.connection.execute(
        "SELECT path, database_name FROM system.main.duckdb_databases() WHERE path IS NOT NULL"
    ).fetchall()
    return {os.path.realpath(path): str(name) for path, name in rows}


def _opening(source: Source, attached: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """The statements that bring the source within reach."""
    if source.is_file:
        _refuse_missing(source.name)
        name = formats.pattern(source.name)
        yield "input", "where the data comes from", formats.set_variable("source", name)
    elif source.database is not None and not source.pulled:
        if not os.path.isfile(source.database):
            refuse_missing(source.database)
        alias = attached.get(os.path.realpath(source.database))
        if alias is None:
            path = render(exp.Literal.string(source.database))
            alias = ATTACHED if ATTACHED not in attached.values() else SECOND
            text = f"ATTACH {path} AS {alias} (READ_ONLY)"
            yield "input", "where the data comes from: it is only read", text
        yield "input", "names are looked up there first", f"USE {alias}"


def _refuse_missing(name: str) -> None:
    if os.path.isdir(name):
        raise InputError(f"{name} is a folder: name its files, as {name}/*.parquet")
    if not os.path.exists(name) and is_url(name):
        raise InputError("SOURCE is the address of a server: name it with --database, and a table")
    if not os.path.exists(name) and not any(char in name for char in "*?["):
        raise InputError(f"{name}: no such file")
    if format_of(name) != "basket" and os.path.isfile(name) and not os.path.getsize(name):
        raise InputError(f"{name} is empty: it lacks even the names of its columns")


def _relation(
    source: Source, backend: Backend, key: str | None, item: str
) -> tuple[exp.Expr, str, str]:
    """What stands behind FROM, the format, and the delimiter of a CSV file."""
    if not backend.is_local:
        if is_file_name(source.name) and os.path.isfile(source.name):
            raise InputError(
                f"{source.name} is a file of this machine, and the run is on a server: make a "
                "table of it there, or take the data here with --engine duckdb"
            )
        return backend.relation(source.name), "table", ","
    if not source.is_file:
        return backend.relation(source.name), "table", ","
    form = format_of(source.name)
    if form == "parquet":
        return formats.parquet("source"), form, ","
    if form == "csv":
        delimiter = formats.delimiter_of(backend.local, "source", {key or "tid", item})
        return formats.csv("source", delimiter), form, delimiter
    formats.refuse_mixed_line_ends(backend.local, source.name)
    return formats.lines(source.name), form, ","


def _shape(
    source: Source,
    columns: dict[str, str],
    form: str,
    delimiter: str,
    key: str | None,
    item: str,
    *,
    by_row: bool,
) -> Shape:
    named = tuple(columns)
    if form == "basket":
        return Shape(named, named, None, "items", True, form)
    _require(item, "item", named, source)
    kind, _, elements = columns[item].partition(" ")
    lists = kind in LISTS
    if (elements or kind) in NESTED:
        instead = ": cast it to text in a query" if source.on_server else ""
        raise InputError(
            f"{source.name}: column {item!r} holds more than an item or a list of them{instead}"
        )
    if columns[item].endswith("interval"):
        raise InputError(_equal_intervals(source, item))
    by_text = frozenset(name for name, one in columns.items() if one.endswith(TIES))
    if key is None and lists and "tid" not in columns and by_row:
        return Shape(named, named, None, item, lists, form, delimiter, by_text)
    key = "tid" if key is None else key
    _require(key, "tid", named, source)
    if key == item:
        raise InputError(f"{source.name}: --tid and --item both name the column {key!r}")
    if columns[key].partition(" ")[0] in NESTED:
        raise InputError(f"{source.name}: column {key!r} holds more than one value per row")
    if columns[key] == "interval":
        raise InputError(_equal_intervals(source, key))
    return Shape(named, named, key, item, lists, form, delimiter, by_text)


def _require(name: str, option: str, columns: tuple[str, ...], source: Source) -> None:
    if name not in columns:
        shown = ", ".join(repr(one) for one in columns)
        raise InputError(
            f"{source.name}: no column {name!r}; it has {shown}: name one with --{option}"
        )


def _equal_intervals(source: Source, name: str) -> str:
    return (
        f"{source.name}: column {name!r} holds intervals, which can be equal and look different, "
        "as 1 month and 30 days: read it through a query that casts it to text"
    )


def _refuse_collated(columns: list[str]) -> None:
    """A collation makes different names equal, for the database but not for a file's reader."""
    for name in columns:
        raise InputError(
            f"column {name!r} has a collation, which makes different names equal: read it "
            f'through a query that has {name} COLLATE "C" AS {name}'
        )


def _is_collated(backend: DuckDB, relation: exp.Expr, columns: dict[str, str], name: str) -> bool:
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
    return bool(backend.connection.execute(render(names.whole(test))).fetchall()[0][0])


def _told_of_twins(
    session: Session, source: Source, relation: exp.Expr, columns: dict[str, str], shape: Shape
) -> Shape:
    """The shape with the columns in which equal values come in two forms, of which one is read."""
    asked = [name for name in shape.judged if columns[name].endswith(values.TWINS)]
    if not asked or session.dry:  # its rows are not looked at
        return shape
    given = [column(name) for name in asked]
    read = [session.backend.as_read(column(name), columns[name]) for name in asked]
    with formats.reading(source.name):
        asked_there = among_others(session, source, values.mended(relation, given, read))
        (counts,) = session.look_up(asked_there)
    found = {name: int(count) for name, count in zip(asked, counts, strict=True) if count}
    for name, count in found.items():
        session.note(
            f"{source.name}: {counted(count, 'row')} with a value of {name!r} that is equal to "
            "one that looks different (as -0.0 to 0.0, 1.00 to 1): read and published as the other"
        )
    return replace(shape, mended=frozenset(found))


def _create_source(
    session: Session,
    source: Source,
    relation: exp.Expr,
    columns: dict[str, str],
    shape: Shape,
    into: str,
) -> None:
    """Read everything once. Line numbers need the order of the rows, which costs a little."""
    backend = session.backend
    texts = backend.local.without_enums(relation) if backend.is_local else {}
    shown: list[exp.Expr] = [
        exp.alias_(texts[name], name, quoted=True)
        if name in texts
        else backend.as_read(column(name), columns[name])
        for name in shape.given
    ]
    if shape.lists:
        shown.append(term("ROW_NUMBER() OVER ()").as_(shape.line, quoted=True))
    if exported := backend.can.dialect in EXPORTS:
        relation = exp.table_(exp.to_identifier(bare_name(source.name), quoted=True))
    query = exp.Select().select(*shown).from_(relation)
    in_order = shape.lists and backend.is_local and backend.local.owned
    if in_order:
        _preserve_order(session, True)
    with formats.reading(source.name):
        place = exp.to_table(into) if exported else backend.of_run(into)
        step = among_others(session, source, Step(into, "the data as given, read once", query))
        with recorded(session, source, relation):
            session.create_at(place, step)
    if in_order:
        _preserve_order(session, False)
    session.run("run", "from here on every relation is the run's own", backend.inside)


def record_files(session: Session, source: Source) -> None:
    """The files of the source: those that DuckDB finds by its name, and those of databases."""
    backend = session.backend
    if not backend.is_local:
        return
    connection = backend.local.connection
    rows = connection.execute(
        "SELECT path FROM system.main.duckdb_databases() WHERE path IS NOT NULL"
    ).fetchall()
    files = [path + end for (path,) in rows for end in ("", ".wal")]
    if source.is_file:
        named = "SELECT file FROM system.main.glob(system.main.getvariable('source'))"
        files += [path for (path,) in connection.execute(named).fetchall()]
    session.inputs.add(files)


@contextlib.contextmanager
def recorded(session: Session, source: Source, relation: exp.Expr) -> Iterator[None]:
    """The tables and files that a relation of a database reads, while it is read."""
    backend = session.backend
    if session.dry or source.is_file or source.pulled or not backend.is_local:
        yield
        return
    tables, others = backend.local.tables_read(relation)
    session.inputs.tables |= {place_of(one) for one in tables}
    if not others:
        yield
        return
    with backend.local.files_opened() as found:
        yield
    if found is None:
        session.inputs.unknown.append(source.name)
    session.inputs.add(found or ())


def place_of(table: exp.Table) -> Place:
    """A table's database, schema and name, case and kinds of blanks aside."""
    return tuple(" ".join(part.name.casefold().split()) for part in table.parts)


def among_others(session: Session, source: Source, step: Step) -> Step:
    """A step that reads what is the caller's, where names are looked up as for the caller."""
    backend = session.backend
    assert isinstance(step.query, exp.Select)
    if backend.server is not None:
        return replace(step, query=backend.server.among_others(step.query))
    if source.is_file or source.pulled:
        return step
    return replace(step, query=names.whole(step.query))


def _preserve_order(session: Session, wanted: bool) -> None:
    text = f"SET preserve_insertion_order = {str(wanted).lower()}"
    session.run("settings", "rows are numbered in the order in which they are read", text)


def duckdb_of(session: Session) -> DuckDB:
    """The DuckDB that reads and writes files: that of the run, or one beside its server."""
    return session.backend.local


def files_of(session: Session) -> Session:
    """The session of that DuckDB. What an earlier model left there is gone with it."""
    backend = session.backend
    if backend.server is None or session.dry:
        return session
    files = backend.server.files
    if files.runs != session.runs:
        files.begin()
        files.runs = session.runs
    return files


def at_hand(session: Session, query: exp.Query, relation: str) -> tuple[Session, exp.Query]:
    """What may leave, where files are written: as it is, or taken there as a relation."""
    backend, files = session.backend, files_of(session)
    if backend.server is None:
        return session, query
    text = render(query, backend.can.dialect)
    if not files.is_copied(relation, text):
        why = "what may leave goes to where files are written"
        session.retract(relation, why)
        backend.server.take(
            query, backend.local, relation, lambda text, by: session.run(relation, why, text, by)
        )
        files.relations.append(relation)
        files.copies[relation] = text
    shown = [exp.column(one.output_name, quoted=True) for one in query.selects]
    return files, exp.Select().select(*shown).from_(exp.to_table(relation))


def outside(session: Session, source: Source) -> str:
    """The statement after which names are looked up where the source is."""
    backend = session.backend
    if backend.server is not None:
        return backend.server.outside
    if not source.connected:
        return f"USE {ATTACHED}"
    database, schema = (exp.to_identifier(name, quoted=True) for name in backend.local.home)
    return f"USE {render(exp.Table(this=schema, db=database))}"


def columns_in(
    session: Session, path: str, columns: tuple[str, ...], option: str
) -> list[tuple[str, ...]]:
    """These columns of a CSV or Parquet file, as text; rows with NULL are passed over."""
    rows = rows_in(session, path, columns, option)
    return [tuple(str(one) for one in row) for row in rows if None not in row]


def rows_in(
    session: Session,
    path: str,
    columns: tuple[str, ...],
    option: str,
    *,
    optional: tuple[str, ...] = (),
) -> list[tuple[str | None, ...]]:
    """The same with all rows; what the file lacks of the `optional` columns is NULL."""
    backend = duckdb_of(session)
    with formats.reading(f"--{option}: {path}"):
        relation = _listed(session, path, option, set(columns))
        known = backend.columns_of(relation)
        for name in columns:
            if name not in known:
                shown = ", ".join(repr(one) for one in known)
                raise InputError(f"--{option}: {path} has no column {name!r}; it has {shown}")
        given = [column(name) if name in known else exp.null() for name in (*columns, *optional)]
        texts = [exp.cast(one, "TEXT").as_(f"column_{n}") for n, one in enumerate(given)]
        query = exp.Select().select(*texts).from_(relation)
        return backend.connection.execute(render(query)).fetchall()


def bring(
    session: Session,
    table: str,
    titles: Sequence[str],
    rows: Sequence[Sequence[Value]],
    path: str,
) -> None:
    """A table of text of the rows of a file that comes with the source, where the run is.

    The trail has none of these rows, which are names: it reads a CSV file of them.
    """
    columns = [[row[number] for row in rows] for number in range(len(titles))]
    session.backend.insert_columns(table, titles, columns)
    server = session.backend.server
    assert server is not None
    lists = [any(isinstance(value, list) for value in column) for column in columns]
    file = str(Path(path).with_suffix(".csv"))
    why = (
        f"{_quoted(file)} has the rows of {_quoted(path)} as CSV, the first line {_quoted(titles)}"
    )
    why += f", lists as {server.listed}" if any(lists) else ""
    for text in server.of_file(table, dict(zip(titles, lists, strict=True)), file):
        session.tell(table, why, text)


def forget_brought(session: Session, table: str) -> None:
    """Drop it, here and in the trail: another file's rows may come under its name."""
    session.forget(table)
    session.tell(table, "no longer needed", f"DROP TABLE {render(exp.to_table(table))}")


def _quoted(told: str | Sequence[str]) -> str:
    """Names that stand in a comment cannot end it."""
    names = [told] if isinstance(told, str) else told
    return ",".join(json.dumps(name, ensure_ascii=False) for name in names)


def columns_named(session: Session, path: str, option: str) -> list[str]:
    """The names of a CSV or Parquet file's columns."""
    backend = duckdb_of(session)
    with formats.reading(f"--{option}: {path}"):
        return list(backend.columns_of(_listed(session, path, option, {"item"})))


def _listed(session: Session, path: str, option: str, wanted: set[str]) -> exp.Expr:
    """What stands behind FROM for a file that comes with the source."""
    backend = duckdb_of(session)
    form = format_of(path)
    if form == "basket":
        raise InputError(f"--{option}: {path} must be a CSV or Parquet file")
    if not os.path.isfile(path):
        raise InputError(f"--{option}: no such file: {path!r}")
    session.inputs.add([path], f"--{option}")
    backend.connection.execute(formats.set_variable("listed", formats.pattern(path)))
    if form == "parquet":
        return formats.parquet("listed")
    return formats.csv("listed", formats.delimiter_of(backend, "listed", wanted))
