"""Write a release to a table of Spark: first with a hidden name."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator

from sqlglot import exp

from setveil.backends.spark import rows as spark_rows
from setveil.backends.spark import runs as spark_runs
from setveil.backends.spark.naming import DIALECT, Named, _quoted
from setveil.backends.spark.session import guarded
from setveil.errors import InputError, QueryError
from setveil.sql.step import render
from setveil.sql.text import as_type


class Publishing(Named):
    """A run that makes tables for the caller."""

    _naming: list[str]  # statements that give the release its name, after its trail

    def check_table(self, table: str, force: bool) -> None:
        with _making(table):
            self._drop_abandoned_tables(self._new_table(table, force))

    def as_released(self, query: exp.Query, own: Collection[str]) -> exp.Query:
        """The query for a release, without comments and defaults of the source's columns.

        These can contain names of items. Spark copies them to new tables; a cast removes them.
        """
        text = render(query, DIALECT)
        with guarded("publish", text):
            schema = self._session.sql(text).schema
        if not any(map(spark_rows.has_comment, schema.fields)):
            return query
        shown = []
        for field in schema.fields:
            value: exp.Expr = exp.column(field.name, table="r", quoted=True)
            if spark_rows.has_comment(field):
                value = as_type(value, spark_rows.plain_type(field.dataType))
            shown.append(value.as_(field.name, quoted=True))
        return exp.Select().select(*shown).from_(query.subquery("r"))

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
        """Make the table with a hidden name; rename it if the block ends without an error.

        If it replaces a table, for a moment no table has the name.
        """
        place = self._new_table(table, force)
        hidden = place.copy()
        hidden.set("this", _quoted(spark_runs.new_name()))
        made, named = render(hidden, DIALECT), render(place, DIALECT)
        # Spark renames a table within its catalog, whose name the statement must not have.
        within = render(exp.table_(place.this.copy(), place.args["db"].copy()), DIALECT)
        try:
            with _making(table):
                self._drop_abandoned_tables(place)
                run(f"CREATE TABLE {made} AS\n{render(query, DIALECT)}")
                gone = [f"DROP TABLE IF EXISTS {named}"] if force else []
                named_so = [*gone, f"ALTER TABLE {made} RENAME TO {within}"]
                self._naming = [*named_so, *self._naming] if inside else named_so
                yield
                for statement in named_so:
                    run(statement)
        except BaseException:
            with contextlib.suppress(QueryError):
                self.execute("publish", f"DROP TABLE IF EXISTS {made}")
            raise

    def _new_table(self, table: str, force: bool) -> exp.Table:
        """The place of a release; a table that was read is refused."""
        self._refuse_fleeting(table)
        place = self._named(table)
        if self._reads(place):
            raise InputError(f"{table!r} is what the data was read from: choose another name")
        if not force and self._exists(place):
            raise InputError(
                f"{table!r} exists: choose another name, or --force to overwrite it "
                "(on Spark not in one step: for a moment there is no such table)"
            )
        return place

    def closing(self, *, published: bool) -> list[str]:
        """The statements that give the release its name and drop the run."""
        gone = f"DROP SCHEMA {render(self._place, DIALECT)} CASCADE"
        return [*self._naming, gone] if published else [gone]

    def _drop_abandoned_tables(self, place: exp.Table) -> None:
        """Drop hidden tables in the schema, which runs left that were killed while publishing."""
        schema = exp.table_(place.args["db"].copy(), place.args.get("catalog"))
        shown = f"SHOW TABLES IN {render(schema, DIALECT)} LIKE 'setveil_*'"
        found = [str(row[1]) for row in self.rows("publish", shown)]
        for name in spark_runs.abandoned(found):
            table = exp.table_(_quoted(name), schema.this.copy(), schema.args.get("db"))
            self.execute("publish", f"DROP TABLE IF EXISTS {render(table, DIALECT)}")

    def _refuse_fleeting(self, table: str) -> None:
        """Refuse a table in a Spark of this process whose catalog is in memory."""
        if self._opened.folder is None or str(self._home.args["db"].name) != "spark_catalog":
            return
        ((_, kept),) = self.rows("publish", "SET spark.sql.catalogImplementation")
        if kept == "in-memory":
            raise InputError(
                f"{table!r}: the tables of this Spark end with the process: write a file, or "
                "configure a catalog that lasts (spark.sql.catalogImplementation hive)"
            )


@contextlib.contextmanager
def _making(table: str) -> Iterator[None]:
    """Turn a refusal of the server into an error that the caller can correct."""
    try:
        yield
    except QueryError as error:
        if error.refused:
            raise InputError(f"{table!r} cannot be made: {error.message}") from error
        raise
