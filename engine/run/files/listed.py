"""Read the columns of lists, hierarchies, losses and keys."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from sqlglot import exp

from setveil.backends import Value
from setveil.backends.local import LISTS, formats
from setveil.errors import InputError
from setveil.run.files.local_duckdb import duckdb_of
from setveil.run.files.places import no_file
from setveil.run.files.reading import NESTED
from setveil.run.files.source import format_of
from setveil.run.session import Session
from setveil.sql.run.reading import column
from setveil.sql.step import Step, render

PARQUET = ".parquet"
BROUGHT = "brought"  # the rows of a file, as text


def columns_in(
    session: Session, path: str, columns: tuple[str, ...], option: str
) -> list[tuple[str, ...]]:
    """These columns of a CSV or Parquet file, as text; rows with NULL are skipped."""
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
    """These columns with all rows; `optional` columns that the file lacks are NULL."""
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


def send_rows(
    session: Session,
    table: str,
    titles: Sequence[str],
    rows: Sequence[Sequence[Value]],
    path: str,
) -> None:
    """Send the rows of a file to the run's server, as a table of text.

    The rows are names, so the trail has none of them: it reads a CSV file instead.
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


def drop_sent(session: Session, table: str) -> None:
    """Drop the table, also in the trail: the rows of another file may get its name."""
    session.forget(table)
    session.tell(table, "no longer needed", f"DROP TABLE {render(exp.to_table(table))}")


def _quoted(names: str | Sequence[str]) -> str:
    """Quote names so that none of them can end a comment."""
    listed = [names] if isinstance(names, str) else names
    return ",".join(json.dumps(name, ensure_ascii=False) for name in listed)


def columns_named(session: Session, path: str, option: str) -> list[str]:
    """The names of a CSV or Parquet file's columns."""
    backend = duckdb_of(session)
    with formats.reading(f"--{option}: {path}"):
        return list(backend.columns_of(_listed(session, path, option, {"item"})))


def _listed(session: Session, path: str, option: str, wanted: set[str]) -> exp.Expr:
    """The file as a relation after FROM."""
    backend = duckdb_of(session)
    form = format_of(path)
    if form == "basket":
        raise InputError(f"--{option}: {path} must be a CSV or Parquet file")
    if not os.path.isfile(path):
        raise InputError(no_file(path, f"--{option}: no such file: {path!r}"))
    session.inputs.add([path], f"--{option}")
    backend.connection.execute(formats.set_variable("listed", formats.pattern(path)))
    if form == "parquet":
        return formats.parquet("listed")
    return formats.csv("listed", formats.delimiter_of(backend, "listed", wanted))


def create_of_file(session: Session, step: Step, path: str | Path) -> None:
    """Make the step's relation from a file; on a server, send the file's rows there first."""
    if session.backend.is_local or session.dry:
        session.create(step)
        return
    local = duckdb_of(session)
    query = step.query.subquery("listed")
    kinds = local.columns_of(query)
    texts = [
        exp.cast(exp.column(name), "TEXT[]" if " " in kind else "TEXT", dialect="duckdb").as_(name)
        for name, kind in kinds.items()
    ]
    rows = local.rows(step.name, render(exp.Select().select(*texts).from_(query)))
    send_rows(session, BROUGHT, list(kinds), rows, str(path))
    shown = [_typed(name, kind).as_(name) for name, kind in kinds.items()]
    made = exp.Select().select(*shown).from_(exp.to_table(BROUGHT))
    session.create(Step(step.name, step.why, made))
    drop_sent(session, BROUGHT)


def _typed(name: str, kind: str) -> exp.Expr:
    """The value of a text, in its original type."""
    _, _, elements = kind.partition(" ")
    if kind == "varchar":
        return exp.column(name)
    return exp.cast(exp.column(name), f"{elements}[]" if elements else kind, dialect="duckdb")


def listed_file(
    session: Session,
    path: str,
    variable: str,
    wanted: tuple[str, ...],
    suffixes: tuple[str, ...] = (PARQUET,),
) -> exp.Expr:
    """A file with these columns, Parquet or CSV with commas, as a relation after FROM."""
    option, backend = f"--{variable}", duckdb_of(session)
    if not Path(path).is_file():
        raise InputError(no_file(path, f"{option}: no such file: {path!r}"))
    suffix = Path(path).suffix.lower()
    if suffix not in suffixes:
        known = "Parquet" if suffixes == (PARQUET,) else "Parquet or CSV"
        raise InputError(f"{option}: {path} must be a {known} file, as setveil writes it")
    session.inputs.add([path], option)
    text = formats.set_variable(variable, formats.pattern(path))
    if session.backend.is_local:
        session.reach(variable, f"the path of {option}", text)
    else:
        backend.execute(variable, text)
    relation = formats.parquet(variable) if suffix == PARQUET else formats.csv(variable, ",")
    with formats.reading(path):
        columns = backend.columns_of(relation)
    for name in wanted:
        if name not in columns:
            shown = ", ".join(repr(one) for one in columns)
            raise InputError(f"{option}: {path} has no column {name!r}; it has {shown}")
        kind, _, elements = columns[name].partition(" ")
        if (kind in LISTS) != (name == "items") or (elements or kind) in NESTED[2:]:
            raise InputError(f"{option}: {path}: the column {name!r} is {columns[name]}")
    return relation
