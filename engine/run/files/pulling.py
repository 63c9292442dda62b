"""For those whose rows may leave the server: data pulled into DuckDB, and a release pushed back.

Rows go both ways by COPY, through a file in the private folder of the run. The server is asked in
one transaction for what is read, and in one for what is published.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from setveil.backends import opening, registry
from setveil.backends.server import Server
from setveil.errors import InputError
from setveil.run.session import Session
from setveil.sql.step import render

PULLED = "pulled"
IN_PLACE = "in-place"
ENGINES = (IN_PLACE, registry.HERE.name)  # where a run works
COPY_OF_IT = "SET VARIABLE source = 'source.parquet'"


def pull(session: Session, url: str, name: str, *, used: Sequence[str]) -> exp.Table:
    """Leave what a name stands for on the server as a relation here.

    Of its columns, those that are `used` must mean here what they mean there.
    """
    local = session.backend.local
    server = _opened(session, url)
    try:
        server.execute("source", server.outside)
        relation = server.relation(name)
        query, texts = server.exactly(relation)
        _tell_texts(session, texts, used)
        if session.dry:
            query = query.limit(0)
        server.take(query, local, PULLED, lambda text, by: _pull(session, text, by))
        session.inputs.tables |= server.read_so_far()
    finally:
        server.close()
    place = local.of_run(PULLED)
    made = exp.Select().select(exp.Star()).from_(exp.func("READ_PARQUET", _variable()))
    session.tell("input", "for whoever runs this again: the same rows as a file", COPY_OF_IT)
    create = exp.Create(this=place, kind="TABLE", expression=made)
    session.tell(PULLED, "what the server sent", render(create))
    return place


def _opened(session: Session, url: str) -> Server:
    return opening.open_server(url, threads=None, memory_limit=None, note=session.note, works=False)


def _tell_texts(session: Session, texts: dict[str, str], used: Sequence[str]) -> None:
    """Refuse columns that are used and would be compared otherwise here; of others, say so."""
    for column in used:
        if texts.get(column, "enum").removeprefix("list ") != "enum":
            raise InputError(
                f"column {column!r} has values that DuckDB has no type for: read it through a "
                "query that casts it, to TEXT or, for numbers, to DECIMAL(18, 6); or leave out "
                "--engine duckdb"
            )
    if texts:
        shown = ", ".join(texts)
        session.chat(f"DuckDB has no type for these columns, and takes them as text: {shown}")


def _pull(session: Session, text: str, by: Callable[[str, str], int]) -> None:
    """Run what asks for the rows; for DuckDB's shell it is a remark."""
    session.remark(f"the data was pulled from {' '.join(text.split())}")
    by(PULLED, text)


def _variable() -> exp.Expr:
    return exp.Anonymous(this="GETVARIABLE", expressions=[exp.Literal.string("source")])


def check_table(session: Session, url: str, source: str, table: str, *, force: bool) -> None:
    """Refuse, before the work, a table that could not be made on the server after it."""
    with _server(session, url, source) as server:
        server.check_table(table, force)


@contextlib.contextmanager
def _server(session: Session, url: str, source: str) -> Iterator[Server]:
    """The server anew; what was read must not be replaced, whatever it is called."""
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
    session: Session, url: str, source: str, query: exp.Query, table: str, *, force: bool
) -> Iterator[None]:
    """Make the table on the server, in no case that of the source; it stays if all ends well."""
    if session.dry:
        yield
        return
    local = session.backend.local
    with _server(session, url, source) as server, server.given(local, query, table, force):
        session.remark(f"the release was pushed to the table {table!r} of the server")
        yield


def refuse_idle(engine: str, on_server: bool) -> bool:
    """Is the data to be pulled?"""
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; choose {' or '.join(ENGINES)}")
    pulled = engine == registry.HERE.name
    if pulled and not on_server:
        raise InputError("--engine is for data on a server: a file is read by DuckDB anyway")
    return pulled
