"""Append slices to a table of PostgreSQL, with a ledger in its schema.

A run is one transaction, so the slice and the ledger are committed together. Tables that another
role owns, or that would run code of others, are refused: a ledger says what may be released.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlglot import exp

from setveil.backends.postgres import catalog as postgres_catalog
from setveil.backends.postgres import tables as postgres_tables
from setveil.backends.postgres.naming import DIALECT, _exactly, _parts
from setveil.backends.postgres.publishing import Publishing
from setveil.errors import InputError
from setveil.sql.step import render

INDEX = "number_once"  # of two runs at once, only one can add the next digest to a ledger


class Appending(Publishing):
    """A run that adds rows to tables of the caller."""

    appends = True
    together = True

    def target(self, text: str) -> exp.Table:
        """The table of this name, with its schema; one that was read is refused."""
        self._new_table(text)
        return self.known(text)

    def known(self, text: str) -> exp.Table:
        """The table of this name, with its schema, whether it was read or not."""
        *above, name = _parts(self._named(text))
        if len(above) != 1:
            raise InputError(f"{text!r}: name a table, or a schema and a table")
        return _exactly(above[0], name)

    def is_there(self, place: exp.Table) -> bool:
        return postgres_catalog.is_there(self._catalog, render(place, DIALECT))

    def ledgers(self) -> list[exp.Table]:
        """The tables of this role that have the attempts of a ledger, by their names and columns.

        A failed query would end the run, so nothing else is read.
        """
        query = """
            SELECT n.nspname, c.relname
            FROM pg_class AS c
            JOIN pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'source'
            WHERE c.relkind = 'r' AND c.relname LIKE %(name)s
                AND a.atttypid = 'pg_catalog.varchar'::REGTYPE AND NOT a.attisdropped
                AND PG_GET_USERBYID(c.relowner) = CURRENT_USER
            ORDER BY 1, 2
            """
        found = self._catalog(query, {"name": r"%\_ledger\_attempt"})
        return [_exactly(schema, name) for schema, name in found]

    def lock(self, place: exp.Table) -> bool:
        """Take the lock of a target, which ends with the run; False if another run has it."""
        query = "SELECT PG_TRY_ADVISORY_XACT_LOCK(HASHTEXTEXTENDED(%(place)s, 0))"
        ((taken,),) = self._catalog(query, {"place": f"setveil {render(place, DIALECT)}"})
        return bool(taken)

    def unlock(self, place: exp.Table) -> None:
        """Nothing: the lock ends with the transaction."""

    def refuse_unsafe(self, place: exp.Table, *, private: bool) -> None:
        """Refuse a table of another role, or with triggers and the like.

        Of a `private` one no other role may have rights.
        """
        shown = render(place, DIALECT)
        query = """
            SELECT PG_GET_USERBYID(relowner) = CURRENT_USER FROM pg_class
            WHERE oid = TO_REGCLASS(%(place)s)
            """
        ((own,),) = self._catalog(query, {"place": shown})
        if not own:
            raise InputError(f"{shown} belongs to another role: append as its owner")
        found = postgres_tables.obstacles(self._catalog, place)
        others = [one for one in found if not one.startswith("index ")]
        if others:
            raise InputError(f"{shown} has {others[0]}, which could change rows: drop it")
        if private and postgres_catalog.granted(self._catalog, place):
            raise InputError(
                f"{shown} is confidential, and other roles have rights on it; revoke them"
            )

    def make_private(self, place: exp.Table) -> None:
        """Take the rights from all other roles, which a schema can give by default."""
        named = render(place, DIALECT)
        query = """
            SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::REGROLE::TEXT END
            FROM pg_class AS c CROSS JOIN ACLEXPLODE(c.relacl) AS a
            WHERE c.oid = TO_REGCLASS(%(place)s) AND a.grantee <> c.relowner
            """
        for (role,) in self._catalog(query, {"place": named}):
            self.execute("ledger", f"REVOKE ALL ON TABLE {named} FROM {role}")

    def add_only_once(self, place: exp.Table, column: str) -> None:
        """Have the server refuse a second row with the same value."""
        named = render(place, DIALECT)
        index = render(exp.to_identifier(f"{place.name}_{INDEX}", quoted=True), DIALECT)
        self.execute("ledger", f"CREATE UNIQUE INDEX {index} ON {named} ({column})")

    @contextlib.contextmanager
    def appended(
        self, rows: Sequence[tuple[exp.Table, exp.Query]], number: int, run: Callable[[str], None]
    ) -> Iterator[None]:
        """Add the rows of a slice to tables, or make them; then commit the run.

        If the block has an error, nothing stays.
        """
        with self._undone_on_error(inside=False):
            for place, query in rows:
                if self.is_there(place):
                    run(render(exp.Insert(this=place, expression=query), DIALECT))
                else:
                    with self._making(place, place.name, [], False, run):
                        tree = exp.Create(this=place, kind="TABLE", expression=query)
                        run(render(tree, DIALECT))
            yield
            self.commit(run)

    def staged(self, place: exp.Table) -> exp.Table:
        raise NotImplementedError("a transaction needs no staged rows")

    def overwrite(self, places: Sequence[exp.Table], number: int) -> None:
        raise NotImplementedError("a transaction needs no staged rows")

    def end_slice(self, places: Sequence[exp.Table]) -> None:
        """Nothing: no rows were staged."""

    def make_table(self, place: exp.Table, kinds: Mapping[str, str]) -> None:
        """Make a table without rows."""
        columns = ", ".join(
            f"{render(exp.to_identifier(one), DIALECT)} {kinds[one]}" for one in kinds
        )
        self.execute("ledger", f"CREATE TABLE {render(place, DIALECT)} ({columns})")

    def commit(self, run: Callable[[str], None]) -> None:
        """Keep what the run wrote to tables of the caller, and end it."""
        for statement in self.closing(published=True):
            run(statement)
