"""PostgreSQL, in place: a run is one transaction, in a schema that is never committed.

Whatever ends the run (the end, an error, Ctrl-C, a killed client, a lost connection), the server
takes back all of it; a release becomes visible, as a whole, in the moment of the commit. Where the
role may not make schemas, the session's temporary one serves. Text is compared by code points, as
everywhere, whatever the collation of the database.
"""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import numpy as np
import psycopg
from psycopg import sql
from sqlglot import exp

from setveil.backends import Backend, Capabilities, Columns, Row, Value, names
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.postgres import catalog as postgres_catalog
from setveil.backends.postgres import copying as transfer
from setveil.backends.postgres import paths as postgres_paths
from setveil.backends.postgres import tables as postgres_tables
from setveil.backends.postgres.catalog import COLLATION, FOREIGN, PADDED, TYPE, UNORDERED, Attribute
from setveil.backends.postgres.paths import CATALOG, QUESTIONS, SETS, TEMPORARY
from setveil.backends.postgres.session import Shared, connected, drained, guarded, settings
from setveil.backends.server import Run, Server
from setveil.errors import InputError, QueryError, SetveilError
from setveil.run.inputs import Place
from setveil.sql.run.values import UNSCALED, plain, trimmed
from setveil.sql.step import render

DIALECT = "postgres"
RIGHTS = ("CREATE", "TEMP")  # on the database: to make schemas, and temporary tables
ELSEWHERE = "; or take the rows here with --engine duckdb"
SESSIONS_OWN = re.compile(r"pg_temp(_\d+)?")  # schemas
LONGEST = 63  # bytes of a name; what is longer would be cut off
LIKE = "setveil_like"  # a table with the columns of a release, and no rows
BACK = "ROLLBACK TO "  # an error before it leaves nothing else to be done
BLOCK = 2**20  # bytes that are sent at once

Derived = dict[str, exp.Column]  # what a column derives from the source, by its name

# Numbers of a fixed width, by the number of their type.
NUMBERS = {20: "int8", 21: "int2", 23: "int4", 700: "float4", 701: "float8"}


