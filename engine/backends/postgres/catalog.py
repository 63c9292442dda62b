"""What a PostgreSQL server says of itself: relations, the types of columns, and who may do what.

Questions about its catalogs are no part of a run, and in no trail. They are put by `ask`, which
takes a query and the values of its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import LiteralString

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.postgres.paths import exact
from setveil.sql.run.values import UNSCALED
from setveil.sql.step import duck, render, term

Ask = Callable[[LiteralString, Mapping[str, object]], list[Row]]

DIALECT = "postgres"
UNORDERED = "unordered"  # as json is: its values can only be compared by their text
PADDED = "padded varchar"  # of no length: with as many blanks behind it as a value came with
FOREIGN = "foreign varchar"  # which is taken as text, as its type is of someone else

# The types whose values are equal only where their text is, and what DuckDB calls them.
KINDS = {
    "bool": "boolean", "int2": "smallint", "int4": "integer", "int8": "bigint", "oid": "bigint",
    "float4": "float", "float8": "double", "numeric": "decimal", "text": "varchar",
    "varchar": "varchar", "bpchar": PADDED, "name": "varchar", "uuid": "uuid", "date": "date",
    "timestamp": "timestamp", "timestamptz": "timestamp with time zone", "time": "time",
    "bytea": "blob",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that a column has: what asks for its number, and the catalog that has its name."""

    number: str
    catalog: LiteralString
    prefix: LiteralString  # of the catalog's columns

    def of_columns(self, source: exp.Expr, columns: list[str]) -> exp.Select:
        """Asks for its number, by columns of the source, before a row of it is read.

        Text that comes of several collations has none.
        """
        empty = exp.Select().select(exp.Star()).from_(source.copy()).limit(0).subquery("s")
        shown = [
            term(self.number, column=exp.column(name, table="s", quoted=True)) for name in columns
        ]
        kind = exp.DataType.build("OID", DIALECT)
        numbers = [exp.cast(one, kind).as_(f"n{place}") for place, one in enumerate(shown)]
        query = exp.Select().select(*numbers).from_(duck("SELECT 1 AS one").subquery("o"))
        return exact(query).join(empty, on=exp.true(), join_type="left")


TYPE = Attribute("PG_TYPEOF($column)", "pg_type", "typ")
COLLATION = Attribute("CAST(PG_COLLATION_FOR($column) AS REGCOLLATION)", "pg_collation", "coll")


def named(ask: Ask, attribute: Attribute, numbers: list[int]) -> dict[int, tuple[str, str]]:
    """The schema and name of each number."""
    catalog, prefix = attribute.catalog, attribute.prefix
    query = f"""
        SELECT c.oid, n.nspname, c.{prefix}name
        FROM {catalog} AS c JOIN pg_namespace AS n ON n.oid = c.{prefix}namespace
        WHERE c.oid = ANY(%(oids)s)
        """  # noqa: S608
    found = ask(query, {"oids": [number for number in numbers if number]})
    return {int(oid): (schema, name) for oid, schema, name in found}


def foreign(ask: Ask, oids: set[int]) -> set[int]:
    """Those types into which someone else can put what runs when values are cast.

    A type is its owner's, as are the types that it is made of. The server's, those of a superuser
    and those of the role itself are trusted.
    """
    found = ask(
        """
        WITH RECURSIVE part (whole, oid) AS (
            SELECT oid, oid FROM pg_type WHERE oid = ANY(%(oids)s)
            UNION
            SELECT p.whole, u.oid
            FROM part AS p
            JOIN pg_type AS t ON t.oid = p.oid
            LEFT JOIN pg_range AS r ON r.rngtypid = t.oid OR r.rngmultitypid = t.oid
            LEFT JOIN pg_attribute AS a ON a.attrelid = t.typrelid AND t.typrelid <> 0
            CROSS JOIN UNNEST(ARRAY[t.typelem, t.typbasetype, r.rngsubtype, a.atttypid]) AS u (oid)
            WHERE u.oid <> 0
        )
        SELECT DISTINCT p.whole
        FROM part AS p
        JOIN pg_type AS t ON t.oid = p.oid
        JOIN pg_roles AS o ON o.oid = t.typowner
        WHERE NOT o.rolsuper AND o.rolname <> CURRENT_USER
        """,
        {"oids": list(oids)},
    )
    return {int(oid) for (oid,) in found}


