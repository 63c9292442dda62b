"""Print the checker of `verify` as one query, and refuse what such a query cannot have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from setveil.backends import registry
from setveil.backends.addresses import kind_of
from setveil.cli import output
from setveil.cli.command import given_of
from setveil.cli.groups import Asking, Explaining, Persons, Reading, Showing
from setveil.errors import InputError
from setveil.export.query import Options, asked, limits
from setveil.export.tables import Tables
from setveil.models.model import Model

# Options that the query has too; all others of `verify` need the data.
KNOWN = ("level", "counts", "ignore_unknown")
# Options of a query in place of those that name a source.
TABLES = {"--persons-of": "--persons-table", "--original": "--original-table"}


def with_query(model: Model, alone: Callable[..., int]) -> Callable[..., int]:
    """The run of `verify MODEL`, or with --query its checker as text."""

    def run(
        source: str,
        persons: Persons,
        reading: Reading,
        explaining: Explaining,
        asking: Asking,
        showing: Showing,
        **given: Any,
    ) -> int:
        promise = given_of(model.promise, given)
        if not asking.query:
            _refuse_tables(asking)
            model.refuse_lacking(promise, "verify")
            return alone(source, persons, reading, explaining, showing, **given)
        own = (*KNOWN, *(one.name for one in model.promise))
        others = {name: value for name, value in given.items() if name not in own}
        _refuse_beside(others, reading, explaining, showing)
        return _print_query(model, source, promise, reading, persons, explaining, asking, given)

    return run


def _refuse_tables(asking: Asking) -> None:
    if asking.named:
        raise InputError(
            "--lists, --slices, --limit, --list-table, --persons-table and --original-table are "
            "for a query: add --query"
        )


def _refuse_beside(
    others: Mapping[str, Any],
    reading: Reading,
    explaining: Explaining,
    showing: Showing,
) -> None:
    """Refuse options that a query cannot obey."""
    every = {
        **others,
        "explain": explaining.explain,
        "json": showing.json,
        "drop_nulls": reading.drop_nulls,
    }
    given = [name for name, value in every.items() if value not in (None, False, [], ())]
    if given:
        name = "--" + given[0].replace("_", "-")
        table = TABLES.get(name)
        more = "" if table is None else f", which {table} names"
        raise InputError(f"{name} and --query exclude each other: a query reads tables alone{more}")


def _print_query(
    model: Model,
    source: str,
    promise: Mapping[str, Any],
    reading: Reading,
    persons: Persons,
    explaining: Explaining,
    asking: Asking,
    given: Mapping[str, Any],
) -> int:
    """Print the query, and note on stderr what its answer does not cover."""
    tables = Tables(
        release=source,
        tid=reading.keys or "tid",
        item=reading.item,
        level=given.get("level"),
        lists=asking.lists,
        slices=asking.slices,
        person=persons.person,
        guests=persons.guests,
        persons=asking.persons_table,
        list=asking.list_table,
        original=asking.original_table,
        counts=given.get("counts"),
    )
    ignored = bool(given.get("ignore_unknown"))
    dialect = explaining.dialect or _dialect_of(reading.database)
    text = asked(model, tables, promise, Options(dialect, ignored, asking.limit))
    for note in limits(model, tables, promise):
        output.note(note)
    output.say(text)
    return 0


def _dialect_of(database: str | None) -> str:
    """The dialect of a database that the caller names; it is not opened."""
    kind = None if database is None else kind_of(database)
    return (kind or registry.HERE).trail.dialect
