"""Copy rows to and from PostgreSQL: by COPY, in the transaction of the run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from psycopg import sql
from sqlglot import exp

from setveil.backends import Value
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.postgres import copying as transfer
from setveil.backends.postgres import paths as postgres_paths
from setveil.backends.postgres import tables as postgres_tables
from setveil.backends.postgres.naming import DIALECT
from setveil.backends.postgres.paths import QUESTIONS, TEMPORARY
from setveil.backends.postgres.publishing import LIKE, Publishing
from setveil.backends.postgres.session import drained
from setveil.backends.server import Run
from setveil.sql.step import render

BLOCK = 2**20  # bytes per message to the server


class Transferring(Publishing):
    """A run that copies rows to and from its server."""

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        """Make a table from texts of the caller, sent by COPY: no SQL contains them."""
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

    @contextlib.contextmanager
    def send_table(
        self, local: DuckDB, query: exp.Query, table: str, force: bool, *, inside: bool = False
    ) -> Iterator[None]:
        """Make a table from rows in DuckDB, by a COPY in the transaction that makes the table."""
        place = self._new_table(table)
        self._path = QUESTIONS  # no source is read any more, and all types are the server's
        with self._undone_on_error(inside=inside):
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
            for statement in [] if inside else self.closing(published=True):
                self.execute("publish", statement)

    def _publish(self, statement: str) -> None:
        self.execute("publish", statement)

    def _copy_in(self, named: str, path: Path) -> None:
        statement = f"COPY {named} FROM STDIN (FORMAT csv, NULL '{transfer.NULL}')"
        with self._cursor("publish", "") as cursor:
            with cursor.copy(statement.encode()) as copy, path.open("rb") as file:
                while block := file.read(BLOCK):
                    copy.write(block)

    def fetch_query(self, relation: exp.Expr) -> tuple[exp.Select, dict[str, str]]:
        """The query that copies a relation to DuckDB, and the types of columns that become text.

        A column of numbers without a scale becomes a DECIMAL, if all its numbers are whole.
        """
        columns = self._described_for_caller(relation)
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

    def fetch(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        """Copy the rows of a query into DuckDB, by a COPY through a private file."""
        taken = query.subquery("taken")
        of_caller = self._path == self.outside
        columns = self._described_for_caller(taken) if of_caller else self._described(taken)
        text = transfer.copied(query, columns, of_caller=of_caller)
        with local.private_file() as path:
            run(text, lambda name, statement: self._copy_out(name, statement, path))
            transfer.received(local, relation, path, columns)

    def _copy_out(self, name: str, statement: str, path: Path) -> int:
        with self._cursor(name, "") as cursor, path.open("wb") as file:
            with cursor.copy(statement.encode()):
                return drained(self._shared.connection, file)
