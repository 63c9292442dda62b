"""Resolve names of the caller in PostgreSQL, and describe the columns of relations."""

from __future__ import annotations

import re

from sqlglot import exp

from setveil.backends import names
from setveil.backends.postgres import catalog as postgres_catalog
from setveil.backends.postgres import copying as transfer
from setveil.backends.postgres import paths as postgres_paths
from setveil.backends.postgres import types as postgres_types
from setveil.backends.postgres.catalog import COLLATION, TYPE, Attribute
from setveil.backends.postgres.connection import Connected
from setveil.backends.postgres.paths import CATALOG
from setveil.backends.postgres.types import FOREIGN, PADDED, UNORDERED
from setveil.errors import InputError
from setveil.run.inputs import Place
from setveil.sql.run.values import UNSCALED, plain, trimmed
from setveil.sql.step import render

DIALECT = "postgres"
SESSIONS_OWN = re.compile(r"pg_temp(_\d+)?")  # schemas
LONGEST = 63  # most bytes of a name; the server would cut off the rest
Derived = dict[str, exp.Column]  # the type or collation of each column


class Named(Connected):
    """A run that resolves names of the caller."""

    _read: list[exp.Table]  # tables of the caller, which must not be replaced
    _source: exp.Expr | None  # the relation that was read first

    def relation(self, name: str) -> exp.Expr:
        """The relation after FROM: a table or view with exactly this name; else one query.

        The name may have a schema before it. Relations of runs are not found.
        """
        found = self._resolved(name)
        self._source = self._source or found
        return found

    def _resolved(self, name: str) -> exp.Expr:
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
        """The schemas of the caller's search path, in their order."""
        query = f"SELECT {CATALOG}.CURRENT_SCHEMAS(TRUE) AS path"  # noqa: S608
        with self._cursor("source", query, self.outside) as cursor:
            ((schemas,),) = cursor.fetchall()
        return list(schemas)

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        """The name and type of every column; the type of a list is `list` with its element type."""
        described = self._described_for_caller if self._path == self.outside else self._described
        return {name: kind for name, (kind, _) in described(relation).items()}

    def _described_for_caller(self, relation: exp.Expr) -> dict[str, tuple[str, int]]:
        """The kind and modifier of every column; types of other roles are marked as foreign."""
        found = self._described(relation, self.outside)
        numbers = self._numbers(relation, list(found), TYPE, self.outside)
        foreign = postgres_types.foreign(self._catalog, set(numbers))
        for name, number in zip(list(found), numbers, strict=True):
            if number in foreign:
                lists = "list " if found[name][0].startswith("list ") else ""
                found[name] = f"{lists}{FOREIGN}", -1
        return found

    def _described(self, relation: exp.Expr, path: str | None = None) -> dict[str, tuple[str, int]]:
        """The kind of every column, and its modifier, such as the digits of a decimal."""
        query = exp.Select().select(exp.Star()).from_(relation.copy()).limit(0)
        with self._cursor("source", "", path) as cursor:
            # The binary protocol accepts exactly one statement, even if our parser misread the
            # caller's text.
            cursor.execute(render(query, DIALECT).encode(), binary=True)
            described = [(one.name, one.type_code) for one in cursor.description or ()]
            result = cursor.pgresult
            modifiers = [result.fmod(n) if result else -1 for n in range(len(described))]
        kinds = postgres_types.kinds(self._catalog, {oid for _, oid in described})
        return {
            name: (postgres_types.scaled(kinds[oid], modifier), modifier)
            for (name, oid), modifier in zip(described, modifiers, strict=True)
        }

    def with_full_names(self, query: exp.Select) -> exp.Select:
        """The query with the schema of each function and operator, for any search path."""
        return postgres_paths.exact(query) if self.can.dialect == DIALECT else query

    def of_run(self, relation: str) -> exp.Table:
        """A relation of this run, with the full name under which another run finds it."""
        return exp.table_(relation, db=self.run)

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        """A column of the source: text is compared by code points, and 1.00 becomes 1.

        Values without an order, and of an ENUM, become text.
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

    def _derived(
        self, source: exp.Expr, columns: list[str], attribute: Attribute, path: str | None = None
    ) -> Derived:
        """The type or collation of each column, where the column has one."""
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
        """The number of each column's type or collation."""
        if not columns:
            return []
        text = render(attribute.of_columns(source, columns), DIALECT)
        with self._cursor("source", "", path) as cursor:  # in the protocol for one statement
            (numbers,) = cursor.execute(text.encode(), binary=True).fetchall()
        return list(numbers)

    def merging(self, relation: exp.Expr, columns: list[str]) -> list[str]:
        """The text columns whose collation is not deterministic: it makes different texts equal."""
        kinds = self._described_for_caller(relation) if columns else {}
        texts = [name for name in columns if not kinds[name][0].endswith(FOREIGN)]
        found = self._derived(relation, texts, COLLATION)
        loose = postgres_catalog.loose_collations(self._catalog) if found else set()
        return [name for name, one in found.items() if (one.table, one.name) in loose]

    def is_table(self, table: exp.Table) -> bool:
        return postgres_catalog.is_plain(self._catalog, table.db, table.name)

    def is_safe_type(self, kind: str) -> bool:
        query = "SELECT TO_REGTYPE(%(kind)s)::OID::BIGINT"
        ((found,),) = self._catalog(query, {"kind": kind})
        return found is not None and not postgres_types.foreign(self._catalog, {found})

    def read_so_far(self) -> set[Place]:
        return set(postgres_catalog.tables_read(self._catalog))

    def _named(self, text: str) -> exp.Table:
        """The table of a name, by default in the first existing schema of the caller's path."""
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

    def _new_table(self, text: str) -> exp.Table:
        """The place of a release; a table that was read is refused."""
        place = self._named(text)
        if len(place.name.encode()) > LONGEST:
            raise InputError(f"{text!r}: a name has at most {LONGEST} bytes in PostgreSQL")
        if any(SESSIONS_OWN.fullmatch(schema) for schema in _parts(place)[:-1]):
            raise InputError(
                f"{text!r} would end with the session: name a schema whose tables stay"
            )
        if _parts(place) in {*map(_parts, self._read), *self.read_so_far(), *self.pulled}:
            raise InputError(f"{text!r} is what the data was read from: choose another name")
        return place


def _in_schema(schema: str, name: str) -> exp.Column:
    return exp.column(name, table=schema, quoted=True)


def _parts(place: exp.Table) -> tuple[str, ...]:
    """The names of a table and its schema; the server reads unquoted ones in lower case."""
    return tuple(one.name if one.args.get("quoted") else one.name.lower() for one in place.parts)


def _exactly(schema: str, table: str) -> exp.Table:
    """A table with a quoted schema and name."""
    return exp.table_(
        exp.to_identifier(table, quoted=True), db=exp.to_identifier(schema, quoted=True)
    )
