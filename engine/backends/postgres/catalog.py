"""Questions to the catalogs of a PostgreSQL server: relations, types, collations and rights.

These queries are in no trail. The function `ask` runs each with the values of its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import LiteralString

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.postgres.paths import exact
from setveil.sql.step import duck, render, term

Ask = Callable[[LiteralString, Mapping[str, object]], list[Row]]

DIALECT = "postgres"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property of columns: its type or its collation."""

    number: str  # an expression for the number of the property
    catalog: LiteralString  # the catalog with the name for a number
    prefix: LiteralString  # of the names of the catalog's columns

    def of_columns(self, source: exp.Expr, columns: list[str]) -> exp.Select:
        """The query for the numbers of these columns of the source; it reads no rows.

        Text of several collations has no number.
        """
        empty = exp.Select().select(exp.Star()).from_(source.copy()).limit(0).subquery("s")
        shown = [
            term(self.number, column=exp.column(name, table="s", quoted=True)) for name in columns
        ]
        kind = exp.DataType.build("OID", DIALECT)
        numbers = [exp.Cast(this=one, to=kind).as_(f"n{place}") for place, one in enumerate(shown)]
        query = exp.Select().select(*numbers).from_(duck("SELECT 1 AS one").subquery("o"))
        return exact(query).join(empty, on=exp.true(), join_type="left")


TYPE = Attribute("PG_TYPEOF($column)", "pg_type", "typ")
COLLATION = Attribute("CAST(PG_COLLATION_FOR($column) AS REGCOLLATION)", "pg_collation", "coll")


def named(ask: Ask, attribute: Attribute, numbers: list[int]) -> dict[int, tuple[str, str]]:
    """The schema and name for each number of a property."""
    catalog, prefix = attribute.catalog, attribute.prefix
    query = f"""
        SELECT c.oid, n.nspname, c.{prefix}name
        FROM {catalog} AS c JOIN pg_namespace AS n ON n.oid = c.{prefix}namespace
        WHERE c.oid = ANY(%(oids)s)
        """  # noqa: S608
    found = ask(query, {"oids": [number for number in numbers if number]})
    return {int(oid): (schema, name) for oid, schema, name in found}


def relations(ask: Ask, name: str, path: list[str]) -> list[Row]:
    """Each relation of this name: its schema, name, and True if the path finds it first.

    Relations of runs are left out.
    """
    return ask(
        r"""
        SELECT n.nspname, c.relname, NOT EXISTS (
                SELECT 1 FROM pg_class AS o JOIN pg_namespace AS m ON m.oid = o.relnamespace
                WHERE o.relname = c.relname
                    AND ARRAY_POSITION(%(path)s::NAME[], m.nspname)
                        < ARRAY_POSITION(%(path)s::NAME[], n.nspname)
            ) AND n.nspname = ANY(%(path)s::NAME[])
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
            AND (c.relname = %(name)s OR n.nspname || '.' || c.relname = %(name)s)
            AND n.nspname !~ '^(setveil_[0-9a-f]{12}|pg_temp_\d+|information_schema)$'
        ORDER BY n.nspname
        """,
        {"name": name, "path": path},
    )


def readable(ask: Ask) -> list[str]:
    """The tables and views that the role may read, with their schemas.

    Relations of runs and tables of ledgers are left out.
    """
    found = ask(
        r"""
        SELECT n.nspname || '.' || c.relname
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
            AND n.nspname !~ '^(setveil_[0-9a-f]{12}|pg_.*|information_schema)$'
            AND c.relname !~ '_ledger_(told|night|arrival|part|attempt|role|split|erased|sum)$'
            AND HAS_SCHEMA_PRIVILEGE(n.oid, 'USAGE') AND HAS_TABLE_PRIVILEGE(c.oid, 'SELECT')
        ORDER BY n.nspname, c.relname
        """,
        {},
    )
    return [str(name) for (name,) in found]