class Postgres(Server):
    """One run on one server."""

    engine = "PostgreSQL"
    listed = '{"a","b"}'
    can = Capabilities(
        dialect=DIALECT,
        posting_widths=(64, 512, 4096),
        lists=4.0,
        analyze=True,
        relation="UNLOGGED TABLE",
    )

    def __init__(
        self,
        url: str = "",
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        beside: Postgres | None = None,
        works: bool = True,
    ) -> None:
        """A run over a connection of its own, or over that of another run.

        One that does not work there, and is asked for rows or given some, needs no place for it.
        """
        if beside is None:
            self._shared = Shared(connected(url))
            chosen = settings(threads, memory_limit)
        else:
            self._shared, chosen = beside._shared, []
        self.threads, self.memory_limit = threads, memory_limit
        self._guest = beside is not None
        self._closed = False
        self.outside, self._path = self._shared.outside, QUESTIONS
        self._read: list[exp.Table] = []  # what is there, and must not be replaced
        self._source: exp.Expr | None = None  # what was named first
        try:
            self.run = self._place() if works else TEMPORARY
        except InputError:
            if not self._guest:
                self._shared.connection.close()
            raise
        if self.run == TEMPORARY:
            self.can = replace(self.can, relation="TABLE")
        self.inside = postgres_paths.inside(self.run)
        begin = [] if self._guest else ["BEGIN ISOLATION LEVEL REPEATABLE READ"]
        schema = [] if self.run == TEMPORARY else [f"CREATE SCHEMA {self.run}"]
        self.opening = [*begin, *chosen, *schema, self.outside]
        try:
            for statement in self.opening:
                self.execute("run", statement)
        except QueryError as error:
            self.close()
            if not error.refused:
                raise
            raise InputError(
                f"the server refuses to begin a run: {error.message}{ELSEWHERE if works else ''}"
            ) from error

    def _place(self) -> str:
        """The schema of the run."""
        granted = [f"HAS_DATABASE_PRIVILEGE(CURRENT_DATABASE(), '{one}')" for one in RIGHTS]
        names = ["CURRENT_DATABASE()", "CURRENT_USER", "CURRENT_SETTING('transaction_read_only')"]
        query = f"SELECT {', '.join(granted + names)}"  # noqa: S608
        ((schemas, temporary, database, role, only_read),) = self.rows("run", query)
        if only_read == "on":
            raise InputError(f"the server only reads, and a run makes tables there{ELSEWHERE}")
        if schemas:
            return f"setveil_{uuid.uuid4().hex[:12]}"
        if temporary and not self._guest:
            return TEMPORARY
        right = "CREATE" if temporary else "TEMP"
        grant = sql.SQL("GRANT {} ON DATABASE {} TO {}").format(
            sql.SQL(right), sql.Identifier(database), sql.Identifier(role)
        )
        lack = (
            "two runs side by side need a role that may make schemas"
            if temporary
            else "a run needs a role that may make temporary tables"
        )
        raise InputError(f"{lack}: {grant.as_string(self._shared.connection)}{ELSEWHERE}")

    def execute(self, name: str, statement: str) -> int:
        """Run a statement, or a few; answer how many rows the first made."""
        with self._cursor(name, statement) as cursor:
            return max(0, cursor.rowcount)

    def rows(self, name: str, statement: str) -> list[Row]:
        """A small answer, as rows."""
        with self._cursor(name, statement) as cursor:
            return cursor.fetchall()

    def columns(self, name: str, statement: str) -> Columns:
        """A long answer of numbers, as one array per column: a value of bytes for each."""
        answer = f"(\n{statement}\n) AS answer"
        with self._cursor(name, f"SELECT * FROM {answer} LIMIT 0") as cursor:  # noqa: S608
            kinds = {one.name: NUMBERS.get(one.type_code, "") for one in cursor.description or ()}
        if kinds and all(kinds.values()):
            shown = transfer.packed(kinds)
            with self._cursor(name, "") as cursor:
                text = f"SELECT {shown} FROM {answer}"  # noqa: S608
                ((count, *values),) = cursor.execute(text.encode(), binary=True).fetchall()
            if found := transfer.unpacked(kinds, count, values):
                return found
        rows = self.rows(name, statement)
        columns = zip(*rows, strict=True) if rows else ((),) * len(kinds)
        return {title: np.array(one) for title, one in zip(kinds, columns, strict=True)}

    def relation(self, name: str) -> exp.Expr:
        """What stands behind FROM: a table or view of exactly that name; else one query.

        The name may have its schema before it. What runs make is none of it.
        """
        found = self._standing(name)
        self._source = self._source or found
        return found

    def _standing(self, name: str) -> exp.Expr:
        found = postgres_catalog.relations(self._catalog, name, self._schemas())
        visible = [row for row in found if row[2]]
        if len(visible or found) == 1:
            schema, table, _ = (visible or found)[0]
            place = _exactly(schema, table)
            self._read.append(place)
            return place
        if found:
            shown = ", ".join(repr(f"{schema}.{table}") for schema, table, _ in found)
            raise InputError(f"{name!r} is in several places: name one of {shown}")
        if query := names.one_query(name, DIALECT):
            return query
        table = names.qualified(name, DIALECT)
        if table and postgres_catalog.is_there(self._catalog, render(table, DIALECT)):
            self._read.append(table)
            return table
        readable = postgres_catalog.readable(self._catalog)
        raise InputError(
            f"{name!r} is neither a table or view nor one query; the tables are: "
            f"{names.nearest(name, readable)}"
        )

    def _schemas(self) -> list[str]:
        """Where the caller's names are looked up, in this order."""
        query = f"SELECT {CATALOG}.CURRENT_SCHEMAS(TRUE) AS path"  # noqa: S608
        with self._cursor("source", query, self.outside) as cursor:
            ((schemas,),) = cursor.fetchall()
        return list(schemas)

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The columns of a relation: `list` with the kind of its elements, if it is one."""
        described = self._given if self._path == self.outside else self._described
        return {name: kind for name, (kind, _) in described(relation).items()}

    def _given(self, relation: exp.Expr) -> dict[str, tuple[str, int]]:
        """The same of what is the caller's: it can have types that are of others."""
        found = self._described(relation, self.outside)
        numbers = self._numbers(relation, list(found), TYPE, self.outside)
        foreign = postgres_catalog.foreign(self._catalog, set(numbers))
        for name, number in zip(list(found), numbers, strict=True):
            if number in foreign:
                lists = "list " if found[name][0].startswith("list ") else ""
                found[name] = f"{lists}{FOREIGN}", -1
        return found

    def _described(self, relation: exp.Expr, path: str | None = None) -> dict[str, tuple[str, int]]:
        """The kind of every column, and its modifier: of decimals, how many digits they have."""
        query = exp.Select().select(exp.Star()).from_(relation.copy()).limit(0)
        with self._cursor("source", "", path) as cursor:
            # The protocol that answers in binary form takes one statement and no more, whatever
            # our parser saw in the caller's text.
            cursor.execute(render(query, DIALECT).encode(), binary=True)
            described = [(one.name, one.type_code) for one in cursor.description or ()]
            result = cursor.pgresult
            modifiers = [result.fmod(n) if result else -1 for n in range(len(described))]
        kinds = postgres_catalog.kinds(self._catalog, {oid for _, oid in described})
        return {
            name: (postgres_catalog.scaled(kinds[oid], modifier), modifier)
            for (name, oid), modifier in zip(described, modifiers, strict=True)
        }

    def _catalog(self, query: LiteralString, values: Mapping[str, object]) -> list[Row]:
        """What the server says of itself: no part of a trail."""
        with self._cursor("source", "", QUESTIONS) as cursor:
            return cursor.execute(query, values).fetchall()

    def among_others(self, query: exp.Select) -> exp.Select:
        """Each name of ours is told exactly: whatever else is on the caller's path, it is meant."""
        return postgres_paths.exact(query) if self.can.dialect == DIALECT else query

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, as another run of the connection finds it."""
        return exp.table_(relation, db=self.run)

    def can_see(self, other: Backend) -> bool:
        """What is not committed is only seen in its own transaction."""
        return isinstance(other, Postgres) and other._shared is self._shared

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """Text by code points, whatever the collation it comes with; of 1.0 and 1.00, 1.

        What has no order has that of its text, and so has an ENUM.
        """
        if kind.endswith(UNSCALED):
            return trimmed(column, kind)
        if not kind.endswith(("varchar", "enum", UNORDERED)):
            return plain(column, kind)
        text: exp.Expr = column.copy()
        if kind.endswith(FOREIGN):
            text = transfer.as_text(column, kind)
        elif kind.endswith(PADDED) or not kind.endswith("varchar"):
            texts = "TEXT[]" if kind.startswith("list ") else "TEXT"
            text = exp.cast(text, exp.DataType.build(texts, DIALECT))
        collated = exp.Collate(this=text, expression=exp.column("C", quoted=True))
        return exp.alias_(collated, column.name, quoted=True)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """A table of text that the caller gave, by columns, as data: no SQL holds it."""
        shown = sql.SQL(", ").join(
            sql.SQL('{} TEXT COLLATE "C"').format(sql.Identifier(one)) for one in titles
        )
        named = sql.Identifier(self.run, table)
        created = sql.SQL("CREATE TABLE {} ({})").format(named, shown)
        connection = self._shared.connection
        self.execute(table, created.as_string(connection))
        copied = sql.SQL("COPY {} FROM STDIN").format(named).as_string(connection)
        with self._cursor(table, "") as cursor:
            with cursor.copy(copied.encode()) as copy:
                for row in zip(*columns, strict=True):
                    copy.write_row(row)

    def of_file(self, table: str, columns: dict[str, bool], path: str) -> list[str]:
        named = [render(exp.column(one, quoted=True), DIALECT) for one in columns]
        made = ", ".join(f'{one} TEXT COLLATE "C"' for one in named)
        file = render(exp.Literal.string(path), DIALECT)
        return [
            f"CREATE TABLE {table} ({made})",
            f"\\copy {table} ({', '.join(named)}) FROM {file} CSV HEADER",
        ]

    def is_table(self, table: exp.Table) -> bool:
        return postgres_catalog.is_plain(self._catalog, table.db, table.name)

    def is_safe_type(self, kind: str) -> bool:
        query = "SELECT TO_REGTYPE(%(kind)s)::OID::BIGINT"
        ((found,),) = self._catalog(query, {"kind": kind})
        return found is not None and not postgres_catalog.foreign(self._catalog, {found})

    def check_table(self, table: str, force: bool) -> None:
        """By making it, and taking that back; one that is replaced would be locked meanwhile."""
        place = self._new_table(table)
        made = render(place, DIALECT)
        if force and postgres_catalog.is_there(self._catalog, made):
            if dependent := postgres_tables.dependents(self._catalog, place):
                postgres_tables.refuse_obstacles(self._catalog, place, table, dependent)
            return
        self.execute("publish", "SAVEPOINT trial")
        try:
            with self._making(place, table, [], False, lambda text: None):
                self.execute("publish", f"CREATE TABLE {made} ()")
        finally:
            self.execute("publish", "ROLLBACK TO SAVEPOINT trial")

    def as_released(self, query: exp.Query, own: Collection[str]) -> exp.Query:
        """Text with the collation of the source's column, the default where it has none.

        What was compared by its text is of its own type again, unless that lists values. Rows keep
        their order.
        """
        released = query.subquery("r")
        kinds = self._described(released)
        texts = [name for name, (kind, _) in kinds.items() if kind.endswith("varchar")]
        of_source, collations = self._given_as([name for name in texts if name in own])
        types = self._derived(released, list(kinds), TYPE) | of_source
        plain = postgres_catalog.plain_types(self._catalog, types)
        default = _in_schema(CATALOG, "default")
        shown = []
        for name in kinds:
            value: exp.Expr = exp.column(name, table="r", quoted=True)
            if name in plain:
                value = exp.Cast(this=value, to=_kind(plain[name]))
            elif name in of_source:
                value = exp.Cast(this=value, to=of_source[name])
            collated = name not in of_source or plain.get(name, "").startswith("text")
            if name in texts and collated:
                value = exp.Collate(this=value, expression=collations.get(name, default).copy())
            shown.append(value.as_(name, quoted=True))
        return exp.Select().select(*shown).from_(released)

    def _given_as(self, columns: list[str]) -> tuple[Derived, Derived]:
        """The types of the source's columns that are no text, and the collations of the others."""
        if self._source is None or not columns:
            return {}, {}
        kinds = {name: kind for name, (kind, _) in self._given(self._source).items()}
        texts = [name for name in columns if kinds[name].endswith("varchar")]
        collated = [name for name in texts if not kinds[name].endswith(FOREIGN)]
        others = [name for name in columns if kinds[name].endswith(UNORDERED)]
        return (
            self._derived(self._source, others, TYPE, self.outside),
            self._derived(self._source, collated, COLLATION, self.outside),
        )

    def merging(self, relation: exp.Expr, columns: list[str]) -> list[str]:
        """A collation that is not deterministic takes different texts for equal."""
        kinds = self._given(relation) if columns else {}
        texts = [name for name in columns if not kinds[name][0].endswith(FOREIGN)]
        found = self._derived(relation, texts, COLLATION)
        loose = postgres_catalog.loose_collations(self._catalog) if found else set()
        return [name for name, one in found.items() if (one.table, one.name) in loose]

    def _derived(
        self, source: exp.Expr, columns: list[str], attribute: Attribute, path: str | None = None
    ) -> Derived:
        numbers = self._numbers(source, columns, attribute, path)
        found = postgres_catalog.named(self._catalog, attribute, numbers)
        return {
            column: _in_schema(*found[number])
            for column, number in zip(columns, numbers, strict=True)
            if number in found
        }

    def _numbers(
        self, source: exp.Expr, columns: list[str], attribute: Attribute, path: str | None
    ) -> list[int]:
        """Of each column the number of what it has."""
        if not columns:
            return []
        text = render(attribute.of_columns(source, columns), DIALECT)
        with self._cursor("source", "", path) as cursor:  # in the protocol for one statement
            (numbers,) = cursor.execute(text.encode(), binary=True).fetchall()
        return list(numbers)

    @contextlib.contextmanager
    def published(
        self, query: exp.Query, table: str, force: bool, run: Callable[[str], None]
    ) -> Iterator[None]:
        """Make the table, in the same transaction as the run; it stays if the block ends well."""
        place = self._new_table(table)
        with self._taken_back():
            kept = postgres_tables.dependents(self._catalog, place) if force else []
            with self._making(place, table, kept, force, run):
                tree: exp.Expr = exp.Create(this=place, kind="TABLE", expression=query)
                if kept:
                    like = f"CREATE TEMP TABLE {LIKE} AS\n{render(query, DIALECT)}\nWITH NO DATA"
                    self._empty(place, table, kept, like, run)
                    tree = exp.Insert(this=place, expression=query)
                run(render(tree, DIALECT))
                self._forget_old(place, table, kept)
            yield
            for statement in self.closing(published=True):
                run(statement)

    @contextlib.contextmanager
    def _taken_back(self) -> Iterator[None]:
        """What fails in the block is undone, and the run can go on."""
        self.execute("publish", "SAVEPOINT publish")
        try:
            yield
        except SetveilError:
            if not self._shared.connection.closed:
                self.execute("publish", "ROLLBACK TO SAVEPOINT publish")
            raise

    @contextlib.contextmanager
    def _making(
        self,
        place: exp.Table,
        table: str,
        kept: list[str],
        force: bool,
        run: Callable[[str], object],
    ) -> Iterator[None]:
        """What the block makes takes the table's name, if that is free or by force.

        Whoever was granted something on a table that is replaced has it again. It stays where
        something depends on it, which is `kept`.
        """
        replaced = force and not kept
        try:
            granted = postgres_catalog.granted(self._catalog, place) if replaced else []
            if replaced:
                run(f"DROP TABLE IF EXISTS {render(place, DIALECT)}")
            yield
            held = postgres_catalog.columns_held(self._catalog, place) if granted else set()
            for column, grant in granted:
                if column is None or column in held:
                    self.execute("publish", grant)
        except QueryError as error:
            if isinstance(error.__cause__, psycopg.errors.DuplicateTable):
                raise InputError(
                    f"{table!r} exists: choose another name, or --force to overwrite it"
                ) from error
            if error.refused or isinstance(error.__cause__, psycopg.errors.IntegrityError):
                raise InputError(f"{table!r} cannot be made: {error.message}") from error
            raise

    def _empty(
        self,
        place: exp.Table,
        table: str,
        kept: list[str],
        like: str,
        run: Callable[[str], object],
    ) -> None:
        """Take the rows out of a table that must stay, if it has the columns of the release."""
        named = render(place, DIALECT)
        self.execute("publish", f"LOCK TABLE {named} IN ACCESS EXCLUSIVE MODE")
        postgres_tables.refuse_obstacles(self._catalog, place, table, kept)
        self.execute("publish", like)
        made = exp.table_(LIKE, db=TEMPORARY)
        postgres_tables.refuse_others(self._catalog, place, made, table, kept)
        self.execute("publish", f"DROP TABLE {TEMPORARY}.{LIKE}")
        run(f"TRUNCATE TABLE ONLY {named}")

    def _forget_old(self, place: exp.Table, table: str, kept: list[str]) -> None:
        """Nothing that a kept table says of the rows before stays: no comment, no statistic."""
        if not kept:
            return
        named = render(place, DIALECT)
        if not self.rows("publish", f"SELECT 1 AS one FROM {named} LIMIT 1"):  # noqa: S608
            raise InputError(
                f"{table!r} cannot be replaced, as {kept[0]} depends on it; and without a row, it "
                "would keep the statistics of those before: choose another name"
            )
        comments = postgres_tables.uncommenting(self._catalog, place)
        for statement in [f"ANALYZE {named}", *comments]:
            self.execute("publish", statement)

    def closing(self, *, published: bool) -> list[str]:
        """What is published stays, and nothing else."""
        if not published:
            return ["ROLLBACK"]
        gone = "DISCARD TEMP" if self.run == TEMPORARY else f"DROP SCHEMA {self.run} CASCADE"
        return [gone, "COMMIT"]

    def _new_table(self, text: str) -> exp.Table:
        """Where a release goes: never to where data was read from."""
        place = self._named(text)
        if len(place.name.encode()) > LONGEST:
            raise InputError(f"{text!r}: a name has at most {LONGEST} bytes in PostgreSQL")
        if any(SESSIONS_OWN.fullmatch(schema) for schema in _parts(place)[:-1]):
            raise InputError(
                f"{text!r} would be gone with the session: name a schema whose tables stay"
            )
        if _parts(place) in {*map(_parts, self._read), *self.read_so_far(), *self.pulled}:
            raise InputError(f"{text!r} is what the data was read from: choose another name")
        return place

    def read_so_far(self) -> set[Place]:
        return set(postgres_catalog.tables_read(self._catalog))

    def _named(self, text: str) -> exp.Table:
        """A name with its schema, or one alone: in the first schema of the caller's that exists."""
        if '"' not in text:
            for schema in postgres_catalog.schemas_of(self._catalog, text):
                return _exactly(schema, text[len(schema) + 1 :])
        if place := names.qualified(text, DIALECT):
            return place
        query = f"SELECT {CATALOG}.CURRENT_SCHEMA() AS name"  # noqa: S608
        with self._cursor("publish", query, self.outside) as cursor:
            ((schema,),) = cursor.fetchall()
        if schema is None:
            raise InputError(f"{text!r}: name its schema too, as schema.table")
        return _exactly(schema, text)

    @contextlib.contextmanager
    def given(self, local: DuckDB, query: exp.Query, table: str, force: bool) -> Iterator[None]:
        """By a COPY of text, in the same transaction as the table is made."""
        place = self._new_table(table)
        self._path = QUESTIONS  # what is read was read: the types of columns are the server's
        with self._taken_back():
            with local.private_file() as path:
                columns = transfer.written(local, query, path)
                kept = postgres_tables.dependents(self._catalog, place) if force else []
                with self._making(place, table, kept, force, self._publish):
                    made = exp.Schema(
                        this=exp.table_(LIKE, db=TEMPORARY) if kept else place, expressions=columns
                    )
                    create = render(exp.Create(this=made, kind="TABLE"), DIALECT)
                    if kept:
                        self._empty(place, table, kept, create, self._publish)
                    else:
                        self._publish(create)
                    self._copy_in(render(place, DIALECT), path)
                    self._forget_old(place, table, kept)
            yield
            for statement in self.closing(published=True):
                self.execute("publish", statement)

    def _publish(self, statement: str) -> None:
        self.execute("publish", statement)

    def _copy_in(self, named: str, path: Path) -> None:
        statement = f"COPY {named} FROM STDIN (FORMAT csv, NULL '{transfer.NULL}')"
        with self._cursor("publish", "") as cursor:
            with cursor.copy(statement.encode()) as copy, path.open("rb") as file:
                while block := file.read(BLOCK):
                    copy.write(block)

    def exactly(self, relation: exp.Expr) -> tuple[exp.Select, dict[str, str]]:
        """Numbers of any scale as whole ones, if they are; as text they would not be numbers."""
        columns = self._given(relation)
        texts = {
            name: kind
            for name, (kind, modifier) in columns.items()
            if transfer.is_text_in_duckdb(kind, modifier)
        }
        numbers = sorted(name for name, kind in texts.items() if kind.startswith("decimal"))
        whole: set[str] = set()
        if numbers:
            asked = exp.Select().select(*map(transfer.is_whole, numbers))
            asked = asked.from_(exp.alias_(relation.copy(), "r", table=True))
            (found,) = self.rows("source", render(postgres_paths.exact(asked), DIALECT))
            whole = {name for name, yes in zip(numbers, found, strict=True) if yes}
        shown = [
            transfer.as_whole(name) if name in whole else exp.column(name, quoted=True)
            for name in columns
        ]
        left = {name: kind for name, kind in texts.items() if name not in whole}
        return postgres_paths.exact(exp.Select().select(*shown).from_(relation)), left

    def take(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        """By a COPY of text, through a file beside the other spilled data."""
        taken = query.subquery("taken")
        of_caller = self._path == self.outside
        columns = self._given(taken) if of_caller else self._described(taken)
        text = transfer.copied(query, columns, of_caller=of_caller)
        with local.private_file() as path:
            run(text, lambda name, statement: self._copy_out(name, statement, path))
            transfer.received(local, relation, path, columns)

    def _copy_out(self, name: str, statement: str, path: Path) -> int:
        with self._cursor(name, "") as cursor, path.open("wb") as file:
            with cursor.copy(statement.encode()):
                return drained(self._shared.connection, file)

    def beside(self, note: Callable[[str], None]) -> Postgres:
        """A second run over the same connection, in a schema of its own."""
        return Postgres(beside=self)

    def version(self) -> dict[str, str]:
        told = self._shared.connection.info.parameter_status("server_version")
        return {"postgresql": told or ""}

    def interrupt(self) -> None:
        self._shared.interrupted = True
        self._shared.connection.cancel_safe(timeout=5)

    def close(self) -> None:
        """Take the run back. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self.close_local()
        if not self._guest:
            self._shared.connection.close()
        elif self._shared.usable:
            self.execute("run", f"DROP SCHEMA {self.run} CASCADE")

    @contextlib.contextmanager
    def _cursor(
        self, name: str, statement: str, path: str | None = None
    ) -> Iterator[psycopg.Cursor[Row]]:
        """The cursor on which the statement was run, with names looked up where this run does.

        Or on another path, for what is asked meanwhile.
        """
        shared, path = self._shared, path or self._path
        if shared.ended:
            raise InputError("the run ended with its release: read the data once more")
        with guarded(name, statement, shared), shared.connection.cursor() as cursor:
            if statement.startswith(SETS):
                self._follow(statement)
            elif shared.path != path and not statement.startswith(BACK):
                cursor.execute(path.encode())
                shared.path = path
            if statement:
                cursor.execute(statement.encode())
            if statement.startswith(BACK):
                shared.path = ""  # it went back too
            yield cursor
            shared.ended = statement == "COMMIT"

    def _follow(self, statement: str) -> None:
        """From here on names are looked up there: on a path of the caller's or of a run."""
        if statement != self.outside and not postgres_paths.OF_A_RUN.fullmatch(statement):
            raise InputError(
                f"a run is to take place on another path than that of this role ({statement}): "
                "begin it as the role that it was of, or with this path in PGOPTIONS"
            )
        self._shared.path = self._path = statement


def _kind(told: str) -> exp.Expr:
    """A type as the server tells it, in the parser's words, unless those mean another."""
    if told.startswith(("bit varying", "interval")):
        return exp.Var(this=told)
    return exp.DataType.build(told, DIALECT, udt=True)


def _in_schema(schema: str, name: str) -> exp.Column:
    return exp.column(name, table=schema, quoted=True)


def _parts(place: exp.Table) -> tuple[str, ...]:
    """The names of a table and its schema as the server understands them."""
    return tuple(one.name if one.args.get("quoted") else one.name.lower() for one in place.parts)


def _exactly(schema: str, table: str) -> exp.Table:
    """A table by its name and that of its schema, letter by letter."""
    return exp.table_(
        exp.to_identifier(table, quoted=True), db=exp.to_identifier(schema, quoted=True)
    )
