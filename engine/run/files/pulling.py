"""Copy a server's rows into DuckDB, and send a release back.

Rows go both ways by COPY, through a file in the private folder of the run. One transaction reads
the source, and another writes the release.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlglot import exp

from setveil.backends import opening, registry
from setveil.backends.server import Server
from setveil.errors import InputError
from setveil.run.session import Session
from setveil.sql.step import render

PULLED = "pulled"
IN_PLACE = "in-place"
ENGINES = (IN_PLACE, registry.HERE.name)  # the values of --engine
COPY_OF_IT = "SET VARIABLE source = 'source.parquet'"


def pull(session: Session, url: str, name: str, *, used: Sequence[str]) -> exp.Table:
    """Copy a relation of the server into a relation of the run.

    Columns in `used` must have an equivalent DuckDB type.
    """
    local = session.backend.local
    server = _opened(session, url)
    try:
        server.execute("source", server.outside)
        relation = server.relation(name)
        query, texts = server.fetch_query(relation)
        _note_texts(session, texts, used)
        if session.dry:
            query = query.limit(0)
        server.fetch(query, local, PULLED, lambda text, by: _pull(session, text, by))
        session.inputs.tables |= server.read_so_far()
    finally:
        server.close()
    return told_of_rows(session, "the rows from the server")


def told_of_rows(session: Session, why: str) -> exp.Table:
    """Record that a replay reads copied rows from a file; return their relation."""
    place = session.backend.local.of_run(PULLED)
    made = exp.Select().select(exp.Star()).from_(exp.func("READ_PARQUET", _variable()))
    session.tell("input", "to run the trail again, provide the rows as this file", COPY_OF_IT)
    create = exp.Create(this=place, kind="TABLE", expression=made)
    session.tell(PULLED, why, render(create))
    return place


def _opened(session: Session, url: str) -> Server:
    return opening.open_server(url, threads=None, memory_limit=None, note=session.note, works=False)


def _note_texts(session: Session, texts: dict[str, str], used: Sequence[str]) -> None:
    """Refuse used columns without an equivalent type in DuckDB; note the others."""
    for column in used:
        if texts.get(column, "enum").removeprefix("list ") != "enum":
            raise InputError(
                f"column {column!r} has values that DuckDB has no type for: read it through a "
                "query that casts it, to TEXT or, for numbers, to DECIMAL(18, 6); or leave out "
                "--engine duckdb"
            )
    if texts:
        shown = ", ".join(texts)
        session.chat(f"DuckDB has no type for these columns, and reads them as text: {shown}")


def _pull(session: Session, text: str, by: Callable[[str, str], int]) -> None:
    """Run the statement that copies the rows; in the trail it is a remark."""
    session.remark(f"the data was pulled from {' '.join(text.split())}")
    by(PULLED, text)


def _variable() -> exp.Expr:
    return exp.Anonymous(this="GETVARIABLE", expressions=[exp.Literal.string("source")])


def check_table(session: Session, url: str, source: str, table: str, *, force: bool) -> None:
    """Refuse a table that cannot be made on the server, before any work."""
    with _server(session, url, source) as server:
        server.check_table(table, force)


@contextlib.contextmanager
def _server(session: Session, url: str, source: str) -> Iterator[Server]:
    """Open the server again; no table that was read may be replaced, under any name."""
    server = _opened(session, url)
    try:
        server.execute("source", server.outside)
        server.relation(source)
        server.pulled = frozenset(session.inputs.tables)
        yield server
    finally:
        server.close()


@contextlib.contextmanager
def pushed(
    session: Session, url: str, source: str, queries: Mapping[str, exp.Query], *, force: bool
) -> Iterator[None]:
    """Make tables on the server, but never the source's; an error in the block removes them."""
    if session.dry:
        yield
        return
    local = session.backend.local
    with _server(session, url, source) as server, contextlib.ExitStack() as made:
        for number, (table, query) in enumerate(queries.items()):
            more = {"inside": True} if number else {}
            made.enter_context(server.send_table(local, query, table, force, **more))
            session.remark(f"the release was pushed to the table {table!r} of the server")
        yield


def copies_here(engine: str, on_server: bool) -> bool:
    """Return whether --engine copies the data here; refuse an engine without effect."""
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; choose {' or '.join(ENGINES)}")
    pulled = engine == registry.HERE.name
    if pulled and not on_server:
        raise InputError("--engine is for data on a server: a file is read by DuckDB anyway")
    return pulled
