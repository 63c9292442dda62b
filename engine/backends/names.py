"""Resolve a name of the caller: first as a table or view with exactly this name, however odd.

Else the text is one query; else a qualified name. No other part of the text ever runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from setveil.errors import InputError
from setveil.sql.dialects import from_below
from setveil.sql.step import render, verbatim

if TYPE_CHECKING:
    from setveil.backends.duckdb.backend import DuckDB

Place = tuple[str, str, str]  # database, schema, name
# Full names, since a macro of the caller's database can have the name of a function.
HERE = "SELECT system.main.current_database(), system.main.current_schema()"
MANY = 10  # names that a message shows
SYSTEM = ("system", "main")  # the schema of DuckDB's own functions: no one can add a macro there

# DuckDB looks up no macro for these, though they look like operators or functions.
GRAMMAR = (
    exp.And, exp.Or, exp.Not, exp.Is, exp.In, exp.Paren, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT,
    exp.GTE, exp.Coalesce, exp.Case, exp.If, exp.Cast,
)  # fmt: skip
# A macro can replace each of these, and they cannot be written with a schema: a fault of ours.
PLACELESS = (exp.Binary, exp.Unary, exp.Predicate, exp.Array, exp.Struct)


def relation(name: str, backend: DuckDB) -> exp.Expr:
    """The relation after FROM for a name or query of the caller."""
    tables = _tables(backend)
    here = backend.connection.execute(HERE).fetchall()[0]
    places = [place for place in tables if place[2].casefold() == name.casefold()]
    if backend.path_known and any(place[:2] == here for place in places):
        return exp.Table(this=exp.to_identifier(name, quoted=True))
    if len(places) == 1:
        return _at(places[0])
    if not places and backend.path_known and (query := _query(name)):
        return query
    if not places and (table := qualified(name)):
        return table
    raise _unknown(name, places or tables, several=bool(places), backend=backend)


def _tables(backend: DuckDB) -> list[Place]:
    """Every table and view that the connection can read, except the run's own."""
    rows = backend.connection.execute(
        """
        SELECT database_name, schema_name, table_name FROM system.main.duckdb_tables()
        WHERE database_name NOT IN ('system', 'temp', $1)
        UNION ALL
        SELECT database_name, schema_name, view_name FROM system.main.duckdb_views()
        WHERE database_name NOT IN ('system', 'temp', $1) AND NOT internal
        ORDER BY ALL
        """,
        [backend.run],
    ).fetchall()
    return [(str(database), str(schema), str(name)) for database, schema, name in rows]


def _at(place: Place) -> exp.Table:
    database, schema, name = (exp.to_identifier(part, quoted=True) for part in place)
    return exp.Table(this=name, db=schema, catalog=database)


def _query(text: str) -> exp.Expr | None:
    """The text as a relation, if DuckDB parses it as exactly one query."""
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error:
        return None
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        return None
    return _as_relation(statements[0].query)


def one_query(text: str, dialect: str) -> exp.Expr | None:
    """The text as a relation, if it is exactly one query: it cannot start a second statement."""
    try:
        trees = sqlglot.parse(text, dialect=dialect)
    except SqlglotError:
        return None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query) or trees[0].find(exp.Into):
        return None
    return _as_relation(text)


def _as_relation(query: str) -> exp.Subquery:
    """A query, unchanged, as a relation after FROM."""
    bare = query.strip().rstrip(";")
    # The generator indents lines; those inside a name or a value must stay as they are.
    alias = exp.TableAlias(this=exp.to_identifier("original_query"))
    return exp.Subquery(this=verbatim(f"\n{bare}\n"), alias=alias)


def qualified(text: str, dialect: str = "duckdb") -> exp.Table | None:
    """The table, if the text is a name with a schema, or with a database and a schema."""
    try:
        tree = sqlglot.parse_one(text, into=exp.Table, dialect=dialect)
    except SqlglotError:
        return None
    plain = isinstance(tree, exp.Table) and isinstance(tree.this, exp.Identifier)
    return (
        exp.table_(tree.this, tree.args.get("db"), tree.args.get("catalog"))
        if plain and tree.db
        else None
    )


def with_full_names(query: exp.Select) -> exp.Select:
    """The query, with the full name of each function in its columns; its FROM is the caller's.

    Among the caller's names, a macro would otherwise run in place of a function.
    """
    made = query.copy()
    made.set("expressions", [from_below(one, _whole) for one in made.expressions])
    return made


def _whole(node: exp.Expr) -> exp.Expr:
    if isinstance(node, (*GRAMMAR, exp.Dot, exp.Query)):
        return node
    if isinstance(node, exp.Bracket):
        place = exp.Literal.number(int(node.expressions[0].name) + 1)
        node = exp.Anonymous(this="ARRAY_EXTRACT", expressions=[node.this, place])
    elif isinstance(node, PLACELESS):
        raise TypeError(f"{type(node).__name__} has no full name: {render(node)}")
    if not isinstance(node, exp.Func) or isinstance(node.parent, exp.Dot):
        return node
    return exp.Dot.build([*(exp.to_identifier(part) for part in SYSTEM), node.copy()])


def nearest(name: str, places: Sequence[str]) -> str:
    """Ten of these names for a message, the most similar to the given name first."""

    def unlike(place: str) -> tuple[float, float]:
        pairs = ((given.rpartition(".")[2], place.casefold().rpartition(".")[2]), (given, place))
        own, whole = (SequenceMatcher(None, *pair).ratio() for pair in pairs)
        return -own, -whole

    given = name.casefold().replace('"', "")
    shown = sorted(places, key=unlike) if len(places) > MANY else places
    more = ", …" if len(places) > MANY else ""
    return (", ".join(repr(place) for place in shown[:MANY]) or "none") + more


def _unknown(name: str, places: list[Place], *, several: bool, backend: DuckDB) -> InputError:
    shown = nearest(name, [".".join(place[1:]) for place in places])
    if several:
        return InputError(f"{name!r} is in several places: name one of {shown}")
    if not backend.path_known:
        return InputError(
            f"{name!r} cannot be looked up while the connection has rows to fetch: fetch them to "
            "the end first, or pass connection.cursor()"
        )
    unseen = "" if backend.owned else " (temporary and uncommitted tables cannot be seen)"
    return InputError(
        f"{name!r} is neither a table or view nor one query; the tables are: {shown}{unseen}"
    )
