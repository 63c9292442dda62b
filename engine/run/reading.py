"""Read transactions into a run: items and transactions numbered, occurrences as pairs of numbers.

A transaction is a set: duplicate rows are one occurrence, and are counted. NULL in the transaction
or the item column is an error that says how many, unless such rows are to be dropped. An empty
list, or an empty line of a basket file, is a transaction without items, and counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.backends import Backend, Capabilities, registry
from setveil.backends.local import Connection, interruptible
from setveil.backends.opening import open_here, open_server
from setveil.errors import InputError
from setveil.run.files import pulling
from setveil.run.files.reading import load
from setveil.run.files.source import Source, is_file_name
from setveil.run.merging import merge_rows
from setveil.run.renumbering import put_back
from setveil.run.session import Session, Trace
from setveil.run.shape import Carry, Shape
from setveil.run.words import counted
from setveil.sql.dialects import EXPORTS
from setveil.sql.run import reading as sql
from setveil.sql.step import render

Note = Callable[[str], None]


def _silent(text: str) -> None:
    """The library says nothing on its own."""


@dataclass(frozen=True, slots=True)
class Baskets:
    """Transactions in a run, ready for a model. Close it, or use it as a context manager."""

    session: Session
    source: Source
    shape: Shape
    transactions: int
    items: int
    occurrences: int
    duplicates: int
    dropped: int
    once: bool = False  # is there but one release to make of them?
    repeated: int = 0  # rows that were merged into an earlier one of their transaction

    def close(self) -> None:
        """Drop the run. Releases made from it can no longer be written."""
        self.session.close()

    def __enter__(self) -> Baskets:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def key(self) -> exp.Column:
        """The column of `source` that tells transactions apart."""
        return sql.column(self.shape.key or self.shape.line)


def cells_of(session: Session, shape: Shape, relation: str) -> exp.Expr:
    """One row (key, name) per transaction and item of `source`, or of `release`.

    Of what was generalized, one row (key, name, level): a node is a level and a name.
    """
    key, item = sql.column(shape.key or shape.line), sql.column(shape.item)
    level = sql.column(shape.level) if shape.level is not None else None
    if not shape.lists:
        return sql.cells(relation, key, item, level)
    step = sql.listed_cells(relation, key, item, level)
    if step.name not in session.relations:
        session.create(step)
    return exp.to_table(step.name)


@strict
def read(
    source: str | Path | Connection,
    table: str | None = None,
    *,
    tid: str | None = None,
    item: str = "item",
    database: str | Path | None = None,
    drop_nulls: bool = False,
    threads: int | None = None,
    memory_limit: str | None = None,
    force_large: bool = False,
    trace: Trace | None = None,
    note: Note = _silent,
    explain: bool = False,
    dialect: str | None = None,
    once: bool = False,
    engine: str = "in-place",
    by_row: bool = False,
    carry: Carry = (),
    chat: Note | None = None,
    key: str | Path | None = None,
) -> Baskets:
    """Read a file or glob, a relation of a DuckDB file, or one of an open connection.

    `source` is a path; with `database`, a table, view or query in that file; or a connection,
    with the relation in `table`. `tid` is the column of the transaction ("tid" unless said
    otherwise; a LIST column needs none), `item` that of the item. Of the other columns a
    release has those to `carry` along, or "all". `note` is told what matters for safety, and
    `chat` what is merely good to know (default: `note`). With `explain` nothing of the data is
    read: the session only collects the statements, with `dialect` in that of another database,
    as nobody ran them there. With `once` the baskets serve a single release, and large
    relations are dropped as soon as it no longer needs them. What is on a server is worked on
    there; with engine="duckdb" its rows leave it, and a table is pushed back. Rows have no
    order there, so that a LIST column needs a key, unless each row is taken for itself
    `by_row`: results, not data. With its `key`, a renumbered release is read by its old ids.
    `memory_limit` is 60 % of the free memory unless it is given; what a search would need beyond
    it is refused before it begins, or done all the same with `force_large`.
    """
    named = _named(source, table, database)
    if pulling.refuse_idle(engine, named.on_server):
        named = replace(named, pulled=True)
    chat = note if chat is None else chat
    with interruptible():
        backend: Backend
        if named.on_server:
            backend = open_server(
                str(database), threads=threads, memory_limit=memory_limit, note=note
            )
        else:
            backend = open_here(source, threads=threads, memory_limit=memory_limit, note=chat)
        if dialect is not None:
            backend.can = _exported(dialect, explain)
        session = Session(
            backend, trace=trace, note=note, chat=chat, dry=explain, force_large=force_large
        )
        try:
            shape = load(session, named, tid, item, by_row=by_row, carry=carry)
            if key is not None:
                put_back(session, named, shape, key)
            return _number(session, named, shape, drop_nulls, once)
        except BaseException:
            session.close()
            raise


def _exported(dialect: str, explain: bool) -> Capabilities:
    """What another database is taken to be able to."""
    if dialect not in EXPORTS:
        raise InputError(f"--dialect {dialect!r} is none of {', '.join(EXPORTS)}")
    if not explain:
        raise InputError("--dialect shows the statements of another database: add --explain")
    return Capabilities(dialect=dialect, posting_widths=(63,))


def read_beside(
    baskets: Baskets,
    source: Source,
    *,
    tid: str | None = None,
    item: str = "item",
    drop_nulls: bool = False,
    trace: Trace | None = None,
    key: str | Path | None = None,
) -> Baskets:
    """Read more into the instance of a run, where questions can be put to both. Close it first."""
    run = baskets.session
    with interruptible():
        backend = run.backend.beside(run.note if baskets.source.on_server else run.chat)
        session = Session(
            backend, trace=trace, note=run.note, chat=run.chat, dry=run.dry, inputs=run.inputs,
            force_large=run.force_large,
        )  # fmt: skip
        try:
            shape = load(session, source, tid, item)
            if key is not None:
                put_back(session, source, shape, key)
            return _number(session, source, shape, drop_nulls, False)
        except BaseException:
            session.close()
            raise


def read_original(
    baskets: Baskets, original: str, *, tid: str | None = None, item: str = "item"
) -> Baskets:
    """What a release was made from, in a run of its own; on a server, beside the other."""
    database = baskets.source.database
    if baskets.source.on_server:
        return read_beside(baskets, Source(original, database), tid=tid, item=item)
    engine = registry.HERE.name if baskets.source.pulled else pulling.IN_PLACE
    return read(original, tid=tid, item=item, database=database, engine=engine)


def query_beside(baskets: Baskets, query: exp.Query) -> Source:
    """What a query over relations of this run gives, as a source beside it."""
    text = render(query, baskets.session.backend.can.dialect)
    on_server = baskets.source.on_server
    return Source(text, baskets.source.database if on_server else None, connected=not on_server)


def source_beside(baskets: Baskets, name: str | Path) -> Source:
    """A file, where the data is one or the name is a file's; else a relation beside the data's."""
    text = _text(name)
    if baskets.source.is_file or is_file_name(text):
        return Source(text)
    return replace(baskets.source, name=text)


def _named(
    source: str | Path | Connection,
    table: str | None,
    database: str | Path | None,
) -> Source:
    connected = registry.by_connection(source) is not None
    for one in (source, table, database):
        if one is not None and not connected and not isinstance(one, str | Path):
            raise InputError(
                f"read takes a file, a glob, a relation of a database= or of a DuckDB connection, "
                f"not a {type(one).__name__}: write it to a Parquet file, or register it there"
            )
    if source is None:
        raise InputError("read takes a file, a glob, or an open DuckDB connection, not None")
    if connected and table is None:
        raise InputError("a connection was given without a table, view or query to read from it")
    if connected and database is not None:
        raise InputError("a connection and a database were given: name one of them")
    if not connected and table is not None:
        raise InputError(f"{table!r} needs a connection: to read a file, name it with database=")
    return Source(
        name=_text(table if connected else source),
        database=_text(database) if database is not None else None,
        connected=connected,
    )


def _text(name: object) -> str:
    """A name as text that can stand in a statement."""
    text = str(name)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{text!r}: its name is not UTF-8; rename it") from None
    if "\0" in text:
        raise InputError(f"{text!r}: a name cannot hold a NUL character")
    return text


def _number(
    session: Session, source: Source, shape: Shape, drop_nulls: bool, once: bool
) -> Baskets:
    """Give every transaction and item its number."""
    key, item = sql.column(shape.key or shape.line), sql.column(shape.item)
    nulls = sql.nulls_listed(key, item) if shape.lists else sql.nulls_long(key, item)
    cells_kept, without_key, without_item, dropped, *whole = session.one(nulls)
    _refuse_nulls(source, shape, without_key, without_item, drop_nulls)
    cells = cells_of(session, shape, "source")
    made = (sql.labels(cells), sql.baskets(cells), sql.occurrences(cells), sql.items())
    for step in made:
        session.create(step)
    items, transactions, occurrences, _ = session.sizes(*(step.name for step in made))
    repeated = whole[0] - transactions if whole else 0
    if repeated:
        merge_rows(session, source, shape, repeated)
    session.was_read()
    if not transactions:
        session.note(f"{source.name} holds no transactions")
    duplicates = max(0, cells_kept - occurrences)
    return Baskets(
        session,
        source,
        shape,
        transactions,
        items,
        occurrences,
        duplicates,
        dropped,
        once,
        repeated,
    )


def _refuse_nulls(
    source: Source, shape: Shape, without_key: int, without_item: int, drop_nulls: bool
) -> None:
    if drop_nulls or not without_key + without_item:
        return
    lacking = ((without_key, shape.key), (without_item, shape.item))
    said = " and ".join(f"{counted(n, 'row')} without {name!r}" for n, name in lacking if n)
    raise InputError(
        f"{source.name}: {said} (NULL); mend them, or leave them out with --drop-nulls"
    )
