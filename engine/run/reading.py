"""Read transactions into a run: items and transactions get numbers, occurrences are pairs.

A transaction is a set: duplicate rows are one occurrence, and are counted. NULL in the transaction
or the item column is an error with its number of rows, unless such rows are dropped. An empty list,
or an empty line of a basket file, is a transaction without items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.backends import Backend, Capabilities, Row, registry
from setveil.backends.local import Connection, interruptible
from setveil.backends.opening import open_here, open_server
from setveil.errors import InputError
from setveil.run.files import frames, pulling
from setveil.run.files.frames import Frame
from setveil.run.files.reading import load
from setveil.run.files.source import Source, is_file_name
from setveil.run.merging import merge_rows, replace_source
from setveil.run.persons import Owners, check_guests, number_persons
from setveil.run.renumbering import put_back
from setveil.run.results.tabled import Shown
from setveil.run.roles.keys import Tid, key_columns, split_keys
from setveil.run.session import Session, Trace
from setveil.run.shape import NUMBERED, Carry, Shape
from setveil.run.slices.promise import Appending
from setveil.run.words import counted, printable
from setveil.sql.dialects import EXPORTS
from setveil.sql.run import persons as persons_sql
from setveil.sql.run import reading as sql
from setveil.sql.step import render
from setveil.trail.course import Course

if TYPE_CHECKING:
    from setveil.run.slices.selecting import Slice

Note = Callable[[str], None]


def _silent(text: str) -> None:
    """Drop the text: by default the library prints nothing."""


@dataclass(frozen=True, slots=True, repr=False)
class Baskets(Shown):
    """Transactions in a run, ready for a model. Close them, or use them as a context manager."""

    session: Session
    source: Source
    shape: Shape
    transactions: int
    items: int
    occurrences: int
    duplicates: int
    dropped: int
    once: bool = False  # True: only one release is made, and large relations are dropped early
    repeated: int = 0  # rows that were merged into an earlier row of their transaction
    persons: int | None = None  # persons with a transaction; None: transactions are counted
    most: int = 1  # the most transactions of one person
    guests: str | None = None  # how transactions without a person were read
    left_out: int = 0  # transactions without a person that were left out
    slice: Slice | None = None  # the new slice of a target that the transactions are
    restored: bool = False  # ids were replaced by numbers, and returned with a key

    def lines(self) -> Iterator[str]:
        sizes = (
            counted(self.transactions, "transaction"),
            counted(self.items, "item"),
            counted(self.occurrences, "occurrence"),
        )
        yield f"{printable(self.source.name)}: {', '.join(sizes)}"
        ids = "each row is a transaction" if self.shape.key is None else f"ids: {self.shape.ids}"
        yield f"{ids}; items: {self.shape.item}"
        yield "transactions are counted" if self.persons is None else f"{self.persons:,} persons"

    def head_of_table(self, most: int) -> tuple[Sequence[str], Sequence[Row]]:
        """No table: the rows of the source are nobody's to see here."""
        return (), ()

    def close(self) -> None:
        """Drop the run. Its releases can no longer be written."""
        if self.slice is not None:
            self.slice.close()
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
        """The column of `source` that identifies transactions."""
        return sql.column(self.shape.key or self.shape.line)

    @property
    def owners(self) -> exp.Expr | None:
        """The rows (key, person) of transactions; None if transactions are counted."""
        return None if self.persons is None else exp.to_table("owner")


def owners_of(baskets: Baskets) -> exp.Expr | None:
    """The rows (key, person) of these baskets, named so that another run can read them."""
    return None if baskets.persons is None else baskets.session.backend.of_run("owner")


