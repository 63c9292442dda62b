"""Read a source, in any format, into the relation `source`.

Columns that are missing or nested are refused, and names that a collation makes equal: their values
could not be numbered, counted and released without ambiguity.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from sqlglot import exp

from setveil.backends import Backend, names
from setveil.backends.addresses import is_url, refuse_missing
from setveil.backends.local import ATTACHED, LISTS, SECOND, Local, formats
from setveil.backends.server import UNSORTED
from setveil.errors import InputError
from setveil.run.files import frames, pulling
from setveil.run.files.local_duckdb import record_files, recorded, with_full_names
from setveil.run.files.places import no_file
from setveil.run.files.source import Source, bare_name, format_of, is_file_name
from setveil.run.roles.keys import Tid, join_keys, key_columns, with_key
from setveil.run.session import Session
from setveil.run.shape import Carry, Shape, published
from setveil.run.words import counted
from setveil.sql.dialects import EXPORTS
from setveil.sql.run import values
from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, render, term

# Types that are sorted by their text: equal values can look different, or they have no order.
TIES = ("interval", "struct", UNSORTED, "map", "union")
NESTED = (*LISTS, "struct", "unordered", UNSORTED, "map", "union", "variant", "geometry")


def load(
    session: Session,
    source: Source,
    tid: Tid | None,
    item: str,
    into: str = "source",
    *,
    by_row: bool = False,
    carry: Carry = (),
    person: str | None = None,
    called: str = "item",
) -> Shape:
    """Read the source once into the relation `source` of the run; return its shape.

    `tid` is None without --tid. `carry` lists other columns to publish; `person` is the column of
    persons. A second source goes `into` another relation. Lists without a key are a transaction per
    row; on a server, where rows have no order, only with `by_row`. `called` is the option of
    `item`.
    """
    backend, keys = session.backend, key_columns(tid)
    if backend.is_local:
        with formats.reading(source.name if source.is_copied else source.database or source.name):
            if source.is_file or source.is_copied:  # the source needs no names of the caller
                backend.real.execute("run", backend.inside)
            for name, why, text in _opening(source, _attached(backend.local)):
                session.reach(name, why, text)
    with formats.reading(source.name):
        if source.is_copied:
            used = (*(keys or ("tid",)), item, *(() if person is None else (person,)))
            relation, form, delimiter = _pulled(session, source, used), "table", ","
        else:
            relation, form, delimiter = _relation(source, backend, keys, item)
        columns = backend.columns_of(relation)
    by_row = by_row or not source.from_server
    if form != "basket":
        asked = [*((one, "tid") for one in keys), (item, called)]
        asked += [] if person is None else [(person, "person")]
        _require_all(asked, tuple(columns), source)
    shape = _shape(source, columns, form, delimiter, keys, item, by_row=by_row)
    shape = _with_persons(source, columns, shape, person)
    record_files(session, source)
    shown = published(source.name, shape.given, shape.judged, carry, person)
    shape = replace(shape, columns=with_key(shape, shown))
    texts = [name for name in _compared(shape) if columns[name].endswith("varchar")]
    if backend.server is not None:
        _refuse_collated(backend.server.merging(relation, texts))
    elif not source.is_file and not source.is_copied:
        _refuse_collated(
            [one for one in texts if _is_collated(backend.local, relation, columns, one)]
        )
    shape = _note_twins(session, source, relation, columns, shape)
    _create_source(session, source, relation, columns, shape, into)
    if shape.keys:
        join_keys(session, shape, into)
    if source.is_copied:
        session.run("pulled", "no longer needed", f"DROP TABLE {render(relation)}")
    return shape


def _pulled(session: Session, source: Source, used: tuple[str, ...]) -> exp.Expr:
    if source.frame is not None:
        return frames.take(session, source.frame)
    assert source.database is not None
    return pulling.pull(session, source.database, source.name, used=used)


def _attached(backend: Local) -> dict[str, str]:
    """The attached database files, each with its name."""
    rows = backend.connection.execute(
        "SELECT path, database_name FROM system.main.duckdb_databases() WHERE path IS NOT NULL"
    ).fetchall()
    return {os.path.realpath(path): str(name) for path, name in rows}


def _opening(source: Source, attached: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the statements that make the source readable."""
    if source.is_file:
        _refuse_missing(source.name)
        name = formats.pattern(source.name)
        yield "input", "the path of the source", formats.set_variable("source", name)
    elif source.database is not None and not source.pulled:
        if not os.path.isfile(source.database):
            refuse_missing(source.database)
        alias = attached.get(os.path.realpath(source.database))
        if alias is None:
            path = render(exp.Literal.string(source.database))
            alias = ATTACHED if ATTACHED not in attached.values() else SECOND
            text = f"ATTACH {path} AS {alias} (READ_ONLY)"
            yield "input", "the database of the source, read-only", text
        yield "input", "table names are looked up here first", f"USE {alias}"


def _refuse_missing(name: str) -> None:
    if os.path.isdir(name):
        raise InputError(f"{name} is a folder: name its files, as {name}/*.parquet")
    if not os.path.exists(name) and is_url(name):
        raise InputError("SOURCE is the address of a server: name it with --database, and a table")
    if not os.path.exists(name) and not any(char in name for char in "*?["):
        raise InputError(f"{name}: {no_file(name)}")
    if format_of(name) != "basket" and os.path.isfile(name) and not os.path.getsize(name):
        raise InputError(f"{name} is empty: it lacks even the names of its columns")


