"""The place of a new table in the database of the source: a name, or a schema and a name.

A name is resolved like the name of a source: first as a table with exactly this name, however odd;
else as a schema and a name. An unknown schema and another database are refused.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.backends import names
from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import InputError
from setveil.run.inputs import Inputs, place_of
from setveil.sql.step import duck, render

SYSTEM = ("information_schema", "pg_catalog")


def target_table(backend: DuckDB, text: str, database: str, schema: str) -> exp.Table:
    """The table of this name in the database; a bare name is in the given schema."""
    here = _at(database, schema, text)
    named = names.qualified(text)
    if named is None or is_there(backend, here):
        return here
    known = schemas(backend, database)
    inside = {one.casefold(): one for one in known}.get(named.db.casefold())
    catalog = named.catalog
    if catalog and catalog.casefold() != database.casefold():
        raise InputError(
            f"{text!r}: a release goes to the database of the source: name schema.table"
        )
    if inside is None:
        shown = ", ".join(map(repr, known))
        raise InputError(f"{text!r}: there is no schema {named.db!r}; the schemas are: {shown}")
    return _at(database, inside, named.name)


def refuse_read(inputs: Inputs, place: exp.Table, text: str, *, any_database: bool) -> None:
    """Refuse a table that the run has read, under any name of its database."""
    start = 1 if any_database else 0
    if place_of(place)[start:] in {one[start:] for one in inputs.tables}:
        raise InputError(f"{text!r} is what the data was read from: choose another name")


def is_there(backend: DuckDB, place: exp.Table) -> bool:
    """Does the table exist? DuckDB ignores the case of names."""
    of = zip(("table_catalog", "table_schema", "table_name"), place.parts, strict=True)
    same = [
        exp.Lower(this=exp.column(part)).eq(exp.Lower(this=exp.Literal.string(one.name)))
        for part, one in of
    ]
    tables = exp.table_("tables", "information_schema")
    return bool(backend.rows("publish", render(exp.select("1 AS one").from_(tables).where(*same))))


def schemas(backend: DuckDB, database: str) -> list[str]:
    """The schemas of a database in which a table can be made."""
    query = duck(
        """
        SELECT DISTINCT schema_name AS name FROM system.main.duckdb_schemas()
        WHERE LOWER(database_name) = LOWER($database) AND schema_name NOT IN ($one, $other)
        ORDER BY name
        """,
        database=exp.Literal.string(database),
        one=exp.Literal.string(SYSTEM[0]),
        other=exp.Literal.string(SYSTEM[1]),
    )
    return [str(name) for (name,) in backend.rows("publish", render(query))]


def _at(database: str, schema: str, table: str) -> exp.Table:
    catalog, db, this = (exp.to_identifier(one, quoted=True) for one in (database, schema, table))
    return exp.Table(this=this, db=db, catalog=catalog)
