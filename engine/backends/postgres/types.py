"""The types of PostgreSQL: what they are here, and what a release takes for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

from sqlglot import exp

from setveil.backends.postgres.catalog import Ask
from setveil.sql.run.values import UNSCALED

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
# Types that list or constrain values, at any depth.
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
    """Of some types a column's modifier says whether equal values look alike."""
    if kind.endswith("decimal") and modifier < 0:
        return kind.replace("decimal", UNSCALED)
    return kind if modifier < 0 else kind.replace(PADDED, "varchar")
