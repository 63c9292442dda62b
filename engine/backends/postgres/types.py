"""The types of PostgreSQL: their kinds in a run, and the types of released columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

from sqlglot import exp

from setveil.backends.postgres.catalog import Ask
from setveil.sql.run.values import UNSCALED

UNORDERED = "unordered"  # a type such as json, whose values can only be compared by their text
PADDED = "padded varchar"  # char without a length, whose values keep their trailing blanks
FOREIGN = "foreign varchar"  # a type of another role, which is read as text
# DuckDB's names for types whose values are equal only if their texts are equal.
KINDS = {
    "bool": "boolean", "int2": "smallint", "int4": "integer", "int8": "bigint", "oid": "bigint",
    "float4": "float", "float8": "double", "numeric": "decimal", "text": "varchar",
    "varchar": "varchar", "bpchar": PADDED, "name": "varchar", "uuid": "uuid", "date": "date",
    "timestamp": "timestamp", "timestamptz": "timestamp with time zone", "time": "time",
    "bytea": "blob",
}  # fmt: skip
# Types that list or constrain values at any depth, with the plain type for a release.
PLAIN: LiteralString = """
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
"""


def foreign(ask: Ask, oids: set[int]) -> set[int]:
    """The types that other roles own, wholly or in part.

    An owner can define functions that run when values are cast. Types of the server, of a superuser
    and of the role itself are trusted.
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


def kinds(ask: Ask, oids: set[int]) -> dict[int, str]:
    """The kind of each type, by the number of the type."""
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
    """The kind of a type: `enum`, a known type of the server, `struct`, or `unordered`.

    `struct` is any other type with an order. The name of a type says nothing unless the type is the
    server's own.
    """
    if of == "e":
        return "enum"
    other = "struct" if order else UNORDERED
    return KINDS.get(name, other) if own else other


def plain_types(ask: Ask, types: Mapping[str, exp.Column]) -> dict[str, str]:
    """The type of released columns whose own type lists or constrains values at any depth.

    A domain becomes its base type, any other type text: an ENUM lists every name, and the CHECK of
    a domain can.
    """
    found = ask(
        PLAIN,
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


def scaled(kind: str, modifier: int) -> str:
    """The kind of a column with its modifier, which decides if equal values have equal texts."""
    if kind.endswith("decimal") and modifier < 0:
        return kind.replace("decimal", UNSCALED)
    return kind if modifier < 0 else kind.replace(PADDED, "varchar")