def cells_of(session: Session, shape: Shape, relation: str) -> exp.Expr:
    """One row (key, name) per transaction and item of `source`, or of `release`.

    A generalized release has rows (key, name, level): a node is a level and a name.
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
    source: str | Path | Connection | Frame,
    table: str | None = None,
    *,
    tid: Tid | None = None,
    item: str = "item",
    person: str | None = None,
    guests: str | None = None,
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
    append: Appending | None = None,
    course: Course | None = None,
) -> Baskets:
    """Read a file or glob, a relation of a database or of an open connection, or a frame.

    `source` is a path; with `database`, a table, view or query in that database; a DuckDB
    connection, with its relation in `table`; or a frame with an Arrow stream (pandas, Polars,
    Arrow, a DuckDB relation), whose index is not read. `tid` is the column of transaction ids,
    or a list of several (default "tid"; a LIST column needs none), `item` the column of items,
    `person` the column of persons: with it, promises count persons. With guests="own" a
    transaction without a person is of a person of its own. `carry` lists other columns to publish,
    or is "all". `key` is the key of a renumbered release, which is then read with its old ids.

    `note` is called with limits of the promise, `chat` with other notes (default: `note`). With
    `explain` no data is read: the session only collects the statements, in the given `dialect`,
    which is not tested. With `once` the baskets serve a single release, and large relations are
    dropped as soon as possible.

    A server works on its own data; with engine="duckdb" its rows are copied to this machine. Rows
    on a server have no order, so a LIST column needs transaction ids there. `by_row` takes each row
    for itself, as `rename --undo` does with results. `memory_limit` is 60 % of the free memory by
    default. A search that needs more is refused before it begins, unless `force_large`.
    `append` is the target of `setveil.append`: only transactions that it lacks are read. `course`
    is told each statement, for those who show how far a run is.
    """
    named = _named(source, table, database)
    check_guests(person, guests)
    if pulling.copies_here(engine, named.on_server):
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
            backend,
            trace=trace,
            note=note,
            chat=chat,
            dry=explain,
            force_large=force_large,
            course=course,
        )
        try:
            own = NUMBERED if key is not None and len(key_columns(tid)) > 1 else tid
            shape = load(session, named, own, item, by_row=by_row, carry=carry, person=person)
            if key is not None:
                shape = _with_ids(session, named, shape, tid, key)
            owners = Owners(drop_nulls, guests)
            if append is not None:
                found = _sliced(session, named, shape, owners, append)
            else:
                found = _number(session, named, shape, owners, once)
            if found.shape.others and not by_row:
                _note_carried(found)
            return replace(found, restored=key is not None)
        except BaseException:
            session.close()
            raise


def _note_carried(baskets: Baskets) -> None:
    from setveil.run.roles.columns import note_carried  # which few runs need, and reads this module

    note_carried(baskets)


def _sliced(
    session: Session, source: Source, shape: Shape, owners: Owners, append: Appending
) -> Baskets:
    """Number the transactions that no slice of a target has."""
    from setveil.run.slices.selecting import begin_slice  # which few runs need

    new = begin_slice(session, source, shape, append, owners)
    try:
        return replace(_number(session, source, shape, owners, False, sliced=True), slice=new)
    except BaseException:
        new.close()
        raise


def _with_ids(
    session: Session, source: Source, shape: Shape, tid: Tid | None, key: str | Path
) -> Shape:
    """Replace numbers by ids; return the shape, which knows the columns of ids in the source."""
    put_back(session, source, shape, key)
    columns = key_columns(tid)
    return replace(shape, origin=columns if len(columns) > 1 else ())


def _exported(dialect: str, explain: bool) -> Capabilities:
    """The capabilities that are assumed of another database."""
    if dialect not in EXPORTS:
        raise InputError(f"--dialect {dialect!r} is none of {', '.join(EXPORTS)}")
    if not explain:
        raise InputError("--dialect shows the statements of another database: add --explain")
    return Capabilities(dialect=dialect, posting_widths=(63,))


def read_beside(
    baskets: Baskets,
    source: Source,
    *,
    tid: Tid | None = None,
    item: str = "item",
    drop_nulls: bool = False,
    trace: Trace | None = None,
    key: str | Path | None = None,
    owners: exp.Expr | None = None,
    person: str | None = None,
    guests: str | None = None,
    carry: Carry = (),
) -> Baskets:
    """Read a second source into the database of a run, so that queries can compare both.

    `owners` has the rows (key, person) of its transactions, unless it has a column of persons.
    Close it before the first.
    """
    with interruptible():
        session = _second(baskets, trace)
        try:
            own = NUMBERED if key is not None and len(key_columns(tid)) > 1 else tid
            shape = load(session, source, own, item, carry=carry, person=person)
            if key is not None:
                shape = _with_ids(session, source, shape, tid, key)
            whose = Owners(drop_nulls, guests, owners)
            found = _number(session, source, shape, whose, False)
            return replace(found, restored=key is not None)
        except BaseException:
            session.close()
            raise


def session_beside(baskets: Baskets) -> Session:
    """A run beside these baskets that has read nothing: its queries can name their relations."""
    session = _second(baskets, None)
    session.run("run", "from here on, names are relations of the run", session.backend.inside)
    return session


def _second(baskets: Baskets, trace: Trace | None) -> Session:
    run = baskets.session
    return Session(
        run.backend.beside(run.note if baskets.source.on_server else run.chat),
        trace=trace,
        note=run.note,
        chat=run.chat,
        dry=run.dry,
        inputs=run.inputs,
        force_large=run.force_large,
        course=run.course,
    )


def read_original(
    baskets: Baskets, original: str, *, tid: Tid | None = None, item: str = "item"
) -> Baskets:
    """Read the original of a release in a run of its own; on a server, in the same database."""
    database = baskets.source.database
    if baskets.source.on_server:
        return read_beside(baskets, Source(original, database), tid=tid, item=item)
    engine = registry.HERE.name if baskets.source.pulled else pulling.IN_PLACE
    course = baskets.session.course
    return read(original, tid=tid, item=item, database=database, engine=engine, course=course)


def query_beside(baskets: Baskets, query: exp.Query) -> Source:
    """A source with the rows of a query over relations of this run."""
    text = render(query, baskets.session.backend.can.dialect)
    on_server = baskets.source.on_server
    return Source(text, baskets.source.database if on_server else None, connected=not on_server)


def source_beside(baskets: Baskets, name: str | Path) -> Source:
    """A file if the data is a file or the name is a file's; else a relation of its database."""
    text = _text(name)
    if baskets.source.beside_files or is_file_name(text):
        return Source(text)
    return replace(baskets.source, name=text)


