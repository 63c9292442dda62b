"""Move results from a server to the DuckDB that reads and writes files."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from setveil.backends import names
from setveil.backends.local import ATTACHED, Local, formats
from setveil.run.files.source import Source
from setveil.run.inputs import place_of
from setveil.run.session import Session
from setveil.sql.step import Step, render

RELEASED = "released"  # the variable for the file of a release


def duckdb_of(session: Session) -> Local:
    """The DuckDB that reads and writes files: the run's own, or one beside its server."""
    return session.backend.local


def files_of(session: Session) -> Session:
    """The session of that DuckDB, without the relations of an earlier model."""
    backend = session.backend
    if backend.server is None or session.dry:
        return session
    files = backend.server.files
    if files.runs != session.runs:
        files.begin()
        files.runs = session.runs
    return files


def in_duckdb(session: Session, query: exp.Query, relation: str) -> tuple[Session, exp.Query]:
    """The query in the DuckDB that writes files; a server's rows are copied there first."""
    backend, files = session.backend, files_of(session)
    if backend.server is None:
        return session, query
    text = render(query, backend.can.dialect)
    if not files.is_copied(relation, text):
        why = "the result is copied to the DuckDB that writes files"
        session.retract(relation, why)
        backend.server.fetch(
            query, backend.local, relation, lambda text, by: session.run(relation, why, text, by)
        )
        files.relations.append(relation)
        files.copies[relation] = text
    shown = [exp.column(one.output_name, quoted=True) for one in query.selects]
    return files, exp.Select().select(*shown).from_(exp.to_table(relation))


def outside(session: Session, source: Source) -> str:
    """The statement after which table names are looked up in the source's database."""
    backend = session.backend
    if backend.server is not None:
        return backend.server.outside
    if not source.connected:
        return f"USE {ATTACHED}"
    database, schema = (exp.to_identifier(name, quoted=True) for name in backend.local.home)
    return f"USE {render(exp.Table(this=schema, db=database))}"


def with_full_names(session: Session, source: Source, step: Step) -> Step:
    """The step, with functions by their full names, since it runs among the caller's objects."""
    backend = session.backend
    assert isinstance(step.query, exp.Select)
    if backend.server is not None:
        return replace(step, query=backend.server.with_full_names(step.query))
    if source.is_file or source.is_copied:
        return step
    return replace(step, query=names.with_full_names(step.query))


def record_files(session: Session, source: Source) -> None:
    """Record the files of the source and of the attached databases as inputs."""
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
    """Record the tables and files that a relation reads while the block runs."""
    backend = session.backend
    if session.dry or source.is_file or source.is_copied or not backend.is_local:
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


def copy_relation(session: Session, other: Session, step: Step) -> None:
    """Make the step's relation in this session from its rows in the other."""
    if (server := session.backend.server) is not None:
        session.create(Step(step.name, step.why, server.seen_beside(other.backend, step.query)))
        return
    if session.dry:  # a rehearsal has no rows to copy
        return
    columns = [exp.column(one.alias_or_name) for one in step.query.selects]
    with tempfile.TemporaryDirectory(prefix="setveil-cover-") as folder:
        path = f"{folder}/cells.parquet"
        with formats.reading(path):
            duckdb_of(other).connection.sql(render(step.query)).write_parquet(path)
        text = formats.set_variable(RELEASED, path)
        session.run("input", "the path of the release", text)
        query = exp.Select().select(*columns).from_(formats.parquet(RELEASED))
        session.create(Step(step.name, step.why, query))