def is_there(ask: Ask, place: str) -> bool:
    """Does a relation with this schema and name exist?"""
    return bool(ask("SELECT 1 WHERE TO_REGCLASS(%(place)s) IS NOT NULL", {"place": place}))


def is_plain(ask: Ask, schema: str, name: str) -> bool:
    """Is it a table without row level security, and neither a view nor a foreign table?"""
    found = ask(
        """
        SELECT 1
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relrowsecurity
            AND n.nspname = %(schema)s AND c.relname = %(name)s
        """,
        {"schema": schema, "name": name},
    )
    return bool(found)


def schemas_of(ask: Ask, text: str) -> list[str]:
    """The longest schema name before a point in the text; an empty list if there is none."""
    query = """
        SELECT nspname FROM pg_namespace WHERE STARTS_WITH(%(text)s, nspname || '.')
        ORDER BY LENGTH(nspname) DESC LIMIT 1
        """
    return [str(schema) for (schema,) in ask(query, {"text": text})]


def tables_read(ask: Ask) -> list[tuple[str, str]]:
    """The schema and name of every table that this transaction has opened, and of its parents.

    Reading locks a table until the end, also behind a view or a function. The parents of a
    partition count because dropping one drops the partition.
    """
    found = ask(
        """
        WITH RECURSIVE read (oid) AS (
            SELECT l.relation
            FROM pg_catalog.pg_locks AS l
            JOIN pg_catalog.pg_database AS d ON d.oid = l.database
            WHERE l.locktype = 'relation' AND l.pid = pg_catalog.pg_backend_pid()
                AND d.datname = pg_catalog.current_database()
            UNION
            SELECT i.inhparent FROM read JOIN pg_catalog.pg_inherits AS i ON i.inhrelid = read.oid
        )
        SELECT n.nspname, c.relname
        FROM read
        JOIN pg_catalog.pg_class AS c ON c.oid = read.oid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'pg_catalog'
        """,
        {},
    )
    return [(str(schema), str(name)) for schema, name in found]


def loose_collations(ask: Ask) -> set[tuple[str, str]]:
    """The schemas and names of collations that make different texts equal."""
    found = ask(
        """
        SELECT n.nspname, c.collname
        FROM pg_collation AS c JOIN pg_namespace AS n ON n.oid = c.collnamespace
        WHERE NOT c.collisdeterministic
        """,
        {},
    )
    return {(schema, name) for schema, name in found}


def granted(ask: Ask, place: exp.Table) -> list[tuple[str | None, str]]:
    """The GRANT statements for other roles' rights on a table and its columns.

    Empty for a table with row level security: a new table has no policies, so its readers would
    see all rows.
    """
    found = ask(
        """
        SELECT g.attname, FORMAT('GRANT %%s%%s ON TABLE %%s TO %%s%%s', a.privilege_type,
            '(' || QUOTE_IDENT(g.attname) || ')', %(place)s::text,
            CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
            CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
        FROM (
            SELECT c.oid AS oid, NULL AS attname,
                COALESCE(c.relacl, ACLDEFAULT('r', c.relowner)) AS acl
            FROM pg_class AS c
            UNION ALL
            SELECT t.attrelid, t.attname, t.attacl FROM pg_attribute AS t
        ) AS g
        JOIN pg_class AS c ON c.oid = g.oid AND NOT c.relrowsecurity
        CROSS JOIN ACLEXPLODE(g.acl) AS a
        WHERE g.oid = TO_REGCLASS(%(place)s) AND PG_GET_USERBYID(a.grantee) <> CURRENT_USER
        ORDER BY 1, 2
        """,
        {"place": render(place, DIALECT)},
    )
    return [(column, grant) for column, grant in found]


def columns_held(ask: Ask, place: exp.Table) -> set[str]:
    """The names of a table's columns."""
    found = ask(
        "SELECT attname FROM pg_attribute WHERE attrelid = TO_REGCLASS(%(place)s)",
        {"place": render(place, DIALECT)},
    )
    return {name for (name,) in found}