def relations(ask: Ask, name: str, path: list[str]) -> list[Row]:
    """The schema, the name, and whether it is found without its schema; what runs make is none.

    On the path the first of that name is found.
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
    """The tables and views that the role may read, each with its schema; what runs make is none."""
    found = ask(
        r"""
        SELECT n.nspname || '.' || c.relname
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
            AND n.nspname !~ '^(setveil_[0-9a-f]{12}|pg_.*|information_schema)$'
            AND HAS_SCHEMA_PRIVILEGE(n.oid, 'USAGE') AND HAS_TABLE_PRIVILEGE(c.oid, 'SELECT')
        ORDER BY n.nspname, c.relname
        """,
        {},
    )
    return [str(name) for (name,) in found]


def is_there(ask: Ask, place: str) -> bool:
    """Is there a relation of this name, which has its schema?"""
    return bool(ask("SELECT 1 WHERE TO_REGCLASS(%(place)s) IS NOT NULL", {"place": place}))


def is_plain(ask: Ask, schema: str, name: str) -> bool:
    """Is it a table whose rows no view, policy or foreign server stands before?"""
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
    """The schema that stands before a point in the text, if one does; the longest."""
    query = """
        SELECT nspname FROM pg_namespace WHERE STARTS_WITH(%(text)s, nspname || '.')
        ORDER BY LENGTH(nspname) DESC LIMIT 1
        """
    return [str(schema) for (schema,) in ask(query, {"text": text})]


def kinds(ask: Ask, oids: set[int]) -> dict[int, str]:
    """What types are called here, by their number."""
    found = ask(
        """
        SELECT t.oid, t.typname, t.typtype, e.typname, e.typtype, n.nspname = 'pg_catalog',
            one.typtype IN ('m', 'r') OR EXISTS (
                SELECT 1
                FROM pg_opclass AS o JOIN pg_am AS a ON a.oid = o.opcmethod
                WHERE a.amname = 'btree' AND o.opcdefault AND (o.opcintype = one.oid OR EXISTS (
                    SELECT 1 FROM pg_cast AS c
                    WHERE c.castsource = one.oid AND c.casttarget = o.opcintype
                        AND c.castmethod = 'b' AND c.castcontext = 'i'
                ))
            )
        FROM pg_type AS t
        LEFT JOIN pg_type AS d ON d.oid = t.typelem AND t.typcategory = 'A'
        LEFT JOIN pg_type AS e ON e.oid = COALESCE(NULLIF(d.typbasetype, 0), d.oid)
        JOIN pg_type AS one ON one.oid = COALESCE(e.oid, t.oid)
        JOIN pg_namespace AS n ON n.oid = one.typnamespace
        WHERE t.oid = ANY(%(oids)s)
        """,
        {"oids": list(oids)},
    )
    return {
        int(oid): f"list {_kind(element, kind, own, order)}"
        if element
        else _kind(name, whole, own, order)
        for oid, name, whole, element, kind, own, order in found
    }


def _kind(name: str, of: str, own: bool, order: bool) -> str:
    """`enum` for one of any name; `struct` for whatever has no plain equality, if any at all.

    Only the server's own types are what they are called: others can have the same names.
    """
    if of == "e":
        return "enum"
    other = "struct" if order else UNORDERED
    return KINDS.get(name, other) if own else other


def plain_types(ask: Ask, types: Mapping[str, exp.Column]) -> dict[str, str]:
    """Of columns whose type lists or constrains values at any depth, the type to release them as.

    A domain becomes what it is made of, all else text: an ENUM lists every name, and the CHECK of a
    domain can.
    """
    found = ask(
        """
        WITH RECURSIVE part (whole, oid) AS (
            SELECT t.oid, t.oid
            FROM UNNEST(%(schemas)s::text[], %(types)s::text[]) AS g (schema, name)
            JOIN pg_namespace AS n ON n.nspname = g.schema
            JOIN pg_type AS t ON t.typnamespace = n.oid AND t.typname = g.name
            UNION
            SELECT p.whole, m.oid
            FROM part AS p
            JOIN pg_type AS t ON t.oid = p.oid
            CROSS JOIN LATERAL (
                SELECT t.typelem UNION ALL SELECT t.typbasetype
                UNION ALL
                SELECT a.atttypid FROM pg_attribute AS a
                WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
                UNION ALL
                SELECT r.rngsubtype FROM pg_range AS r WHERE t.oid IN (r.rngtypid, r.rngmultitypid)
            ) AS m (oid)
            WHERE m.oid <> 0
        ), listing AS (
            SELECT DISTINCT p.whole AS oid
            FROM part AS p JOIN pg_type AS t ON t.oid = p.oid
            WHERE t.typtype IN ('d', 'e')
        )
        SELECT n.nspname, t.typname, CASE
            WHEN b.typtype = 'd' AND made.typnamespace = 'pg_catalog'::REGNAMESPACE
            THEN FORMAT_TYPE(b.typbasetype, b.typtypmod)
            ELSE 'text'
            END || CASE WHEN b.oid <> t.oid THEN '[]' ELSE '' END
        FROM listing AS l
        JOIN pg_type AS t ON t.oid = l.oid
        JOIN pg_namespace AS n ON n.oid = t.typnamespace
        JOIN pg_type AS b ON b.oid = CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE t.oid END
        LEFT JOIN pg_type AS made ON made.oid = b.typbasetype
        """,
        {
            "schemas": [one.table for one in types.values()],
            "types": [one.name for one in types.values()],
        },
    )
    plain = {(schema, name): instead for schema, name, instead in found}
    return {
        column: plain[one.table, one.name]
        for column, one in types.items()
        if (one.table, one.name) in plain
    }


def tables_read(ask: Ask) -> list[tuple[str, str]]:
    """The schema and name of every table that this transaction has opened, and of what holds it.

    Whatever reads a table locks it until the end: a view, and a function whose text nobody sees,
    too. A partition is gone with the table that it is a part of.
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


def scaled(kind: str, modifier: int) -> str:
    """Of some types a column's modifier says whether equal values look alike."""
    if kind.endswith("decimal") and modifier < 0:
        return kind.replace("decimal", UNSCALED)
    return kind if modifier < 0 else kind.replace(PADDED, "varchar")


def loose_collations(ask: Ask) -> set[tuple[str, str]]:
    """The schemas and names of collations for which different texts can be equal."""
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
    """What others may do with a table or one column of it, as the statements that grant it.

    Nothing where policies say which rows they see: without these they would see them all.
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