def _named(
    source: str | Path | Connection | Frame,
    table: str | None,
    database: str | Path | None,
) -> Source:
    connected = registry.by_connection(source) is not None
    frame = source if not connected and frames.is_frame(source) else None
    for one in (source, table, database):
        given = one is not None and one is not frame
        if given and not (connected and one is source) and not isinstance(one, str | Path):
            frames.refuse_other(one)
    if frame is not None and (table is not None or database is not None):
        raise InputError("a frame has all rows: leave table and database out")
    if source is None:
        raise InputError("read takes a file, a glob, an open DuckDB connection or a frame")
    if connected and table is None:
        raise InputError("a connection needs the table, view or query to read from it")
    if connected and database is not None:
        raise InputError("a connection and a database exclude each other: give one of them")
    if not connected and table is not None:
        raise InputError(f"{table!r} needs a connection: to read a file, name it with database=")
    return Source(
        name=frames.FRAME if frame is not None else _text(table if connected else source),
        database=_text(database) if database is not None else None,
        connected=connected,
        frame=frame,
    )


def _text(name: object) -> str:
    """A name as text that a statement can hold."""
    text = str(name)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{text!r}: its name is not UTF-8; rename it") from None
    if "\0" in text:
        raise InputError(f"{text!r}: a name cannot hold a NUL character")
    return text


def _number(
    session: Session,
    source: Source,
    shape: Shape,
    owners: Owners,
    once: bool,
    *,
    sliced: bool = False,
) -> Baskets:
    """Give every transaction and item a number."""
    itemless = leave_out_itemless(session, shape) if owners.drop_nulls and not shape.lists else 0
    with_persons = shape.person is not None or owners.known is not None
    left_out = number_persons(session, source, shape, owners) if with_persons else 0
    key, item = sql.column(shape.key or shape.line), sql.column(shape.item)
    nulls = sql.nulls_listed(key, item) if shape.lists else sql.nulls_long(key, item)
    cells_kept, without_key, without_item, dropped, *whole = session.one(nulls)
    _refuse_nulls(source, shape, without_key, without_item, owners.drop_nulls)
    session.suppose("source", cells_kept)
    cells = cells_of(session, shape, "source")
    made = (
        sql.labels(cells),
        sql.baskets(cells, persons=with_persons),
        sql.occurrences(cells),
        sql.items(persons=with_persons),
    )
    for step in made:
        session.create(step)
    items, transactions, occurrences, _ = session.sizes(*(step.name for step in made))
    repeated = whole[0] - transactions if whole else 0
    if repeated:
        merge_rows(session, source, shape, repeated)
    persons, most = session.one(persons_sql.numbers()) if with_persons else (None, 1)
    split_keys(session, shape)
    session.was_read()
    if not transactions and not sliced:
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
        dropped + itemless,
        once,
        repeated,
        persons,
        most,
        owners.guests,
        left_out,
    )


def leave_out_itemless(session: Session, shape: Shape, relation: str = "source") -> int:
    """Leave rows without an item out of `source`, and return their number.

    In long form a transaction is its rows. One without any item is in no release, and would still
    count as a transaction, or as the only one of a person.
    """
    item = sql.column(shape.item)
    (rows,) = session.one(sql.itemless(item, relation))
    if rows:
        step = sql.with_item(shape.stored, item, relation)
        replace_source(session, step, "rows without an item make no transaction", relation)
    return int(rows)


def _refuse_nulls(
    source: Source, shape: Shape, without_key: int, without_item: int, drop_nulls: bool
) -> None:
    if drop_nulls or not without_key + without_item:
        return
    lacking = ((without_key, shape.ids), (without_item, shape.item))
    said = " and ".join(f"{counted(n, 'row')} without {name!r}" for n, name in lacking if n)
    raise InputError(
        f"{source.name}: {said} (NULL); correct them, or leave them out with --drop-nulls"
    )