def _relation(
    source: Source, backend: Backend, keys: tuple[str, ...], item: str
) -> tuple[exp.Expr, str, str]:
    """The relation after FROM, the format, and the delimiter of a CSV file."""
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
        delimiter = formats.delimiter_of(backend.local, "source", {*(keys or ("tid",)), item})
        return formats.csv("source", delimiter), form, delimiter
    formats.refuse_mixed_line_ends(backend.local, source.name)
    return formats.lines(source.name), form, ","


def _shape(
    source: Source,
    columns: dict[str, str],
    form: str,
    delimiter: str,
    keys: tuple[str, ...],
    item: str,
    *,
    by_row: bool,
) -> Shape:
    named = tuple(columns)
    if form == "basket":
        return Shape(named, named, None, "items", True, form)
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
    if not keys and lists and "tid" not in columns and by_row:
        return Shape(named, named, None, item, lists, form, delimiter, by_text)
    keys = keys or ("tid",)
    for key in keys:
        _check_key(source, columns, key, item)
    shape = Shape(named, named, keys[0], item, lists, form, delimiter, by_text)
    return shape.of_keys(keys) if len(keys) > 1 else shape


def _check_key(source: Source, columns: dict[str, str], key: str, item: str) -> None:
    """Refuse a column that cannot hold transaction ids."""
    _require(key, "tid", tuple(columns), source)
    if key == item:
        raise InputError(f"{source.name}: --tid and --item both name the column {key!r}")
    if columns[key].partition(" ")[0] in NESTED:
        raise InputError(f"{source.name}: column {key!r} holds more than one value per row")
    if columns[key] == "interval":
        raise InputError(_equal_intervals(source, key))


def _with_persons(
    source: Source, columns: dict[str, str], shape: Shape, person: str | None
) -> Shape:
    if person is None:
        return shape
    _require(person, "person", tuple(columns), source)
    roles = [(name, "tid") for name in (shape.key, *shape.keys)] + [(shape.item, "item")]
    for name, option in roles:
        if person == name:
            raise InputError(f"{source.name}: --{option} and --person both name {person!r}")
    if columns[person].partition(" ")[0] in (*NESTED, "interval"):
        raise InputError(
            f"{source.name}: column {person!r} holds no plain values: --person names one person "
            "per row; cast it to text in a query"
        )
    return replace(shape, person=person)


def _compared(shape: Shape) -> tuple[str, ...]:
    """The columns whose values are compared: those that a promise covers, and persons."""
    return shape.judged if shape.person is None else (*shape.judged, shape.person)


def _require_all(
    asked: Sequence[tuple[str, str]], columns: tuple[str, ...], source: Source
) -> None:
    """Refuse columns that the source lacks, all at once; each comes with its option."""
    lacking = [(name, option) for name, option in asked if name not in columns]
    if len(lacking) == 1:
        _require(*lacking[0], columns, source)
    elif lacking:
        named = ", ".join(f"--{option} {name!r}{_meant(name, columns)}" for name, option in lacking)
        shown = ", ".join(repr(one) for one in columns)
        raise InputError(f"{source.name} lacks columns: {named}; it has {shown}")


def _meant(name: str, columns: tuple[str, ...]) -> str:
    """The column that a misspelt name may mean."""
    known = {one.casefold(): one for one in columns}
    near = get_close_matches(name.casefold(), list(known), n=1)
    return f" (did you mean {known[near[0]]!r}?)" if near else ""


def _require(name: str, option: str, columns: tuple[str, ...], source: Source) -> None:
    if name not in columns:
        shown = ", ".join(repr(one) for one in columns)
        none = "; of a release, verify takes persons from its source, with --persons-of"
        raise InputError(
            f"{source.name}: no column {name!r}{_meant(name, columns)}; it has {shown}: name one "
            f"with --{option}"
            f"{none if option == 'person' else ''}"
        )


def _equal_intervals(source: Source, name: str) -> str:
    return (
        f"{source.name}: column {name!r} holds intervals, which can be equal and look different, "
        "as 1 month and 30 days: read it through a query that casts it to text"
    )


def _refuse_collated(columns: list[str]) -> None:
    """Refuse collations: they make different names equal in the database, but not in a file."""
    for name in columns:
        raise InputError(
            f"column {name!r} has a collation, which makes different names equal: read it "
            f'through a query that has {name} COLLATE "C" AS {name}'
        )


def _is_collated(backend: Local, relation: exp.Expr, columns: dict[str, str], name: str) -> bool:
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
    return bool(backend.connection.execute(render(names.with_full_names(test))).fetchall()[0][0])


def _note_twins(
    session: Session, source: Source, relation: exp.Expr, columns: dict[str, str], shape: Shape
) -> Shape:
    """Note columns with equal values in two forms, of which one is read; return the shape."""
    twins = [name for name in _compared(shape) if columns[name].endswith(values.TWINS)]
    if not twins or session.dry:  # a rehearsal reads no rows
        return shape
    given = [column(name) for name in twins]
    read = [session.backend.as_read(column(name), columns[name]) for name in twins]
    with formats.reading(source.name):
        step = with_full_names(session, source, values.mended(relation, given, read))
        (counts,) = session.look_up(step)
    found = {name: int(count) for name, count in zip(twins, counts, strict=True) if count}
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
    """Read all columns once. Line numbers need the order of the rows, which costs a little."""
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
        step = with_full_names(
            session, source, Step(into, "the data of the source, read once", query)
        )
        with recorded(session, source, relation):
            session.create_at(place, step)
    if in_order:
        _preserve_order(session, False)
    session.run("run", "from here on, names are relations of the run", backend.inside)


def _preserve_order(session: Session, wanted: bool) -> None:
    text = f"SET preserve_insertion_order = {str(wanted).lower()}"
    session.run("settings", "rows are numbered in the order of reading", text)
