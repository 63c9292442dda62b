"""Replace the rows of a table of PostgreSQL, if other objects depend on the table.

Views, foreign keys and functions on a table are dropped with it, or prevent its drop. So the table
stays, and its rows are written as the role of the run. Triggers, rules and checks would then run as
this role, so a table with any is refused. Its comments and statistics are removed.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.postgres.catalog import DIALECT, Ask
from setveil.errors import InputError
from setveil.sql.step import render

Name = Mapping[str, object]


def dependents(ask: Ask, place: exp.Table) -> list[str]:
    """The objects that depend on the table."""
    found = ask(
        """
        SELECT DISTINCT COALESCE(
            PG_DESCRIBE_OBJECT('pg_class'::REGCLASS, r.ev_class, 0),
            PG_DESCRIBE_OBJECT(d.classid, d.objid, 0)
        )
        FROM pg_depend AS d
        LEFT JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::REGCLASS AND r.oid = d.objid
        WHERE d.refclassid = 'pg_class'::REGCLASS AND d.refobjid = TO_REGCLASS(%(place)s)
            AND d.deptype = 'n' AND r.ev_class IS DISTINCT FROM d.refobjid
        ORDER BY 1
        """,
        _named(place),
    )
    return _column(found)


def obstacles(ask: Ask, place: exp.Table) -> list[str]:
    """The properties of a table that would change the new rows, or that describe the old ones."""
    found = ask(
        """
        WITH kept AS (SELECT c.* FROM pg_class AS c WHERE c.oid = TO_REGCLASS(%(place)s))
        SELECT 'a relation that is no plain table' FROM kept WHERE relkind <> 'r'
        UNION ALL
        SELECT 'row level security' FROM kept WHERE relrowsecurity
        UNION ALL
        SELECT FORMAT('trigger %%I', t.tgname)
        FROM kept JOIN pg_trigger AS t ON t.tgrelid = kept.oid WHERE NOT t.tgisinternal
        UNION ALL
        SELECT FORMAT('rule %%I', r.rulename)
        FROM kept JOIN pg_rewrite AS r ON r.ev_class = kept.oid WHERE kept.relkind = 'r'
        UNION ALL
        SELECT FORMAT('policy %%I', p.polname)
        FROM kept JOIN pg_policy AS p ON p.polrelid = kept.oid
        UNION ALL
        SELECT FORMAT('constraint %%I', o.conname)
        FROM kept JOIN pg_constraint AS o ON o.conrelid = kept.oid
        WHERE o.contype NOT IN ('p', 'u', 'n', 'f')
        UNION ALL
        SELECT FORMAT('index %%s', i.indexrelid::REGCLASS)
        FROM kept JOIN pg_index AS i ON i.indrelid = kept.oid
        WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
        UNION ALL
        SELECT FORMAT('default of column %%I', a.attname)
        FROM kept JOIN pg_attribute AS a ON a.attrelid = kept.oid
        WHERE a.atthasdef OR a.attidentity <> ''
        UNION ALL
        SELECT FORMAT('statistics %%I', s.stxname)
        FROM kept JOIN pg_statistic_ext AS s ON s.stxrelid = kept.oid
        UNION ALL
        SELECT DISTINCT 'inheritance'
        FROM kept JOIN pg_inherits AS i ON kept.oid IN (i.inhrelid, i.inhparent)
        """,
        _named(place),
    )
    return _column(found)


def columns(ask: Ask, place: exp.Table) -> list[Row]:
    """The names, types and collations of the columns, in their order."""
    return ask(
        """
        SELECT attname, atttypid::REGTYPE::TEXT, atttypmod, attcollation FROM pg_attribute
        WHERE attrelid = TO_REGCLASS(%(place)s) AND attnum > 0 AND NOT attisdropped
        ORDER BY attnum
        """,
        _named(place),
    )


def uncommenting(ask: Ask, place: exp.Table) -> list[str]:
    """The statements that remove the comments of the table and its columns."""
    found = ask(
        """
        SELECT CASE WHEN d.objsubid = 0 THEN FORMAT('COMMENT ON TABLE %%s IS NULL', %(place)s::TEXT)
            ELSE FORMAT('COMMENT ON COLUMN %%s.%%I IS NULL', %(place)s::TEXT, a.attname) END
        FROM pg_description AS d
        LEFT JOIN pg_attribute AS a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
        WHERE d.classoid = 'pg_class'::REGCLASS AND d.objoid = TO_REGCLASS(%(place)s)
        """,
        _named(place),
    )
    return _column(found)


def refuse_obstacles(ask: Ask, place: exp.Table, table: str, dependent: list[str]) -> None:
    """Refuse a table that must stay, if its rows cannot be replaced safely."""
    if found := obstacles(ask, place):
        raise InputError(
            f"{table!r} cannot be replaced, as {_shown(dependent)} depends on it; nor can its rows "
            f"alone, because of {_shown(found)}: drop one of these, or choose another name"
        )


def refuse_others(
    ask: Ask, place: exp.Table, like: exp.Table, table: str, dependent: list[str]
) -> None:
    """Refuse a table that must stay, if the release has other columns."""
    held, given = columns(ask, place), columns(ask, like)
    if held != given:
        shown = [", ".join(f"{name} {kind}" for name, kind, *_ in one) for one in (held, given)]
        raise InputError(
            f"{table!r} cannot be replaced, as {_shown(dependent)} depends on it; it has the "
            f"columns {shown[0]}, and the release {shown[1]}: choose another name"
        )


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more


def _named(place: exp.Table) -> Name:
    return {"place": render(place, DIALECT)}


def _column(rows: list[Row]) -> list[str]:
    return [str(one) for (one,) in rows]
