"""Write a release to a table of PostgreSQL, in the transaction of the run."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator

import psycopg
from sqlglot import exp

from setveil.backends.postgres import catalog as postgres_catalog
from setveil.backends.postgres import tables as postgres_tables
from setveil.backends.postgres import types as postgres_types
from setveil.backends.postgres.catalog import COLLATION, TYPE
from setveil.backends.postgres.naming import DIALECT, Derived, Named, _in_schema
from setveil.backends.postgres.paths import CATALOG, TEMPORARY
from setveil.backends.postgres.types import FOREIGN, UNORDERED
from setveil.errors import InputError, QueryError, SetveilError
from setveil.sql.step import render

LIKE = "setveil_like"  # an empty table with the columns of a release


class Publishing(Named):
    """A run that makes tables for the caller."""

    def check_table(self, table: str, force: bool) -> None:
        """Refuse a table that cannot be made: make it, and roll back.

        A table that is to be replaced is only examined, since the trial would lock it.
        """
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
        """The query for a release, with the types and collations of the source's columns.

        Text without a collation in the source gets the default. Types that list values, such as
        an ENUM, are replaced by plain ones. Rows keep their order.
        """
        released = query.subquery("r")
        kinds = self._described(released)
        texts = [name for name, (kind, _) in kinds.items() if kind.endswith("varchar")]
        of_source, collations = self._types_and_collations([name for name in texts if name in own])
        types = self._derived(released, list(kinds), TYPE) | of_source
        plain = postgres_types.plain_types(self._catalog, types)
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

    def _types_and_collations(self, columns: list[str]) -> tuple[Derived, Derived]:
        """The types of the source's columns without an order, and the collations of its texts."""
        if self._source is None or not columns:
            return {}, {}
        kinds = {name: kind for name, (kind, _) in self._described_for_caller(self._source).items()}
        texts = [name for name in columns if kinds[name].endswith("varchar")]
        collated = [name for name in texts if not kinds[name].endswith(FOREIGN)]
        others = [name for name in columns if kinds[name].endswith(UNORDERED)]
        return (
            self._derived(self._source, others, TYPE, self.outside),
            self._derived(self._source, collated, COLLATION, self.outside),
        )

    @contextlib.contextmanager
    def published(
        self,
        query: exp.Query,
        table: str,
        force: bool,
        run: Callable[[str], None],
        *,
        inside: bool = False,
    ) -> Iterator[None]:
        """Make the table, in the transaction of the run; it stays if the block has no error."""
        place = self._new_table(table)
        with self._undone_on_error(inside=inside):
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
            for statement in [] if inside else self.closing(published=True):
                run(statement)

    @contextlib.contextmanager
    def _undone_on_error(self, *, inside: bool) -> Iterator[None]:
        """Undo the block if it fails, so that the run can go on.

        A block `inside` another is undone with it: a second savepoint would hide the first.
        """
        if inside:
            yield
            return
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
        """Make the table in the block; with force, replace an old one and restore its grants.

        `kept` lists objects that depend on the old table; if there are any, it is not dropped.
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
        """Remove the rows of a table that must stay, if it has the columns of the release."""
        named = render(place, DIALECT)
        self.execute("publish", f"LOCK TABLE {named} IN ACCESS EXCLUSIVE MODE")
        postgres_tables.refuse_obstacles(self._catalog, place, table, kept)
        self.execute("publish", like)
        made = exp.table_(LIKE, db=TEMPORARY)
        postgres_tables.refuse_others(self._catalog, place, made, table, kept)
        self.execute("publish", f"DROP TABLE {TEMPORARY}.{LIKE}")
        run(f"TRUNCATE TABLE ONLY {named}")

    def _forget_old(self, place: exp.Table, table: str, kept: list[str]) -> None:
        """Remove the comments and statistics of the old rows from a kept table."""
        if not kept:
            return
        named = render(place, DIALECT)
        if not self.rows("publish", f"SELECT 1 AS one FROM {named} LIMIT 1"):  # noqa: S608
            raise InputError(
                f"{table!r} cannot be replaced, as {kept[0]} depends on it; an empty release "
                "would leave it the statistics of its old rows: choose another name"
            )
        comments = postgres_tables.uncommenting(self._catalog, place)
        for statement in [f"ANALYZE {named}", *comments]:
            self.execute("publish", statement)

    def closing(self, *, published: bool) -> list[str]:
        """The statements that commit the release alone, or undo the run."""
        if not published:
            return ["ROLLBACK"]
        gone = "DISCARD TEMP" if self.run == TEMPORARY else f"DROP SCHEMA {self.run} CASCADE"
        return [gone, "COMMIT"]


def _kind(name: str) -> exp.Expr:
    """A type by the server's name; sqlglot would misread some of these names."""
    if name.startswith(("bit varying", "interval")):
        return exp.Var(this=name)
    return exp.DataType.build(name, DIALECT, udt=True)
